package cube

import "slices"

// moved is the same filter further along the axis. It has no text: nothing may be left that it asks for.
func (f Filter) moved(axis Column, offset int64) Filter {
	moved := Filter{Ref: f.Ref, Not: f.Not}
	for _, tests := range f.Any {
		tests = slices.Clone(tests)
		for i, t := range tests {
			if t.Column.Name == axis.Name {
				tests[i] = t.moved(offset)
			}
		}
		moved.Any = append(moved.Any, tests)
	}
	return moved
}

// moved is the same test further along its axis. What would be too great a number is not there, and a bound that
// would be stays. The missing value stands at no place.
func (t Test) moved(offset int64) Test {
	m := t
	m.In = nil
	for _, v := range t.In {
		if place, ok := v.shifted(offset); ok || v.IsMissing() {
			m.In = append(m.In, place)
		}
	}
	if len(t.In) > 0 && len(m.In) == 0 {
		m.From, m.To = Integer(1), Integer(0) // nothing is between
		return m
	}
	if from, ok := t.From.shifted(offset); ok {
		m.From = from
	}
	if to, ok := t.To.shifted(offset); ok {
		m.To = to
	}
	return m
}

// shifted adds to a whole number; false, and missing, where there is none or it would be too great.
func (v Value) shifted(n int64) (Value, bool) {
	whole, ok := v.Int()
	if sum := whole + n; ok && (sum > whole) == (n > 0) {
		return Integer(sum), true
	}
	return Missing, false
}
