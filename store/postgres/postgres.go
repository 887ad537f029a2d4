// Package postgres keeps cubes in PostgreSQL 14 or later. It is the system of record of a deployment: several
// processes may load and serve at once. A load is one transaction; a version published by one process is
// served by all within a second, by NOTIFY in the publishing transaction.
package postgres

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"sync/atomic"
	"time"

	pgxdecimal "github.com/jackc/pgx-shopspring-decimal"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Store is a PostgreSQL database of cubes.
type Store struct {
	sqlgen.Reader // answers statements (answer.Store)

	pool         *pgxpool.Pool // for questions, loads and removals
	chores       *pgxpool.Pool // for what must go on while others hold all of pool
	patience     time.Duration // how long a question waits for a connection
	viewPatience time.Duration // how long a load waits for readers of the views
	options      Options
	log          *slog.Logger
	catalog      atomic.Pointer[cube.Catalog]
	pooled       bool // by something that lends a connection for one transaction, so that sessions keep nothing
	stop         context.CancelFunc
	stopped      chan struct{}

	refreshing chan struct{} // holds one token: one refresh runs at a time
	versions   catalogue.Reader
	bare       map[*cube.Package]*cube.Package // without their cuboids, where the role may not read these
}

// maxConns is how many questions, loads and removals one process has at work at once, unless the address sets
// pool_max_conns. An answer holds its connection for as long as its caller reads, and a slow caller hardly keeps
// the server busy, so the number of processors (which is what pgxpool goes by) says little. With choreConns, four
// such processes fit into the hundred connections that PostgreSQL allows by default.
const maxConns = 20

// choreConns is one connection that listens, one that refreshes or sweeps, and one for Ready.
const choreConns = 3

// patience is how long a question waits for a connection before its caller gets an error that says to come back: enough for a
// burst of short answers to pass, and short enough that nobody is left to guess.
const patience = 5 * time.Second

// Open connects to the database named by dsn (a postgres:// URL, completed by the PG… variables), brings the
// catalogue's schema up to date and begins to follow what other processes load.
func Open(ctx context.Context, dsn string, options Options, log *slog.Logger) (*Store, error) {
	config, err := parse(dsn)
	if err != nil {
		return nil, cube.Wrap(cube.CodeUnavailable, "the PostgreSQL address cannot be read", err)
	}
	s := &Store{patience: patience, viewPatience: viewPatience, options: options, log: log, stopped: make(chan struct{}),
		refreshing: make(chan struct{}, 1)}
	// Whoever wants no prepared statements has a pooler, for all that is known.
	s.pooled = config.ConnConfig.DefaultQueryExecMode != pgx.QueryExecModeCacheStatement
	s.Reader = sqlgen.NewReader(s.Ask)
	s.versions = catalogue.Reader{Log: log, Ask: func(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error] {
		return rowsOf(ctx, s.chores, statement)
	}}
	opening := &sessions{}
	config.ConnConfig.AfterConnect = opening.add
	if err := s.openPools(ctx, config); err != nil {
		return nil, fmt.Errorf("open the PostgreSQL pool: %w", err)
	}
	stop := s.watchLocks(ctx, "opening the database", opening.list, loggedOnly)
	err = s.start(ctx, config.ConnConfig)
	stop()
	opening.end()
	if err != nil {
		s.closePools()
		return nil, err
	}
	return s, nil
}

// parse reads an address, and names the program to those who look at the server's sessions. What pgxpool makes of it no longer tells whether it sets pool_max_conns, so pgx, to
// which that is a parameter like any other, reads it too.
func parse(dsn string) (*pgxpool.Config, error) {
	plain, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	if _, set := plain.RuntimeParams["pool_max_conns"]; !set {
		config.MaxConns = max(maxConns, config.MinConns, config.MinIdleConns)
	}
	if _, set := plain.RuntimeParams["application_name"]; !set {
		config.ConnConfig.RuntimeParams["application_name"] = "fiscube"
	}
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxdecimal.Register(conn.TypeMap())
		return nil
	}
	config.BeforeClose = closeConn
	return config, nil
}

// closeConn closes a connection. A server that has fallen silent has a second to say goodbye; pgxpool would wait for
// fifteen.
func closeConn(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}

