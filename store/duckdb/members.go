//go:build cgo

package duckdb

import (
	"context"
	"iter"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// Members implements cube.Backend.
func (s *Store) Members(ctx context.Context, plan *cube.MemberPlan) iter.Seq2[cube.MemberRow, error] {
	return sqlgen.MemberRows(plan, s.rows(ctx, sqlgen.Members(plan)))
}

// Find implements cube.Backend.
func (s *Store) Find(ctx context.Context, one *cube.Cube, wanted []cube.Wanted) ([]bool, error) {
	return sqlgen.Find(one, wanted, s.asking(ctx))
}

// Near implements cube.Backend.
func (s *Store) Near(ctx context.Context, one *cube.Cube, wanted []cube.Wanted) ([][]string, error) {
	return sqlgen.Near(one, wanted, s.asking(ctx))
}

func (s *Store) asking(ctx context.Context) sqlgen.Ask {
	return func(statement sqlgen.Statement) iter.Seq2[[]any, error] { return s.rows(ctx, statement) }
}
