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

// Source is what answers a statement.
type Source struct {
	Why      plan.Needs // Why the facts are asked, if they are
	Levels   []int      // of the cuboid that is asked: nil if the facts are
	Rows     int64      // that it has
	Resident bool       // it is in memory
	Text     string     // the SQL that a store is asked; "" if it is not
	Args     []any
}

// Explainer says what answers a statement.
type Explainer interface {
	Source(ctx context.Context, s *plan.Statement) (Source, error)

	// Tasks tells into how many tasks of its nodes a store splits this SQL: 0 if one machine answers it.
	Tasks(ctx context.Context, text string, args []any) (int, error)
}
