package postgres

import (
	"context"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

const (
	selectBytes = "SELECT pg_total_relation_size(CAST($1 AS text)::regclass)"

	// The base cuboid is on the nodes, those above it are on the coordinator.
	selectBytesOfNodes = "SELECT CASE WHEN EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = CAST($1 AS text)::regclass) " +
		"THEN citus_total_relation_size(CAST($1 AS text)::regclass) ELSE pg_total_relation_size(CAST($1 AS text)::regclass) END"
)

// CuboidBytes implements catalogue.Sizes.
func (s *Store) CuboidBytes(ctx context.Context, version *cube.Cube) ([]int64, error) {
	nodes, err := s.Nodes(ctx, version)
	if err != nil {
		return nil, err
	}
	statement := selectBytes
	if nodes > 0 {
		statement = selectBytesOfNodes
	}
	return catalogue.CuboidBytes(ctx, s.rows, version, statement)
}

// Stats describes the pool of questions and loads, for the metrics.
func (s *Store) Stats() []cube.Stat {
	stat := s.pool.Stat()
	return []cube.Stat{
		{Name: "connections_in_use", Help: "Connections of the pool that are at work.", Value: float64(stat.AcquiredConns())},
		{Name: "connections_idle", Help: "Connections of the pool that are kept for the next question.", Value: float64(stat.IdleConns())},
		{Name: "connections_max", Help: "Connections that the pool may have at once.", Value: float64(stat.MaxConns())},
		{Name: "connections_opened_total", Help: "Connections that the pool opened.", Value: float64(stat.NewConnsCount())},
		{Name: "connection_waits_total", Help: "Times that no connection was idle and one was waited for.",
			Value: float64(stat.EmptyAcquireCount())},
		{Name: "connection_waits_canceled_total", Help: "Times that a connection was given up before there was one.",
			Value: float64(stat.CanceledAcquireCount())},
		{Name: "connection_wait_seconds_total", Help: "Time that was spent waiting for connections.",
			Value: stat.EmptyAcquireWaitTime().Seconds()},
	}
}
