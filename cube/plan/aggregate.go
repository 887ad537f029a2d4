package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/suggest"
)

// Aggregate is a measure with a function, the count of rows, or a formula of other aggregates. A store computes
// one or two parts for it.
type Aggregate struct {
	Name    string // approved_value.sum, _count, ratio(a.sum,b.sum)
	Measure string // "" for _count and formulas
	Func    cube.Func
	Args    []Aggregate     // of a formula
	Role    query.Role      // of a compared aggregate
	Scale   int32           // decimals it prints with
	Factor  decimal.Decimal // of the measure: amounts are multiplied by it after aggregation; 0 for counts and formulas
	Parts   [2]int          // the index of its part; for an average those of the sum and the count
	ByYear  *ByYear         // of a sum in real terms or per head: what is computed instead of Parts

	MixesYears   bool    // of a formula: its measures have amounts in different years, of those asked
	YearsDiffer  bool    // of a role: its measures have amounts in other years than those compared
	YearsMissing []int64 // of a role: the years asked in which one side has no amounts of its measures
}

// Reversed tells whether a greater part gives a smaller value, as with a negative factor.
func (a Aggregate) Reversed() bool { return a.Factor.IsNegative() }

// IsPart tells whether it sorts as its part, or in reverse.
func (a Aggregate) IsPart() bool { return len(a.Args) == 0 && a.Func != cube.Avg && a.ByYear == nil }

// inRole makes one of the three aggregates that a comparison adds for each aggregate.
func (a Aggregate) inRole(role query.Role, scale int32) Aggregate {
	a.Name += "." + string(role)
	a.Role, a.Scale = role, scale
	return a
}

// sortsExactly tells whether a store sorts by the aggregate without dividing, and without multiplying by a factor.
func (a Aggregate) sortsExactly() bool {
	inexact := func(arg Aggregate) bool { return arg.hasFactor() || !arg.sortsExactly() }
	return a.Func != cube.Avg && a.Func != cube.Ratio && a.Func != cube.Share && a.ByYear == nil && !slices.ContainsFunc(a.Args, inexact)
}

func (a Aggregate) hasFactor() bool {
	return !a.Factor.IsZero() && !a.Factor.Equal(decimal.NewFromInt(1))
}

// Uses tells whether the aggregate, or an aggregate inside it, has one of the functions.
func (a Aggregate) Uses(functions ...cube.Func) bool {
	return slices.Contains(functions, a.Func) ||
		slices.ContainsFunc(a.Args, func(arg Aggregate) bool { return arg.Uses(functions...) })
}

// IsDivided tells whether a division makes the value, so that it may be rounded.
func (a Aggregate) IsDivided() bool {
	return a.Uses(cube.Avg, cube.Ratio, cube.Share, cube.ShareOfParent) ||
		a.anyLeaf(func(leaf *Aggregate) bool { return leaf.ByYear != nil })
}

// Leaves lists the aggregates inside a formula that are no formulas. For any other aggregate it lists the aggregate.
func (a Aggregate) Leaves() []Aggregate {
	if len(a.Args) == 0 {
		return []Aggregate{a}
	}
	var list []Aggregate
	for _, arg := range a.Args {
		list = append(list, arg.Leaves()...)
	}
	return list
}

// anyLeaf tells whether something holds for one of the leaves.
func (a *Aggregate) anyLeaf(holds func(*Aggregate) bool) bool {
	if len(a.Args) == 0 {
		return holds(a)
	}
	for i := range a.Args {
		if a.Args[i].anyLeaf(holds) {
			return true
		}
	}
	return false
}

// Measures names the measures of the aggregate, each once.
func (a Aggregate) Measures() []string { return measuresOf([]Aggregate{a}) }

// IsFraction tells whether the value is a part of another one, which people read as a percentage.
func (a Aggregate) IsFraction() bool {
	return a.Func == cube.Share || a.Func == cube.ShareOfParent || a.Func == cube.Ratio && a.Role == ""
}

// CountsRows tells whether the value is computed from numbers of rows alone.
func (a Aggregate) CountsRows() bool {
	return !a.anyLeaf(func(leaf *Aggregate) bool { return leaf.Func != cube.Rows && leaf.Func != cube.Count })
}

