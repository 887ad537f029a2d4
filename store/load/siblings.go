package load

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
	"fiscube/store/evidence"
	"fiscube/store/load/files"
	"fiscube/store/load/numeric"
)

// The rows of a member of a level are totals if the member is the sum of its siblings, as a fund "T" of all funds. A place is
// where members may stand: the cells of a row but those of the level, and but labels that stand beside their codes.
//
//  1. At every place the amounts of the member are those of all its siblings there together. One place that differs, or where siblings
//     have amounts and the member has none, shows that it is something else.
//  2. It stands at ten places or more, and at three of them or more two siblings have amounts. At the others it repeats the only one, as
//     money that is moved does too, and a few equal sums of round amounts are chance. Of two siblings that
//     it never repeats alone, only its name makes it a total: of two sources that share each cost by half one is the sum of the others, too.
//  3. Every column of amounts is compared in which the member has cells; a missing amount is 0. In a column without any cells of it no
//     totals are published.
//  4. No date, no number of a part of a year and no statement of the same money is such a member, since amounts that grow alike each
//     month add up so.
//
// The first reading adds up the members of each level that has few. It is another reading to compare places, so that only files in which a
// member has half of the money of its level are read again.

const (
	fewestSiblings = 3  // members of a level, the total too
	mostSiblings   = 50 // likewise
	fewestPlaces   = 10 // where the member stands
	fewestSums     = 3  // of these, where two siblings have amounts
)

// levelSums adds up the members of a level.
type levelSums struct {
	field   int               // among fields
	members []memberSum       // by the code of the cell
	hasMany bool              // members, so that it is forgotten
	isAlone bool              // codes of it may be above others
	isPart  func(string) bool // tells of a cell whether it is a part of a year
}

// memberSum is the sums of a member. They say which members to compare, so that they need not be exact.
type memberSum struct {
	cell string
	sums []float64 // one for each amount; nil without rows
	has  uint64    // the bits of the amounts that have cells
}

// siblingTotal is a member that may be the sum of its siblings, or the members of a level that are the sums of those below them.
type siblingTotal struct {
	field    int
	members  int      // that are the sums of those below them
	others   []string // that are not
	code     uint32
	cell     string
	siblings int
	factors  []uint64 // of each amount, by which it is multiplied; 0 if it is not compared
	places   map[uint64]place
	lines    []int64
	first    []namedTotal // the first rows, as many as answers are checked for
	last     int64        // the line of the last row
	lastOwn  bool         // which is of the member
	refuted  bool
}

// place has what stands at it.
type place struct {
	own, rest uint64 // the amounts of the member, and of its siblings
	sibling   uint32 // the first one that has amounts
	stands    bool   // the member
	several   bool   // siblings that have amounts
}

// mostAdded is how many amounts a file has at most whose members are added up.
const mostAdded = 64

// levelsOfSiblings gives the levels whose members are added up.
func (r *resourceSurvey) levelsOfSiblings() (list []*levelSums) {
	if len(r.amounts) > mostAdded {
		return nil
	}
	for i, f := range r.fields {
		level := r.draft.Level(f.name)
		snapshot := r.draft.Snapshots != nil && r.draft.Snapshots.By == f.name
		if level == nil || f.asNumber || f.constant || f.index == r.year || snapshot {
			continue
		}
		ofTime := slices.ContainsFunc(r.draft.Dimensions, func(d cube.Dimension) bool {
			return d.Type == cube.DimensionTime && slices.ContainsFunc(d.Levels, func(l cube.Level) bool { return l.Ref == f.name })
		})
		isPart := func(cell string) bool { return evidence.IsDate(cell) || ofTime && isWhole(cell) }
		list = append(list, &levelSums{field: i, isPart: isPart, isAlone: !ofTime && r.isAlone(level)})
	}
	return list
}

