package babbage

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/suggest"
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
func (n *Names) Aggregate(a plan.Aggregate) string {
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
	prefix string // what stands before the point in the names of its columns, where that is not the id of the level
}

// resolve finds what a ref names.
func (n *Names) resolve(ref query.Ref) (resolved, bool) {
	if found, ok := n.named(ref); ok {
		return found, true
	}
	return n.ofHierarchy(ref)
}

// named finds what has the name of a ref: a level, an attribute of a level or of a hierarchy, a measure; or what our
// own grammar calls so.
func (n *Names) named(ref query.Ref) (resolved, bool) {
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
	case isLevel && (n.ids[level.Ref] == ref.Dimension || level.Ref == ref.Dimension):
		return resolved{fields: []string{field}}, true
	case isLevel && n.isPrefix(ref.Dimension, level, field):
		return resolved{fields: []string{field}, prefix: ref.Dimension}, true
	}
	return resolved{}, false
}

// isPrefix tells whether a dashboard may write a text before the point of an attribute. Beside the ids of our model these are
// the dimension and its hierarchies, and what the models of OpenSpending have there: the slug of the dimension that the
// descriptor publishes, with a number or the field behind it. An attribute is in one level, so its prefix cannot mislead, unless
// that names another level.
func (n *Names) isPrefix(prefix string, level cube.Level, field string) bool {
	if other, known := n.model.Level(n.fields[prefix]); known && other.Ref != level.Ref {
		return false
	}
	return prefix == level.Dimension || n.inHierarchy(level, prefix) || strings.HasPrefix(prefix+"_", slug(level.Dimension)+"_") ||
		strings.HasSuffix(prefix, "_"+n.ids[field]) || strings.HasSuffix(prefix, "_"+n.ids[level.Ref])
}

// generated gives the level that is a dimension in the models of OpenSpending, which call it by the slug of our dimension with
// its field behind it or, if it is the only one, with 2.
func (n *Names) generated(id string) (cube.Level, bool) {
	for _, d := range n.model.Dimensions() {
		for _, l := range d.Levels {
			if id == slug(d.Name)+"_"+n.ids[l.Ref] || len(d.Levels) == 1 && id == slug(d.Name)+"_2" {
				return l, true
			}
		}
	}
	return cube.Level{}, false
}

