package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Comparison sets the same question, moved along an axis of whole numbers, beside a question: mostly each year beside
// the year before. A position is where a cell lies on the axis, and of which snapshot it is; its counterpart is the
// position that it is compared with.
//
//  1. A position without a counterpart is compared with nothing, and so is every sum that it is a part of: eight years
//     beside seven would show a change that nobody made.
//  2. Of fiscal years, and of the snapshots of a package, it is known before any row is read which have rows, whatever
//     else is cut. Then a cell that only one side has is new or gone. Elsewhere the cells of both sides have to show
//     which positions have counterparts.
//  3. A level that is empty in one of two years cannot be compared across them: a cut on it leaves that year no row,
//     and drilled all its rows are of the missing member. Such a year has no counterpart.
//  4. Equal snapshots are compared: each period with the snapshot that counts of the later one. Where snapshots are
//     drilled, each is compared with its own counterpart.
//  5. Where the axis is only cut, nothing is compared unless every position has a counterpart.
type Comparison struct {
	Axis          cube.Column
	Key           int // of the axis among the keys; -1 where it is only cut
	Offset        int64
	PositionKeys  []int           // the keys that the position of a cell is made of
	Cut           []cube.Value    // the positions on the axis where it is only cut
	Matched       map[string]bool // the positions with a counterpart, by Position; nil where the cells have to show it
	Earlier       *Statement      // what stands beside the answer; nil where nothing is there to compare with
	RowsPart      int             // among the parts: how many rows a cell is of, where it may be of none; else -1
	Unmatched     []Unmatched     // the positions that are known to have no counterpart
	PartialYears  []string        // the measures that one side has in years which the other has not
	SumsManyYears bool            // the answer adds several years up
}

// Unmatched is a position without a counterpart, and why. Its texts are in package prose.
type Unmatched struct {
	Kind UnmatchedKind
	Args []any
}

// UnmatchedKind says why a position has no counterpart, and what the arguments of the text are.
type UnmatchedKind int

// The reasons.
const (
	NoRowsOfYear       UnmatchedKind = iota // the year, and the other one, which has no rows
	LevelEmptyInYear                        // the year, the levels that are empty in one of the two, and in which
	NoSnapshot                              // the snapshot, its field, and the other snapshot, in a package that is one period
	NoSnapshotOfPeriod                      // the same, and the period of the other
	NoCellsThere                            // the position, and the other one, of which the cuts let no row pass
	NoCellsHere                             // the position, of which the cuts let no row pass
	NoPosition                              // the axis, on which some rows have no value
	NoNumber                                // the position; the number so far away is too great
)

// Position tells where the keys of a cell lie. Where nothing of it is drilled all cells lie at one position.
func (c *Comparison) Position(keys []cube.Value) string {
	position := make([]cube.Value, len(c.PositionKeys))
	for i, key := range c.PositionKeys {
		position[i] = keys[key]
	}
	return cube.KeysID(position)
}

// bindRoles gives every aggregate its three values of comparison along the axis, behind it.
func (b *binder) bindRoles(q query.Query) (err error) {
	if q.Compare == nil {
		return nil
	}
	if b.axis, err = b.axisOf(q.Compare.Ref); err != nil {
		return err
	}
	var all []Aggregate
	for _, a := range b.aggregates {
		all = append(all, a, a.inRole(query.RoleEarlier, a.Scale), a.inRole(query.RoleDifference, a.Scale),
			a.inRole(query.RolePercentage, ratioScale))
	}
	b.aggregates = all
	return nil
}

// axisOf gives the level of whole numbers that a ref names, or the only one of the dimension that it names.
func (b *binder) axisOf(ref query.Ref) (cube.Column, error) {
	level, named, err := b.model.level(ref)
	whole := []cube.Level{level}
	if dimension, _ := b.model.Dimension(ref.Name); !named {
		whole = slices.DeleteFunc(slices.Clone(dimension.Levels), func(l cube.Level) bool { return l.Type != cube.TypeInteger })
	}
	switch {
	case err != nil:
		return cube.Column{}, err
	case len(whole) > 1:
		return cube.Column{}, cube.Errorf(cube.CodeAmbiguousRef, "dimension %q has %d levels of whole numbers", ref.Name, len(whole)).
			At(ref.At).WithHint("name one of them: " + strings.Join(refsOf(whole), ", "))
	case len(whole) == 0 || whole[0].Type != cube.TypeInteger || named && ref.Name != level.Ref:
		return cube.Column{}, cube.Errorf(cube.CodeBadValue, "%q is no axis of whole numbers", ref.Name).At(ref.At).
			WithHint(b.wholeLevels())
	}
	column, _ := b.model.Column(whole[0].Ref)
	return column, nil
}

