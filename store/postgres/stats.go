package postgres

// Stats tells of the pool of questions and loads, for the metrics.
func (s *Store) Stats() map[string]float64 {
	stat := s.pool.Stat()
	return map[string]float64{
		"connections_in_use":        float64(stat.AcquiredConns()),
		"connections_idle":          float64(stat.IdleConns()),
		"connections_max":           float64(stat.MaxConns()),
		"connection_waits":          float64(stat.EmptyAcquireCount()),
		"connection_waits_canceled": float64(stat.CanceledAcquireCount()),
		"connection_wait_seconds":   stat.EmptyAcquireWaitTime().Seconds(),
		"connections_opened":        float64(stat.NewConnsCount()),
	}
}
