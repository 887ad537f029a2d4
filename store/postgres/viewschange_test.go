package postgres_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/store/postgres/postgrestest"
)

// The editions of one package: another amount, a field in between, a field less, a field of another type.
var (
	first  = table{{"year#", "unit", "note", "amount$"}, {"2016", "a", "x", "1"}}
	second = table{{"year#", "unit", "note", "amount$"}, {"2016", "a", "x", "2"}}
	wider  = table{{"year#", "place", "unit", "note", "amount$"}, {"2016", "p", "a", "x", "3"}}
	fewer  = table{{"year#", "unit", "amount$"}, {"2016", "a", "4"}}
)

// script runs statements, each of which must succeed.
func script(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	conn := connect(t, dsn)
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// roles makes roles, which are dropped when t ends.
func roles(t testing.TB, dsn string, names ...string) {
	t.Helper()
	for _, name := range names {
		script(t, dsn, "CREATE ROLE "+name)
		dropRole(t, dsn, name)
	}
}

// dropRole drops a role with what it may do when t ends.
func dropRole(t testing.TB, dsn, name string) {
	t.Cleanup(func() {
		conn, err := pgx.Connect(cleanup(t), dsn)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(cleanup(t)) }()
		if _, err := conn.Exec(cleanup(t), "DROP OWNED BY "+name+"; DROP ROLE "+name); err != nil {
			t.Errorf("drop the test's role: %v", err)
		}
	})
}

// may tells whether a role may do something with a view, or with a column of it.
func may(t testing.TB, dsn, role, view, column, privilege string) bool {
	t.Helper()
	if column == "" {
		return ask[bool](t, dsn, "SELECT has_table_privilege('"+role+"', '"+view+"', '"+privilege+"')")
	}
	return ask[bool](t, dsn, "SELECT has_column_privilege('"+role+"', '"+view+"', '"+column+"', '"+privilege+"')")
}

// TestViewsKeepTheirGrants loads editions whose views are made in place, and anew.
func TestViewsKeepTheirGrants(t *testing.T) {
	for name, next := range map[string]table{"the same columns": second, "one column more": wider, "one column less": fewer} {
		t.Run(name, func(t *testing.T) {
			dsn := postgrestest.DSN(t)
			store := open(t, dsn)
			const reader, clerk, later = "fiscube_test_reader", `"fiscube test clerk's"`, "fiscube_test_later"
			roles(t, dsn, reader, clerk, later)
			script(t, dsn, "GRANT USAGE ON SCHEMA cube TO "+reader,
				"ALTER DEFAULT PRIVILEGES IN SCHEMA cube GRANT SELECT ON TABLES TO "+reader)
			mustLoad(t, store, pack("budget", first, ""))
			script(t, dsn, `REVOKE ALL ON cube."budget (all)" FROM `+reader,
				`GRANT SELECT ON cube.budget TO `+clerk+" WITH GRANT OPTION", `GRANT SELECT (unit) ON cube."budget (all)" TO PUBLIC`,
				"ALTER DEFAULT PRIVILEGES IN SCHEMA cube GRANT SELECT ON TABLES TO "+later)
			mustLoad(t, store, pack("budget", next, ""))
			for _, tt := range []struct {
				role, view, column, privilege string
				want                          bool
			}{
				{reader, "cube.budget", "", "SELECT", true},
				{reader, `cube."budget (all)"`, "", "SELECT", false},
				{reader, `cube."budget (all)"`, "unit", "SELECT", true},
				{reader, `cube."budget (all)"`, "amount$", "SELECT", false},
				{"fiscube test clerk''s", "cube.budget", "", "SELECT WITH GRANT OPTION", true},
				{"fiscube test clerk''s", "cube.budget", "", "INSERT", false},
				{later, "cube.budget", "", "SELECT", false},
			} {
				if got := may(t, dsn, tt.role, tt.view, tt.column, tt.privilege); got != tt.want {
					t.Errorf("%s may %s %s %s: %t, want %t", tt.role, tt.privilege, tt.view, tt.column, got, tt.want)
				}
			}
			mustLoad(t, store, pack("another", first, ""))
			if !may(t, dsn, later, "cube.another", "", "SELECT") {
				t.Error("a new view has not got the default privileges")
			}
			script(t, dsn, "SET ROLE "+reader+"; SELECT * FROM cube.budget")
		})
	}
}

