package repair

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// labelPaired gives levels without a label the field that is one, by the classification tag of both (same
// concept and level, any taxonomy), else by their names. The label leaves the levels.
func labelPaired(r *Repair) {
	tags := map[string]string{} // by field
	for _, resource := range r.Package.Resources {
		for _, f := range resource.Schema.Fields {
			tags[f.Name] = f.ColumnType
		}
	}
	for _, c := range r.Draft.Columns {
		if c.Type != cube.TypeText || c.From != nil || r.isPaired(c.Name) || r.Draft.Measure(c.Name) != nil ||
			r.namesSnapshots(c.Name) || r.Off(LabelPaired, c.Name) {
			continue
		}
		if level := r.levelByTag(tags, c.Name); level != nil {
			r.pair(level, c.Name, "column-type")
		} else if level := r.levelByName(c.Name); level != nil {
			r.pair(level, c.Name, "name")
		}
	}
}

// isPaired tells whether a field is a code that has a label, or a label.
func (r *Repair) isPaired(field string) bool {
	level := r.Draft.Level(field)
	return level != nil && level.LabelRef != "" || r.Draft.LevelOfLabel(field) != nil
}

// namesSnapshots tells whether the field names the declared snapshots of the package, or their period.
func (r *Repair) namesSnapshots(field string) bool {
	s := r.Draft.Snapshots
	return s != nil && (s.By == field || slices.Contains(s.Per, field))
}

// pair makes a field the label of a level; the sentence says why.
func (r *Repair) pair(level *cube.Level, label, sentence string) {
	ref := level.Ref
	r.becomeLabel(label, ref)
	r.info(LabelPaired, "", label, sentence, findings.Params{"level": ref})
}

// becomeLabel makes a field the label of a level. What lay below it lies below that level from now on, or within
// it where it is in another dimension: codes may mean something only there.
func (r *Repair) becomeLabel(field, ref string) {
	for i := range r.Draft.Dimensions {
		d := &r.Draft.Dimensions[i]
		beside := slices.ContainsFunc(d.Levels, func(l cube.Level) bool { return l.Ref == ref })
		for j := range d.Levels {
			switch l := &d.Levels[j]; {
			case l.Parent != field || r.isAbove(l.Ref, ref):
			case beside:
				l.Parent = ref
			default:
				l.Within = append(slices.Clone(l.Within), ref)
			}
		}
	}
	r.Draft.RemoveLevel(field)
	r.Draft.Level(ref).LabelRef = field
}

// isAbove tells whether a level is the one below or above it.
func (r *Repair) isAbove(level, below string) bool {
	for l, depth := r.Draft.Level(below), 0; l != nil && depth <= len(r.Draft.Columns); l, depth = r.Draft.Level(l.Parent), depth+1 {
		if l.Ref == level {
			return true
		}
	}
	return false
}

// levelByTag finds the one level without label whose tag differs from the label's in taxonomy alone.
func (r *Repair) levelByTag(tags map[string]string, label string) *cube.Level {
	want, ok := strings.CutSuffix(tags[label], ":label")
	if !ok {
		return nil
	}
	var found *cube.Level
	for _, level := range r.unlabelled(label) {
		have, isCode := strings.CutSuffix(tags[level.Ref], ":code")
		if !isCode || withoutTaxonomy(have) != withoutTaxonomy(want) {
			continue
		}
		if found != nil {
			return nil // two levels carry the tag: it is no evidence
		}
		found = level
	}
	return found
}

// withoutTaxonomy takes the second part out of a tag: economic-classification:gfsm:level3.
func withoutTaxonomy(tag string) string {
	parts := strings.Split(tag, ":")
	if len(parts) != 3 {
		return tag
	}
	return parts[0] + ":" + parts[2]
}

// unlabelled lists the levels that have no label and are not the field itself.
func (r *Repair) unlabelled(field string) []*cube.Level {
	var levels []*cube.Level
	for i := range r.Draft.Dimensions {
		d := &r.Draft.Dimensions[i]
		for j := range d.Levels {
			if l := &d.Levels[j]; l.LabelRef == "" && l.Ref != field && d.Type != cube.DimensionFact {
				levels = append(levels, l)
			}
		}
	}
	return levels
}

// affix is what stands before and after the common part of a name.
type affix struct{ prefix, suffix string }

// cut takes the affix off a name, ignoring case.
func (a affix) cut(name string) (string, bool) {
	name = strings.ToLower(name)
	rest, before := strings.CutPrefix(name, a.prefix)
	rest, after := strings.CutSuffix(rest, a.suffix)
	return rest, before && after && rest != ""
}

