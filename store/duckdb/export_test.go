//go:build cgo

package duckdb

import "context"

// Tables counts the tables of facts and members.
func (s *Store) Tables(ctx context.Context) (n int, err error) {
	err = s.db.QueryRowContext(ctx,
		"SELECT count(*) FROM information_schema.tables WHERE table_schema IN ('fact', 'member')").Scan(&n)
	return n, err
}
