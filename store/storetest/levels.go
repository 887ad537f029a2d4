package storetest

import (
	"strings"

	"fiscube/cube/query"
)

// everyLevel compares the amounts of all measures, by each level and over all of them, with the rows of the CSV files.
func (e *examination) everyLevel() {
	if len(e.version.Cuboids) != 1 || e.version.Cuboids[0].Rows != e.version.Rows {
		e.Fatalf("the version has the cuboids %+v", e.version.Cuboids)
	}
	aggregates := []string{"_count"}
	for _, m := range e.version.Model.Measures() {
		for _, function := range []string{"sum", "count", "min", "max"} {
			aggregates = append(aggregates, query.QuoteName(m.Ref)+"."+function)
		}
	}
	asked := "snapshots=all&aggregates=" + strings.Join(aggregates, "|")
	questions := []string{asked}
	for _, l := range e.version.Model.Levels() {
		if l.Listed {
			questions = append(questions, asked+"&drilldown="+query.QuoteName(l.Ref))
		}
	}
	for _, question := range questions {
		q, err := Query(question)
		if err == nil {
			_, err = e.check(q)
		}
		if err != nil {
			e.Errorf("%s: %v", question, err)
		}
	}
}
