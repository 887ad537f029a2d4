package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// String is the canonical question: a query in which every default is written out. Two plans of one cube with equal
// strings have equal answers. Default filters have a clause of their own, _default. Routes ignore it, as all names that
// begin with _, since the other clauses lead to the same default filters again.
func (p *Plan) String() string { return p.text }

// clauses prints the question as pairs of a clause name and a text.
func (b *binder) clauses() [][2]string {
	var list [][2]string
	add := func(name, separator string, items []string) {
		if len(items) > 0 {
			list = append(list, [2]string{name, strings.Join(items, separator)})
		}
	}
	add("drilldown", "|", each.Text(b.drilledText(), func(l cube.Level) string { return query.QuoteName(l.Ref) }))
	add(flatClause, "|", b.fieldsText())
	list = append(list, cutClauses(b.AllFilters())...)
	asked := slices.DeleteFunc(slices.Clone(b.aggregates), func(a Aggregate) bool { return a.Role != "" }) // the comparison adds the others
	add("aggregates", "|", each.Text(asked, func(a Aggregate) string { return a.Name }))
	add("having", "|", each.Text(b.Having(), Having.String))
	add(nodeHavingClause, "|", each.Text(b.nodeHaving, Having.String))
	add("order", ",", each.Text(b.order, func(s Sort) string { return b.SortName(s) + ":" + s.Direction() }))
	list = append(list, b.snapshotClauses()...)
	list = append(list, b.passClauses()...)
	return append(list, query.PageClauses(b.page)...)
}

// cutClauses prints filters: those of the question, and those that Bind added.
func cutClauses(filters []Filter) [][2]string {
	var list [][2]string
	for _, name := range []string{"cut", defaultClause} {
		named := slices.DeleteFunc(slices.Clone(filters), func(f Filter) bool { return f.Default != (name == defaultClause) })
		if len(named) > 0 {
			list = append(list, [2]string{name, strings.Join(each.Text(named, Filter.String), "|")})
		}
	}
	return list
}

// snapshotClauses prints the choice of all snapshots.
func (g *Grouping) snapshotClauses() [][2]string {
	if !g.countsAll {
		return nil
	}
	return [][2]string{{"snapshots", string(query.AllSnapshots)}}
}

// defaultClause has the default filters.
const defaultClause = "_default"

// nodeHavingClause has the conditions on the nodes of a tree, which are no conditions on cells.
const nodeHavingClause = "_shown"

// flatClause has the fields of a flat drilldown, for which the clause drilldown has their levels.
const flatClause = "_flat"

// Question gives the canonical question as pairs of a clause name and a text. It leaves the default filters out, since the
// other clauses lead to them again, and groups by the paths of the levels, as every route can.
func (p *Plan) Question() [][2]string {
	return slices.DeleteFunc(slices.Clone(p.question), func(c [2]string) bool { return c[0] == defaultClause || c[0] == flatClause })
}

// drilledText lists the levels to print: those that add keys where steps matter, else the fewest that give the keys.
func (b *binder) drilledText() []cube.Level {
	if p := b.Plan; !p.rollup && p.top == nil && p.parentKeys == nil {
		return b.fewest()
	}
	var levels []cube.Level
	for _, level := range b.drilled {
		if len(pathsOf(append(levels, level))) > len(pathsOf(levels)) {
			levels = append(levels, level)
		}
	}
	return levels
}

// passClauses prints the clauses that the passes of package answer carry out.
func (p *Plan) passClauses() [][2]string {
	q := query.Query{Rollup: p.rollup}
	if p.top != nil {
		q.Top, q.Remainder = p.top.Count, p.top.Remainder
	}
	if p.fill != nil {
		q.Fill = p.fill.With
	}
	if c := p.comparison; c != nil {
		q.Compare = &query.Compare{Ref: query.Ref{Name: c.Axis.Name}, Offset: c.Offset}
	}
	return q.Clauses()
}

// fewest lists the fewest of the drilled levels that give the same keys in the same order.
func (b *binder) fewest() []cube.Level {
	keys, levels := pathsOf(b.drilled), slices.Clone(b.drilled)
	for i := len(levels) - 1; i >= 0; i-- {
		if fewer := slices.Delete(slices.Clone(levels), i, i+1); slices.Equal(pathsOf(fewer), keys) {
			levels = fewer
		}
	}
	return levels
}

// SortName gives the name of the column that s sorts by.
func (p *Plan) SortName(s Sort) string {
	switch s.By {
	case ByLabel:
		return query.QuoteName(p.levels[s.Index].LabelRef)
	case ByAggregate:
		name := p.aggregates[s.Index].Name
		if s.Size {
			name = strings.TrimSuffix(name, string(query.RoleDifference)) + string(query.RoleSize)
		}
		return name
	}
	return query.QuoteName(p.keys[s.Index].Name)
}

// canonical prints the filter with its items sorted.
func (f Filter) canonical() string {
	var items []string
	for _, tests := range f.Any {
		switch first := tests[0]; {
		case first.Members != nil:
			items = append(items, first.Members.texts()...)
		case first.isRange():
			items = append(items, query.ValueText(first.From, "")+".."+query.ValueText(first.To, ""))
		case len(tests) == 1:
			items = append(items, each.Text(first.In, func(v cube.Value) string { return query.ValueText(v, `""`) })...)
		default:
			items = append(items, query.KeysText(columnsOf(tests), keysOf(tests)))
		}
	}
	slices.Sort(items)
	text := query.QuoteName(f.Ref) + ":" + strings.Join(slices.Compact(items), ";")
	if f.Not {
		return "!" + text
	}
	return text
}

// columnsOf gives the columns of a path from its tests.
func columnsOf(tests []Test) []cube.Column {
	return each.Of(tests, func(t Test) cube.Column { return t.Column })
}

// keysOf gives the keys of a path from its tests, of which each has one key.
func keysOf(tests []Test) []cube.Value {
	return each.Of(tests, func(t Test) cube.Value { return t.In[0] })
}
