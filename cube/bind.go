package cube

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"
)

// Bind resolves a query against the cube's model. Every mistake is an *Error that says where it stands and,
// where a name is near, what was probably meant.
func (c *Cube) Bind(q Query) (*Plan, error) {
	b := binder{cube: c, model: c.Model, plan: &Plan{cube: c, page: q.Page}}
	for _, step := range []func(Query) error{b.cuts, b.drilldown, b.aggregates, b.snapshots, b.order} {
		if err := step(q); err != nil {
			return nil, err
		}
	}
	b.plan.text = b.text()
	return b.plan, nil
}

// binder fills a Plan clause by clause. Cuts come first: drilling a dimension goes below its deepest cut. The
// snapshots, which add a filter, come after the drilldown, which it is no cut for.
type binder struct {
	cube    *Cube
	model   *Model
	plan    *Plan
	drilled []Level // as asked, each once
}

func (b *binder) drilldown(q Query) error {
	for _, ref := range q.Drilldown {
		level, err := b.drilledLevel(ref)
		if err != nil {
			return err
		}
		b.drilled = append(b.drilled, level)
	}
	b.group()
	return nil
}

// group makes the keys of the levels that are drilled.
func (b *binder) group() {
	b.plan.keys = b.columns(pathsOf(b.drilled))
	b.plan.levels = b.labelled()
}

// pathsOf lists the fields of the levels' paths, each once: a code means something only under its ancestors.
func pathsOf(levels []Level) []string {
	var fields []string
	for _, level := range levels {
		for _, field := range level.Path {
			if !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	return fields
}

// labelled lists the levels of the keys whose whole path is among the keys.
func (b *binder) labelled() []Level {
	var levels []Level
	for _, key := range b.plan.keys {
		level, ok := b.model.LevelOfKey(key.Name)
		if ok && level.Listed && !slices.ContainsFunc(level.Path, func(f string) bool { return !b.isKey(f) }) {
			levels = append(levels, level)
		}
	}
	return levels
}

func (b *binder) isKey(field string) bool {
	return slices.ContainsFunc(b.plan.keys, func(k Column) bool { return k.Name == field })
}

// drilledLevel gives the level that a ref of the drilldown means.
func (b *binder) drilledLevel(ref Ref) (Level, error) {
	if level, ok, err := b.level(ref); ok || err != nil {
		return level, err
	}
	chain, err := b.chain(ref)
	if err != nil {
		return Level{}, err
	}
	return chain[min(b.deepestCut(chain)+1, len(chain)-1)], nil
}

// deepestCut gives the place in the chain of the deepest level that a cut names, or -1.
func (b *binder) deepestCut(chain []Level) int {
	for i := len(chain) - 1; i >= 0; i-- {
		for _, f := range b.plan.filters {
			if !f.Not && f.names(chain[i].Ref) {
				return i
			}
		}
	}
	return -1
}

func (f Filter) names(field string) bool {
	return slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool { return t.Column.Name == field })
	})
}

// level resolves a ref that names a field, by its key or its label; false where it names a dimension.
func (b *binder) level(ref Ref) (Level, bool, error) {
	level, ok := b.model.Level(ref.Name)
	_, isDimension := b.model.Dimension(ref.Name)
	switch {
	case ok && (ref.Dimension == "" || ref.Dimension == level.Dimension):
		return level, true, nil
	case ok:
		return Level{}, false, Errorf(CodeUnknownRef, "dimension %q has no field %q", ref.Dimension, ref.Name).
			at(ref.At).or("did you mean " + quoteName(level.Dimension) + "." + quoteName(ref.Name) + "?")
	case ref.Dimension == "" && isDimension:
		return Level{}, false, nil
	}
	return Level{}, false, b.unknown(ref)
}

// chain gives the one chain of the dimension that ref names.
func (b *binder) chain(ref Ref) ([]Level, error) {
	dimension, _ := b.model.Dimension(ref.Name)
	chains := dimension.Chains()
	if len(chains) == 1 {
		return chains[0], nil
	}
	refs := make([]string, len(dimension.Levels))
	for i, l := range dimension.Levels {
		refs[i] = l.Ref
	}
	return nil, Errorf(CodeAmbiguousRef, "dimension %q has %d chains", ref.Name, len(chains)).
		at(ref.At).or("name one of its levels: " + strings.Join(refs, ", "))
}

func (b *binder) unknown(ref Ref) error {
	if _, ok := b.model.Measure(ref.Name); ok {
		return Errorf(CodeUnknownRef, "%q is a measure, not a level", ref.Name).at(ref.At).
			or("measures go into aggregates, as " + quoteName(ref.Name) + ".sum")
	}
	if _, ok := b.model.Column(ref.Name); ok {
		return Errorf(CodeUnknownRef, "the model makes field %q no level of a dimension", ref.Name).at(ref.At)
	}
	return Errorf(CodeUnknownRef, "no field or dimension %q", ref.String()).at(ref.At).
		or(didYouMean(ref.Name, b.refs()))
}

// refs lists every name that a ref may use.
func (b *binder) refs() []string {
	var names []string
	for _, d := range b.model.Dimensions() {
		for _, l := range d.Levels {
			names = append(names, l.Ref)
			if l.LabelRef != "" {
				names = append(names, l.LabelRef)
			}
		}
		names = append(names, d.Name)
	}
	return names
}

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

// quotientScale is how many decimals an average has beyond its measure's.
const quotientScale = 4

func (b *binder) aggregate(ref AggregateRef) (Aggregate, error) {
	a := Aggregate{Name: ref.String(), Measure: ref.Measure, Func: Func(ref.Func)}
	if ref.Measure == "" {
		if a.Func != Rows {
			return a, b.unknownAggregate(ref)
		}
		a.parts[0] = b.part(Part{Func: Rows})
		return a, nil
	}
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
		a.Scale += quotientScale
		a.parts = [2]int{b.part(Part{Func: Sum, Measure: ref.Measure}), b.part(Part{Func: Count, Measure: ref.Measure})}
	default:
		return a, Errorf(CodeUnknownRef, "no aggregate function %q", ref.Func).at(ref.At).
			or("the functions are sum, count, avg, min, max")
	}
	return a, nil
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
	for _, m := range b.model.Measures() {
		names = append(names, m.Ref+".sum", m.Ref)
	}
	return err.or(didYouMean(ref.Func, names))
}

func (b *binder) unknownMeasure(ref AggregateRef) error {
	var names []string
	for _, m := range b.model.Measures() {
		names = append(names, m.Ref)
	}
	return Errorf(CodeUnknownRef, "no measure %q", ref.Measure).at(ref.At).or(didYouMean(ref.Measure, names))
}
