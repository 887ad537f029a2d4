package postgres_test

import (
	"os"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/store/postgres/postgrestest"
)

// recipe gives the SQL of docs/sql-tools.md: for a role that may create roles, for the role that owns the views, and for
// the reader.
func recipe(t *testing.T) (admin, owner, reader string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/sql-tools.md")
	if err != nil {
		t.Fatal(err)
	}
	postgrestest.NeedsNoRightsOnTables(t)
	parts := strings.Split(string(page), "```sql")
	if len(parts) < 3 {
		t.Fatal("docs/sql-tools.md has no recipe")
	}
	making, _, _ := strings.Cut(parts[1], "```")
	reading, _, _ := strings.Cut(parts[2], "```")
	admin, owner, ok := strings.Cut(making, "-- as the role that fiscube connects as\n")
	if !ok || !strings.Contains(admin, "CREATE ROLE") || !strings.Contains(reading, "SELECT") {
		t.Fatalf("docs/sql-tools.md has no recipe for two roles:\n%s", making)
	}
	return admin, owner, reading
}

// inRole makes the address of connections that are in a role from their start.
func inRole(t *testing.T, dsn, role string) string {
	t.Helper()
	return withParameter(t, dsn, "options", "-c role="+role)
}

// The SQL of docs/sql-tools.md makes a role that reads the views and nothing else. The role that owns the views needs no
// more than the right to create schemas.
func TestSQLToolsDoc_RecipeMakesAReader(t *testing.T) {
	t.Parallel()
	admin, owner, reading := recipe(t)
	dsn := postgrestest.DSN(t)
	const reader, owning = "fiscube_test_recipe", "fiscube_test_owner"
	roles(t, dsn, owning)
	script(t, dsn, "DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO "+owning+"', current_database()); END $$")
	asOwner := inRole(t, dsn, owning)
	store := open(t, asOwner)
	mustLoadSeed(t, store, "example-croatia")
	dropRole(t, dsn, reader)
	script(t, dsn, strings.ReplaceAll(admin, "reader", reader))
	script(t, asOwner, strings.ReplaceAll(owner, "reader", reader))
	mustLoad(t, store, pack("budget", first, ""))
	script(t, dsn, "SET ROLE "+reader, reading, "SELECT * FROM cube.budget")
	for _, hidden := range []string{"fact.f1", "fiscube.version"} {
		if _, err := connect(t, dsn).Exec(t.Context(), "SET ROLE "+reader+"; SELECT * FROM "+hidden); err == nil {
			t.Errorf("the role reads %s", hidden)
		}
	}
	bounds := ask[string](t, dsn, "SELECT array_to_string(rolconfig, ' ') FROM pg_roles WHERE rolname = '"+reader+"'")
	if want := "statement_timeout=60s idle_in_transaction_session_timeout=30s"; bounds != want {
		t.Errorf("the role is bounded by %q, want %q", bounds, want)
	}
}

// A role that may read all but the cuboids gets its answers from the facts, and from the cuboids once it may read them.
func TestOpen_ARoleWithoutRightsOnCuboids(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	const reader = "fiscube_test_no_cuboids"
	mustLoadSeed(t, open(t, dsn), "example-croatia")
	roles(t, dsn, reader)
	const schemas = "fiscube, fact, member, cube"
	script(t, dsn, "GRANT USAGE ON SCHEMA "+schemas+" TO "+reader, "GRANT SELECT ON ALL TABLES IN SCHEMA "+schemas+" TO "+reader)
	asked := func() (total string, cuboids int) {
		store := open(t, inRole(t, dsn, reader))
		defer func() { _ = store.Close() }()
		catalog, err := store.Catalog(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		served := catalog.Served()[0]
		q, err := query.Parse(map[string]string{"aggregates": "approved_value.sum"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Bind(served, q)
		if err != nil {
			t.Fatal(err)
		}
		a, err := answer.Run(t.Context(), store, p, cube.English)
		if err != nil {
			t.Fatal(err)
		}
		return a.Summary.Values[0].Decimal.String(), len(served.Cuboids)
	}
	want, cuboids := asked()
	if cuboids != 0 {
		t.Errorf("the role is answered from %d cuboids", cuboids)
	}
	script(t, dsn, "GRANT USAGE ON SCHEMA cuboid TO "+reader, "GRANT SELECT ON ALL TABLES IN SCHEMA cuboid TO "+reader)
	if got, cuboids := asked(); got != want || cuboids == 0 {
		t.Errorf("%s from %d cuboids, and from the facts %s", got, cuboids, want)
	}
}

// An address has no parameters where the variables or the URL itself say all.
func TestInRole_OfAnAddressWithoutParameters(t *testing.T) {
	t.Parallel()
	for _, test := range [][2]string{
		{"postgres://u@h/d", "postgres://u@h/d?options=-c%20role%3Dr"},
		{"postgres://u@h/d?port=1", "postgres://u@h/d?options=-c%20role%3Dr&port=1"},
	} {
		if got := inRole(t, test[0], "r"); got != test[1] {
			t.Errorf("%s: %s, want %s", test[0], got, test[1])
		}
	}
}
