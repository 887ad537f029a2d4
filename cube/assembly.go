package cube

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"
)

// assembly makes the answer of a finished plan from the cells of the store. One pass follows the other: compare,
// fill, arrange.
type assembly struct {
	plan      *Plan
	finish    *finish
	entries   []*entry
	all       []*entry          // with those that having leaves out of them, though they are in what shares are of
	earlier   map[string]*entry // the cells to compare with, by id
	names     *nameplates
	total     *basis
	subtotals []map[string]Cell         // by step: those that the store answered
	parents   map[int]map[string]*basis // by how many keys they have
}

// entry is a cell in the making.
type entry struct {
	Cell
	basis
	fillsGap     bool       // sums are made without it
	incomparable bool       // nothing at all is there to compare with: a sum with it compares with nothing either
	sorts        []fraction // what the order's aggregates sort by
}

func newAssembly(plan *Plan, summary Cell, cells []Cell) *assembly {
	return &assembly{plan: plan, finish: plan.finish, total: plan.basisOfAll(summary.Parts), entries: entriesOf(cells),
		names: newNameplates(plan, cells)}
}

func entriesOf(cells []Cell) []*entry {
	all, entries := make([]entry, len(cells)), make([]*entry, len(cells))
	for i, cell := range cells {
		all[i] = entry{Cell: cell, basis: basis{own: cell.Parts}}
		entries[i] = &all[i]
	}
	return entries
}

// id tells cells apart by their first n keys.
func (e *entry) id(n int) string { return idOf(e.Keys[:n]) }

// idOf is one text for one list of keys: each with its kind and its length in front, whatever it holds.
func idOf(keys []Value) string {
	id := make([]byte, 0, 16*len(keys))
	for _, key := range keys {
		text := key.String()
		id = append(strconv.AppendInt(append(id, byte(key.kind)), int64(len(text)), 10), ' ')
		id = append(id, text...)
	}
	return string(id)
}

// beside gives the keys so far away on an axis; where that is not drilled, the same. False where nothing can be there.
func (e *entry) beside(axis int, offset int64) ([]Value, bool) {
	if axis < 0 {
		return e.Keys, true
	}
	place, ok := e.Keys[axis].shifted(offset)
	keys := slices.Clone(e.Keys)
	keys[axis] = place
	return keys, ok
}

// compare sets every cell beside the earlier one, and adds the cells of which only the earlier one is there. What
// is new or gone is only told of places of which both sides have rows.
func (a *assembly) compare(earlier []Cell) {
	c := a.finish.compare
	before := entriesOf(earlier)
	a.earlier = map[string]*entry{}
	for _, e := range before {
		a.earlier[idOf(e.Keys)] = e
	}
	facing := a.facing(before)
	paired := map[*entry]bool{}
	for _, e := range a.entries {
		other := a.beside(e)
		paired[other] = true
		a.face(e, other, facing[c.place(e.Keys)])
	}
	if len(a.plan.having) > 0 { // a cell that is not here may only have been kept out
		return
	}
	for _, e := range before {
		if keys, ok := e.beside(c.key, -c.offset); ok && !paired[e] && facing[c.place(keys)] {
			a.entries = append(a.entries, a.gone(e, keys))
		}
	}
}

// beside sets a cell beside the earlier one, if there is one.
func (a *assembly) beside(e *entry) *entry {
	keys, ok := e.beside(a.finish.compare.key, a.finish.compare.offset)
	other := a.earlier[idOf(keys)]
	if !ok || other == nil {
		e.earlier = &basis{}
		return nil
	}
	e.earlier = &basis{own: other.own}
	return other
}

func (a *assembly) gone(e *entry, keys []Value) *entry {
	gone := &entry{Cell: e.Cell, basis: basis{own: nothing(a.plan.parts), noRows: true, earlier: &basis{own: e.own}}}
	gone.Keys, gone.Change = keys, ChangeGone
	a.names.rename(gone, a.finish.compare.key)
	return gone
}

// sumUp makes what all cells together are, which their values are measured by.
func (a *assembly) sumUp() {
	a.total.total, a.total.parent = a.total, a.total
	if a.finish.compare != nil {
		sum := a.sumOf(a.entries, 0)
		a.total.earlier, a.total.noRows = sum.earlier, sum.noRows
		a.total.earlier.total, a.total.earlier.parent = a.total.earlier, a.total.earlier
	}
	a.all, a.parents = a.entries, map[int]map[string]*basis{}
}

