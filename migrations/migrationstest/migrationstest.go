// Package migrationstest is what the migrations of every store have to pass.
package migrationstest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"fiscube/migrations"
)

// Store is a new store whose process is killed while it migrates.
type Store struct {
	// Before prepares the store for migrations, lets a process do under the lock what it does before it is killed,
	// and ends it. What execute runs is committed at once.
	Before func(t *testing.T, does func(m *migrations.Migrator, execute func(text string)))
	// Open opens the store and gives one row of a statement.
	Open func(ctx context.Context, statement string, row ...any) error
}

// Run checks what such stores come to; each call of fresh gives one.
func Run(t *testing.T, fresh func(t *testing.T) Store) {
	text, err := fs.ReadFile(migrations.FS, "0001_catalogue.up.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, does, refused string }{ // what a process does before it is killed, and what opening says if not clean
		{"killed before its first step", "", ""},
		{"killed after the mark", "mark", ""},
		{"killed after the migration", "mark, migrate", ""},
		{"killed after its version", "mark, migrate, unmark", ""},
		{"migration that fails", "mark, fail", ""},
		{"marked dirty by an earlier release before the migration", "mark by SQL", ""},
		{"marked dirty by an earlier release after the migration", "mark by SQL, migrate by SQL", ""},
		{"half a schema, which no release can have left", "mark by SQL, make a table by SQL", "Dirty database version 1"},
		{"of a newer release", "mark, migrate, be newer",
			fmt.Sprintf("this store was made by a newer fiscube (schema 99, this one knows %d) (start that one, or restore the backup from before the upgrade)", newest(t))},
	} {
		t.Run(test.name, func(t *testing.T) {
			store := fresh(t)
			store.Before(t, func(m *migrations.Migrator, execute func(string)) {
				for _, step := range strings.Split(test.does, ", ") {
					if err := migrating(m, execute, string(text))[step](); err != nil {
						t.Fatalf("%s: %v", step, err)
					}
				}
			})
			if test.refused == "" {
				store.startsClean(t)
			} else if err := store.Open(t.Context(), "SELECT 1", new(int)); err == nil || !strings.Contains(err.Error(), test.refused) {
				t.Errorf("it says %v, want %s", err, test.refused)
			}
		})
	}
}

// migrating gives what a process can do on its way to version 1, whose migration is a text.
func migrating(m *migrations.Migrator, execute func(string), text string) map[string]func() error {
	bySQL := func(text string) func() error { return func() error { execute(text); return nil } }
	return map[string]func() error{
		"":                    func() error { return nil },
		"mark":                func() error { return m.SetVersion(1, true) },
		"migrate":             func() error { return m.Run(strings.NewReader(text)) },
		"unmark":              func() error { return m.SetVersion(1, false) },
		"be newer":            func() error { return m.SetVersion(99, false) },
		"mark by SQL":         bySQL("INSERT INTO fiscube.schema_migrations VALUES (1, true)"),
		"migrate by SQL":      bySQL(text),
		"make a table by SQL": bySQL("CREATE TABLE fiscube.package (name text)"),
		"fail": func() error { // where version 1 is already made but not yet committed
			if m.Run(strings.NewReader(text+"; SELECT * FROM nowhere")) == nil {
				return errors.New("it does not fail")
			}
			return nil
		},
	}
}

// newest is the number of the newest migration, with which its file begins.
func newest(t *testing.T) int {
	t.Helper()
	files, errFiles := fs.Glob(migrations.FS, "*.up.sql") // sorted
	n, err := strconv.Atoi(files[len(files)-1][:len("0001")])
	if err := errors.Join(errFiles, err); err != nil {
		t.Fatal(err)
	}
	return n
}

// startsClean opens the store twice and checks that it has the newest version, without a mark.
func (s Store) startsClean(t *testing.T) {
	t.Helper()
	for range 2 {
		var version, tables int
		var dirty bool
		err := s.Open(t.Context(), "SELECT version, dirty, ("+migrations.CountTables+") FROM fiscube.schema_migrations",
			&version, &dirty, &tables)
		if err != nil || version != newest(t) || dirty || tables != 2 {
			t.Errorf("version %d, dirty %t, %d tables, %v", version, dirty, tables, err)
		}
	}
}
