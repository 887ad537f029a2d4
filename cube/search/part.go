package search

import (
	"cmp"

	"fiscube/cube"
)

// part is the index of one version of a cube. It never changes.
type part struct {
	words   []string // sorted; words[0] is "", which ends a text
	sketch  []sketch // one for each of words
	groups  []group
	entries []entry // with one more at the end, where the data of the last entry end
	texts   []uint32
	labels  string
	amounts string
	paths   []uint32
	above   []uint32 // one for each of paths: the entry of the member that has this as its own key, or 0
	naming  int      // how many of texts are names of the cube, which also match from above
	values  []cube.Value
	leading string // the leading measure (cube.Model.Leading), or ""

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
	from      int  // its first entry
}

// entry can be found. Its texts, label, path and amount end where those of the next entry begin.
type entry struct {
	rows        int64
	group       uint32
	texts       uint32 // index in part.texts, which are indexes in part.words; each text ends in a 0
	label       uint32 // offset in part.labels
	path        uint32 // index in part.paths, which are indexes in part.values
	first, last uint32 // indexes in part.values
	year        uint32 // of the amount: index in part.values
	amount      uint32 // offset in part.amounts
}

// size is the number of entries.
func (p *part) size() int { return len(p.entries) - 1 }

func (p *part) textsOf(i int) []uint32 { return p.texts[p.entries[i].texts:p.entries[i+1].texts] }

// end is the index after the last entry of a group.
func (p *part) end(group int) int {
	if group+1 < len(p.groups) {
		return p.groups[group+1].from
	}
	return p.size()
}

// hit describes an entry.
func (p *part) hit(c *cube.Cube, i int) Hit {
	e, next := p.entries[i], p.entries[i+1]
	g := p.groups[e.group]
	h := Hit{
		Cube: c, Kind: g.kind, Dimension: g.dimension, Level: g.level, Measure: g.measure,
		Label: p.labels[e.label:next.label], First: p.values[e.first], Last: p.values[e.last], Rows: e.rows,
		Amount: Amount{cmp.Or(g.measure, p.leading), p.values[e.year], p.amounts[e.amount:next.amount]},
	}
	for _, value := range p.paths[e.path:next.path] {
		h.Path = append(h.Path, p.values[value])
	}
	return h
}

// bytes is about how much memory the part takes.
func (p *part) bytes() int {
	const word, value, item = 16 + 16, 32, 40 // a header with a sketch, a cube.Value, an entry
	n := len(p.labels) + len(p.amounts) + 4*(len(p.texts)+len(p.paths)+len(p.above)) + value*len(p.values) + item*len(p.entries) + word*len(p.words)
	for _, w := range p.words {
		n += len(w)
	}
	for _, v := range p.values {
		n += len(v.String())
	}
	return n
}
