package sqlgen

import (
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

// orderBy writes the complete order over the columns of from, which is g or p.
func (r *renderer) orderBy(s *plan.Statement, from string) {
	keys := each.Text(s.Order(), func(o plan.Sort) string { return r.sortKey(s, o, from) })
	if len(keys) > 0 {
		r.write(" ORDER BY ", strings.Join(keys, ", "))
	}
}

func (r *renderer) sortKey(s *plan.Statement, o plan.Sort, from string) string {
	switch o.By {
	case plan.ByLabel:
		return numbered("m", o.Index) + "._rank" + direction(o.Desc) + " NULLS LAST"
	case plan.ByAggregate:
		a := s.Aggregate(o)
		return r.amount(s, a, from+".") + amountDirection(o, a)
	}
	return r.columnOrder(s.Cube(), s.Keys()[o.Index], from+numbered(".k", o.Index), o.Desc, s.Flat())
}

func direction(desc bool) string {
	if desc {
		return " DESC"
	}
	return ""
}

// columnOrder writes the order by a column, which has a name in the query: amounts by size, keys in their order or, by bytes,
// without regard to a declared order and to lengths. The keys of cells, facts and members all have this order.
func (r *renderer) columnOrder(c *cube.Cube, column cube.Column, name string, desc, byBytes bool) string {
	switch {
	case column.Type == cube.TypeDecimal:
		return name + direction(desc) + " NULLS LAST"
	case byBytes:
		return bytesOrder(column.Type, name, direction(desc))
	}
	return r.keyOrder(sortOrder(c, column.Name), column.Type, name, direction(desc))
}

// bytesOrder writes the order of keys without a declared order and without lengths: whole numbers by size, text by bytes,
// missing last.
func bytesOrder(kind cube.ColumnType, key, direction string) string {
	if kind == cube.TypeInteger {
		return key + direction + " NULLS LAST"
	}
	return key + " = '', " + key + direction
}

// sortOrder gives the declared order of the snapshots that a field names, without the missing value, which is always last.
func sortOrder(c *cube.Cube, field string) []cube.Value {
	return slices.DeleteFunc(slices.Clone(c.Model.SnapshotOrder(field)), cube.Value.IsMissing)
}

// keyOrder writes the order of keys: snapshots in their declared order, whole numbers by size, text by length and then bytes,
// missing last.
func (r *renderer) keyOrder(declared []cube.Value, kind cube.ColumnType, key, direction string) string {
	byIndex := ""
	if len(declared) > 0 {
		byIndex = r.orderIndex(declared, key) + direction + " NULLS LAST, "
	}
	if kind == cube.TypeInteger {
		return byIndex + key + direction + " NULLS LAST"
	}
	return byIndex + key + " = '', length(" + key + ")" + direction + ", " + key + direction
}

// orderIndex writes the index of a key in a declared order, NULL if it has none.
func (r *renderer) orderIndex(order []cube.Value, key string) string {
	return "CASE " + key + list(len(order), "", func(i int) string {
		return " WHEN " + r.bindValue(order[i]) + " THEN " + strconv.Itoa(i)
	}) + " END"
}

// amount writes the value that an aggregate sorts by.
func (r *renderer) amount(s *plan.Statement, a plan.Aggregate, from string) string {
	if a.IsPart() {
		return from + numbered("a", a.Parts[0])
	}
	return r.formula(from).text(a)
}

// amountDirection writes the direction of an aggregate. A negative factor reverses the direction of its part.
func amountDirection(s plan.Sort, a plan.Aggregate) string {
	if s.Desc != (a.IsPart() && a.Reversed()) {
		return " DESC NULLS LAST"
	}
	return " NULLS LAST"
}

// sortJoins joins the members whose ranks the order needs.
func (r *renderer) sortJoins(s *plan.Statement, from string) {
	for _, i := range ranked(s) {
		r.memberJoin(s, i, from)
	}
}

// labelJoins joins the members whose labels the answer shows.
func (r *renderer) labelJoins(s *plan.Statement, from string) {
	for _, i := range labelled(s) {
		r.memberJoin(s, i, from)
	}
}

// memberJoin joins the member that the keys of a cell name, with its label and rank, or the label of a cell of a flat
// statement. Missing numbers are NULL, so they need a comparison that holds for NULLs. All other keys are compared with =, for
// which a store can hash.
func (r *renderer) memberJoin(s *plan.Statement, level int, from string) {
	l, m := s.Levels()[level], numbered("m", level)
	path := l.Path
	if s.Flat() {
		path = each.Text(s.Keys(), func(c cube.Column) string { return c.Name })
	}
	on := list(len(path), " AND ", func(i int) string {
		k := slices.IndexFunc(s.Keys(), func(c cube.Column) bool { return c.Name == path[i] })
		equal := " = "
		if c := s.Keys()[k]; c.Type == cube.TypeInteger && c.Missing > 0 {
			equal = " IS NOT DISTINCT FROM "
		}
		return m + numbered(".p", i) + equal + from + numbered(".k", k)
	})
	r.write("\nLEFT JOIN ")
	if s.Flat() {
		r.cellLabels(s, l)
	} else {
		r.members(s.Cube(), s.Filters(), l)
	}
	r.write(" AS ", m, " ON ", on)
}
