package plan_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

func TestPlan_DifferentQuestionsAreDifferentTexts(t *testing.T) {
	seen := map[string]string{}
	for _, question := range []string{
		"", "drilldown=Year", "drilldown=Year|admin1_code", "drilldown=admin1_code|Year", "drilldown=Year&order=Year:desc",
		"drilldown=admin1_code&order=admin1_label", "cut=Year:1", "cut=!Year:1", "cut=Year:", "cut=Year:1;", "cut=Year:1..",
		"cut=Year:..1", "cut=Year:1..1", "cut=Year:1;2", "cut=Year:1|Year:2", `cut=admin1_code:"1;2"`, "cut=admin1_code:1;2",
		"cut=administrative-classification:a/b", "cut=admin1_code:a/b", "cut=admin1_code:a..b", `cut=admin1_code:"a..b"`,
		"aggregates=_count", "page=2", "pagesize=0",
	} {
		text := cubetest.MustAsk(t, question).String()
		if other, twice := seen[text]; twice {
			t.Errorf("%q and %q are one text: %s", other, question, text)
		}
		seen[text] = question
	}
}

func TestPlan_ExportsHaveTheirOwnText(t *testing.T) {
	p, err := plan.Bind(cubetest.Cube(t), query.Query{Page: query.Every})
	if err != nil || strings.Contains(p.String(), "page") {
		t.Errorf("got %v, %v", p, err)
	}
}

// Whatever is asked, its canonical text asks the same again. The generator is seeded: a failure repeats.
func TestPlan_CanonicalTextAsksTheSameAgain(t *testing.T) {
	random := questions{rand.New(rand.NewPCG(2026, 11))}
	for _, p := range random.plans(cubetest.Cube(t), 5_000) {
		again := cubetest.MustAsk(t, p.String())
		if again.String() != p.String() {
			t.Fatalf("got  %s\nwant %s", again, p)
		}
		if !samePlan(p, again) {
			t.Fatalf("two plans have the text %s", p)
		}
	}
}

func samePlan(a, b *plan.Plan) bool {
	return reflect.DeepEqual(a.Keys(), b.Keys()) && reflect.DeepEqual(a.Levels(), b.Levels()) &&
		reflect.DeepEqual(a.Aggregates(), b.Aggregates()) && reflect.DeepEqual(a.Main().Parts(), b.Main().Parts()) &&
		reflect.DeepEqual(a.Order(), b.Order()) && a.Page() == b.Page() && sameHaving(a.Having(), b.Having()) &&
		a.NeedsAllCells() == b.NeedsAllCells() && a.Rollup() == b.Rollup() && a.Remainder() == b.Remainder() &&
		(a.Comparison() != nil) == (b.Comparison() != nil) && (!stepsMatter(a) || reflect.DeepEqual(a.Steps(), b.Steps())) &&
		slices.EqualFunc(a.Main().Filters(), b.Main().Filters(), sameFilter)
}

// stepsMatter tells whether the answer depends on where the drilldown steps.
func stepsMatter(p *plan.Plan) bool {
	return p.Rollup() || p.Remainder() || strings.Contains(p.String(), "share_of_parent")
}

// sameHaving compares conditions, whose numbers may be written with more zeros.
func sameHaving(a, b []plan.Having) bool {
	return slices.EqualFunc(a, b, func(g, h plan.Having) bool {
		return g.String() == h.String() && g.Op == h.Op && g.Number.Equal(h.Number) &&
			reflect.DeepEqual(g.Num, h.Num) && reflect.DeepEqual(g.Den, h.Den)
	})
}

// sameFilter compares what filters select: the order of alternatives, and one said twice, do not matter.
func sameFilter(f, g plan.Filter) bool {
	return f.Ref == g.Ref && f.Not == g.Not && slices.Equal(alternatives(f), alternatives(g))
}

