// Package postgres keeps cubes in PostgreSQL 14 or later. It is the system of record of a deployment: several
// processes may load and serve at once. A load is one transaction; a version published by one process is
// served by all within a second, by NOTIFY in the publishing transaction.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	pgxdecimal "github.com/jackc/pgx-shopspring-decimal"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// Store is a PostgreSQL database of cubes.
type Store struct {
	pool    *pgxpool.Pool
	log     *slog.Logger
	catalog atomic.Pointer[cube.Catalog]
	stop    context.CancelFunc
	stopped chan struct{}

	refreshing sync.Mutex
}

// Open connects to the database named by dsn (a postgres:// URL, completed by the PG… variables), brings the
// catalogue's schema up to date and begins to follow what other processes load.
func Open(ctx context.Context, dsn string, log *slog.Logger) (*Store, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, cube.Wrap(cube.CodeUnavailable, "the PostgreSQL address cannot be read", err)
	}
	config.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		pgxdecimal.Register(conn.TypeMap())
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("open the PostgreSQL pool: %w", err)
	}
	s := &Store{pool: pool, log: log, stopped: make(chan struct{})}
	if err := s.start(ctx, config.ConnConfig); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) start(ctx context.Context, config *pgx.ConnConfig) error {
	if err := s.pool.Ping(ctx); err != nil {
		return cube.Wrap(cube.CodeUnavailable, "PostgreSQL cannot be reached: "+reason(err), err)
	}
	if err := migrateUp(ctx, s.pool, config); err != nil {
		return err
	}
	if err := s.refresh(ctx); err != nil {
		return err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	go func() {
		defer close(s.stopped)
		s.follow(background)
	}()
	return nil
}

// reason is the part of a connection error that helps whoever started the program.
func reason(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return server.Message
	}
	return err.Error()
}

// Close ends the connections; requests in flight are cut off.
func (s *Store) Close() error {
	s.stop()
	<-s.stopped
	s.pool.Close()
	return nil
}

// Ready asks the server for a sign of life.
func (s *Store) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if err := s.pool.Ping(ctx); err != nil {
		return cube.Wrap(cube.CodeUnavailable, "PostgreSQL does not answer", err)
	}
	return nil
}

// Catalog implements cube.Backend.
func (s *Store) Catalog(context.Context) (*cube.Catalog, error) { return s.catalog.Load(), nil }

// Run implements cube.Backend.
func (s *Store) Run(ctx context.Context, plan *cube.Plan) iter.Seq2[cube.Cell, error] {
	return sqlgen.Cells(plan, s.rows(ctx, sqlgen.Aggregate(plan)))
}

func (s *Store) rows(ctx context.Context, statement sqlgen.Statement) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		rows, err := s.pool.Query(ctx, statement.Text, statement.Args...)
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

// Error codes of PostgreSQL (its manual, appendix A).
const (
	undefinedTable  = "42P01"
	queryCanceled   = "57014"
	adminShutdown   = "57P01"
	crashShutdown   = "57P02"
	cannotConnect   = "57P03"
	tooManyClients  = "53300"
	lockUnavailable = "55P03"
)

// queryError turns what the driver says into what a caller may be told.
func queryError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var server *pgconn.PgError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &connecting), pgconn.SafeToRetry(err):
		return cube.Wrap(cube.CodeUnavailable, "the database cannot be reached", err)
	case !errors.As(err, &server):
		return cube.Wrap(cube.CodeUnavailable, "the connection to the database was lost", err)
	}
	switch server.Code {
	case undefinedTable:
		return cube.Wrap(cube.CodeGone, "the cube was removed while it was asked", err)
	case queryCanceled, adminShutdown, crashShutdown, cannotConnect, tooManyClients:
		return cube.Wrap(cube.CodeUnavailable, "the database stopped the query", err)
	}
	return fmt.Errorf("ask PostgreSQL: %w", err)
}