// addToMembers adds the row that was met last to its members. A level that turns out to have many is forgotten.
func (r *resourceSurvey) addToMembers(row files.Record) {
	if len(r.levels) == 0 {
		return
	}
	has, at := uint64(0), 0
	for i, f := range r.fields {
		if !f.asNumber {
			continue
		}
		amount, ok := r.met[i].float(f, row.Cells[f.index])
		r.floats[at] = amount
		if ok {
			has |= 1 << at
		}
		at++
	}
	hasMany := false
	for _, l := range r.levels {
		if r.met[l.field].missing {
			continue
		}
		index := r.fields[l.field].index
		code := int(row.Codes[index])
		if l.hasMany = code == 0 || code > l.most(len(r.floats)); l.hasMany {
			hasMany = true
			continue
		}
		m := l.member(code, row.Cells[index], len(r.floats))
		m.has |= has
		for i, amount := range r.floats {
			m.sums[i] += amount
		}
	}
	if hasMany {
		r.levels = slices.DeleteFunc(r.levels, func(l *levelSums) bool { return l.hasMany })
	}
}

// most is how many members are added up.
func (l *levelSums) most(amounts int) int {
	if l.isAlone {
		return min(mostCodes, mostCodeSums/max(amounts, 1))
	}
	return mostSiblings
}

// float gives an amount in short, and 0 for none.
func (k *knownCell) float(f *fieldStats, cell string) (amount float64, ok bool) {
	if k.missing || k.amount.Is {
		return k.amount.Float(), k.amount.Is
	}
	digits, _, _, ok := f.form.Read(cell)
	if !ok {
		return 0, false
	}
	amount, err := strconv.ParseFloat(digits, 64)
	return amount, err == nil
}

// member gives the sums of the member of a code.
func (l *levelSums) member(code int, cell string, amounts int) *memberSum {
	for len(l.members) <= code {
		l.members = append(l.members, memberSum{})
	}
	m := &l.members[code]
	if m.sums == nil {
		m.cell, m.sums = strings.Clone(cell), make([]float64, amounts)
	}
	return m
}

// mayBeTotals gives the members that have half of the money of their level.
func (l *levelSums) mayBeTotals() (list []*siblingTotal) {
	if len(l.members) > mostSiblings+1 {
		return nil
	}
	few := 0
	for _, m := range l.members {
		if m.sums != nil {
			few++
		}
	}
	if few < fewestSiblings {
		return nil
	}
	for code, m := range l.members {
		if m.sums == nil || l.isPart(m.cell) {
			continue
		}
		if factors := l.halves(m); factors != nil {
			list = append(list, &siblingTotal{field: l.field, code: uint32(code), cell: m.cell, siblings: few - 1, factors: factors, places: map[uint64]place{}})
		}
	}
	return list
}

// halves gives a factor for each amount that is compared, if the member has half of each, and of one of them more than nothing.
func (l *levelSums) halves(m memberSum) []uint64 {
	const inexact = 1e-7
	factors, something := make([]uint64, len(m.sums)), false
	for i, sum := range m.sums {
		if m.has&(1<<i) == 0 {
			continue
		}
		all, sizes := 0.0, 0.0
		for _, other := range l.members {
			if other.sums != nil {
				all, sizes = all+other.sums[i], sizes+math.Abs(other.sums[i])
			}
		}
		if math.Abs(2*sum-all) > inexact*sizes {
			return nil
		}
		factors[i] = 1 + rand.Uint64N(prime-1)
		something = something || sum != 0
	}
	if !something {
		return nil
	}
	return factors
}

// findSiblingTotals gives the members that are the sums of their siblings.
func (r *resourceSurvey) findSiblingTotals(ctx context.Context) ([]*siblingTotal, error) {
	if r.totalsOff {
		return nil, nil
	}
	list := slices.Concat(each.Of(r.levels, (*levelSums).mayBeTotals)...)
	ofCodes, err := r.findCodeTotals(ctx)
	if err != nil {
		return nil, err
	}
	if len(list) > 0 {
		amounts := make([]uint64, len(r.amounts))
		err = r.eachMet(ctx, func(row files.Record) {
			r.readAmounts(row, amounts)
			for _, t := range list {
				t.add(r, row, amounts)
			}
		})
	}
	list = append(slices.DeleteFunc(list, func(t *siblingTotal) bool { return !t.holds() }), ofCodes...)
	taken := map[int64]bool{}
	return slices.DeleteFunc(list, func(t *siblingTotal) bool {
		t.lines = slices.DeleteFunc(t.lines, func(line int64) bool {
			defer func() { taken[line] = true }()
			return taken[line]
		})
		t.places = nil
		return len(t.lines) == 0
	}), err
}

