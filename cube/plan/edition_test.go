package plan_test

import (
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

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
