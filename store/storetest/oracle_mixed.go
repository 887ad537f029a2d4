package storetest

import (
	"slices"

	"fiscube/cube"
)

// Of a formula that sets amounts side by side no value over several years is known where, of the years that the cuts
// admit, one has some of its amounts and not all.

// mixes tells whether a formula is of amounts of different years, in a row that adds years up.
func (o *oracle) mixes(q inquiry, ref cube.AggregateRef) bool {
	leaves := o.leaves(ref)
	column, ok := o.model.FiscalYear()
	if !ok || o.countsOnly(leaves) {
		return false
	}
	counted := o.yearsCounted(q)
	if slices.ContainsFunc(o.model.Measures(), func(m cube.Measure) bool { return m.Flow && o.isOf(ref, m.Ref) }) {
		counted = nil // it adds statements up
	}
	var years []cube.Value
	for year := range o.yearly() {
		if !year.IsMissing() && o.admitsYear(q.plan, column, year) && (counted == nil || counted[year]) {
			years = append(years, year)
		}
	}
	return o.tellsApart(leaves, years)
}

func (o *oracle) countsOnly(leaves []cube.AggregateRef) bool {
	return !slices.ContainsFunc(leaves, func(leaf cube.AggregateRef) bool {
		return leaf.Func != string(cube.Count) && leaf.Func != string(cube.Rows)
	})
}

// tellsApart tells whether one of several years has some amounts that a formula is of, and not all.
func (o *oracle) tellsApart(leaves []cube.AggregateRef, years []cube.Value) bool {
	return len(years) > 1 && slices.ContainsFunc(years, func(year cube.Value) bool {
		told := func(leaf cube.AggregateRef) bool { return leaf.Measure == "" || o.yearly()[year][leaf.Measure] }
		return slices.ContainsFunc(leaves, told) && slices.ContainsFunc(leaves, func(leaf cube.AggregateRef) bool { return !told(leaf) })
	})
}

// mixedBefore tells whether a formula, of a row that adds years up, is of amounts of different ones of the years that these
// are compared with.
func (r *rows) mixedBefore(ref cube.AggregateRef) bool {
	if r.compare == nil || !r.isYear(r.along()) {
		return r.mixes(r.inquiry, ref)
	}
	var years []cube.Value
	for year := range r.about {
		if there := shifted(year, r.compare.Offset); r.standBeside(r.inquiry, year, there) {
			years = append(years, there)
		}
	}
	leaves := r.leaves(ref)
	return !r.countsOnly(leaves) && r.tellsApart(leaves, years)
}

// yearsCounted gives the years that count in sums where years state the same money again: the last of each period. It
// is nil where all do.
func (o *oracle) yearsCounted(q inquiry) map[cube.Value]bool {
	s := o.model.Snapshots()
	if s == nil || !o.isYear(s.By) || q.every() {
		return nil
	}
	last, counted := o.lastStatements(q.plan, false), map[cube.Value]bool{}
	for _, row := range o.rows {
		if last.counts(row) {
			counted[o.cells(row, s.By)[0]] = true
		}
	}
	return counted
}

// admitsYear tells whether the cuts admit a year. Which years a text means is only known once it is looked up: it may be
// any.
func (o *oracle) admitsYear(plan *cube.Plan, column cube.Column, year cube.Value) bool {
	return !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
		alternatives := make([][]cube.Test, len(f.Any))
		for i, tests := range f.Any {
			alternatives[i] = slices.Clone(tests)
			for j, t := range tests {
				if t.Members != nil {
					alternatives[i][j] = cube.Test{} // of no column that is known
				}
			}
		}
		f.Any = alternatives
		return o.judge(f, func(c cube.Column) (cube.Value, bool) { return year, c.Name == column.Name }) == no
	})
}

// leaves lists what an aggregate is made of in the end.
func (o *oracle) leaves(ref cube.AggregateRef) []cube.AggregateRef {
	ref = o.spelled(ref)
	if len(ref.Args) == 0 {
		return []cube.AggregateRef{ref}
	}
	var leaves []cube.AggregateRef
	for _, arg := range ref.Args {
		leaves = append(leaves, o.leaves(arg)...)
	}
	return leaves
}

// spelled puts the formula of a derived measure in its place.
func (o *oracle) spelled(ref cube.AggregateRef) cube.AggregateRef {
	if ref.Measure == "" && len(ref.Args) == 0 && ref.Func != string(cube.Rows) {
		return o.formulaOf(ref.Func)
	}
	return ref
}

// contains tells whether a formula of a function is anywhere in an aggregate.
func (o *oracle) contains(ref cube.AggregateRef, function cube.Func) bool {
	ref = o.spelled(ref)
	return ref.Func == string(function) ||
		slices.ContainsFunc(ref.Args, func(arg cube.AggregateRef) bool { return o.contains(arg, function) })
}

// addsYears tells whether a row that has so many keys is of several years, if there are any.
func (o *oracle) addsYears(q inquiry, keys int) bool {
	return !slices.ContainsFunc(q.keys[:keys], func(c cube.Column) bool { return o.isYear(c.Name) })
}

// isTold tells whether a value of a row can be told, as far as the years go whose amounts are in it or in what it is a
// share of. What it was can be told beside what cannot, but not beside a sum of other years than its own.
func (r *rows) isTold(role cube.Role, ref cube.AggregateRef, n, parent *node) bool {
	switch {
	case n.apart && role != "" && role != cube.RoleEarlier:
		return false
	case !r.isOfYears(n, parent, ref):
		return true
	}
	mixed := r.once("here "+ref.String(), func() bool { return r.mixes(r.inquiry, ref) })
	before := r.once("before "+ref.String(), func() bool { return r.mixedBefore(ref) })
	switch role {
	case "":
		return !mixed
	case cube.RoleEarlier:
		return !before && (mixed || !r.isUneven(ref))
	}
	return !before && !mixed && !r.isUneven(ref)
}

func (r *rows) once(id string, ask func() bool) bool {
	if _, known := r.mixed[id]; !known {
		r.mixed[id] = ask()
	}
	return r.mixed[id]
}

// isOfYears tells whether the value of a row, or what it is a share of, is of several years, if there are any.
func (r *rows) isOfYears(n, parent *node, ref cube.AggregateRef) bool {
	return r.addsYears(r.inquiry, len(n.Keys)) || r.contains(ref, cube.Share) ||
		r.contains(ref, cube.ShareOfParent) && parent != nil && (parent == r.total || r.parentIsOfYears(n))
}

func (r *rows) parentIsOfYears(n *node) bool {
	if len(n.left) > 0 {
		n = n.left[0] // its parent is that of all
	}
	return !slices.ContainsFunc(r.parentFields(n), r.isYear)
}
