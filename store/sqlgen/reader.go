package sqlgen

import (
	"context"
	"errors"
	"iter"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
)

// Reader answers statements for a store with SQL over facts and members, as answer.Store needs it: it runs the queries of this package and
// reads their rows.
type Reader struct{ ask Ask }

// Ask runs a query in a store and gives its rows. The end of the range frees everything, and an error ends it. A row is valid
// until the next one. In every store its values are nil, int32, int64, string or decimal.Decimal.
type Ask func(context.Context, SQL) iter.Seq2[[]any, error]

// NewReader makes a reader from a function that runs queries.
func NewReader(ask Ask) Reader { return Reader{ask} }

// Cells answers a statement from the facts. The first row is read at once, since every row has the totals.
func (r Reader) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	return readCells(s, r.ask(ctx, Cells(s)))
}

// Source gives the query that Cells runs.
func (r Reader) Source(_ context.Context, s *plan.Statement) (answer.Source, error) {
	query := Cells(s)
	return answer.Source{Text: query.Text, Args: query.Args}, nil
}

// Tasks tells that one machine answers every query. A store of several machines knows better.
func (r Reader) Tasks(context.Context, string, []any) (int, error) { return 0, nil }

// Facts answers a statement with its facts in order.
func (r Reader) Facts(ctx context.Context, s *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	return ReadFacts(s, r.ask(ctx, Facts(s)))
}

// Members answers a statement with its members in order.
func (r Reader) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	return readMembers(s, r.ask(ctx, Members(s)))
}

// Unknown lists those of the members that a cut names which do not exist, the first of them with what may have been meant.
func (r Reader) Unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, near int) ([]plan.UnknownMember, error) {
	return unknown(ctx, c, named, near, r.ask)
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
