package sqlgen

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/dictionary"
)

// cuboidCells is a statement that a cuboid answers: it groups by numbers of members. What a row is follows from its shape:
//
//  1. If the page has all groups for certain, or there are few, there is a row for each: the numbers n…, then the parts a…. They are
//     counted, added up and brought on pages in memory, and sorted too, unless that takes more than their numbers and parts.
//  2. If the page has no group, there is one row: n, how many groups there are, then the parts t… over all of them.
//  3. Otherwise the rows are those of Cells, with numbers in the place of keys and without labels and ranks.
//  4. Of a flat statement there is a row for each group of which its cells are made, as of 1, up to plan.MostRegrouped and one more.
//     Its last part is the number of rows.
type cuboidCells struct {
	*plan.Statement
	cuboid       *cube.Cuboid
	where, guard dictionary.Condition
	years        map[cube.Value]dictionary.Condition // of the parts by year
	groups       []*dictionary.Members
	shape        shape
	order        []cuboidSort
	numbers      []int // the levels of the columns n…, as indexes: those of groups, then those of order
}

// fewGroups is how many groups are read as soon as a page of them.
const fewGroups = 3000

type shape uint8

const (
	wholeShape shape = iota
	countShape
	pageShape
	flatShape
)

// newCuboidCells turns what a statement tests into numbers.
func newCuboidCells(ctx context.Context, d *dictionary.Dictionary, s *plan.Statement, chosen plan.Choice) (*cuboidCells, error) {
	q := &cuboidCells{Statement: s, cuboid: chosen.Cuboid}
	var err error
	if q.where, err = d.Where(ctx, s.Cube(), q.cuboid, s.Filters()); err != nil {
		return nil, err
	}
	if s.Guard() != nil {
		if q.guard, err = d.Where(ctx, s.Cube(), q.cuboid, []plan.Filter{*s.Guard()}); err != nil {
			return nil, err
		}
	}
	for _, p := range s.Parts() {
		if _, known := q.years[p.Year]; !p.ByYear || known {
			continue
		}
		if q.years == nil {
			q.years = map[cube.Value]dictionary.Condition{}
		}
		if q.years[p.Year], err = d.Where(ctx, s.Cube(), q.cuboid, []plan.Filter{s.YearOf(p)}); err != nil {
			return nil, err
		}
	}
	most := int64(1)
	for _, level := range chosen.Groups {
		members, err := d.Members(ctx, s.Cube(), level)
		if err != nil {
			return nil, err
		}
		q.groups, q.numbers = append(q.groups, members), append(q.numbers, level.Index)
		most = min(most*int64(q.where.Most(level, members.Size)), max(1, q.cuboid.Rows))
	}
	switch page := s.Page(); {
	case s.Flat() && len(q.groups) > 0:
		q.shape = flatShape
		return q, nil
	case page.Size == 0:
		q.shape = countShape
	case most > fewGroups && (most > int64(page.Size) || page.Number != 1) || q.sortsByTotal():
		q.shape = pageShape
	}
	if q.shape != countShape {
		err = q.bindOrder(ctx, d)
	}
	return q, err
}

// sortsByTotal tells whether the order needs the parts over all groups.
func (q *cuboidCells) sortsByTotal() bool {
	return slices.ContainsFunc(q.Order(), func(o plan.Sort) bool { return o.By == plan.ByAggregate && q.Aggregate(o).Uses(cube.Share) })
}

// sql writes the query.
func (q *cuboidCells) sql() SQL {
	r := &renderer{scale: q.scale}
	switch q.shape {
	case countShape:
		r.write("SELECT count(*) AS n", q.totals(), " FROM (")
		r.numberedCells(q)
		r.write(") AS g")
	case flatShape:
		r.numberedGroups(q)
		r.write(" LIMIT ", strconv.Itoa(plan.MostRegrouped+1))
	case wholeShape:
		if q.isPlain() {
			r.numberedGroups(q)
			break
		}
		r.write("SELECT ", q.columns("g."), " FROM (")
		r.numberedCells(q)
		r.write(") AS g")
		q.joins(r, "g.")
		q.orderBy(r, "g.")
	default:
		r.write("WITH g AS (")
		r.numberedCells(q)
		r.write("),\ns AS (SELECT count(*) AS n", q.totals(), " FROM g),\np AS (SELECT g.*, 1 AS one FROM g")
		q.joins(r, "g.")
		q.orderBy(r, "g.")
		r.limit(q.Page())
		r.write(")\nSELECT s.n", list(len(q.Parts()), "", func(i int) string { return numbered(", s.t", i) }), ", p.one, ", q.columns("p."),
			"\nFROM s LEFT JOIN p ON true")
		q.joins(r, "p.")
		q.orderBy(r, "p.")
	}
	statement := r.sql()
	statement.Repeated = len(statement.Args) == 0 && len(statement.Text) <= longestRepeated
	return statement
}

