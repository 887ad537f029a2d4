package repair

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// joinedShare is how many of a hundred cells must join code and label.
const joinedShare = 99

// codeLabelSplit takes fields apart whose cells join a code and a label. The field's name stays with the code,
// its label and the published cell become columns beside it. Where a level has the same code already, the
// field becomes that level's label.
func codeLabelSplit(r *Repair) {
	for _, c := range slices.Clone(r.Draft.Columns) {
		if c.Type != cube.TypeText || c.From != nil || r.Draft.Measure(c.Name) != nil || r.tellsSnapshots(c.Name) ||
			r.Off(CodeLabelSplit, c.Name) {
			continue
		}
		f := r.field(c.Name)
		if f.Joined == 0 || f.Joined*100 < (f.Joined+f.NotJoined)*joinedShare {
			continue
		}
		if len(f.Conflicts) > 0 {
			r.info(CodeLabelSplit, "", c.Name, "its cells join codes and labels, but the code %s has two labels, so they stay whole",
				f.Conflicts[0])
			continue
		}
		r.split(c.Name, f)
	}
}

func (r *Repair) split(name string, f *Field) {
	switch level, labelled := r.Draft.Level(name), r.Draft.LevelOfLabel(name); {
	case labelled != nil && slices.Contains(f.SameCode, labelled.Ref):
		r.Derive(name, cube.RuleLabel)
		r.info(CodeLabelSplit, "", name, "its %d cells begin with the code of %s, which the label leaves out", f.Joined, labelled.Ref)
	case labelled != nil || level != nil && level.LabelRef != "":
		return
	case r.sameLevel(name, f) != nil:
		same := r.sameLevel(name, f).Ref
		r.becomeLabel(name, same)
		r.Derive(name, cube.RuleLabel)
		r.info(CodeLabelSplit, "", name, "its %d cells join the code of %s and a label, so it labels that", f.Joined, same)
	case level != nil:
		r.Derive(name, cube.RuleCode)
		r.Draft.Columns = append(r.Draft.Columns, cube.Column{
			Name: name + "_label", Type: cube.TypeText, From: &cube.Derivation{Rule: cube.RuleLabel, Fields: []string{name}},
			Markers: r.Draft.Column(name).Markers,
		})
		level.LabelRef = name + "_label"
		r.info(CodeLabelSplit, "", name, "%d of %d cells join a code and a label, so it is both", f.Joined, f.Joined+f.NotJoined)
	}
}

// sameLevel gives a level without a label that has the field's code in every row.
func (r *Repair) sameLevel(name string, f *Field) *cube.Level {
	for _, ref := range f.SameCode {
		if level := r.Draft.Level(ref); level != nil && ref != name && level.LabelRef == "" {
			return level
		}
	}
	return nil
}

// Derive makes the cells of a column by a rule, and keeps the published ones as <name>_cell.
func (r *Repair) Derive(name string, rule cube.Rule) {
	r.Draft.Column(name).From = &cube.Derivation{Rule: rule, Fields: []string{name}}
	r.Draft.Columns = append(r.Draft.Columns, cube.Column{
		Name: name + "_cell", Type: cube.TypeText, From: &cube.Derivation{Rule: cube.RuleCell, Fields: []string{name}},
	})
}

// notInformed reports the spellings that a declared marker was found in; the columns have the marker already.
func notInformed(r *Repair) {
	for _, c := range r.Draft.Columns {
		f := r.field(c.Name)
		if len(c.Markers) > 0 && slices.ContainsFunc(f.Spellings, func(s string) bool { return s != c.Markers[0] }) &&
			!r.Off(NotInformed, c.Name) {
			r.info(NotInformed, "", c.Name, "its cells %s are one member, %q", quoted(f.Spellings), c.Markers[0])
		}
	}
}

func quoted(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = `"` + text + `"`
	}
	return strings.Join(list, ", ")
}
