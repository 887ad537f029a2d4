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
			} else if !holds(t, value) {
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
// its bounds are.
func holds(t cube.Test, v cube.Value) bool {
	switch {
	case len(t.In) > 0:
		return slices.Contains(t.In, v)
	case v.IsMissing():
		return false
	}
	for _, bound := range []cube.Value{t.From, t.To} {
		if !bound.IsMissing() && t.Column.Type == cube.TypeText && length(bound) != length(v) {
			return false
		}
	}
	return (t.From.IsMissing() || compareValues(t.From, v) <= 0) && (t.To.IsMissing() || compareValues(v, t.To) <= 0)
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
