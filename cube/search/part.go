package search

import (
	"cmp"

	"fiscube/cube"
)

// part is the index of one version of a cube. It is never changed once made.
type part struct {
	words   []string // sorted; words[0] is the end of a text
	sketch  []sketch // one for each of words
	groups  []group
	entries []entry // one more than there are: it ends the last one
	texts   []uint32
	labels  string
	amounts string
	paths   []uint32
	above   []uint32 // one for each of paths: the entry of that key's own level, 0 where there is none
	naming  int      // how many of texts, those of the cube's names, stand above every member
	values  []cube.Value
	leading string // the measure that stands for all; "" where there is none

	room  int   // for how many members there was
	taken int   // of it
	left  int64 // how many members found none
}

// group is what entries have in common.
type group struct {
	kind      Kind
	dimension string
	level     cube.Level
	measure   string
	codes     bool // the first text of an entry is a code
	from      int  // its first entry
}

// entry is something that can be found. What it has ends where that of the next one begins.
type entry struct {
	rows        int64
	group       uint32
	texts       uint32 // among part.texts, which are places among part.words; each text ends in a 0
	label       uint32 // in part.labels
	path        uint32 // among part.paths, which are places among part.values
	first, last uint32 // among part.values
	year        uint32 // among part.values: of the amount
	amount      uint32 // in part.amounts
}

// size is how many entries there are.
func (p *part) size() int { return len(p.entries) - 1 }

func (p *part) textsOf(i int) []uint32 { return p.texts[p.entries[i].texts:p.entries[i+1].texts] }

// end is where the entries of a group end.
func (p *part) end(group int) int {
	if group+1 < len(p.groups) {
		return p.groups[group+1].from
	}
	return p.size()
}

// hit tells what an entry is.
func (p *part) hit(one *cube.Cube, i int) Hit {
	e, next := p.entries[i], p.entries[i+1]
	g := p.groups[e.group]
	h := Hit{
		Cube: one, Kind: g.kind, Dimension: g.dimension, Level: g.level, Measure: g.measure,
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
	const word, value, one = 16 + 16, 32, 40 // a header with a sketch, a cube.Value, an entry
	n := len(p.labels) + len(p.amounts) + 4*(len(p.texts)+len(p.paths)+len(p.above)) + value*len(p.values) + one*len(p.entries) + word*len(p.words)
	for _, w := range p.words {
		n += len(w)
	}
	for _, v := range p.values {
		n += len(v.String())
	}
	return n
}
