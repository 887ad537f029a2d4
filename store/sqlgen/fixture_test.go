package sqlgen_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// The test model: a number that may be missing, a level within another dimension, one within a level that
// needs a level itself, budget lines that are not listed, and names that would end an identifier early.
var draft = cube.Draft{
	Columns: []cube.Column{
		{Name: "Year", Type: cube.TypeInteger, FiscalYear: true},
		{Name: "quarter", Type: cube.TypeInteger, Missing: 3},
		{Name: "quarter_label", Type: cube.TypeText},
		{Name: "admin1_code", Type: cube.TypeText},
		{Name: "admin1_label", Type: cube.TypeText},
		{Name: "admin2_code", Type: cube.TypeText},
		{Name: "admin2_label", Type: cube.TypeText},
		{Name: "func1_code", Type: cube.TypeText},
		{Name: "prog_code", Type: cube.TypeText},
		{Name: "prog_label", Type: cube.TypeText},
		{Name: "task_code", Type: cube.TypeText},
		{Name: "line_id", Type: cube.TypeText},
		{Name: "line_label", Type: cube.TypeText},
		{Name: `a"; DROP TABLE x; --`, Type: cube.TypeText},
		{Name: `$1 "`, Type: cube.TypeText},
		{Name: "approved_value", Type: cube.TypeDecimal, Digits: 12, Scale: 2},
		{Name: `spent"`, Type: cube.TypeDecimal, Digits: 12},
	},
	Dimensions: []cube.Dimension{
		{Name: "date", Levels: []cube.Level{{Ref: "Year"}, {Ref: "quarter", LabelRef: "quarter_label", Parent: "Year"}}},
		{Name: "administrative", Levels: []cube.Level{
			{Ref: "admin1_code", LabelRef: "admin1_label"},
			{Ref: "admin2_code", LabelRef: "admin2_label", Parent: "admin1_code"},
		}},
		{Name: "functional", Levels: []cube.Level{{Ref: "func1_code"}}},
		{Name: "programme", Levels: []cube.Level{{Ref: "prog_code", LabelRef: "prog_label", Within: []string{"quarter"}}}},
		{Name: "task", Levels: []cube.Level{{Ref: "task_code", Within: []string{"admin2_code"}}}},
		{Name: "line", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line_id", LabelRef: "line_label"}}},
		{Name: "hostile", Levels: []cube.Level{{Ref: `a"; DROP TABLE x; --`, LabelRef: `$1 "`}}},
	},
	Measures: []cube.Measure{{Ref: "approved_value"}, {Ref: `spent"`}},
}

func newModel(t testing.TB) *cube.Model {
	t.Helper()
	m, err := draft.Model()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// ask binds a question: the parameters of an aggregate joined by &, unescaped. No value here holds an &.
// pagesize=all is the page of exports.
func ask(t testing.TB, question string) *plan.Plan {
	t.Helper()
	return bind(t, question, nil)
}

// bind binds a question about a version whose load found a history of labels; one without was loaded before.
func bind(t testing.TB, question string, history *cube.LabelHistory) *plan.Plan {
	t.Helper()
	q, err := read(question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	years := &cube.YearCoverage{Years: []int64{2015, 2016, 2017}, Gaps: []cube.YearGap{{Column: `spent"`, Years: []int64{2017}}}}
	p, err := plan.Bind(&cube.Cube{Package: &cube.Package{Model: newModel(t), Coverage: years, LabelHistory: history}, ID: 7}, q)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return p
}

func read(question string) (query.Query, error) {
	given := map[string]string{}
	for clause := range strings.SplitSeq(question, "&") {
		name, text, _ := strings.Cut(clause, "=")
		given[name] = text
	}
	every := given["pagesize"] == "all"
	if every {
		delete(given, "pagesize")
	}
	q, err := query.Parse(given)
	q.Flat = given["_flat"] == "1"
	if every {
		q.Page = query.Every
	}
	return q, err
}
