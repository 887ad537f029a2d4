package cube

import (
	"slices"
)

// Cuts on what members are called. They name members rather than values of a column, so the store looks the members
// up in the tables it keeps of them; a level of single budget lines, which has no such table, is cut by the cells of
// its label field as they are published.

// maxCutParts bounds the texts that one question looks for: each is sought in every member of its level.
const maxCutParts = 100

// labelsBind says whether the target can be cut by labels, where it is a label field.
func (t target) labelsBind(ref Ref) error {
	switch {
	case !t.label:
		return nil
	case t.stated != nil:
		return Errorf(CodeBadValue, "the last statement of a period is known by its code alone").at(ref.At).
			or("cut on the codes: " + quoteName(t.level.Ref))
	case !t.level.Listed && t.columns[0].Type == TypeDecimal:
		return Errorf(CodeBadValue, "%q holds amounts", ref.Name).at(ref.At).or("cut on the codes: " + quoteName(t.level.Ref))
	}
	return nil
}

// part binds a text that is looked for in the keys and labels of a level.
func (t target) part(item Item) (string, error) {
	part := Tidy(item.Match)
	switch {
	case len(t.columns) > 1:
		return "", Errorf(CodeBadValue, "text is looked for in a level").at(item.At).or("name one of " + t.names())
	case !t.level.Listed:
		return "", Errorf(CodeBadValue, "%s holds single budget lines, which are not searched", t.level.Ref).at(item.At).
			or("name their codes or whole labels, or cut on another level")
	case t.stated != nil:
		return "", Errorf(CodeBadValue, "text is not looked for in %s: statements of the same money, and their periods, are "+
			"known by whole values alone", t.level.Ref).at(item.At).or(t.stated.wholeValues(t.level.Ref, part))
	case part == "":
		return "", Errorf(CodeBadSyntax, noText).at(item.At).or(noTextHint)
	}
	return part, nil
}

// addLabels adds the labels, each once, as the first alternative.
func (f *Filter) addLabels(t target, exact []Value) {
	if len(exact) == 0 {
		return
	}
	labels := sortedTexts(texts(exact, Value.String))
	f.Any = slices.Insert(f.Any, 0, []Test{t.members(MemberTest{Labels: labels})})
	f.Echo = slices.Insert(f.Echo, 0, EchoItem{Op: OpEqual, Values: texted(labels)})
}

// addParts adds the texts to look for, each once, as one alternative; each is told back by itself.
func (f *Filter) addParts(t target, parts []string) {
	if len(parts) == 0 {
		return
	}
	parts = sortedTexts(parts)
	f.Any = append(f.Any, []Test{t.members(MemberTest{Parts: parts})})
	for _, part := range parts {
		f.Echo = append(f.Echo, EchoItem{Op: OpMatch, Values: []Value{Text(part)}})
	}
}

// members makes the test of a member, which stands on the column of its key.
func (t target) members(m MemberTest) Test {
	m.CubeID, m.Level, m.Path = t.cubeID, t.level, t.path
	key := slices.IndexFunc(t.path, func(c Column) bool { return c.Name == t.level.Ref })
	return Test{Column: t.path[key], Members: &m}
}

// texts prints the items of a cut that the test is made of.
func (m *MemberTest) texts() []string {
	if len(m.Parts) > 0 {
		return texts(m.Parts, func(part string) string { return "~" + quoteText(part) })
	}
	return texts(m.Labels, quoteText)
}

func texted(list []string) []Value {
	values := make([]Value, len(list))
	for i, text := range list {
		values[i] = Text(text)
	}
	return values
}

func sortedTexts(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }
