//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/duckdb/duckdb-go/v2"

	"fiscube/migrations"
	"fiscube/migrations/migrationstest"
)

func TestMigrations(t *testing.T) {
	migrationstest.Run(t, func(t *testing.T) migrationstest.Store {
		path := filepath.Join(t.TempDir(), "test.duckdb")
		return migrationstest.Store{
			Before: func(t *testing.T, does func(*migrations.Migrator, func(string))) { before(t, path, does) },
			Open: func(ctx context.Context, statement string, row ...any) error {
				store, err := Open(ctx, path, Options{}, slog.New(slog.DiscardHandler))
				if err != nil {
					return err
				}
				return errors.Join(store.db.Load().QueryRowContext(ctx, statement).Scan(row...), store.Close())
			},
		}
	})
}

// before closes the file when the process has done what it does.
func before(t *testing.T, path string, does func(*migrations.Migrator, func(string))) {
	t.Helper()
	connector, err := duckdb.NewConnector("", attach(path, ""))
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer func() { _ = db.Close() }()
	m, err := newMigrator(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	does(m, func(text string) {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	})
}