// longestRepeated is how long a text is at most that is worth keeping.
const longestRepeated = 4 << 10

// columns writes the numbers of groups and their parts.
func (q *cuboidCells) columns(from string) string {
	n := len(q.groups)
	return list(n+len(q.Parts()), ", ", func(i int) string {
		if i < n {
			return from + numbered("n", q.numbers[i])
		}
		return from + numbered("a", i-n)
	})
}

// scale gives the power of ten by which a cuboid has a part multiplied.
func (q *cuboidCells) scale(part int) int {
	p := q.Parts()[part]
	if column, ok := q.Cube().Model.Column(p.Measure); ok && p.Func != cube.Count && column.IsScaled() {
		return column.Scale
	}
	return 0
}

// numberedCells writes the groups that meet the conditions of having.
func (r *renderer) numberedCells(q *cuboidCells) {
	if len(q.Having()) == 0 {
		r.numberedGroups(q)
		return
	}
	r.write("SELECT h.* FROM (")
	r.numberedGroups(q)
	r.write(") AS h WHERE ", r.conditions(q.Statement))
}

func (r *renderer) numberedGroups(q *cuboidCells) {
	only := partRows{years: map[cube.Value]string{}}
	if q.Guard() != nil && q.guard.Op != dictionary.Every {
		only.guard = r.numbers(q.guard)
	}
	for year, condition := range q.years {
		only.years[year] = r.numbers(condition)
	}
	n, parts := len(q.numbers), q.Parts()
	if q.shape == flatShape {
		parts = append(slices.Clone(parts), plan.Part{Func: cube.Rows})
	}
	r.write("SELECT ", list(n+len(parts), ", ", func(i int) string {
		if i < n {
			return numbered("f.n", q.numbers[i])
		}
		return q.part(parts[i-n], only.filter(parts[i-n])) + numbered(" AS a", i-n)
	}), " FROM ", CuboidTable(q.Cube().ID, q.cuboid.Number), " AS f")
	if q.where.Op != dictionary.Every {
		r.write(" WHERE ", r.numbers(q.where))
	}
	if n > 0 {
		r.write(" GROUP BY ", list(n, ", ", func(i int) string { return numbered("f.n", q.numbers[i]) }))
	}
}

// part writes the part of a group. A cuboid that is not the base has sums, counts, minima and maxima to be put together. A sum that
// fits is made a whole number of 64 bits, since both stores add these up to wider types.
func (q *cuboidCells) part(p plan.Part, filter string) string {
	of := func(function, prefix string) string {
		return function + "(f." + numbered(prefix, q.measure(p.Measure)) + ")" + filter
	}
	count := func(sum string) string { return "CAST(coalesce(" + sum + ", 0) AS bigint)" }
	base := q.cuboid.IsBase()
	switch {
	case p.Func == cube.Rows && base:
		return "count(*)" + filter
	case p.Func == cube.Rows:
		return count("sum(f.rows)" + filter)
	case p.Func == cube.Count && base:
		return of("count", "m")
	case p.Func == cube.Count:
		return count(of("sum", "c"))
	case p.Func != cube.Sum && base:
		return of(string(p.Func), "m")
	case p.Func == cube.Min:
		return of("min", "l")
	case p.Func == cube.Max:
		return of("max", "h")
	case base:
		return q.narrow(p, of("sum", "m"))
	}
	return q.narrow(p, of("sum", "s"))
}

func (q *cuboidCells) narrow(p plan.Part, sum string) string {
	if q.Cube().HasNarrowSums(q.measure(p.Measure)) {
		return bigint(sum)
	}
	return sum
}

// measure gives the index of a measure, by which cuboids name it.
func (q *cuboidCells) measure(ref string) int {
	return slices.IndexFunc(q.Cube().Model.Measures(), func(m cube.Measure) bool { return m.Ref == ref })
}

// totals writes the parts over all groups.
func (q *cuboidCells) totals() string {
	return list(len(q.Parts()), "", func(i int) string {
		a, t := numbered("a", i), numbered(" AS t", i)
		switch p := q.Parts()[i]; p.Func {
		case cube.Rows, cube.Count:
			return ", CAST(coalesce(sum(" + a + "), 0) AS bigint)" + t
		case cube.Min, cube.Max:
			return ", " + string(p.Func) + "(" + a + ")" + t
		default:
			return ", " + q.narrow(p, "sum("+a+")") + t
		}
	})
}

// nothing tells whether the answer is known without asking: no row passes, so there is no group, or one of no rows without keys.
func (q *cuboidCells) nothing() (plan.Result, bool) {
	if q.where.Op != dictionary.Never || len(q.groups) == 0 && len(q.Having()) > 0 {
		return plan.Result{}, false
	}
	parts := make([]decimal.NullDecimal, len(q.Parts()))
	for i, p := range q.Parts() {
		if p.Func == cube.Rows || p.Func == cube.Count {
			parts[i] = decimal.NewNullDecimal(decimal.Zero)
		}
	}
	result := plan.Result{Total: parts, Close: func() {}, Groups: func(func(plan.Group, error) bool) {}}
	if len(q.groups) == 0 {
		result.Count = 1
		if page := q.Page(); page.Size != 0 && page.Number == 1 {
			result.Groups = func(yield func(plan.Group, error) bool) { yield(plan.Group{Parts: slices.Clone(parts)}, nil) }
		}
	}
	return result, true
}

