package plan_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

func TestBind_DrilldownGroupsByWholePaths(t *testing.T) {
	for _, tt := range []struct {
		name, question string
		keys           string
		labelled       string // the keys of the levels whose members the answer names
	}{
		{"nothing drilled is one cell", "", "", ""},
		{"a key field", "drilldown=admin1_code", "admin1_code", "admin1_code"},
		{"a label field means its level", "drilldown=admin1_label", "admin1_code", "admin1_code"},
		{"a dimension and its field", "drilldown=administrative-classification.admin1_code", "admin1_code", "admin1_code"},
		{"a dimension and its label field", "drilldown=administrative-classification.admin1_label",
			"admin1_code", "admin1_code"},
		{"a level comes with its ancestors", "drilldown=admin2_code",
			"admin1_code admin2_code", "admin1_code admin2_code"},
		{"an ancestor asked later adds nothing", "drilldown=admin2_code|admin1_code",
			"admin1_code admin2_code", "admin1_code admin2_code"},
		{"a ref asked twice counts once", "drilldown=Year|Year|date.Year", "Year", "Year"},
		{"a key and its label count once", "drilldown=admin1_label|admin1_code", "admin1_code", "admin1_code"},
		{"levels stand in the order asked", "drilldown=quarter|admin1_code|econ2_alt",
			"Year quarter admin1_code econ1_code econ2_alt", "Year quarter admin1_code econ1_code econ2_alt"},
		{"a level within another dimension comes with that level between ancestors and key", "drilldown=ID_PP",
			"ID_MODALIDAD ID_RAMO ID_PP", "ID_MODALIDAD ID_RAMO ID_PP"},
		{"what a level is within stays where it was asked first", "drilldown=ID_RAMO|ID_PP",
			"ID_RAMO ID_MODALIDAD ID_PP", "ID_RAMO ID_MODALIDAD ID_PP"},
		{"a level whose own path is not wholly among the keys is not labelled", "drilldown=ID_AI",
			"ID_UR ID_AI", "ID_AI"},
		{"and is once its ancestors are drilled too", "drilldown=ID_AI|ID_RAMO",
			"ID_UR ID_AI ID_RAMO", "ID_UR ID_AI ID_RAMO"},
		{"members of single budget lines are not listed", "drilldown=line_id", "line_id", ""},
		{"a label field of single budget lines means its level", "drilldown=line_label", "line_id", ""},
		{"names outside the bare grammar", `drilldown="the \"label\""|"año y función."."50% & more"`,
			"función: a|b 50% & more", "función: a|b 50% & more"},

		{"a dimension begins at its first level", "drilldown=administrative-classification", "admin1_code", "admin1_code"},
		{"a dimension of one level is that level", "drilldown=actividad", "ID_UR ID_AI", "ID_AI"},
		{"a dimension goes on below a cut", "drilldown=administrative-classification&cut=admin1_code:010",
			"admin1_code admin2_code", "admin1_code admin2_code"},
		{"a dimension goes on below a range", "drilldown=date&cut=Year:2016..", "Year quarter", "Year quarter"},
		{"a dimension stays at a leaf that is cut", "drilldown=date&cut=quarter:1", "Year quarter", "Year quarter"},
		{"the deepest of several cuts counts", "drilldown=date&cut=quarter:1|Year:2016", "Year quarter", "Year quarter"},
		{"a path cut counts by its deepest key", "drilldown=administrative-classification&cut=administrative-classification:010/02",
			"admin1_code admin2_code", "admin1_code admin2_code"},
		{"a cut on a dimension's first level counts", "drilldown=administrative-classification&cut=administrative-classification:010",
			"admin1_code admin2_code", "admin1_code admin2_code"},
		{"an excluding cut leads nowhere", "drilldown=administrative-classification&cut=!admin1_code:010",
			"admin1_code", "admin1_code"},
		{"a cut on another dimension leads nowhere", "drilldown=date&cut=admin1_code:010", "Year", "Year"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := cubetest.MustAsk(t, tt.question)
			if got := names(p.Keys()); got != tt.keys {
				t.Errorf("keys %q, want %q", got, tt.keys)
			}
			var labelled []string
			for _, l := range p.Levels() {
				labelled = append(labelled, l.Ref)
			}
			if got := strings.Join(labelled, " "); got != tt.labelled {
				t.Errorf("levels %q, want %q", got, tt.labelled)
			}
		})
	}
}

