package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Comparison compares a question with the same question moved along an axis of whole numbers, such as each year with the
// year before. The point of a cell is its value on the axis together with its snapshot. The counterpart of a point is
// the point that it is compared with.
//
//  1. A point without a counterpart is compared with nothing, and so is every sum that includes it: a sum of eight
//     years against one of seven would show a change that never happened.
//  2. The catalogue knows which fiscal years and which snapshots have rows, whatever the cuts. On such an axis a cell that
//     only one side has is new or gone. On any other axis the cells of both sides show which points have counterparts.
//  3. A level that is empty in one of two years cannot be compared across them: with a cut on it that year has no rows,
//     and in the drilldown all rows of that year have the missing member. Such a year has no counterpart. Nor has a year
//     whose codes of such a level are of another edition: they mean other things, but for members that the overlay says are
//     the same (crossing).
//  4. Equal snapshots are compared: the snapshot counted for the later period, with the same one of the earlier period.
//     If the drilldown has snapshots, each is compared with its own counterpart.
//  5. A measure that adds up over snapshots (cube.Measure.Flow) adds up those of the earlier period up to that same one.
//  6. If the axis is only cut, nothing is compared unless every point has a counterpart.
type Comparison struct {
	Axis               cube.Column
	Key                int // index of the axis among the keys; -1 if it is only cut
	Offset             int64
	pointKeys          []int                // indexes of the keys that make the point of a cell
	Cut                []cube.Value         // the points on an axis that is only cut
	WithCounterpart    map[string]bool      // the points with a counterpart, by Point; nil if only the cells can show them
	Earlier            *Statement           // answers the other side; nil if there is nothing to compare with
	SameSnapshots      []cube.Period        // the periods of the other side with the snapshots counted there, if the cuts admit several of one
	RowsPart           int                  // index of the part that counts the rows of a cell that may have none; else -1
	WithoutCounterpart []WithoutCounterpart // the points that are known to have no counterpart
	PartialYears       []string             // the measures that have amounts in other years on one side than on the other
	SumsManyYears      bool                 // the answer adds up several years
	CutSame            []SamePair           // the members that cuts alone name, and those of other editions that they are compared with
	CutLabels          []*Statement         // answer the labels of these members
	crossing           *crossing            // nil if nothing is compared across editions
	filtersHere        []Filter
}

// WithoutCounterpart says why a point has no counterpart. Its texts are in package prose.
type WithoutCounterpart struct {
	Kind CounterpartReason
	Args []any
}

// Fields are names of fields among the arguments.
type Fields []string

// CounterpartReason is a reason. It determines the arguments of the text.
type CounterpartReason int

// The reasons.
const (
	NoRowsOfYear       CounterpartReason = iota // the year, and the other year, which has no rows
	LevelEmptyInYear                            // the year, the levels that are empty in one of the two years, and that year
	NumberedAnew                                // the year, the levels whose codes mean other things in the other year, and that year
	NoSnapshot                                  // the snapshot, its field, and the missing snapshot, in a package of one period
	NoSnapshotOfPeriod                          // the same, and the period of the missing snapshot
	NoCellsThere                                // the point, and the other point, at which no row passes the cuts
	NoCellsHere                                 // the point, at which no row passes the cuts
	NoPoint                                     // the axis, on which some rows have no value
	NoNumber                                    // the point, whose counterpart would be too great a number
	NoSameMember                                // the year, and the other year, in which some members are the same as none
	OtherSpelling                               // the year, a label that is cut, and how it is written in a year, and that year
)

// Point gives the point of a cell by its keys. If no key belongs to it, all cells have the same point.
func (c *Comparison) Point(keys []cube.Value) string {
	point := make([]cube.Value, len(c.pointKeys))
	for i, key := range c.pointKeys {
		point[i] = keys[key]
	}
	return KeysID(point)
}

