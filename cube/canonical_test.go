package cube_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

func TestCanonicalText(t *testing.T) {
	const all = `aggregates=_count|approved_value.sum|"executed.value".sum`
	for _, tt := range []struct{ name, question, want string }{
		{"nothing is left to defaults", "", all + "&page=1&pagesize=100"},
		{"the deepest level stands for its path", "drilldown=admin2_label&aggregates=_count",
			"drilldown=admin2_code&aggregates=_count&order=admin1_code:asc,admin2_code:asc&page=1&pagesize=100"},
		{"text is quoted, numbers are bare, missing is an empty text", "cut=admin1_code:1;a/b;|quarter:3;&aggregates=_count",
			`cut=admin1_code:"";"1";"a/b"|quarter:"";3&aggregates=_count&page=1&pagesize=100`},
		{"ranges and paths", "cut=Year:..2018;2020|administrative-classification:010/;020|!admin2_code:06..&aggregates=_count",
			`cut=!admin2_code:"06"..|Year:..2018;2020|administrative-classification:"010"/"";"020"` +
				"&aggregates=_count&page=1&pagesize=100"},
		{"names are quoted where the grammar needs it",
			`drilldown="50% & more"&aggregates="executed.value".avg&order="the \"label\"":desc,"executed.value".avg`,
			`drilldown="50% & more"&aggregates="executed.value".avg` +
				`&order="the \"label\"":desc,"executed.value".avg:asc,"función: a|b":asc,"50% & more":asc&page=1&pagesize=100`},
		{"what is finished in memory is asked too",
			"drilldown=admin1_label|Year|Year&aggregates=_count|approved_value.sum&rollup=1&top=2&remainder=true&compare=date.Year:-1&fill=zero",
			"drilldown=admin1_code|Year&aggregates=_count|approved_value.sum&order=approved_value.sum:desc,admin1_code:asc,Year:asc" +
				"&rollup=1&top=2&remainder=1&compare=Year:-1&fill=zero&page=1&pagesize=100"},
		{"conditions are sorted, and one said twice is one", "aggregates=_count&having=approved_value.avg>1.50|_count>1|_count>1.0",
			"aggregates=_count&having=_count>1|approved_value.avg>1.5&page=1&pagesize=100"},
		{"formulas and roles", `drilldown=Year&aggregates=share(diff("executed.value".sum,"executed.value".sum))&compare=Year:-1` +
			`&order=share(diff("executed.value".sum,"executed.value".sum)).difference:desc`,
			`drilldown=Year&aggregates=share(diff("executed.value".sum,"executed.value".sum))` +
				`&order=share(diff("executed.value".sum,"executed.value".sum)).difference:desc,Year:asc&compare=Year:-1&page=1&pagesize=100`},
		{"characters of HTML stay readable", `cut=admin1_code:"<&>"&aggregates=_count&page=2&pagesize=0`,
			`cut=admin1_code:"<&>"&aggregates=_count&page=2&pagesize=0`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := mustAsk(t, tt.question).String(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestSpellingsOfOneQuestionAreOneText(t *testing.T) {
	for _, tt := range []struct {
		name      string
		questions []string
	}{
		{"drilldown", []string{"drilldown=admin2_code", "drilldown=admin2_label", "drilldown=admin1_code|admin2_code",
			"drilldown=administrative-classification.admin2_code|admin1_label", `drilldown="admin2_code"`}},
		{"sets", []string{"cut=Year:2016;2017", "cut=Year:2017;2016", "cut=Year:2016;2017;2017",
			`cut=date.Year:"2017";02016`, "cut=Year:2016;2017|Year:2017;2016"}},
		{"ranges", []string{"cut=Year:1;3..4;6..", "cut=Year:6..;3..4;1;3..4"}},
		{"paths", []string{"cut=date:2016/1;2017", `cut=date:2017;"2016"/"1";2016/01`}},
		{"terms", []string{"cut=Year:1|!admin1_code:a", "cut=!admin1_code:a|Year:1|Year:01"}},
		{"the missing value", []string{"cut=admin1_code:", `cut=admin1_code:""`}},
		{"aggregates", []string{"", `aggregates=_count|approved_value.sum|"executed.value".sum`}},
		{"order", []string{"drilldown=Year", "drilldown=Year&order=Year", "drilldown=Year&order=date.Year:asc,Year:desc"}},
		{"page", []string{"", "page=1", "page=01&pagesize=100"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := mustAsk(t, tt.questions[0]).String()
			for _, question := range tt.questions[1:] {
				if got := mustAsk(t, question).String(); got != want {
					t.Errorf("%s\n gives %s\n   not %s", question, got, want)
				}
			}
		})
	}
}

func TestDifferentQuestionsAreDifferentTexts(t *testing.T) {
	seen := map[string]string{}
	for _, question := range []string{
		"", "drilldown=Year", "drilldown=Year|admin1_code", "drilldown=admin1_code|Year", "drilldown=Year&order=Year:desc",
		"drilldown=admin1_code&order=admin1_label", "cut=Year:1", "cut=!Year:1", "cut=Year:", "cut=Year:1;", "cut=Year:1..",
		"cut=Year:..1", "cut=Year:1..1", "cut=Year:1;2", "cut=Year:1|Year:2", `cut=admin1_code:"1;2"`, "cut=admin1_code:1;2",
		"cut=administrative-classification:a/b", "cut=admin1_code:a/b", "cut=admin1_code:a..b", `cut=admin1_code:"a..b"`,
		"aggregates=_count", "page=2", "pagesize=0",
	} {
		text := mustAsk(t, question).String()
		if other, twice := seen[text]; twice {
			t.Errorf("%q and %q are one text: %s", other, question, text)
		}
		seen[text] = question
	}
}

func TestExportsHaveTheirOwnText(t *testing.T) {
	plan, err := newCube(t).Bind(cube.Query{Page: cube.Every})
	if err != nil || strings.Contains(plan.String(), "page") {
		t.Errorf("got %v, %v", plan, err)
	}
}

// Whatever is asked, its canonical text asks the same again. The generator is seeded: a failure repeats.
func TestCanonicalTextAsksTheSameAgain(t *testing.T) {
	random := questions{rand.New(rand.NewPCG(2026, 11))}
	for _, plan := range random.plans(newCube(t), 5_000) {
		again := mustAsk(t, plan.String())
		if again.String() != plan.String() {
			t.Fatalf("got  %s\nwant %s", again, plan)
		}
		if !samePlan(plan, again) {
			t.Fatalf("two plans have the text %s", plan)
		}
	}
}

func samePlan(a, b *cube.Plan) bool {
	return reflect.DeepEqual(a.Keys(), b.Keys()) && reflect.DeepEqual(a.Levels(), b.Levels()) &&
		reflect.DeepEqual(a.Aggregates(), b.Aggregates()) && reflect.DeepEqual(a.Parts(), b.Parts()) &&
		reflect.DeepEqual(a.Order(), b.Order()) && a.Page() == b.Page() && sameHaving(a.Having(), b.Having()) &&
		a.Finished() == b.Finished() && a.Rollup() == b.Rollup() && a.Remainder() == b.Remainder() &&
		a.Compared() == b.Compared() && (!stepsMatter(a) || reflect.DeepEqual(a.Steps(), b.Steps())) &&
		slices.EqualFunc(a.Filters(), b.Filters(), sameFilter)
}

// stepsMatter tells whether the answer depends on where the drilldown steps.
func stepsMatter(p *cube.Plan) bool {
	return p.Rollup() || p.Remainder() || strings.Contains(p.String(), "share_of_parent")
}

// sameHaving compares conditions, whose numbers may be written with more zeros.
func sameHaving(a, b []cube.Having) bool {
	return slices.EqualFunc(a, b, func(g, h cube.Having) bool {
		return g.String() == h.String() && g.Op == h.Op && g.Number.Equal(h.Number) &&
			reflect.DeepEqual(g.Num, h.Num) && reflect.DeepEqual(g.Den, h.Den)
	})
}

// sameFilter compares what filters select: the order of alternatives, and one said twice, do not matter.
func sameFilter(f, g cube.Filter) bool {
	return f.Ref == g.Ref && f.Not == g.Not && slices.Equal(alternatives(f), alternatives(g))
}

func alternatives(f cube.Filter) []string {
	shown := make([]string, len(f.Any))
	for i, tests := range f.Any {
		for _, test := range tests {
			shown[i] += showTest(test) + " and "
		}
	}
	slices.Sort(shown)
	return slices.Compact(shown)
}

// The path of ID_AI holds ID_UR without the ID_RAMO that ID_UR itself needs: were the keys printed, the text
// would bring ID_RAMO along.
func TestCanonicalTextOfALevelWithinADeepLevelAsksTheSameAgain(t *testing.T) {
	plan := mustAsk(t, "drilldown=ID_AI&aggregates=_count")
	if again := mustAsk(t, plan.String()); again.String() != plan.String() {
		t.Errorf("got  %s\nwant %s", again, plan)
	}
}
