package dictionary

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// LabelEntry is a label that rows of a year give a member, as the label table has it (cube.Label).
type LabelEntry struct {
	Number  int32
	Year    cube.Value
	Text    string
	Cell    string // as published, if cube.LabelHistory.IsYearly
	Rank    int64
	Meaning int64
	Shown   bool
	Rows    int64
}

// Labels are the labels of the members of a level by fiscal year.
type Labels struct {
	members *Members
	years   []cube.Value // in order, but a missing one comes first
	uses    []use        // those of a member follow each other, the latest first
	first   []int32      // by number: the index of its first use; one more for the end
	folding sync.Once
	folds   []string // by use: the label to search in
}

// use is a label that a member has in some years. Years beyond the 64 of a block make another use.
type use struct {
	text    string
	cell    string // as published
	rank    int64
	meaning int64
	years   uint64 // the indexes in Labels.years, from block*64
	block   int32
	shown   bool
}

// yearsOfBlock is how many years the bits of a use have.
const yearsOfBlock = 64

// readLabels makes the labels of what a store gives, in any order.
func readLabels(m *Members, entries iter.Seq2[LabelEntry, error]) (*Labels, error) {
	l := &Labels{members: m, first: make([]int32, m.Size+1)}
	var all []LabelEntry
	known := map[cube.Value]int{}
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		if _, ok := known[e.Year]; !ok {
			known[e.Year] = 0
			l.years = append(l.years, e.Year)
		}
		all = append(all, e)
	}
	slices.SortFunc(l.years, func(a, b cube.Value) int {
		if a.IsMissing() || b.IsMissing() {
			return -a.Compare(b)
		}
		return a.Compare(b)
	})
	for i, year := range l.years {
		known[year] = i
	}
	slices.SortFunc(all, func(a, b LabelEntry) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(known[b.Year], known[a.Year]), cmp.Compare(b.Rows, a.Rows), cmp.Compare(a.Text, b.Text))
	})
	next := int32(0)
	for _, e := range all {
		for next <= e.Number {
			l.first[next] = int32(len(l.uses))
			next++
		}
		l.add(e, known[e.Year])
	}
	for ; next <= m.Size; next++ {
		l.first[next] = int32(len(l.uses))
	}
	l.uses = slices.Clip(l.uses)
	return l, nil
}

// add adds a year to the use that has the same label, or makes one for it.
func (l *Labels) add(e LabelEntry, year int) {
	block, bit := int32(year/yearsOfBlock), uint64(1)<<(year%yearsOfBlock)
	u := use{e.Text, e.Cell, e.Rank, e.Meaning, 0, block, e.Shown}
	if u.cell == u.text {
		u.cell = u.text // one copy of a text is enough
	}
	for i := len(l.uses) - 1; i >= int(l.first[e.Number]); i-- {
		o := l.uses[i]
		if o.years = 0; o == u {
			l.uses[i].years |= bit
			return
		}
		if o.text == u.text {
			u.text = o.text
		}
		if o.cell == u.cell {
			u.cell = o.cell
		}
	}
	u.years = bit
	l.uses = append(l.uses, u)
}

func (l *Labels) bytes() int64 {
	n := int64(len(l.uses))*(16+16+8+8+8+8) + int64(len(l.first))*4
	for i, u := range l.uses {
		if i == 0 || l.uses[i-1].text != u.text {
			n += 3 * int64(len(u.text)) // also to be searched in
		}
	}
	return n
}

// of gives the uses of a member.
func (l *Labels) of(number int32) []use { return l.uses[l.first[number]:l.first[number+1]] }

// Uses lists the labels of a member in all years, the latest first, and of one year that of most rows.
func (l *Labels) Uses(number int32) []plan.LabelUse {
	var list []plan.LabelUse
	for _, u := range l.of(number) {
		if u.text == "" {
			continue
		}
		i := slices.IndexFunc(list, func(other plan.LabelUse) bool { return other.Text == u.text })
		if i < 0 {
			i, list = len(list), append(list, plan.LabelUse{Text: u.text})
		}
		for years := u.years; years != 0; years &= years - 1 {
			if year, ok := l.years[int(u.block)*yearsOfBlock+bits.TrailingZeros64(years)].Int(); ok {
				list[i].Years = append(list[i].Years, year)
			}
		}
	}
	for _, use := range list {
		slices.Sort(use.Years)
	}
	return list
}

// Years are some of the years of labels, as bits by block.
type Years []uint64

func (y Years) has(u use) bool { return y[u.block]&u.years != 0 }

// Admitted gives the years that all tell to admit.
func (l *Labels) Admitted(admits func(year cube.Value) bool) Years {
	admitted := make(Years, len(l.years)/yearsOfBlock+1)
	for i, year := range l.years {
		if admits(year) {
			admitted[i/yearsOfBlock] |= 1 << (i % yearsOfBlock)
		}
	}
	return admitted
}

// Label gives the label of a member in the latest of some years in which it has one, with its rank. If it has none, the label is its
// key, and the rank that of the latest year; without rows in these years that is missing.
func (l *Labels) Label(number int32, years Years) (label, rank cube.Value) {
	var best *use
	latest := uint64(0)
	uses := l.of(number)
	for i := range uses {
		u := &uses[i]
		if !u.shown || !years.has(*u) {
			continue
		}
		in := u.years & years[u.block]
		switch {
		case best == nil, best.text == "" && u.text != "":
		case best.text != "" && u.text == "", best.block > u.block, best.block == u.block && latest > in:
			continue
		}
		best, latest = u, in
	}
	switch {
	case best == nil:
		return l.members.key(number), cube.Missing
	case best.text == "":
		return l.members.key(number), rankOf(best.rank)
	}
	return cube.Text(best.text), rankOf(best.rank)
}

// YearIndex gives the index of a fiscal year, or -1 if no row has a label in it. A later year has a higher one, a missing year the
// lowest.
func (l *Labels) YearIndex(year cube.Value) int { return slices.Index(l.years, year) }

// Cell gives the label cell of the rows of a member and a year, if all of them have the same (cube.LabelHistory.IsYearly).
func (l *Labels) Cell(number int32, year int) string {
	if year < 0 {
		return ""
	}
	for _, u := range l.of(number) {
		if int(u.block) == year/yearsOfBlock && u.years&(1<<(year%yearsOfBlock)) != 0 {
			return u.cell
		}
	}
	return ""
}

// key gives the own key of a member as a text.
func (m *Members) key(number int32) cube.Value {
	path := m.Path(number)
	return cube.Text(path[len(path)-1].String())
}

// match tells for each use whether a test of members is of its label, in any year.
func (l *Labels) match(t *plan.MemberTest) func(use int) bool {
	if len(t.Substrings) == 0 {
		return func(i int) bool { return slices.Contains(t.Labels, l.uses[i].text) }
	}
	l.folding.Do(l.foldAll)
	parts := each.Text(t.Substrings, fold.Text)
	return func(i int) bool { return containsAny(l.folds[i], parts) }
}

func (l *Labels) foldAll() {
	l.folds = make([]string, len(l.uses))
	for i, u := range l.uses {
		if i > 0 && l.uses[i-1].text == u.text {
			l.folds[i] = l.folds[i-1]
		} else {
			l.folds[i] = fold.Text(u.text)
		}
	}
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
