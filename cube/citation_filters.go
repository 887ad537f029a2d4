package cube

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// conditions says what besides the cuts the numbers depend on: which cells are left out, and that money is counted
// several times.
func (c citing) conditions() []string {
	var list []string
	if len(c.plan.having) > 0 {
		cells := texts(c.plan.steps, func(s Step) string { return c.field(s.Ref) })
		having := c.words.and.last(texts(c.plan.having, c.condition))
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

// coveredYears says which years the numbers cover. It is empty where the cuts say that themselves.
func (c citing) coveredYears() string {
	column, _ := c.plan.cube.Model.FiscalYear()
	naming := slices.DeleteFunc(c.plan.AllFilters(), func(f Filter) bool { return !f.names(column.Name) })
	alone := func(f Filter) bool { return !f.Default && f.settledBy([]Column{column}) }
	years := c.plan.years()
	if len(years) == 0 || len(naming) > 0 && !slices.ContainsFunc(naming, leavesOpen) ||
		slices.ContainsFunc(naming, func(f Filter) bool { return !alone(f) }) {
		return ""
	}
	spans := yearSpans(c.counted(years), c.words.to)
	if column.Missing > 0 && c.plan.admits(column, Missing) {
		spans = append(spans, c.words.missing)
	}
	return c.field(column.Name) + " " + c.words.and.last(spans)
}

// leavesOpen tells whether a cut does not say by itself what it admits: all but some, or a range, which may be without
// an end or reach beyond what there is.
func leavesOpen(f Filter) bool {
	return f.Not || slices.ContainsFunc(f.Echo, func(item EchoItem) bool { return item.Op == OpRange })
}

// counted leaves out the years in which no measure that is asked has an amount.
func (c citing) counted(years []int64) []int64 {
	some := slices.DeleteFunc(slices.Clone(years), func(year int64) bool {
		return !slices.ContainsFunc(c.asked.aggregates, func(a Aggregate) bool { return c.has(a, year) })
	})
	if len(some) == 0 {
		return years
	}
	return some
}

// has tells whether there are amounts, or rows, of an aggregate in a year.
func (c citing) has(a Aggregate, year int64) bool {
	return slices.ContainsFunc(a.leaves(), func(leaf Aggregate) bool {
		return leaf.Func == Rows || len(c.plan.cube.Coverage.gap(leaf.Measure, []int64{year})) == 0
	})
}

// yearSpans writes years, those in a row as a range.
func yearSpans(years []int64, format string) []string {
	var spans []string
	for len(years) > 0 {
		n := 1
		for n < len(years) && years[n] == years[n-1]+1 {
			n++
		}
		span := strconv.FormatInt(years[0], 10)
		if n > 1 {
			span = fmt.Sprintf(format, span, strconv.FormatInt(years[n-1], 10))
		}
		spans, years = append(spans, span), years[n:]
	}
	return spans
}

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

func (c citing) item(item EchoItem, members []Cell) []string {
	values := make([]string, len(item.Values))
	for i, v := range item.Values {
		values[i] = c.member(v, members)
	}
	switch {
	case item.Op == OpRange:
		return []string{c.span(item.Values[0], item.Values[1])}
	case item.Op == OpMatch:
		return []string{fmt.Sprintf(c.words.contains, strings.Join(values, ""))}
	case item.Path:
		return []string{strings.Join(values, "/")}
	}
	return values
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

// member names a value by what it is called and itself: Hrvatski sabor (010). One that is called otherwise under
// different parents leads: 100 (Cámara Baja, Secretaría and 5 more).
func (c citing) member(v Value, members []Cell) string {
	if v.IsMissing() {
		return c.words.missing
	}
	labels := labelsAmong(members, v)
	switch len(labels) {
	case 0:
		return v.String()
	case 1:
		return labels[0] + " (" + v.String() + ")"
	}
	if more := len(labels) - mostLabels + 1; more > 1 {
		labels = append(labels[:mostLabels-1], fmt.Sprintf(c.words.more, more))
	}
	return v.String() + " (" + c.words.and.last(labels) + ")"
}

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
