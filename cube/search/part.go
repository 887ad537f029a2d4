package search

import (
	"cmp"
	"math/bits"
	"slices"

	"fiscube/cube"
)

// part is the index of one version of a cube. It never changes.
type part struct {
	words   []string // sorted; words[0] is "", which ends a text
	sketch  []sketch // one for each of words
	slight  []bool   // one for each of words: isSlight
	groups  []group
	entries []entry // with one more at the end, where the data of the last entry end
	texts   []uint32
	names   []name
	labels  string
	amounts string
	paths   []uint32
	above   []uint32 // one for each of paths: the entry of the member that has this as its own key, or 0
	naming  int      // how many of texts are names of the cube, which also match from above
	values  []cube.Value
	years   [][]int64 // the different years in which entries have rows; years[0] is empty
	fiscal  int       // the group of the fiscal years, or 0
	leading string    // the leading measure (cube.Model.Leading), or ""

	room  int   // for how many members there was room
	taken int   // how much of the room is used
	left  int64 // how many members are left out
}

// group has what consecutive entries have in common.
type group struct {
	kind      Kind
	dimension string
	level     cube.Level
	measure   string
	codes     bool // the first text of an entry is a code
	bodies    bool // its entries are bodies: members of an administrative classification
	top       bool // they are of its first level
	from      int  // its first entry
}

// entry can be found. Its texts, label, path and amount end where those of the next entry begin.
type entry struct {
	rows        int64
	group       uint32
	names       uint32 // index in part.names; a member with one name has none there
	texts       uint32 // index in part.texts, which are indexes in part.words; each text ends in a 0
	label       uint32 // offset in part.labels
	path        uint32 // index in part.paths, which are indexes in part.values
	first, last uint32 // indexes in part.values
	years       uint32 // in which it has rows: index in part.years
	year        uint32 // of the amount: index in part.values
	amount      uint32 // offset in part.amounts
	share       uint32 // of the amount in that of the cube in its year, in billionths; of what is no member all of it
}

// name is one of several names of a member.
type name struct {
	text   uint32 // index in part.texts
	label  string // the latest label of these words
	years  []int64
	year   uint32 // of the amount: index in part.values
	amount string
}

// bytesOfName is about how much memory a name takes beside its label and years.
const bytesOfName = 72

// size is the number of entries.
func (p *part) size() int { return len(p.entries) - 1 }

func (p *part) textsOf(i int) []uint32 { return p.texts[p.entries[i].texts:p.entries[i+1].texts] }

func (p *part) labelOf(i int) string { return p.labels[p.entries[i].label:p.entries[i+1].label] }

// end is the index after the last entry of a group.
func (p *part) end(group int) int {
	if group+1 < len(p.groups) {
		return p.groups[group+1].from
	}
	return p.size()
}

// named describes an entry, with the name that it has in a year.
func (p *part) named(c *cube.Cube, i int, year cube.Value) Hit {
	h := p.described(c, i)
	in, _ := year.Int()
	for _, name := range p.names[p.entries[i].names:p.entries[i+1].names] {
		if slices.Contains(name.years, in) {
			h.Label = name.label
		}
	}
	return h
}

// described describes an entry by its present name.
func (p *part) described(c *cube.Cube, i int) Hit {
	e, next := p.entries[i], p.entries[i+1]
	g := p.groups[e.group]
	h := Hit{
		Cube: c, Kind: g.kind, Dimension: g.dimension, Level: g.level, Measure: g.measure,
		Label: p.labelOf(i), Years: p.years[e.years], First: p.values[e.first], Last: p.values[e.last], Rows: e.rows,
		Amount: Amount{cmp.Or(g.measure, p.leading), p.values[e.year], p.amounts[e.amount:next.amount]},
	}
	for _, value := range p.paths[e.path:next.path] {
		h.Path = append(h.Path, p.values[value])
	}
	h.Parents = p.parents(c.Model, i)
	return h
}

