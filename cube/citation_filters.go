package cube

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// conditions says what besides the cuts the numbers depend on: which cells are left out, and that money is counted
// several times.
func (c citing) conditions() []string {
	var list []string
	if conditions := c.plan.conditions(); len(conditions) > 0 {
		cells := texts(c.plan.steps, func(s Step) string { return c.field(s.Ref) })
		having := c.words.and.last(texts(conditions, c.condition))
		list = append(list, fmt.Sprintf(c.words.having, cmp.Or(strings.Join(cells, ", "), c.words.rows), having))
	}
	if c.plan.all {
		list = append(list, c.words.statements)
	}
	return list
}

// condition says what cells are to be like: Approved ≥ 1,000 HRK.
func (c citing) condition(h Having) string {
	sign := cmp.Or(signs[h.Op], string(h.Op))
	return c.name(h.aggregate) + " " + sign + " " + c.number(h.Number.String(), h.aggregate)
}

// signs are those of comparisons that are printed otherwise than they are written.
var signs = map[Comparison]string{LessOrEqual: "≤", GreaterOrEqual: "≥", Unequal: "≠"}

// filter says what a filter admits. Its members are named by the labels of the cells, where those are given.
func (c citing) filter(f Filter, members []Cell) string {
	var items []string
	for _, item := range f.Echo {
		items = append(items, c.item(item, members)...)
	}
	text := c.subject(f) + " " + c.words.or.between(items)
	switch {
	case f.Default:
		return fmt.Sprintf(c.words.last, text)
	case f.Not:
		return fmt.Sprintf(c.words.not, text)
	}
	return text
}

// subject names what a filter is about. A filter of the last statement of each period is about the fields of both.
func (c citing) subject(f Filter) string {
	if s := c.plan.cube.Model.statements; f.Default && f.Ref != s.by().Name {
		return strings.Join(texts(s.columns, func(column Column) string { return c.field(column.Name) }), "/")
	}
	return c.field(f.Ref)
}

// field names a level or a dimension by its title.
func (c citing) field(ref string) string {
	if level, ok := c.plan.cube.Model.Level(ref); ok {
		return cmp.Or(level.Titles.In(c.language), level.Ref)
	}
	if dimension, ok := c.plan.cube.Model.Dimension(ref); ok {
		return cmp.Or(dimension.Titles.In(c.language), dimension.Name)
	}
	return ref
}

// labelled gives the level whose labels say which members a filter admits: of a path its last one.
func (c citing) labelled(f Filter) (Level, bool) {
	if len(f.Any) != 1 || f.Default && len(f.Any[0]) > 1 { // periods with their statements are no path
		return Level{}, false
	}
	last := f.Any[0][len(f.Any[0])-1]
	level, ok := c.plan.cube.Model.LevelOfKey(last.Column.Name)
	return level, ok && level.HasLabels() && len(last.In) > 0 && len(last.In) <= maxCitedValues
}

func (c citing) item(item EchoItem, members []Cell) []string {
	switch {
	case item.Op == OpRange:
		return []string{c.span(item.Values[0], item.Values[1])}
	case item.Op == OpMatch:
		return []string{fmt.Sprintf(c.words.contains, item.Values[0])}
	case item.Path:
		return []string{c.member(item.Values, members)}
	}
	return texts(item.Values, func(v Value) string { return c.member([]Value{v}, members) })
}

func (c citing) span(from, to Value) string {
	switch {
	case to.IsMissing():
		return fmt.Sprintf(c.words.from, from)
	case from.IsMissing():
		return fmt.Sprintf(c.words.upTo, to)
	}
	return fmt.Sprintf(c.words.to, from, to)
}

// mostLabels is how many labels a sentence gives a value that stands for several members. Of more it gives one fewer,
// and the number of the others.
const mostLabels = 3

// member names a value, or a path of values, by what it is called and itself: Hrvatski sabor (010). One that is called
// otherwise under different parents leads: 100 (Cámara Baja, Secretaría and 5 more).
func (c citing) member(path []Value, members []Cell) string {
	keys := strings.Join(texts(path, c.key), "/")
	labels := labelsAmong(members, path[len(path)-1])
	switch len(labels) {
	case 0:
		return keys
	case 1:
		return labels[0] + " (" + keys + ")"
	}
	if more := len(labels) - mostLabels + 1; more > 1 {
		labels = append(labels[:mostLabels-1], fmt.Sprintf(c.words.more, more))
	}
	return keys + " (" + c.words.and.last(labels) + ")"
}

func (c citing) key(v Value) string { return cmp.Or(v.String(), c.words.missing) }

// labelsAmong lists what the members of a key are called, each once.
func labelsAmong(members []Cell, key Value) []string {
	var labels []string
	for _, m := range members {
		label := m.Labels[len(m.Labels)-1].String()
		known := slices.ContainsFunc(labels, func(l string) bool { return strings.EqualFold(l, label) })
		if m.Keys[len(m.Keys)-1] == key && label != "" && label != key.String() && !known {
			labels = append(labels, label)
		}
	}
	return labels
}