// measuresOf names the measures of aggregates, each once.
func measuresOf(aggregates []Aggregate) []string {
	var names []string
	for i := range aggregates {
		aggregates[i].anyLeaf(func(leaf *Aggregate) bool {
			if leaf.Measure != "" {
				names = each.Once(names, leaf.Measure)
			}
			return false
		})
	}
	return names
}

// The decimals of quotients : averages have four more than their measure.
const (
	averageScale = 4
	ratioScale   = 8
)

func (b *binder) bindAggregates(q query.Query) error {
	refs := q.Aggregates
	if len(refs) == 0 {
		refs = []query.AggregateRef{{Func: string(cube.Rows)}}
		for _, m := range b.model.Measures() {
			refs = append(refs, query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)})
		}
	}
	for _, ref := range refs {
		aggregate, err := b.aggregate(ref)
		if err != nil {
			return err
		}
		if b.aggregateIndex(aggregate.Name) < 0 {
			b.aggregates = append(b.aggregates, aggregate)
		}
	}
	return nil
}

func (b *binder) aggregateIndex(name string) int {
	return slices.IndexFunc(b.aggregates, func(a Aggregate) bool { return a.Name == name })
}

// aggregate binds any aggregate. A derived measure becomes its formula, under the name of the measure.
func (b *binder) aggregate(ref query.AggregateRef) (Aggregate, error) {
	switch {
	case len(ref.Args) > 0:
		return b.formula(ref)
	case ref.Measure != "":
		return b.ofMeasure(ref)
	case cube.Func(ref.Func) == cube.Rows:
		return Aggregate{Name: ref.String(), Func: cube.Rows, Parts: [2]int{b.part(Part{Func: cube.Rows})}}, nil
	}
	derived, ok := b.model.DerivedMeasure(ref.Func)
	if !ok {
		return Aggregate{}, b.unknownAggregate(ref)
	}
	formulas, err := query.ParseAggregates(derived.Formula)
	if err != nil {
		return Aggregate{}, err
	}
	a, err := b.aggregate(formulas[0])
	a.Name = ref.String()
	return a, err
}

// functions are those that a measure can have.
var functions = []cube.Func{cube.Sum, cube.Count, cube.Avg, cube.Min, cube.Max}

func (b *binder) ofMeasure(ref query.AggregateRef) (Aggregate, error) {
	a := Aggregate{Name: ref.String(), Measure: ref.Measure, Func: cube.Func(ref.Func)}
	measure, ok := b.model.Measure(ref.Measure)
	if !ok {
		names := b.measureRefs()
		return a, cube.Errorf(cube.CodeUnknownRef, "no measure %q", ref.Measure).At(ref.At).
			Listing("measures", names).Meaning(ref.Measure, names)
	}
	column, _ := b.model.Column(ref.Measure)
	a.Factor, _ = measure.Multiplier() // the model checked it
	a.Scale = int32(column.Scale) + max(0, -a.Factor.Exponent())
	switch a.Func {
	case cube.Sum, cube.Min, cube.Max:
		a.Parts[0] = b.part(Part{Func: a.partFunc(), Measure: ref.Measure})
	case cube.Count:
		a.Scale, a.Factor = 0, decimal.Decimal{}
		a.Parts[0] = b.part(Part{Func: a.Func, Measure: ref.Measure})
	case cube.Avg:
		a.Scale += averageScale
		a.Parts = [2]int{b.part(Part{Func: cube.Sum, Measure: ref.Measure}), b.part(Part{Func: cube.Count, Measure: ref.Measure})}
	default:
		return a, cube.Errorf(cube.CodeUnknownRef, "no aggregate function %q", ref.Func).At(ref.At).
			WithHint("the functions are " + strings.Join(each.Text(functions, func(f cube.Func) string { return string(f) }), ", "))
	}
	return a, nil
}

// partFunc gives the function that a store computes for a sum, minimum or maximum. With a negative factor the least
// amount gives the greatest value.
func (a Aggregate) partFunc() cube.Func {
	switch {
	case a.Reversed() && a.Func == cube.Min:
		return cube.Max
	case a.Reversed() && a.Func == cube.Max:
		return cube.Min
	}
	return a.Func
}

// part gives the index of a part of the statement. It adds a new part.
func (b *binder) part(p Part) int {
	if i := slices.Index(b.parts, p); i >= 0 {
		return i
	}
	b.parts = append(b.parts, p)
	return len(b.parts) - 1
}

// formulaForm says how many aggregates a formula takes, and shows how to write it.
type formulaForm struct {
	name     cube.Func
	operands int
	example  string
}

