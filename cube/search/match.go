package search

import (
	"math/bits"
	"sort"
	"strings"
)

// mark has for a word of a part a bit for each word of the query that it matches.
type mark struct {
	whole uint32
	begin uint32 // the word begins so; whole ones do too
	one   uint32 // with one slip, or none
	two   uint32 // with two, or fewer
}

// marks says of each word of the part which words of the query it matches.
func (p *part) marks(q Query) []mark {
	marks := make([]mark, len(p.words))
	for i, word := range q.words {
		bit := uint32(1) << i
		p.markBeginnings(marks, word, bit)
		if most := slips(word); most > 0 {
			p.markNear(marks, word, bit, most)
		}
	}
	return marks
}

// markBeginnings marks the words that begin so: they stand together.
func (p *part) markBeginnings(marks []mark, word string, bit uint32) {
	for i := sort.SearchStrings(p.words, word); i < len(p.words) && strings.HasPrefix(p.words[i], word); i++ {
		marks[i].begin |= bit
		if len(p.words[i]) == len(word) {
			marks[i].whole |= bit
		}
	}
}

// granted is the mark with words that need not be found.
func (m mark) granted(words uint32) mark {
	return mark{m.whole, m.begin | words, m.one | words, m.two | words}
}

func (p *part) markNear(marks []mark, word string, bit uint32, most int) {
	letters, asked := []rune(word), sketchOf(word)
	var other [mostLetters]rune
	for i, s := range p.sketch {
		if !asked.mayBeNear(s, most) {
			continue
		}
		switch distance(letters, runes(p.words[i], other[:0]), most) {
		case 0, 1:
			marks[i].one |= bit
			marks[i].two |= bit
		case 2:
			if most == 2 {
				marks[i].two |= bit
			}
		}
	}
}

// runes gives the letters of a word that is short enough.
func runes(word string, into []rune) []rune {
	for _, r := range word {
		into = append(into, r)
	}
	return into
}

// matched is the marks of all words of an entry.
func (p *part) matched(i int, marks []mark) mark {
	var m mark
	code := p.groups[p.entries[i].group].codes
	for _, id := range p.textsOf(i) {
		w := &marks[id]
		m.whole |= w.whole
		m.begin |= w.begin
		if !code {
			m.one |= w.one
			m.two |= w.two
		}
		code = code && id != 0
	}
	return m
}

// rank says how well an entry is what is looked for: the least is the best.
type rank uint16

// The ranks. With slips they are added to withSlips, with words from above both to withAbove.
const (
	calledSo rank = iota
	beginsSo
	wholeWords
	beginnings
	withSlips
	withAbove = withSlips + 2*MostWords + 1
)

// rankOf ranks an entry that has matched every word.
func (p *part) rankOf(i int, m mark, q Query, marks []mark) rank {
	all := q.all()
	if m.begin != all {
		return withSlips + rank(bits.OnesCount32(all&^m.begin)+bits.OnesCount32(all&^(m.begin|m.one)))
	}
	best := beginnings
	if m.whole == all {
		best = wholeWords
	}
	start := true
	texts := p.textsOf(i)
	for at, id := range texts {
		if start && id != 0 {
			best = min(best, q.begins(texts[at:], marks))
		}
		start = id == 0
	}
	return best
}

// begins tells whether the text that is first among texts is the query, or begins with it; else it is no better than
// any.
func (q Query) begins(texts []uint32, marks []mark) rank {
	for i, word := range q.sequence {
		bit, id := uint32(1)<<word, texts[i]
		last := i == len(q.sequence)-1
		switch {
		case id == 0:
			return beginnings
		case marks[id].whole&bit != 0 && last && texts[i+1] == 0:
			return calledSo
		case marks[id].whole&bit != 0 || last && marks[id].begin&bit != 0:
		default:
			return beginnings
		}
	}
	return beginsSo
}
