package answer_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/cubetest"
	"fiscube/internal/each"
)

// A line that is in earlier snapshots of a period and not in the last has the amount of the latest that has one, in the declared order. A
// line is all that levels outside time tell apart.
func TestNotInLast(t *testing.T) {
	c := cubetest.YearToDate(t, func(d *cube.Draft) {
		cubetest.Snapshots("2016/first", "2016/second", "2016/third", "2017/first", "2017/second")(d)
		d.Snapshots.Order = []string{"third", "second", "first"}
		d.Columns = append(d.Columns, cube.Column{Name: "source", Type: cube.TypeText}, cube.Column{Name: "source_name", Type: cube.TypeText})
		d.Dimensions = append(d.Dimensions, cube.Dimension{Name: "sources", Levels: []cube.Level{{Ref: "source", LabelRef: "source_name"}}})
		d.Measures[0].Factor = "-10"
	})
	store := cubetest.NewStore(c.Model,
		"2016 third  - - a 1 - tax -", "2016 second - - a 2 - tax -", "2016 first - - a 3 - tax -",
		"2016 third  - - b 4 - tax -", "2016 second - - b 5 - tax -",
		"2016 third  - - c 6 - fee -", "2016 second - - c - - fee -",
		"2016 second - - d 7 - tax -", "2016 first - - d 7 - fee -", // another source is another line
		"2016 second - - e 0 - tax -", "2016 second - - - 8 - tax -",
		"2017 second - - a 9 - tax -", "2017 second - - a 1 - tax -", "2017 first - - b 1 - tax -",
	)
	for question, want := range map[string]string{
		"":                                    "2017: tax TAX second second -100, 2016: tax TAX second second -80, 2016: tax TAX second second -70, 2016: fee FEE third third -60, 2016: tax TAX third second -50",
		"cut=ejercicio:2017":                  "2017: tax TAX second second -100",
		"cut=titulo:b;c":                      "2016: fee FEE third third -60, 2016: tax TAX third second -50",
		"drilldown=titulo&cut=titulo:b":       "2016: tax TAX third second -50",
		"cut=titulo:d|source:tax":             "2016: tax TAX second second -70",
		"cut=ejercicio:2016|mes:third;second": "",
		"cut=titulo:e":                        "",
		"cut=mes:first":                       "all are counted",
		"snapshots=all":                       "all are counted",
	} {
		got := "all are counted"
		if n := cubetest.Bind(t, c, question+"&aggregates=pi_monto.sum").NotInLast(); n != nil {
			measure, _ := c.Model.Measure("pi_monto")
			left, err := answer.NotInLast(t.Context(), store, n, measure, 6)
			if err != nil || left.TooMany {
				t.Fatalf("%q: %v, %+v", question, err, left)
			}
			if few, err := answer.NotInLast(t.Context(), store, n, measure, len(left.Lines)-1); err != nil || len(left.Lines) > 1 && !few.TooMany {
				t.Errorf("%q: %v, %+v", question, err, few)
			}
			got = strings.Join(each.Text(left.Lines, func(l caveat.LeftBehind) string {
				return fmt.Sprint(l.Period[0], ": ", l.Member, " ", l.Label, " ", l.First, " ", l.Last, " ", l.Amount)
			}), ", ")
		}
		if got != want {
			t.Errorf("%q:\n%s, want\n%s", question, got, want)
		}
	}
}
