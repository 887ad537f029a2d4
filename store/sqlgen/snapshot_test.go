package sqlgen_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/sqlgen"
)

// monthly is a cube of two years whose months are snapshots of the same money; flow adds up over them.
func monthly(t testing.TB) *cube.Cube {
	t.Helper()
	model, err := (&cube.Draft{
		Columns: []cube.Column{
			{Name: "Year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "month", Type: cube.TypeText},
			{Name: "plan"}, {Name: "flow"},
		},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "Year"}, {Ref: "month"}}}},
		Measures:   []cube.Measure{{Ref: "plan"}, {Ref: "flow", Flow: true}},
		Snapshots: &cube.Snapshots{By: "month", Per: []string{"Year"}, Statements: []cube.PeriodSnapshot{
			{Period: []string{"2017"}, Snapshot: "12"}, {Period: []string{"2017"}, Snapshot: "11"},
			{Period: []string{"2016"}, Snapshot: "12"}, {Period: []string{""}, Snapshot: "12"},
			{Period: []string{"2018"}, Snapshot: "06"}, {Period: []string{"2018"}, Snapshot: "05"},
		}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Model: model}, ID: 7}
}

func TestCells_Snapshots(t *testing.T) {
	for _, tt := range []struct{ name, question, want, args string }{
		{"periods that end differently", "aggregates=plan.sum&pagesize=0",
			`SELECT sum(f."plan") AS a0 FROM fact."f7" AS f WHERE ` +
				`(((f."Year" IN ($1, $2) OR f."Year" IS NULL) AND f."month" = $3) OR (f."Year" = $4 AND f."month" = $5))`,
			"[2016 2017 12 2018 06 0 0]"},
		{"the same last of all, after what was asked", "aggregates=plan.sum&cut=Year:2017&pagesize=0",
			`SELECT sum(f."plan") AS a0 FROM fact."f7" AS f WHERE (f."Year" = $1) AND (f."month" = $2)`, "[2017 12 0 0]"},
		{"beside amounts that add up, a condition of each part", "aggregates=plan.avg|flow.sum|_count&cut=Year:2017&pagesize=0",
			`SELECT sum(f."plan") FILTER (WHERE f."month" = $1) AS a0, count(f."plan") FILTER (WHERE f."month" = $1) AS a1, ` +
				`sum(f."flow") AS a2, count(*) FILTER (WHERE f."month" = $1) AS a3 FROM fact."f7" AS f WHERE (f."Year" = $2)`,
			"[12 2017 0 0]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := read(tt.question)
			if err != nil {
				t.Fatal(err)
			}
			p, err := plan.Bind(monthly(t), q)
			if err != nil {
				t.Fatal(err)
			}
			statement := sqlgen.Cells(p.Main())
			if got := groupsOf(statement.Text); got != tt.want || fmt.Sprint(statement.Args) != tt.args {
				t.Errorf("got  %s %v\nwant %s %s", got, statement.Args, tt.want, tt.args)
			}
		})
	}
}

// groupsOf gives the part of a statement that makes the cells.
func groupsOf(text string) string {
	groups, _, _ := strings.Cut(strings.TrimPrefix(text, "WITH g AS ("), "),\ns AS (")
	return groups
}
