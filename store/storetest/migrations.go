package storetest

import (
	"bytes"
	"context"
	"io/fs"
	"strings"
	"testing"

	"fiscube/migrations"
)

// Migrating is a new store whose process is killed while it migrates.
type Migrating struct {
	// Before prepares the store for migrations, lets a process do under the lock what it does before it is killed,
	// and ends it. What execute runs is committed at once.
	Before func(t *testing.T, does func(m *migrations.Migrator, execute func(text string)))
	// Open opens the store and gives one row of a statement.
	Open func(ctx context.Context, statement string, row ...any) error
}

// Migrations checks what such stores come to; each call of fresh gives one.
func Migrations(t *testing.T, fresh func(t *testing.T) Migrating) {
	t.Run("killed between its steps", func(t *testing.T) { killedBetweenSteps(t, fresh) })
	t.Run("migration that fails", func(t *testing.T) { failingMigration(t, fresh(t)) })
	t.Run("marked dirty by an earlier release", func(t *testing.T) { markedDirty(t, fresh) })
	t.Run("marked dirty with half a schema", func(t *testing.T) { halfASchema(t, fresh(t)) })
	t.Run("of a newer release", func(t *testing.T) { ofANewerRelease(t, fresh(t)) })
}

// ofANewerRelease opens a store whose schema is not known yet.
func ofANewerRelease(t *testing.T, store Migrating) {
	store.startsClean(t)
	store.Before(t, func(m *migrations.Migrator, _ func(string)) {
		if err := m.SetVersion(99, false); err != nil {
			t.Fatal(err)
		}
	})
	err := store.Open(t.Context(), "SELECT 1", new(int))
	if want := "this store was made by a newer fiscube (schema 99, this one knows 2) (start that one, or restore the backup from before the upgrade)"; err == nil || err.Error() != want {
		t.Errorf("it says %v, want %s", err, want)
	}
}

// firstText is the migration to version 1.
func firstText(t *testing.T) []byte {
	t.Helper()
	text, err := fs.ReadFile(migrations.FS, "0001_catalogue.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// startsClean opens the store twice and checks that it has the newest version, without a mark.
func (m Migrating) startsClean(t *testing.T) {
	t.Helper()
	all, err := fs.Glob(migrations.FS, "*.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var version, tables int
		var dirty bool
		err := m.Open(t.Context(), "SELECT version, dirty, ("+migrations.CountTables+") FROM fiscube.schema_migrations",
			&version, &dirty, &tables)
		if err != nil || version != len(all) || dirty || tables != 2 {
			t.Errorf("version %d, dirty %t, %d tables, %v", version, dirty, tables, err)
		}
	}
}

// killedBetweenSteps stops after each of the calls that golang-migrate makes.
func killedBetweenSteps(t *testing.T, fresh func(t *testing.T) Migrating) {
	text := firstText(t)
	steps := []struct {
		name string
		do   func(*migrations.Migrator) error
	}{
		{"nothing", func(*migrations.Migrator) error { return nil }},
		{"the mark", func(m *migrations.Migrator) error { return m.SetVersion(1, true) }},
		{"the migration", func(m *migrations.Migrator) error { return m.Run(bytes.NewReader(text)) }},
		{"its version", func(m *migrations.Migrator) error { return m.SetVersion(1, false) }},
	}
	for i, last := range steps {
		t.Run("after "+last.name, func(t *testing.T) {
			store := fresh(t)
			store.Before(t, func(m *migrations.Migrator, _ func(string)) {
				for _, step := range steps[:i+1] {
					if err := step.do(m); err != nil {
						t.Fatalf("%s: %v", step.name, err)
					}
				}
			})
			store.startsClean(t)
		})
	}
}

// failingMigration fails where version 1 is already made but not yet committed.
func failingMigration(t *testing.T, store Migrating) {
	store.Before(t, func(m *migrations.Migrator, _ func(string)) {
		if err := m.SetVersion(1, true); err != nil {
			t.Fatal(err)
		}
		if err := m.Run(strings.NewReader(string(firstText(t)) + "; SELECT * FROM nowhere")); err == nil {
			t.Error("no error")
		}
	})
	store.startsClean(t)
}

// markedDirty has what an earlier release left that was killed.
func markedDirty(t *testing.T, fresh func(t *testing.T) Migrating) {
	const mark = "INSERT INTO fiscube.schema_migrations VALUES (1, true);"
	for name, text := range map[string]string{
		"before the migration": mark,
		"after the migration":  mark + string(firstText(t)),
	} {
		t.Run(name, func(t *testing.T) {
			store := fresh(t)
			store.Before(t, func(_ *migrations.Migrator, execute func(string)) { execute(text) })
			store.startsClean(t)
		})
	}
}

// halfASchema leaves alone what no release of fiscube can have left.
func halfASchema(t *testing.T, store Migrating) {
	store.Before(t, func(_ *migrations.Migrator, execute func(string)) {
		execute("INSERT INTO fiscube.schema_migrations VALUES (1, true); CREATE TABLE fiscube.package (name text)")
	})
	err := store.Open(t.Context(), "SELECT 1")
	if err == nil || !strings.Contains(err.Error(), "Dirty database version 1") {
		t.Errorf("opened: %v", err)
	}
}
