package e2e

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// The facts behind a cell say which of its amounts count each: with these, they add up to all of them, in JSON and in CSV.
func TestFacts_SayWhichAmountsCountThem(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "store/storetest/testdata/packages/monthly", "--db", db)
		s := serve(t, db)
		defer s.stop(t)
		var cells struct{ Cells []map[string]any }
		s.read(t, "/cubes/monthly/aggregate?drilldown=year&aggregates=plan.sum|fees.sum&links=1&numbers=string", &cells)
		if len(cells.Cells) != 2 {
			t.Fatalf("%d cells, want those of two years", len(cells.Cells))
		}
		for _, cell := range cells.Cells {
			link := "/cubes/monthly/facts?fields=plan|fees&cut=" + cell["_cut"].(string) + "&snapshots=" + cell["_snapshots"].(string)
			var facts struct {
				Fields []string
				Facts  []map[string]any
			}
			s.read(t, link+"&numbers=string", &facts)
			if want := []string{"plan", "fees", "_counts", "_resource", "_line"}; !slices.Equal(facts.Fields, want) {
				t.Errorf("%s has the fields %q, want %q", link, facts.Fields, want)
			}
			_, body := s.get(t, link+"&format=csv")
			rows, err := csv.NewReader(strings.NewReader(string(body))).ReadAll()
			check(err)
			for i, amount := range []string{"plan", "fees"} {
				ofJSON, ofCSV := decimal.Zero, decimal.Zero
				for _, fact := range facts.Facts {
					if slices.Contains(strings.Split(fact["_counts"].(string), "|"), amount) {
						ofJSON = ofJSON.Add(decimal.RequireFromString(fact[amount].(string)))
					}
				}
				for _, row := range rows[1:] {
					if slices.Contains(strings.Split(row[2], "|"), amount) {
						ofCSV = ofCSV.Add(decimal.RequireFromString(row[i]))
					}
				}
				if want := decimal.RequireFromString(cell[amount+".sum"].(string)); !ofJSON.Equal(want) || !ofCSV.Equal(want) {
					t.Errorf("%s: the facts that count for %s add up to %s and %s, want %s", link, amount, ofJSON, ofCSV, want)
				}
			}
		}
	})
}
