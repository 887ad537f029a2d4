package cube_test

import (
	"testing"

	"fiscube/cube"
)

// programmes is a cube of programmes, which are numbered within a ramo and lie below a kind, and of units of the ramos.
func programmes(t testing.TB) *cube.Cube {
	t.Helper()
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "kind", Type: cube.TypeText},
			{Name: "ramo", Type: cube.TypeText}, {Name: "programme", Type: cube.TypeText}, {Name: "unit", Type: cube.TypeText},
			{Name: "desk", Type: cube.TypeText}, {Name: "plan", Digits: 9}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
			{Name: "activity", Levels: []cube.Level{{Ref: "kind"}, {Ref: "programme", Parent: "kind", Within: []string{"ramo"}}}},
			{Name: "place", Levels: []cube.Level{{Ref: "ramo"}, {Ref: "unit", Parent: "ramo"}, {Ref: "desk", Parent: "unit"}}}},
		Measures: []cube.Measure{{Ref: "plan"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "programmes", Model: m}, Rows: 7}
}

func TestShareOfParent(t *testing.T) {
	c := programmes(t)
	store := remember(c.Model, // year kind ramo programme unit desk plan
		"2016 R 1 a x i 10", "2016 R 1 b x i 30", "2016 R 2 a x i 40", "2016 S 2 a y j 20",
		"2017 R 1 a x i 50", "2017 R 2 a x i 25", "2017 R 2 a x j 25")
	for _, tt := range []struct{ name, question, want string }{
		{"a level within another is of its own parent", "drilldown=programme&cut=year:2016",
			"R 1 a = 0.125\nR 1 b = 0.375\nR 2 a = 0.5\nS 2 a = 1\n4: 1"},
		{"below its parent it is the same", "drilldown=kind|programme&cut=year:2016|kind:R&rollup=1",
			"R = 1 kind\nR 1 a = 0.125 programme\nR 1 b = 0.375 programme\nR 2 a = 0.5 programme\n4: 1"},
		{"what top leaves out is a part of the group", "drilldown=kind|programme&cut=year:2016&top=1&remainder=1",
			"R 2 a = 0.5\nR = 0.5 others 2\nS 2 a = 1\n3: 1"},
		{"below what it is within", "drilldown=ramo|programme&cut=year:2016",
			"1 R a = 0.25\n1 R b = 0.75\n2 R a = 0.66666667\n2 S a = 0.33333333\n4: 1"},
		{"of its parent in each year", "drilldown=year|programme&cut=kind:R",
			"2016 R 1 a = 0.125\n2016 R 1 b = 0.375\n2016 R 2 a = 0.5\n2017 R 1 a = 0.5\n2017 R 2 a = 0.5\n5: 1"},
		{"which a remainder has if all of it has", "drilldown=year|programme&cut=year:2016&top=1&remainder=1",
			"2016 S 2 a = 1\n2016 = 1 others 3\n2: 1"},
		{"of a few", "drilldown=programme&cut=year:2016|kind:R&top=1&remainder=1", "R 2 a = 0.5\n= 0.5 others 2\n2: 1"},
		{"and not if it is of several", "drilldown=programme&cut=year:2016&order=share_of_parent(plan.sum)&top=2&remainder=1",
			"R 1 a = 0.125\nR 1 b = 0.375\n= null others 2\n3: 1"},
		{"a level that is skipped is no parent", "drilldown=ramo|desk&cut=year:2017",
			"1 x i = 1\n2 x i = 0.5\n2 x j = 0.5\n3: 1"},
		{"years of a member", "drilldown=unit|year&cut=unit:x",
			"1 x 2016 = 0.44444444\n1 x 2017 = 0.55555556\n2 x 2016 = 0.44444444\n2 x 2017 = 0.55555556\n4: 1"},
		{"programmes of a unit", "drilldown=unit|programme&cut=year:2016",
			"1 x R a = 0.25\n1 x R b = 0.75\n2 x R a = 1\n2 y S a = 1\n4: 1"},
		{"a level above, asked after it", "drilldown=unit|ramo&cut=year:2016", "1 x = 1\n2 x = 0.66666667\n2 y = 0.33333333\n3: 1"},
		{"the first level is of all", "drilldown=ramo", "1 = 0.45\n2 = 0.55\n2: 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question+"&aggregates=share_of_parent(plan.sum)"); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}
