package sqlgen

import (
	"context"
	"errors"
	"iter"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
)

// Reader answers statements for a store with SQL, as answer.Store needs it: it runs the queries of this package and reads
// their rows.
type Reader struct {
	ask     Ask
	members *dictionary.Dictionary
}

// Ask runs a query in a store and gives its rows. The end of the range frees everything, and an error ends it. A row is valid
// until the next one. In every store its values are nil, int32, int64, string or decimal.Decimal.
type Ask func(context.Context, SQL) iter.Seq2[[]any, error]

// NewReader makes a reader from a function that runs queries.
func NewReader(ask Ask) Reader {
	return Reader{ask, dictionary.New(tables{ask}, dictionary.DefaultBytes)}
}

// LimitMembers implements catalogue.Serving.
func (r Reader) LimitMembers(bytes int64) { r.members.Limit(bytes) }

// Keep drops the members of versions that are not in the catalogue any more.
func (r Reader) Keep(c *cube.Catalog) {
	kept := map[int64]bool{}
	for _, served := range c.Served() {
		for _, version := range c.Versions(served.Name) {
			kept[version.ID] = true
		}
	}
	r.members.Keep(kept)
}

// Cells answers a statement from a cuboid or, if none can answer, from the facts. The first row is read at once, since every row
// has the totals.
func (r Reader) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	q, err := r.cuboidCells(ctx, s)
	if err != nil {
		return plan.Result{}, err
	}
	if q == nil {
		return readCells(s, r.ask(ctx, Cells(s)))
	}
	if result, ok := q.nothing(); ok {
		return result, nil
	}
	if q.shape == flatShape {
		return r.flatCells(ctx, q)
	}
	reading, err := newMemberReading(ctx, r.members, s, q.groups)
	if err != nil {
		return plan.Result{}, err
	}
	return q.read(reading, r.ask(ctx, q.sql()))
}

// flatCells answers a flat statement from a cuboid or, if that has too many groups, from the facts.
func (r Reader) flatCells(ctx context.Context, q *cuboidCells) (plan.Result, error) {
	reading, err := newFlatReading(ctx, r.members, q)
	if err != nil {
		return plan.Result{}, err
	}
	if err = reading.add(r.ask(ctx, q.sql())); errors.Is(err, errTooManyGroups) {
		return readCells(q.Statement, r.ask(ctx, Cells(q.Statement)))
	}
	return reading.result(), err
}

// SQL gives the query that Cells runs, with its arguments. There is none if the members in memory tell that no row passes.
func (r Reader) SQL(ctx context.Context, s *plan.Statement) (text string, args []any, err error) {
	q, err := r.cuboidCells(ctx, s)
	if err != nil {
		return "", nil, err
	}
	if q == nil {
		query := Cells(s)
		return query.Text, query.Args, nil
	}
	if _, ok := q.nothing(); ok {
		return "", nil, nil
	}
	query := q.sql()
	return query.Text, query.Args, nil
}

// Tasks tells that one machine answers every query. A store of several machines knows better.
func (r Reader) Tasks(context.Context, string, []any) (int, error) { return 0, nil }

// cuboidCells makes a statement one for the cuboid that answers it. It gives nil if the facts do.
func (r Reader) cuboidCells(ctx context.Context, s *plan.Statement) (*cuboidCells, error) {
	chosen := s.Choose()
	if chosen.Cuboid == nil {
		return nil, nil
	}
	return newCuboidCells(ctx, r.members, s, chosen)
}

// Facts answers a statement with its facts in order.
func (r Reader) Facts(ctx context.Context, s *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	return ReadFacts(s, r.ask(ctx, Facts(s)))
}

// Members answers a statement with its members in order.
func (r Reader) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	counted, err := r.memberCounts(ctx, s)
	switch {
	case err != nil:
		return plan.MemberRows{}, err
	case counted != nil && counted.where.Op == dictionary.Never:
		return plan.MemberRows{Members: func(func(plan.MemberRow, error) bool) {}, Close: func() {}}, nil
	}
	return readMembers(s, r.ask(ctx, membersOf(s, counted)))
}

// memberCounts says which cuboid counts the rows of members under filters, and how. It gives nil if the facts do, or if no row is
// counted.
func (r Reader) memberCounts(ctx context.Context, s *plan.MemberStatement) (*memberCounts, error) {
	if len(s.Filters()) == 0 {
		return nil, nil
	}
	chosen := s.Choose()
	if chosen.Cuboid == nil {
		return nil, nil
	}
	where, err := r.members.Where(ctx, s.Cube(), chosen.Cuboid, s.Filters())
	return &memberCounts{chosen.Cuboid, where}, err
}

// Unknown lists those of the members that a cut names which do not exist, the first of them with what may have been meant. It asks
// nothing if the members in memory have all.
func (r Reader) Unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, near int) ([]plan.UnknownMember, error) {
	exists, err := r.inMemory(ctx, c, named)
	if err != nil || !slices.Contains(exists, false) {
		return nil, err
	}
	return unknown(ctx, c, named, exists, near, r.ask)
}

// mostInMemory is how many members are looked for in memory. To find one under any parent takes a look at all parents; many are found
// sooner by one query.
const mostInMemory = 20

// inMemory marks the members that those in memory have.
func (r Reader) inMemory(ctx context.Context, c *cube.Cube, named []plan.NamedMember) (exists []bool, err error) {
	exists = make([]bool, len(named))
	if len(c.Cuboids) == 0 || len(named) > mostInMemory { // without cuboids members have no numbers
		return exists, nil
	}
	for i, m := range named {
		if m.By != plan.ByPath && m.By != plan.ByOwnKey || len(m.Years) > 0 {
			continue
		}
		members, err := r.members.Members(ctx, c, m.Level)
		if err != nil {
			return nil, err
		}
		exists[i] = members.Has(m.Columns, m.Path)
	}
	return exists, nil
}

// cursor reads rows one at a time.
type cursor struct {
	next  func() ([]any, error, bool)
	close func()
}

var errNoRows = errors.New("the store gave no row, where every query has one")

// begin reads the first row, which every query for a page has.
func begin(rows iter.Seq2[[]any, error]) (cursor, []any, error) {
	next, stop := iter.Pull2(rows)
	row, err, ok := next()
	if !ok {
		err = errNoRows
	}
	if err != nil {
		stop()
	}
	return cursor{next, stop}, row, err
}

// rest gives the rows that were not read.
func (c cursor) rest(yield func([]any, error) bool) {
	for {
		row, err, ok := c.next()
		if !ok || !yield(row, err) || err != nil {
			return
		}
	}
}
