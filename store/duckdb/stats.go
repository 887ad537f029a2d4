//go:build cgo

package duckdb

import "github.com/duckdb/duckdb-go/v2/mapping"

// LibraryVersion is the version of DuckDB that is part of this program.
func LibraryVersion() string { return mapping.LibraryVersion() }

// Metrics counts the connections to the engine in this process.
func (s *Store) Metrics(each func(name, help string, value float64)) {
	stat := s.db.Load().Stats()
	each("connections_in_use", "Connections to the engine that are at work.", float64(stat.InUse))
	each("connections_idle", "Connections to the engine that are kept for the next question.", float64(stat.Idle))
}
