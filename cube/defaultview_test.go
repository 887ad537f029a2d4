package cube_test

import (
	"cmp"
	"strings"
	"testing"

	"fiscube/cube"
)

// The last year is passed over where its statements end early, and where it has no amounts of the leading measure.
func TestCube_DefaultView(t *testing.T) {
	for _, test := range []struct {
		name string
		last string // the snapshot that the last year ends with
		full string // likewise the years before; "12" where it is ""
		gaps []cube.YearGap
		year int64
		bare bool // without coverage
	}{
		{name: "all years are complete", last: "12", year: 2018},
		{name: "the last year goes until June", last: "06", year: 2017},
		{name: "dates of whole years", full: "2016-12-30 2017-12-31", last: "2018-12-28", year: 2018},
		{name: "dates until June", full: "2016-12-31 2017-12-31", last: "2018-06-30", year: 2017},
		{name: "dates of years from October", full: "2016-09-30 2017-09-30", last: "2018-09-30", year: 2018},
		{name: "dates of a year from October until December", full: "2016-09-30 2017-09-30", last: "2017-12-31", year: 2017},
		{name: "the last year has no amounts", last: "12", gaps: []cube.YearGap{{Column: "paid", Years: []int64{2018}}}, year: 2017},
		{name: "no year is complete and has amounts", last: "06", gaps: []cube.YearGap{{Column: "paid", Years: []int64{2016, 2017}}}, year: 2018},
		{name: "no year has amounts", last: "12", gaps: []cube.YearGap{{Column: "paid", Years: []int64{2016, 2017, 2018}}}, year: 2018},
		{name: "an old version", last: "06", bare: true, year: 2018},
	} {
		columns := []cube.Column{
			{Name: "Year", Type: cube.TypeInteger, FiscalYear: true}, {Name: "month", Type: cube.TypeText},
			{Name: "place", Type: cube.TypeText}, {Name: "func", Type: cube.TypeText}, {Name: "paid"},
		}
		model, err := cube.NewModel(columns, []cube.Dimension{
			{Name: "date", Type: cube.DimensionTime, Levels: []cube.Level{{Ref: "Year"}}},
			{Name: "month", Levels: []cube.Level{{Ref: "month"}}},
			{Name: "functional", Type: "classification", Classification: "functional", Levels: []cube.Level{{Ref: "func"}}},
		}, []cube.Measure{{Ref: "paid"}})
		if err != nil {
			t.Fatal(err)
		}
		draft := model.Draft()
		full := strings.Fields(cmp.Or(test.full, "12 12"))
		draft.Snapshots = &cube.Snapshots{By: "month", Per: []string{"Year"}, Statements: []cube.PeriodSnapshot{
			{Period: []string{"2016"}, Snapshot: full[0], Rows: 1}, {Period: []string{"2017"}, Snapshot: full[1], Rows: 1},
			{Period: []string{"2018"}, Snapshot: test.last, Rows: 1},
		}}
		if model, err = draft.Model(); err != nil {
			t.Fatal(err)
		}
		c := cube.Cube{Package: &cube.Package{Model: model, Resources: []cube.Resource{{Found: cube.Found{FirstYear: 2016, LastYear: 2018}}}}}
		if !test.bare {
			c.Coverage = &cube.YearCoverage{Years: []int64{2016, 2017, 2018}, Gaps: test.gaps}
		}
		if v := c.DefaultView(); v.Measure != "paid" || v.Level != "func" || v.Year == nil || *v.Year != test.year {
			t.Errorf("%s: %+v", test.name, v)
		}
	}
	model, err := cube.NewModel(nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v := (&cube.Cube{Package: &cube.Package{Model: model}}).DefaultView(); v != (cube.View{}) {
		t.Errorf("of nothing: %+v", v)
	}
}
