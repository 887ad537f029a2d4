package postgres_test

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/seeds"
	"fiscube/store/load"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/sqlgen"
)

// TestViewsAddUpAsAnswersDo compares the views of every seed with the answers: all of it, by year, and by the label
// of each level.
func TestViewsAddUpAsAnswersDo(t *testing.T) {
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			compareViews(t, store, dsn, mustLoad(t, store, seed.FS))
		})
	}
}

// mustLoad loads a package with the overlay that is beside it or ships for it.
func mustLoad(t testing.TB, store cube.Backend, files fs.FS) *cube.Cube {
	t.Helper()
	loaded, err := loadFS(t, store, files)
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Cube
}

func loadFS(t testing.TB, store cube.Backend, files fs.FS) (cube.Loaded, error) {
	t.Helper()
	source, err := load.OpenFS(t.Context(), files, load.Options{Shipped: seeds.OverlayFor})
	if err != nil {
		t.Fatal(err)
	}
	return load.Run(t.Context(), store, source, load.Silent{})
}

// compareViews asks the store and both views of a package for everything and for the members of each level.
func compareViews(t *testing.T, store cube.Backend, dsn string, version *cube.Cube) {
	t.Helper()
	conn := connect(t, dsn)
	for i, choice := range []cube.SnapshotChoice{cube.LastSnapshots, cube.AllSnapshots} {
		view := sqlgen.ViewNames(version.Name)[i]
		compareView(t, store, conn, view, version, cube.Query{Snapshots: choice, Page: cube.Every})
		for _, level := range version.Model.Levels() {
			refs := []cube.Ref{{Name: level.Ref}}
			compareView(t, store, conn, view, version, cube.Query{Drilldown: refs, Snapshots: choice, Page: cube.Every})
		}
	}
}

// compareView asks the store and a view the same.
func compareView(t *testing.T, store cube.Backend, conn *pgx.Conn, view string, version *cube.Cube, query cube.Query) {
	t.Helper()
	plan, err := version.Bind(query)
	if err != nil {
		t.Fatal(err)
	}
	if plan.SummaryPlan() != nil {
		return // drilled by the snapshot, every statement is a cell; the view has the last alone
	}
	result, err := cube.NewEngine(store).Aggregate(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	got := viewCells(t, conn, view, plan)
	cells := result.Cells
	if len(plan.Keys()) == 0 {
		cells = []cube.Cell{result.Summary}
	}
	if len(got) != len(cells) {
		t.Fatalf("%s: %s: %d cells, the view has %d", view, plan, len(cells), len(got))
	}
	for _, cell := range cells {
		key := cellKey(plan, cell)
		if want := amountsOf(cell.Values); got[key] != want {
			t.Fatalf("%s: %s: of %s the view has %s, want %s", view, plan, key, got[key], want)
		}
	}
}

// viewCells gives the cells of a view by keys and labels.
func viewCells(t *testing.T, conn *pgx.Conn, view string, plan *cube.Plan) map[string]string {
	t.Helper()
	var selected []string
	for _, name := range plan.Attributes() {
		selected = append(selected, "coalesce("+viewed(t, plan, name)+"::text, '')")
	}
	groups := ""
	for i := range selected {
		groups += fmt.Sprint(map[bool]string{true: " GROUP BY ", false: ", "}[i == 0], i+1)
	}
	for _, a := range plan.Aggregates() {
		switch {
		case a.Func == cube.Rows && plan.Guard() != nil: // the view has rows that are not counted, for their other amounts
			selected = append(selected, "count(*) FILTER (WHERE _line > 2)::numeric")
		case a.Func == cube.Rows:
			selected = append(selected, "count(*)::numeric")
		default:
			selected = append(selected, "sum("+viewed(t, plan, a.Measure)+")")
		}
	}
	rows, err := conn.Query(t.Context(), "SELECT "+strings.Join(selected, ", ")+" FROM "+sqlgen.QualifiedView(view)+groups,
		pgx.QueryResultFormats{pgx.TextFormatCode})
	if err != nil {
		t.Fatal(err)
	}
	cells, keys := map[string]string{}, len(plan.Attributes())
	for rows.Next() {
		var texts []string
		values := make([]decimal.NullDecimal, len(plan.Aggregates()))
		for i, raw := range rows.RawValues() {
			switch {
			case i < keys:
				texts = append(texts, string(raw))
			case raw != nil:
				values[i-keys] = decimal.NewNullDecimal(decimal.RequireFromString(string(raw)))
			}
		}
		cells[strings.Join(texts, "|")] = amountsOf(values)
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return cells
}

// viewed quotes the name of a field as a column of its view.
func viewed(t *testing.T, plan *cube.Plan, field string) string {
	t.Helper()
	views, err := sqlgen.Views(plan.Cube())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(plan.Cube().Model.Columns(), func(c cube.Column) bool { return c.Name == field })
	return pgx.Identifier{views[0].Columns[i].Name}.Sanitize()
}

func cellKey(plan *cube.Plan, cell cube.Cell) string {
	var texts []string
	for i, k := range plan.Keys() {
		texts = append(texts, cell.Keys[i].String())
		if l := plan.LabelOf(k); l >= 0 {
			texts = append(texts, cell.Labels[l].String())
		}
	}
	return strings.Join(texts, "|")
}

func amountsOf(values []decimal.NullDecimal) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, map[bool]string{true: v.Decimal.String(), false: "null"}[v.Valid])
	}
	return strings.Join(texts, " ")
}

// TestViewsJoinNoMoreThanIsAsked looks at what PostgreSQL does for a question that needs no label, and for one that
// needs that of a number which may be missing.
func TestViewsJoinNoMoreThanIsAsked(t *testing.T) {
	dsn := postgrestest.DSN(t)
	mustLoad(t, open(t, dsn), hostile("budget", amounts))
	for asked, want := range map[string]int{`sum("amount$")`: 0, `max("code label")`: 1} {
		rows, err := connect(t, dsn).Query(t.Context(), "EXPLAIN (COSTS OFF) SELECT "+asked+" FROM cube.budget")
		if err != nil {
			t.Fatal(err)
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(plan, "\n"); strings.Count(text, "Join") != want {
			t.Errorf("%s joins otherwise than %d times:\n%s", asked, want, text)
		}
	}
}

// connect opens a connection that ends with t.
func connect(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}