// readAmounts reads the amounts of a row for sums that are compared.
func (r *resourceSurvey) readAmounts(row files.Record, amounts []uint64) {
	for i, f := range r.amounts {
		amounts[i] = f.remainder(row.Cells[f.index], f.noiseRule())
	}
}

// add adds the row that was met last at its place. Rows of one line can only be left out together.
func (t *siblingTotal) add(r *resourceSurvey, row files.Record, amounts []uint64) {
	f := r.fields[t.field]
	if t.refuted || r.met[t.field].missing {
		return
	}
	code := row.Codes[f.index]
	own := code == t.code
	t.refuted = row.Line == t.last && own != t.lastOwn
	t.last, t.lastOwn = row.Line, own
	at := r.placeOf(f, nil)
	p, known := t.places[at]
	if !known && len(t.places) >= mostGroups {
		t.refuted = true
		return
	}
	var amount uint64
	for i, factor := range t.factors {
		amount = plus(amount, times(factor, amounts[i]))
	}
	if own {
		p.own, p.stands = plus(p.own, amount), true
		t.keep(row)
	} else if amount != 0 {
		p.rest = plus(p.rest, amount)
		p.several = p.several || p.sibling != 0 && p.sibling != code
		p.sibling = cmp.Or(p.sibling, code)
	}
	t.places[at] = p
}

// keep notes a row of the member.
func (t *siblingTotal) keep(row files.Record) {
	if len(t.lines) > 0 && t.lines[len(t.lines)-1] == row.Line {
		return
	}
	if t.lines = append(t.lines, row.Line); len(t.first) < mostDescribed {
		t.first = append(t.first, namedTotal{line: row.Line, cells: slices.Clone(row.Cells)})
	}
}

// placeOf gives the hash of the place of the row that was met last, for the members of a level, without some fields.
func (r *resourceSurvey) placeOf(level *fieldStats, without []bool) uint64 {
	var hash rowHash
	for i, f := range r.fields {
		ofLevel := f == level || level.sameMember&f.bit != 0
		if !r.met[i].missing && !f.asNumber && !ofLevel && f.code == 0 && (without == nil || !without[i]) {
			hash.add(r.met[i].hash)
		}
	}
	return hash.sums()[0]
}

// holds tells whether the member is the sum of its siblings at every place, and at enough of them.
func (t *siblingTotal) holds() bool {
	stands, sums, alone := 0, 0, 0
	for _, p := range t.places {
		if t.refuted = t.refuted || p.own != p.rest; t.refuted {
			return false
		}
		if p.stands {
			stands++
		}
		switch {
		case p.stands && p.several:
			sums++
		case p.stands:
			alone++
		}
	}
	named, _ := nameOfTotal(t.cell)
	named = named || strings.HasPrefix(strings.ToLower(t.cell)+" ", "all ")
	return stands >= fewestPlaces && sums >= fewestSums && (alone > 0 || named || t.siblings > 2)
}

// remainder reads an amount as it is stored, for sums that are compared.
func (f *fieldStats) remainder(cell string, rule numeric.NoiseRule) uint64 {
	digits, before, after, ok := f.form.ReadAmount(cell)
	if !ok {
		return 0
	}
	if after > numeric.NoiseDecimals {
		digits = rule.Apply(digits, after)
		_, fraction, _ := strings.Cut(digits, ".")
		after = len(fraction)
	}
	return remainder(digits, before, after)
}

// siblingEvidence gives the members that are the sums of their siblings, and their first rows.
func (r *resourceSurvey) siblingEvidence() (list []repair.Sibling, out []namedTotal) {
	for _, t := range r.siblings {
		list = append(list, repair.Sibling{Field: r.fields[t.field].name, Member: tidy.Key(t.cell), Members: t.members, Others: t.others, Lines: t.lines})
		out = append(out, t.first...)
	}
	return list, out
}
