package postgres_test

import (
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/testrequire"
	"fiscube/store/catalogue"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/storetest"
)

// TestOrder_DoesNotDependOnLocale asks the same of a database that sorts text by bytes and of one that sorts it as
// people do.
func TestOrder_DoesNotDependOnLocale(t *testing.T) {
	t.Parallel()
	var orders [][]string
	for _, locale := range []string{"LOCALE 'C'", "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8'"} {
		store := open(t, databaseWith(t, "ENCODING 'UTF8' "+locale))
		orders = append(orders, everyOrder(t, store, mustLoad(t, store, storetest.Package("nasty"))))
	}
	if !slices.Equal(orders[0], orders[1]) {
		t.Error("the order depends on the locale of the database")
	}
}

// A database in another encoding than UTF-8 is refused, with what to do.
func TestOpen_RefusesOtherEncodings(t *testing.T) {
	t.Parallel()
	for _, encoding := range []string{"LATIN1", "SQL_ASCII"} {
		_, err := postgres.Open(t.Context(), databaseWith(t, "ENCODING '"+encoding+"' LOCALE 'C'"), postgres.Options{}, slog.New(slog.DiscardHandler))
		if cube.CodeOf(err) != cube.CodeUnavailable || !strings.Contains(err.Error(), "is "+encoding+", and fiscube needs UTF8") ||
			!strings.Contains(err.Error(), "CREATE DATABASE budgets ENCODING 'UTF8' TEMPLATE template0") {
			t.Errorf("%s: %v", encoding, err)
		}
	}
}

// databaseWith gives the URL of a database that is made with options; a server that cannot make it skips t.
func databaseWith(t testing.TB, options string) string {
	t.Helper()
	dsn := postgrestest.DSN(t)
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/") + "_made"
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	quoted := pgx.Identifier{name}.Sanitize()
	_, err = conn.Exec(t.Context(), "CREATE DATABASE "+quoted+" TEMPLATE template0 "+options)
	if err != nil {
		_ = conn.Close(t.Context())
		testrequire.Skip(t, "locale", "the server has no database with "+options+": "+err.Error())
	}
	t.Cleanup(func() {
		if _, err := conn.Exec(cleanup(t), "DROP DATABASE "+quoted+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
		_ = conn.Close(cleanup(t))
	})
	u.Path = "/" + name
	return u.String()
}

// everyOrder asks for the cells of every level by their keys and by their labels, and gives their keys in order.
func everyOrder(t testing.TB, store catalogue.Store, version *cube.Cube) []string {
	t.Helper()
	var keys []string
	for _, level := range version.Model.Levels() {
		q := query.Query{Drilldown: []query.Ref{{Name: level.Ref}}, Page: query.Every}
		keys = append(keys, keysOf(t, store, version, q)...)
		if level.LabelRef != "" {
			q.Order = []query.Order{{Ref: query.Ref{Name: level.LabelRef}, Desc: true}}
			keys = append(keys, keysOf(t, store, version, q)...)
		}
	}
	if len(keys) < 100 {
		t.Fatalf("only %d keys to compare", len(keys))
	}
	return keys
}

func keysOf(t testing.TB, store catalogue.Store, version *cube.Cube, q query.Query) []string {
	t.Helper()
	p, err := plan.Bind(version, q)
	if err != nil {
		t.Fatal(err)
	}
	result, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, cell := range result.Cells {
		for _, key := range cell.Keys {
			keys = append(keys, key.String())
		}
	}
	return keys
}