var formulas = []formulaForm{
	{cube.Ratio, 2, "ratio(a.sum,b.sum)"}, {cube.Diff, 2, "diff(a.sum,b.sum)"}, {cube.Share, 1, "share(a.sum)"},
	{cube.ShareOfParent, 1, "share_of_parent(a.sum)"}, {cube.Real, 2, "real(a.sum,2018)"}, {cube.PerHead, 1, "per_head(a.sum)"},
}

func (b *binder) formula(ref query.AggregateRef) (Aggregate, error) {
	a := Aggregate{Name: ref.String(), Func: cube.Func(ref.Func), Scale: ratioScale}
	i := slices.IndexFunc(formulas, func(f formulaForm) bool { return f.name == a.Func })
	if i < 0 {
		names := each.Text(formulas, func(f formulaForm) string { return string(f.name) })
		return a, cube.Errorf(cube.CodeUnknownRef, "no formula %q", ref.Func).At(ref.At).WithHint(cmp.Or(b.functionHint(ref),
			suggest.DidYouMean(ref.Func, names), "the formulas are "+strings.Join(names, ", ")))
	}
	if a.Func == cube.Real || a.Func == cube.PerHead {
		return b.byYear(ref)
	}
	if n := formulas[i].operands; n != len(ref.Args) {
		return a, cube.Errorf(cube.CodeBadSyntax, "%s is of %d aggregates, not %d", ref.Func, n, len(ref.Args)).At(ref.At).
			WithHint("as " + formulas[i].example)
	}
	for _, arg := range ref.Args {
		bound, err := b.aggregate(arg)
		if err != nil {
			return a, err
		}
		a.Args = append(a.Args, bound)
	}
	if a.Func == cube.Diff {
		a.Scale = max(a.Args[0].Scale, a.Args[1].Scale)
	}
	return a, cmp.Or(a.checkKinds(ref), b.checkUnits(a, ref))
}

// functionHint corrects sum(amount) and count(*), as they are written in SQL.
func (b *binder) functionHint(ref query.AggregateRef) string {
	function, measures := cube.Func(strings.ToLower(ref.Func)), b.measureRefs()
	if len(ref.Args) != 1 || !slices.Contains(functions, function) {
		return ""
	}
	name := cmp.Or(ref.Args[0].Measure, ref.Args[0].Func)
	switch {
	case slices.Contains(measures, name):
	case function == cube.Count:
		return "write " + string(cube.Rows) + " for the number of rows"
	default:
		name = cmp.Or(suggest.Nearest(name, measures), append(measures, "MEASURE")[0])
	}
	return "write " + query.AggregateRef{Measure: name, Func: string(function)}.String()
}

// checkUnits refuses a formula of amounts that are known to be in two currencies or units.
func (b *binder) checkUnits(a Aggregate, ref query.AggregateRef) error {
	var measures []cube.Measure // that amounts of the value are of; counts are no amounts
	for _, leaf := range a.Leaves() {
		if measure, ok := b.model.Measure(leaf.Measure); ok && leaf.Func != cube.Count {
			measures = append(measures, measure)
		}
	}
	for _, m := range measures[min(1, len(measures)):] {
		first := measures[0]
		switch {
		case first.Currency != "" && m.Currency != "" && first.Currency != m.Currency:
			return cube.Errorf(cube.CodeBadValue, "%s is in %s, %s in %s", first.Ref, first.Currency, m.Ref, m.Currency).
				At(ref.At).WithHint("ask for amounts of one currency")
		case first.Unit != 0 && m.Unit != 0 && first.Unit != m.Unit:
			return cube.Errorf(cube.CodeBadValue, "%s counts units of %d, %s of %d", first.Ref, first.Unit, m.Ref, m.Unit).
				At(ref.At).WithHint("ask for amounts of one unit")
		}
	}
	return nil
}

func (b *binder) unknownAggregate(ref query.AggregateRef) error {
	err := cube.Errorf(cube.CodeUnknownRef, "no aggregate %q", ref.Func).At(ref.At)
	if _, ok := b.model.Measure(ref.Func); ok {
		return err.WithHint("did you mean " + query.QuoteName(ref.Func) + ".sum?")
	}
	names := append([]string{string(cube.Rows)}, each.Text(b.model.Derived(), func(d cube.Derived) string { return d.Ref })...)
	names = append(names, each.Text(b.model.Measures(), func(m cube.Measure) string { return m.Ref + ".sum" })...)
	return err.Listing("aggregates", names).Meaning(ref.Func, append(names, b.measureRefs()...))
}

