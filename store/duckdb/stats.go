//go:build cgo

package duckdb

import (
	"github.com/duckdb/duckdb-go/v2/mapping"

	"fiscube/cube"
)

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
