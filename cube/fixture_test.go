package cube_test

import (
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

// The fields of the test model. The dimension programa has a level within another dimension, actividad one
// within a level that needs a level itself, economic branches, linea lists no members, and the last dimension
// has names that the grammar must quote.
var columns = []cube.Column{
	{Name: "Year", Type: cube.TypeInteger, FiscalYear: true},
	{Name: "quarter", Type: cube.TypeInteger, Missing: 3},
	{Name: "quarter_label", Type: cube.TypeText},
	{Name: "admin1_code", Type: cube.TypeText},
	{Name: "admin1_label", Type: cube.TypeText},
	{Name: "admin2_code", Type: cube.TypeText},
	{Name: "admin2_label", Type: cube.TypeText},
	{Name: "econ1_code", Type: cube.TypeText},
	{Name: "econ1_label", Type: cube.TypeText},
	{Name: "econ2_code", Type: cube.TypeText},
	{Name: "econ2_alt", Type: cube.TypeText},
	{Name: "ID_RAMO", Type: cube.TypeText},
	{Name: "DESC_RAMO", Type: cube.TypeText},
	{Name: "ID_UR", Type: cube.TypeText},
	{Name: "DESC_UR", Type: cube.TypeText},
	{Name: "ID_MODALIDAD", Type: cube.TypeText},
	{Name: "ID_PP", Type: cube.TypeText},
	{Name: "DESC_PP", Type: cube.TypeText},
	{Name: "ID_AI", Type: cube.TypeText},
	{Name: "DESC_AI", Type: cube.TypeText},
	{Name: "line_id", Type: cube.TypeText},
	{Name: "line_label", Type: cube.TypeText},
	{Name: "función: a|b", Type: cube.TypeText},
	{Name: `the "label"`, Type: cube.TypeText},
	{Name: "50% & more", Type: cube.TypeInteger},
	{Name: "remark", Type: cube.TypeText},
	{Name: "approved_value", Type: cube.TypeDecimal, Digits: 12, Scale: 2},
	{Name: "executed.value", Type: cube.TypeDecimal, Digits: 12},
}

var dimensions = []cube.Dimension{
	{Name: "date", Type: "datetime", Levels: []cube.Level{
		{Ref: "Year"},
		{Ref: "quarter", LabelRef: "quarter_label", Parent: "Year"},
	}},
	{Name: "administrative-classification", Type: "classification", Classification: "administrative",
		Levels: []cube.Level{
			{Ref: "admin1_code", LabelRef: "admin1_label"},
			{Ref: "admin2_code", LabelRef: "admin2_label", Parent: "admin1_code"},
		}},
	{Name: "economic", Levels: []cube.Level{
		{Ref: "econ1_code", LabelRef: "econ1_label"},
		{Ref: "econ2_code", Parent: "econ1_code"},
		{Ref: "econ2_alt", Parent: "econ1_code"},
	}},
	{Name: "ramo", Levels: []cube.Level{
		{Ref: "ID_RAMO", LabelRef: "DESC_RAMO"},
		{Ref: "ID_UR", LabelRef: "DESC_UR", Parent: "ID_RAMO"},
	}},
	{Name: "programa", Levels: []cube.Level{
		{Ref: "ID_MODALIDAD"},
		{Ref: "ID_PP", LabelRef: "DESC_PP", Parent: "ID_MODALIDAD", Within: []string{"ID_RAMO"}},
	}},
	{Name: "actividad", Levels: []cube.Level{
		{Ref: "ID_AI", LabelRef: "DESC_AI", Within: []string{"ID_UR"}},
	}},
	{Name: "linea", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line_id", LabelRef: "line_label"}}},
	{Name: "año y función.", Levels: []cube.Level{
		{Ref: "función: a|b", LabelRef: `the "label"`},
		{Ref: "50% & more", Parent: "función: a|b"},
	}},
}

var measures = []cube.Measure{{Ref: "approved_value", Title: "Approved"}, {Ref: "executed.value"}}

func newModel(t testing.TB) *cube.Model {
	t.Helper()
	m, err := cube.NewModel(columns, dimensions, measures)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newCube(t testing.TB) *cube.Cube {
	t.Helper()
	return &cube.Cube{Package: &cube.Package{Name: "test", Model: newModel(t)}, ID: 7, Version: 1}
}

// read parses a question written like Plan.String: parameters joined by &, without any escaping of URLs.
func read(question string) (cube.Query, error) {
	given := clauses(question)
	delete(given, "_default") // the rest brings it about again
	return cube.ParseQuery(given)
}

// clauses splits a question at each & outside of quotes that begins a parameter: names may hold a bare &, but
// none holds a bare =.
func clauses(question string) map[string]string {
	found := map[string]string{}
	quoted, start := false, 0
	for i := 0; i <= len(question); i++ {
		switch {
		case i == len(question) || question[i] == '&' && !quoted && beginsClause(question[i+1:]):
			if name, text, ok := strings.Cut(question[start:i], "="); ok {
				found[name] = text
			}
			start = i + 1
		case question[i] == '\\' && quoted:
			i++
		case question[i] == '"':
			quoted = !quoted
		}
	}
	return found
}

func beginsClause(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	return slices.Contains([]string{"page", "pagesize", "_default"}, name) ||
		slices.ContainsFunc(cube.Clauses(), func(c cube.Clause) bool { return c.Name == name })
}

func ask(t testing.TB, question string) (*cube.Plan, error) {
	t.Helper()
	q, err := read(question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return newCube(t).Bind(q)
}

func mustAsk(t testing.TB, question string) *cube.Plan {
	t.Helper()
	plan, err := ask(t, question)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return plan
}

// wantError checks the code of err, and its text: place, message and hint.
func wantError(t *testing.T, err error, code cube.Code, text string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want %s: %s", code, text)
	}
	if got := cube.CodeOf(err); got != code {
		t.Errorf("code %q, want %q", got, code)
	}
	if err.Error() != text {
		t.Errorf("error\n got %s\nwant %s", err, text)
	}
}

func names(keys []cube.Column) string {
	var list []string
	for _, k := range keys {
		list = append(list, k.Name)
	}
	return strings.Join(list, " ")
}
