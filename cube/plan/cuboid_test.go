package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// cuboids gives the test model with its base cuboid, one by year and department, and two by year; the second has fewer rows.
func cuboids(t *testing.T) *cube.Cube {
	t.Helper()
	c := cubetest.Cube(t)
	c.LabelHistory = &cube.LabelHistory{Breaks: []cube.LabelBreak{{Level: "ID_UR", Reused: true}}}
	indexes := func(refs ...string) []int {
		var list []int
		for _, l := range c.Model.Levels() {
			if len(refs) == 0 && l.Listed || strings.Contains(" "+strings.Join(refs, " ")+" ", " "+l.Ref+" ") {
				list = append(list, l.Index)
			}
		}
		return list
	}
	c.Rows = 1000
	c.Cuboids = []cube.Cuboid{
		{Number: 0, Levels: indexes(), Rows: 1000},
		{Number: 1, Levels: indexes("Year", "ID_RAMO", "ID_UR"), Rows: 100},
		{Number: 2, Levels: indexes("Year", "quarter"), Rows: 12},
		{Number: 3, Levels: indexes("Year"), Rows: 4},
	}
	return c
}

func TestStatement_Choose(t *testing.T) {
	c := cuboids(t)
	for _, tt := range []struct{ question, want, others string }{
		{"", "3: ", "0 more-rows, 1 more-rows, 2 more-rows"},
		{"drilldown=Year", "3: Year", "0 more-rows, 1 more-rows, 2 more-rows"},
		{"drilldown=quarter", "2: quarter", "0 more-rows, 1 level-missing quarter, 3 level-missing quarter"},
		{"drilldown=ID_UR|Year", "1: ID_UR Year", "0 more-rows, 2 level-missing ID_UR, 3 level-missing ID_UR"},
		{"drilldown=ID_RAMO", "1: ID_RAMO", "0 more-rows, 2 level-missing ID_RAMO, 3 level-missing ID_RAMO"},
		{"drilldown=Year&cut=ID_RAMO:1", "1: Year", "0 more-rows, 2 level-missing ID_RAMO, 3 level-missing ID_RAMO"},
		{"drilldown=Year&cut=ramo:1/2", "1: Year", "0 more-rows, 2 level-missing ID_RAMO, 3 level-missing ID_RAMO"},
		{"drilldown=Year&cut=DESC_UR:a", "1: Year", "0 more-rows, 2 level-missing ID_UR, 3 level-missing ID_UR"},
		{"drilldown=ID_PP|ID_RAMO", "0: ID_PP", "1 level-missing ID_PP, 2 level-missing ID_PP, 3 level-missing ID_PP"},
		{"drilldown=line_id", "facts", "no-member line_id"},
		{"drilldown=Year&cut=line_id:1", "facts", "0 level-missing line_id, 1 level-missing line_id, 2 level-missing line_id, 3 level-missing line_id"},
	} {
		t.Run(tt.question, func(t *testing.T) {
			chosen := statement(t, c, tt.question).Choose()
			got := "facts"
			if chosen.Cuboid != nil {
				got = fmt.Sprintf("%d: ", chosen.Cuboid.Number) + strings.Join(each.Text(chosen.Groups, func(l cube.Level) string { return l.Ref }), " ")
			}
			others := strings.Join(each.Text(chosen.Others, func(r plan.Refused) string {
				number := ""
				if r.Cuboid != nil {
					number = fmt.Sprint(r.Cuboid.Number)
				}
				return strings.TrimSpace(fmt.Sprint(number, " ", r.Why, " ", r.Field))
			}), ", ")
			if got != tt.want || others != tt.others {
				t.Errorf("got  %s; %s\nwant %s; %s", got, others, tt.want, tt.others)
			}
		})
	}
}

func TestStatement_ChooseFactsWhereNoCuboidCan(t *testing.T) {
	earlier := cubetest.Cube(t)
	if why := statement(t, earlier, "drilldown=Year").Choose().Others[0].Why; why != plan.NoCuboids {
		t.Errorf("of an earlier load: %s", why)
	}
}

// The cells of a flat statement are made of the members of the levels of its keys and, for labels, of the fiscal years.
func TestStatement_ChooseForFlatKeys(t *testing.T) {
	c := cuboids(t)
	c.LabelHistory.Yearly = []string{"ID_RAMO"}
	for _, tt := range []struct{ drilldown, order, having, want string }{
		{"ramo.ID_UR", "", "", "1: ID_UR"},
		{"ramo.ID_UR|ramo.ID_RAMO", "", "", "1: ID_UR"},
		{"ID_RAMO", "", "", "1: ID_RAMO Year"},
		{"ramo.ID_RAMO|ramo.DESC_RAMO|ramo.ID_UR", "", "", "1: ID_UR Year"},
		{"ramo.ID_RAMO|date.Year", "_count:desc", "", "1: ID_RAMO Year"},
		{"ID_UR", "", "", "labels-differ ID_UR"},
		{"ramo.DESC_UR", "", "", "labels-differ ID_UR"},
		{"ramo.ID_RAMO", "ratio(approved_value.sum,_count)", "", "flat "},
		{"ramo.ID_RAMO", "", "_count>1", "flat "},
		{"linea.line_id", "", "", "no-member line_id"},
	} {
		t.Run(tt.drilldown+tt.order+tt.having, func(t *testing.T) {
			given := map[string]string{"drilldown": tt.drilldown, "order": tt.order, "having": tt.having, "aggregates": "_count|ratio(approved_value.sum,_count)"}
			for name, text := range given {
				if text == "" {
					delete(given, name)
				}
			}
			q, err := query.Parse(given)
			if err != nil {
				t.Fatal(err)
			}
			q.Flat = true
			p, err := plan.Bind(c, q)
			if err != nil {
				t.Fatal(err)
			}
			chosen := p.Main().Choose()
			got := ""
			if chosen.Cuboid != nil {
				got = fmt.Sprintf("%d: ", chosen.Cuboid.Number) + strings.Join(each.Text(chosen.Groups, func(l cube.Level) string { return l.Ref }), " ")
			} else {
				got = fmt.Sprint(chosen.Others[0].Why, " ", chosen.Others[0].Field)
			}
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMemberStatement_Choose(t *testing.T) {
	for _, tt := range []struct{ level, cut, want string }{
		{"ID_UR", "ID_RAMO:1", "1"}, {"quarter", "Year:2016", "2"}, {"ID_PP", "Year:2016", "0"}, {"line_id", "Year:2016", "no-member"}, {"Year", "line_id:1", "level-missing"},
	} {
		cuts, err := query.ParseCut(tt.cut)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.BindMembers(cuboids(t), query.MemberQuery{Level: tt.level, Cuts: cuts, Page: query.Every})
		if err != nil {
			t.Fatal(err)
		}
		chosen := p.Main().Choose()
		got := fmt.Sprint(chosen.Others[0].Why)
		if chosen.Cuboid != nil {
			got = fmt.Sprint(chosen.Cuboid.Number)
		}
		if got != tt.want {
			t.Errorf("%s under %s: got %s, want %s", tt.level, tt.cut, got, tt.want)
		}
	}
}

func statement(t *testing.T, c *cube.Cube, question string) *plan.Statement {
	t.Helper()
	given := map[string]string{}
	for clause := range strings.SplitSeq(question, "&") {
		name, text, _ := strings.Cut(clause, "=")
		given[name] = text
	}
	delete(given, "")
	q, err := query.Parse(given)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Bind(c, q)
	if err != nil {
		t.Fatal(err)
	}
	return p.Main()
}
