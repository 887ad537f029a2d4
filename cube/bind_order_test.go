package cube_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

func TestAggregatesBind(t *testing.T) {
	for _, tt := range []struct{ name, aggregates, want, parts string }{
		{"by default all sums and the count of rows", "",
			`_count/0 approved_value.sum/2 "executed.value".sum/0`, "_count sum(approved_value) sum(executed.value)"},
		{"each function has its scale", "approved_value.sum|approved_value.min|approved_value.max|approved_value.count",
			"approved_value.sum/2 approved_value.min/2 approved_value.max/2 approved_value.count/0",
			"sum(approved_value) min(approved_value) max(approved_value) count(approved_value)"},
		{"an average is a sum by a count, to four more decimals", "approved_value.avg",
			"approved_value.avg/6", "sum(approved_value) count(approved_value)"},
		{"parts are shared", "approved_value.count|approved_value.avg|approved_value.sum",
			"approved_value.count/0 approved_value.avg/6 approved_value.sum/2", "count(approved_value) sum(approved_value)"},
		{"an aggregate asked twice counts once", `_count|approved_value.sum|"approved_value"."sum"|_count`,
			"_count/0 approved_value.sum/2", "_count sum(approved_value)"},
		{"the order asked is kept", `"executed.value".sum|_count`, `"executed.value".sum/0 _count/0`, "sum(executed.value) _count"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			question := ""
			if tt.aggregates != "" {
				question = "aggregates=" + tt.aggregates
			}
			plan := mustAsk(t, question)
			var aggregates, parts []string
			for _, a := range plan.Aggregates() {
				aggregates = append(aggregates, fmt.Sprintf("%s/%d", a.Name, a.Scale))
			}
			for _, p := range plan.Parts() {
				if p.Measure == "" {
					parts = append(parts, string(p.Func))
				} else {
					parts = append(parts, string(p.Func)+"("+p.Measure+")")
				}
			}
			if got := strings.Join(aggregates, " "); got != tt.want {
				t.Errorf("aggregates %s, want %s", got, tt.want)
			}
			if got := strings.Join(parts, " "); got != tt.parts {
				t.Errorf("parts %s, want %s", got, tt.parts)
			}
		})
	}
}

