package sqlgen

import (
	"slices"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// where writes the filters.
func (r *renderer) where(filters []plan.Filter) {
	if len(filters) > 0 {
		r.write(" WHERE ", r.allFilters(filters))
	}
}

// allFilters writes the condition that a row passes all filters. Not becomes IS NOT TRUE, so that NULL counts as not selected
// and the complement is exact.
func (r *renderer) allFilters(filters []plan.Filter) string {
	return list(len(filters), " AND ", func(i int) string {
		passes := "(" + r.anyOf(filters[i].Any) + ")"
		if filters[i].Not {
			passes += " IS NOT TRUE"
		}
		return passes
	})
}

func (r *renderer) anyOf(alternatives [][]plan.Test) string {
	return list(len(alternatives), " OR ", func(i int) string { return r.allOf(alternatives[i]) })
}

func (r *renderer) allOf(tests []plan.Test) string {
	if len(tests) == 1 {
		return r.test(tests[0])
	}
	return "(" + list(len(tests), " AND ", func(i int) string { return r.test(tests[i]) }) + ")"
}

func (r *renderer) test(t plan.Test) string {
	column := "f." + column(t.Column.Name)
	switch {
	case t.Members != nil:
		return r.isMember(column, t)
	case len(t.In) == 0:
		return r.between(column, t)
	}
	if t.Column.Type == cube.TypeInteger && slices.ContainsFunc(t.In, cube.Value.IsMissing) {
		return r.inOrNull(column, t.In)
	}
	return column + r.in(t.In)
}

func (r *renderer) in(values []cube.Value) string {
	if len(values) == 1 {
		return " = " + r.bindValue(values[0])
	}
	return " IN (" + list(len(values), ", ", func(i int) string { return r.bindValue(values[i]) }) + ")"
}

// inOrNull also selects missing numbers, which are NULL. Missing text is the empty string, for which IN is enough.
func (r *renderer) inOrNull(column string, values []cube.Value) string {
	present := slices.DeleteFunc(slices.Clone(values), cube.Value.IsMissing)
	if len(present) == 0 {
		return column + " IS NULL"
	}
	return "(" + column + r.in(present) + " OR " + column + " IS NULL)"
}

// between writes a range. Text keys of the same length compare by bytes, since the columns have no collation.
func (r *renderer) between(column string, t plan.Test) string {
	var tests []string
	if t.Column.Type == cube.TypeText {
		bound := t.From
		if bound.IsMissing() {
			bound = t.To
		}
		tests = append(tests, "length("+column+") = "+r.bind(int64(utf8.RuneCountInString(bound.String()))))
	}
	if !t.From.IsMissing() {
		tests = append(tests, column+" >= "+r.bindValue(t.From))
	}
	if !t.To.IsMissing() {
		tests = append(tests, column+" <= "+r.bindValue(t.To))
	}
	return "(" + list(len(tests), " AND ", func(i int) string { return tests[i] }) + ")"
}
