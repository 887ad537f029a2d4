package cube

import (
	"cmp"
	"slices"
	"strings"
)

// finish is what is left to do in memory when the store has answered with all cells: subtotals, the greatest
// members, comparison, gaps, and the order of all that.
type finish struct {
	steps     []Step // of the drilldown
	rollup    bool
	top       int // 0: all
	rank      int // among the order: what top goes by
	remainder bool
	fill      Fill
	axis      int // among the keys: the axis whose gaps are filled
	compare   *comparison
	store     *Plan   // what the store is asked: all cells, in any order
	subtotals []*Plan // one for each step that cannot be added up from its cells; else nil
	by        int     // among the keys: what tells statements of the same money apart, or -1
	parents   []int   // by step: how many of its cells' first keys are those of their parent; nil where none is asked
}

// Step is a prefix of the drilldown: the level that it drills last, and how many keys it has.
type Step struct {
	Ref  string
	Keys int
}

// Steps lists the prefixes of the drilldown that have keys of their own, the whole of it last.
func (p *Plan) Steps() []Step { return p.steps }

// Rollup tells whether cells are preceded by the subtotals of the steps they belong to.
func (p *Plan) Rollup() bool { return p.finish != nil && p.finish.rollup }

// Remainder tells whether what Top leaves out may be cells of their own.
func (p *Plan) Remainder() bool { return p.finish != nil && p.finish.remainder }

// Compared tells whether cells stand beside those of another question.
func (p *Plan) Compared() bool { return p.finish != nil && p.finish.compare != nil }

// Finished tells whether a store cannot answer the plan by itself: Engine answers it.
func (p *Plan) Finished() bool { return p.finish != nil }