// setBases gives every row what it is measured by.
func (a *assembly) setBases(rows []*entry) {
	for _, e := range rows {
		a.date(e)
		e.measuredBy(a.total, a.parentOf(e))
	}
}

// date tells a row which years it is of.
func (a *assembly) date(e *entry) {
	e.spans = a.plan.spans(len(e.Keys))
	if at := a.plan.yearKey; at >= 0 && at < len(e.Keys) {
		e.year = e.Keys[at]
	}
}

func (a *assembly) parent(e *entry, n int) *basis {
	if n == 0 {
		return a.total
	}
	if a.parents[n] == nil {
		a.parents[n] = a.sumsBy(n)
	}
	return a.parents[n][e.id(n)]
}

// measuredBy leaves a parent that is nil unknown.
func (b *basis) measuredBy(total, parent *basis) {
	b.total, b.parent = total, parent
	if b.earlier == nil {
		return
	}
	b.earlier.total = total.earlier
	if parent != nil {
		b.earlier.parent = parent.earlier
	}
}

// sumsBy adds the entries up by their first n keys.
func (a *assembly) sumsBy(n int) map[string]*basis {
	sums := map[string]*basis{}
	for _, group := range groups(a.all, n) {
		sum := a.sumOf(group, n)
		sum.spans = a.plan.spans(n)
		sums[group[0].id(n)] = sum
	}
	return sums
}

// groups gathers the entries that share their first n keys, in the order of their first ones.
func groups(entries []*entry, n int) [][]*entry {
	return gathered(entries, func(e *entry) string { return e.id(n) })
}

// gathered puts the entries together that have one id, in the order of their first ones.
func gathered(entries []*entry, id func(*entry) string) [][]*entry {
	var groups [][]*entry
	places := map[string]int{}
	for _, e := range entries {
		key := id(e)
		place, known := places[key]
		if !known {
			place = len(groups)
			places[key] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], e)
	}
	return groups
}

// sumOf adds up all cells that share their first n keys. What is of all places of the axis is compared with nothing where
// one of them has no counterpart, though that one may have no cell.
func (a *assembly) sumOf(entries []*entry, n int) *basis {
	sum := a.sum(entries)
	if c := a.finish.compare; c != nil && n <= c.key && len(c.absent) > 0 {
		sum.earlier = &basis{}
	}
	return sum
}

// sum adds cells up. What fills gaps adds nothing, unless there is nothing else.
func (a *assembly) sum(entries []*entry) *basis {
	sum := &basis{own: nothing(a.plan.parts)}
	if !slices.ContainsFunc(entries, func(e *entry) bool { return !e.fillsGap }) && len(entries) > 0 {
		sum.own = entries[0].own
	}
	for _, e := range entries {
		if !e.fillsGap {
			sum.own = folded(a.plan.parts, sum.own, e.own)
		}
	}
	if a.finish.compare != nil {
		entries = summed(entries)
		sum.earlier = &basis{own: a.sumEarlier(entries), apart: slices.ContainsFunc(entries, (*entry).isApart)}
		sum.noRows, sum.earlier.noRows = allAre(ChangeGone, entries), allAre(ChangeNew, entries)
	}
	return sum
}

// isApart tells whether no difference from what a cell is compared with is told.
func (e *entry) isApart() bool { return e.earlier != nil && e.earlier.apart }

// allAre tells whether only one side has any of the cells, so that their sum is new or gone as they are.
func allAre(change Change, entries []*entry) bool {
	return len(entries) > 0 && !slices.ContainsFunc(entries, func(e *entry) bool { return e.Change != change })
}

// sumEarlier adds up what cells are compared with. All of a sum has to be compared, or it would stand beside what only
// a part of it is compared with: eight years beside seven.
func (a *assembly) sumEarlier(entries []*entry) []decimal.NullDecimal {
	var sum []decimal.NullDecimal
	for _, e := range entries {
		switch {
		case e.incomparable:
			return nil
		case e.earlier == nil || e.earlier.own == nil:
		case sum == nil:
			sum = e.earlier.own
		default:
			sum = folded(a.plan.parts, sum, e.earlier.own)
		}
	}
	return sum
}

func zeros(parts []Part) []decimal.NullDecimal {
	list := make([]decimal.NullDecimal, len(parts))
	for i := range list {
		list[i] = decimal.NewNullDecimal(decimal.Zero)
	}
	return list
}
