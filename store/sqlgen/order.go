package sqlgen

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
)

// orderBy writes the complete order over the columns of from, which is g or p.
func (r *renderer) orderBy(p *cube.Plan, from string) {
	var keys []string
	for _, s := range p.Order() {
		keys = append(keys, r.sortKeys(p, s, from)...)
	}
	if len(keys) > 0 {
		r.write(" ORDER BY ", strings.Join(keys, ", "))
	}
}

func (r *renderer) sortKeys(p *cube.Plan, s cube.Sort, from string) []string {
	direction := ""
	if s.Desc {
		direction = " DESC"
	}
	last := direction + " NULLS LAST"
	switch s.By {
	case cube.ByLabel:
		return []string{numbered("m", s.Index) + "._rank" + last}
	case cube.ByAggregate:
		a := p.Aggregates()[s.Index]
		if p.NullInAll(a) {
			return nil
		}
		return []string{r.amount(p, a, from) + amountDirection(s, a)}
	}
	column := p.Keys()[s.Index]
	return []string{r.keyOrder(sortOrder(p.Cube(), column.Name), column.Type, from+numbered(".k", s.Index), direction)}
}

// sortOrder gives the order declared for the statements that a field tells apart. The missing one is last in every order.
func sortOrder(c *cube.Cube, field string) []cube.Value {
	return slices.DeleteFunc(slices.Clone(c.Model.StatedOrder(field)), cube.Value.IsMissing)
}

// keyOrder writes the order of keys: statements as declared, whole numbers by size, text by length and then bytes,
// missing last.
func (r *renderer) keyOrder(stated []cube.Value, kind cube.ColumnType, key, direction string) string {
	places := ""
	if len(stated) > 0 {
		places = r.place(stated, key) + direction + " NULLS LAST, "
	}
	if kind == cube.TypeInteger {
		return places + key + direction + " NULLS LAST"
	}
	return places + key + " = '', length(" + key + ")" + direction + ", " + key + direction
}

// place writes the place of a key in a declared order, NULL if it has none.
func (r *renderer) place(order []cube.Value, key string) string {
	return "CASE " + key + list(len(order), "", func(i int) string {
		return " WHEN " + r.bindValue(order[i]) + " THEN " + strconv.Itoa(i)
	}) + " END"
}

// amount is what an aggregate sorts by.
func (r *renderer) amount(p *cube.Plan, a cube.Aggregate, from string) string {
	if isPart(a) {
		return from + numbered(".a", p.PartOf(a))
	}
	return r.formula(p, from).text(a)
}

// isPart tells whether an aggregate sorts as its part does, or the other way round.
func isPart(a cube.Aggregate) bool { return len(a.Args) == 0 && a.Func != cube.Avg }

// amountDirection sorts parts so that values come in the order asked: a negative factor turns them round.
func amountDirection(s cube.Sort, a cube.Aggregate) string {
	if s.Desc != (isPart(a) && a.Reversed()) {
		return " DESC NULLS LAST"
	}
	return " NULLS LAST"
}

// sortJoins joins the members whose ranks the order needs.
func (r *renderer) sortJoins(p *cube.Plan, from string) {
	for _, i := range Ranked(p) {
		r.memberJoin(p, i, from)
	}
}

// labelJoins joins the members whose labels the answer shows.
func (r *renderer) labelJoins(p *cube.Plan, from string) {
	for _, i := range Labelled(p) {
		r.memberJoin(p, i, from)
	}
}

// memberJoin attaches the member that a cell's keys name, with its label and rank. Missing numbers are NULL
// and need a comparison that holds between NULLs; elsewhere = lets the store hash.
func (r *renderer) memberJoin(p *cube.Plan, level int, from string) {
	l, m := p.Levels()[level], numbered("m", level)
	on := list(len(l.Path), " AND ", func(i int) string {
		k := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == l.Path[i] })
		equal := " = "
		if c := p.Keys()[k]; c.Type == cube.TypeInteger && c.Missing > 0 {
			equal = " IS NOT DISTINCT FROM "
		}
		return m + numbered(".p", i) + equal + from + numbered(".k", k)
	})
	r.write("\nLEFT JOIN ")
	r.members(p, l)
	r.write(" AS ", m, " ON ", on)
}
