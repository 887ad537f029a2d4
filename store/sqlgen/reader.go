package sqlgen

import (
	"context"
	"iter"

	"fiscube/cube"
)

// Reader is cube.Reader for a store of SQL: the statements of this package, and what is made of their rows.
type Reader struct {
	rows func(context.Context, Statement) iter.Seq2[[]any, error]
}

// NewReader makes a reader of what runs a statement, whose rows hold what Cells allows.
func NewReader(rows func(context.Context, Statement) iter.Seq2[[]any, error]) Reader {
	return Reader{rows}
}

// Run implements cube.Reader.
func (r Reader) Run(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
	return Cells(plan, r.rows(ctx, Aggregate(plan)))
}

// SQL implements cube.Reader.
func (r Reader) SQL(plan *cube.Plan) (text string, args []any) {
	statement := Aggregate(plan)
	return statement.Text, statement.Args
}

// Facts implements cube.Reader.
func (r Reader) Facts(ctx context.Context, plan *cube.FactPlan) iter.Seq2[cube.Fact, error] {
	return ReadFacts(plan, r.rows(ctx, Facts(plan)))
}

// Members implements cube.Reader.
func (r Reader) Members(ctx context.Context, plan *cube.MemberPlan) iter.Seq2[cube.MemberRow, error] {
	return MemberRows(plan, r.rows(ctx, Members(plan)))
}

// Find implements cube.Finder.
func (r Reader) Find(ctx context.Context, one *cube.Cube, wanted []cube.Wanted) ([]bool, error) {
	return Find(one, wanted, r.asking(ctx))
}

// Near implements cube.Finder.
func (r Reader) Near(ctx context.Context, one *cube.Cube, wanted []cube.Wanted) ([][]string, error) {
	return Near(one, wanted, r.asking(ctx))
}

func (r Reader) asking(ctx context.Context) Ask {
	return func(statement Statement) iter.Seq2[[]any, error] { return r.rows(ctx, statement) }
}
