package sqlgen_test

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/golden"
	"fiscube/store/sqlgen"
)

// The file holds queries for members and the SQL that answers them, written as those of TestCells.
func TestMembers(t *testing.T) {
	golden.Answers(t, "testdata/members/members.txt", func(question string) string {
		return printed(t, question, sqlgen.Members(askMembers(t, question).Main()))
	})
}

// askMembers binds level?parameters.
func askMembers(t testing.TB, asked string) *plan.MemberPlan {
	t.Helper()
	level, text, _ := strings.Cut(asked, "?")
	given := map[string]string{}
	for clause := range strings.SplitSeq(text, "&") {
		if name, value, ok := strings.Cut(clause, "="); ok {
			given[name] = value
		}
	}
	q, err := query.ParseMembers(level, given)
	if err != nil {
		t.Fatalf("%s: %v", asked, err)
	}
	p, err := plan.BindMembers(testCube(t), q)
	if err != nil {
		t.Fatalf("%s: %v", asked, err)
	}
	return p
}

func testCube(t testing.TB) *cube.Cube {
	t.Helper()
	return &cube.Cube{Package: &cube.Package{Model: newModel(t)}, ID: 7}
}

// Members of several labels come as several rows, and a page without members as one.
func TestReader_Members(t *testing.T) {
	p := askMembers(t, "admin2_code?")
	rows := [][]any{
		{int64(3), int32(1), "010", "1", "Now", int64(7), int64(2015), int64(2017), "Now", int64(2017)},
		{int64(3), int32(1), "010", "1", "Now", int64(7), int64(2015), int64(2017), "Then", int64(2016)},
		{int64(3), int32(1), "010", "1", "Now", int64(7), int64(2015), int64(2017), "Then", int64(2015)},
		{int64(3), int32(1), "010", "1", "Now", int64(7), int64(2015), int64(2017), "?", nil},
		{int64(3), int32(1), "020", "1", "", int64(2), nil, nil, nil, nil},
	}
	want := []plan.MemberRow{
		{Path: []cube.Value{cube.Text("010"), cube.Text("1")}, Label: cube.Text("Now"), Rows: 7, First: cube.Integer(2015),
			Last: cube.Integer(2017), Labels: []plan.LabelUse{{Text: "Now", Years: []int64{2017}}, {Text: "Then", Years: []int64{2015, 2016}}, {Text: "?"}}},
		{Path: []cube.Value{cube.Text("020"), cube.Text("1")}, Label: cube.Text("1"), Rows: 2},
	}
	if count, got := collected(t, p, rows); count != 3 || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %d %+v\nwant 3 %+v", count, got, want)
	}
	none := [][]any{{int64(3), nil, nil, nil, nil, nil, nil, nil, nil, nil}}
	if count, got := collected(t, p, none); count != 3 || got != nil {
		t.Errorf("of no page %d %+v", count, got)
	}
	result, err := answering(each(rows)).Members(t.Context(), p.Main())
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	for range result.Members {
		break // must not yield again
	}
}

// answering is a reader of a store that answers every query with the same rows.
func answering(rows iter.Seq2[[]any, error]) sqlgen.Reader {
	return sqlgen.NewReader(func(context.Context, sqlgen.SQL) iter.Seq2[[]any, error] { return rows })
}

func each(rows [][]any) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

func collected(t *testing.T, p *plan.MemberPlan, rows [][]any) (count int64, list []plan.MemberRow) {
	t.Helper()
	result, err := answering(each(rows)).Members(t.Context(), p.Main())
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	for row, err := range result.Members {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, row)
	}
	return result.Count, list
}

// All that a cut names is looked for with one statement, whose rows are the indexes of the members that exist.
func TestReader_Unknown(t *testing.T) {
	one := testCube(t)
	quarter, _ := one.Model.Level("quarter")
	path := one.Model.PathOf(quarter)
	wanted := []plan.NamedMember{
		{Level: quarter, By: plan.ByOwnKey, Path: []cube.Value{cube.Integer(4)}, Columns: path[1:]},
		{Level: quarter, By: plan.ByLabelText, Text: "T'4"},
		{Level: quarter, By: plan.ByOwnKey, Path: []cube.Value{cube.Missing}, Columns: path[1:]},
		{Level: quarter, By: plan.ByPart, Text: "Čaj"},
		{Level: quarter, By: plan.ByPath, Path: []cube.Value{cube.Integer(2016), cube.Missing}, Columns: path},
	}
	const want = `SELECT w.i FROM (VALUES (CAST(0 AS bigint), CAST($1 AS bigint)), (CAST(2 AS bigint), CAST(NULL AS bigint))) AS w(i, c0) ` +
		`WHERE (w.c0 IS NULL, coalesce(w.c0, 0)) IN (SELECT f.p1 IS NULL, coalesce(f.p1, 0) FROM member."m7_1" AS f)` + "\n" +
		`UNION ALL SELECT w.i FROM (VALUES (CAST(1 AS bigint), CAST($2 AS text))) AS w(i, c0) WHERE (w.c0) IN (SELECT f.label FROM member."l7_1" AS f)` + "\n" +
		`UNION ALL SELECT w.i FROM (VALUES (CAST(3 AS bigint), CAST($3 AS text))) AS w(i, c0) ` +
		`WHERE EXISTS (SELECT 1 FROM (SELECT f._fold FROM member."m7_1" AS f) AS m WHERE strpos(m._fold, w.c0) > 0)` + "\n" +
		`UNION ALL SELECT w.i FROM (VALUES (CAST(4 AS bigint), CAST($4 AS bigint), CAST(NULL AS bigint))) AS w(i, c0, c1) ` +
		`WHERE (w.c0 IS NULL, coalesce(w.c0, 0), w.c1 IS NULL, coalesce(w.c1, 0)) IN ` +
		`(SELECT f.p0 IS NULL, coalesce(f.p0, 0), f.p1 IS NULL, coalesce(f.p1, 0) FROM member."m7_1" AS f)`
	unknown, err := sqlgen.NewReader(func(_ context.Context, s sqlgen.SQL) iter.Seq2[[]any, error] {
		if args := fmt.Sprintf("%#v", s.Args); s.Text != want || args != `[]interface {}{4, "T'4", "caj", 2016}` {
			t.Errorf("got\n%s\n%s", s.Text, args)
		}
		return each([][]any{{int64(4)}, {int64(0)}})
	}).Unknown(t.Context(), one, wanted, 0)
	if err != nil || fmt.Sprint(unknown) != "[{1 {[] []}} {2 {[] []}} {3 {[] []}}]" {
		t.Errorf("unknown are %v, %v", unknown, err)
	}
}
