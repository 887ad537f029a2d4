package cube_test

import (
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

// comparedWith asks a question and adds the warning of what is not compared.
func comparedWith(t *testing.T, e *cube.Engine, c *cube.Cube, question string) string {
	t.Helper()
	result, err := e.Aggregate(t.Context(), bindTo(t, c, question))
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	text := answered(t, e, c, question)
	for _, w := range result.Plan.Warnings() {
		if w.Code == cube.WarnNotCompared || w.Code == cube.WarnNothingMatches {
			text += "\n" + w.Message
		}
	}
	return text
}

type comparing struct{ name, question, want string }

func compareAll(t *testing.T, e *cube.Engine, c *cube.Cube, clauses string, tests []comparing) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := comparedWith(t, e, c, tt.question+clauses); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
}

// Unit u was stated in June alone in 2018, unit v in 2019 alone; of 2017 there is nothing but December.
func TestStatementsTellWhatIsNewAndWhatIsGone(t *testing.T) {
	c := stated(t, statements("2017/12", "2018/06", "2018/12", "2019/06"))
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}}
	store := remember(c.Model, "2017 12 - - t 1 -", "2017 12 - - u 1 -", "2018 06 - - t 2 -", "2018 06 - - u 3 -",
		"2018 12 - - t 4 -", "2019 06 - - t 5 -", "2019 06 - - v 7 -")
	compareAll(t, store, c, "&aggregates=pi_monto.sum&compare=ejercicio:-1", []comparing{
		{"a unit that is stated no more", "drilldown=titulo&cut=ejercicio:2019|titulo:u",
			"u = null 3 -3 -100 gone\n1: null 3 -3 -100"},
		{"the same without the drilldown", "cut=ejercicio:2019|titulo:u",
			"= null 3 -3 -100 gone\n1: null 3 -3 -100"},
		{"a unit that was not stated", "cut=ejercicio:2019|titulo:v", "= 7 null 7 null new\n1: 7 null 7 null"},
		{"in each year", "drilldown=ejercicio&cut=titulo:u",
			"2017 = 1 null null null\n2018 = null 1 -1 -100 gone\n2019 = null 3 -3 -100 gone\n3: 1 null null null\n" +
				"ejercicio: nothing is there to compare with for 2017 (no mes 12 of 2016)"},
		{"in each statement", "drilldown=mes|titulo&cut=ejercicio:2018|titulo:u",
			"06 u = 3 null null null\n12 u = null 1 -1 -100 gone\n2: null 1 -1 -100\n" +
				"ejercicio: nothing is there to compare with for 2018/06 (no mes 06 of 2017)"},
	})
}

// Of an axis that is no year it is told what turned out to be missing.
func TestWhatTurnsOutToHaveNoCounterpart(t *testing.T) {
	c := spending(t)
	store := remember(c.Model, "2014 n a A 1 - - - -", "2016 n a A 2 - - - -", "2017 n a A 4 - - - -", "2017 s d D 5 - - - -", "- s d D 8 - - - -")
	const nothing = "year: nothing is there to compare with for "
	compareAll(t, store, c, "&aggregates=plan.sum&compare=year:-1", []comparing{
		{"drilled", "drilldown=town|year",
			"a 2014 = 1 null null null\na 2016 = 2 null null null\na 2017 = 4 2 2 100\nd 2017 = 5 null 5 null new\nd - = 8 null null null\n" +
				"5: 20 null null null\n" + nothing + "2014 (no such rows of 2013), 2016 (no such rows of 2015), rows without year"},
		{"cut", "cut=year:2016", "= 2 null null null\n1: 2 null null null\n" + nothing + "2016 (no such rows of 2015)"},
		{"cut and drilled by others", "drilldown=town&cut=year:2014", "a = 1 null null null\n1: 1 null null null\n" + nothing + "2014 (no such rows of 2013)"},
		{"as far as the cuts go", "cut=year:2017|town:d", "= 5 null null null\n1: 5 null null null\n" + nothing + "2017 (no such rows of 2016)"},
		{"nothing at all", "drilldown=town&cut=year:2015|town:d", "0: null null null null\n" +
			"no row of the package has year:2015"},
		{"beside too great a number", "cut=year:-9223372036854775808", "0: null null null null\n" +
			"no row of the package has year:-9223372036854775808"},
	})
	var many []string
	for year := range 15 {
		many = append(many, strings.Replace("20YY n a A 1 - - - -", "YY", string(rune('0'+year/5))+string(rune('0'+2*(year%5))), 1))
	}
	got := comparedWith(t, remember(c.Model, many...), c, "drilldown=year&cut=year:2000..2099&aggregates=plan.sum&compare=year:-1&pagesize=0")
	if !strings.HasSuffix(got, "2022 (no such rows of 2021) and 3 more") {
		t.Error(got)
	}
}

func TestWhatIsNotComparedIsToldInSpanish(t *testing.T) {
	flatOne := stated(t, statements("2017/12", "2018/06", "2018/12"))
	flatOne.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018}}
	wards := spending(t)
	wards.Coverage = &cube.YearCoverage{Years: []int64{2015, 2016}, Gaps: []cube.YearGap{
		{Column: "town", Years: []int64{2015}}, {Column: "paid", Years: []int64{2015}}}}
	for _, tt := range []struct {
		c              *cube.Cube
		question, want string
	}{
		{flatOne, "drilldown=ejercicio&compare=ejercicio:-1",
			"ejercicio: no hay con qué comparar 2017 (no hay mes 12 de 2016)"},
		{flatOne, "drilldown=mes|ejercicio&compare=ejercicio:-1",
			"ejercicio: no hay con qué comparar 2017 (no hay filas de 2016), 2018/06 (no hay mes 06 de 2017)"},
		{wards, "drilldown=year&aggregates=paid.sum&compare=year:-1", "year: no hay con qué comparar 2015 (no hay filas de 2014)"},
		{wards, "cut=year:2016&aggregates=paid.sum&compare=year:-1",
			"year: los años que se comparan no tienen todos montos en paid"},
		{wards, "cut=year:2015..2016&aggregates=paid.sum&compare=year:1",
			"year: los años que se comparan no tienen todos montos en paid; las sumas de varios años no se comparan"},
		{wards, "drilldown=town&cut=year:2016&aggregates=plan.sum&compare=year:-1",
			"year: no hay con qué comparar 2016 (town está vacío en 2015)"},
	} {
		warnings := bindTo(t, tt.c, tt.question).In(cube.Spanish).Warnings()
		if !slices.Contains(warnings, cube.Warning{Code: cube.WarnNotCompared, Message: tt.want}) {
			t.Errorf("%s: %v", tt.question, warnings)
		}
	}
}