// read reads the rows of the query.
func (q *cuboidCells) read(r *memberReading, rows iter.Seq2[[]any, error]) (plan.Result, error) {
	switch q.shape {
	case wholeShape:
		return q.readWhole(r, rows)
	case countShape:
		c, row, err := begin(rows)
		if err != nil {
			return plan.Result{}, err
		}
		c.close()
		return plan.Result{Count: row[0].(int64), Total: q.amounts(row[1:]), Close: func() {}, Groups: func(func(plan.Group, error) bool) {}}, nil
	}
	c, row, err := begin(rows)
	if err != nil {
		return plan.Result{}, err
	}
	one := 1 + len(q.Parts())
	groups := func(yield func(plan.Group, error) bool) {
		if row[one] == nil || !yield(q.group(r, row[one+1:]), nil) {
			return
		}
		for row, err := range c.rest {
			if err != nil {
				yield(plan.Group{}, err)
				return
			}
			if !yield(q.group(r, row[one+1:]), nil) {
				return
			}
		}
	}
	return plan.Result{Count: row[0].(int64), Total: q.amounts(row[1:one]), Groups: groups, Close: c.close}, nil
}

// readWhole reads all groups, counts them, adds them up, and gives those of the page.
func (q *cuboidCells) readWhole(r *memberReading, rows iter.Seq2[[]any, error]) (plan.Result, error) {
	width, count := len(q.groups)+len(q.Parts()), 0
	var cells []any
	for row, err := range rows {
		if err != nil {
			return plan.Result{}, err
		}
		cells = append(cells, row...)
		count++
	}
	all := make([][]any, count)
	for i := range all {
		all[i] = cells[i*width : (i+1)*width]
	}
	if q.isPlain() {
		slices.SortFunc(all, q.compare)
	}
	result := plan.Result{Count: int64(count), Total: make([]decimal.NullDecimal, len(q.Parts())), Close: func() {}}
	for i, p := range q.Parts() {
		result.Total[i] = q.amount(i, sumOf(p.Func, all, len(q.groups)+i))
	}
	all = onPage(all, q.Page())
	result.Groups = func(yield func(plan.Group, error) bool) {
		for _, row := range all {
			if !yield(q.group(r, row), nil) {
				return
			}
		}
	}
	return result, nil
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

// sumOf gives the part over all groups, as a store gives those of groups. A sum that a store gives as a whole number of 64 bits fits
// in 64 bits over all groups too.
func sumOf(f cube.Func, rows [][]any, column int) any {
	var sum any
	if f == cube.Rows || f == cube.Count {
		sum = int64(0)
	}
	for _, row := range rows {
		sum = plus(f, sum, row[column])
	}
	return sum
}

// plus adds the part of a group to that of others.
func plus(f cube.Func, x, y any) any {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	case f == cube.Min && compareParts(x, y) <= 0, f == cube.Max && compareParts(x, y) >= 0:
		return x
	case f == cube.Min, f == cube.Max:
		return y
	}
	a, ok := x.(int64)
	b, okToo := y.(int64)
	if ok && okToo {
		return a + b
	}
	return number(x).Decimal.Add(number(y).Decimal)
}

func compareParts(x, y any) int {
	a, ok := x.(int64)
	b, okToo := y.(int64)
	if ok && okToo {
		return cmp.Compare(a, b)
	}
	return number(x).Decimal.Cmp(number(y).Decimal)
}

// group makes a group of its numbers and parts.
func (q *cuboidCells) group(r *memberReading, row []any) plan.Group {
	n := len(q.groups)
	g := r.group(row[:n])
	g.Parts = q.amounts(row[n : n+len(q.Parts())])
	return g
}

// amounts reads parts.
func (q *cuboidCells) amounts(parts []any) []decimal.NullDecimal {
	amounts := make([]decimal.NullDecimal, len(parts))
	for i, part := range parts {
		amounts[i] = q.amount(i, part)
	}
	return amounts
}

// amount reads a part, which is multiplied by a power of ten.
func (q *cuboidCells) amount(i int, part any) decimal.NullDecimal {
	switch v := part.(type) {
	case nil:
		return decimal.NullDecimal{}
	case int64:
		return decimal.NewNullDecimal(decimal.New(v, -int32(q.scale(i))))
	}
	d := number(part).Decimal
	return decimal.NewNullDecimal(decimal.NewFromBigInt(d.Coefficient(), d.Exponent()-int32(q.scale(i))))
}
