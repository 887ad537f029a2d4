package postgres

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/sqlgen"
)

// Options are settings of a store that its address does not have.
type Options struct {
	Distribute   Distribute // "" for DistributeAuto
	AccessMethod string     // of the tables of facts and of base cuboids; "" for the database's own
}

// Distribute says which cubes are loaded into a Citus cluster as distributed tables.
type Distribute string

// The values of Distribute.
const (
	DistributeAuto   Distribute = "auto"   // those of enoughRows, where the cluster has workers
	DistributeAlways Distribute = "always" // all
	DistributeNever  Distribute = "never"  // none
)

// enoughRows is from how many rows on a cube gains by being distributed. Questions to smaller ones wait longer for the nodes than these
// take to add up.
const enoughRows = 1_000_000

// cluster is what a database knows of the Citus cluster that it is the coordinator of.
type cluster struct {
	workers          int  // active nodes that take shards, without the coordinator
	knowsCoordinator bool // that is, the nodes have an address of the coordinator
}

const (
	hasCitus = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"

	selectCluster = "SELECT count(*) FILTER (WHERE isactive AND shouldhaveshards AND noderole = 'primary' AND groupid <> 0), " +
		"count(*) FILTER (WHERE groupid = 0) > 0 FROM pg_dist_node"
)

// rowQuerier is a connection, a pool or a transaction.
type rowQuerier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// clusterOf asks a database for its cluster; without Citus that has no worker.
func clusterOf(ctx context.Context, q rowQuerier) (cluster, error) {
	var c cluster
	var citus bool
	if err := q.QueryRow(ctx, hasCitus).Scan(&citus); err != nil || !citus {
		return c, queryError(err)
	}
	err := q.QueryRow(ctx, selectCluster).Scan(&c.workers, &c.knowsCoordinator)
	return c, queryError(err)
}

// checkCluster refuses a database that cannot distribute what it has to.
func (s *Store) checkCluster(ctx context.Context) error {
	if s.options.Distribute == DistributeNever {
		return nil
	}
	c, err := clusterOf(ctx, s.chores)
	switch {
	case err != nil:
		return err
	case c.workers > 0 && !c.knowsCoordinator:
		return cube.Errorf(cube.CodeUnavailable, "the workers of the Citus cluster do not know its coordinator, which is the database of --db").
			WithHint("tell them the address by which they reach it: SELECT citus_set_coordinator_host('db.example.org', 5432); or say --distribute never")
	case c.workers == 0 && s.options.Distribute == DistributeAlways:
		return cube.Errorf(cube.CodeUnavailable, "--distribute always needs a Citus cluster, and the database of --db is the coordinator of none that has workers").
			WithHint("CREATE EXTENSION citus; there and on each worker, then SELECT citus_add_node('worker.example.org', 5432); for each; or say --distribute auto")
	}
	return nil
}

// distributes tells whether a load of so many rows is to be distributed.
func (s *Store) distributes(ctx context.Context, q rowQuerier, rows int64) (bool, error) {
	if s.options.Distribute == DistributeNever || s.options.Distribute != DistributeAlways && rows < enoughRows {
		return false, nil
	}
	c, err := clusterOf(ctx, q)
	return c.workers > 0 && c.knowsCoordinator, err
}

// The columns by which rows are distributed, so that each node has as many: members would not do, since some have most of the rows.
const (
	lineColumn   = "_line"
	numberColumn = "_row"
)

// distribute spreads the rows of an empty table over the nodes of the cluster, beside those of another table; "" for none.
func (l *load) distribute(ctx context.Context, table, column, beside string) error {
	if !l.distributed {
		return nil
	}
	const distributed = "SELECT create_distributed_table(CAST($1 AS text)::regclass, $2, colocate_with => $3)"
	if _, err := l.tx.Exec(ctx, distributed, table, column, cmp.Or(beside, "none")); err != nil {
		return fmt.Errorf("distribute %s: %w", table, queryError(err))
	}
	return nil
}

// toAllNodes makes a table a reference table, of which each node has all rows. It has to be filled and analyzed before: Citus refuses
// ANALYZE of what the transaction has made a reference table.
func (l *load) toAllNodes(ctx context.Context, table string) error {
	if !l.distributed {
		return nil
	}
	if _, err := l.tx.Exec(ctx, "SELECT create_reference_table(CAST($1 AS text)::regclass)", table); err != nil {
		return fmt.Errorf("copy %s to all nodes: %w", table, queryError(err))
	}
	return nil
}

// Tasks implements answer.Explainer: it asks Citus for its plan of the query.
func (s *Store) Tasks(ctx context.Context, text string, args []any) (int, error) {
	var citus bool
	if err := s.pool.QueryRow(ctx, hasCitus).Scan(&citus); err != nil || !citus {
		return 0, queryError(err)
	}
	var explained []any
	if err := s.pool.QueryRow(ctx, "EXPLAIN (FORMAT JSON) "+text, args...).Scan(&explained); err != nil {
		return 0, queryError(err)
	}
	return taskCount(explained), nil
}

// taskCount adds up the tasks of all parts of a plan of Citus.
func taskCount(explained any) (tasks int) {
	switch part := explained.(type) {
	case []any:
		for _, inner := range part {
			tasks += taskCount(inner)
		}
	case map[string]any:
		for name, inner := range part {
			if n, ok := inner.(float64); ok && name == "Task Count" {
				tasks += int(n)
			}
			tasks += taskCount(inner)
		}
	}
	return tasks
}

// Facts implements answer.Store. The coordinator of a cluster would sort all facts of an export before it gives the first. In the
// order of the files it asks for some lines after the others instead, which the nodes find by their indexes, all in one transaction:
// a version that is removed meanwhile stays for it.
func (s *Store) Facts(ctx context.Context, statement *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	if statement.Size() != query.EveryFact || !statement.IsInFileOrder() {
		return s.Reader.Facts(ctx, statement)
	}
	return func(yield func(plan.Fact, error) bool) {
		if nodes, err := s.Nodes(ctx, statement.Cube()); err != nil {
			yield(plan.Fact{}, err)
		} else if nodes == 0 {
			s.Reader.Facts(ctx, statement)(yield)
		} else {
			s.factsByLines(ctx, statement, yield)
		}
	}
}

// factsAtOnce is about how many facts of an export the coordinator sorts at once.
const factsAtOnce = 20_000

func (s *Store) factsByLines(ctx context.Context, statement *plan.FactStatement, yield func(plan.Fact, error) bool) {
	conn, err := s.acquire(ctx)
	if err != nil {
		yield(plan.Fact{}, err)
		return
	}
	defer conn.Release()
	tx, err := conn.Begin(ctx)
	if err != nil {
		yield(plan.Fact{}, queryError(err))
		return
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing was written
	sqlgen.FactsByLines(statement, factsAtOnce, func(query sqlgen.SQL) iter.Seq2[[]any, error] { return rowsOf(ctx, tx, query) })(yield)
}

// Nodes gives over how many nodes the facts of a version are distributed, 0 where they are not.
func (s *Store) Nodes(ctx context.Context, version *cube.Cube) (nodes int, err error) {
	var citus bool
	if err := s.pool.QueryRow(ctx, hasCitus).Scan(&citus); err != nil || !citus {
		return 0, queryError(err)
	}
	const count = "SELECT count(DISTINCT p.groupid) FROM pg_dist_placement p JOIN pg_dist_shard s USING (shardid) " +
		"WHERE s.logicalrelid = to_regclass($1)"
	err = s.pool.QueryRow(ctx, count, sqlgen.FactTable(version.ID)).Scan(&nodes)
	return nodes, queryError(err)
}