func (b *binder) measureRefs() []string {
	return each.Text(b.model.Measures(), func(m cube.Measure) string { return m.Ref })
}

// kind is the dimension of a value, as in physics: powers of amounts, rows and heads. A sum is {1, 0, 0}, a count {0, 1, 0}, an
// amount per row {1, -1, 0}. Only values of one kind can be subtracted.
type kind struct{ amounts, rows, heads int }

func (a Aggregate) kind() kind {
	switch a.Func {
	case cube.Count, cube.Rows:
		return kind{rows: 1}
	case cube.Diff:
		return a.Args[0].kind()
	case cube.Ratio:
		x, y := a.Args[0].kind(), a.Args[1].kind()
		return kind{x.amounts - y.amounts, x.rows - y.rows, x.heads - y.heads}
	case cube.Share, cube.ShareOfParent:
		return kind{}
	}
	if a.ByYear != nil && a.ByYear.PerHead {
		return kind{amounts: 1, heads: -1}
	}
	return kind{amounts: 1}
}

// String names the kind for people.
func (k kind) String() string {
	switch k {
	case kind{amounts: 1}:
		return "an amount"
	case kind{rows: 1}:
		return "a number of rows"
	case kind{amounts: 1, rows: -1}:
		return "an amount per row"
	case kind{amounts: 1, heads: -1}:
		return "an amount per head"
	case kind{}:
		return "a ratio"
	}
	return "a quotient of amounts, rows and heads"
}

// isAdditive tells whether the values of cells add up to the value over all cells, as those of sums and counts and of
// their differences do.
func (a Aggregate) isAdditive() bool {
	switch a.Func {
	case cube.Sum, cube.Count, cube.Rows:
		return true
	case cube.Diff:
		return a.Args[0].isAdditive() && a.Args[1].isAdditive()
	}
	return false
}

// checkKinds refuses a difference of two kinds, and a share of values that do not add up.
func (a Aggregate) checkKinds(ref query.AggregateRef) error {
	switch {
	case a.Func == cube.Diff && a.Args[0].kind() != a.Args[1].kind():
		return cube.Errorf(cube.CodeBadSyntax, "%s is %s, %s is %s", a.Args[0].Name, a.Args[0].kind(), a.Args[1].Name, a.Args[1].kind()).
			At(ref.At).WithHint("a diff is of two amounts, two counts or two ratios; ratio divides one by the other")
	case a.Func == cube.Diff && a.kind().amounts != 0 && a.Args[0].priceYear() != a.Args[1].priceYear():
		return cube.Errorf(cube.CodeBadSyntax, "%s and %s are in prices of different years", a.Args[0].Name, a.Args[1].Name).
			At(ref.At).WithHint("ask both in prices of one year, as diff(real(a.sum,2018),real(b.sum,2018))")
	case (a.Func == cube.Share || a.Func == cube.ShareOfParent) && !a.Args[0].isAdditive():
		return cube.Errorf(cube.CodeBadSyntax, "%s does not add up, so nothing is a share of it", a.Args[0].Name).At(ref.At).
			WithHint("ask the share of a sum, a count, or a diff of these")
	}
	return nil
}

// ReadDerived reads the formula of a derived measure and checks it against a model. The error is a *cube.Error whose
// position counts within the formula.
func ReadDerived(m *cube.Model, d cube.Derived) (query.AggregateRef, error) {
	if err := m.CheckDerivedName(d.Ref); err != nil {
		return query.AggregateRef{}, err
	}
	refs, err := query.ParseAggregates(d.Formula)
	if err != nil {
		return query.AggregateRef{}, err
	}
	if len(refs) != 1 || len(refs[0].Args) == 0 {
		return query.AggregateRef{}, cube.Errorf(cube.CodeBadSyntax, "%q is not one formula", d.Formula).WithHint("as ratio(a.sum,b.sum)")
	}
	draft := m.Draft()
	draft.Derived = nil // a formula cannot name a derived measure, so that none can name itself
	plain, err := draft.Model()
	if err != nil {
		return query.AggregateRef{}, err
	}
	b := binder{Plan: &Plan{}, model: names{plain}}
	_, err = b.aggregate(refs[0])
	return refs[0], err
}
