package postgres

// Metrics describes the pool of questions and loads.
func (s *Store) Metrics(each func(name, help string, value float64)) {
	stat := s.pool.Stat()
	each("connections_in_use", "Connections of the pool that are at work.", float64(stat.AcquiredConns()))
	each("connections_idle", "Connections of the pool that are kept for the next question.", float64(stat.IdleConns()))
	each("connections_max", "Connections that the pool may have at once.", float64(stat.MaxConns()))
	each("connections_opened_total", "Connections that the pool opened.", float64(stat.NewConnsCount()))
	each("connection_waits_total", "Times that no connection was idle and one was waited for.", float64(stat.EmptyAcquireCount()))
	each("connection_waits_canceled_total", "Times that a connection was given up before there was one.", float64(stat.CanceledAcquireCount()))
	each("connection_wait_seconds_total", "Time that was spent waiting for connections.", stat.EmptyAcquireWaitTime().Seconds())
}