func TestPlan_Columns(t *testing.T) {
	p := cubetest.MustAsk(t, "drilldown=ID_AI|admin2_code|Year&aggregates=approved_value.avg|_count")
	want := "ID_UR ID_AI DESC_AI admin1_code admin1_label admin2_code admin2_label Year"
	if got := strings.Join(p.Attributes(), " "); got != want {
		t.Errorf("attributes %q, want %q", got, want)
	}
	want += " approved_value.avg _count"
	if got := strings.Join(p.Columns(), " "); got != want {
		t.Errorf("columns %q, want %q", got, want)
	}
	if got := cubetest.MustAsk(t, "").Attributes(); got == nil || len(got) != 0 {
		t.Errorf("attributes of no drilldown %#v, want an empty list", got)
	}
}

func TestBind_RefusesUnknownRefs(t *testing.T) {
	const levels = "(the levels are Year, quarter, admin1_code, admin2_code, econ1_code, econ2_code, econ2_alt, ID_RAMO, ID_UR, " +
		"ID_MODALIDAD, ID_PP, ID_AI and 3 more)"
	for _, tt := range []struct{ name, question, want string }{
		{"an unknown name far from all", "drilldown=planet", `drilldown at 0: no field or dimension "planet" ` +
			"(the levels are Year, quarter, admin1_code, admin2_code, econ1_code, econ2_code, econ2_alt, ID_RAMO, ID_UR, " +
			"ID_MODALIDAD, ID_PP, ID_AI and 3 more)"},
		{"a slip in a key", "drilldown=Year|admn1_code",
			`drilldown at 5: no field or dimension "admn1_code" (did you mean admin1_code?)`},
		{"a slip in a label", "drilldown=admin1_lable",
			`drilldown at 0: no field or dimension "admin1_lable" (did you mean admin1_label?)`},
		{"a slip in a dimension", "drilldown=program",
			`drilldown at 0: no field or dimension "program" (did you mean programa?)`},
		{"other case", "drilldown=id_ramo", `drilldown at 0: no field or dimension "id_ramo" (did you mean ID_RAMO?)`},
		{"a slip after a dimension", "drilldown=date.Yaer",
			`drilldown at 0: no field or dimension "date.Yaer" (did you mean Year?)`},
		{"a near slip after a dimension", "drilldown=date.quartr",
			`drilldown at 0: no field or dimension "date.quartr" (did you mean quarter?)`},
		{"a field of another dimension", "drilldown=date.admin1_code",
			`drilldown at 0: dimension "date" has no field "admin1_code" ` +
				`(did you mean administrative-classification.admin1_code?)`},
		{"a field of an unknown dimension", "drilldown=dates.Year",
			`drilldown at 0: dimension "dates" has no field "Year" (did you mean date.Year?)`},
		{"the hint is quoted where the grammar needs it", `drilldown=date."función: a|b"`,
			`drilldown at 0: dimension "date" has no field "función: a|b" ` +
				`(did you mean "año y función."."función: a|b"?)`},
		{"a dimension of a dimension", "drilldown=date.ramo", `drilldown at 0: no field or dimension "date.ramo" (did you mean ramo?)`},
		{"a measure", "drilldown=approved_value",
			`drilldown at 0: "approved_value" is a measure, not a level (measures go into aggregates, as approved_value.sum)`},
		{"a measure that needs quotes", `drilldown="executed.value"`,
			`drilldown at 0: "executed.value" is a measure, not a level (measures go into aggregates, as "executed.value".sum)`},
		{"a column outside the dimensions", "drilldown=remark",
			`drilldown at 0: the model makes field "remark" no level of a dimension ` + levels},
		{"a cut on an unknown name", "cut=Year:1|yeer:2", `cut at 7: no field or dimension "yeer" (did you mean Year?)`},
		{"a cut on a measure", "cut=approved_value:5..",
			`cut at 0: "approved_value" is a measure, not a level (measures go into aggregates, as approved_value.sum)`},
		{"a cut on a column outside the dimensions", "cut=!remark:a",
			`cut at 1: the model makes field "remark" no level of a dimension ` + levels},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := cubetest.Ask(t, tt.question)
			cubetest.WantError(t, err, cube.CodeUnknownRef, tt.want)
		})
	}
}

