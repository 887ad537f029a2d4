package search

import (
	"cmp"
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Kind says what a Hit is.
type Kind string

// The kinds.
const (
	KindCube      Kind = "cube"
	KindDimension Kind = "dimension"
	KindLevel     Kind = "level"
	KindMeasure   Kind = "measure"
	KindMember    Kind = "member"
)

// Hit is something that was found.
type Hit struct {
	Cube        *cube.Cube
	Kind        Kind
	Dimension   string       // of a dimension, a level and a member
	Level       cube.Level   // of a level and a member
	Measure     string       // of a measure
	Path        []cube.Value // of a member: one for each of Level.Path
	Label       string       // what it is shown as: at most 300 characters
	First, Last cube.Value   // its fiscal years; Missing where there are none
	Rows        int64        // of a member those counted by default, else those of the cube
	Amount      Amount
}

// Answer is a page of hits.
type Answer struct {
	Hits    []Hit
	Total   int           // on all pages
	Pending []*cube.Cube  // not read yet: nothing of them is found
	Partial []LeftMembers // of which members found no room
}

// LeftMembers says how many members of a cube are not in the index: those with the fewest rows.
type LeftMembers struct {
	Cube  *cube.Cube
	Count int64
}

// MostHits bounds how far one can turn pages.
const MostHits = 1000

// candidate is an entry that matched.
type candidate struct {
	rank  rank
	rows  int64
	cube  int // its place among the cubes asked
	entry int
}

func compare(a, b candidate) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.rows, a.rows), cmp.Compare(a.cube, b.cube), cmp.Compare(a.entry, b.entry))
}

// Find looks for a query in some cubes, which are served. The page ends at MostHits at the latest.
func (x *Index) Find(ctx context.Context, q Query, cubes []*cube.Cube, page query.Page) (Answer, error) {
	parts := *x.parts.Load()
	var answer Answer
	best := &selection{most: min(page.Number*page.Size, MostHits)}
	for i, one := range cubes {
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		p, ok := parts[one.ID]
		if !ok {
			answer.Pending = append(answer.Pending, one)
			continue
		}
		if p.left > 0 {
			answer.Partial = append(answer.Partial, LeftMembers{one, p.left})
		}
		p.find(q, i, best)
	}
	answer.Total = best.total
	for _, c := range best.page(page) {
		one := cubes[c.cube]
		answer.Hits = append(answer.Hits, parts[one.ID].hit(one, c.entry))
	}
	return answer, nil
}

// find adds the entries that match: that have all words but small ones, or some, and what stands above them the others.
func (p *part) find(q Query, place int, best *selection) {
	marks, all := p.marks(q), q.all()
	matches, words := anyOf(marks), make([]uint32, p.size()) // the words that each entry has itself
	for i := range p.size() {
		if some(p.textsOf(i), matches) == 0 {
			continue
		}
		m := p.matched(i, marks)
		words[i] = m.begin | m.two
		m = m.granted(q.small)
		switch {
		case words[i]|q.small == all:
			best.add(candidate{p.rankOf(i, m, q, marks), p.entries[i].rows, place, i})
		case words[i]&^q.small != 0 && words[i]|q.small|p.fromAbove(i, words, q) == all:
			best.add(candidate{q.rankBelow(m), p.entries[i].rows, place, i})
		}
		if i == 0 {
			words[0] = some(p.texts[:p.naming], matches)
		}
	}
}

// some gives what any of these words match.
func some(texts, matches []uint32) (some uint32) {
	for _, id := range texts {
		some |= matches[id]
	}
	return some
}

// anyOf gives of each mark whether it matches at all. Most entries are passed over by this alone, which takes a quarter
// of the memory.
func anyOf(marks []mark) []uint32 {
	matches := make([]uint32, len(marks))
	for i, m := range marks {
		matches[i] = m.begin | m.two
	}
	return matches
}

// selection keeps the best of all candidates.
type selection struct {
	most  int
	total int
	list  []candidate // at most twice as many as are kept
}

func (s *selection) add(c candidate) {
	s.total++
	if s.most == 0 {
		return
	}
	if s.list = append(s.list, c); len(s.list) == 2*s.most {
		s.trim()
	}
}

func (s *selection) trim() {
	slices.SortFunc(s.list, compare)
	s.list = s.list[:min(len(s.list), s.most)]
}

func (s *selection) page(page query.Page) []candidate {
	s.trim()
	from := min((page.Number-1)*page.Size, len(s.list))
	return s.list[from:]
}
