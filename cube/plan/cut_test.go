package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// filterText writes a filter as it will be tested: alternatives joined by or, their tests by and.
func filterText(f plan.Filter) string {
	var alternatives []string
	for _, tests := range f.Any {
		var all []string
		for _, test := range tests {
			all = append(all, testText(test))
		}
		alternatives = append(alternatives, strings.Join(all, " and "))
	}
	text := strings.Join(alternatives, " or ")
	if f.Not {
		return "not (" + text + ")"
	}
	return text
}

func testText(test plan.Test) string {
	if m := test.Members; m != nil {
		return fmt.Sprintf("%s of %s (%d columns) called %q or with %q", test.Column.Name, m.Level.Ref, len(m.Path), m.Labels, m.Substrings)
	}
	if len(test.In) == 0 {
		return test.Column.Name + " " + valueText(test.From) + ".." + valueText(test.To)
	}
	var values []string
	for _, v := range test.In {
		values = append(values, valueText(v))
	}
	return test.Column.Name + " = " + strings.Join(values, ",")
}

func valueText(v cube.Value) string {
	if v.IsMissing() {
		return "missing"
	}
	if n, ok := v.Int(); ok {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%q", v.String())
}

func TestBind_LimitsCuts(t *testing.T) {
	values := func(n int) string { return strings.TrimSuffix(strings.Repeat("1;", n), ";") }
	if _, err := cubetest.Ask(t, "cut=Year:"+values(4_000)+"|quarter:"+values(6_000)); err != nil {
		t.Errorf("10,000 values: %v", err)
	}
	_, err := cubetest.Ask(t, "cut=Year:"+values(4_000)+"|quarter:"+values(6_001))
	cubetest.WantError(t, err, cube.CodeTooLarge, "cut at 8005: the cuts name more than 10000 values")
	_, err = plan.Bind(quarters(t), cuts(t, "mes:"+strings.TrimSuffix(strings.Repeat("plan..;", 2500), ";")))
	cubetest.WantError(t, err, cube.CodeTooLarge, "cut at 0: the cuts name more than 10000 values")
}

// cuts reads a question of cuts alone.
func cuts(t testing.TB, text string) query.Query {
	t.Helper()
	cuts, err := query.ParseCut(text)
	if err != nil {
		t.Fatal(err)
	}
	return query.Query{Cuts: cuts, Page: query.FirstPage}
}