// bindRoles adds, after every aggregate, the three aggregates that compare it along the axis.
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
	level, isField, err := b.model.level(ref)
	whole := []cube.Level{level}
	if dimension, _ := b.model.Dimension(ref.Name); !isField {
		whole = slices.DeleteFunc(slices.Clone(dimension.Levels), func(l cube.Level) bool { return l.Type != cube.TypeInteger })
	}
	switch {
	case err != nil:
		return cube.Column{}, err
	case len(whole) > 1:
		return cube.Column{}, cube.Errorf(cube.CodeAmbiguousRef, "dimension %q has %d levels of whole numbers", ref.Name, len(whole)).
			At(ref.At).WithHint("name one of them: " + strings.Join(refsOf(whole), ", "))
	case len(whole) == 0 || whole[0].Type != cube.TypeInteger || isField && ref.Name != level.Ref:
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
		RowsPart: -1, SumsManyYears: b.AddsYears(0), filtersHere: b.FiltersAsked()}}
	for i, k := range b.keys {
		if h := b.model.reported(); i == c.Key || h != nil && h.indexOf(b.axis) >= 0 && h.indexOf(k) >= 0 || i == b.snapshotKey {
			c.pointKeys = append(c.pointKeys, i)
		}
	}
	bind := c.compareValues
	if b.axis.FiscalYear && b.cube.Coverage != nil { // the catalogue knows which years have rows
		c.byYears = true
		bind = c.compareYears
	}
	if err := bind(at); err != nil {
		return err
	}
	if c.Earlier == nil {
		c.WithCounterpart = nil
	} else if len(b.keys) == 0 { // each side has one cell, even without rows
		c.RowsPart = len(b.parts)
		b.parts = append(b.parts, Part{Func: cube.Rows})
		c.Earlier.parts = append(c.Earlier.parts, Part{Func: cube.Rows})
	}
	b.comparison = c.Comparison
	return nil
}

// checkAxis refuses an axis along which the question cannot be moved.
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

// restricts tells whether the field is among the paths of the levels, or in a cut.
func (b *binder) restricts(field string, drilled []cube.Level) bool {
	return slices.Contains(pathsOf(drilled), field) ||
		slices.ContainsFunc(b.FiltersAsked(), func(f Filter) bool { return f.Names(field) })
}

// isCutByLabels tells whether a cut selects, by label, members whose path has the field.
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
	gapYears []cube.Value // the counterparts of the years that fill adds between those asked
}

// compareYears compares only the years that the question asks for. An open or inverted cut, moved along the axis, could
// admit others.
func (c *comparer) compareYears(at cube.Position) error {
	years := c.Years()
	if h := c.model.reported(); len(years) > 1 && c.Key < 0 && c.snapshotKey >= 0 && h.indexOf(c.Axis) >= 0 {
		return cube.Errorf(cube.CodeBadValue, "the years have different statements of the same money").At(at).
			WithHint("drill " + c.Axis.Name + " too, or cut one year")
	}
	c.bindCrossing(years)
	c.gapYears = c.counterpartsOfGaps(years)
	there := slices.Clone(c.gapYears)
	for _, year := range years {
		c.Cut = append(c.Cut, cube.Integer(year))
		if other, ok := cube.Integer(year).Shifted(c.Offset); ok && !c.differ(year, year+c.Offset) {
			there = append(there, other)
		}
	}
	slices.SortFunc(there, cube.Value.Compare)
	matched := c.matchYears(years)
	if len(there) > 0 {
		cut := Filter{Ref: c.Axis.Name, Any: [][]Test{{{Column: c.Axis, In: there}}}}
		c.bindEarlier(c.byYearsOfBoth(append(append(c.movedFilters(true), c.moveCuts(there)...), cut), there))
	}
	c.markPartialYears(matched)
	return nil
}

// matchYears marks and gives the years that have a counterpart, and notes why the others have none. Rows without a year
// have no point.
func (c *comparer) matchYears(asked []int64) (matched []int64) {
	for _, year := range asked {
		if reason, withoutCounterpart := c.whyNoCounterpart(year, year+c.Offset); withoutCounterpart {
			c.WithoutCounterpart = append(c.WithoutCounterpart, reason)
			continue
		}
		c.setCounterpart(func(cube.Column) cube.Value { return cube.Integer(year) })
		matched = append(matched, year)
	}
	if c.Axis.Missing > 0 && c.mayAdmitYear(c.Axis, cube.Missing) {
		c.WithoutCounterpart = append(c.WithoutCounterpart, WithoutCounterpart{NoPoint, []any{Fields{c.Axis.Name}}})
	}
	return matched
}

// whyNoCounterpart says why a year cannot be compared with another, if so.
func (c *comparer) whyNoCounterpart(year, there int64) (WithoutCounterpart, bool) {
	if !slices.Contains(c.cube.Coverage.Years, there) {
		return WithoutCounterpart{NoRowsOfYear, []any{year, there}}, true
	}
	for _, years := range [][2]int64{{there, year}, {year, there}} {
		if levels := c.levelsEmptyOnlyIn(years[0], years[1]); len(levels) > 0 {
			return WithoutCounterpart{LevelEmptyInYear, []any{year, Fields(levels), years[0]}}, true
		}
	}
	if levels := c.levelsNumberedAnew(year, there); len(levels) > 0 {
		return WithoutCounterpart{NumberedAnew, []any{year, Fields(levels), there}}, true
	}
	return WithoutCounterpart{}, false
}

