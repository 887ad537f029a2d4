package load

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/tidy"
	"fiscube/store/load/files"
)

// Codes of one column may have the sums of the codes below them in rows of their own: 3, 31 and 311 beside 3111, or A and A-01 beside A-01-01.
// A code is above those that begin with it; of those below it, the leaves begin no others. A place is as for siblings, but that what each code
// has one of, as a name, is no key either.
//
//  1. A code is a total if its amounts are those of all leaves below it together, at every place where it stands. One place that differs
//     shows that it has amounts of its own. Leaves may stand where it does not.
//  2. Three such codes or more have two leaves with amounts at some place, and four fifths of the codes that are above others are totals. Else
//     none of the column is: codes that only begin alike have equal sums by chance.
//  3. Measures are compared in which the code has cells, and no other numbers, as percents; a missing amount is 0. A code without amounts, above
//     leaves without any, shows nothing and is counted.
//  4. In a column of such totals the code above a single leaf is one too, if its amounts are those of the leaf: both hold the same money.
//  5. A level that has another one above or below it is left as it is, and so are levels of time. A line that has rows of several codes cannot be
//     left out in part, so that no code of the column is a total then.
//
// The first reading adds up the members of levels that have no more than these bounds. Rows are read again, once for the keys and once to compare
// places, only if three codes have the money of their leaves in the whole file.

const (
	mostCodes    = 20_000  // members of a level
	mostCodeSums = 1 << 19 // of its members, one for each amount
	mostAbove    = 20      // above one
	fewestAbove  = 3       // totals with two leaves
	mostUnlike   = 5       // one of so many codes that are above others may be none
)

// codeTree is the codes of a level.
type codeTree struct {
	field    int
	nodes    []codeNode // by text
	byCode   []int32    // the node of a cell, or -1
	factors  []uint64   // as those of siblings
	beside   []bool     // fields that have one cell for each code
	cells    [][]uint64 // likewise, their hashes, by field and node
	places   map[codePlace]place
	last     int64 // the line of the last row
	lastNode int32
	refuted  bool
}

type codeNode struct {
	text      string
	above     int32 // the longest code that this begins with, or -1
	isAbove   bool
	has       uint64 // the bits of the amounts that have cells
	leaves    int
	sums      []float64 // its own, and those of its leaves, in short
	ofLeaves  []float64
	size      float64
	lines     []int64
	met       bool
	differs   bool
	hasMoney  bool // it or its leaves, where it stands
	ofSeveral bool // leaves with amounts at one place
}

type codePlace struct {
	place uint64
	node  int32
}

// isAlone tells whether no other level is above or below a level.
func (r *resourceSurvey) isAlone(level *cube.Level) bool {
	return level.Parent == "" && len(level.Within) == 0 && !slices.ContainsFunc(r.draft.Dimensions, func(d cube.Dimension) bool {
		return slices.ContainsFunc(d.Levels, func(other cube.Level) bool {
			return other.Parent == level.Ref || slices.Contains(other.Within, level.Ref)
		})
	})
}

// tree gives the codes of a level, if enough of them may be totals.
func (l *levelSums) tree(measures []bool) *codeTree {
	t := &codeTree{field: l.field, byCode: make([]int32, len(l.members)), places: map[codePlace]place{}}
	for _, m := range l.members {
		if text := tidy.Key(m.cell); text != "" && !l.isPart(m.cell) {
			t.nodes = append(t.nodes, codeNode{text: text, above: -1, sums: make([]float64, len(measures)), ofLeaves: make([]float64, len(measures))})
		}
	}
	byText := func(n codeNode, text string) int { return strings.Compare(n.text, text) }
	slices.SortFunc(t.nodes, func(a, b codeNode) int { return byText(a, b.text) })
	t.nodes = slices.CompactFunc(t.nodes, func(a, b codeNode) bool { return a.text == b.text })
	for code, m := range l.members {
		at, found := slices.BinarySearchFunc(t.nodes, tidy.Key(m.cell), byText)
		if t.byCode[code] = int32(at); !found {
			t.byCode[code] = -1
			continue
		}
		t.nodes[at].has |= m.has
		for i, sum := range m.sums {
			t.nodes[at].sums[i] += sum
		}
	}
	for i := range t.nodes {
		above := int32(i - 1)
		for above >= 0 && !strings.HasPrefix(t.nodes[i].text, t.nodes[above].text) {
			above = t.nodes[above].above
		}
		if t.nodes[i].above = above; above >= 0 {
			t.nodes[above].isAbove = true
		}
	}
	for _, leaf := range t.nodes {
		depth := 0
		for at := leaf.above; at >= 0 && !leaf.isAbove; at = t.nodes[at].above {
			n := &t.nodes[at]
			if depth++; depth > mostAbove {
				return nil
			}
			n.leaves++
			for i, sum := range leaf.sums {
				n.ofLeaves[i], n.size = n.ofLeaves[i]+sum, n.size+math.Abs(sum)
			}
		}
	}
	enough := 0
	for _, n := range t.nodes {
		if n.leaves > 1 && n.mayBeTotal(measures) {
			enough++
		}
	}
	if enough < fewestAbove {
		return nil
	}
	for _, is := range measures {
		factor := uint64(0)
		if is {
			factor = 1 + rand.Uint64N(prime-1)
		}
		t.factors = append(t.factors, factor)
	}
	return t
}

// mayBeTotal tells whether a code has the money of its leaves in the whole file.
func (n *codeNode) mayBeTotal(measures []bool) bool {
	const inexact = 1e-7
	something := false
	for i, is := range measures {
		if !is || n.has&(1<<i) == 0 {
			continue
		}
		if math.Abs(n.sums[i]-n.ofLeaves[i]) > inexact*n.size {
			return false
		}
		something = something || n.sums[i] != 0
	}
	return something
}

