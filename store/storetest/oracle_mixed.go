package storetest

import (
	"slices"

	"fiscube/cube"
)

// Of a formula that sets amounts side by side no value over several years is known where, of the years that the cuts
// admit, one has some of its amounts and not all.

// mixes tells whether a formula is of amounts of different years.
func (o *oracle) mixes(plan *cube.Plan, ref cube.AggregateRef) bool {
	leaves := o.leaves(ref)
	counts := func(leaf cube.AggregateRef) bool {
		return leaf.Func == string(cube.Count) || leaf.Func == string(cube.Rows)
	}
	column, ok := o.model.FiscalYear()
	if !ok || !slices.ContainsFunc(leaves, func(leaf cube.AggregateRef) bool { return !counts(leaf) }) {
		return false
	}
	years, mixed := 0, false
	for year, has := range o.yearly() {
		if year.IsMissing() || !o.admitsYear(plan, column, year) {
			continue
		}
		years++
		told := func(leaf cube.AggregateRef) bool { return leaf.Measure == "" || has[leaf.Measure] }
		some := slices.ContainsFunc(leaves, told)
		all := !slices.ContainsFunc(leaves, func(leaf cube.AggregateRef) bool { return !told(leaf) })
		mixed = mixed || some != all
	}
	return mixed && years > 1
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

// isMixed tells whether amounts of different years are in the value of a row, or in what it is a share of.
func (r *rows) isMixed(n, parent *node, ref cube.AggregateRef) bool {
	mixed, known := r.mixed[ref.String()]
	if !known {
		mixed = r.mixes(r.plan, ref)
		r.mixed[ref.String()] = mixed
	}
	wide := parent == r.total || parent != nil && !slices.ContainsFunc(r.parentFields(n), r.isYear)
	return mixed && (r.addsYears(r.inquiry, len(n.Keys)) || r.contains(ref, cube.Share) ||
		wide && r.contains(ref, cube.ShareOfParent))
}
