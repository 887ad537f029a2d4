package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"

	"fiscube/internal/each"
)

// CitusEnv names the variable that holds the URL of a database that is the coordinator of a Citus cluster. The databases of DSN are then
// made on all of its nodes. citus.sh makes such a cluster.
const CitusEnv = "FISCUBE_TEST_CITUS"

// AccessMethodEnv names the variable that says how these databases keep the rows of facts and of base cuboids, such as columnar.
const AccessMethodEnv = "FISCUBE_TEST_ACCESS_METHOD"

// OnCluster tells whether the databases of DSN are of a Citus cluster.
func OnCluster() bool { return os.Getenv(CitusEnv) != "" }

// IsOnCluster tells whether a database is of a Citus cluster, as those of DSN are then; others are made without it.
func IsOnCluster(t testing.TB, dsn string) bool {
	t.Helper()
	if !OnCluster() {
		return false
	}
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		return false // what is being tested will say so
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var citus bool
	err = conn.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')").Scan(&citus)
	return err == nil && citus
}

// NeedsNoRightsOnTables skips t on a cluster: there whoever reads a view needs rights on the tables that it reads, since the workers do not
// know it.
func NeedsNoRightsOnTables(t testing.TB) {
	t.Helper()
	if OnCluster() {
		t.Skip("on a Citus cluster who reads views needs rights on the tables too")
	}
}

// node is where a server of a cluster is.
type node struct {
	host string
	port int
}

// clusterDatabase makes an empty database on each node of the cluster of a coordinator, and gives its URL and what drops it.
func clusterDatabase(admin string) (dsn string, drop func() error, err error) {
	workers, err := workersOf(admin)
	if err != nil {
		return "", nil, err
	}
	dsn, name, err := createDatabase(admin, "template1")
	if err != nil {
		return "", nil, err
	}
	on := append([]string{admin}, each.Text(workers, func(w node) string { return at(admin, w) })...)
	drop = func() error {
		var failed error
		for _, server := range on {
			failed = errors.Join(failed, execute(server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"))
		}
		return failed
	}
	return dsn, drop, joinNodes(dsn, name, on, workers)
}

// joinNodes makes the database on the workers and these known to the coordinator.
func joinNodes(dsn, name string, on []string, workers []node) error {
	for _, server := range on[1:] {
		if err := execute(server, "CREATE DATABASE "+name+" TEMPLATE template1"); err != nil {
			return err
		}
	}
	for _, w := range workers {
		if err := execute(at(dsn, w), "CREATE EXTENSION citus"); err != nil {
			return err
		}
	}
	coordinator, err := pgx.ParseConfig(dsn)
	if err != nil {
		return errors.New("the URL of the coordinator cannot be read")
	}
	statements := []string{"CREATE EXTENSION citus",
		fmt.Sprintf("SELECT citus_set_coordinator_host('%s', %d)", coordinator.Host, coordinator.Port)}
	for _, w := range workers {
		statements = append(statements, fmt.Sprintf("SELECT citus_add_node('%s', %d)", w.host, w.port))
	}
	for _, statement := range statements {
		if err := retried(dsn, statement); err != nil {
			return err
		}
	}
	return nil
}

// retried executes a statement for which the coordinator asks a worker, which a busy machine answers late.
func retried(dsn, statement string) (err error) {
	for range 3 {
		if err = execute(dsn, statement); !hasCode(err, "XX000") && !hasCode(err, "08006") {
			return err
		}
	}
	return err
}

func workersOf(admin string) ([]node, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, admin)
	if err != nil {
		return nil, fmt.Errorf("connect to the coordinator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, "SELECT nodename, nodeport FROM pg_dist_node WHERE groupid <> 0 ORDER BY groupid")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (n node, err error) { return n, row.Scan(&n.host, &n.port) })
}

// at is a URL of another server.
func at(dsn string, n node) string {
	u, err := url.Parse(dsn)
	if err != nil {
		return ""
	}
	u.Host = net.JoinHostPort(n.host, strconv.Itoa(n.port))
	return u.String()
}

// dropAfter drops a database when t ends.
func dropAfter(t testing.TB, drop func() error) {
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
}