// openPools makes both pools; neither connects before it is used.
func (s *Store) openPools(ctx context.Context, config *pgxpool.Config) (err error) {
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	config = config.Copy()
	config.MaxConns, config.MinConns, config.MinIdleConns = choreConns, 0, 0
	if s.chores, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		s.pool.Close()
	}
	return err
}

func (s *Store) closePools() {
	s.chores.Close()
	s.pool.Close()
}

func (s *Store) start(ctx context.Context, config *pgx.ConnConfig) error {
	if err := s.chores.Ping(ctx); err != nil {
		return unreached(err)
	}
	if err := s.checkEncoding(ctx); err != nil {
		return err
	}
	if err := s.checkCluster(ctx); err != nil {
		return err
	}
	if err := migrateUp(ctx, s.chores, config); err != nil {
		return err
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	if err := catalogue.DropCuboids(ctx, s.versions.Ask); err != nil {
		s.log.Warn("cuboids of an earlier release remain", "error", err)
	}
	s.makeViews(ctx)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	go func() {
		defer close(s.stopped)
		s.follow(background)
	}()
	return nil
}

// checkEncoding refuses a database that cannot hold every name, or sorts and searches bytes where there are letters.
func (s *Store) checkEncoding(ctx context.Context) error {
	var encoding, database string
	err := s.chores.QueryRow(ctx, "SELECT current_setting('server_encoding'), current_database()").Scan(&encoding, &database)
	if err != nil || encoding == "UTF8" {
		return queryError(err)
	}
	return cube.Errorf(cube.CodeUnavailable, "the encoding of the database %s is %s, and fiscube needs UTF8", database, encoding).
		WithHint("make another: CREATE DATABASE budgets ENCODING 'UTF8' TEMPLATE template0")
}

// closePatience is how long a connection may take to close. pgxpool waits for each for fifteen seconds, also where a server says nothing
// any more; who stops wants to end.
const closePatience = time.Second

// Close ends the connections; requests in flight are cut off.
func (s *Store) Close() error {
	s.stop()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		<-s.stopped
		s.closePools()
	}()
	select {
	case <-closed:
	case <-time.After(closePatience):
		s.log.Warn("connections of the database do not close")
	}
	return nil
}

// Ready asks the server for a sign of life, until ctx ends. A store all of whose connections are held by readers
// is ready: each question more gets an error of its own, and taking it out of service would help none of them.
func (s *Store) Ready(ctx context.Context) error {
	if err := s.chores.Ping(ctx); err != nil {
		if hasCode(err, cannotConnect) {
			return cube.Wrap(cube.CodeUnavailable, "PostgreSQL is starting up or shutting down", err)
		}
		return cube.Wrap(cube.CodeUnavailable, "PostgreSQL does not answer", err)
	}
	return nil
}

// Catalog implements catalogue.Serving.
func (s *Store) Catalog(context.Context) (*cube.Catalog, error) { return s.catalog.Load(), nil }

// Ask gives the rows of a statement as they are read.
func (s *Store) Ask(ctx context.Context, statement sqlgen.SQL) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		conn, err := s.acquire(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer conn.Release()
		rowsOf(ctx, conn, statement)(yield)
	}
}

// querier is a connection, or a transaction on one.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

func rowsOf(ctx context.Context, q querier, statement sqlgen.SQL) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		rows, err := q.Query(ctx, statement.Text, statement.Args...)
		if err != nil {
			yield(nil, queryError(err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			values, err := rows.Values()
			if !yield(values, queryError(err)) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, queryError(err))
		}
	}
}

// acquire takes a connection for a question. Only the wait for it is bounded; the answer may take as long as ctx
// allows.
func (s *Store) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	wait, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	conn, err := s.pool.Acquire(wait)
	if err != nil && wait.Err() != nil && ctx.Err() == nil {
		return nil, s.noConnection()
	}
	return conn, queryError(err)
}

// noConnection says why a question got no connection in time: others hold them all, or the server, asked for one
// more, did not answer.
func (s *Store) noConnection() error {
	stat := s.pool.Stat()
	cause := fmt.Errorf("no connection within %v; %d of %d are in use", s.patience, stat.AcquiredConns(), stat.MaxConns())
	if stat.AcquiredConns() < stat.MaxConns() {
		return cube.Wrap(cube.CodeUnavailable, "the database cannot be reached", cause)
	}
	return cube.Wrap(cube.CodeUnavailable, "too many questions at once", cause)
}
