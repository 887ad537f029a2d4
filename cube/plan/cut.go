package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
)

// maxCutValues bounds the values in the cuts of a question, so that no SQL text grows to megabytes.
const maxCutValues = 10_000

func (b *binder) bindCuts(q query.Query) error {
	values, parts := 0, 0
	for _, cut := range q.Cuts {
		for _, item := range cut.Items {
			values += max(1, len(item.Path))
			if item.Op == query.OpMatch {
				parts++
			}
		}
		switch {
		case values > maxCutValues:
			return tooManyValues(cut)
		case parts > maxCutTexts:
			return cube.Errorf(cube.CodeTooLarge, "the cuts look for more than %d texts", maxCutTexts).At(cut.Ref.At)
		}
		filter, err := b.filter(cut)
		if err != nil {
			return err
		}
		for _, tests := range filter.Any {
			if tests[0].isRange() { // a range of snapshots lists them
				values += len(tests[0].In)
			}
		}
		if values > maxCutValues {
			return tooManyValues(cut)
		}
		b.filters = append(b.filters, filter)
	}
	slices.SortFunc(b.filters, func(f, g Filter) int { return strings.Compare(f.text, g.text) })
	b.filters = slices.CompactFunc(b.filters, func(f, g Filter) bool { return f.text == g.text })
	b.filters = byLabelYears(b.cube, b.filters)
	return nil
}

func tooManyValues(cut query.Cut) error {
	return cube.Errorf(cube.CodeTooLarge, "the cuts name more than %d values", maxCutValues).At(cut.Ref.At)
}

// filter binds one cut. The exact values of a level become one test, as do its labels, and the texts to search for. Each
// range and each path becomes an alternative of its own.
func (b *binder) filter(cut query.Cut) (Filter, error) {
	t, err := b.target(cut.Ref)
	if err != nil {
		return Filter{}, err
	}
	f := Filter{Ref: t.ref, Not: cut.Not}
	var column cube.Column // of exact: the first of a path may be an edition, which is none of them
	var exact []cube.Value
	var parts []string
	for _, item := range cut.Items {
		if item.Op == query.OpMatch {
			part, err := t.substring(item)
			if err != nil {
				return Filter{}, err
			}
			parts = append(parts, part)
			continue
		}
		if len(t.columns) == 1 && len(item.Path) > 1 { // a slash belongs to the value
			item.Path = []query.Key{query.JoinKeys(item.Path)}
		}
		tests, err := t.tests(item)
		if err != nil {
			return Filter{}, err
		}
		if item.Op == query.OpEqual && len(tests) == 1 {
			column, exact = tests[0].Column, append(exact, tests[0].In[0])
			continue
		}
		f.Any, f.Echo = append(f.Any, tests), append(f.Echo, echo(item.Op, tests))
	}
	if len(parts) > 0 {
		f.addSubstrings(t, parts)
	}
	if t.byMembers && len(exact) > 0 {
		f.addLabels(t, exact)
	} else {
		f.addExact(column, exact)
	}
	f.text = f.canonical()
	return f, nil
}

// addExact adds the exact values, sorted and each once, as the first alternative.
func (f *Filter) addExact(column cube.Column, exact []cube.Value) {
	if len(exact) == 0 {
		return
	}
	slices.SortFunc(exact, cube.Value.Compare)
	exact = slices.Compact(exact)
	f.Any = slices.Insert(f.Any, 0, []Test{{Column: column, In: exact}})
	f.Echo = slices.Insert(f.Echo, 0, EchoItem{Op: query.OpEqual, Values: exact})
}

// target is what a cut is on. columns are those that its values belong to, from top to bottom: one for a field, those of
// the chain for a dimension.
type target struct {
	ref      string
	cubeID   int64
	level    cube.Level    // for a dimension the deepest level of its chain
	path     []cube.Column // of the level
	columns  []cube.Column
	label    bool         // the column holds labels
	reported *reported    // if the level names snapshots or their periods
	order    []cube.Value // declared for the snapshots that the level names

	byMembers bool // the labels are those of a member table
}