// levelsEmptyOnlyIn names the drilled or cut levels that are empty in a year but not in another.
func (c *comparer) levelsEmptyOnlyIn(year, other int64) []string {
	isEmpty := func(field string, year int64) bool { return len(c.cube.Coverage.Gap(field, []int64{year})) > 0 }
	return slices.DeleteFunc(c.FieldsAsked(), func(field string) bool { return !isEmpty(field, year) || isEmpty(field, other) })
}

// levelsEmptyInOne names the drilled or cut levels that are empty in exactly one of two years.
func (c *comparer) levelsEmptyInOne(year, other int64) []string {
	return append(c.levelsEmptyOnlyIn(year, other), c.levelsEmptyOnlyIn(other, year)...)
}

// levelsNumberedAnew names the levels whose editions differ in two years, if the codes of a drilled or cut level belong to
// these editions.
func (c *comparer) levelsNumberedAnew(year, other int64) []string {
	var levels []string
	for _, level := range c.cube.Model.Levels() {
		column, has := c.model.Column(level.Edition)
		if !has || !slices.ContainsFunc(c.FieldsAsked(), func(field string) bool {
			asked, _ := c.model.Level(field)
			return slices.Contains(asked.Path, level.Edition)
		}) {
			continue
		}
		here, _ := column.From.Edition(year)
		if there, _ := column.From.Edition(other); here != there && !c.crosses(column, year, other) {
			levels = append(levels, level.Ref)
		}
	}
	return levels
}

// differ tells whether nothing can be compared across two years, because a level is empty or numbered anew in one of them.
func (c *comparer) differ(year, other int64) bool {
	return len(c.levelsEmptyInOne(year, other)) > 0 || len(c.levelsNumberedAnew(year, other)) > 0
}

// counterpartsOfGaps gives the counterparts of the years that fill adds between the years asked because they have no
// rows.
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

// setCounterpart marks a point as having a counterpart; value gives its value for each key of the point.
func (c *comparer) setCounterpart(value func(cube.Column) cube.Value) {
	if c.WithCounterpart == nil {
		c.WithCounterpart = map[string]bool{}
	}
	point := each.Of(c.pointKeys, func(key int) cube.Value { return value(c.keys[key]) })
	c.WithCounterpart[KeysID(point)] = true
}

// compareValues compares along an axis other than the fiscal year. Which of its values have rows is known only if it names
// the periods of snapshots.
func (c *comparer) compareValues(at cube.Position) error {
	h := c.model.reported()
	hasPeriods := h != nil && c.snapshotKey < 0 && h.indexOf(c.Axis) >= 0 && c.Axis.Name != h.By().Name
	if value, only := c.OnlyValue(c.Axis); only {
		c.Cut = []cube.Value{value}
	} else if c.Key < 0 && !hasPeriods {
		return cube.Errorf(cube.CodeBadValue, "%s is compared where it is drilled, or cut to one value", c.Axis.Name).At(at).
			WithHint("add it to the drilldown")
	}
	c.bindEarlier(byLabelYears(c.cube, c.movedFilters(false)))
	return nil
}

// byYearsOfBoth makes the cuts on labels of the other side go by the labels of the years of both sides, if the question cuts
// the years: a member that was renamed between them is compared with itself, and a code that was given to another thing with
// the one that the thing had.
func (c *comparer) byYearsOfBoth(filters []Filter, there []cube.Value) []Filter {
	asked := LabelYears(c.cube, c.FiltersAsked())
	if len(asked) == 0 {
		return withLabelYears(c.cube, filters, func(int) []Filter { return nil })
	}
	both := append(slices.Clone(there), each.Of(c.Years(), cube.Integer)...)
	cut := Filter{Ref: c.Axis.Name}
	cut.addExact(c.Axis, both)
	cut.text = cut.canonical()
	return withLabelYears(c.cube, filters, func(int) []Filter { return []Filter{cut} })
}

// bindEarlier plans the statement for the other side, with filters that were moved along the axis.
func (c *comparer) bindEarlier(filters []Filter) {
	other := selection{cube: c.cube, parts: slices.Clone(c.parts), filters: filters}
	for i := range other.parts {
		other.parts[i].Guarded = false
	}
	incomplete := len(c.WithoutCounterpart) > 0 // because of years
	if c.model.reported() != nil && !c.alignSnapshots(&other) {
		return
	}
	if c.snapshotKey < 0 {
		incomplete = len(c.WithoutCounterpart) > 0 // or of snapshots
	}
	if c.Key >= 0 || !incomplete {
		c.Earlier = c.statement(other, c.keyOrder(), allCells)
	}
}

