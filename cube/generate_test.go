package cube_test

import (
	"math/rand/v2"
	"strings"

	"fiscube/cube"
)

// questions makes random questions of the test model, most of which bind.
type questions struct{ *rand.Rand }

// Keys and values that a careless printer or parser would trip over.
var (
	askedRefs = []string{
		"Year", "quarter", "quarter_label", "admin1_code", "admin2_label", "econ2_alt", "ID_UR", "ID_PP", "DESC_RAMO",
		"line_id", "date", "administrative-classification", "programa", `"función: a|b"`, `"the \"label\""`,
		"50% & more", `"año y función."."50% & more"`, "date.Year", "ramo.ID_UR",
	}
	askedValues = []string{
		"", "0", "1", "01", "2016", "-5", "9223372036854775807", "a", "ž", "💩", "a b", "a/b", "a|b", "a;b", "a..b", "~a",
		"!a", `a"b`, `a\b`, "a&b", "&cut=Year:1", "%41", "+", "<>", "\u2028", "\x01\n\t", "a:b", ".", "日本", "\ufffd",
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

func (q questions) key() string { return quote(q.one(askedValues)) }

func (q questions) number() string {
	return q.one([]string{`""`, "0", "7", "-3", "2016", "02016", `"2017"`})
}

// plans binds random questions until n of them are plans.
func (q questions) plans(c *cube.Cube, n int) []*cube.Plan {
	var plans []*cube.Plan
	for len(plans) < n {
		asked, err := read(q.question())
		if err != nil {
			continue
		}
		if plan, err := c.Bind(asked); err == nil {
			plans = append(plans, plan)
		}
	}
	return plans
}
