package postgres_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/catalogue"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/sqlgen"
	"fiscube/store/storetest"
)

// TestViews_AddUpAsAnswersDo compares the views of every seed with the answers: all of it, by the key of each level, and by the
// key and label of each level in each year. The ordinary run compares every second seed.
func TestViews_AddUpAsAnswersDo(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	for i, seed := range seeds.All() {
		if i%testrequire.Share(2, 1) > 0 {
			continue
		}
		t.Run(seed.Name, func(t *testing.T) {
			compareViews(t, store, dsn, mustLoad(t, store, seed.FS))
		})
	}
}

// everyYear is of how many years one is asked of a level in the ordinary run, another of the next level.
const everyYear = 3

// compareViews asks the store and both views of a package for everything and for the members of each level. If both views have the
// same text but for their names, one is asked for members.
func compareViews(t *testing.T, store catalogue.Store, dsn string, version *cube.Cube) {
	t.Helper()
	views, err := sqlgen.Views(version)
	if err != nil {
		t.Fatal(err)
	}
	renamed := views[1]
	renamed.Name = views[0].Name
	same := renamed.Create(nil) == views[0].Create(nil)
	conn := connect(t, dsn)
	for i, choice := range []query.SnapshotChoice{query.LastSnapshots, query.AllSnapshots} {
		view := sqlgen.ViewNames(version.Name)[i]
		compareView(t, store, conn, view, version, query.Query{Snapshots: choice, Page: query.Every}, "")
		if i > 0 && same {
			break
		}
		for l, level := range version.Model.Levels() {
			q := query.Query{Drilldown: []query.Ref{{Name: level.Ref}}, Snapshots: choice, Page: query.Every}
			compareView(t, store, conn, view, version, q, "")
			if i > 0 || version.Coverage == nil || !level.HasLabels() {
				continue
			}
			column, _ := version.Model.FiscalYear()
			years := version.Coverage.Years
			for y, n := range years {
				if !storetest.LongRun() && (y+l)%min(everyYear, len(years)) != 0 {
					continue
				}
				year := strconv.FormatInt(n, 10)
				q.Cuts = []query.Cut{{Ref: query.Ref{Name: column.Name}, Items: []query.Item{{Path: []query.Key{{Text: year}}}}}}
				compareView(t, store, conn, view, version, q, year)
			}
		}
	}
}

