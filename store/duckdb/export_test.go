//go:build cgo

package duckdb

import (
	"context"

	"fiscube/store/sqlgen"
)

// Tables counts the tables of facts, members and cuboids.
func (s *Store) Tables(ctx context.Context) (n int, err error) {
	err = s.db.Load().QueryRowContext(ctx,
		"SELECT count(*) FROM information_schema.tables WHERE table_schema IN ('fact', 'member', 'cuboid')").Scan(&n)
	return n, err
}

// Texts gives the rows of a query whose columns are texts; NULL is "".
func (s *Store) Texts(ctx context.Context, query string) (texts [][]string, err error) {
	for row, err := range rowsOf(ctx, s.db.Load(), sqlgen.SQL{Text: query}) {
		if err != nil {
			return nil, err
		}
		one := make([]string, len(row))
		for i, v := range row {
			one[i], _ = v.(string)
		}
		texts = append(texts, one)
	}
	return texts, nil
}