func TestAggregatesThatMeanNothing(t *testing.T) {
	for _, tt := range []struct{ name, aggregates, want string }{
		{"a measure alone", "_count|approved_value",
			`aggregates at 7: no aggregate "approved_value" (did you mean approved_value.sum?)`},
		{"a measure alone that needs quotes", `"executed.value"`,
			`aggregates at 0: no aggregate "executed.value" (did you mean "executed.value".sum?)`},
		{"a slip in _count", "_cuont", `aggregates at 0: no aggregate "_cuont" (did you mean _count?)`},
		{"a slip in a measure alone", "aproved_value", `aggregates at 0: no aggregate "aproved_value" (did you mean approved_value?)`},
		{"a function alone", "sum", `aggregates at 0: no aggregate "sum" (did you mean approved_value.sum?)`},
		{"the beginning of a measure", "approved.sum", `aggregates at 0: no measure "approved" (did you mean approved_value?)`},
		{"a slip in a measure", "aproved_value.sum", `aggregates at 0: no measure "aproved_value" (did you mean approved_value?)`},
		{"a level", "admin1_code.count", `aggregates at 0: no measure "admin1_code" (the measures are approved_value, executed.value)`},
		{"an unknown function", "approved_value.median",
			`aggregates at 0: no aggregate function "median" (the functions are sum, count, avg, min, max)`},
		{"a function in capitals", "approved_value.SUM",
			`aggregates at 0: no aggregate function "SUM" (the functions are sum, count, avg, min, max)`},
		{"the count of rows of a measure", "approved_value._count",
			`aggregates at 0: no aggregate function "_count" (the functions are sum, count, avg, min, max)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ask(t, "aggregates="+tt.aggregates)
			wantError(t, err, cube.CodeUnknownRef, tt.want)
		})
	}
}

func TestOrderEndsInTheKeys(t *testing.T) {
	for _, tt := range []struct {
		name, question, want string
		asked                int
	}{
		{"nothing drilled has no order", "", "", 0},
		{"the keys by default", "drilldown=quarter", "Year:asc quarter:asc", 0},
		{"a key asked is not repeated", "drilldown=quarter&order=quarter:desc", "quarter:desc Year:asc", 1},
		{"all keys asked", "drilldown=quarter&order=quarter,Year:desc", "quarter:asc Year:desc", 2},
		{"a key named with its dimension", "drilldown=quarter&order=date.quarter:desc", "quarter:desc Year:asc", 1},
		{"a label", "drilldown=admin2_code&order=admin2_label:desc",
			"admin2_label:desc admin1_code:asc admin2_code:asc", 1},
		{"a label named with its dimension", "drilldown=admin1_code&order=administrative-classification.admin1_label",
			"admin1_label:asc admin1_code:asc", 1},
		{"a label and its key", "drilldown=admin1_code&order=admin1_label,admin1_code:desc",
			"admin1_label:asc admin1_code:desc", 2},
		{"an aggregate", "drilldown=Year&aggregates=approved_value.sum&order=approved_value.sum:desc",
			"approved_value.sum:desc Year:asc", 1},
		{"an aggregate there by default", `drilldown=Year&order="executed.value".sum`, `"executed.value".sum:asc Year:asc`, 1},
		{"the count of rows", "drilldown=Year&order=_count:desc", "_count:desc Year:asc", 1},
		{"an aggregate without drilldown", "order=_count", "_count:asc", 1},
		{"what already decides is left out", "drilldown=Year&order=Year:desc,_count,Year:asc,_count:desc",
			"Year:desc _count:asc", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			plan := mustAsk(t, tt.question)
			var got []string
			for _, s := range plan.Order() {
				got = append(got, plan.SortName(s)+":"+s.Direction())
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("order %s, want %s", got, tt.want)
			}
			if len(plan.OrderAsked()) != tt.asked || !reflect.DeepEqual(plan.OrderAsked(), plan.Order()[:tt.asked]) {
				t.Errorf("asked %v, want the first %d", plan.OrderAsked(), tt.asked)
			}
		})
	}
}

func TestOrdersThatMeanNothing(t *testing.T) {
	const (
		none    = "order at 0: the answer has no column "
		columns = ` (the columns are Year, _count, approved_value.sum, "executed.value".sum)`
	)
	for _, tt := range []struct{ name, question, want string }{
		{"a key that is not drilled", "drilldown=Year&order=admin1_code", none + `"admin1_code" to order by` + columns},
		{"a label that is not drilled", "drilldown=Year&order=admin1_label", none + `"admin1_label" to order by` + columns},
		{"a label that the answer does not name", "drilldown=ID_AI&order=DESC_UR", none + `"DESC_UR" to order by (did you mean DESC_AI?)`},
		{"a label of single budget lines", "drilldown=line_id&order=line_label",
			none + `"line_label" to order by (the columns are line_id, _count, approved_value.sum, "executed.value".sum)`},
		{"a slip in a key", "drilldown=admin1_code&order=admin_code", none + `"admin_code" to order by (did you mean admin1_code?)`},
		{"a dimension that is not drilled", "drilldown=date&order=administrative-classification",
			none + `"administrative-classification" to order by` + columns},
		{"an aggregate that is not among those asked", "drilldown=Year&aggregates=_count&order=Year,approved_value.sum",
			"order at 5: approved_value.sum is not among the aggregates (add it to aggregates)"},
		{"the count of rows where it is not asked", "drilldown=Year&aggregates=approved_value.sum&order=_count",
			none + `"_count" to order by (the columns are Year, approved_value.sum)`},
		{"a measure alone", "drilldown=Year&order=approved_value",
			none + `"approved_value" to order by (did you mean approved_value.sum?)`},
		{"a slip in an aggregate", "drilldown=Year&order=aproved_value.sum",
			none + `"aproved_value.sum" to order by (did you mean approved_value.sum?)`},
		{"a field of another dimension", "drilldown=Year&order=ramo.Year",
			`order at 0: dimension "ramo" has no field "Year" (did you mean date.Year?)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ask(t, tt.question)
			wantError(t, err, cube.CodeUnknownRef, tt.want)
		})
	}
}

func TestValuesAreMadeFromParts(t *testing.T) {
	plan := mustAsk(t, "aggregates=approved_value.avg|_count|approved_value.min|approved_value.sum")
	number := func(s string) decimal.NullDecimal { return decimal.NewNullDecimal(decimal.RequireFromString(s)) }
	null := decimal.NullDecimal{}
	for _, tt := range []struct {
		name  string
		parts []decimal.NullDecimal // sum, count, _count, min
		want  string
	}{
		{"an average divides", []decimal.NullDecimal{number("10.00"), number("3"), number("4"), number("-1.5")}, "3.333333 4 -1.5 10"},
		{"nothing has no average", []decimal.NullDecimal{null, number("0"), number("2"), null}, "null 2 null null"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, v := range plan.Values(tt.parts, nil) {
				got = append(got, showNumber(v))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	avg, minimum := plan.Aggregates()[0], plan.Aggregates()[2]
	if sum, count := plan.SumCount(avg); sum != 0 || count != 1 || plan.PartOf(minimum) != 3 {
		t.Errorf("an average is made of parts %d and %d, the minimum of %d", sum, count, plan.PartOf(minimum))
	}
}

func showNumber(v decimal.NullDecimal) string {
	if !v.Valid {
		return "null"
	}
	return v.Decimal.String()
}

func TestOrderByADimensionIsByItsDeepestKey(t *testing.T) {
	got := mustAsk(t, "drilldown=admin2_code&order=administrative-classification:desc&aggregates=_count").String()
	want := mustAsk(t, "drilldown=admin2_code&order=admin2_code:desc&aggregates=_count").String()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