func TestBind_RefusesADimensionOfSeveralChains(t *testing.T) {
	for _, tt := range []struct{ name, question, want string }{
		{"drilled", "drilldown=Year|economic", "drilldown at 5"},
		{"cut", "cut=economic:1", "cut at 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := cubetest.Ask(t, tt.question)
			cubetest.WantError(t, err, cube.CodeAmbiguousRef, tt.want+
				`: dimension "economic" has 2 chains (name one of its levels: econ1_code, econ2_code, econ2_alt)`)
		})
	}
}

func TestBind_Aggregates(t *testing.T) {
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
			bound := cubetest.MustAsk(t, question)
			var aggregates, parts []string
			for _, a := range bound.Aggregates() {
				aggregates = append(aggregates, fmt.Sprintf("%s/%d", a.Name, a.Scale))
			}
			for _, p := range bound.Main().Parts() {
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

func TestBind_RefusesUnknownAggregates(t *testing.T) {
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
			_, err := cubetest.Ask(t, "aggregates="+tt.aggregates)
			cubetest.WantError(t, err, cube.CodeUnknownRef, tt.want)
		})
	}
}

func TestBind_OrderEndsInTheKeys(t *testing.T) {
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
			p := cubetest.MustAsk(t, tt.question)
			var got []string
			for _, s := range p.Order() {
				got = append(got, p.SortName(s)+":"+s.Direction())
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("order %s, want %s", got, tt.want)
			}
			if len(p.OrderAsked()) != tt.asked || !reflect.DeepEqual(p.OrderAsked(), p.Order()[:tt.asked]) {
				t.Errorf("asked %v, want the first %d", p.OrderAsked(), tt.asked)
			}
		})
	}
}

func TestBind_RefusesUnknownOrders(t *testing.T) {
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
			_, err := cubetest.Ask(t, tt.question)
			cubetest.WantError(t, err, cube.CodeUnknownRef, tt.want)
		})
	}
}

