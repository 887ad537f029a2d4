package answer_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
	"fiscube/cube/prose"
	"fiscube/cube/words"
)

// renumbered has rows of 2010 and 2012. Between them health was moved from 2/1 to 2/3, and defence from 1/1 to 2/6; the others are
// not known to be the same as any.
func renumbered(t *testing.T) (*cube.Cube, answer.Store) {
	c := cubetest.Renumbered(t)
	d := c.Model.Draft()
	d.Level("function").SameAs = []cube.SameMember{
		{Path: []string{"2", "2012", "3"}, SameAs: []string{"2", "2008", "1"}},
		{Path: []string{"2", "2012", "6"}, SameAs: []string{"1", "2008", "1"}},
	}
	m, err := d.Model()
	if err != nil {
		t.Fatal(err)
	}
	c.Model = m
	return c, cubetest.NewStore(m,
		"2010 2 1 Health a 10 2008", "2010 2 1 Health b 5 2008", "2010 2 3 Towns a 7 2008", "2010 1 1 Defence a 40 2008",
		"2011 2 1 Health a 12 2008",
		"2012 2 3 Health a 16 2012", "2012 2 1 Nature a 9 2012", "2012 2 6 Defence a 30 2012", "2012 1 4 Courts a 3 2012",
		"2013 2 3 Health a 20 2012")
}