// bare finds what a ref without a point names beside a level.
func (n *Names) bare(field, name string) (resolved, bool) {
	if _, ok := n.model.Column(field); ok {
		return resolved{fields: []string{field}}, true
	}
	if dimension := n.dimensionCalled(name); dimension != "" {
		return resolved{fields: []string{dimension}}, true
	}
	level, ok := n.generated(name)
	return resolved{fields: attributesOf(level), whole: true, prefix: name}, ok
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

// A ref may tell the hierarchy that a level is in: dim@hier, where dim is a level, and dim@hier:level, where it may be
// the dimension that the hierarchy leads down through. Our own grammar ends names at a colon, so the one inside such a
// ref is written as another @ before the text is parsed; every other place of the text stays where it was.
const hierarchySign = "@"

// prepared writes the text of a parameter as our own grammar reads it.
func (n *Names) prepared(text string, g grammar) string { return n.joined(g.tidy(text), g) }

// joined writes refs with a hierarchy as names.
func (n *Names) joined(text string, g grammar) string {
	if !strings.Contains(text, hierarchySign) {
		return text
	}
	runes, start, s := []rune(text), 0, g.scan()
	for i, r := range runes {
		behindRef := r == ':' && !s.quoted && !s.inValue
		s.next(r)
		switch {
		case behindRef && n.endsInHierarchy(string(runes[start:i])) && g.levelAhead(runes[i+1:]):
			runes[i], s.front, s.inValue = '@', false, false
		case s.front && !s.inValue:
			start = i + 1
		}
	}
	return string(runes)
}

// endsInHierarchy reports whether a ref does, and is not the name of a field that only looks so.
func (n *Names) endsInHierarchy(ref string) bool {
	ref = strings.TrimPrefix(ref, "!")
	_, named := n.named(refOf(ref))
	return !named && strings.Count(ref, hierarchySign) == 1 && !strings.Contains(ref, `"`)
}

// levelAhead reports whether a level of the hierarchy follows its colon. In a cut another colon has to follow the level:
// anything else is a value.
func (g grammar) levelAhead(text []rune) bool {
	end := slices.IndexFunc(text, func(r rune) bool { return r != '.' && strings.ContainsRune(query.NameEnds, r) })
	if end < 0 {
		return len(text) > 0 && !g.follows(string(text))
	}
	return end > 0 && (text[end] == ':' || !g.follows(string(text[:end])))
}

// refOf takes a ref apart at its point.
func refOf(text string) query.Ref {
	if dimension, attribute, ok := strings.Cut(text, "."); ok {
		return query.Ref{Dimension: dimension, Name: attribute}
	}
	return query.Ref{Name: text}
}

// splitAtHierarchy takes a ref apart at its hierarchy.
func splitAtHierarchy(ref query.Ref) []string {
	text := ref.Name
	if ref.Dimension != "" {
		text = ref.Dimension + "." + text
	}
	return strings.Split(text, hierarchySign)
}

// asAsked writes a ref as it was asked.
func asAsked(ref query.Ref) string {
	if asked := splitAtHierarchy(ref); len(asked) == 3 {
		return asked[0] + hierarchySign + asked[1] + ":" + asked[2]
	}
	return ref.String()
}

// ofHierarchy finds what a ref with a hierarchy names, which has to be on the way down through that.
func (n *Names) ofHierarchy(ref query.Ref) (resolved, bool) {
	asked := splitAtHierarchy(ref)
	if len(asked) < 2 || len(asked) > 3 {
		return resolved{}, false
	}
	h, known := n.hierarchy(strings.TrimSpace(asked[1]))
	found, named := n.named(refOf(asked[0]))
	whole := n.dimensionCalled(strings.TrimSpace(asked[0])) == h.dimension.Name
	if named && len(asked) == 3 {
		found, named = n.below(found, whole, refOf(asked[2]))
		whole = false
	}
	if !known || !named || !whole && !h.has(found.fields[0]) {
		return resolved{}, false
	}
	found.prefix = ""
	return found, true
}

// below finds the level behind a hierarchy: any of a whole dimension, and of a level itself.
func (n *Names) below(above resolved, whole bool, ref query.Ref) (resolved, bool) {
	found, named := n.named(ref)
	if !named || whole {
		return found, named
	}
	upper, isLevel := n.model.Level(above.fields[0])
	level, _ := n.model.Level(found.fields[0])
	return found, isLevel && upper.Ref == level.Ref
}

// hierarchy finds a hierarchy by its id, or the first of a dimension by that.
func (n *Names) hierarchy(name string) (hierarchy, bool) {
	i := slices.IndexFunc(n.hierarchies, func(h hierarchy) bool { return h.id == name })
	if i < 0 {
		i = slices.IndexFunc(n.hierarchies, func(h hierarchy) bool { return h.first && h.dimension.Name == name })
	}
	if i < 0 {
		return hierarchy{}, false
	}
	return n.hierarchies[i], true
}

// has reports whether a field is the key or the label of a level on the way down.
func (h hierarchy) has(field string) bool {
	return slices.ContainsFunc(h.chain, func(l cube.Level) bool { return l.Ref == field || l.LabelRef == field })
}

// inHierarchies lists the refs of levels with the hierarchies that lead through them.
func (n *Names) inHierarchies() []string {
	var list []string
	for _, h := range n.hierarchies {
		list = append(list, each.Text(h.chain, func(l cube.Level) string { return n.ids[l.Ref] + hierarchySign + h.id })...)
	}
	return list
}

// What a ref can be expected to name.
const (
	anAttribute = "dimension or attribute"
	anAggregate = "aggregate"
	aField      = "attribute or measure"
)

// refuse says that nothing has the name of a ref.
func (n *Names) refuse(ref query.Ref, what string) error {
	err := cube.Errorf(cube.CodeUnknownRef, "no %s %q", what, asAsked(ref))
	err.Position = &ref.At
	allowed := n.attributes()
	switch {
	case what == anAggregate:
		allowed = n.aggregateNames()
	case len(splitAtHierarchy(ref)) > 1:
		allowed = n.inHierarchies()
	case what == aField:
		allowed = append(allowed, n.measures()...)
	}
	err.Hint = hint(asAsked(ref), allowed)
	return &reply.Refused{Mistake: err, Allowed: allowed}
}

// maxHinted is how many names a hint lists.
const maxHinted = 3

// hint gives the name that was probably meant, else a few of those there are.
func hint(asked string, allowed []string) string {
	if near := suggest.Nearest(asked, allowed); near != "" {
		return "did you mean " + near + "?"
	}
	few := strings.Join(allowed[:min(len(allowed), maxHinted)], ", ")
	switch more := len(allowed) - maxHinted; {
	case few == "":
		return ""
	case more > 0:
		return "name one of them: " + few + " and " + strconv.Itoa(more) + " more"
	}
	return "name one of them: " + few
}

// attributes lists the refs that can be drilled and cut.
func (n *Names) attributes() []string {
	return slices.Concat(each.Of(n.model.Levels(), func(l cube.Level) []string { return each.Text(attributesOf(l), n.Field) })...)
}

// measures lists the ids of the measures.
func (n *Names) measures() []string {
	return each.Text(n.model.Measures(), func(m cube.Measure) string { return n.ids[m.Ref] })
}

// aggregateNames lists what an answer has where nothing else is asked.
func (n *Names) aggregateNames() []string {
	return append([]string{string(cube.Rows)}, each.Text(n.measures(), sumOf)...)
}

func sumOf(measure string) string { return measure + "." + string(cube.Sum) }
