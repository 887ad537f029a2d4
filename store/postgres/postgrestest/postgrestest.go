package postgrestest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fiscube/internal/testrequire"
)

// Env names the variable that holds the URL of a server to use instead of a throwaway cluster.
const Env = "FISCUBE_TEST_POSTGRES"

// shared is the cluster of this test process, started when it is first asked for.
var shared = sync.OnceValues(startCluster)

// DSN gives the postgres:// URL of a fresh, empty database, which is dropped when t ends. Without any server
// t is skipped.
func DSN(t testing.TB) string {
	t.Helper()
	if admin := os.Getenv(CitusEnv); admin != "" {
		dsn, drop, err := clusterDatabase(admin)
		if drop != nil {
			dropAfter(t, drop)
		}
		end(t, err)
		return dsn
	}
	return database(t, "template1")
}

// Copy gives the URL of a database that has what one from DSN has, to which nobody may be connected; it is dropped when t ends.
func Copy(t testing.TB, dsn string) string {
	t.Helper()
	if OnCluster() {
		testrequire.Skip(t, "copy", "a database of a Citus cluster cannot be copied")
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return database(t, config.Database)
}

// database makes a database as a template is, which goes with t.
func database(t testing.TB, template string) (dsn string) {
	t.Helper()
	admin := os.Getenv(Env)
	if admin == "" {
		cluster, err := shared()
		if err != nil {
			end(t, fmt.Errorf("%s is not set and %w", Env, err))
		}
		admin = cluster.admin()
	}
	dsn, name, err := createDatabase(admin, template)
	end(t, err)
	dropAfter(t, func() error { return execute(admin, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)") })
	return dsn
}

// Server gives a running server for t alone, which ends with t. It is always a throwaway cluster, because a
// server that others use cannot be stopped; without its programs t is skipped.
func Server(t testing.TB) *Cluster {
	t.Helper()
	cluster, err := startCluster()
	end(t, err)
	t.Cleanup(cluster.end)
	return cluster
}

// end ends t if there is an error: skipped when the machine has no PostgreSQL, failed when it has one that
// does not work.
func end(t testing.TB, err error) {
	t.Helper()
	switch {
	case errors.Is(err, errAbsent):
		testrequire.Skip(t, "postgres", err.Error())
	case err != nil:
		t.Fatal(err)
	}
}

// createDatabase makes a database as a template is, with a name used nowhere else, and gives its URL and its quoted name.
func createDatabase(admin, template string) (dsn, name string, err error) {
	bare := "fiscube_test_" + strings.ToLower(rand.Text())
	dsn, err = withDatabase(admin, bare)
	if err != nil {
		return "", "", err
	}
	name = pgx.Identifier{bare}.Sanitize()
	create := "CREATE DATABASE " + name + " TEMPLATE " + pgx.Identifier{template}.Sanitize()
	// PostgreSQL 15 writes the pages of the template into the log unless it is asked to copy the files, which takes half the time.
	if err = execute(admin, create+" STRATEGY FILE_COPY"); hasCode(err, "42601") {
		err = execute(admin, create) // earlier ones copy the files, and know no STRATEGY
	}
	return dsn, name, err
}

// withDatabase gives a server's URL with another database in it. Its errors never show the URL, which may
// hold a password.
func withDatabase(dsn, name string) (string, error) {
	u, err := url.Parse(dsn)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return "", fmt.Errorf("%s is not a postgres:// URL", Env)
	}
	query := u.Query()
	query.Del("dbname")
	query.Del("database")
	u.Path, u.RawPath, u.RawQuery = "/"+name, "", query.Encode()
	return u.String(), nil
}

// patience is how long a statement may take that makes or drops a database. With the time that keeper.sh gives a
// server to start, a test that hangs here ends before its process does, which has ten minutes.
const patience = 2 * time.Minute

// execute runs one statement on a connection of its own. PostgreSQL gives those who are in a database five seconds to
// leave it, also those that WITH (FORCE) has ended, and then fails; so it is asked again.
func execute(dsn, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to the test server: %w", err)
	}
	_, err = conn.Exec(ctx, statement)
	for inUse(err) && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
		_, err = conn.Exec(ctx, statement)
	}
	return errors.Join(err, conn.Close(ctx))
}

// inUse tells whether PostgreSQL says that there are others in a database.
func inUse(err error) bool { return hasCode(err, "55006") }

// hasCode tells whether an error is PostgreSQL's with a code.
func hasCode(err error, code string) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == code
}