func (b *binder) target(ref query.Ref) (target, error) {
	level, isField, err := b.model.level(ref)
	if err == nil && !isField {
		var chain []cube.Level
		if chain, err = b.model.onlyChain(ref); err == nil {
			level = chain[len(chain)-1]
		}
	}
	if err != nil {
		return target{}, err
	}
	t := target{ref: ref.Name, cubeID: b.cube.ID, level: level, path: b.model.columns(level.Path),
		order: b.model.SnapshotOrder(level.Ref)}
	h := b.model.reported() // it knows the values of snapshots and periods, but not their labels
	if h != nil && slices.ContainsFunc(h.Columns, func(c cube.Column) bool { return c.Name == level.Ref }) {
		t.reported = h
	}
	t.columns = t.path
	if isField {
		t.columns, t.label = b.model.columns([]string{ref.Name}), ref.Name == level.LabelRef
	}
	t.byMembers = t.label && level.Listed
	if t.label {
		err = t.checkLabels(ref)
	}
	return t, err
}

// tests binds an item that names values or a range.
func (t target) tests(item query.Item) ([]Test, error) {
	chain := t.columns
	if item.Op == query.OpRange {
		return t.between(item)
	}
	if t.byMembers {
		label := cube.Text(tidy.Label(item.Path[0].Literal()))
		return []Test{{Column: chain[0], In: []cube.Value{label}}}, nil
	}
	if len(chain) > 1 {
		return pathTests(chain, item.Path, item.At)
	}
	key := slices.IndexFunc(t.path, func(c cube.Column) bool { return c.Name == chain[0].Name })
	if key < 0 { // the published cells of a label
		return pathTests(chain, item.Path, item.At)
	}
	var editions []cube.Column
	for _, c := range t.path[:key] {
		if c.IsEdition() {
			editions = []cube.Column{c} // the nearest counts
		}
	}
	return pathTests(append(editions, chain[0]), item.Path, item.At)
}

// pathTests binds the keys of a path from its top. An edition is that of the nearest level with editions at or above its
// key. Without one every edition is admitted.
func pathTests(path []cube.Column, keys []query.Key, at cube.Position) ([]Test, error) {
	columns := query.KeyColumns(path)
	if len(keys) > len(columns) {
		return nil, cube.Errorf(cube.CodeBadValue, "the path has %d keys, its dimension %d levels", len(keys), len(columns)).
			At(at).WithHint(`write a slash that belongs to a code inside quotes: "a/b"`)
	}
	values, edition := make([]*cube.Value, len(path)), -1
	for i, next := 0, 0; next < len(keys); i++ {
		if path[i].Name != columns[next].Name {
			edition = i
			continue
		}
		key := keys[next]
		switch {
		case key.Edition == "" || edition < 0:
			key.Text += key.Edition
		case values[edition] != nil:
			return nil, cube.Errorf(cube.CodeBadValue, "the path names %s twice", path[edition].Name).At(at).
				WithHint("write the edition once, after the key that was numbered anew")
		default:
			value, err := typed(path[edition], key.Edition[1:], at)
			if err != nil {
				return nil, err
			}
			values[edition] = &value
		}
		value, err := typed(path[i], key.Text, at)
		if err != nil {
			return nil, err
		}
		values[i] = &value
		next++
	}
	var tests []Test
	for i, value := range values {
		if value != nil {
			tests = append(tests, Test{Column: path[i], In: []cube.Value{*value}})
		}
	}
	return tests, nil
}

func (t target) between(item query.Item) ([]Test, error) {
	switch {
	case t.label:
		return nil, cube.Errorf(cube.CodeBadValue, "labels have no ranges").At(item.At).WithHint("name the codes: " + query.QuoteName(t.level.Ref))
	case len(t.columns) > 1:
		return nil, cube.Errorf(cube.CodeBadValue, "a range needs a level").At(item.At).WithHint("name one of " + t.names())
	case len(t.order) > 0:
		return t.snapshotsBetween(item)
	}
	return rangeTest(t.columns[0], item)
}

func (t target) names() string {
	return strings.Join(each.Text(t.columns, func(c cube.Column) string { return c.Name }), ", ")
}

