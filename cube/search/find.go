package search

import (
	"cmp"
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Kind is the kind of a Hit.
type Kind string

// The kinds.
const (
	KindCube      Kind = "cube"
	KindDimension Kind = "dimension"
	KindLevel     Kind = "level"
	KindMeasure   Kind = "measure"
	KindMember    Kind = "member"
)

// Hit is an entry that was found.
type Hit struct {
	Cube        *cube.Cube
	Kind        Kind
	Dimension   string       // of a dimension, a level and a member
	Level       cube.Level   // of a level and a member
	Measure     string       // of a measure
	Path        []cube.Value // of a member: one key for each of Level.Path
	Parents     []Parent     // of a member: those above it, from the top
	Label       string       // for display: at most 300 characters; of a member with several names, the one that matches
	LabelNow    string       // the name for display of such a member if it is another; else ""
	LabelYears  []int64      // the fiscal years in which such a member has the name Label, ascending
	Other       Name         // the latest other name of such a member if Label is its present name
	Years       []int64      // the fiscal years in which it has rows that are counted by default, ascending; nil if they are not known
	First, Last cube.Value   // its fiscal years, of such a member those of LabelYears; Missing if there are none
	Rows        int64        // of a member: the rows counted by default; else: those of the cube
	Amount      Amount
	Year        int64      // the fiscal year that the query names, of which the amount is, if it is known; else 0
	By          cube.Level // the level to break down by that the query names; without a name if none
	Meant       []string   // the words of the query that it does not have but is called otherwise
	Broader     []string   // those of them that it is wider than, by a name without other words
}

// Name is a name of a member, with the fiscal years in which it has it, ascending.
type Name struct {
	Label string
	Years []int64
}

// Parent is a member above another, with its latest name, or else its key.
type Parent struct {
	Level cube.Level
	Key   cube.Value
	Label string
}

// Answer is a page of hits.
type Answer struct {
	Hits    []Hit
	Total   int           // on all pages
	Pending []*cube.Cube  // the cubes that are not read yet and have no hits
	Partial []LeftMembers // the cubes of which the index does not have all members

	// Phase is what the words of a question say, where they are left out.
	Phase Phase

	// OtherYears are the cubes that have no rows of the year of the query: those that it names and that have what its other words match and,
	// where no published cube has it in the year, those in which something is called exactly so.
	OtherYears []*cube.Cube
	IsLatest   bool // nothing is found in the year, so that of these cubes hits of any year come first

	inYear int // how many hits are of the year
}

// LeftMembers is the number of members of a cube that are not in the index: those with the fewest rows.
type LeftMembers struct {
	Cube  *cube.Cube
	Count int64
}

// MostHits bounds the hits on all pages that can be asked for.
const MostHits = 1000

// candidate is an entry that matched.
type candidate struct {
	order  int // what has the year as a word comes last, of the others what is made up, and then by the step of the queries (Query.steps)
	rank   rank
	weight int64 // its share of the budget, times the rows of that
	rows   int64
	cube   int // index in the cubes searched
	entry  int
	asked  *asking
}

// asking is a query, with how the words of a part match it.
type asking struct {
	Query
	marks []mark
}

func compare(a, b candidate) int {
	if n := cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.rank, b.rank)); n != 0 { // few are equal in these
		return n
	}
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.rows, a.rows), cmp.Compare(a.cube, b.cube), cmp.Compare(a.entry, b.entry))
}

// Find searches some of the served cubes. It gives no hits beyond MostHits. A number in the query that may be a year, of several the latest, is
// that of what the other words match, and after that a word. If nothing matches, the words of a question are left out. If nothing
// is of the year, cubes that are named and do not have it are searched in any year.
func (x *Index) Find(ctx context.Context, q Query, cubes []*cube.Cube, page query.Page) (Answer, error) {
	return x.findIn(ctx, "", q, cubes, page)
}