func TestBind_OrderByADimensionIsByItsDeepestKey(t *testing.T) {
	got := cubetest.MustAsk(t, "drilldown=admin2_code&order=administrative-classification:desc&aggregates=_count").String()
	want := cubetest.MustAsk(t, "drilldown=admin2_code&order=admin2_code:desc&aggregates=_count").String()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBind_RefusesFormulasHavingTopFillAndCompare(t *testing.T) {
	for _, tt := range []struct {
		name, question string
		code           cube.Code
		want           string
	}{
		{"an unknown formula", "aggregates=raito(plan.sum,paid.sum)", cube.CodeUnknownRef,
			`aggregates at 0: no formula "raito" (did you mean ratio?)`},
		{"a function as SQL has it", "aggregates=SUM(plan)", cube.CodeUnknownRef, `aggregates at 0: no formula "SUM" (write plan.sum)`},
		{"too few aggregates", "aggregates=_count|ratio(plan.sum)", cube.CodeBadSyntax,
			"aggregates at 7: ratio is of 2 aggregates, not 1 (as ratio(a.sum,b.sum))"},
		{"fill with having", "drilldown=year&fill=zero&having=plan.sum>1", cube.CodeBadSyntax,
			"fill at 0: having leaves cells out, which fill would take for gaps (ask without fill or without having)"},
		{"an axis that is not the year, cut to several", "cut=year:2016;2017&compare=year:-1", cube.CodeBadValue,
			"compare at 0: year is compared where it is drilled, or cut to one value (add it to the drilldown)"},
		{"the share of a share", "aggregates=share(diff(share(plan.sum),share(paid.sum)))", cube.CodeBadSyntax,
			"aggregates at 0: diff(share(plan.sum),share(paid.sum)) does not add up, so nothing is a share of it " +
				"(ask the share of a sum, a count, or a diff of these)"},
		{"the share of a ratio", "aggregates=_count|share_of_parent(ratio(paid.sum,plan.sum))", cube.CodeBadSyntax,
			"aggregates at 7: ratio(paid.sum,plan.sum) does not add up, so nothing is a share of it " +
				"(ask the share of a sum, a count, or a diff of these)"},
		{"the share of an extreme", "aggregates=share(plan.max)", cube.CodeBadSyntax,
			"aggregates at 0: plan.max does not add up, so nothing is a share of it (ask the share of a sum, a count, or a diff of these)"},
		{"an amount less a count", "aggregates=ratio(diff(plan.sum,_count),plan.sum)", cube.CodeBadSyntax,
			"aggregates at 6: plan.sum is an amount, _count is a number of rows " +
				"(a diff is of two amounts, two counts or two ratios; ratio divides one by the other)"},
		{"a ratio less an amount per row", "aggregates=diff(ratio(paid.sum,plan.sum),ratio(plan.sum,_count))", cube.CodeBadSyntax,
			"aggregates at 0: ratio(paid.sum,plan.sum) is a ratio, ratio(plan.sum,_count) is an amount per row " +
				"(a diff is of two amounts, two counts or two ratios; ratio divides one by the other)"},
		{"two currencies", "aggregates=ratio(plan.sum,euros.sum)", cube.CodeBadValue,
			"aggregates at 0: plan is in HRK, euros in EUR (ask for amounts of one currency)"},
		{"two units", "aggregates=diff(plan.sum,thousands.sum)", cube.CodeBadValue,
			"aggregates at 0: plan counts units of 1, thousands of 1000 (ask for amounts of one unit)"},
		{"having too many digits", "having=_count>1|ratio(thousands.sum,_count)>0.12345678901234567", cube.CodeBadValue,
			"having at 9: ratio(thousands.sum,_count)>0.12345678901234567 needs 41 digits, more than the 38 that are compared exactly " +
				"(write the number with fewer digits)"},
		{"top without drilldown", "top=3", cube.CodeBadSyntax, "top at 0: top needs a drilldown (name the levels to group by)"},
		{"remainder without top", "drilldown=town&remainder=1", cube.CodeBadSyntax,
			"remainder at 0: there is no remainder without top (add top=10)"},
		{"fill without an axis", "drilldown=town&fill=zero", cube.CodeBadValue,
			"fill at 0: fill needs one axis of whole numbers in the drilldown (year holds whole numbers)"},
		{"compare along text", "drilldown=town&compare=town:-1", cube.CodeBadValue,
			`compare at 0: "town" is no axis of whole numbers (year holds whole numbers)`},
		{"compare along nothing", "drilldown=town&compare=year:-1", cube.CodeBadValue,
			"compare at 0: year is neither drilled nor cut, so there is nothing to move along it (add it to the drilldown, or cut it)"},
		{"compare with two", "drilldown=year&compare=year:-1|year:-2", cube.CodeBadSyntax,
			"compare at 8: an answer compares with one other (ask once for each)"},
		{"compare with itself", "drilldown=year&compare=year:0", cube.CodeBadSyntax,
			`compare at 5: expected a whole number that is not 0, found "0" (-1 compares with the one before)`},
		{"a role of what is not compared", "drilldown=year&order=plan.sum.difference", cube.CodeUnknownRef,
			"order at 0: plan.sum.difference is not among the aggregates (only what is asked and compared has difference)"},
		{"the size of what is not compared", "drilldown=year&order=plan.sum.size", cube.CodeUnknownRef,
			"order at 0: plan.sum.size is not among the aggregates (only what is asked and compared has size)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := cubetest.Read(tt.question)
			if err == nil {
				_, err = plan.Bind(cubetest.Spending(t), q)
			}
			cubetest.WantError(t, err, tt.code, tt.want)
		})
	}
}

func TestBind_RefusesToAddUpSnapshotsOfTheSameMoney(t *testing.T) {
	for _, tt := range []struct{ name, question, want string }{
		{"share", "drilldown=mes&aggregates=share(pi_monto.sum)",
			"aggregates at 0: share(pi_monto.sum) would be of statements of the same money added up (cut mes, or drill it first and ask share_of_parent)"},
		{"remainder", "drilldown=titulo|mes&top=3&remainder=1",
			"remainder at 0: the remainder would add statements of the same money (drill mes first)"},
		{"rollup beside compare", "drilldown=titulo|ejercicio|mes&rollup=1&compare=ejercicio:-1",
			"rollup at 0: subtotals of titulo would add statements of the same money (drill mes first, or ask without compare and having)"},
		{"the order of top beside having", "drilldown=titulo|mes&top=1&having=_count>1",
			"top at 0: subtotals of titulo would add statements of the same money (drill mes first, or ask without compare and having)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q, err := cubetest.Read(tt.question)
			if err == nil {
				_, err = plan.Bind(cubetest.YearToDate(t, cubetest.Flat), q)
			}
			cubetest.WantError(t, err, cube.CodeBadSyntax, tt.want)
		})
	}
}

func names(keys []cube.Column) string {
	return strings.Join(each.Text(keys, func(c cube.Column) string { return c.Name }), " ")
}