// namePairs are the ways publishers name a code and its label.
var namePairs = []struct{ code, label affix }{
	{affix{prefix: "codigo"}, affix{prefix: "descripcion"}},
	{affix{prefix: "codigo"}, affix{prefix: "nombre"}},
	{affix{prefix: "codigo"}, affix{}},
	{affix{suffix: "_id"}, affix{suffix: "_nombre"}},
	{affix{}, affix{prefix: "desc_"}},
	{affix{suffix: "_codigo"}, affix{suffix: "_descripcion"}},
	{affix{prefix: "id_"}, affix{prefix: "desc_"}},
}

func (r *Repair) levelByName(label string) *cube.Level {
	for _, pair := range namePairs {
		common, ok := pair.label.cut(label)
		if !ok {
			continue
		}
		for _, level := range r.unlabelled(label) {
			if rest, ok := pair.code.cut(level.Ref); ok && rest == common {
				return level
			}
		}
	}
	return nil
}

// JoinedShare is how many of a hundred cells must join code and label.
const JoinedShare = 99

// codeLabelSplit takes fields apart whose cells join a code and a label. The field's name stays with the code,
// its label and the published cell become columns beside it. Where a level has the same code already, the
// field becomes that level's label.
func codeLabelSplit(r *Repair) {
	for _, c := range slices.Clone(r.Draft.Columns) {
		if c.Type != cube.TypeText || c.From != nil || r.Draft.Measure(c.Name) != nil || r.namesSnapshots(c.Name) ||
			r.Off(CodeLabelSplit, c.Name) {
			continue
		}
		f := r.field(c.Name)
		if f.Joined == 0 || f.Joined*100 < (f.Joined+f.NotJoined)*JoinedShare {
			continue
		}
		if len(f.Conflicts) > 0 {
			r.info(CodeLabelSplit, "", c.Name, "conflict", findings.Params{"code": f.Conflicts[0]})
			continue
		}
		r.split(c.Name, f)
	}
}

func (r *Repair) split(name string, f *Field) {
	switch level, labelled := r.Draft.Level(name), r.Draft.LevelOfLabel(name); {
	case labelled != nil && slices.Contains(f.SameCode, labelled.Ref):
		r.Derive(name, cube.RuleLabel)
		r.info(CodeLabelSplit, "", name, "prefix", findings.Params{"cells": f.Joined, "level": labelled.Ref})
	case labelled != nil || level != nil && level.LabelRef != "":
		return
	case r.sameLevel(name, f) != nil:
		same := r.sameLevel(name, f).Ref
		r.becomeLabel(name, same)
		r.Derive(name, cube.RuleLabel)
		r.info(CodeLabelSplit, "", name, "label", findings.Params{"cells": f.Joined, "level": same})
	case level != nil:
		r.Derive(name, cube.RuleCode)
		r.Draft.Columns = append(r.Draft.Columns, cube.Column{
			Name: name + "_label", Type: cube.TypeText, From: &cube.Derivation{Rule: cube.RuleLabel, Fields: []string{name}},
			Markers: r.Draft.Column(name).Markers,
		})
		level.LabelRef = name + "_label"
		r.info(CodeLabelSplit, "", name, "both", findings.Params{"cells": f.Joined, "of": f.Joined + f.NotJoined})
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

// codePadded makes one member of codes that differ only by outer spaces, no-break spaces or separate accents.
func codePadded(r *Repair) {
	for _, c := range slices.Clone(r.Draft.Columns) {
		f := r.field(c.Name)
		if f.Untidy == 0 || c.Type != cube.TypeText || c.From != nil || !r.Draft.IsKey(c.Name) || r.Off(CodePadded, c.Name) {
			continue
		}
		r.Derive(c.Name, cube.RuleKey)
		r.info(CodePadded, "", c.Name, "", findings.Params{"cells": f.Untidy, "of": f.Cells, "first": f.UntidyFirst, "field": c.Name})
	}
}

// notInformed reports the spellings that a declared marker was found in; the columns have the marker already.
func notInformed(r *Repair) {
	for _, c := range r.Draft.Columns {
		f := r.field(c.Name)
		if len(c.Markers) > 0 && slices.ContainsFunc(f.Spellings, func(s string) bool { return s != c.Markers[0] }) &&
			!r.Off(NotInformed, c.Name) {
			r.info(NotInformed, "", c.Name, "", findings.Params{"spellings": f.Spellings, "marker": c.Markers[0]})
		}
	}
}