// FindMembers finds the members of a level of a cube as Find does, the best first. A member with the name of the one above it is one of them.
func (x *Index) FindMembers(ctx context.Context, q Query, c *cube.Cube, level cube.Level) ([]Hit, error) {
	answer, err := x.findIn(ctx, level.Ref, q, []*cube.Cube{c}, query.Page{Number: 1, Size: MostHits})
	return answer.Hits, err
}

// findIn finds the members of a level, or everything if it is "".
func (x *Index) findIn(ctx context.Context, level string, q Query, cubes []*cube.Cube, page query.Page) (Answer, error) {
	q.level = level
	steps := q.steps()
	answer, err := x.find(ctx, steps, cubes, page)
	rest, isQuestion := q.withoutQuestion()
	if isQuestion = isQuestion && err == nil && answer.Total == 0; isQuestion {
		steps = rest.steps()
		answer, err = x.find(ctx, steps, cubes, page)
	}
	if others := answer.OtherYears; err == nil && len(others) > 0 && answer.inYear == 0 {
		answer, err = x.find(ctx, latest(steps), cubes, page)
		answer.OtherYears, answer.IsLatest = others, true
		for i := range answer.Hits { // what another year has is no answer to a question about this one
			answer.Hits[i].Amount = Amount{}
		}
	}
	if isQuestion && answer.Total > 0 {
		answer.Phase = q.phase()
	}
	return answer, err
}

// find tries the queries of steps in each cube, until those of a step find something there.
func (x *Index) find(ctx context.Context, steps [][]Query, cubes []*cube.Cube, page query.Page) (Answer, error) {
	parts := *x.parts.Load()
	var answer Answer
	var called []*cube.Cube // that lack the year, where something is called by the other words
	isThere := false        // something is called so in the year
	best := &selection{most: min(page.Number*page.Size, MostHits)}
	for _, step := range steps {
		for i := range step {
			step[i].synonyms.known |= step[i].namesOf(parts)
		}
	}
	for i, c := range cubes {
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		p, ok := parts[c.ID]
		if !ok {
			answer.Pending = append(answer.Pending, c)
			continue
		}
		if p.left > 0 {
			answer.Partial = append(answer.Partial, LeftMembers{c, p.left})
		}
		before, hasOther, isCalled, madeUp := best.total, false, false, 0
		if c.Synthetic {
			madeUp = 1
		}
		for step, asked := range steps {
			known := map[int]bool{} // what the first query of several matches
			for j, q := range asked {
				if err := ctx.Err(); err != nil {
					return Answer{}, err
				}
				by := &asking{q, p.marks(q)}
				if q.year != 0 && !hasYear(c, q.year) {
					named, called := p.inAnyYear(q, by.marks)
					hasOther, isCalled = hasOther || named, isCalled || called
					continue
				}
				if q.lacking != 0 {
					if named, called := p.inAnyYear(q, by.marks); hasYear(c, q.lacking) || !named && !called {
						continue
					}
				}
				p.find(q, by.marks, func(rank rank, entry int) {
					if known[entry] || !p.isIn(entry, q.level) || q.isOne && !rank.isNameAlone() {
						return
					}
					if q.isOne {
						rank = lastAlone
					}
					if j+1 < len(asked) {
						known[entry] = true
					}
					if q.year != 0 {
						answer.inYear++
						isThere = isThere || rank == equalText && !c.Synthetic
					}
					best.add(candidate{q.isAfter<<2 | madeUp<<1 | step, rank, int64(p.entries[entry].share) * c.Rows, p.entries[entry].rows, i, entry, by})
				})
			}
			if best.total > before {
				break
			}
		}
		if hasOther {
			answer.OtherYears = append(answer.OtherYears, c)
		} else if isCalled {
			called = append(called, c)
		}
	}
	if !isThere {
		answer.OtherYears = append(answer.OtherYears, called...)
	}
	answer.Total = best.total
	for _, found := range best.page(page) {
		c := cubes[found.cube]
		hit := parts[c.ID].hit(c, found.entry, found.asked.Query, found.asked.marks)
		if by := found.asked.by; by != nil {
			hit.By = parts[c.ID].levelCalled(*by)
		}
		answer.Hits = append(answer.Hits, hit)
	}
	return answer, nil
}

