package cube_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

// places is a cube of districts in towns in regions, over two years.
func places(t testing.TB) *cube.Cube {
	t.Helper()
	m, err := (&cube.Draft{
		Columns: []cube.Column{{Name: "year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "region", Type: cube.TypeText},
			{Name: "town", Type: cube.TypeText}, {Name: "district", Type: cube.TypeText}, {Name: "plan", Digits: 9}},
		Dimensions: []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
			{Name: "place", Levels: []cube.Level{{Ref: "region"}, {Ref: "town", Parent: "region"}, {Ref: "district", Parent: "town"}}}},
		Measures: []cube.Measure{{Ref: "plan"}},
	}).Model()
	if err != nil {
		t.Fatal(err)
	}
	return &cube.Cube{Package: &cube.Package{Name: "places", Model: m}, Rows: 8}
}

var planned = []string{ // year region town district plan
	"2017 n a 1 50", "2017 n a 2 40", "2017 n b 1 5", "2017 s c 1 30", "2017 s d 1 -20", "2017 e f 1 7",
	"2016 n a 1 25", "2016 n b 2 60",
}

func TestANodeOfATreeIsItsOwnTotal(t *testing.T) {
	c := places(t)
	store := remember(c.Model, planned...)
	for _, tt := range []struct{ question, want string }{
		{"depth=1&having=plan.sum>=10", "n = 95\ns = 10\n2: 112"},
		{"depth=2&having=plan.sum>=10", "n = 95\nn a = 90\ns = 10\ns c = 30\n4: 112"},
		{"depth=3&having=plan.sum>=10", "n = 95\nn a = 90\nn a 1 = 50\nn a 2 = 40\ns = 10\ns c = 30\ns c 1 = 30\n7: 112"},
		{"depth=2&having=plan.sum>=20", "n = 95\nn a = 90\ns = 10\ns c = 30\n4: 112"},
		{"depth=1&having=plan.sum>=20", "n = 95\n1: 112"},
		{"depth=2&having=plan.sum<0", "s = 10\ns d = -20\n2: 112"},
		{"depth=2&path=n&having=plan.avg=45", "n a = 90\n1: 95"},
		{"depth=2&having=ratio(plan.sum,plan.max)<0.4", "s = 10\n1: 112"},
		{"depth=2&having=ratio(_count,plan.sum)<0|ratio(_count,plan.sum)>=-0.05", "s = 10\ns d = -20\n2: 112"},
		{"depth=1&having=ratio(plan.sum,diff(_count,plan.count))!=1", "0: 112"},
		{"depth=2&having=plan.sum>=1000", "0: 112"},
		{"depth=2&having=plan.sum<95&aggregates=share(plan.sum)|share_of_parent(plan.sum)",
			"e = 0.0625 0.0625\ne f = 0.0625 1\nn = 0.84821429 0.84821429\nn a = 0.80357143 0.94736842\nn b = 0.04464286 0.05263158\n" +
				"s = 0.08928571 0.08928571\ns c = 0.26785714 3\ns d = -0.17857143 -2\n8: 1 1"},
		{"depth=2&having=plan.sum<95&top=1&remainder=1", "n = 95\nn a = 90\nn = 5 others 1\ns = 10\ns c = 30\n" +
			"s = -20 others 1\ne = 7\ne f = 7\n8: 112"},
		{"depth=2&having=plan.sum>80&compare=year:-1", "n = 95 85 10 11.76470588\nn a = 90 25 65 260\n2: 112 85 27 31.76470588"},
		{"depth=3&having=plan.sum>45&compare=year:-1", "n = 95 85 10 11.76470588\nn a = 90 25 65 260\nn a 1 = 50 25 25 100\n3: 112 85 27 31.76470588"},
		{"depth=3&having=_count<1&compare=year:-1", "0: 112 85 27 31.76470588"},
	} {
		if got := treeOf(t, store, c, tt.question); got != tt.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
		}
	}
}

// treeOf asks for a tree of the places of 2017.
func treeOf(t testing.TB, e *cube.Engine, c *cube.Cube, question string) string {
	t.Helper()
	return strings.NewReplacer(" region", "", " town", "", " district", "").Replace(told(t, e, treePlan(t, c, question)))
}

func treePlan(t testing.TB, c *cube.Cube, question string) *cube.Plan {
	t.Helper()
	tree := cube.Tree{Ref: cube.Ref{Name: "place"}, Depth: 1}
	rest := []string{"cut=year:2017"}
	for clause := range strings.SplitSeq(question, "&") {
		name, text, _ := strings.Cut(clause, "=")
		var err error
		switch name {
		case "depth":
			tree.Depth, err = cube.ParseDepth(text)
		case "path":
			tree.Path, err = cube.ParsePath(text)
		default:
			rest = append(rest, clause)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(question, "aggregates=") {
		rest = append(rest, "aggregates=plan.sum")
	}
	q, err := read(strings.Join(rest, "&"))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := c.BindTree(q, tree)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestSumsOfWhatHavingKeepsAreNotSilent(t *testing.T) {
	const (
		sums  = "having-sums: subtotals, remainders and shares are of the cells that having keeps; ask without having for those of all cells"
		rests = "having-sums: remainders are of the members that having keeps; ask without having for those of all members"
	)
	c := places(t)
	for question, want := range map[string]string{
		"drilldown=region|town&having=plan.sum>1&rollup=1":                                             sums,
		"drilldown=region&having=plan.sum>1&top=1&remainder=1":                                         sums,
		"drilldown=region&having=plan.sum>1&aggregates=share(plan.sum)":                                sums,
		"drilldown=region&having=plan.sum>1&aggregates=ratio(share_of_parent(plan.sum),_count)":        sums,
		"drilldown=region&having=plan.sum>1&rollup=1":                                                  "",
		"drilldown=region&having=plan.sum>1&top=1":                                                     "",
		"drilldown=region&having=plan.sum>1":                                                           "",
		"drilldown=region|town&rollup=1&top=1&remainder=1&aggregates=share_of_parent(plan.sum)|_count": "",
	} {
		if got := warned(bindTo(t, c, question)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
	for question, want := range map[string]string{
		"depth=3&having=plan.sum>1&aggregates=share(plan.sum)": "",
		"depth=3&having=plan.sum>1&top=1&remainder=1":          rests,
		"depth=3&top=1&remainder=1":                            "",
	} {
		if got := warned(treePlan(t, c, question)); got != want {
			t.Errorf("the tree %s\ngot  %s\nwant %s", question, got, want)
		}
	}
	spanish := bindTo(t, c, "drilldown=region&having=plan.sum>1&aggregates=share(plan.sum)").In(cube.Spanish)
	if got := warned(spanish); !strings.Contains(got, "de las celdas que having conserva") {
		t.Errorf("in Spanish: %s", got)
	}
}

// A remainder is only told of where there is one.
func TestARemainderThatIsNotThereIsNotSpokenOf(t *testing.T) {
	c := places(t)
	store := remember(c.Model, planned...)
	for question, want := range map[string]bool{
		"depth=3&having=plan.sum>1&top=1&remainder=1": true, "depth=3&having=plan.sum>1&top=9&remainder=1": false,
		"depth=3&having=plan.sum>1000&top=1&remainder=1": false,
	} {
		result, err := store.Aggregate(t.Context(), treePlan(t, c, question))
		if err != nil {
			t.Fatal(err)
		}
		if got := warned(result.Plan); strings.Contains(got, "having-sums") != want {
			t.Errorf("%s: warns %q", question, got)
		}
	}
}
