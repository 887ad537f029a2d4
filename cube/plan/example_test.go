package plan_test

import (
	"fmt"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// A question goes from text over Query to Plan; what is wrong with it says where.
func ExampleBind() {
	model, err := cube.NewModel(
		[]cube.Column{
			{Name: "Year", Type: cube.TypeInteger, FiscalYear: true},
			{Name: "admin1_code", Type: cube.TypeText},
			{Name: "admin1_label", Type: cube.TypeText},
			{Name: "approved_value", Type: cube.TypeDecimal, Scale: 2},
		},
		[]cube.Dimension{
			{Name: "date", Levels: []cube.Level{{Ref: "Year"}}},
			{Name: "administrative", Levels: []cube.Level{{Ref: "admin1_code", LabelRef: "admin1_label"}}},
		},
		[]cube.Measure{{Ref: "approved_value"}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	croatia := &cube.Cube{Package: &cube.Package{Name: "croatia", Model: model}}
	for _, drilldown := range []string{"administrative", "admn1_code"} {
		refs, _ := query.ParseDrilldown(drilldown)
		cuts, _ := query.ParseCut("Year:2017;2016")
		p, err := plan.Bind(croatia, query.Query{Drilldown: refs, Cuts: cuts, Page: query.FirstPage})
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(p)
		fmt.Println(p.Columns())
	}
	// Output:
	// drilldown=admin1_code&cut=Year:2016;2017&aggregates=_count|approved_value.sum&order=admin1_code:asc&page=1&pagesize=100
	// [admin1_code admin1_label _count approved_value.sum]
	// drilldown at 0: no field or dimension "admn1_code" (did you mean admin1_code?)
}
