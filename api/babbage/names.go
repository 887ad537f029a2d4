package babbage

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// Names are what dashboards call the fields of a model. They take refs apart at points and join them with signs,
// so an id holds ASCII letters, digits and _ alone.
type Names struct {
	model       *cube.Model
	ids         map[string]string // by field
	fields      map[string]string // by id
	hierarchies []hierarchy
}

// hierarchy is a way down through levels. Each level is in one.
type hierarchy struct {
	id        string
	dimension cube.Dimension
	chain     []cube.Level // the whole way
	levels    []cube.Level // those of it that no hierarchy before it has
	first     bool         // of its dimension
}

// NewNames names the fields of a model. A field whose name can be an id has its name.
func NewNames(model *cube.Model) *Names {
	n := &Names{model: model, ids: map[string]string{}, fields: map[string]string{}}
	for _, changed := range []bool{false, true} {
		for _, c := range model.Columns() {
			if id := slug(c.Name); (id != c.Name) == changed {
				id = unique(id, n.fields)
				n.ids[c.Name], n.fields[id] = id, c.Name
			}
		}
	}
	n.nameHierarchies()
	return n
}

// nameHierarchies gives each chain the levels that no chain before it has.
func (n *Names) nameHierarchies() {
	taken := map[string]string{}
	for _, d := range n.model.Dimensions() {
		var placed []string
		for _, chain := range d.Chains() {
			h := hierarchy{id: unique(slug(d.Name), taken), dimension: d, chain: chain, first: placed == nil}
			for _, l := range chain {
				if !slices.Contains(placed, l.Ref) {
					h.levels, placed = append(h.levels, l), append(placed, l.Ref)
				}
			}
			taken[h.id] = d.Name
			n.hierarchies = append(n.hierarchies, h)
		}
	}
}

// slug keeps what an id may hold.
func slug(name string) string {
	text := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
	if text = strings.Trim(text, "_"); text == "" {
		return "field"
	}
	return text
}

// unique numbers an id that is taken.
func unique(id string, taken map[string]string) string {
	free := id
	for i := 2; ; i++ {
		if _, ok := taken[free]; !ok {
			return free
		}
		free = id + "_" + strconv.Itoa(i)
	}
}

// Field gives the ref of a field: that of the attribute of a level, the id of a measure. A field that is neither
// can only be one that codes are within.
func (n *Names) Field(field string) string {
	id, ok := n.ids[field]
	level, isLevel := n.model.Level(field)
	_, isMeasure := n.model.Measure(field)
	switch {
	case !ok || isMeasure:
		return id
	case isLevel:
		return n.ids[level.Ref] + "." + id
	}
	return id + "." + id
}

// Level gives the refs of a level's key and label; the label's is that of the key where there is none.
func (n *Names) Level(level cube.Level) (key, label string) {
	key = n.Field(level.Ref)
	if !level.HasLabels() {
		return key, key
	}
	return key, n.Field(level.LabelRef)
}

// Aggregate gives the name of an aggregate.
func (n *Names) Aggregate(a cube.Aggregate) string {
	if a.Measure == "" {
		return a.Name
	}
	return n.ids[a.Measure] + "." + string(a.Func)
}

// Filter gives the ref of a filter, which is on a field, on a dimension, or by default on several fields.
func (n *Names) Filter(ref string) string {
	if _, ok := n.ids[ref]; ok {
		return n.Field(ref)
	}
	for _, h := range n.hierarchies {
		if h.dimension.Name == ref {
			return h.id
		}
	}
	parts := strings.Split(ref, "/")
	for i, part := range parts {
		if _, ok := n.ids[part]; ok {
			parts[i] = n.Field(part)
		}
	}
	return strings.Join(parts, "/")
}

// resolved is what a ref of the dialect means.
type resolved struct {
	fields []string // of a level named as a whole its key, then its label; of a dimension its name
	whole  bool
	alias  string // the ref as it was written, where it names the hierarchy in place of the level
}

// resolve finds what a ref names.
func (n *Names) resolve(ref cube.Ref) (resolved, bool) {
	if found, ok := n.named(ref); ok {
		return found, true
	}
	return n.ofHierarchy(ref)
}

// named finds what has the name of a ref: a level, an attribute of a level or of a hierarchy, a measure; or what our
// own grammar calls so.
func (n *Names) named(ref cube.Ref) (resolved, bool) {
	ref.Dimension, ref.Name = strings.TrimSpace(ref.Dimension), strings.TrimSpace(ref.Name)
	field, ok := n.fields[ref.Name]
	if !ok {
		field = ref.Name
	}
	level, isLevel := n.model.Level(field)
	switch {
	case ref.Dimension == "" && isLevel && level.Ref == field:
		return resolved{fields: attributesOf(level), whole: true}, true
	case ref.Dimension == "":
		return n.bare(field, ref.Name)
	case isLevel && (n.ids[level.Ref] == ref.Dimension || level.Ref == ref.Dimension || level.Dimension == ref.Dimension):
		return resolved{fields: []string{field}}, true
	case isLevel && n.inHierarchy(level, ref.Dimension):
		return resolved{fields: []string{field}, alias: ref.Dimension + "." + ref.Name}, true
	}
	return resolved{}, false
}

// bare finds what a ref without a point names beside a level.
func (n *Names) bare(field, name string) (resolved, bool) {
	if _, ok := n.model.Column(field); ok {
		return resolved{fields: []string{field}}, true
	}
	dimension := n.dimensionCalled(name)
	return resolved{fields: []string{dimension}}, dimension != ""
}

// dimensionCalled gives the dimension that has a name, or whose first hierarchy has it as its id; "" where there is
// none.
func (n *Names) dimensionCalled(name string) string {
	if _, ok := n.model.Dimension(name); ok {
		return name
	}
	for _, h := range n.hierarchies {
		if h.id == name && h.first {
			return h.dimension.Name
		}
	}
	return ""
}

func (n *Names) inHierarchy(level cube.Level, id string) bool {
	return slices.ContainsFunc(n.hierarchies, func(h hierarchy) bool { return h.id == id && h.dimension.Name == level.Dimension })
}

func attributesOf(level cube.Level) []string {
	if level.LabelRef == "" {
		return []string{level.Ref}
	}
	return []string{level.Ref, level.LabelRef}
}
