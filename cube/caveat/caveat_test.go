package caveat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

// shown writes the caveats of a question, whose answer has these values, with their weights and parameters.
func shown(p *plan.Plan, values ...string) string {
	e := caveat.Evidence{Plan: p, Values: []decimal.NullDecimal{}}
	for _, value := range values {
		e.Values = append(e.Values, decimal.NewNullDecimal(decimal.RequireFromString(value)))
	}
	return written(caveat.Of(e))
}

func written(list []caveat.Caveat) string {
	return strings.Join(each.Text(list, func(c caveat.Caveat) string { return fmt.Sprintf("%s/%s %+v", c.Code, c.Weight, c.Params) }), "\n")
}

// An excerpt is none because of its rows if it is made up; members that all rows are of are named unless a cut does.
func TestOf_Excerpts(t *testing.T) {
	c := cubetest.Spending(t)
	c.Rows, c.Coverage = 150, &cube.YearCoverage{Years: []int64{2015, 2016}}
	c.OnlyMembers = []cube.OnlyMember{{Level: "region", Label: "North"}}
	const few, one = "excerpt/note {Rows:75 Several:true Of:<nil>}", "\none-member/note [{Level:region Label:North}]"
	for question, want := range map[string]string{
		"aggregates=plan.sum": few + one, "aggregates=plan.sum&cut=region:x": few, "aggregates=plan.sum&cut=town:x": few + one, "aggregates=_count": "",
	} {
		if got := shown(cubetest.Bind(t, c, question), "1"); got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
	c.Rows, c.Larger = 2000, &cube.Larger{Name: "whole", Rows: 30000}
	if got := shown(cubetest.Bind(t, c, "aggregates=plan.sum"), "1"); !strings.HasPrefix(got, "excerpt/note {Rows:1000 Several:true Of:") {
		t.Error(got)
	}
	c.Rows, c.Larger, c.Synthetic = 150, nil, true
	if got := shown(cubetest.Bind(t, c, "aggregates=plan.sum"), "1"); got != "" {
		t.Error(got)
	}
}

// Jumps matter to the years on both sides of them and, of a year that is compared, to the change. In a whole budget, a member may jump
// without any row missing.
func TestOf_Jumps(t *testing.T) {
	c := cubetest.Spending(t)
	c.Rows, c.Coverage = 2000, &cube.YearCoverage{Years: []int64{2011, 2012, 2013, 2014, 2015, 2016, 2017}}
	c.Coverage.Jumps = []cube.YearJumps{{Column: "plan", Up: []int64{2015}, Down: []int64{2013, 2017}}}
	for question, want := range map[string]string{
		"cut=year:2012": "", "cut=year:2013": "[] [2013]", "cut=year:2014": "[2015] []", "cut=year:2015": "[2015] []", "cut=year:2016": "",
		"drilldown=year": "[2015] [2013 2017]", "cut=year:2015|town:x": "", "cut=year:2015&aggregates=paid.sum": "", "cut=year:2015&aggregates=plan.avg": "",
		"cut=year:2014&compare=year:-1": "[2015] [2013]", "cut=year:2015&compare=year:-1": "[2015] []", "cut=year:2016&compare=year:-1": "",
		"cut=year:2017&compare=year:-3": "[2015] [2017]", "cut=year:2017&compare=year:-2": "[] [2017]", "cut=year:2012&compare=year:2": "[2015] [2013]",
	} {
		if !strings.Contains(question, "aggregates") {
			question += "&aggregates=plan.sum"
		}
		got := ""
		e := caveat.Evidence{Plan: cubetest.Bind(t, c, question), Values: []decimal.NullDecimal{{}}}
		if found, ok := caveat.Find(caveat.Of(e), cube.WarnJump); ok {
			jumps := found.Params.(cube.YearJumps)
			got = fmt.Sprint(jumps.Up, jumps.Down)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
	c.Rows = 29
	if got := shown(cubetest.Bind(t, c, "cut=year:2015|town:x&aggregates=plan.sum"), "1"); !strings.Contains(got, cube.WarnJump) {
		t.Errorf("of a member of an excerpt: %s", got)
	}
}

// Lines that are left behind are those of the whole budget unless those of the answer were asked for. They note where they are more than 1 %.
func TestOf_LinesLeft(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Snapshots("2016/03", "2016/06", "2017/06"))
	c.LinesLeft = &cube.LinesLeft{Count: 3, Sums: map[string]string{"pi_monto": "10", "flujo": "7"}}
	p := cubetest.Bind(t, c, "cut=ejercicio:2016&aggregates=pi_monto.sum")
	weightOf := func(e caveat.Evidence) cube.Weight {
		found, _ := caveat.Find(caveat.Of(e), cube.WarnLinesLeft)
		return found.Weight
	}
	of := func(value int64) []decimal.NullDecimal {
		return []decimal.NullDecimal{decimal.NewNullDecimal(decimal.NewFromInt(value))}
	}
	line := []caveat.LeftBehind{{Amount: decimal.NewFromInt(2)}}
	for _, tt := range []struct {
		e    caveat.Evidence
		want cube.Weight
	}{
		{caveat.Evidence{Plan: p, Values: of(999)}, cube.Note}, {caveat.Evidence{Plan: p, Values: of(-1000)}, cube.Background},
		{caveat.Evidence{Plan: p, Values: of(999), Left: &caveat.Left{}}, ""}, {caveat.Evidence{Plan: p, Values: of(999), Left: &caveat.Left{TooMany: true}}, cube.Note},
		{caveat.Evidence{Plan: p, Values: of(999), Left: &caveat.Left{Lines: line}}, cube.Background},
		{caveat.Evidence{Plan: cubetest.Bind(t, c, "cut=ejercicio:2017&aggregates=pi_monto.sum"), Values: of(1)}, ""},
		{caveat.Evidence{Plan: cubetest.Bind(t, c, "aggregates=flujo.sum"), Values: of(1)}, ""},
		{caveat.Evidence{Plan: cubetest.Bind(t, c, "snapshots=all&aggregates=pi_monto.sum"), Values: of(1)}, ""},
	} {
		if got := weightOf(tt.e); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.e.Plan, got, tt.want)
		}
	}
}

// What stops weighs more than what notes.
func TestHeaviest(t *testing.T) {
	c := cubetest.Spending(t)
	c.SnapshotsSuspected, c.Notes = "town", []cube.Titles{{"en": "x"}}
	list := caveat.Of(caveat.Evidence{Plan: cubetest.Bind(t, c, "aggregates=plan.sum")})
	if got := caveat.Heaviest(list); got != cube.Stop || caveat.Heaviest(list[1:]) != cube.Background || caveat.Heaviest(nil) != "" {
		t.Errorf("%s of %s", got, written(list))
	}
}