// rangeTest binds a range. Text bounds fix the length of the keys: 01..06 admits neither 1 nor 001.
func rangeTest(column cube.Column, item query.Item) ([]Test, error) {
	from, err := typed(column, item.From, item.At)
	if err != nil {
		return nil, err
	}
	to, err := typed(column, item.To, item.At)
	if err != nil {
		return nil, err
	}
	closed := item.From != "" && item.To != ""
	if column.Type == cube.TypeText && closed && from.Length() != to.Length() {
		return nil, cube.Errorf(cube.CodeBadValue, "the bounds %q and %q differ in length", item.From, item.To).At(item.At).
			WithHint("keys of text compare only at one length, as 01..12")
	}
	if closed && from.Compare(to) > 0 {
		return nil, cube.Errorf(cube.CodeBadValue, "%s comes after %s, so nothing is between", printed(from), printed(to)).
			At(item.At).WithHint("write the lower bound first")
	}
	return []Test{{Column: column, From: from, To: to}}, nil
}

// typed reads a value by the type of its column.
func typed(column cube.Column, s string, at cube.Position) (cube.Value, error) {
	value, err := column.Value(s)
	var e *cube.Error
	if errors.As(err, &e) {
		return value, e.At(at)
	}
	return value, err
}

func echo(op query.ItemOp, tests []Test) EchoItem {
	if op == query.OpRange {
		return EchoItem{Op: op, Values: []cube.Value{tests[0].From, tests[0].To}}
	}
	item := EchoItem{Op: op}
	edition := ""
	for i, t := range tests {
		if t.Column.IsEdition() && i < len(tests)-1 {
			edition = "@" + t.In[0].String()
			continue
		}
		item.Values, item.Editions = append(item.Values, t.In[0]), append(item.Editions, edition)
		edition = ""
	}
	item.Path = len(item.Values) > 1
	return item
}

// A cut on labels names members, so a store looks them up in its member tables. A level of single budget lines has no such
// table: a cut on its labels compares the published cells.

// maxCutTexts bounds the texts that a question searches for. A store compares each with every member of its level.
const maxCutTexts = 100

// checkLabels says whether a target that is a label field can be cut.
func (t target) checkLabels(ref query.Ref) error {
	switch {
	case t.reported != nil:
		return cube.Errorf(cube.CodeBadValue, "the last statement of a period is known by its code alone").At(ref.At).
			WithHint("cut on the codes: " + query.QuoteName(t.level.Ref))
	case !t.level.Listed && t.columns[0].Type == cube.TypeDecimal:
		return cube.Errorf(cube.CodeBadValue, "%q holds amounts", ref.Name).At(ref.At).WithHint("cut on the codes: " + query.QuoteName(t.level.Ref))
	}
	return nil
}

// substring binds a text to search for in the keys and labels of a level.
func (t target) substring(item query.Item) (string, error) {
	part := tidy.Label(item.Match)
	switch {
	case len(t.columns) > 1:
		return "", cube.Errorf(cube.CodeBadValue, "text is looked for in a level").At(item.At).WithHint("name one of " + t.names())
	case !t.level.Listed:
		return "", cube.Errorf(cube.CodeBadValue, "%s holds single budget lines, which are not searched", t.level.Ref).At(item.At).
			WithHint("name their codes or whole labels, or cut on another level")
	case t.reported != nil:
		return "", cube.Errorf(cube.CodeBadValue, "text is not looked for in %s: statements of the same money, and their periods, are "+
			"known by whole values alone", t.level.Ref).At(item.At).WithHint(t.reported.wholeValues(t.level.Ref, part))
	case part == "":
		return "", cube.Errorf(cube.CodeBadSyntax, query.NoText).At(item.At).WithHint(query.NoTextHint)
	}
	return part, nil
}

// addLabels adds the labels, each once, as the first alternative.
func (f *Filter) addLabels(t target, exact []cube.Value) {
	labels := sortedTexts(each.Text(exact, cube.Value.String))
	f.Any = slices.Insert(f.Any, 0, []Test{t.members(MemberTest{Labels: labels})})
	f.Echo = slices.Insert(f.Echo, 0, EchoItem{Op: query.OpEqual, Values: texted(labels)})
}

// addSubstrings adds the texts to search for, each once, as one alternative. The answer repeats each text as an item of its own.
func (f *Filter) addSubstrings(t target, parts []string) {
	parts = sortedTexts(parts)
	f.Any = append(f.Any, []Test{t.members(MemberTest{Substrings: parts})})
	for _, part := range parts {
		f.Echo = append(f.Echo, EchoItem{Op: query.OpMatch, Values: []cube.Value{cube.Text(part)}})
	}
}

