package repair

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// labelPaired gives levels without a label the field that is one, by the classification tag of both (same
// concept and level, any taxonomy), else by their names. The label leaves the levels.
func labelPaired(r *Repair) {
	tags := tagsOf(r.Package)
	for _, column := range r.Draft.Columns {
		if !r.canBeLabel(column) || r.Off(LabelPaired, column.Name) {
			continue
		}
		if level := r.levelByTag(tags, column.Name); level != nil {
			r.pair(level, column.Name, "its columnType is the label's of "+level.Ref)
		} else if level := r.levelByName(column.Name); level != nil {
			r.pair(level, column.Name, "its name is the label's of "+level.Ref)
		}
	}
}

func (r *Repair) canBeLabel(c cube.Column) bool {
	return c.Type == cube.TypeText && c.From == nil && !r.isPaired(c.Name) && r.Draft.Measure(c.Name) == nil && !r.tellsSnapshots(c.Name)
}

// tellsSnapshots tells whether the statements of the package, as declared, are told apart by the field.
func (r *Repair) tellsSnapshots(field string) bool {
	s := r.Draft.Snapshots
	return s != nil && (s.By == field || slices.Contains(s.Per, field))
}

func (r *Repair) pair(level *cube.Level, label, why string) {
	ref := level.Ref
	r.becomeLabel(label, ref)
	r.info(LabelPaired, "", label, "no labelfor; %s, so it labels %s", why, ref)
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

// tagsOf gives the classification tag of each field.
func tagsOf(p *cube.Package) map[string]string {
	tags := map[string]string{}
	for _, resource := range p.Resources {
		for _, f := range resource.Schema.Fields {
			tags[f.Name] = f.ColumnType
		}
	}
	return tags
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
			return nil // two levels carry the tag: it says nothing
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
