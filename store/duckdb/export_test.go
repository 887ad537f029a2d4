//go:build cgo

package duckdb

import "context"

// Tables counts the tables of facts and members.
func (s *Store) Tables(ctx context.Context) (n int, err error) {
	err = s.db.QueryRowContext(ctx,
		"SELECT count(*) FROM information_schema.tables WHERE table_schema IN ('fact', 'member')").Scan(&n)
	return n, err
}

// Drain takes every row of an answer, as the driver gives them.
func (s *Store) Drain(ctx context.Context, text string, args []any) error {
	rows, err := s.db.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
	}
	return rows.Err()
}