// movedFilters moves the cuts along the axis. With cutAnew it leaves out those on the axis alone, for which the caller adds
// a new cut.
func (c *comparer) movedFilters(cutAnew bool) []Filter {
	var filters []Filter
	for _, f := range c.FiltersAsked() {
		if !cutAnew || !f.OnlyOf([]cube.Column{c.Axis}) && !c.isMoved(f) {
			filters = append(filters, f.moved(c.Axis, c.Offset))
		}
	}
	return filters
}

// moved is the filter moved along the axis. It has no text, since nobody asked for it.
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

// moved is the test moved along its axis. If a number becomes too great, a value is left out and a bound stays. The missing
// value does not move.
func (t Test) moved(offset int64) Test {
	m := t
	m.In = nil
	for _, v := range t.In {
		if other, ok := v.Shifted(offset); ok || v.IsMissing() {
			m.In = append(m.In, other)
		}
	}
	if len(t.In) > 0 && len(m.In) == 0 {
		m.From, m.To = cube.Integer(1), cube.Integer(0) // an empty range
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

// alignSnapshots makes the other side count the counterparts of the snapshots of this side, and notes which counterparts
// do not exist. It gives false if none exists. If the axis names neither snapshots nor periods, only the cells can show
// the counterparts.
func (c *comparer) alignSnapshots(other *selection) bool {
	h, drilled := c.model.reported(), c.snapshotKey >= 0
	at := h.indexOf(c.Axis)
	if at < 0 {
		c.WithCounterpart = nil
		return drilled || other.countPeriods(h.admitted(other.filters), h.lastSnapshot)
	}
	later, there := c.periods, h.admitted(other.filters)
	if !drilled {
		later, there = lastOnly(later), h.Periods
		c.WithoutCounterpart = slices.DeleteFunc(slices.Clone(c.WithoutCounterpart), func(u WithoutCounterpart) bool { return u.Kind != LevelEmptyInYear && u.Kind != NumberedAnew })
	}
	pairs, alone := h.aligned(later, there, at, c.Offset, !drilled)
	if c.byYears {
		pairs, alone = c.withLevels(pairs, at), c.withLevels(alone, at)
	}
	c.WithCounterpart = map[string]bool{}
	for _, pair := range pairs {
		c.setCounterpart(func(k cube.Column) cube.Value { return pair.here[h.indexOf(k)] })
	}
	for _, pair := range alone {
		if year, _ := pair.there[at].Int(); !drilled || !c.byYears || slices.Contains(c.cube.Coverage.Years, year) {
			c.WithoutCounterpart = append(c.WithoutCounterpart, h.withoutCounterpart(pair, !drilled))
		}
	}
	if drilled {
		return len(pairs)+len(c.gapYears) > 0
	}
	admitted := h.admitted(other.filters)
	periods := c.withGaps(periodsThere(pairs), admitted, at)
	if c.Axis.Name != h.By().Name && slices.ContainsFunc(admitted, func(p cube.Period) bool { return len(p.Snapshots) > 1 && hasPeriod(periods, p) }) {
		c.SameSnapshots = periods
	}
	if len(periods) > 0 && slices.ContainsFunc(other.parts, func(p Part) bool { return other.isFlow(p.Measure) }) {
		other.filters = append(other.filters, h.upToLast(periods))
	}
	return other.countPeriods(periods, h.lastOfEach)
}

// countPeriods adds the filter that counts the last snapshots of periods. It gives false if there are no periods.
func (s *selection) countPeriods(periods []cube.Period, filter func([]cube.Period) Filter) bool {
	if len(periods) == 0 {
		return false
	}
	s.periods = periods
	s.guardBy(filter(periods))
	return true
}

// snapshotPair is a snapshot and its counterpart: for each the values of the columns of the history.
type snapshotPair struct{ here, there []cube.Value }

// aligned pairs the snapshots of the later periods with their counterparts. Those whose counterpart does not exist are
// given as alone. Dates are no counterparts of each other as they are: those of one month of the years are, unless they are keys of cells.
func (h *reported) aligned(later, there []cube.Period, axis int, offset int64, byStage bool) (pairs, alone []snapshotPair) {
	for _, p := range later {
		for _, s := range p.Snapshots {
			pair := snapshotPair{here: append(slices.Clone(p.Key), s.Value)}
			pair.there = slices.Clone(pair.here)
			var moves bool
			pair.there[axis], moves = pair.here[axis].Shifted(offset)
			if end := len(p.Key); byStage && axis < end && !hasSnapshot(there, pair.there) {
				pair.there[end] = valueAt(s, there, pair.there[:end])
			}
			if moves && hasSnapshot(there, pair.there) {
				pairs = append(pairs, pair)
			} else {
				alone = append(alone, pair)
			}
		}
	}
	return pairs, alone
}

// valueAt gives the value of the last snapshot of another period that goes as far as a snapshot, which itself is given where there is none.
func valueAt(s cube.Snapshot, periods []cube.Period, key []cube.Value) cube.Value {
	value := s.Value
	for _, p := range periods {
		for _, other := range p.Snapshots {
			if slices.Equal(p.Key, key) && other.Stage == s.Stage {
				value = other.Value
			}
		}
	}
	return value
}

// hasSnapshot tells whether the periods have a snapshot.
func hasSnapshot(periods []cube.Period, values []cube.Value) bool {
	end := len(values) - 1
	return slices.ContainsFunc(periods, func(p cube.Period) bool {
		return slices.Equal(p.Key, values[:end]) &&
			slices.ContainsFunc(p.Snapshots, func(s cube.Snapshot) bool { return s.Value == values[end] })
	})
}

func hasPeriod(periods []cube.Period, of cube.Period) bool {
	return slices.ContainsFunc(periods, func(p cube.Period) bool { return slices.Equal(p.Key, of.Key) })
}

// lastOnly gives the periods with their last snapshot alone.
func lastOnly(periods []cube.Period) []cube.Period {
	return each.Of(periods, func(p cube.Period) cube.Period { return cube.Period{Key: p.Key, Snapshots: []cube.Snapshot{p.Last()}} })
}

// periodsThere gives the period of each counterpart, with that snapshot alone.
func periodsThere(pairs []snapshotPair) []cube.Period {
	periods := make([]cube.Period, len(pairs))
	for i, pair := range pairs {
		end := len(pair.there) - 1
		periods[i] = cube.Period{Key: pair.there[:end], Snapshots: []cube.Snapshot{{Value: pair.there[end]}}}
	}
	return periods
}

// withLevels leaves out the pairs of two years that cannot be compared because of a level.
func (c *comparer) withLevels(pairs []snapshotPair, year int) []snapshotPair {
	return slices.DeleteFunc(pairs, func(p snapshotPair) bool {
		here, _ := p.here[year].Int()
		there, _ := p.there[year].Int()
		return c.differ(here, there)
	})
}

// withGaps adds the periods of the years that are counterparts of gaps, each with its last admitted snapshot.
func (c *comparer) withGaps(periods, admitted []cube.Period, axis int) []cube.Period {
	for _, p := range admitted {
		if len(c.gapYears) > 0 && slices.Contains(c.gapYears, p.Key[axis]) { // if there are gaps, the axis is a key of periods
			periods = append(periods, cube.Period{Key: p.Key, Snapshots: []cube.Snapshot{p.Last()}})
		}
	}
	slices.SortFunc(periods, func(a, b cube.Period) int { return slices.CompareFunc(a.Key, b.Key, cube.Value.Compare) })
	return periods
}

// withoutCounterpart says that the counterpart of a snapshot does not exist. With onlyLast the period alone identifies the
// snapshot.
func (h *reported) withoutCounterpart(pair snapshotPair, onlyLast bool) WithoutCounterpart {
	end := len(h.Columns) - 1
	here := pair.here
	if onlyLast {
		here = here[:end]
	}
	args := []any{here, Fields{h.By().Name}, pair.there[end]}
	if end == 0 {
		return WithoutCounterpart{NoSnapshot, args}
	}
	return WithoutCounterpart{NoSnapshotOfPeriod, append(args, pair.there[:end])}
}

// markPartialYears marks the roles of aggregates whose measures have no amounts in some of the compared years. If these
// are not the same years on both sides, a sum over years would compare, say, eight years with seven, and a cell that only
// one side has may only have no amounts on the other.
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
		if a.Role == query.RoleEarlier { // its own years alone matter, unless those asked mix the formula
			a.YearsDiffer, a.MixesYears = a.YearsDiffer && !a.MixesYears, false
		}
		a.MixesYears = a.MixesYears || mixedThere
		p.aggregates[i] = a
	}
}

// yearsShifted adds the offset to each year.
func yearsShifted(years []int64, offset int64) []int64 {
	return each.Of(years, func(year int64) int64 { return year + offset })
}
