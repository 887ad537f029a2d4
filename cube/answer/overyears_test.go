package answer_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
)

// months is a cube whose months are a dimension of their own, of amounts that add up over them.
func months(t *testing.T, rows ...string) (*cube.Cube, answer.Store) {
	t.Helper()
	c := cubetest.YearToDate(t, func(d *cube.Draft) {
		cubetest.Flat(d)
		d.Dimensions[len(d.Dimensions)-1].Type = cube.DimensionTime
		d.Snapshots = nil
	})
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}}
	return c, cubetest.NewStore(c.Model, rows...)
}

func TestRun_WarnsOfMonthsOfSeveralYears(t *testing.T) {
	c, store := months(t, "2017 01 - - t 1 -", "2017 02 - - u 1 -", "2018 01 - - t 5 -", "2019 03 - - t 2 -")
	const together = "mes: cells put several years together (2017 to 2019); drill ejercicio too, or cut one year"
	for _, tt := range []struct{ question, want string }{
		{"drilldown=mes", together},
		{"drilldown=mes|titulo", together},
		{"drilldown=mes&cut=ejercicio:2018..2019", ""}, // no month is in both
		{"drilldown=mes&cut=ejercicio:2017", ""},
		{"drilldown=mes&cut=mes:02..03", ""},
		{"drilldown=mes|ejercicio", ""},
		{"drilldown=ejercicio|mes&rollup=1", ""},
		{"drilldown=mes|ejercicio&rollup=1", together},
		{"drilldown=mes&cut=!mes:02", together},
		{"drilldown=titulo", ""},
		{"cut=mes:01", ""},
	} {
		stream, err := answer.Open(t.Context(), store, cubetest.Bind(t, c, tt.question), cube.English)
		if err != nil {
			t.Fatal(err)
		}
		stream.Close()
		whole := run(t, store, cubetest.Bind(t, c, tt.question))
		for kind, warnings := range map[string][]cube.Warning{"whole": whole.Warnings, "one by one": stream.Warnings} {
			if got := togetherIn(warnings); got != tt.want {
				t.Errorf("%s, %s: %q, want %q", tt.question, kind, got, tt.want)
			}
		}
	}
	spanish, err := answer.Run(t.Context(), store, cubetest.Bind(t, c, "drilldown=mes"), "es")
	if want := "mes: hay celdas que juntan varios años (2017 a 2019); desglose también ejercicio o filtre un solo año"; err != nil || togetherIn(spanish.Warnings) != want {
		t.Errorf("%v, %v", spanish, err)
	}
}

// The dimension of months that are statements of a year need not be of time.
func TestRun_WarnsOfStatementsOfSeveralYears(t *testing.T) {
	c := cubetest.YearToDate(t, cubetest.Flat)
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}}
	store := cubetest.NewStore(c.Model, "2017 06 - - t 1 -", "2018 06 - - t 5 -")
	for question, want := range map[string]string{
		"drilldown=mes":                           "mes: cells put several years together (2017 to 2019); drill ejercicio too, or cut one year",
		"drilldown=mes|ejercicio":                 "",
		"drilldown=mes&cut=ejercicio:2018":        "",
		"drilldown=titulo":                        "",
		"drilldown=titulo|mes&cut=ejercicio:2018": "",
	} {
		if got := togetherIn(run(t, store, cubetest.Bind(t, c, question)).Warnings); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}

func togetherIn(warnings []cube.Warning) string {
	var list []string
	for _, w := range warnings {
		if w.Code == cube.WarnYearsTogether {
			list = append(list, w.Message)
		}
	}
	return strings.Join(list, "\n")
}
