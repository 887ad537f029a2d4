package storetest

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"fiscube/cube"
)

// passes tells whether a row is asked for.
func (o *oracle) passes(row []string, plan *cube.Plan) bool {
	return !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
		return o.judge(f, func(column cube.Column) (cube.Value, bool) { return o.value(row, column), true }) == no
	})
}

// asked gives the filters that were asked for. Those that Bind adds the oracle works out by itself.
func asked(plan *cube.Plan) []cube.Filter {
	return slices.DeleteFunc(slices.Clone(plan.Filters()), func(f cube.Filter) bool { return f.Default })
}

// judgement is what can be said of a row of which not all cells are known.
type judgement int

const (
	no judgement = iota
	maybe
	yes
)

// judge tells whether a row passes a filter. A cell that is not known may be anything.
func (o *oracle) judge(f cube.Filter, cell func(cube.Column) (cube.Value, bool)) judgement {
	passes := no
	for _, tests := range f.Any {
		all := yes
		for _, t := range tests {
			if t.Members != nil {
				all = min(all, o.judgeMember(t.Members, cell))
			} else if value, known := cell(t.Column); !known {
				all = min(all, maybe)
			} else if !o.holds(t, value) {
				all = no
			}
		}
		passes = max(passes, all)
	}
	if f.Not {
		return yes - passes
	}
	return passes
}

// holds tells whether a value is among those of a test, or in its range. In a range of text only keys as long as
// its bounds are; statements of which an order is declared are in a range by their places there.
func (o *oracle) holds(t cube.Test, v cube.Value) bool {
	switch {
	case len(t.In) > 0 && t.From.IsMissing() && t.To.IsMissing():
		return slices.Contains(t.In, v)
	case o.isOrdered(t.Column):
		return slices.Contains(o.model.Snapshots().Order, v.String()) && o.isBetween(t, v)
	case v.IsMissing():
		return false
	}
	for _, bound := range []cube.Value{t.From, t.To} {
		if !bound.IsMissing() && t.Column.Type == cube.TypeText && length(bound) != length(v) {
			return false
		}
	}
	return o.isBetween(t, v)
}

func (o *oracle) isBetween(t cube.Test, v cube.Value) bool {
	return (t.From.IsMissing() || o.compareBounds(t.Column, t.From, v) <= 0) &&
		(t.To.IsMissing() || o.compareBounds(t.Column, v, t.To) <= 0)
}

// compareBounds orders values of a column that are not missing as its ranges and its sorts do.
func (o *oracle) compareBounds(c cube.Column, a, b cube.Value) int {
	if !o.isOrdered(c) {
		return compareValues(a, b)
	}
	order := o.model.Snapshots().Order
	return cmp.Compare(slices.Index(order, a.String()), slices.Index(order, b.String()))
}

// isOrdered tells whether a column tells apart statements whose order is declared.
func (o *oracle) isOrdered(c cube.Column) bool {
	s := o.model.Snapshots()
	return s != nil && s.By == c.Name && len(s.Order) > 0
}

// compareValues orders keys that are not missing: whole numbers by size, text by length and then by bytes.
func compareValues(a, b cube.Value) int {
	n, isNumber := a.Int()
	m, _ := b.Int()
	if isNumber {
		return cmp.Compare(n, m)
	}
	return cmp.Or(cmp.Compare(length(a), length(b)), cmp.Compare(a.String(), b.String()))
}

func length(v cube.Value) int { return utf8.RuneCountInString(v.String()) }
