package resident

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/dictionary"
)

// question is a statement whose tests are conditions on the numbers of members.
type question struct {
	*plan.Statement
	needs  plan.Needs
	where  dictionary.Condition
	only   []dictionary.Condition // by part, as in scan
	groups []*dictionary.Members
}

// newQuestion turns what a statement tests into numbers.
func newQuestion(ctx context.Context, d *dictionary.Dictionary, s *plan.Statement, needs plan.Needs) (*question, error) {
	q, levels := &question{Statement: s, needs: needs}, &cube.Cuboid{Levels: needs.Levels}
	where := func(filters ...plan.Filter) (dictionary.Condition, error) {
		return d.Where(ctx, s.Cube(), levels, filters)
	}
	var err error
	if q.where, err = where(s.Filters()...); err != nil {
		return nil, err
	}
	if s.Guard() != nil || slices.ContainsFunc(s.Parts(), func(p plan.Part) bool { return p.ByYear }) {
		known := map[plan.Part]dictionary.Condition{}
		for _, p := range s.Parts() {
			var filters []plan.Filter
			if p.Guarded && s.Guard() != nil {
				filters = append(filters, *s.Guard())
			}
			if p.ByYear {
				filters = append(filters, s.YearOf(p))
			}
			id := plan.Part{Guarded: p.Guarded, ByYear: p.ByYear, Year: p.Year}
			only, ok := known[id]
			if !ok {
				if only, err = where(filters...); err != nil {
					return nil, err
				}
				known[id] = only
			}
			q.only = append(q.only, only)
		}
	}
	for _, level := range needs.Groups {
		members, err := d.Members(ctx, s.Cube(), level)
		if err != nil {
			return nil, err
		}
		q.groups = append(q.groups, members)
	}
	return q, nil
}

// hasExtremes tells whether the least or highest amounts are asked.
func (q *question) hasExtremes() bool {
	return slices.ContainsFunc(q.Parts(), func(p plan.Part) bool { return p.Func == cube.Min || p.Func == cube.Max })
}

// isFlat tells whether cells are made of several groups.
func (q *question) isFlat() bool { return q.Flat() && len(q.groups) > 0 }

// of is the scan of a table that answers the question with at most so many groups.
func (q *question) of(t *table, most int) *scan {
	s := &scan{cube: q.Cube(), table: t, levels: q.groups, where: q.where, parts: q.Parts(), only: q.only, most: most}
	if q.isFlat() { // labels are weighed by rows
		if s.parts = append(slices.Clone(s.parts), plan.Part{Func: cube.Rows}); s.only != nil {
			s.only = append(slices.Clone(s.only), dictionary.Condition{Op: dictionary.Every})
		}
	}
	return s
}

// result sorts the groups and gives those of the page.
func (q *question) result(g *groups, r *reading) plan.Result {
	if len(q.groups) == 0 && len(g.rows) == 0 { // without keys there is a group of no rows, too
		g.rows = []int32{0}
		for _, p := range g.parts {
			p.grow(1)
			if !p.counts() {
				p.amounts = []int64{0}
			}
		}
	}
	all := make([]int32, 0, len(g.rows))
	for i := range g.rows {
		if q.meetsAll(g, int32(i)) {
			all = append(all, int32(i))
		}
	}
	result := plan.Result{Count: int64(len(all)), Total: make([]decimal.NullDecimal, len(q.Parts())), Close: func() {}}
	for i := range q.Parts() {
		result.Total[i] = g.parts[i].total(all)
	}
	all = q.pageOf(all, q.sortedBy(g, r))
	result.Groups = func(yield func(plan.Group, error) bool) {
		numbers, n := make([]int32, len(q.groups)), len(g.parts)
		for some := range slices.Chunk(all, stretch) {
			texts, parts := make([]cube.Value, len(some)*r.texts), make([]decimal.NullDecimal, len(some)*n)
			for at, i := range some {
				g.read(q, i, numbers)
				group := r.group(numbers, texts[at*r.texts:(at+1)*r.texts])
				group.Parts = numbersOf(g.parts, i, parts[at*n:at*n:(at+1)*n])
				if !yield(group, nil) {
					return
				}
			}
		}
	}
	return result
}

// stretch is how many groups share the memory of their texts and parts.
const stretch = 256

