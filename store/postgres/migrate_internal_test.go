package postgres

import (
	"bytes"
	"database/sql"
	"io/fs"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"fiscube/migrations"
	"fiscube/store/postgres/postgrestest"
)

// firstText is the migration to version 1.
func firstText(t *testing.T) []byte {
	t.Helper()
	text, err := fs.ReadFile(migrations.FS, "0001_catalogue.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// before prepares a database for migrations, lets a process do under the lock what it does before it is
// killed, and ends its connections, the lock with them.
func before(t *testing.T, dsn string, does func(*migrator)) {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if err := createSchema(t.Context(), pool); err != nil {
		t.Fatal(err)
	}
	m, err := newMigrator(t.Context(), stdlib.OpenDB(*pool.Config().ConnConfig))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	if err := m.Lock(); err != nil {
		t.Fatal(err)
	}
	does(m)
}

// startsClean opens the database twice and checks that it has version 1, without a mark.
func startsClean(t *testing.T, dsn string) {
	t.Helper()
	for range 2 {
		store, err := Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		var version, tables int
		var dirty bool
		err = store.pool.QueryRow(t.Context(), "SELECT version, dirty, ("+migrations.CountTables+
			") FROM fiscube.schema_migrations").Scan(&version, &dirty, &tables)
		if err != nil || version != 1 || dirty || tables != 2 {
			t.Errorf("version %d, dirty %t, %d tables, %v", version, dirty, tables, err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestMigrationKilledBetweenItsSteps stops after each of the calls that golang-migrate makes.
func TestMigrationKilledBetweenItsSteps(t *testing.T) {
	text := firstText(t)
	steps := []struct {
		name string
		do   func(*migrator) error
	}{
		{"nothing", func(*migrator) error { return nil }},
		{"the mark", func(m *migrator) error { return m.SetVersion(1, true) }},
		{"the migration", func(m *migrator) error { return m.Run(bytes.NewReader(text)) }},
		{"its version", func(m *migrator) error { return m.SetVersion(1, false) }},
	}
	for i, last := range steps {
		t.Run("after "+last.name, func(t *testing.T) {
			dsn := postgrestest.DSN(t)
			before(t, dsn, func(m *migrator) {
				for _, step := range steps[:i+1] {
					if err := step.do(m); err != nil {
						t.Fatalf("%s: %v", step.name, err)
					}
				}
			})
			startsClean(t, dsn)
		})
	}
}

// TestMigrationThatFailsLeavesNothing fails where version 1 is already made but not yet committed.
func TestMigrationThatFailsLeavesNothing(t *testing.T) {
	dsn := postgrestest.DSN(t)
	before(t, dsn, func(m *migrator) {
		if err := m.SetVersion(1, true); err != nil {
			t.Fatal(err)
		}
		if err := m.Run(strings.NewReader(string(firstText(t)) + "; SELECT * FROM nowhere")); err == nil {
			t.Error("no error")
		}
	})
	startsClean(t, dsn)
}

// TestMigrationMarkedDirtyByAnEarlierRelease has what such a release left when it was killed.
func TestMigrationMarkedDirtyByAnEarlierRelease(t *testing.T) {
	const mark = "INSERT INTO fiscube.schema_migrations VALUES (1, true);"
	for name, text := range map[string]string{
		"before the migration": mark,
		"after the migration":  mark + string(firstText(t)),
	} {
		t.Run(name, func(t *testing.T) {
			dsn := postgrestest.DSN(t)
			before(t, dsn, func(m *migrator) { mustExec(t, m.db, text) })
			startsClean(t, dsn)
		})
	}
}

// TestMigrationMarkedDirtyWithHalfASchema leaves alone what no release of fiscube can have left.
func TestMigrationMarkedDirtyWithHalfASchema(t *testing.T) {
	dsn := postgrestest.DSN(t)
	before(t, dsn, func(m *migrator) {
		mustExec(t, m.db, "INSERT INTO fiscube.schema_migrations VALUES (1, true); CREATE TABLE fiscube.package (name text)")
	})
	store, err := Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
	if err == nil {
		_ = store.Close()
		t.Fatal("no error")
	}
	if !strings.Contains(err.Error(), "Dirty database version 1") {
		t.Error(err)
	}
}

func mustExec(t *testing.T, db *sql.DB, text string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), text); err != nil {
		t.Fatal(err)
	}
}
