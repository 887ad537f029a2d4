package cube_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

func TestDrilldownGroupsByWholePaths(t *testing.T) {
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
			plan := mustAsk(t, tt.question)
			if got := names(plan.Keys()); got != tt.keys {
				t.Errorf("keys %q, want %q", got, tt.keys)
			}
			var labelled []string
			for _, l := range plan.Levels() {
				labelled = append(labelled, l.Ref)
			}
			if got := strings.Join(labelled, " "); got != tt.labelled {
				t.Errorf("levels %q, want %q", got, tt.labelled)
			}
		})
	}
}

func TestColumnsOfAnAnswer(t *testing.T) {
	plan := mustAsk(t, "drilldown=ID_AI|admin2_code|Year&aggregates=approved_value.avg|_count")
	want := "ID_UR ID_AI DESC_AI admin1_code admin1_label admin2_code admin2_label Year"
	if got := strings.Join(plan.Attributes(), " "); got != want {
		t.Errorf("attributes %q, want %q", got, want)
	}
	want += " approved_value.avg _count"
	if got := strings.Join(plan.Columns(), " "); got != want {
		t.Errorf("columns %q, want %q", got, want)
	}
	if got := mustAsk(t, "").Attributes(); got == nil || len(got) != 0 {
		t.Errorf("attributes of no drilldown %#v, want an empty list", got)
	}
}

func TestRefsThatMeanNothing(t *testing.T) {
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
			_, err := ask(t, tt.question)
			wantError(t, err, cube.CodeUnknownRef, tt.want)
		})
	}
}

func TestDimensionOfSeveralChains(t *testing.T) {
	for _, tt := range []struct{ name, question, want string }{
		{"drilled", "drilldown=Year|economic", "drilldown at 5"},
		{"cut", "cut=economic:1", "cut at 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ask(t, tt.question)
			wantError(t, err, cube.CodeAmbiguousRef, tt.want+
				`: dimension "economic" has 2 chains (name one of its levels: econ1_code, econ2_code, econ2_alt)`)
		})
	}
}
