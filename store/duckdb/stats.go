//go:build cgo

package duckdb

// Stats tells of the connections to the engine in this process, for the metrics.
func (s *Store) Stats() map[string]float64 {
	stat := s.db.Stats()
	return map[string]float64{
		"connections_in_use": float64(stat.InUse),
		"connections_idle":   float64(stat.Idle),
	}
}
