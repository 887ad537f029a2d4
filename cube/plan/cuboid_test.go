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

// numbered gives the test model with a base cuboid.
func numbered(t *testing.T) *cube.Cube {
	t.Helper()
	c := cubetest.Cube(t)
	c.LabelHistory = &cube.LabelHistory{Breaks: []cube.LabelBreak{{Level: "ID_UR", Reused: true}}}
	c.Cuboids = []cube.Cuboid{{}}
	return c
}

// shown prints what a statement needs: the levels to group by, and all.
func shown(c *cube.Cube, n plan.Needs) string {
	if n.Why != "" {
		return strings.TrimSpace(fmt.Sprint(n.Why, " ", n.Field))
	}
	groups := strings.Join(each.Text(n.Groups, func(l cube.Level) string { return l.Ref }), " ")
	return groups + "; " + strings.Join(each.Text(n.Levels, func(level int) string { return c.Model.Levels()[level].Ref }), " ")
}

func TestStatement_Needs(t *testing.T) {
	c := numbered(t)
	for _, tt := range []struct{ question, want string }{
		{"", "; "},
		{"drilldown=Year", "Year; Year"},
		{"drilldown=quarter", "quarter; Year quarter"},
		{"drilldown=ID_UR|Year", "ID_UR Year; Year ID_RAMO ID_UR"},
		{"drilldown=ID_RAMO", "ID_RAMO; ID_RAMO"},
		{"drilldown=Year&cut=ID_RAMO:1", "Year; Year ID_RAMO"},
		{"drilldown=Year&cut=ramo:1/2", "Year; Year ID_RAMO ID_UR"},
		{"cut=DESC_UR:a", "; Year ID_RAMO ID_UR"}, // its codes mean different things
		{"drilldown=Year&cut=DESC_UR:a", "Year; Year ID_RAMO ID_UR"},
		{"drilldown=ID_PP|ID_RAMO", "ID_PP; ID_RAMO ID_MODALIDAD ID_PP"},
		{"drilldown=line_id", "no-member line_id"},
		{"drilldown=Year&cut=line_id:1", "no-member line_id"},
		{"drilldown=Year&aggregates=approved_value.avg&order=approved_value.avg", "by-quotient"},
	} {
		t.Run(tt.question, func(t *testing.T) {
			if got := shown(c, statement(t, c, tt.question).Needs()); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	if why := statement(t, cubetest.Cube(t), "drilldown=Year").Needs().Why; why != plan.NoCuboids {
		t.Errorf("of an earlier load: %s", why)
	}
}

// The cells of a flat statement are made of the members of the levels of its keys and, for labels, of the fiscal years.
func TestStatement_NeedsForFlatKeys(t *testing.T) {
	c := numbered(t)
	c.LabelHistory.Yearly = []string{"ID_RAMO"}
	for _, tt := range []struct{ drilldown, order, having, want string }{
		{"ramo.ID_UR", "", "", "ID_UR; ID_RAMO ID_UR"},
		{"ramo.ID_UR|ramo.ID_RAMO", "", "", "ID_UR; ID_RAMO ID_UR"},
		{"ID_RAMO", "", "", "ID_RAMO Year; Year ID_RAMO"},
		{"ramo.ID_RAMO|ramo.DESC_RAMO|ramo.ID_UR", "", "", "ID_UR Year; Year ID_RAMO ID_UR"},
		{"ramo.ID_RAMO|date.Year", "_count:desc", "", "ID_RAMO Year; Year ID_RAMO"},
		{"ID_UR", "", "", "labels-differ ID_UR"},
		{"ramo.DESC_UR", "", "", "labels-differ ID_UR"},
		{"ramo.ID_RAMO", "ratio(approved_value.sum,_count)", "", "flat"},
		{"ramo.ID_RAMO", "", "_count>1", "flat"},
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
			if got := shown(c, p.Main().Needs()); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
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
