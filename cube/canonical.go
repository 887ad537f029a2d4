package cube

import (
	"slices"
	"strconv"
	"strings"
)

// text prints the canonical question.
func (b *binder) text() string {
	var clauses []string
	add := func(name, separator string, items []string) {
		if len(items) > 0 {
			clauses = append(clauses, name+"="+strings.Join(items, separator))
		}
	}
	add("drilldown", "|", texts(b.fewest(), func(l Level) string { return quoteName(l.Ref) }))
	add("cut", "|", texts(b.plan.filtersBy(false), filterText))
	add("_default", "|", texts(b.plan.filtersBy(true), filterText))
	add("aggregates", "|", texts(b.plan.aggregates, func(a Aggregate) string { return a.Name }))
	add("order", ",", texts(b.plan.order, b.sortText))
	if b.plan.all {
		add("snapshots", "", []string{string(AllSnapshots)})
	}
	add("page", "", []string{strconv.Itoa(b.plan.page.Number)})
	add("pagesize", "", []string{strconv.Itoa(b.plan.page.Size)})
	return strings.Join(clauses, "&")
}

// fewest lists the fewest of the drilled levels that give the same keys in the same order.
func (b *binder) fewest() []Level {
	keys, levels := pathsOf(b.drilled), slices.Clone(b.drilled)
	for i := len(levels) - 1; i >= 0; i-- {
		if fewer := slices.Delete(slices.Clone(levels), i, i+1); slices.Equal(pathsOf(fewer), keys) {
			levels = fewer
		}
	}
	return levels
}

func filterText(f Filter) string { return f.text }

// filtersBy gives the filters that were asked for, or those that were not.
func (p *Plan) filtersBy(byDefault bool) []Filter {
	return slices.DeleteFunc(p.AllFilters(), func(f Filter) bool { return f.Default != byDefault })
}

func texts[T any](items []T, text func(T) string) []string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = text(item)
	}
	return out
}

func (b *binder) sortText(s Sort) string { return b.plan.SortName(s) + ":" + s.Direction() }

// SortName gives the name of the column that a sort goes by.
func (p *Plan) SortName(s Sort) string {
	switch s.By {
	case ByLabel:
		return quoteName(p.levels[s.Index].LabelRef)
	case ByAggregate:
		return p.aggregates[s.Index].Name
	}
	return quoteName(p.keys[s.Index].Name)
}

// Direction is asc or desc.
func (s Sort) Direction() string {
	if s.Desc {
		return "desc"
	}
	return "asc"
}

// canonical prints the filter with its items sorted.
func (f Filter) canonical() string {
	var items []string
	for _, alternative := range f.Any {
		items = append(items, alternativeTexts(alternative)...)
	}
	slices.Sort(items)
	text := quoteName(f.Ref) + ":" + strings.Join(slices.Compact(items), ";")
	if f.Not {
		return "!" + text
	}
	return text
}

func alternativeTexts(tests []Test) []string {
	switch {
	case len(tests) == 1 && len(tests[0].In) == 0:
		return []string{valueText(tests[0].From, "") + ".." + valueText(tests[0].To, "")}
	case len(tests) == 1:
		return texts(tests[0].In, func(v Value) string { return valueText(v, `""`) })
	}
	keys := make([]Value, len(tests))
	for i, t := range tests {
		keys[i] = t.In[0]
	}
	return []string{pathText(keys)}
}

func pathText(keys []Value) string {
	return strings.Join(texts(keys, func(v Value) string { return valueText(v, `""`) }), "/")
}

func valueText(v Value, missing string) string {
	if v.IsMissing() {
		return missing
	}
	if _, ok := v.Int(); ok {
		return v.String()
	}
	return quoteText(v.String())
}
