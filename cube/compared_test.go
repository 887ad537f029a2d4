package cube_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

// June of 2019, the last month there is, stands beside June of 2018, though December of 2018 is there.
func TestStatementsAreComparedWithTheSameOnes(t *testing.T) {
	c := stated(t, flat)
	c.Coverage = &cube.YearCoverage{Years: []int64{2017, 2018, 2019}}
	store := remember(c.Model, "2017 06 - - t 40 1", "2017 12 - - t 90 2", "2018 06 - - t 100 4", "2018 12 - - t 250 8",
		"2019 06 - - t 130 16", "2019 06 - - u 5 -")
	for _, tt := range []struct{ name, question, want string }{
		{"a year cut", "cut=ejercicio:2019&aggregates=pi_monto.sum&compare=ejercicio:-1", "= 135 100 35 35\n1: 135 100 35 35"},
		{"years drilled", "drilldown=ejercicio&aggregates=pi_monto.sum&compare=ejercicio:-1",
			"2017 = 90 null null null\n2018 = 250 90 160 177.77777778\n2019 = 135 100 35 35\n3: 475 null null null"},
		{"a year after has no June", "cut=ejercicio:2018&aggregates=pi_monto.sum&compare=ejercicio:1", "= 250 null null null\n1: 250 null null null"},
		{"as of June", "drilldown=titulo&cut=ejercicio:2018|mes:..06&aggregates=pi_monto.sum&compare=ejercicio:1",
			"t = 100 130 -30 -23.07692308\nu = null 5 -5 -100 gone\n2: 100 135 -35 -25.92592593"},
		{"each statement", "drilldown=mes&cut=ejercicio:2019&aggregates=pi_monto.sum&compare=ejercicio:-1",
			"06 = 135 100 35 35\n1: 135 100 35 35"},
		{"subtotals count one statement", "drilldown=titulo|ejercicio|mes&cut=ejercicio:2018..&aggregates=pi_monto.sum|_count&rollup=1",
			"t = 380 2 titulo\nt 2018 = 250 1 ejercicio\nt 2018 06 = 100 1 mes\nt 2018 12 = 250 1 mes\n" +
				"t 2019 = 130 1 ejercicio\nt 2019 06 = 130 1 mes\nu = 5 1 titulo\nu 2019 = 5 1 ejercicio\nu 2019 06 = 5 1 mes\n9: 385 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := answered(t, store, c, tt.question); got != tt.want {
				t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
			}
		})
	}
	warnings := bindTo(t, c, "drilldown=ejercicio&compare=ejercicio:-1").Warnings()
	if i := len(warnings) - 1; i < 0 || warnings[i].Code != cube.WarnNotCompared ||
		warnings[i].Message != "ejercicio: nothing is there to compare with for 2017 (no mes 12 of 2016)" {
		t.Errorf("warnings %v", warnings)
	}
}

// Of the years before, 2017 alone has the December to compare with. That it is one statement does not let the others
// in, and all years together have nothing to stand beside.
func TestPeriodsThatAreNotComparedAreLeftOut(t *testing.T) {
	c := stated(t, statements("2017/06", "2017/12", "2018/12", "2020/12"))
	store := remember(c.Model, "2017 06 - - t 1 -", "2017 12 - - t 2 -", "2018 12 - - t 4 -", "2020 12 - - t 8 -")
	for question, want := range map[string]string{
		"drilldown=ejercicio&": "2017 = 2 null null null\n2018 = 4 2 2 100\n2020 = 8 null null null\n3: 14 null null null",
		"":                     "= 14 null null null\n1: 14 null null null",
	} {
		question += "cut=!ejercicio:1999&aggregates=pi_monto.sum&compare=ejercicio:-1"
		if got := answered(t, store, c, question); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
}

// The years that a question is about are compared, and no others: neither an open cut nor an inverted one lets more
// in, and where one of them has no counterpart nothing is compared.
func TestTheSameNumberOfYearsIsCompared(t *testing.T) {
	c := spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := remember(c.Model, "2014 n a A 1 - - - -", "2015 n a A 2 20 - - -", "2016 n a A 4 40 - - -")
	for cut, want := range map[string]string{
		"year:2015..":     "= 6 3 3 100 60 null null null",
		"!year:2014":      "= 6 3 3 100 60 null null null",
		"year:2015..2099": "= 6 3 3 100 60 null null null",
		"year:2016":       "= 4 2 2 100 40 20 20 100",
		"year:2015":       "= 2 1 1 100 20 null null null",
		"year:2014..2015": "= 3 null null null 20 null null null",
		"year:2014;2016":  "= 5 null null null 40 null null null",
	} {
		question := "cut=" + cut + "&aggregates=plan.sum|paid.sum&compare=year:-1"
		if got, _, _ := strings.Cut(answered(t, store, c, question), "\n"); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", question, got, want)
		}
	}
}

// A share of the parent in one year sets one year beside another, though several are asked and one of them has nothing
// to be compared with. A share of several years does not.
func TestSharesOfOneYearAreCompared(t *testing.T) {
	c := spending(t)
	c.Coverage = &cube.YearCoverage{Years: []int64{2014, 2015, 2016}, Gaps: []cube.YearGap{{Column: "paid", Years: []int64{2014}}}}
	store := remember(c.Model, "2014 n a A 1 - - - -", "2014 s c C 1 - - - -", "2015 n a A 2 20 - - -", "2015 s c C 2 20 - - -",
		"2016 n a A 4 30 - - -", "2016 s c C 4 10 - - -")
	for question, want := range map[string]string{
		"drilldown=year|region&cut=year:2015..2016&aggregates=share_of_parent(paid.sum)": "2015 n = 0.5 null null null\n2015 s = 0.5 null null null\n" +
			"2016 n = 0.75 0.5 0.25 50\n2016 s = 0.25 0.5 -0.25 -50\n4: 1 null null null",
		"drilldown=region|year&cut=region:n|year:2015..2016&aggregates=share_of_parent(paid.sum)": "n 2015 = 0.4 null null null\n" +
			"n 2016 = 0.6 null null null\n2: 1 null null null",
		"drilldown=year|region&cut=region:n|year:2015..2016&aggregates=share(paid.sum)": "2015 n = 0.4 null null null\n2016 n = 0.6 null null null\n" +
			"2: 1 null null null",
	} {
		question += "&compare=year:-1"
		if got := answered(t, store, c, question); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", question, got, want)
		}
	}
}
