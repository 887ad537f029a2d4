package postgres_test

import (
	"encoding/csv"
	"encoding/json"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"fiscube/store/postgres/postgrestest"
	"fiscube/store/sqlgen"
)

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

func TestViewsOfHostilePackages(t *testing.T) {
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

// TestViewsAreDescribed looks at what a tool shows beside names.
func TestViewsAreDescribed(t *testing.T) {
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