func (b *binder) bindComparison(q query.Query) error {
	if q.Compare == nil {
		return nil
	}
	at := q.Compare.Ref.At
	if err := b.checkAxis(at); err != nil {
		return err
	}
	c := comparer{binder: b, Comparison: &Comparison{Axis: b.axis, Key: b.keyNamed(b.axis.Name), Offset: q.Compare.Offset,
		RowsPart: -1, SumsManyYears: b.AddsYears(0)}}
	for i, k := range b.keys {
		if h := b.model.history(); i == c.Key || h != nil && h.position(b.axis) >= 0 && h.position(k) >= 0 || i == b.snapshotKey {
			c.PositionKeys = append(c.PositionKeys, i)
		}
	}
	bind := c.compareValues
	if b.axis.FiscalYear && b.cube.Coverage != nil { // it is known which years have rows
		c.byYears = true
		bind = c.compareYears
	}
	if err := bind(at); err != nil {
		return err
	}
	if c.Earlier == nil {
		c.Matched = nil
	} else if len(b.keys) == 0 { // there is one cell on each side, also of no rows
		c.RowsPart = len(b.parts)
		b.parts = append(b.parts, Part{Func: cube.Rows})
		c.Earlier.parts = append(c.Earlier.parts, Part{Func: cube.Rows})
	}
	b.comparison = c.Comparison
	return nil
}

// checkAxis refuses an axis that a question cannot be moved along.
func (b *binder) checkAxis(at cube.Position) error {
	if !b.restricts(b.axis.Name, b.drilled) {
		return cube.Errorf(cube.CodeBadValue, "%s is neither drilled nor cut, so there is nothing to move along it", b.axis.Name).
			At(at).WithHint("add it to the drilldown, or cut it")
	}
	if b.isCutByLabels(b.axis.Name) {
		return cube.Errorf(cube.CodeBadValue, "%s is cut by labels, which do not move along it", b.axis.Name).At(at).
			WithHint("cut its keys")
	}
	if b.countsAll {
		return cube.Errorf(cube.CodeBadValue, "periods have different numbers of statements of the same money").At(at).
			WithHint("ask without snapshots=all")
	}
	return nil
}

// restricts tells whether the levels drill the field or a cut names it.
func (b *binder) restricts(field string, drilled []cube.Level) bool {
	return slices.Contains(pathsOf(drilled), field) ||
		slices.ContainsFunc(b.FiltersAsked(), func(f Filter) bool { return f.Names(field) })
}

// isCutByLabels tells whether a cut selects by label members whose path has the field.
func (b *binder) isCutByLabels(field string) bool {
	hasField := func(c cube.Column) bool { return c.Name == field }
	return slices.ContainsFunc(b.filters, func(f Filter) bool {
		return slices.ContainsFunc(f.Any, func(tests []Test) bool {
			return slices.ContainsFunc(tests, func(t Test) bool {
				return t.Members != nil && slices.ContainsFunc(t.Members.Path, hasField)
			})
		})
	})
}

// comparer makes a Comparison.
type comparer struct {
	*binder
	*Comparison
	byYears  bool
	gapYears []cube.Value // the counterparts of the years without rows that fill puts between those asked
}

// compareYears compares the years that the question is about, and no others: an open or an inverted cut, moved, would
// admit years that its own side has not.
func (c *comparer) compareYears(at cube.Position) error {
	years := c.Years()
	if h := c.model.history(); len(years) > 1 && c.Key < 0 && c.snapshotKey >= 0 && h.position(c.Axis) >= 0 {
		return cube.Errorf(cube.CodeBadValue, "the years have different statements of the same money").At(at).
			WithHint("drill " + c.Axis.Name + " too, or cut one year")
	}
	c.gapYears = c.counterpartsOfGaps(years)
	there := slices.Clone(c.gapYears)
	for _, year := range years {
		c.Cut = append(c.Cut, cube.Integer(year))
		if other, ok := cube.Integer(year).Shifted(c.Offset); ok && len(c.levelsEmptyInOne(year, year+c.Offset)) == 0 {
			there = append(there, other)
		}
	}
	slices.SortFunc(there, cube.Value.Compare)
	matched := c.matchYears(years)
	if len(there) > 0 {
		cut := Filter{Ref: c.Axis.Name, Any: [][]Test{{{Column: c.Axis, In: there}}}}
		c.bindEarlier(append(c.movedFilters(true), cut))
	}
	c.markPartialYears(matched)
	return nil
}

