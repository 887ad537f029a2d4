package load

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// Some packages state the same money again and again: year-to-date figures every month. Where nobody says so, it
// shows: a field of few whole numbers, over which an amount repeats or only grows while everything else in the
// row stays as it is. Detecting that takes a sample of each resource, and is a warning, never a repair.

const (
	sampleRows    = 20_000 // of a resource
	fewestValues  = 2      // of a field that tells statements apart
	mostValues    = 31     // months, weeks, days of a month
	longestText   = 2      // characters of such a value where the field is text: longer ones are codes
	statedAgain   = 3      // statements of one key that make a series
	fewestKeys    = 3      // with such a series
	fewestSteps   = 12     // from one statement to the next: so many do not all rise by chance
	risingPercent = 95     // of the keys
)

// detectSnapshots reports the level over which an amount is stated again, where there is one. Of several it is
// the one with the longest series.
func (s *surveyor) detectSnapshots() {
	all := map[series]evidence{}
	for _, r := range s.surveys {
		if r.sample != nil {
			for id, e := range r.sample.found {
				all[id] = all[id].plus(e)
			}
		}
	}
	var convincing []series
	for _, id := range slices.SortedFunc(maps.Keys(all), s.compareSeries) {
		if all[id].convinces() && s.draft.Level(id.field) != nil && s.tellsApart(id.field) {
			convincing = append(convincing, id)
		}
	}
	if len(convincing) == 0 {
		return
	}
	best := slices.MaxFunc(convincing, func(a, b series) int { return cmp.Compare(all[a].steps, all[b].steps) })
	s.pkg.SnapshotsSuspected = best.field
	s.repaired = append(s.repaired, cube.Finding{
		Code: fdp.SnapshotDetected, Severity: cube.SeverityWarning, Field: best.field, Count: 1,
		Message: fmt.Sprintf("its values seem to be statements of the same money: over them %s; "+
			"declare snapshots in an overlay, or none", seriesText(best.field, convincing, all)),
	})
}

// compareSeries puts series in the order of the columns.
func (s *surveyor) compareSeries(a, b series) int {
	place := func(field string) int {
		return slices.IndexFunc(s.draft.Columns, func(c cube.Column) bool { return c.Name == field })
	}
	return cmp.Or(cmp.Compare(place(a.field), place(b.field)), cmp.Compare(place(a.amount), place(b.amount)))
}

// tellsApart tells whether the field has few whole numbers over all resources.
func (s *surveyor) tellsApart(field string) bool {
	numbers := map[int64]bool{}
	for _, r := range s.surveys {
		if r.sample == nil {
			continue
		}
		for _, f := range r.sample.fields {
			if f.name == field && f.numbers == nil {
				return false
			}
			if f.name == field {
				for _, n := range f.numbers {
					numbers[n] = true
				}
			}
		}
	}
	return len(numbers) >= fewestValues && len(numbers) <= mostValues
}

func seriesText(field string, list []series, all map[series]evidence) string {
	var parts []string
	for _, id := range list {
		if id.field == field {
			parts = append(parts, fmt.Sprintf("%s repeats or only grows for %d of %d keys", id.amount, all[id].rising, all[id].keys))
		}
	}
	return strings.Join(parts, ", ")
}
