//go:build cgo

package duckdb

import (
	"context"

	"github.com/duckdb/duckdb-go/v2/mapping"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// CuboidBytes implements catalogue.Sizes. It counts whole blocks, which small cuboids share, and none that are in memory
// or in the log.
func (s *Store) CuboidBytes(ctx context.Context, version *cube.Cube) ([]int64, error) {
	const blocks = "SELECT CAST(count(DISTINCT block_id) * (SELECT max(block_size) FROM pragma_database_size()) AS bigint) " +
		"FROM pragma_storage_info($1) WHERE persistent"
	return catalogue.CuboidBytes(ctx, s.rows, version, blocks)
}

// LibraryVersion is the version of DuckDB that is part of this program.
func LibraryVersion() string { return mapping.LibraryVersion() }

// Metrics counts the connections to the engine in this process.
func (s *Store) Metrics(each func(name, help string, value float64)) {
	stat := s.db.Load().Stats()
	each("connections_in_use", "Connections to the engine that are at work.", float64(stat.InUse))
	each("connections_idle", "Connections to the engine that are kept for the next question.", float64(stat.Idle))
}