// matchYears notes and gives the years that have rows as far from them in the same levels, and why others have none.
// Rows without a year have no position.
func (c *comparer) matchYears(asked []int64) (matched []int64) {
	for _, year := range asked {
		if reason, unmatched := c.whyUnmatched(year, year+c.Offset); unmatched {
			c.Unmatched = append(c.Unmatched, reason)
			continue
		}
		c.setMatched(func(cube.Column) cube.Value { return cube.Integer(year) })
		matched = append(matched, year)
	}
	if c.Axis.Missing > 0 && c.Admits(c.Axis, cube.Missing) {
		c.Unmatched = append(c.Unmatched, Unmatched{NoPosition, []any{c.Axis.Name}})
	}
	return matched
}

// whyUnmatched says why a year has no counterpart in another, if so.
func (c *comparer) whyUnmatched(year, there int64) (Unmatched, bool) {
	if !slices.Contains(c.cube.Coverage.Years, there) {
		return Unmatched{NoRowsOfYear, []any{year, there}}, true
	}
	for _, years := range [][2]int64{{there, year}, {year, there}} {
		if levels := c.levelsEmptyOnlyIn(years[0], years[1]); len(levels) > 0 {
			return Unmatched{LevelEmptyInYear, []any{year, strings.Join(levels, ", "), years[0]}}, true
		}
	}
	return Unmatched{}, false
}

// levelsEmptyOnlyIn names the levels drilled or cut that are empty in a year and not in another.
func (c *comparer) levelsEmptyOnlyIn(year, other int64) []string {
	isEmpty := func(field string, year int64) bool { return len(c.cube.Coverage.Gap(field, []int64{year})) > 0 }
	return slices.DeleteFunc(c.FieldsAsked(), func(field string) bool { return !isEmpty(field, year) || isEmpty(field, other) })
}

// levelsEmptyInOne names the levels drilled or cut that are empty in one of two years alone.
func (c *comparer) levelsEmptyInOne(year, other int64) []string {
	return append(c.levelsEmptyOnlyIn(year, other), c.levelsEmptyOnlyIn(other, year)...)
}

// counterpartsOfGaps gives the years that stand beside those which fill puts between the years asked: there are no rows
// of them.
func (c *comparer) counterpartsOfGaps(asked []int64) []cube.Value {
	if c.fill == nil || c.fill.Axis != c.Key || len(asked) == 0 {
		return nil
	}
	var there []cube.Value
	for _, year := range c.cube.Coverage.Years {
		value, _ := cube.Integer(year).Shifted(-c.Offset)
		gap, ok := value.Int()
		if ok && asked[0] < gap && gap < asked[len(asked)-1] && !slices.Contains(c.cube.Coverage.Years, gap) && c.Admits(c.Axis, value) {
			there = append(there, cube.Integer(year))
		}
	}
	return there
}

// setMatched notes that a position has a counterpart; value gives what it has in the columns of its keys.
func (c *comparer) setMatched(value func(cube.Column) cube.Value) {
	if c.Matched == nil {
		c.Matched = map[string]bool{}
	}
	var position []cube.Value
	for _, key := range c.PositionKeys {
		position = append(position, value(c.keys[key]))
	}
	c.Matched[cube.KeysID(position)] = true
}

// compareValues compares along an axis of which it is not known where rows are, unless it is one of those that
// name the periods of snapshots.
func (c *comparer) compareValues(at cube.Position) error {
	h := c.model.history()
	hasPeriods := h != nil && c.snapshotKey < 0 && h.position(c.Axis) >= 0 && c.Axis.Name != h.By().Name
	if value, only := c.OnlyValue(c.Axis); only {
		c.Cut = []cube.Value{value}
	} else if c.Key < 0 && !hasPeriods {
		return cube.Errorf(cube.CodeBadValue, "%s is compared where it is drilled, or cut to one value", c.Axis.Name).At(at).
			WithHint("add it to the drilldown")
	}
	c.bindEarlier(c.movedFilters(false))
	return nil
}