// read reads the numbers of the members of a group.
func (g *groups) read(q *question, group int32, numbers []int32) {
	for i, m := range q.groups {
		numbers[i] = int32(g.from.numbers[m.Level.Index].at(g.rows[group]))
	}
}

// numbersOf appends the parts of a group to a list.
func numbersOf(parts []*part, group int32, list []decimal.NullDecimal) []decimal.NullDecimal {
	for _, p := range parts {
		list = append(list, p.number(group))
	}
	return list
}

// pageOf sorts groups and gives those of the page. Of many, only those up to the page are sorted.
func (q *question) pageOf(all []int32, order []func(i, j int32) int) []int32 {
	compare := func(i, j int32) int {
		for _, by := range order {
			if c := by(i, j); c != 0 {
				return c
			}
		}
		return 0
	}
	page := q.Page()
	if end := page.Number * page.Size; page.Size >= 0 && end < len(all)/4 {
		return onPage(firstOf(all, end, compare), page)
	}
	slices.SortFunc(all, compare)
	return onPage(all, page)
}

// firstOf gives the first n, sorted: in a heap, the last of them on top, that each of the others enters which comes before it.
func firstOf(all []int32, n int, compare func(i, j int32) int) []int32 {
	first := all[:n]
	down := func(i int) {
		for child := 2*i + 1; child < n; child = 2*i + 1 {
			if child+1 < n && compare(first[child], first[child+1]) < 0 {
				child++
			}
			if compare(first[i], first[child]) >= 0 {
				return
			}
			first[i], first[child] = first[child], first[i]
			i = child
		}
	}
	for i := n/2 - 1; i >= 0; i-- {
		down(i)
	}
	for i := n; n > 0 && i < len(all); i++ {
		if compare(all[i], first[0]) < 0 {
			first[0], all[i] = all[i], first[0]
			down(0)
		}
	}
	slices.SortFunc(first, compare)
	return first
}

// onPage gives those of all groups that are on a page; an export has all.
func onPage[G any](all []G, page query.Page) []G {
	if page.Size < 0 {
		return all
	}
	count := int64(len(all))
	from := min(count, int64(page.Number-1)*int64(page.Size))
	return all[from:min(count, from+int64(page.Size))]
}

// total gives the part over some groups.
func (p *part) total(groups []int32) decimal.NullDecimal {
	return p.regrouped(groups, make([]int32, len(groups)), 1).number(0)
}

// regrouped adds groups up to others, whose number is known.
func (p *part) regrouped(groups, in []int32, number int) *part {
	others := &part{function: p.function, scale: p.scale, values: values{low: p.low[:0:0], high: p.high[:0:0], big: p.big[:0:0]}}
	if p.counts() {
		others.function, others.ofCounts = cube.Sum, true // which of no groups is 0
	} else {
		others.amounts = []int64{}
	}
	others.grow(number)
	for i, group := range groups {
		if p.function == cube.Sum && !p.ofCounts && !p.isNull(group) {
			others.amounts[in[i]]++
		}
	}
	others.add(p.values, p.isNull, groups, in)
	return others
}

// meetsAll tells whether a group meets the conditions of having.
func (q *question) meetsAll(g *groups, group int32) bool {
	return !slices.ContainsFunc(q.Having(), func(h plan.Having) bool { return !g.meets(h, group) })
}

// meets compares without dividing, as plan.Having says.
func (g *groups) meets(h plan.Having, group int32) bool {
	num, known := g.linear(h.Num, group)
	if h.AlwaysNull || !known {
		return false
	}
	op, side := h.Op, h.Number
	if len(h.Den) > 0 {
		den, known := g.linear(h.Den, group)
		if !known || den.IsZero() {
			return false
		}
		if side = den.Mul(h.Number); den.IsNegative() {
			op = op.Flipped()
		}
	}
	return op.Holds(num.Cmp(side))
}

// linear adds up parts of a group times their factors; it is not known if a part is null.
func (g *groups) linear(terms []plan.Term, group int32) (sum decimal.Decimal, known bool) {
	for _, t := range terms {
		n := g.parts[t.Part].number(group)
		if !n.Valid {
			return sum, false
		}
		sum = sum.Add(n.Decimal.Mul(t.Factor))
	}
	return sum, true
}
