package cube

import (
	"slices"
	"strings"
)

// text prints the canonical question.
func (b *binder) text() string {
	b.plan.question = b.clauses()
	return clausesText(b.plan.question)
}

// clauses prints what is asked, by the names of the clauses.
func (b *binder) clauses() [][2]string {
	var list [][2]string
	add := func(name, separator string, items []string) {
		if len(items) > 0 {
			list = append(list, [2]string{name, strings.Join(items, separator)})
		}
	}
	add("drilldown", "|", texts(b.drilledText(), func(l Level) string { return quoteName(l.Ref) }))
	add("cut", "|", texts(b.plan.filtersBy(false), filterText))
	add(defaultClause, "|", texts(b.plan.filtersBy(true), filterText))
	add("aggregates", "|", b.plan.aggregatesAsked())
	add("having", "|", texts(b.plan.conditions(), Having.String))
	add(shownClause, "|", texts(b.plan.shown, Having.String))
	add("order", ",", texts(b.plan.order, b.sortText))
	if b.plan.all {
		add("snapshots", "", []string{string(AllSnapshots)})
	}
	list = append(list, b.plan.finish.clauses()...)
	return append(list, pageClauses(b.plan.page)...)
}

// defaultClause tells the default filters. Routes pass over it.
const defaultClause = "_default"

// shownClause tells what the nodes of a tree meet, which is no question of cells.
const shownClause = "_shown"

// Question gives the canonical question by clauses, each a name and a text, without the default filters: asked
// again of the same version it brings them about again.
func (p *Plan) Question() [][2]string {
	return slices.DeleteFunc(slices.Clone(p.question), func(c [2]string) bool { return c[0] == defaultClause })
}

// drilledText lists the levels to print: those that make a step where steps matter, else the fewest.
func (b *binder) drilledText() []Level {
	if f := b.plan.finish; f == nil || !f.rollup && f.top == 0 && f.parents == nil {
		return b.fewest()
	}
	var levels []Level
	for _, level := range b.drilled {
		if len(pathsOf(append(levels, level))) > len(pathsOf(levels)) {
			levels = append(levels, level)
		}
	}
	return levels
}

// aggregatesAsked names the aggregates without what a comparison adds.
func (p *Plan) aggregatesAsked() []string {
	var names []string
	for _, a := range p.aggregates {
		if a.Role == "" {
			names = append(names, a.Name)
		}
	}
	return names
}

// clauses prints what is asked of the finish; of none it is nothing.
func (f *finish) clauses() [][2]string {
	if f == nil {
		return nil
	}
	q := Query{Rollup: f.rollup, Top: f.top, Remainder: f.remainder, Fill: f.fill}
	if c := f.compare; c != nil {
		q.Compare = &Compare{Ref: Ref{Name: c.ref}, Offset: c.offset}
	}
	return q.clauses()
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
func (s Sort) Direction() string { return direction(s.Desc) }

func direction(desc bool) string {
	if desc {
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
	case tests[0].Members != nil:
		return tests[0].Members.texts()
	case tests[0].isRange():
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