// members makes a test of members. Its column is that of their key.
func (t target) members(m MemberTest) Test {
	m.CubeID, m.Level, m.Path = t.cubeID, t.level, t.path
	key := slices.IndexFunc(t.path, func(c cube.Column) bool { return c.Name == t.level.Ref })
	return Test{Column: t.path[key], Members: &m}
}

// texts prints the items of a cut that the test is made of.
func (m *MemberTest) texts() []string {
	if len(m.Substrings) > 0 {
		return each.Text(m.Substrings, func(part string) string { return "~" + query.QuoteText(part) })
	}
	return each.Text(m.Labels, query.QuoteText)
}

func texted(list []string) []cube.Value {
	return each.Of(list, cube.Text)
}

func sortedTexts(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// A cut on a level that names snapshots must list the snapshots that it admits, since Bind has to find the last of them.

// snapshotsBetween binds a range of snapshots in their declared order. The test lists the snapshots in the range, and has
// the bounds too, since the answer repeats them.
func (t target) snapshotsBetween(item query.Item) ([]Test, error) {
	first, from, err := t.bound(item.From, 0, item.At)
	if err != nil {
		return nil, err
	}
	last, to, err := t.bound(item.To, len(t.order)-1, item.At)
	if err != nil {
		return nil, err
	}
	if first > last {
		return nil, cube.Errorf(cube.CodeBadValue, "%s comes after %s, so nothing is between", printed(from), printed(to)).
			At(item.At).WithHint(t.orderText())
	}
	in := slices.SortedFunc(slices.Values(t.order[first:last+1]), cube.Value.Compare)
	return []Test{{Column: t.columns[0], In: slices.Compact(in), From: from, To: to}}, nil
}

// bound gives a bound and its index in the declared order. The index of an open bound is open.
func (t target) bound(text string, open int, at cube.Position) (index int, bound cube.Value, err error) {
	if bound, err = typed(t.columns[0], text, at); err != nil || bound.IsMissing() {
		return open, bound, err
	}
	if index = slices.Index(t.order, bound); index < 0 {
		err = cube.Errorf(cube.CodeBadValue, "%q has no place in the order of %s", bound, t.level.Ref).At(at).WithHint(t.orderText())
	}
	return index, bound, err
}

// printed writes a value in the message of an error.
func printed(v cube.Value) string { return cmp.Or(v.String(), "(missing)") }

// mostListed bounds how many values a hint lists.
const mostListed = 12

// orderText lists the declared order.
func (t target) orderText() string {
	listed := each.Text(t.order[:min(len(t.order), mostListed)], printed)
	if more := len(t.order) - len(listed); more > 0 {
		listed = append(listed, fmt.Sprintf("and %d more", more))
	}
	return "the order is " + strings.Join(listed, ", ")
}

// mostValues bounds how many values a hint names.
const mostValues = 3

// wholeValues says what to write instead of a text to search for: some of the values that contain it, else some others.
func (h *reported) wholeValues(ref, part string) string {
	values := h.latestWith(ref, part)
	if len(values) == 0 {
		values = h.latestWith(ref, "")
	}
	hint := "name the values whole"
	if len(values) > 0 {
		hint += ", as " + query.QuoteName(ref) + ":" + strings.Join(each.Text(values, func(v cube.Value) string { return query.QuoteName(v.String()) }), ";")
	}
	return hint
}

// latestWith lists the latest values of a column that contain the text, ignoring case.
func (h *reported) latestWith(ref, part string) []cube.Value {
	var list []cube.Value
	for _, v := range slices.Backward(h.valuesOf(ref)) {
		with := strings.Contains(strings.ToLower(v.String()), strings.ToLower(part))
		if with && !v.IsMissing() && !slices.Contains(list, v) && len(list) < mostValues {
			list = append(list, v)
		}
	}
	slices.Reverse(list)
	return list
}

// valuesOf lists the values of a column that names periods, or snapshots from the earliest to the last.
func (h *reported) valuesOf(ref string) (list []cube.Value) {
	var all []cube.Snapshot
	at := slices.IndexFunc(h.Columns, func(c cube.Column) bool { return c.Name == ref })
	for _, p := range h.Periods {
		if at < len(p.Key) {
			list = append(list, p.Key[at])
			continue
		}
		all = append(all, p.Snapshots...)
	}
	slices.SortStableFunc(all, func(a, b cube.Snapshot) int { return cmp.Compare(a.Rank, b.Rank) })
	return append(list, each.Of(all, func(snapshot cube.Snapshot) cube.Value { return snapshot.Value })...)
}

// NamedMember is a member, or several, of a level as an item of a cut names them.
type NamedMember struct {
	Level   cube.Level
	By      NamedBy
	Path    []cube.Value  // ByOwnKey: one key, under any parent; ByPath: keys from the top, perhaps without editions
	Columns []cube.Column // those of Path, of the path of Level
	Text    string        // ByLabelText: a label, tidied; ByPart: a part of a key or label
	Years   []Filter      // the labels of the fiscal years that they all admit count (MemberTest.Years)
}

// UnknownMember is one of the members that a cut names, which does not exist.
type UnknownMember struct {
	Index int // among those named
	Near  Near
}

// Near is what may have been meant by a NamedMember that does not exist.
type Near struct {
	Names []string // keys or labels of its level, those with most rows first
	Years []int64  // the fiscal years in which rows have its label, which the cuts do not admit, ascending
}

// NamedBy says how a NamedMember names members.
type NamedBy uint8

// The ways to name members.
const (
	ByPath NamedBy = iota
	ByOwnKey
	ByLabelText
	ByPart
)

// Asked is the text to compare with keys or labels that may have been meant.
func (m NamedMember) Asked() string {
	if len(m.Path) > 0 {
		return m.Path[len(m.Path)-1].String()
	}
	return m.Text
}

// ID identifies a named member in all cubes.
func (m NamedMember) ID(cube int64) string {
	return strconv.FormatInt(cube, 10) + "/" + strconv.Itoa(m.Level.Index) + "/" + strconv.Itoa(int(m.By)) + "/" + m.String() +
		"/" + m.YearsID()
}

// YearsID identifies Years among those of all named members.
func (m NamedMember) YearsID() string { return yearsText(m.Years) }

// String prints the item.
func (m NamedMember) String() string {
	switch m.By {
	case ByPart:
		return "~" + query.QuoteText(m.Text)
	case ByLabelText:
		return query.QuoteText(m.Text)
	}
	return query.KeysText(m.Columns, m.Path)
}

// MembersNamed lists the members of listed levels that a filter names, other than by a range. A filter that leaves out a
// missing value names nothing by it: people write it whether or not there are such rows.
func (s *selection) MembersNamed(f Filter) []NamedMember {
	var list []NamedMember
	for _, tests := range f.Any {
		first := tests[0]
		switch {
		case first.Members != nil:
			list = append(list, first.Members.named()...)
		case first.isRange():
		case len(tests) > 1:
			list = append(list, s.namedPath(tests)...)
		default:
			if level, ok := s.cube.Model.LevelOfKey(first.Column.Name); ok && level.Listed {
				for _, v := range first.In {
					list = append(list, NamedMember{Level: level, By: ByOwnKey, Path: []cube.Value{v}, Columns: []cube.Column{first.Column}})
				}
			}
		}
	}
	if f.Not {
		list = slices.DeleteFunc(list, func(m NamedMember) bool { return m.Asked() == "" })
	}
	return list
}

// namedPath names the members with a path, or with the beginning of one, or those of a level with a key in one edition.
func (s *selection) namedPath(tests []Test) []NamedMember {
	columns := columnsOf(tests)
	fields := each.Text(query.KeyColumns(columns), func(c cube.Column) string { return c.Name })
	i := slices.IndexFunc(s.cube.Model.Levels(), func(l cube.Level) bool {
		path := slices.DeleteFunc(slices.Clone(l.Path), func(field string) bool { return !slices.Contains(fields, field) && s.cube.Model.IsEdition(field) })
		return l.Listed && (len(path) >= len(fields) && slices.Equal(path[:len(fields)], fields) || len(fields) == 1 && l.Ref == fields[0])
	})
	if i < 0 {
		return nil
	}
	return []NamedMember{{Level: s.cube.Model.Levels()[i], By: ByPath, Path: keysOf(tests), Columns: columns}}
}

func (m *MemberTest) named() []NamedMember {
	var list []NamedMember
	for _, label := range m.Labels {
		list = append(list, NamedMember{Level: m.Level, By: ByLabelText, Text: label, Years: m.Years})
	}
	for _, part := range m.Substrings {
		list = append(list, NamedMember{Level: m.Level, By: ByPart, Text: part, Years: m.Years})
	}
	return list
}
