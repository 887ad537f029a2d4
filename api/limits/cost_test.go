package limits

import (
	"testing"

	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

func TestLength_OfCells(t *testing.T) {
	c := cubetest.SpendingOfYears(t) // four years
	for _, test := range []struct {
		rows     int64
		question string
		page     query.Page
		want     length
	}{
		{1000, "drilldown=town", query.Every, maybeShort},
		{1000, "drilldown=town", query.Page{Number: 2, Size: shortRows}, isShort},
		{1000, "drilldown=town", query.Page{Number: 2, Size: shortRows + 1}, maybeShort},
		{1000, "", query.Every, isShort},
		{dearRows, "", query.Every, isLong},
		{dearRows, "cut=year:2016&drilldown=town", query.Every, maybeShort},
	} {
		c.Rows = test.rows
		q, err := cubetest.Read(test.question)
		if err != nil {
			t.Fatal(err)
		}
		q.Page = test.page
		p, err := plan.Bind(c, q)
		if err != nil {
			t.Fatal(err)
		}
		if got := lengthOfCells(p); got != test.want {
			t.Errorf("%+v is %d", test, got)
		}
	}
}

func TestLength_OfFacts(t *testing.T) {
	c := cubetest.SpendingOfYears(t)
	for _, test := range []struct {
		rows int64
		cut  string
		want length
	}{
		{shortRows, "", isShort},
		{shortRows, "region:n", isShort},
		{shortRows + 1, "", isLong},
		{shortRows + 1, "region:n", maybeShort},
		{dearRows, "region:n", isLong},
		{dearRows, "year:2016", maybeShort},
	} {
		c.Rows = test.rows
		given := map[string]string{}
		if test.cut != "" {
			given["cut"] = test.cut
		}
		q, err := query.ParseFactQuery(given)
		if err != nil {
			t.Fatal(err)
		}
		q.Size = query.EveryFact
		p, err := plan.BindFacts(c, q)
		if err != nil {
			t.Fatal(err)
		}
		if got := lengthOfFacts(p); got != test.want {
			t.Errorf("%+v is %d", test, got)
		}
	}
}
