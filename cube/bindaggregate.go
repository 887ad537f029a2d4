package cube

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

func (b *binder) aggregates(q Query) error {
	refs := q.Aggregates
	if len(refs) == 0 {
		refs = b.allAggregates()
	}
	for _, ref := range refs {
		aggregate, err := b.aggregate(ref)
		if err != nil {
			return err
		}
		if b.aggregateIndex(aggregate.Name) < 0 {
			b.plan.aggregates = append(b.plan.aggregates, aggregate)
		}
	}
	return nil
}

func (b *binder) allAggregates() []AggregateRef {
	refs := []AggregateRef{{Func: string(Rows)}}
	for _, m := range b.model.Measures() {
		refs = append(refs, AggregateRef{Measure: m.Ref, Func: string(Sum)})
	}
	return refs
}

func (b *binder) aggregateIndex(name string) int {
	return slices.IndexFunc(b.plan.aggregates, func(a Aggregate) bool { return a.Name == name })
}

// The decimals of quotients (design: averages have four beyond their measure's).
const (
	averageScale = 4
	ratioScale   = 8
)

// aggregate binds any aggregate. A derived measure is its formula under a name of its own.
func (b *binder) aggregate(ref AggregateRef) (Aggregate, error) {
	switch {
	case len(ref.Args) > 0:
		return b.formula(ref)
	case ref.Measure != "":
		return b.ofMeasure(ref)
	case Func(ref.Func) == Rows:
		a := Aggregate{Name: ref.String(), Func: Rows}
		a.parts[0] = b.part(Part{Func: Rows})
		return a, nil
	}
	derived, ok := b.model.DerivedMeasure(ref.Func)
	if !ok {
		return Aggregate{}, b.unknownAggregate(ref)
	}
	a, err := b.aggregate(derived.formula)
	a.Name = ref.String()
	return a, err
}

// functions are those of a measure.
var functions = []Func{Sum, Count, Avg, Min, Max}

func (b *binder) ofMeasure(ref AggregateRef) (Aggregate, error) {
	a := Aggregate{Name: ref.String(), Measure: ref.Measure, Func: Func(ref.Func)}
	measure, ok := b.model.Measure(ref.Measure)
	if !ok {
		return a, b.unknownMeasure(ref)
	}
	column, _ := b.model.Column(ref.Measure)
	a.factor, _ = measure.factor() // the model checked it
	a.Scale = int32(column.Scale) + max(0, -a.factor.Exponent())
	switch a.Func {
	case Sum, Min, Max:
		a.parts[0] = b.part(Part{Func: a.partFunc(), Measure: ref.Measure})
	case Count:
		a.Scale, a.factor = 0, decimal.Decimal{}
		a.parts[0] = b.part(Part{Func: a.Func, Measure: ref.Measure})
	case Avg:
		a.Scale += averageScale
		a.parts = [2]int{b.part(Part{Func: Sum, Measure: ref.Measure}), b.part(Part{Func: Count, Measure: ref.Measure})}
	default:
		return a, Errorf(CodeUnknownRef, "no aggregate function %q", ref.Func).at(ref.At).
			or("the functions are " + strings.Join(texts(functions, func(f Func) string { return string(f) }), ", "))
	}
	return a, nil
}

// formulaForm says of how many aggregates a formula is, and how it is written.
type formulaForm struct {
	name     Func
	operands int
	example  string
}

var formulas = []formulaForm{
	{Ratio, 2, "ratio(a.sum,b.sum)"}, {Diff, 2, "diff(a.sum,b.sum)"}, {Share, 1, "share(a.sum)"},
	{ShareOfParent, 1, "share_of_parent(a.sum)"},
}

func (b *binder) formula(ref AggregateRef) (Aggregate, error) {
	a := Aggregate{Name: ref.String(), Func: Func(ref.Func), Scale: ratioScale}
	i := slices.IndexFunc(formulas, func(f formulaForm) bool { return f.name == a.Func })
	if i < 0 {
		return a, b.unknownFormula(ref)
	}
	if n := formulas[i].operands; n != len(ref.Args) {
		return a, Errorf(CodeBadSyntax, "%s is of %d aggregates, not %d", ref.Func, n, len(ref.Args)).at(ref.At).
			or("as " + formulas[i].example)
	}
	for _, arg := range ref.Args {
		bound, err := b.aggregate(arg)
		if err != nil {
			return a, err
		}
		a.Args = append(a.Args, bound)
	}
	if a.Func == Diff {
		a.Scale = max(a.Args[0].Scale, a.Args[1].Scale)
	}
	return a, cmp.Or(a.checkKinds(ref), b.checkUnits(a, ref))
}

func (b *binder) unknownFormula(ref AggregateRef) error {
	names := texts(formulas, func(f formulaForm) string { return string(f.name) })
	return Errorf(CodeUnknownRef, "no formula %q", ref.Func).at(ref.At).
		or(cmp.Or(b.functionHint(ref), didYouMean(ref.Func, names), "the formulas are "+strings.Join(names, ", ")))
}