func TestRun_ComparesTheSameMembersOfOtherEditions(t *testing.T) {
	c, store := renumbered(t)
	compareAll(t, store, c, "", []comparing{
		{"drilled", "drilldown=function&cut=year:2012&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"1 2012 4 = 3 null null null",
			"2 2012 1 = 9 null null null",
			"2 2012 3 = 16 15 1 6.66666667",
			"2 2012 6 = 30 40 -10 -25",
			"4: 58 62 -4 -6.4516129",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"drilled, the other way round", "drilldown=function&cut=year:2010&compare=year:2&aggregates=plan.sum", strings.Join([]string{
			"1 2008 1 = 40 30 10 33.33333333",
			"2 2008 1 = 15 16 -1 -6.25",
			"2 2008 3 = 7 null null null",
			"3: 62 58 4 6.89655172",
			"year: nothing is there to compare with for 2010 (members with another number in 2012)",
		}, "\n")},
		{"years drilled", "drilldown=function|year&cut=year:2010..2013&compare=year:-1&aggregates=plan.sum", strings.Join([]string{
			"1 2008 1 2010 = 40 null null null",
			"1 2008 1 2011 = null 40 -40 -100 gone",
			"1 2012 4 2012 = 3 null null null",
			"1 2012 4 2013 = null 3 -3 -100 gone",
			"2 2008 1 2010 = 15 null null null",
			"2 2008 1 2011 = 12 15 -3 -20",
			"2 2008 3 2010 = 7 null null null",
			"2 2008 3 2011 = null 7 -7 -100 gone",
			"2 2012 1 2012 = 9 null null null",
			"2 2012 1 2013 = null 9 -9 -100 gone",
			"2 2012 3 2012 = 16 12 4 33.33333333",
			"2 2012 3 2013 = 20 16 4 25",
			"2 2012 6 2012 = 30 null 30 null new",
			"2 2012 6 2013 = null 30 -30 -100 gone",
			"14: 152 null null null",
			"year: nothing is there to compare with for 2010 (no rows of 2009), 2012 (members with another number in 2011)",
		}, "\n")},
		{"years first", "drilldown=year|function&cut=year:2011..2013&compare=year:-1&rollup=1&aggregates=plan.sum", strings.Join([]string{
			"2011 = 12 62 -50 -80.64516129 year",
			"2011 1 2008 1 = null 40 -40 -100 function gone",
			"2011 2 2008 1 = 12 15 -3 -20 function",
			"2011 2 2008 3 = null 7 -7 -100 function gone",
			"2012 = 58 12 46 383.33333333 year",
			"2012 1 2012 4 = 3 null null null function",
			"2012 2 2012 1 = 9 null null null function",
			"2012 2 2012 3 = 16 12 4 33.33333333 function",
			"2012 2 2012 6 = 30 null 30 null function new",
			"2013 = 20 58 -38 -65.51724138 year",
			"2013 1 2012 4 = null 3 -3 -100 function gone",
			"2013 2 2012 1 = null 9 -9 -100 function gone",
			"2013 2 2012 3 = 20 16 4 25 function",
			"2013 2 2012 6 = null 30 -30 -100 function gone",
			"14: 90 132 -42 -31.81818182",
			"year: nothing is there to compare with for 2012 (members with another number in 2011)",
		}, "\n")},
		{"years first, each a share of all", "drilldown=year|function&cut=year:2011..2012|group:2&compare=year:-1&rollup=1&aggregates=share_of_parent(plan.sum)", strings.Join([]string{
			"2011 = 0.17910448 0.64705882 -0.46795435 -72.3202171 year",
			"2011 2 2008 1 = 1 0.68181818 0.31818182 46.66666667 function",
			"2011 2 2008 3 = null 0.31818182 -0.31818182 -100 function gone",
			"2012 = 0.82089552 0.35294118 0.46795435 132.58706468 year",
			"2012 2 2012 1 = 0.16363636 null null null function",
			"2012 2 2012 3 = 0.29090909 1 -0.70909091 -70.90909091 function",
			"2012 2 2012 6 = 0.54545455 null null null function",
			"7: 1 1 0 0",
			"year: nothing is there to compare with for 2012 (members with another number in 2011)",
		}, "\n")},
		{"several years in a cell", "drilldown=function&cut=year:2011..2012&compare=year:-1&aggregates=plan.sum", strings.Join([]string{
			"1 2012 4 = 3 null null null",
			"2 2008 1 = 12 null null null",
			"2 2012 1 = 9 null null null",
			"2 2012 3 = 16 null null null",
			"2 2012 6 = 30 null null null",
			"5: 70 null null null",
			"year: nothing is there to compare with for 2012 (function is numbered in another way in 2011)",
		}, "\n")},
		{"cut to one", "cut=year:2012|functional:2/3&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"= 16 15 1 6.66666667",
			"1: 16 15 1 6.66666667",
		}, "\n")},
		{"cut to one of a time series", "drilldown=year&cut=year:2011..2013|functional:2/3@2012;2/1@2008&compare=year:-1&aggregates=plan.sum", strings.Join([]string{
			"2011 = 12 15 -3 -20",
			"2012 = 16 12 4 33.33333333",
			"2013 = 20 16 4 25",
			"3: 48 43 5 11.62790698",
		}, "\n")},
		{"cut to one by two cuts", "cut=year:2012|group:2|function:3@2012&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"= 16 15 1 6.66666667",
			"1: 16 15 1 6.66666667",
		}, "\n")},
		{"cut to one that moved from another group", "cut=year:2012|group:2|function:6&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"= 30 40 -10 -25",
			"1: 30 40 -10 -25",
		}, "\n")},
		{"cut to two, one of them alone", "cut=year:2012|functional:2/3;2/1&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"= 25 null null null",
			"1: 25 null null null",
			"year: nothing is there to compare with for 2012 (function is numbered in another way in 2010)",
		}, "\n")},
		{"and drilled", "drilldown=function&cut=year:2012|functional:2/3;2/1&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"2 2012 1 = 9 null null null",
			"2 2012 3 = 16 15 1 6.66666667",
			"2: 25 null null null",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"cut to a group", "drilldown=function&cut=year:2012|group:2&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"2 2012 1 = 9 null null null",
			"2 2012 3 = 16 15 1 6.66666667",
			"2 2012 6 = 30 null null null",
			"3: 55 22 33 150",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"cut to a group, by activities", "drilldown=activity&cut=year:2012|functional:2/3&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"2 2012 3 a = 16 null null null",
			"1: 16 15 1 6.66666667",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"by key under any group", "cut=year:2012|function:3&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"= 16 null null null",
			"1: 16 null null null",
			"year: nothing is there to compare with for 2012 (function is numbered in another way in 2010)",
		}, "\n")},
		{"cut out", "cut=year:2012|!functional:2/3&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"= 42 null null null",
			"1: 42 null null null",
			"year: nothing is there to compare with for 2012 (function is numbered in another way in 2010)",
		}, "\n")},
		{"rollup", "drilldown=group|function|activity&cut=year:2012&compare=year:-2&rollup=1&aggregates=plan.sum", strings.Join([]string{
			"1 = 3 40 -37 -92.5 group",
			"1 2012 4 = 3 null null null function",
			"1 2012 4 a = 3 null null null activity",
			"2 = 55 22 33 150 group",
			"2 2012 1 = 9 null null null function",
			"2 2012 1 a = 9 null null null activity",
			"2 2012 3 = 16 15 1 6.66666667 function",
			"2 2012 3 a = 16 null null null activity",
			"2 2012 6 = 30 40 -10 -25 function",
			"2 2012 6 a = 30 null null null activity",
			"10: 58 62 -4 -6.4516129",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"beside others", "drilldown=group|function&cut=year:2012&compare=year:-2&rollup=1&aggregates=plan.sum", strings.Join([]string{
			"1 = 3 40 -37 -92.5 group",
			"1 2012 4 = 3 null null null function",
			"2 = 55 22 33 150 group",
			"2 2012 1 = 9 null null null function",
			"2 2012 3 = 16 15 1 6.66666667 function",
			"2 2012 6 = 30 40 -10 -25 function",
			"6: 58 62 -4 -6.4516129",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"top", "drilldown=function&cut=year:2012&compare=year:-2&top=2&remainder=1&aggregates=plan.sum", strings.Join([]string{
			"2 2012 6 = 30 40 -10 -25",
			"2 2012 3 = 16 15 1 6.66666667",
			"= 12 null null null others 2",
			"3: 58 62 -4 -6.4516129",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"having", "drilldown=function&cut=year:2012&compare=year:-2&having=plan.sum>10&aggregates=plan.sum", strings.Join([]string{
			"2 2012 3 = 16 15 1 6.66666667",
			"2 2012 6 = 30 40 -10 -25",
			"2: 46 55 -9 -16.36363636",
		}, "\n")},
		{"share", "drilldown=function&cut=year:2012&compare=year:-2&aggregates=share(plan.sum)|share_of_parent(plan.sum)", strings.Join([]string{
			"1 2012 4 = 0.05172414 null null null 1 null null null",
			"2 2012 1 = 0.15517241 null null null 0.16363636 null null null",
			"2 2012 3 = 0.27586207 0.24193548 0.03392659 14.02298851 0.29090909 0.68181818 -0.39090909 -57.33333333",
			"2 2012 6 = 0.51724138 0.64516129 -0.12791991 -19.82758621 0.54545455 null null null",
			"4: 1 1 0 0 1 1 0 0",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"fill", "drilldown=function|year&cut=year:2012..2013&compare=year:-2&fill=zero&aggregates=plan.sum", strings.Join([]string{
			"1 2012 4 2012 = 3 null null null",
			"1 2012 4 2013 = 0 null null null",
			"2 2012 1 2012 = 9 null null null",
			"2 2012 1 2013 = 0 null null null",
			"2 2012 3 2012 = 16 15 1 6.66666667",
			"2 2012 3 2013 = 20 12 8 66.66666667",
			"2 2012 6 2012 = 30 40 -10 -25",
			"2 2012 6 2013 = 0 null null null",
			"8: 78 74 4 5.40540541",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"order", "drilldown=function&cut=year:2012&compare=year:-2&order=plan.sum.difference:desc&aggregates=plan.sum", strings.Join([]string{
			"2 2012 3 = 16 15 1 6.66666667",
			"2 2012 6 = 30 40 -10 -25",
			"1 2012 4 = 3 null null null",
			"2 2012 1 = 9 null null null",
			"4: 58 62 -4 -6.4516129",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
		{"the editions", "drilldown=function_edition&cut=year:2012&compare=year:-2&aggregates=plan.sum", strings.Join([]string{
			"2012 = 58 null null null",
			"1: 58 62 -4 -6.4516129",
			"year: nothing is there to compare with for 2012 (members with another number in 2010)",
		}, "\n")},
	})
}

// The store of the tests labels members by their keys.
func TestRun_NamesTheSameMembers(t *testing.T) {
	c, store := renumbered(t)
	for question, want := range map[string][2]string{
		"drilldown=function&cut=year:2012|functional:2/3": {`function: by the crosswalk of the overlay, 2/3@2012 "3" is compared with 2/1@2008 "1"`, `The codes of “function_name” changed, so the same things are compared under their new and their old codes: 3 (2/3 from 2012) is compared with 1 (2/1 up to 2011).`},
		"cut=year:2012|functional:2/3":                    {`function: by the crosswalk of the overlay, 2/3@2012 "3" is compared with 2/1@2008 "1"`, `The codes of “function_name” changed, so the same things are compared under their new and their old codes: 3 (2/3 from 2012) is compared with 1 (2/1 up to 2011).`},
		"cut=year:2012|group:2|function:3;6":              {`function: by the crosswalk of the overlay, 2/3@2012 "3" is compared with 2/1@2008 "1", 2/6@2012 "6" is compared with 1/1@2008 "1"`, `The codes of “function_name” changed, so the same things are compared under their new and their old codes: 3 (2/3 from 2012) is compared with 1 (2/1 up to 2011), 6 (2/6 from 2012) is compared with 1 (1/1 up to 2011).`},
		"drilldown=group&cut=year:2012":                   {"", ""},
	} {
		got := [2]string{}
		a := run(t, store, cubetest.Bind(t, c, question+"&compare=year:-2"))
		for i, w := range a.Warnings {
			if w.Code == cube.WarnSameAs {
				got = [2]string{got[0] + w.Message, got[1] + prose.Tell(a.Plan, a.Caveats[i], words.Locale{Language: cube.English})}
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
}