// isIn tells whether an entry is a member of a level; every entry is in "".
func (p *part) isIn(entry int, level string) bool {
	g := p.groups[p.entries[entry].group]
	return level == "" || g.kind == KindMember && g.level.Ref == level
}

// levelCalled gives the level that matches a query best.
func (p *part) levelCalled(q Query) (level cube.Level) {
	best := rank(unranked)
	p.find(q, p.marks(q), func(rank rank, entry int) {
		if g := p.groups[p.entries[entry].group]; g.kind == KindLevel && rank < best {
			best, level = rank, g.level
		}
	})
	return level
}

// inAnyYear tells whether a query has words that name the cube and matches something in any year, and whether something is called exactly
// by its words.
func (p *part) inAnyYear(q Query, marks []mark) (isNamed, isCalled bool) {
	named := p.namedBy(q, marks).whole&^q.small != 0
	q.year = 0
	p.find(q, marks, func(rank rank, _ int) { isNamed, isCalled = named, isCalled || rank == equalText })
	return isNamed, isCalled
}

// namesOf gives the words of a query that are of the names of any cube, which are not written wrongly.
func (q Query) namesOf(parts map[int64]*part) (words uint32) {
	for _, p := range parts {
		for i, word := range q.words {
			if at, ok := slices.BinarySearch(p.words, word); ok && slices.Contains(p.texts[:p.naming], uint32(at)) {
				words |= 1 << i
			}
		}
	}
	return words
}

// namedBy tells how the names of the cube match.
func (p *part) namedBy(q Query, marks []mark) mark {
	return joined(p.texts[:p.naming], false, &q, marks)
}

// hasYear tells whether a cube has rows of a fiscal year.
func hasYear(c *cube.Cube, year int64) bool {
	first, last, ok := c.Years()
	if c.Coverage != nil && len(c.Coverage.Years) > 0 {
		return slices.Contains(c.Coverage.Years, year)
	}
	return ok && first <= year && year <= last
}

// find gives the entries that match all words other than small ones and those for kinds of bodies, or some of them with the others matched from above, other than
// those that are the same as one above them, or a year, which it gives. The marks are those of the part's words.
func (p *part) find(q Query, marks []mark, found func(rank rank, entry int)) {
	matches, words := anyOf(q, marks), make([]uint32, p.size()) // the words that each entry matches itself
	isFound := make([]bool, p.size())
	whole, lacking := q.reading(0), q.reading(q.kinds)
	for i := range p.size() {
		if some(p.textsOf(i), matches) == 0 {
			continue
		}
		m := p.matched(i, &q, marks)
		if p.groups[p.entries[i].group].top && m.matches()&^(q.small|q.ministry) != 0 {
			m = m.heading(q.ministry)
		}
		words[i] = m.matches()
		if q.year == 0 || p.existsIn(i, q.year) {
			best := p.placed(i, m, words, marks, whole, lacking)
			isFound[i] = best != unranked
			if isFound[i] && !p.isFoundAbove(i, q, isFound) {
				found(best, i)
			}
		}
		if i == 0 {
			of := p.namedBy(q, marks)
			named := of.whole &^ q.dated // a year in the name of a cube says nothing about its members
			words[0], whole.rest, lacking.rest = of.matches()&^q.dated, q.within(named), q.within(named|q.kinds)
		}
	}
}

// isFoundAbove tells whether what is the same as an entry was found, and is not of another level than the one that is looked in.
func (p *part) isFoundAbove(i int, q Query, isFound []bool) bool {
	if q.level != "" {
		return false
	}
	over := p.same(i)
	return over > 0 && isFound[over]
}

// reading is a query of which some words for kinds of bodies are left out.
type reading struct {
	query Query
	free  uint32 // the words that need not match
	left  within // the query without what is left out
	rest  within // also without the words that name the cube
}

func (q Query) reading(out uint32) *reading {
	return &reading{query: q, free: q.small | out, left: q.within(out)}
}

