package answer

import (
	"context"
	"iter"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// Store answers statements from the facts of a package. Every store gives the same answer to a statement.
type Store interface {
	// Cells answers a statement with its groups.
	Cells(ctx context.Context, s *plan.Statement) (plan.Result, error)

	// Facts answers a statement with its facts in order. Ending the range frees everything; an error ends it.
	Facts(ctx context.Context, s *plan.FactStatement) iter.Seq2[plan.Fact, error]

	// Members answers a statement with its members in order.
	Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error)

	// Unknown lists those of the members that a cut names which do not exist, in order; for the first of them, near in number,
	// with what may have been meant.
	Unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, near int) ([]plan.UnknownMember, error)
}

// Explainer gives the SQL, with its arguments, by which a store answers a statement: "" if it need not ask.
type Explainer interface {
	SQL(ctx context.Context, s *plan.Statement) (text string, args []any, err error)

	// Tasks tells into how many tasks of its nodes a store splits this SQL: 0 if one machine answers it.
	Tasks(ctx context.Context, text string, args []any) (int, error)
}
