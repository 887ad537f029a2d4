package plan_test

import (
	"fmt"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

func TestBind_Editions(t *testing.T) {
	c := cubetest.Renumbered(t)
	for _, tt := range []struct{ cut, want, text string }{
		{"functional:2/3", `group = "2" and function = "3"`, `functional:"2"/"3"`},
		{"functional:2/3@2012", `group = "2" and function_edition = 2012 and function = "3"`, `functional:"2"/"3"@2012`},
		{"functional:2/3@2012/7", `group = "2" and function_edition = 2012 and function = "3" and activity = "7"`, `functional:"2"/"3"@2012/"7"`},
		{"functional:2/3/7@2012", `group = "2" and function_edition = 2012 and function = "3" and activity = "7"`, `functional:"2"/"3"@2012/"7"`},
		{"functional:2/3@", `group = "2" and function_edition = missing and function = "3"`, `functional:"2"/"3"@`},
		{`functional:2/"3@2012"`, `group = "2" and function = "3@2012"`, `functional:"2"/"3@2012"`},
		{"functional:2@2012/3", `group = "2@2012" and function = "3"`, `functional:"2@2012"/"3"`},
		{"function:3", `function = "3"`, `function:"3"`},
		{"function:3@2012", `function_edition = 2012 and function = "3"`, `function:"3"@2012`},
		{"function:1/3@2012", `function_edition = 2012 and function = "1/3"`, `function:"1/3"@2012`},
		{"function:3@2012;4;5", `function = "4","5" or function_edition = 2012 and function = "3"`, `function:"3"@2012;"4";"5"`},
		{"activity:7@2008", `function_edition = 2008 and activity = "7"`, `activity:"7"@2008`},
		{"group:2@2012", `group = "2@2012"`, `group:"2@2012"`},
		{"function_name:Health@2012", `function of function (3 columns) called ["Health@2012"] or with []`, `function_name:"Health@2012"`},
		{"function_edition:2012", "function_edition = 2012", "function_edition:2012"},
		{"!function:3@2012", `not (function_edition = 2012 and function = "3")`, `!function:"3"@2012`},
	} {
		p := cubetest.Bind(t, c, "cut="+tt.cut)
		filter := p.FiltersAsked()[0]
		if got := filterText(filter); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.cut, got, tt.want)
		}
		if filter.String() != tt.text {
			t.Errorf("%s is written %s, want %s", tt.cut, filter, tt.text)
		}
		if again := cubetest.Bind(t, c, "cut="+filter.String()); again.String() != p.String() {
			t.Errorf("%s asks %s, not the same again", filter, again)
		}
	}
}

// A cut on an edition admits the years of it alone.
func TestBind_EditionsHaveYears(t *testing.T) {
	c := cubetest.Renumbered(t)
	for cut, want := range map[string]string{
		"functional:2/3":                    "[2008 2010 2011 2012 2013]",
		"functional:2/3@2008":               "[2008 2010 2011]",
		"functional:2/3@2012;1/1@2012":      "[2012 2013]",
		"functional:2/3@2012;1/1":           "[2008 2010 2011 2012 2013]",
		"!function_edition:2012":            "[2008 2010 2011]",
		"!function:3@2012":                  "[2008 2010 2011 2012 2013]",
		"function:3@2012|year:2011;2013":    "[2013]",
		"function:3@2012|year:2011":         "[]",
		"functional:2/3@2008|functional:2/": "[2008 2010 2011]",
	} {
		if got := fmt.Sprint(cubetest.Bind(t, c, "cut="+cut).Years()); got != want {
			t.Errorf("%s admits %s, want %s", cut, got, want)
		}
	}
}