func alternatives(f plan.Filter) []string {
	texts := make([]string, len(f.Any))
	for i, tests := range f.Any {
		for _, test := range tests {
			texts[i] += testText(test) + " and "
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// The path of ID_AI holds ID_UR without the ID_RAMO that ID_UR itself needs: were the keys printed, the text
// would bring ID_RAMO along.
func TestPlan_CanonicalTextOfALevelWithinADeepLevelAsksTheSameAgain(t *testing.T) {
	p := cubetest.MustAsk(t, "drilldown=ID_AI&aggregates=_count")
	if again := cubetest.MustAsk(t, p.String()); again.String() != p.String() {
		t.Errorf("got  %s\nwant %s", again, p)
	}
}

// questions makes random questions of the test model, most of which bind.
type questions struct{ *rand.Rand }

// Keys and values that a careless printer or parser would trip over.
var (
	askedRefs = []string{
		"Year", "quarter", "quarter_label", "admin1_code", "admin2_label", "econ2_alt", "ID_UR", "ID_PP", "DESC_RAMO",
		"line_id", "date", "administrative-classification", "programa", `"función: a|b"`, `"the \"label\""`,
		"50% & more", `"año y función."."50% & more"`, "date.Year", "ramo.ID_UR",
	}
	askedAggregates = []string{"_count", "approved_value.sum", "approved_value.avg", "approved_value.min",
		`"executed.value".count`, `"executed.value".max`, "share(approved_value.sum)", "share_of_parent(_count)",
		`ratio("executed.value".sum,approved_value.sum)`, `diff(approved_value.max,ratio(_count,"executed.value".avg))`}
	askedConditions = []string{"_count>1", "approved_value.sum<=-0.50", "approved_value.avg!=3",
		`ratio("executed.value".sum,approved_value.sum)>=0.9`, `diff(approved_value.max,"executed.value".min)<12`, "_count>1.0"}
)

func (q questions) one(of []string) string { return of[q.IntN(len(of))] }

func (q questions) some(most int, one func() string, separator string) string {
	list := make([]string, 1+q.IntN(most))
	for i := range list {
		list[i] = one()
	}
	return strings.Join(list, separator)
}

func (q questions) question() string {
	var clauses []string
	add := func(name string, most int, one func() string, separator string) {
		if q.IntN(3) > 0 {
			clauses = append(clauses, name+"="+q.some(most, one, separator))
		}
	}
	add("drilldown", 3, func() string { return q.one(askedRefs) }, "|")
	add("cut", 3, q.term, "|")
	add("aggregates", 3, func() string { return q.one(askedAggregates) }, "|")
	add("having", 3, func() string { return q.one(askedConditions) }, "|")
	add("order", 2, q.sort, ",")
	for _, rare := range [][]string{{"rollup=1", "rollup=0"}, {"top=3", "top=1&remainder=1"}, {"fill=null", "fill=zero"},
		{"compare=Year:-1", "compare=date.quarter:2", `compare="50% & more":-7`}} {
		if q.IntN(4) == 0 {
			clauses = append(clauses, q.one(rare))
		}
	}
	add("page", 1, func() string { return q.one([]string{"1", "2", "1099511627776"}) }, "")
	add("pagesize", 1, func() string { return q.one([]string{"0", "1", "10000"}) }, "")
	return strings.Join(clauses, "&")
}

func (q questions) sort() string {
	ref := q.one(append([]string{"_count", "approved_value.sum", "share(approved_value.sum)", "_count.difference",
		"approved_value.sum.percentage", "share(approved_value.sum).earlier"}, askedRefs[:4]...))
	return ref + q.one([]string{"", ":asc", ":desc"})
}

// term makes a cut, of numbers where its field holds numbers.
func (q questions) term() string {
	kind := q.IntN(4)
	item := func() string { return q.item(q.key) }
	refs := []string{"admin1_code", "admin2_code", "ID_PP", "line_id", `"función: a|b"`, "administrative-classification.admin1_code"}
	switch kind {
	case 0:
		refs = []string{"Year", "quarter", "50% & more", "date.quarter"}
		item = func() string { return q.item(q.number) }
	case 1:
		refs = []string{"administrative-classification", "programa", "ramo"}
		item = func() string { return q.some(2, q.key, "/") }
	case 3:
		refs = []string{"admin1_label", "DESC_PP", "line_label", `"the \"label\""`, "admin1_code", "quarter"}
		item = func() string { return q.one([]string{"", "~"}) + q.key() }
	}
	return q.one([]string{"", "!"}) + q.one(refs) + ":" + q.some(4, item, ";")
}

func (q questions) item(value func() string) string {
	switch v := value(); {
	case q.IntN(4) > 0:
		return v
	case v == `""`:
		return ".." + q.one([]string{"1", "2016"})
	default:
		return q.one([]string{v + "..", ".." + v, v + ".." + v})
	}
}

func (q questions) key() string { return quote(q.one(cubetest.HardTexts)) }

func (q questions) number() string {
	return q.one([]string{`""`, "0", "7", "-3", "2016", "02016", `"2017"`})
}

// plans binds random questions until n of them are plans.
func (q questions) plans(c *cube.Cube, n int) []*plan.Plan {
	var plans []*plan.Plan
	for len(plans) < n {
		asked, err := cubetest.Read(q.question())
		if err != nil {
			continue
		}
		if p, err := plan.Bind(c, asked); err == nil {
			plans = append(plans, p)
		}
	}
	return plans
}

func quote(text string) string {
	b, _ := json.Marshal(text) // a string always encodes
	return string(b)
}