// rankOf ranks an entry that matches the words itself, or some of them with the others from above; others are not ranked.
func (r *reading) rankOf(p *part, i int, m mark, words []uint32, marks []mark) rank {
	q, own := &r.query, words[i]
	switch {
	case own|r.free == q.all() && r.free == q.small:
		return min(p.rankOf(i, m, q.small, *q, marks), r.rest.rankOf(p, i, m, marks))
	case own|r.free == q.all():
		return min(r.left.rankOf(p, i, m, marks), r.rest.rankOf(p, i, m, marks))
	case own&^r.free != 0 && own|r.free|p.fromAbove(i, words, *q, r.free) == q.all():
		return min(q.rankBelow(m, r.free), r.rest.rankOf(p, i, m, marks))
	}
	return unranked
}

// placed ranks an entry. If the query says a kind of body, bodies that match it come first: those of the first level, if it is a ministry. Of
// everything else that is no matter, other than of equals. If it says a kind of programme, what matches that comes first.
func (p *part) placed(i int, m mark, words []uint32, marks []mark, whole, lacking *reading) rank {
	const (
		other   = 2 << 24
		lower   = 1 << 24
		without = 1 // what lacks the kind
	)
	q, of := &whole.query, p.groups[p.entries[i].group]
	best := whole.rankOf(p, i, m, words, marks)
	isBody := of.bodies && best != unranked
	switch {
	case q.kinds == 0 || best != unranked && q.bodies == 0, isBody && (of.top || q.ministry == 0):
		return best
	case isBody:
		return best + lower
	}
	if second := lacking.rankOf(p, i, m, words, marks); best == unranked && second != unranked {
		return 2*second + other + without
	} else if best = min(best, second); best != unranked {
		return 2*best + other
	}
	return unranked
}

// heading is the mark of a member of the first level of an administrative classification: it is a ministry, though it may not be called so.
func (m mark) heading(ministry uint32) mark {
	only := ministry &^ m.matches()
	m.meant, m.wider = m.meant|only, m.wider|only
	return m
}

// within is a query without the words that name the cube: "health" of "health in Croatia".
type within struct {
	query   Query
	dropped uint32 // 0 if the query has no such words, or no others
}

func (q Query) within(named uint32) within {
	named &^= q.small
	if named == 0 || named|q.small == q.all() {
		return within{}
	}
	rest := within{q, q.all()}
	rest.query.sequence = q.trimmed(slices.DeleteFunc(slices.Clone(q.sequence), func(word int) bool { return named&(1<<word) != 0 }))
	for _, word := range rest.query.sequence {
		rest.dropped &^= 1 << word
	}
	return rest
}

// trimmed is a sequence without the words at its ends that need not match.
func (q Query) trimmed(sequence []int) []int {
	for len(sequence) > 0 && q.isSmall(sequence[0]) {
		sequence = sequence[1:]
	}
	for len(sequence) > 0 && q.isSmall(sequence[len(sequence)-1]) {
		sequence = sequence[:len(sequence)-1]
	}
	return sequence
}

// rankOf ranks an entry of the cube that matches every other word itself; others come last.
func (w within) rankOf(p *part, i int, m mark, marks []mark) rank {
	free := w.dropped | w.query.small
	if m.whole |= w.dropped; w.dropped == 0 || m.matches()|free != w.query.all() {
		return unranked
	}
	return p.rankOf(i, m, free, w.query, marks)
}

// some gives the words of the query that any of the texts matches.
func some(texts, matches []uint32) (some uint32) {
	for _, id := range texts {
		some |= matches[id]
	}
	return some
}

// anyOf gives for each word of the part the words of the query that it matches in any way. This takes a quarter of the
// memory of the marks, and is enough to skip most entries.
func anyOf(q Query, marks []mark) []uint32 {
	matches := make([]uint32, len(marks))
	for i, m := range marks {
		matches[i] = m.begin | m.two
		if m.patterns != 0 {
			matches[i] |= q.synonyms.partly(m.patterns)
		}
	}
	return matches
}

// selection collects the best candidates.
type selection struct {
	most  int
	total int
	list  []candidate // at most 2*most, of which trim keeps the best
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
