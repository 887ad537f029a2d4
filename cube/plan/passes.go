package plan

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Pass is one of the functions over rows by which package answer finishes an answer.
type Pass string

// The passes, in the order in which they run.
const (
	PassWithhold  Pass = "withhold"  // a year that writes a label of a cut in another way has no counterpart
	PassPair      Pass = "pair"      // each row gets the earlier row that it is compared with
	PassFill      Pass = "fill"      // new rows fill the gaps of an axis
	PassCompare   Pass = "compare"   // each row gets the result of its comparison: new, gone, not comparable …
	PassFilter    Pass = "filter"    // the conditions that no store can test leave out rows
	PassTotal     Pass = "total"     // the rows are added up, all together and by parent
	PassRank      Pass = "rank"      // rows are sorted; top keeps the first of each group, rollup puts subtotals before their rows
	PassPage      Pass = "page"      // the rows of the page become cells
	PassSummarize Pass = "summarize" // if cells are snapshots of the same money, other statements answer the summary
	PassWarn      Pass = "warn"      // the warnings, in the language asked for
)

// passesNeeded lists the passes that what was asked needs.
func (p *Plan) passesNeeded() []Pass {
	var list []Pass
	for _, pass := range []struct {
		Pass
		needed bool
	}{
		{PassWithhold, len(p.LabelCuts()) > 0},
		{PassPair, p.comparison != nil},
		{PassFill, p.fill != nil},
		{PassCompare, p.comparison != nil},
		{PassFilter, len(p.postHaving) > 0},
		{PassTotal, true},
		{PassRank, p.NeedsAllCells() || p.unsorted != nil},
		{PassPage, true},
		{PassSummarize, p.summary != nil},
		{PassWarn, true},
	} {
		if pass.needed {
			list = append(list, pass.Pass)
		}
	}
	return list
}

// bindPasses plans what the passes of package answer do after the store has answered.
func (b *binder) bindPasses(q query.Query) error {
	b.rollup, b.snapshotKey = q.Rollup, -1
	if h := b.model.reported(); h != nil {
		b.snapshotKey = b.keyNamed(h.By().Name)
	}
	for _, step := range []func(query.Query) error{b.checkShares, b.bindTop, b.bindFill, b.bindComparison, b.bindSubtotals} {
		if err := step(q); err != nil {
			return err
		}
	}
	needed := slices.Clone(b.aggregates)
	for _, h := range slices.Concat(b.postHaving, b.nodeHaving) {
		needed = append(needed, h.Aggregate)
	}
	if slices.ContainsFunc(needed, func(a Aggregate) bool { return a.Uses(cube.ShareOfParent) }) {
		b.parentKeys = b.keysOfParents()
	}
	return nil
}

// drillsSnapshots tells whether the cells are snapshots of the same money.
func (b *binder) drillsSnapshots() bool { return b.summary != nil }

// checkShares refuses shares of a sum that would add snapshots of the same money.
func (b *binder) checkShares(q query.Query) error {
	if !b.drillsSnapshots() {
		return nil
	}
	by, parents := b.model.History().By().Name, b.keysOfParents()
	parent := b.keys[:parents[len(parents)-1]] // there are steps, since snapshots are drilled
	hasBy := slices.ContainsFunc(parent, func(c cube.Column) bool { return c.Name == by })
	for _, h := range slices.Concat(b.postHaving, b.nodeHaving) {
		if h.isOnShare() { // the cells of the summary are others and have other shares
			return cube.Errorf(cube.CodeBadSyntax, "%s would be another in each of the statements of the same money", h.Aggregate.Name).
				At(positionOf(q, h.Aggregate)).WithHint("cut " + by)
		}
	}
	for _, a := range b.aggregates {
		if a.Uses(cube.Share) || a.Uses(cube.ShareOfParent) && !hasBy {
			return cube.Errorf(cube.CodeBadSyntax, "%s would be of statements of the same money added up", a.Name).
				At(positionOf(q, a)).WithHint("cut " + by + ", or drill it first and ask share_of_parent")
		}
	}
	return nil
}

// positionOf gives the position where an aggregate was asked.
func positionOf(q query.Query, a Aggregate) cube.Position {
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
	return cube.Position{Parameter: "aggregates"}
}

// keysOfParents gives for each step how many of the first keys of its cells identify their parent.
//
// share_of_parent divides by the parent of a cell. The parent has the keys of the levels that are drilled before the
// cell's level. If none of these is in the path of that level, the parent has the keys of its parent level too. So the
// parent of R/23/1 is R, whether R is drilled before it or not, and below a year it is R in that year. In a rollup the
// subtotal before the rows of a hierarchy is their parent.
func (b *binder) keysOfParents() []int {
	parents := make([]int, len(b.steps))
	before := 0
	for i, step := range b.steps {
		level, _ := b.model.LevelOfKey(step.Ref)
		parents[i] = before
		if !b.flat && !slices.ContainsFunc(b.keys[:before], func(c cube.Column) bool { return slices.Contains(level.Path, c.Name) }) {
			above, _ := b.model.LevelOfKey(level.Parent) // without a parent level the path is empty
			parents[i] += len(above.Path)
		}
		before = step.Keys
	}
	return parents
}