// functionHint is for those who write sum(amount) and count(*), as SQL has it.
func (b *binder) functionHint(ref AggregateRef) string {
	function, measures := Func(strings.ToLower(ref.Func)), b.measureRefs()
	if len(ref.Args) != 1 || !slices.Contains(functions, function) {
		return ""
	}
	name := cmp.Or(ref.Args[0].Measure, ref.Args[0].Func)
	switch {
	case slices.Contains(measures, name):
	case function == Count:
		return "write " + string(Rows) + " for the number of rows"
	default:
		name = cmp.Or(Nearest(name, measures), append(measures, "MEASURE")[0])
	}
	return "write " + AggregateRef{Measure: name, Func: string(function)}.String()
}

// uses tells whether a formula of one of the functions is anywhere in the aggregate.
func (a Aggregate) uses(functions ...Func) bool {
	return slices.Contains(functions, a.Func) ||
		slices.ContainsFunc(a.Args, func(arg Aggregate) bool { return arg.uses(functions...) })
}

// asks tells whether a formula of one of the functions is asked.
func (p *Plan) asks(functions ...Func) bool {
	return slices.ContainsFunc(p.aggregates, func(a Aggregate) bool { return a.uses(functions...) })
}

// checkUnits refuses to set amounts against each other that are known to be of two currencies or units.
func (b *binder) checkUnits(a Aggregate, ref AggregateRef) error {
	measures := b.amounts(a)
	for _, m := range measures[min(1, len(measures)):] {
		first := measures[0]
		switch {
		case first.Currency != "" && m.Currency != "" && first.Currency != m.Currency:
			return Errorf(CodeBadValue, "%s is in %s, %s in %s", first.Ref, first.Currency, m.Ref, m.Currency).at(ref.At).
				or("ask for amounts of one currency")
		case first.Unit != 0 && m.Unit != 0 && first.Unit != m.Unit:
			return Errorf(CodeBadValue, "%s counts units of %d, %s of %d", first.Ref, first.Unit, m.Ref, m.Unit).at(ref.At).
				or("ask for amounts of one unit")
		}
	}
	return nil
}

// amounts lists the measures whose amounts are in the value of an aggregate; counts are no amounts.
func (b *binder) amounts(a Aggregate) []Measure {
	var list []Measure
	for _, leaf := range a.leaves() {
		if measure, ok := b.model.Measure(leaf.Measure); ok && leaf.Func != Count {
			list = append(list, measure)
		}
	}
	return list
}

// leaves lists what the aggregate is made of in the end: itself where it is no formula.
func (a Aggregate) leaves() []Aggregate {
	if len(a.Args) == 0 {
		return []Aggregate{a}
	}
	var list []Aggregate
	for _, arg := range a.Args {
		list = append(list, arg.leaves()...)
	}
	return list
}

// Measures names the measures that the aggregate is of, each once.
func (a Aggregate) Measures() []string { return measuresOf([]Aggregate{a}) }

// measuresOf names the measures that aggregates are of, each once.
func measuresOf(aggregates []Aggregate) []string {
	var names []string
	for _, a := range aggregates {
		for _, leaf := range a.leaves() {
			if leaf.Measure != "" && !slices.Contains(names, leaf.Measure) {
				names = append(names, leaf.Measure)
			}
		}
	}
	return names
}

// partFunc is what a store computes for a sum or an extreme: with a negative factor the least amount makes the
// greatest value.
func (a Aggregate) partFunc() Func {
	switch {
	case a.Reversed() && a.Func == Min:
		return Max
	case a.Reversed() && a.Func == Max:
		return Min
	}
	return a.Func
}

// part gives the place of a part among the plan's, adding it where it is new.
func (b *binder) part(p Part) int {
	if i := slices.Index(b.plan.parts, p); i >= 0 {
		return i
	}
	b.plan.parts = append(b.plan.parts, p)
	return len(b.plan.parts) - 1
}

func (b *binder) unknownAggregate(ref AggregateRef) error {
	err := Errorf(CodeUnknownRef, "no aggregate %q", ref.Func).at(ref.At)
	if _, ok := b.model.Measure(ref.Func); ok {
		return err.or("did you mean " + quoteName(ref.Func) + ".sum?")
	}
	names := []string{string(Rows)}
	for _, d := range b.model.Derived() {
		names = append(names, d.Ref)
	}
	for _, m := range b.model.Measures() {
		names = append(names, m.Ref+".sum")
	}
	return err.or(cmp.Or(didYouMean(ref.Func, append(names, b.measureRefs()...)), oneOf("aggregates", names)))
}

func (b *binder) unknownMeasure(ref AggregateRef) error {
	names := b.measureRefs()
	return Errorf(CodeUnknownRef, "no measure %q", ref.Measure).at(ref.At).
		or(cmp.Or(didYouMean(ref.Measure, names), oneOf("measures", names)))
}

func (b *binder) measureRefs() []string {
	return texts(b.model.Measures(), func(m Measure) string { return m.Ref })
}