// hit describes an entry that was found. A member with several names is shown by the name that matches the query.
func (p *part) hit(c *cube.Cube, i int, q Query, marks []mark) Hit {
	h, e, next := p.described(c, i), p.entries[i], p.entries[i+1]
	if names := p.names[e.names:next.names]; len(names) > 0 {
		n := p.matchedName(names, q, marks)
		if n.label != h.Label {
			h.LabelNow = h.Label
		} else {
			other := names[slices.IndexFunc(names, func(other name) bool { return other.text != n.text })]
			h.Other = Name{other.label, other.years}
		}
		h.Label, h.LabelYears, h.First, h.Last = n.label, n.years, cube.Missing, cube.Missing
		if len(n.years) > 0 {
			h.First, h.Last = cube.Integer(n.years[0]), cube.Integer(n.years[len(n.years)-1])
		}
		h.Amount.Year, h.Amount.Text = p.values[n.year], n.amount
	}
	own := p.matched(i, &q, marks)
	for word := range q.words {
		bit := uint32(1) << word
		only := own.meant &^ (own.begin | own.two) & bit
		if only != 0 {
			h.Meant = append(h.Meant, q.words[word])
		}
		if only&own.wider != 0 && p.isNamedOnly(i, q.all()&^bit, q, marks) { // what has it among other words may be a part of it
			h.Broader = append(h.Broader, q.words[word])
		}
	}
	if h.Year = q.year; q.asWord != 0 && p.existsIn(i, q.asWord) {
		h.Year = q.asWord
	}
	if h.Year != 0 {
		if known, _ := h.Amount.Year.Int(); known != h.Year || h.Amount.Text == "" {
			h.Amount = Amount{}
		}
	}
	return h
}

// existsIn tells whether an entry has rows of a year, or if its years are not known, of years before and after.
func (p *part) existsIn(i int, year int64) bool {
	if years := p.years[p.entries[i].years]; len(years) > 0 {
		return slices.Contains(years, year)
	}
	first, ok := p.values[p.entries[i].first].Int()
	last, _ := p.values[p.entries[i].last].Int()
	return ok && first <= year && year <= last
}

// parents gives the members above a member. Editions are no members of their own.
func (p *part) parents(m *cube.Model, i int) []Parent {
	from, to := p.entries[i].path, p.entries[i+1].path
	fields := p.groups[p.entries[i].group].level.Path
	var list []Parent
	for key := from; key+1 < to; key++ {
		level, _ := m.LevelOfKey(fields[key-from])
		if m.IsEdition(level.Ref) {
			continue
		}
		parent := Parent{Level: level, Key: p.values[p.paths[key]]}
		if above := p.above[key]; above > 0 {
			parent.Label = p.labelOf(int(above))
		}
		parent.Label = cmp.Or(parent.Label, parent.Key.String())
		list = append(list, parent)
	}
	return list
}

// matchedName gives the name that matches the most words of the query, of equals that with the most whole words, and of these
// the latest.
func (p *part) matchedName(names []name, q Query, marks []mark) name {
	best, most := names[0], [2]int{}
	for i, n := range names {
		text := p.texts[n.text:]
		m := joined(text[:slices.Index(text, 0)], false, &q, marks)
		matches := [2]int{bits.OnesCount32(m.matches()), bits.OnesCount32(m.whole)}
		if i == 0 || slices.Compare(matches[:], most[:]) > 0 {
			best, most = n, matches
		}
	}
	return best
}

// bytes is about how much memory the part takes.
func (p *part) bytes() int {
	const word, value, item = 16 + 16 + 1, 32, 56 // a header with a sketch, a cube.Value, an entry
	n := len(p.labels) + len(p.amounts) + 4*(len(p.texts)+len(p.paths)+len(p.above)) + value*len(p.values) + item*len(p.entries) + word*len(p.words)
	for _, w := range p.words {
		n += len(w)
	}
	for _, name := range p.names {
		n += bytesOfName + len(name.label) + len(name.amount) + 8*len(name.years)
	}
	for _, v := range p.values {
		n += len(v.String())
	}
	for _, years := range p.years {
		n += 24 + 8*len(years)
	}
	return n
}