// compareView asks the store and a view the same, in a year also for labels: a member may have others in other years. The view
// shows one of those if the year has none, so labels are left out then.
func compareView(t *testing.T, store catalogue.Store, conn *pgx.Conn, view string, version *cube.Cube, q query.Query, year string) {
	t.Helper()
	p, err := plan.Bind(version, q)
	if err != nil {
		t.Fatal(err)
	}
	if p.Summary() != nil {
		return // drilled by the snapshot, every statement is a cell; the view has the last alone
	}
	result, err := answer.Run(t.Context(), store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	labelled := year != "" && !slices.ContainsFunc(result.Cells, func(cell answer.Cell) bool { return hasNoLabel(p, cell) })
	got := viewCells(t, conn, view, p, year, labelled)
	cells := result.Cells
	if len(p.Keys()) == 0 {
		cells = []answer.Cell{{Values: result.Summary.Values}}
	}
	if len(got) != len(cells) {
		t.Fatalf("%s: %s: %d cells, the view has %d", view, p, len(cells), len(got))
	}
	for _, cell := range cells {
		key := cellKey(p, cell, labelled)
		if want := amountsOf(cell.Values); got[key] != want {
			t.Fatalf("%s: %s: of %s the view has %s, want %s", view, p, key, got[key], want)
		}
	}
}

// viewCells gives the cells of a view, in a year if one is given, by keys and, where they are labelled, labels.
func viewCells(t *testing.T, conn *pgx.Conn, view string, p *plan.Plan, year string, labelled bool) map[string]string {
	t.Helper()
	var selected []string
	for _, k := range p.Keys() {
		selected = append(selected, "coalesce("+viewed(t, p, k.Name)+"::text, '')")
		if l := p.LabelOf(k); l >= 0 && labelled {
			selected = append(selected, "coalesce("+viewed(t, p, p.Levels()[l].LabelRef)+"::text, '')")
		}
	}
	keys, where := len(selected), ""
	if year != "" {
		column, _ := p.Cube().Model.FiscalYear()
		where = " WHERE " + viewed(t, p, column.Name) + " = " + year
	}
	groups := ""
	for i := range selected {
		groups += fmt.Sprint(map[bool]string{true: " GROUP BY ", false: ", "}[i == 0], i+1)
	}
	for _, a := range p.Aggregates() {
		switch {
		case a.Func == cube.Rows && p.Main().Guard() != nil: // the view has rows that are not counted, for their other amounts
			selected = append(selected, "count(*) FILTER (WHERE _line > 2)::numeric")
		case a.Func == cube.Rows:
			selected = append(selected, "count(*)::numeric")
		default:
			selected = append(selected, "sum("+viewed(t, p, a.Measure)+")")
		}
	}
	rows, err := conn.Query(t.Context(), "SELECT "+strings.Join(selected, ", ")+" FROM "+sqlgen.QualifiedView(view)+where+groups,
		pgx.QueryResultFormats{pgx.TextFormatCode})
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]string{}
	for rows.Next() {
		var texts []string
		values := make([]decimal.NullDecimal, len(p.Aggregates()))
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
func viewed(t *testing.T, p *plan.Plan, field string) string {
	t.Helper()
	views, err := sqlgen.Views(p.Cube())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.Cube().Model.Columns(), func(c cube.Column) bool { return c.Name == field })
	return pgx.Identifier{views[0].Columns[i].Name}.Sanitize()
}

// hasNoLabel tells whether an answer shows the key of a member for its label.
func hasNoLabel(p *plan.Plan, cell answer.Cell) bool {
	for i, k := range p.Keys() {
		if l := p.LabelOf(k); l >= 0 && cell.Labels[l].String() == cell.Keys[i].String() {
			return true
		}
	}
	return false
}

func cellKey(p *plan.Plan, cell answer.Cell, labelled bool) string {
	var texts []string
	for i, k := range p.Keys() {
		texts = append(texts, cell.Keys[i].String())
		if l := p.LabelOf(k); l >= 0 && labelled {
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

// A row shows what its code means in its year.
func TestViews_ShowTheLabelsOfTheirYears(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	mustLoad(t, open(t, dsn), storetest.Package("housing"))
	for _, view := range sqlgen.ViewNames("reform") {
		got := ask[string](t, dsn, "SELECT string_agg(function_name, '|' ORDER BY _line) FROM "+sqlgen.QualifiedView(view))
		if got != storetest.HousingLabels {
			t.Errorf("the labels of %s are %s, want %s", view, got, storetest.HousingLabels)
		}
	}
}

func TestViews_ForSQLTools(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	storetest.SQLTools(t, func(files fs.FS) { mustLoad(t, store, files) }, func(q string) string { return ask[string](t, dsn, q) })
}

// TestViews_JoinNoMoreThanIsAsked looks at what PostgreSQL does for a question that needs no label, and for one that
// needs that of a number which may be missing: it joins the labels with their members, and then the facts.
func TestViews_JoinNoMoreThanIsAsked(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	mustLoad(t, open(t, dsn), hostile("budget", amounts))
	for asked, want := range map[string]int{`sum("amount$")`: 0, `max("code label")`: 2} {
		rows, err := connect(t, dsn).Query(t.Context(), "EXPLAIN (COSTS OFF) SELECT "+asked+" FROM cube.budget")
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(lines, "\n"); strings.Count(text, "Join") != want {
			t.Errorf("%s joins otherwise than %d times:\n%s", asked, want, text)
		} else if strings.Contains(text, "Nested Loop") {
			t.Errorf("%s compares each row with each label:\n%s", asked, text)
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

// The editions of one package: another amount, a field in between, a field less, a field of another type.
var (
	first  = table{{"year#", "unit", "note", "amount$"}, {"2016", "a", "x", "1"}}
	second = table{{"year#", "unit", "note", "amount$"}, {"2016", "a", "x", "2"}}
	wider  = table{{"year#", "town", "unit", "note", "amount$"}, {"2016", "p", "a", "x", "3"}}
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
		script(t, dsn, "CREATE ROLE "+name+" LOGIN") // which the workers of a cluster ask for
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

// TestViews_KeepTheirGrants loads editions whose views are made in place, and anew.
func TestViews_KeepTheirGrants(t *testing.T) {
	postgrestest.NeedsNoRightsOnTables(t)
	t.Parallel()
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

// TestViews_ThatOthersDependOn reloads, rolls back and removes a package on whose views others depend.
func TestViews_ThatOthersDependOn(t *testing.T) {
	t.Parallel()
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
		if one, err := servedCube(t.Context(), store, "budget"); err != nil || one.Version != 3 {
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
	if got := columns(t, dsn, "budget"); !slices.Equal(got, []string{"year#", "unit", "note", "amount$", "_resource", "_line", "_period"}) {
		t.Errorf("after the rollback the columns are %q", got)
	}
	if err := store.Remove(t.Context(), "budget"); err != nil {
		t.Fatal(err)
	}
	if n := ask[int](t, dsn, "SELECT count(*) FROM pg_class WHERE relnamespace = 'cube'::regnamespace AND relname <> '_cubes'"); n != 0 {
		t.Errorf("%d views are left", n)
	}
}

func columns(t testing.TB, dsn, view string) []string {
	t.Helper()
	return ask[[]string](t, dsn, "SELECT array_agg(column_name::text ORDER BY ordinal_position) FROM information_schema.columns "+
		"WHERE table_schema = 'cube' AND table_name = '"+view+"'")
}

// TestViews_ChangeWithTheirVersions goes through all that makes another version served.
func TestViews_ChangeWithTheirVersions(t *testing.T) {
	t.Parallel()
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

// TestViews_NotMadeByFiscube has a view and a table where those of a package should be.
func TestViews_NotMadeByFiscube(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	script(t, dsn, "CREATE TABLE cube.budget (x int)", `CREATE VIEW cube."plan (all)" AS SELECT 42 AS x`)
	for _, name := range []string{"budget", "plan"} {
		_, err := loadFS(t, store, pack(name, first, ""))
		if cube.CodeOf(err) != cube.CodeConflict || !strings.Contains(err.Error(), `cube."`+name) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := servedCube(t.Context(), store, name); cube.CodeOf(err) != cube.CodeUnknownCube {
			t.Errorf("%s is served: %v", name, err)
		}
	}
	if got := ask[int](t, dsn, `SELECT x FROM cube."plan (all)"`); got != 42 {
		t.Errorf("the view gives %d", got)
	}
}

// TestViews_OfAnEarlierRelease opens a database as one left it that made no views, or that still ran beside this one.
func TestViews_OfAnEarlierRelease(t *testing.T) {
	t.Parallel()
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
		{"no periods", `ALTER VIEW cube.budget RENAME COLUMN _period TO period`, 2},
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

// table is the one resource of a made-up package: fields whose name ends in # are whole numbers, in $ amounts, and
// the rest are texts; year# is the fiscal year.
type table [][]string

// pack makes a package of a table.
func pack(name string, rows table, overlay string) fs.FS {
	type object map[string]any
	fields, dimensions, measures := []object{}, object{}, object{}
	for _, field := range rows[0] {
		one := object{"name": field, "type": "string", "title": "Title of " + field}
		switch {
		case strings.HasSuffix(field, "$"):
			one["type"], measures[field] = "number", object{}
		case strings.HasSuffix(field, "#"):
			one["type"] = "integer"
		}
		if field == "year#" {
			one["columnType"] = "date:fiscal-year"
		}
		if !strings.HasSuffix(field, "$") && !strings.HasSuffix(field, "label") {
			dimensions["dimension "+field] = object{"dimensionType": "other", "primaryKey": []string{field}}
		}
		fields = append(fields, one)
	}
	const resource = `it's \a "resource"`
	text, _ := json.Marshal(object{
		"name": name, "title": `The \title's`, "schema": object{"fields": fields},
		"resources": []object{{"name": resource, "path": "lines.csv"}},
		"model":     object{"dimensions": dimensions, "measures": measures},
	})
	var lines strings.Builder
	_ = csv.NewWriter(&lines).WriteAll(rows)
	files := fstest.MapFS{"datapackage.json": {Data: text}, "lines.csv": {Data: []byte(lines.String())}}
	if overlay != "" {
		files["overlay.yaml"] = &fstest.MapFile{Data: []byte(overlay)}
	}
	return files
}

// amounts is the overlay of hostile; flowing is what makes it have every row.
const (
	amounts = `
snapshots: {by: cut, per: [year#], order: ["it's \"A\" \\", 'B'';--$1 ü']}
levels: {'code#': {label: code label}}
measures:
  amount$: {factor: "-0.001", currency: EUR, unit: 1000, phase: approved}
`
	flowing = "  flow$: {flow: true}\n"
)

// hostile has keys, names and texts that would end a literal early, whole numbers that are missing, and years that
// end with different statements.
func hostile(name, overlay string) fs.FS {
	first, second := `it's "A" \`, `B';--$1 ü`
	return pack(name, table{
		{"year#", "cut", "code#", "code label", `$1 "`, "xmin", "Name", strings.Repeat("ñ", 40), "amount$", "flow$"},
		{"2016", first, "1", `O'Neill \ "x"`, `\`, "x", "n", "l", "1000.25", "1"},
		{"2016", second, "1", `O'Neill \ "x"`, `'`, "x", "n", "l", "2000.50", "2"},
		{"2016", second, "", "", `"`, "", "n", "l", "7", ""},
		{"2017", first, "", "", ``, "x", "", "l", "", "8"},
		{"2017", first, "0", "", `$1`, "x", "N", "l", "9.125", "16"},
	}, overlay)
}

func TestViews_OfHostilePackages(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	long := strings.Repeat("ñ", 31)
	for _, name := range []string{
		"plain", "Upper Case", `a"; DROP TABLE fact.f1; --`, "it's", `\`, "$1", "日本", strings.Repeat("long", 20), long, long + "x",
	} {
		t.Run(name, func(t *testing.T) {
			version := mustLoad(t, store, hostile(name, amounts+flowing))
			compareViews(t, store, dsn, version)
			view := sqlgen.QualifiedView(sqlgen.ViewNames(name)[0])
			for expression, want := range map[string]string{
				`sum("amount$")`: "-2.016625", `sum("flow$")`: "27", "count(*)": "5", "min(_resource)": `it's \a "resource"`,
				`string_agg("code label", '|' ORDER BY _line)`: `O'Neill \ "x"|O'Neill \ "x"|||0`,
				"string_agg(_line::text, ' ' ORDER BY _line)":  "2 3 4 5 6", `sum(("$1 """ = '')::int)`: "1",
			} {
				if got := ask[string](t, dsn, "SELECT ("+expression+")::text FROM "+view); got != want {
					t.Errorf("%s is %s, want %s", expression, got, want)
				}
			}
		})
	}
	compareViews(t, store, dsn, mustLoad(t, store, hostile("no flow", amounts)))
	if got := ask[int](t, dsn, `SELECT count(*) FROM cube."no flow"`); got != 4 {
		t.Errorf("%d rows count, want 4", got)
	}
}

// TestViews_HaveComments looks at what a tool shows beside names.
func TestViews_HaveComments(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	mustLoad(t, open(t, dsn), hostile("it's", amounts+flowing))
	rows, err := connect(t, dsn).Query(t.Context(), `SELECT a.attname || ': ' || coalesce(col_description(a.attrelid, a.attnum), '')
		FROM pg_attribute a WHERE a.attrelid = 'cube."it''s"'::regclass AND a.attnum > 0 ORDER BY a.attnum`)
	if err != nil {
		t.Fatal(err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"year#: Title of year#", "code label: Title of code label", `$1 ": Title of $1 "`,
		"amount$: Title of amount$ (EUR, × 1000, approved)", "_resource: the file that the row stands in",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no %q among %q", want, got)
		}
	}
	view := ask[string](t, dsn, `SELECT obj_description('cube."it''s"'::regclass)`)
	if want := `The \title's, version 1: every row, without the amounts that other rows state again`; view != want {
		t.Errorf("the view is described as %q, want %q", view, want)
	}
}

// edition is a package of a hundred rows that adds up to a hundred times a number. Every other one has a field
// more, so that its views are made anew.
func edition(number int) table {
	rows := table{{"year#", "unit", "amount$"}}
	for i := range 100 {
		rows = append(rows, []string{"2016", strconv.Itoa(i), strconv.Itoa(number)})
	}
	if number%2 == 1 {
		for i := range rows {
			rows[i] = append([]string{"note"}, rows[i]...)
		}
	}
	return rows
}

// TestViews_AreReadWhileTheyChange asks a view without pause while editions are loaded: every answer is that of one
// edition, and none is an error.
func TestViews_AreReadWhileTheyChange(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	store := open(t, dsn)
	mustLoad(t, store, pack("budget", edition(0), ""))
	ctx, stop := context.WithCancel(t.Context())
	var readers, begun sync.WaitGroup
	for range 3 {
		conn := connect(t, dsn)
		begun.Add(1)
		readers.Go(func() {
			first := sync.OnceFunc(begun.Done)
			defer first()
			for {
				var sum, all int
				err := conn.QueryRow(ctx, `SELECT (SELECT sum("amount$") FROM cube.budget)::int, (SELECT sum("amount$") FROM cube."budget (all)")::int`).
					Scan(&sum, &all)
				switch {
				case ctx.Err() != nil:
					return
				case err != nil:
					t.Errorf("a reader: %v", err)
					return
				case sum%100 != 0 || sum != all:
					t.Errorf("the view adds up to %d, and all of it to %d", sum, all)
				}
				first()
			}
		})
	}
	begun.Wait()
	for number := range 8 {
		mustLoad(t, store, pack("budget", edition(number+1), ""))
	}
	stop()
	readers.Wait()
}

// TestLoad_WaitsForReadersOfItsViews has a reader that holds a view for longer than a load likes to wait for it at a
// time, and others that come meanwhile. The long reader stays until they are through, so one that had to wait for it
// would run into its time limit.
func TestLoad_WaitsForReadersOfItsViews(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	bounded := withParameter(t, dsn, "statement_timeout", "20s")
	store := open(t, dsn)
	mustLoad(t, store, pack("budget", first, ""))
	long := connect(t, dsn)
	script := func(statement string) {
		if _, err := long.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	script("BEGIN; SELECT * FROM cube.budget")

	done := make(chan error)
	go func() {
		_, err := loadFS(t, store, pack("budget", second, ""))
		done <- err
	}()
	for start := time.Now(); time.Since(start) < 2*time.Second; time.Sleep(50 * time.Millisecond) {
		if got := ask[int](t, bounded, `SELECT "amount$"::int FROM cube.budget`); got != 1 {
			t.Errorf("the view shows %d before the load is done", got)
		}
	}
	script("COMMIT")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := ask[int](t, dsn, `SELECT "amount$"::int FROM cube.budget`); got != 2 {
		t.Errorf("the view shows %d after the load", got)
	}

	store.SetViewPatience(0)
	script("BEGIN; SELECT * FROM cube.budget")
	if _, err := loadFS(t, store, pack("budget", wider, "")); cube.CodeOf(err) != cube.CodeUnavailable {
		t.Errorf("a load that waits too long: %v", err)
	}
	if err := store.Remove(t.Context(), "budget"); cube.CodeOf(err) != cube.CodeUnavailable {
		t.Errorf("a removal that waits too long: %v", err)
	}
	if one, err := servedCube(t.Context(), store, "budget"); err != nil || one.Version != 2 {
		t.Errorf("served is %v, %v", one, err)
	}
	script("COMMIT")
	if err := store.Remove(t.Context(), "budget"); err != nil {
		t.Error(err)
	}
}
