package postgres

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"fiscube/migrations"
	"fiscube/migrations/migrationstest"
	"fiscube/store/postgres/postgrestest"
)

func TestMigrations(t *testing.T) {
	t.Parallel()
	migrationstest.Run(t, func(t *testing.T) migrationstest.Store {
		dsn := postgrestest.DSN(t)
		return migrationstest.Store{
			Before: func(t *testing.T, does func(*migrations.Migrator, func(string))) { before(t, dsn, does) },
			Open: func(ctx context.Context, statement string, row ...any) error {
				store, err := Open(ctx, dsn, Options{}, slog.New(slog.DiscardHandler))
				if err != nil {
					return err
				}
				return errors.Join(store.pool.QueryRow(ctx, statement).Scan(row...), store.Close())
			},
		}
	})
}

// before ends the connections of the process, the lock with them.
func before(t *testing.T, dsn string, does func(*migrations.Migrator, func(string))) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := createSchemas(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	db := stdlib.OpenDB(*pool.Config().ConnConfig)
	m, err := newMigrator(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	if err := m.Lock(); err != nil {
		t.Fatal(err)
	}
	does(m, func(text string) {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	})
}
