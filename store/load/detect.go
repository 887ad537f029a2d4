package load

import (
	"cmp"
	"maps"
	"slices"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/store/evidence"
)

// Some packages hold several snapshots of the same money, such as year-to-date figures every month, and do not say so.
// They have a field of few whole numbers, or of few dates in each year, over which an amount repeats or only grows while everything
// else in the row stays the same. Detecting that takes a sample of each resource, and is a warning, never a repair.

// detectSnapshots reports the level that distinguishes snapshots, where there is one. Of several it is the one with the
// longest series.
func (s *surveyor) detectSnapshots() {
	all := map[amountSeries]evidence.Rise{}
	for _, r := range s.surveys {
		if r.sample != nil {
			for id, e := range r.sample.found {
				all[id] = all[id].Plus(e)
			}
		}
	}
	var convincing []amountSeries
	for _, id := range slices.SortedFunc(maps.Keys(all), s.compareSeries) {
		few, dates := s.tellsApart(id.field)
		if few && all[id].Convinces(dates) && s.draft.Level(id.field) != nil {
			convincing = append(convincing, id)
		}
	}
	if len(convincing) == 0 {
		return
	}
	best := slices.MaxFunc(convincing, func(a, b amountSeries) int { return cmp.Compare(all[a].Steps, all[b].Steps) })
	var amounts []findings.Params
	for _, id := range convincing {
		if id.field == best.field {
			amounts = append(amounts, findings.Params{"measure": id.amount, "rising": all[id].Rising, "keys": all[id].Keys})
		}
	}
	s.pkg.SnapshotsSuspected = best.field
	s.repaired = append(s.repaired, prose.Describe(findings.Finding{
		Code: fdp.SnapshotDetected, Severity: findings.SeverityWarning, Field: best.field, Count: 1,
	}, "", findings.Params{"amounts": amounts}))
}

// compareSeries puts series in the order of the columns.
func (s *surveyor) compareSeries(a, b amountSeries) int {
	index := func(field string) int {
		return slices.IndexFunc(s.draft.Columns, func(c cube.Column) bool { return c.Name == field })
	}
	return cmp.Or(cmp.Compare(index(a.field), index(b.field)), cmp.Compare(index(a.amount), index(b.amount)))
}

// tellsApart says whether the field has few whole numbers over all resources, or few dates of each year, and whether it has dates.
func (s *surveyor) tellsApart(field string) (few, dates bool) {
	numbers := map[int64]bool{}
	for _, r := range s.surveys {
		if r.sample == nil {
			continue
		}
		for _, f := range r.sample.fields {
			if f.name == field && f.numbers == nil {
				return false, false
			}
			if f.name == field {
				dates = dates || f.dates
				for _, n := range f.numbers {
					numbers[n] = true
				}
			}
		}
	}
	return len(numbers) >= fewestValues && most(dates, maps.Keys(numbers)) <= mostValues, dates
}