// TestViewsThatOthersAreBuiltOn reloads, rolls back and removes a package on whose views others depend.
func TestViewsThatOthersAreBuiltOn(t *testing.T) {
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	mustLoad(t, store, pack("budget", first, ""))
	script(t, dsn, "CREATE SCHEMA mine", `CREATE VIEW mine."of notes" AS SELECT note, "amount$" FROM cube.budget`,
		`CREATE MATERIALIZED VIEW mine.kept AS SELECT * FROM cube."budget (all)"`)

	for i, next := range []table{second, wider} {
		mustLoad(t, store, pack("budget", next, ""))
		if got := ask[int](t, dsn, `SELECT "amount$"::int FROM mine."of notes"`); got != i+2 {
			t.Errorf("the view of a user gives %d, want %d", got, i+2)
		}
	}
	for name, do := range map[string]func() error{
		"a load":     func() error { _, err := loadFS(t, store, pack("budget", fewer, "")); return err },
		"a rollback": func() error { return store.Serve(t.Context(), "budget", 1) },
		"a restored version": func() error {
			_, err := loadFS(t, store, pack("budget", first, ""))
			return err
		},
		"a removal": func() error { return store.Remove(t.Context(), "budget") },
	} {
		err := do()
		if cube.CodeOf(err) != cube.CodeConflict || !strings.Contains(err.Error(), `mine."of notes"`) || !strings.Contains(err.Error(), "mine.kept") {
			t.Errorf("%s: %v", name, err)
		}
		if one, err := cube.NewEngine(store).Cube(t.Context(), "budget"); err != nil || one.Version != 3 {
			t.Errorf("after %s: %v, %v", name, one, err)
		}
		if got := ask[int](t, dsn, `SELECT "amount$"::int FROM mine."of notes"`); got != 3 {
			t.Errorf("after %s the view of a user gives %d, want 3", name, got)
		}
	}
	script(t, dsn, "DROP SCHEMA mine CASCADE")
	if err := store.Serve(t.Context(), "budget", 1); err != nil {
		t.Fatal(err)
	}
	if got := columns(t, dsn, "budget"); !slices.Equal(got, []string{"year#", "unit", "note", "amount$", "_resource", "_line"}) {
		t.Errorf("after the rollback the columns are %q", got)
	}
	if err := store.Remove(t.Context(), "budget"); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](t, dsn, "SELECT count(*) FROM pg_class WHERE relnamespace = 'cube'::regnamespace"); n != 0 {
		t.Errorf("%d views are left", n)
	}
}

func columns(t testing.TB, dsn, view string) []string {
	t.Helper()
	return ask[[]string](t, dsn, "SELECT array_agg(column_name::text ORDER BY ordinal_position) FROM information_schema.columns "+
		"WHERE table_schema = 'cube' AND table_name = '"+view+"'")
}

// TestViewsChangeWithTheirVersions goes through all that makes another version served.
func TestViewsChangeWithTheirVersions(t *testing.T) {
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	editions := []table{first, second, wider, fewer}
	shows := func(what string, want int) {
		t.Helper()
		for _, view := range []string{`"budget"`, `"budget (all)"`} {
			if got := ask[int](t, dsn, `SELECT "amount$"::int FROM cube.`+view); got != want {
				t.Errorf("after %s %s shows %d, want %d", what, view, got, want)
			}
		}
	}
	for i, edition := range editions {
		mustLoad(t, store, pack("budget", edition, ""))
		shows("a load", i+1)
	}
	for _, number := range []int{3, 2, 1, 4} {
		if err := store.Serve(t.Context(), "budget", number); err != nil {
			t.Fatal(err)
		}
		shows("a rollback", number)
	}
	if err := store.Serve(t.Context(), "budget", 9); cube.CodeOf(err) != cube.CodeUnknownVersion {
		t.Error(err)
	}
	mustLoad(t, store, pack("budget", second, ""))
	shows("a version restored", 2)
	if _, err := store.Prune(t.Context(), "budget", 1); err != nil {
		t.Fatal(err)
	}
	shows("pruning", 2)
	if err := store.Remove(t.Context(), "budget"); err != nil {
		t.Fatal(err)
	}
	mustLoad(t, store, pack("budget", wider, ""))
	shows("a removal and a load", 3)
}

// TestViewsOfSomebodyElse has a view and a table where those of a package should be.
func TestViewsOfSomebodyElse(t *testing.T) {
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	script(t, dsn, "CREATE TABLE cube.budget (x int)", `CREATE VIEW cube."plan (all)" AS SELECT 42 AS x`)
	for _, name := range []string{"budget", "plan"} {
		_, err := loadFS(t, store, pack(name, first, ""))
		if cube.CodeOf(err) != cube.CodeConflict || !strings.Contains(err.Error(), `cube."`+name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := cube.NewEngine(store).Cube(t.Context(), name); cube.CodeOf(err) != cube.CodeUnknownCube {
			t.Errorf("%s is served: %v", name, err)
		}
	}
	if got := ask[int](t, dsn, `SELECT x FROM cube."plan (all)"`); got != 42 {
		t.Errorf("the view gives %d", got)
	}
}

// TestViewsOfAnEarlierRelease opens a database as one left it that made no views, or that still ran beside this one.
func TestViewsOfAnEarlierRelease(t *testing.T) {
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	mustLoad(t, store, pack("budget", first, ""))
	mustLoad(t, store, pack("budget", second, ""))
	mustLoad(t, store, pack("another", first, ""))
	for _, left := range []struct {
		name, statements string
		want             int
	}{
		{"no schema of views", "DROP SCHEMA cube CASCADE", 2},
		{"one view", `DROP VIEW cube."budget (all)"`, 2},
		{"views of another version", "UPDATE fiscube.package SET served = 1 WHERE name = 'budget'", 1},
		{"a name that is taken", `DROP VIEW cube.another; CREATE TABLE cube.another (x int); DROP VIEW cube.budget`, 1},
	} {
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		script(t, dsn, left.statements)
		for range 2 {
			store = open(t, dsn)
			for _, view := range []string{`"budget"`, `"budget (all)"`} {
				if got := ask[int](t, dsn, `SELECT "amount$"::int FROM cube.`+view); got != left.want {
					t.Errorf("%s: %s shows %d, want %d", left.name, view, got, left.want)
				}
			}
		}
	}
}
