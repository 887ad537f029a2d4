package fdp

import "fiscube/cube"

// dimensions makes the dimensions in published order. It runs after measures, which settles the amounts.
func (b *builder) dimensions(declared []declaredDimension) []cube.Dimension {
	var dimensions []cube.Dimension
	for _, d := range declared {
		h := b.hierarchy(d)
		levels := b.levels(h)
		if len(levels) == 0 {
			continue // nothing of it can be drilled into
		}
		dimensions = append(dimensions, cube.Dimension{
			Name: d.name, Type: d.kind, Classification: d.classification, Levels: levels,
		})
	}
	return dimensions
}

// hierarchy is a declared dimension with every name resolved to a field.
type hierarchy struct {
	keys   []string          // the fields of the primary key that are no labels, in order
	parent map[string]string // of a key
	labels []labelOf         // in the order of the attributes
}

type labelOf struct{ label, key string }

// hierarchy resolves the names of d and reports those that mean nothing.
func (b *builder) hierarchy(d declaredDimension) hierarchy {
	h := hierarchy{parent: map[string]string{}}
	source, bySource := b.sources(d)
	isKey := map[string]bool{}
	for i, name := range d.primaryKey {
		field := resolve(source, name)
		if _, ok := b.columns.get(field); !ok {
			b.report.lacks(nth(at(d.place, "primaryKey"), i), field)
		}
		if bySource[field].labelFor == "" {
			h.keys = append(h.keys, field)
			isKey[field] = true
		}
	}
	level := func(a attribute, role, name string) string {
		field := resolve(source, name)
		if field == "" || isKey[field] {
			return field
		}
		b.report.add(at(a.place, role), "%s is no level of the dimension", quote(field))
		return ""
	}
	for _, a := range d.attributes {
		if key := level(a, "labelfor", a.labelFor); key != "" {
			h.labels = append(h.labels, labelOf{a.source, key})
		}
		if parent := level(a, "parent", a.parent); parent != "" {
			h.parent[a.source] = parent
		}
	}
	b.breakRings(d, h, bySource)
	return h
}

// sources maps the attributes of d to their fields and back.
func (b *builder) sources(d declaredDimension) (source map[string]string, bySource map[string]attribute) {
	source, bySource = map[string]string{}, map[string]attribute{}
	for _, a := range d.attributes {
		if _, ok := b.columns.get(a.source); !ok {
			b.report.lacks(at(a.place, "source"), a.source)
		}
		if other, twice := bySource[a.source]; twice {
			b.report.add(at(a.place, "source"), "%s is the source of attribute %s too",
				quote(a.source), quote(other.name))
		}
		source[a.name] = a.source
		bySource[a.source] = a
	}
	return source, bySource
}

// resolve gives the field that an attribute stands for. What is no attribute is the name of a field.
func resolve(source map[string]string, name string) string {
	if field, ok := source[name]; ok && name != "" {
		return field
	}
	return name
}

// breakRings reports fields that are their own ancestors, and cuts them loose so that parents can be followed.
// Each field is walked over once: a walk that meets an earlier one has nothing new above it.
func (b *builder) breakRings(d declaredDimension, h hierarchy, bySource map[string]attribute) {
	walked := map[string]int{}
	for i, a := range d.attributes {
		for field := a.source; field != ""; field = h.parent[field] {
			walk, met := walked[field]
			if met && walk == i {
				b.report.add(at(bySource[field].place, "parent"), "the parents of %s form a ring", quote(field))
				delete(h.parent, field)
			}
			if met {
				break
			}
			walked[field] = i
		}
	}
}

// levels makes the levels that are left when amounts and fields of earlier dimensions are taken away.
func (b *builder) levels(h hierarchy) []cube.Level {
	var levels []cube.Level
	index := map[string]int{}
	for _, key := range h.keys {
		if _, ok := b.columns.get(key); !ok || b.amounts[key] || b.used[key] {
			continue
		}
		b.used[key] = true
		index[key] = len(levels)
		levels = append(levels, cube.Level{Ref: key})
	}
	for i := range levels {
		levels[i].Parent = above(h, index, levels[i].Ref)
	}
	for _, l := range h.labels {
		i, kept := index[l.key]
		if !kept || levels[i].LabelRef != "" || b.amounts[l.label] || b.used[l.label] {
			continue // a second label of one code is an ordinary column
		}
		b.used[l.label] = true
		levels[i].LabelRef = l.label
	}
	return levels
}

// above gives the nearest ancestor of a key that is a level: one that was left out is stepped over.
func above(h hierarchy, index map[string]int, key string) string {
	parent := h.parent[key]
	for parent != "" {
		if _, kept := index[parent]; kept {
			return parent
		}
		parent = h.parent[parent]
	}
	return ""
}
