package cube

import (
	"fmt"
	"slices"
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
	add("drilldown", "|", texts(b.plan.keys, func(k Column) string { return quoteName(k.Name) }))
	add("cut", "|", texts(b.plan.filters, func(f Filter) string { return f.text }))
	add("aggregates", "|", texts(b.plan.aggregates, func(a Aggregate) string { return a.Name }))
	add("order", ",", texts(b.plan.order, b.sortText))
	add("page", "", []string{fmt.Sprint(b.plan.page.Number)})
	add("pagesize", "", []string{fmt.Sprint(b.plan.page.Size)})
	return strings.Join(clauses, "&")
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
	keys := texts(tests, func(t Test) string { return valueText(t.In[0], `""`) })
	return []string{strings.Join(keys, "/")}
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