// The first column in the paths of a dimension may be an edition, which no cut without an @ is on.
func TestBind_EditionsOfTheTopLevel(t *testing.T) {
	c := cubetest.RenumberedOn(t, "group")
	for cut, want := range map[string]string{
		"functional:2":      `group = "2"`,
		"functional:2;1":    `group = "1","2"`,
		"functional:2;1/3":  `group = "2" or group = "1" and function = "3"`,
		"functional:2@2012": `group_edition = 2012 and group = "2"`,
		"group:2":           `group = "2"`,
	} {
		p := cubetest.Bind(t, c, "cut="+cut+"&drilldown=functional")
		if got := filterText(p.FiltersAsked()[0]); got != want {
			t.Errorf("%s\n got %s\nwant %s", cut, got, want)
		}
	}
	if p := cubetest.Bind(t, c, "cut=functional:2&drilldown=functional"); p.Steps()[0].Ref != "function" {
		t.Errorf("below a group is %s", p.Steps()[0].Ref)
	}
}

func TestBind_EditionMistakes(t *testing.T) {
	c := cubetest.Renumbered(t)
	for cut, want := range map[string]string{
		"functional:2/3@2012/7@2012":          "cut at 11: the path names function_edition twice (write the edition once, after the key that was numbered anew)",
		"functional:2/3@99999999999999999999": `cut at 11: function_edition holds whole numbers, and "99999999999999999999" is none (write digits alone, as 2016)`,
		"functional:2/3@2012/7/1":             `cut at 11: the path has 4 keys, its dimension 3 levels (write a slash that belongs to a code inside quotes: "a/b")`,
	} {
		q, err := cubetest.Read("cut=" + cut)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = plan.Bind(c, q); err == nil || err.Error() != want {
			t.Errorf("%s\n got %v\nwant %s", cut, err, want)
		}
	}
}

func TestPlan_LinksNameEditions(t *testing.T) {
	p := cubetest.Bind(t, cubetest.Renumbered(t), "drilldown=year|activity&cut=group:2")
	keys := []cube.Value{cube.Integer(2012), cube.Text("2"), cube.Integer(2012), cube.Text("3"), cube.Text("7")}
	if got, want := p.CutOf(keys), `year:2012|group:"2"|function:"3"@2012|activity:"7"`; got != want {
		t.Errorf("the cut is %s, want %s", got, want)
	}
	if got, want := p.PathOf(keys), "2/3@2012/7"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
	p = cubetest.Bind(t, cubetest.Renumbered(t), "drilldown=function_edition")
	if got, want := p.CutOf(keys[:1]), "function_edition:2012"; got != want {
		t.Errorf("the cut is %s, want %s", got, want)
	}
}

func TestBindMembers_ParentOfAnEdition(t *testing.T) {
	c := cubetest.Renumbered(t)
	for _, tt := range []struct{ parent, want string }{
		{"2", "level=activity&parent=\"2\"&page=1&pagesize=100"},
		{"2/3@2012", "level=activity&parent=\"2\"/\"3\"@2012&page=1&pagesize=100"},
		{"2/3", "level=activity&parent=\"2\"/\"3\"&page=1&pagesize=100"},
	} {
		q, err := query.ParseMembers("activity", map[string]string{"parent": tt.parent})
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.BindMembers(c, q)
		if err != nil || p.String() != tt.want {
			t.Errorf("%s\n got %v, %v\nwant %s", tt.parent, p, err, tt.want)
		}
	}
	q, _ := query.ParseMembers("activity", map[string]string{"parent": "2/3/7"})
	if _, err := plan.BindMembers(c, q); err == nil {
		t.Error("an activity is below two keys, and three are read")
	}
}

func TestBindTree_PathOfAnEdition(t *testing.T) {
	c := cubetest.Renumbered(t)
	for _, tt := range []struct{ path, drilled, cut string }{
		{"2", "function", `group = "2"`},
		{"2/3@2012", "activity", `function_edition = 2012 and function = "3"`},
		{"2/3", "activity", `function = "3"`},
	} {
		path, err := query.ParsePath(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.BindTree(c, query.Query{}, query.Tree{Ref: query.Ref{Name: "functional"}, Path: path, Depth: 1})
		if err != nil {
			t.Fatalf("%s: %v", tt.path, err)
		}
		if got := p.Steps()[0].Ref; got != tt.drilled {
			t.Errorf("below %s is %s, want %s", tt.path, got, tt.drilled)
		}
		if got := filterText(p.FiltersAsked()[0]); got != tt.cut {
			t.Errorf("%s is cut by %s, want %s", tt.path, got, tt.cut)
		}
	}
}