// bindEarlier plans the statement of the other side, with the cuts moved along the axis.
func (c *comparer) bindEarlier(filters []Filter) {
	other := selection{cube: c.cube, parts: slices.Clone(c.parts), filters: filters}
	for i := range other.parts {
		other.parts[i].Guarded = false
	}
	lacking := len(c.Unmatched) > 0 // years without rows
	if c.model.history() != nil && !c.alignSnapshots(&other) {
		return
	}
	if c.snapshotKey < 0 {
		lacking = len(c.Unmatched) > 0 // and snapshots
	}
	if c.Key >= 0 || !lacking {
		c.Earlier = c.statement(other, c.keyOrder(), allCells)
	}
}

// movedFilters gives the cuts further along the axis, without those on the axis alone where it is cut anew.
func (c *comparer) movedFilters(cutAnew bool) []Filter {
	var filters []Filter
	for _, f := range c.FiltersAsked() {
		if !cutAnew || !f.OnlyOf([]cube.Column{c.Axis}) {
			filters = append(filters, f.moved(c.Axis, c.Offset))
		}
	}
	return filters
}

// moved is the same filter further along the axis. It has no text: it is no filter that anybody asked for.
func (f Filter) moved(axis cube.Column, offset int64) Filter {
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

// moved is the same test further along its axis. A value that would be too great a number is left out, and a bound that
// would be stays. The missing value does not move.
func (t Test) moved(offset int64) Test {
	m := t
	m.In = nil
	for _, v := range t.In {
		if other, ok := v.Shifted(offset); ok || v.IsMissing() {
			m.In = append(m.In, other)
		}
	}
	if len(t.In) > 0 && len(m.In) == 0 {
		m.From, m.To = cube.Integer(1), cube.Integer(0) // nothing is between
		return m
	}
	if from, ok := t.From.Shifted(offset); ok {
		m.From = from
	}
	if to, ok := t.To.Shifted(offset); ok {
		m.To = to
	}
	return m
}

// alignSnapshots has the other side count the snapshots that those of this side are compared with, and notes which
// are not there; false where none is. Where the axis is no column of theirs it is not known where they are.
func (c *comparer) alignSnapshots(other *selection) bool {
	h, drilled := c.model.history(), c.snapshotKey >= 0
	at := h.position(c.Axis)
	if at < 0 {
		c.Matched = nil
		return drilled || other.countPeriods(h.admitted(other.filters), h.lastSnapshot)
	}
	later, there := c.periods, h.admitted(other.filters)
	if !drilled {
		later, there = lastOnly(later), h.Periods
		c.Unmatched = slices.DeleteFunc(slices.Clone(c.Unmatched), func(u Unmatched) bool { return u.Kind != LevelEmptyInYear })
	}
	pairs, alone := h.aligned(later, there, at, c.Offset)
	if c.byYears {
		pairs, alone = c.withLevels(pairs, at), c.withLevels(alone, at)
	}
	c.Matched = map[string]bool{}
	for _, pair := range pairs {
		c.setMatched(func(k cube.Column) cube.Value { return pair.here[h.position(k)] })
	}
	for _, pair := range alone {
		if year, _ := pair.there[at].Int(); !drilled || !c.byYears || slices.Contains(c.cube.Coverage.Years, year) {
			c.Unmatched = append(c.Unmatched, h.unmatched(pair, !drilled))
		}
	}
	if drilled {
		return len(pairs)+len(c.gapYears) > 0
	}
	return other.countPeriods(c.withGaps(periodsThere(pairs), h.admitted(other.filters), at), h.lastOfEach)
}

// countPeriods counts the last snapshots of periods, unless there are none.
func (s *selection) countPeriods(periods []cube.Period, filter func([]cube.Period) Filter) bool {
	if len(periods) == 0 {
		return false
	}
	s.periods = periods
	s.guardBy(filter(periods))
	return true
}

// snapshotPair is a snapshot beside the one that it is compared with: the values of the columns of both.
type snapshotPair struct{ here, there []cube.Value }

// aligned sets the snapshots of the later periods beside those so far along the axis, as far as they are there, and
// gives those that are not.
func (h *history) aligned(later, there []cube.Period, axis int, offset int64) (pairs, alone []snapshotPair) {
	for _, p := range later {
		for _, s := range p.Snapshots {
			pair := snapshotPair{here: append(slices.Clone(p.Key), s.Value)}
			pair.there = slices.Clone(pair.here)
			var moves bool
			if pair.there[axis], moves = pair.here[axis].Shifted(offset); moves && hasSnapshot(there, pair.there) {
				pairs = append(pairs, pair)
			} else {
				alone = append(alone, pair)
			}
		}
	}
	return pairs, alone
}

// hasSnapshot tells whether a snapshot is among those of the periods.
func hasSnapshot(periods []cube.Period, values []cube.Value) bool {
	end := len(values) - 1
	return slices.ContainsFunc(periods, func(p cube.Period) bool {
		return slices.Equal(p.Key, values[:end]) &&
			slices.ContainsFunc(p.Snapshots, func(s cube.Snapshot) bool { return s.Value == values[end] })
	})
}

// lastOnly leaves each period the snapshot that counts.
func lastOnly(periods []cube.Period) []cube.Period {
	last := make([]cube.Period, len(periods))
	for i, p := range periods {
		last[i] = cube.Period{Key: p.Key, Snapshots: []cube.Snapshot{p.Last()}}
	}
	return last
}

// periodsThere gives the periods of the snapshots that others are compared with, each with that one alone.
func periodsThere(pairs []snapshotPair) []cube.Period {
	periods := make([]cube.Period, len(pairs))
	for i, pair := range pairs {
		end := len(pair.there) - 1
		periods[i] = cube.Period{Key: pair.there[:end], Snapshots: []cube.Snapshot{{Value: pair.there[end]}}}
	}
	return periods
}

// withLevels leaves out the snapshots of years that have no counterpart for their levels.
func (c *comparer) withLevels(pairs []snapshotPair, year int) []snapshotPair {
	return slices.DeleteFunc(pairs, func(p snapshotPair) bool {
		here, _ := p.here[year].Int()
		there, _ := p.there[year].Int()
		return len(c.levelsEmptyInOne(here, there)) > 0
	})
}

// withGaps adds the periods of the years that are counterparts of gaps, each with the last snapshot of those admitted.
func (c *comparer) withGaps(periods, admitted []cube.Period, axis int) []cube.Period {
	for _, p := range admitted {
		if len(c.gapYears) > 0 && slices.Contains(c.gapYears, p.Key[axis]) { // without gaps the axis may be no key of periods
			periods = append(periods, cube.Period{Key: p.Key, Snapshots: []cube.Snapshot{p.Last()}})
		}
	}
	slices.SortFunc(periods, func(a, b cube.Period) int { return slices.CompareFunc(a.Key, b.Key, cube.Value.Compare) })
	return periods
}

// unmatched says that a snapshot is not there. Where only one of a period counts, the period says which is meant.
func (h *history) unmatched(pair snapshotPair, onlyLast bool) Unmatched {
	end := len(h.Columns) - 1
	here := pair.here
	if onlyLast {
		here = here[:end]
	}
	args := []any{here, h.By().Name, pair.there[end]}
	if end == 0 {
		return Unmatched{NoSnapshot, args}
	}
	return Unmatched{NoSnapshotOfPeriod, append(args, pair.there[:end])}
}

// markPartialYears marks the roles of aggregates whose measures have no amounts in some of the years that have a
// counterpart. Where those are other years than their counterparts, a sum over several would compare one number of
// years with another; and a cell that only one side has may be one that the other side had no amounts for.
func (c *comparer) markPartialYears(years []int64) {
	p, missing := c.Plan, map[string][]int64{}
	for _, name := range measuresOf(p.aggregates) {
		here, there := c.cube.Coverage.Gap(name, years), c.cube.Coverage.Gap(name, yearsShifted(years, c.Offset))
		missing[name] = append(here, yearsShifted(there, -c.Offset)...)
		if !slices.Equal(yearsShifted(here, c.Offset), there) {
			c.PartialYears = append(c.PartialYears, name)
		}
	}
	for i, a := range p.aggregates {
		if a.Role == "" {
			continue
		}
		for _, name := range a.Measures() {
			a.YearsMissing = append(a.YearsMissing, missing[name]...)
		}
		a.YearsDiffer = slices.ContainsFunc(a.Measures(), func(name string) bool { return slices.Contains(c.PartialYears, name) })
		mixedThere := p.mixesYears(a, yearsShifted(years, c.Offset))
		if a.Role == query.RoleEarlier { // it goes by the years there alone, unless those asked mix the formula
			a.YearsDiffer, a.MixesYears = a.YearsDiffer && !a.MixesYears, false
		}
		a.MixesYears = a.MixesYears || mixedThere
		p.aggregates[i] = a
	}
}

// yearsShifted gives years so many later.
func yearsShifted(years []int64, offset int64) []int64 {
	list := make([]int64, len(years))
	for i, year := range years {
		list[i] = year + offset
	}
	return list
}