func (b *binder) bindTop(q query.Query) error {
	p := b.Plan
	switch {
	case q.Top == 0 && q.Remainder:
		return cube.Errorf(cube.CodeBadSyntax, "there is no remainder without top").At(cube.Position{Parameter: "remainder"}).
			WithHint("add top=10")
	case q.Top == 0:
		return nil
	case len(p.steps) == 0:
		return cube.Errorf(cube.CodeBadSyntax, "top needs a drilldown").At(cube.Position{Parameter: "top"}).
			WithHint("name the levels to group by")
	case q.Remainder && b.drillsSnapshots() && p.snapshotKey >= b.lastStepStart():
		by := b.model.History().By().Name
		return cube.Errorf(cube.CodeBadSyntax, "the remainder would add statements of the same money").
			At(cube.Position{Parameter: "remainder"}).WithHint("drill " + by + " first")
	}
	rank := slices.IndexFunc(p.order, func(s Sort) bool { return s.By == ByAggregate })
	p.top = &Top{q.Top, rank, q.Remainder}
	return nil
}

// lastStepStart gives the index of the first key that the last step adds.
func (b *binder) lastStepStart() int {
	if n := len(b.steps); n > 1 {
		return b.steps[n-2].Keys
	}
	return 0
}

// bindFill finds the axis whose gaps are to be filled: the fiscal year, or the one key that is a whole number.
func (b *binder) bindFill(q query.Query) error {
	at := cube.Position{Parameter: "fill"}
	switch {
	case q.Fill == query.FillNone:
		return nil
	case len(q.Having) > 0:
		return cube.Errorf(cube.CodeBadSyntax, "having leaves cells out, which fill would take for gaps").At(at).
			WithHint("ask without fill or without having")
	}
	axis := b.fillAxis()
	if axis < 0 {
		return cube.Errorf(cube.CodeBadValue, "fill needs one axis of whole numbers in the drilldown").At(at).WithHint(b.wholeLevels())
	}
	if name := b.keys[axis].Name; b.isCutByLabels(name) {
		return cube.Errorf(cube.CodeBadValue, "%s is cut by labels, which fill would take for gaps", name).At(at).
			WithHint("cut its keys")
	}
	b.fill = &GapFill{q.Fill, axis}
	return nil
}

// fillAxis gives the index of the key to fill, or -1 if there is none, or several could be meant.
func (b *binder) fillAxis() int {
	whole := func(c cube.Column) bool { return c.Type == cube.TypeInteger }
	keys := b.keys
	year := slices.IndexFunc(keys, func(c cube.Column) bool { return whole(c) && c.FiscalYear })
	first := slices.IndexFunc(keys, whole)
	if year >= 0 || first < 0 || slices.ContainsFunc(keys[first+1:], whole) {
		return year
	}
	return first
}

// wholeLevels names the levels of whole numbers, for a hint.
func (b *binder) wholeLevels() string {
	var refs []string
	for _, l := range b.model.Levels() {
		if l.Type == cube.TypeInteger {
			refs = append(refs, l.Ref)
		}
	}
	return cmp.Or(strings.Join(refs, ", "), "no level of the package") + " holds whole numbers"
}

// bindSubtotals plans a statement for each step whose subtotals a sum of cells would get wrong: the cells are snapshots of
// the same money, and the subtotal must count only one.
func (b *binder) bindSubtotals(q query.Query) error {
	p := b.Plan
	p.subtotals = make([]*Statement, len(p.steps))
	if !b.drillsSnapshots() {
		return nil
	}
	parameter := "top" // it sorts its groups by their subtotals
	if p.rollup {
		parameter = "rollup"
	}
	for i, step := range p.steps {
		if !p.rollup && p.top == nil || p.snapshotKey < step.Keys {
			continue
		}
		if p.comparison != nil || len(p.having)+len(p.postHaving) > 0 {
			return cube.Errorf(cube.CodeBadSyntax, "subtotals of %s would add statements of the same money", step.Ref).
				At(cube.Position{Parameter: parameter}).
				WithHint("drill " + b.model.History().By().Name + " first, or ask without compare and having")
		}
		subtotals, err := Bind(b.cube, drilling(q, b.levelsWithin(step.Keys), allCells))
		if err != nil {
			return err
		}
		p.subtotals[i] = subtotals.main
	}
	return nil
}

// levelsWithin gives the drilled levels whose keys are all among the first n.
func (b *binder) levelsWithin(n int) []cube.Level {
	count := 0
	for count < len(b.drilled) && len(pathsOf(b.drilled[:count+1])) <= n {
		count++
	}
	return b.drilled[:count]
}
