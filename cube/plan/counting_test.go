package plan_test

import (
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

func TestReads(t *testing.T) {
	c := cubetest.SpendingOfYears(t) // four years
	c.Rows = 1000
	for question, want := range map[string]int64{
		"":                                   1000,
		"drilldown=region|town":              1000,
		"cut=year:2016":                      250,
		"cut=year:2015..2017&drilldown=town": 750,
		"cut=region:n":                       1000,
		"cut=year:2099":                      0,
		"drilldown=region&cut=year:2016&compare=year:-1": 500,
	} {
		if got := cubetest.Bind(t, c, question).Reads(); got != want {
			t.Errorf("%s reads %d rows, want %d", question, got, want)
		}
	}
	c.Cuboids = []cube.Cuboid{{}}
	for question, want := range map[string]int64{
		"": 100, "cut=year:2016": 25, "cut=year:2016&drilldown=town": 25, "cut=region:~n": 100 + 1000, "cut=year:2016|town:~x&drilldown=name": 25 + 1000,
	} {
		if got := cubetest.Bind(t, c, question).Reads(); got != want {
			t.Errorf("%s reads %d rows of numbers, want %d", question, got, want)
		}
	}
	c.Coverage, c.Cuboids = nil, nil // the years are not known
	if got := cubetest.Bind(t, c, "cut=year:2016").Reads(); got != 1000 {
		t.Errorf("without years %d rows are read", got)
	}
}

func TestReads_Facts(t *testing.T) {
	c := cubetest.SpendingOfYears(t)
	c.Rows = 1000
	for want, given := range map[int64]map[string]string{
		20:   {"pagesize": "20"},
		1000: {"pagesize": "20", "order": "plan"},
		250:  {"pagesize": "20", "cut": "year:2016"},
	} {
		q, err := query.ParseFactQuery(given)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.BindFacts(c, q)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Reads(); got != want {
			t.Errorf("%v reads %d rows, want %d", given, got, want)
		}
	}
}