// findCodeTotals gives the codes that are the sums of those below them, as one for each level.
func (r *resourceSurvey) findCodeTotals(ctx context.Context) (found []*siblingTotal, err error) {
	if r.totalsOff {
		return nil, nil
	}
	measures := each.Of(r.amounts, func(f *fieldStats) bool { return isMeasure(r.draft.Columns[f.column], r.draft) })
	var trees []*codeTree
	for _, l := range r.levels {
		if l.isAlone {
			if t := l.tree(measures); t != nil {
				trees = append(trees, t)
			}
		}
	}
	if len(trees) == 0 {
		return nil, nil
	}
	amounts := make([]uint64, len(r.amounts))
	readings := []func(files.Record){
		func(row files.Record) {
			for _, t := range trees {
				t.learn(r, row)
			}
		},
		func(row files.Record) {
			r.readAmounts(row, amounts)
			for _, t := range trees {
				t.add(r, row, amounts)
			}
		},
	}
	for _, read := range readings {
		if err := r.eachMet(ctx, read); err != nil {
			return nil, err
		}
	}
	for _, t := range trees {
		if total := t.totals(); total != nil {
			found = append(found, total)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	return found, r.eachMet(ctx, func(row files.Record) { // to describe them
		for _, t := range found {
			if _, is := slices.BinarySearch(t.lines, row.Line); is && len(t.first) < mostDescribed {
				t.first = append(t.first, namedTotal{line: row.Line, cells: slices.Clone(row.Cells)})
			}
		}
	})
}

// eachMet reads the rows again that are no totals, and finds what their cells say.
func (r *resourceSurvey) eachMet(ctx context.Context, read func(files.Record)) error {
	return r.eachRow(ctx, func(row files.Record) {
		if !r.isSkipped(row.Line) {
			r.meet(row)
			read(row)
		}
	})
}

// nodeOf gives the node of a row, or -1.
func (t *codeTree) nodeOf(r *resourceSurvey, row files.Record) int32 {
	code := int(row.Codes[r.fields[t.field].index])
	if r.met[t.field].missing || code >= len(t.byCode) {
		return -1
	}
	return t.byCode[code]
}

// learn notes the fields that have several cells for a code.
func (t *codeTree) learn(r *resourceSurvey, row files.Record) {
	at := t.nodeOf(r, row)
	if at < 0 {
		return
	}
	if t.beside == nil {
		t.beside, t.cells = make([]bool, len(r.fields)), make([][]uint64, len(r.fields))
		for i, f := range r.fields {
			if t.beside[i] = !f.asNumber; t.beside[i] {
				t.cells[i] = make([]uint64, len(t.nodes))
			}
		}
	}
	n := &t.nodes[at]
	for i := range r.fields {
		if !t.beside[i] {
			continue
		}
		hash := uint64(0)
		if !r.met[i].missing {
			hash = r.met[i].hash[0]
		}
		if n.met && t.cells[i][at] != hash {
			t.beside[i], t.cells[i] = false, nil
			continue
		}
		t.cells[i][at] = hash
	}
	n.met = true
}

// add adds the row that was met last at its place: to its code, or as a leaf to all codes above it.
func (t *codeTree) add(r *resourceSurvey, row files.Record, amounts []uint64) {
	if t.refuted {
		return
	}
	at := t.nodeOf(r, row)
	t.refuted = row.Line == t.last && at != t.lastNode || len(t.places) >= mostGroups
	t.last, t.lastNode = row.Line, at
	if at < 0 || t.refuted {
		return
	}
	n, hash := &t.nodes[at], r.placeOf(r.fields[t.field], t.beside)
	if n.isAbove {
		key := codePlace{hash, at}
		p := t.places[key]
		p.own, p.stands = plus(p.own, t.amount(n, amounts)), true
		t.places[key] = p
		if len(n.lines) == 0 || n.lines[len(n.lines)-1] != row.Line {
			n.lines = append(n.lines, row.Line)
		}
		return
	}
	for above := n.above; above >= 0; above = t.nodes[above].above {
		key := codePlace{hash, above}
		if amount := t.amount(&t.nodes[above], amounts); amount != 0 {
			p := t.places[key]
			p.rest = plus(p.rest, amount)
			p.several = p.several || p.sibling != 0 && p.sibling != uint32(at)+1
			p.sibling = cmp.Or(p.sibling, uint32(at)+1)
			t.places[key] = p
		}
	}
}

// amount joins the amounts that are compared with those of a code.
func (t *codeTree) amount(n *codeNode, amounts []uint64) (all uint64) {
	for i, factor := range t.factors {
		if n.has&(1<<i) != 0 {
			all = plus(all, times(factor, amounts[i]))
		}
	}
	return all
}

// totals gives the codes that are the sums of their leaves as one, or nil.
func (t *codeTree) totals() *siblingTotal {
	for key, p := range t.places {
		if n := &t.nodes[key.node]; p.stands {
			n.differs = n.differs || p.own != p.rest
			n.hasMoney = n.hasMoney || p.own != 0 || p.rest != 0
			n.ofSeveral = n.ofSeveral || p.several
		}
	}
	t.places, t.cells = nil, nil
	ofSeveral, found := 0, &siblingTotal{field: t.field}
	for _, n := range t.nodes {
		if n.differs {
			found.others = append(found.others, n.text)
		}
		if !n.hasMoney || n.differs {
			continue
		}
		found.members++
		found.lines = append(found.lines, n.lines...)
		if n.ofSeveral {
			ofSeveral++
		}
	}
	if t.refuted || ofSeveral < fewestAbove || len(found.others)*(mostUnlike-1) > found.members {
		return nil
	}
	slices.Sort(found.lines)
	return found
}
