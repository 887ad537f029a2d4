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

// Stats counts the connections to the engine in this process, for the metrics.
func (s *Store) Stats() []cube.Stat {
	stat := s.db.Load().Stats()
	return []cube.Stat{
		{Name: "connections_in_use", Help: "Connections to the engine that are at work.", Value: float64(stat.InUse)},
		{Name: "connections_idle", Help: "Connections to the engine that are kept for the next question.", Value: float64(stat.Idle)},
	}
}