// finishing decides whether something is left to do in memory, and plans it.
func (b *binder) finishing(q Query) error {
	if err := b.checkParents(q); err != nil {
		return err
	}
	f := &finish{steps: b.plan.steps, rollup: q.Rollup, top: q.Top, remainder: q.Remainder, fill: q.Fill}
	for _, step := range []func(Query, *finish) error{b.tops, b.fills, b.compares, b.subtotals} {
		if err := step(q, f); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(b.plan.needed(), func(a Aggregate) bool { return a.uses(ShareOfParent) }) {
		f.parents = b.parents()
	}
	if !f.rollup && f.top == 0 && f.fill == FillNone && f.compare == nil && f.parents == nil && len(b.plan.weighed) == 0 {
		return nil
	}
	store := *b.plan
	store.page, store.order, store.summary = Page{Number: 1, Size: MaxPageSize + 1}, b.storeOrder(), nil
	store.aggregates = nil // they are made of the parts when all else is done
	f.store, b.plan.finish = &store, f
	return nil
}

// storeOrder leaves out of the order what a store cannot sort by; the ranks of labels come with it.
func (b *binder) storeOrder() []Sort {
	return slices.DeleteFunc(slices.Clone(b.plan.order), func(s Sort) bool { return s.By == ByAggregate })
}

// stepsOf makes the steps of the levels that are drilled.
func stepsOf(drilled []Level) []Step {
	var steps []Step
	keys := 0
	for i, level := range drilled {
		if n := len(pathsOf(drilled[:i+1])); n > keys {
			steps, keys = append(steps, Step{level.Ref, n}), n
		}
	}
	return steps
}

func (b *binder) tops(q Query, f *finish) error {
	at := Position{Parameter: "top"}
	switch {
	case q.Top == 0 && q.Remainder:
		return Errorf(CodeBadSyntax, "there is no remainder without top").at(Position{Parameter: "remainder"}).or("add top=10")
	case q.Top == 0:
		return nil
	case len(f.steps) == 0:
		return Errorf(CodeBadSyntax, "top needs a drilldown").at(at).or("name the levels to group by")
	case q.Remainder && b.drillsStatements() && slices.Contains(b.lastStepFields(), b.model.statements.by().Name):
		return Errorf(CodeBadSyntax, "the remainder would add statements of the same money").
			at(Position{Parameter: "remainder"}).or("drill " + b.model.statements.by().Name + " first")
	}
	f.rank = slices.IndexFunc(b.plan.order, func(s Sort) bool { return s.By == ByAggregate })
	return nil
}

// rankDefault orders by an amount, the greatest first, where top is asked and nothing says by what.
func (b *binder) rankDefault(q Query) {
	byAmount := func(s Sort) bool { return s.By == ByAggregate }
	if q.Top > 0 && !slices.ContainsFunc(b.plan.order, byAmount) {
		b.plan.order = append(b.plan.order, Sort{By: ByAggregate, Index: b.firstAmount(), Desc: true})
	}
}

// firstAmount gives the place of the first amount that all the years of the answer have, so that it ranks every group;
// else of the first that some have, else of the first.
func (b *binder) firstAmount() int {
	years := b.plan.statedYears()
	first, most := 0, untold-1
	for i, a := range b.plan.aggregates {
		if told := b.plan.told(a, years); a.Func != Rows && told > most {
			first, most = i, told
		}
	}
	return first
}

// Of how many years an aggregate has values.
const (
	untold = iota
	toldOfSome
	toldOfAll
)

// told tells of how many of the years an aggregate has values: each of its measures has amounts in them.
func (p *Plan) told(a Aggregate, years []int64) int {
	least := toldOfAll
	switch {
	case p.NullInAll(a):
		return untold
	case len(years) == 0: // it is not known which there are
		return least
	}
	for _, name := range a.Measures() {
		switch gap := p.cube.Coverage.gap(name, years); {
		case len(gap) == 0:
		case len(gap) < len(years):
			least = min(least, toldOfSome)
		default:
			least = untold
		}
	}
	return least
}

// lastStepFields names the keys that the last step adds.
func (b *binder) lastStepFields() []string {
	from := 0
	if n := len(b.plan.steps); n > 1 {
		from = b.plan.steps[n-2].Keys
	}
	return texts(b.plan.keys[from:], func(c Column) string { return c.Name })
}

// drillsStatements tells whether the cells are statements of the same money.
func (b *binder) drillsStatements() bool { return b.plan.summary != nil }

// placeOf gives the place where an aggregate was asked.
func (q Query) placeOf(a Aggregate) Position {
	for _, ref := range q.Aggregates {
		if ref.String() == a.Name {
			return ref.At
		}
	}
	for _, condition := range q.Having {
		if condition.Aggregate.String() == a.Name {
			return condition.Aggregate.At
		}
	}
	return Position{Parameter: "aggregates"}
}

// checkParents refuses shares of what adds statements of the same money.
func (b *binder) checkParents(q Query) error {
	if !b.drillsStatements() {
		return nil
	}
	by, parents := b.model.statements.by().Name, b.parents()
	parent := b.plan.keys[:parents[len(parents)-1]] // where statements are drilled there are steps
	hasBy := slices.ContainsFunc(parent, func(c Column) bool { return c.Name == by })
	for _, h := range slices.Concat(b.plan.weighed, b.plan.shown) {
		if h.ofShares() { // the summary is of other cells, whose shares are others
			return Errorf(CodeBadSyntax, "%s would be another in each of the statements of the same money", h.aggregate.Name).
				at(q.placeOf(h.aggregate)).or("cut " + by)
		}
	}
	for _, a := range b.plan.aggregates {
		if a.uses(Share) || a.uses(ShareOfParent) && !hasBy {
			return Errorf(CodeBadSyntax, "%s would be of statements of the same money added up", a.Name).
				at(q.placeOf(a)).or("cut " + by + ", or drill it first and ask share_of_parent")
		}
	}
	return nil
}

// fills finds the axis whose gaps are to be filled: the fiscal year, or the one key that is a whole number.
func (b *binder) fills(q Query, f *finish) error {
	switch {
	case q.Fill == FillNone:
		return nil
	case len(q.Having) > 0:
		return Errorf(CodeBadSyntax, "having leaves cells out, which fill would take for gaps").
			at(Position{Parameter: "fill"}).or("ask without fill or without having")
	}
	if f.axis = b.fillAxis(); f.axis < 0 {
		return Errorf(CodeBadValue, "fill needs one axis of whole numbers in the drilldown").
			at(Position{Parameter: "fill"}).or(b.wholeLevels())
	}
	if axis := b.plan.keys[f.axis].Name; b.cutByLabels(axis) {
		return Errorf(CodeBadValue, "%s is cut by labels, which fill would take for gaps", axis).
			at(Position{Parameter: "fill"}).or("cut its keys")
	}
	return nil
}

// fillAxis gives the place among the keys of the axis, or -1 where there is none or no telling which.
func (b *binder) fillAxis() int {
	whole := func(c Column) bool { return c.Type == TypeInteger }
	year := slices.IndexFunc(b.plan.keys, func(c Column) bool { return whole(c) && c.FiscalYear })
	first := slices.IndexFunc(b.plan.keys, whole)
	if year >= 0 || first < 0 || slices.ContainsFunc(b.plan.keys[first+1:], whole) {
		return year
	}
	return first
}

// wholeLevels names the levels that are whole numbers.
func (b *binder) wholeLevels() string {
	var refs []string
	for _, l := range b.model.Levels() {
		if l.Type == TypeInteger {
			refs = append(refs, l.Ref)
		}
	}
	return cmp.Or(strings.Join(refs, ", "), "no level of the package") + " holds whole numbers"
}

// subtotals plans those steps whose subtotals cannot be added up, since their cells are statements of the same money
// and theirs are not.
func (b *binder) subtotals(q Query, f *finish) error {
	f.subtotals, f.by = make([]*Plan, len(f.steps)), -1
	if !b.drillsStatements() {
		return nil
	}
	f.by = b.statementsKey()
	parameter := "top" // which goes by subtotals in the order of its rows
	if f.rollup {
		parameter = "rollup"
	}
	for i, step := range f.steps {
		if !f.rollup && f.top == 0 || f.by < step.Keys {
			continue
		}
		if f.compare != nil || len(b.plan.conditions()) > 0 {
			return Errorf(CodeBadSyntax, "subtotals of %s would add statements of the same money", step.Ref).
				at(Position{Parameter: parameter}).
				or("drill " + b.model.statements.by().Name + " first, or ask without compare and having")
		}
		var err error
		every := Page{Number: 1, Size: MaxPageSize + 1}
		if f.subtotals[i], err = b.drilling(q, b.levelsWithin(step.Keys), every); err != nil {
			return err
		}
	}
	return nil
}

// levelsWithin gives the drilled levels whose keys are among the first n.
func (b *binder) levelsWithin(n int) []Level {
	count := 0
	for count < len(b.drilled) && len(pathsOf(b.drilled[:count+1])) <= n {
		count++
	}
	return b.drilled[:count]
}

// drilling binds the same question with another drilldown and page, and nothing finished but what every cell has for
// itself.
func (b *binder) drilling(q Query, levels []Level, page Page) (*Plan, error) {
	q.Drilldown, q.Order, q.Rollup, q.Top, q.Remainder, q.Fill = nil, nil, false, 0, false, FillNone
	q.Page = page
	for _, level := range levels {
		q.Drilldown = append(q.Drilldown, Ref{Name: level.Ref})
	}
	return b.cube.Bind(q)
}
