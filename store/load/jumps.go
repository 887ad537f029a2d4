package load

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/load/numeric"
)

// findJumps notes the years whose amounts are of another order than those of the year before (cube.YearJumps).
func (s *surveyor) findJumps(report *findings.Report) {
	if s.pkg.Coverage == nil {
		return
	}
	sums := s.sumsOfLast()
	measures, years := report.TotalsByYear()
	for _, measure := range measures {
		amounts := sums[measure]
		if amounts == nil {
			amounts = map[int64]decimal.Decimal{}
			for _, of := range years {
				if year, err := strconv.ParseInt(of.Year, 10, 64); err == nil && of.Sums[measure].Valid {
					amounts[year] = of.Sums[measure].Decimal
				}
			}
		}
		jumps := cube.YearJumps{Column: measure}
		order := slices.Sorted(maps.Keys(amounts))
		for i := 1; i < len(order); i++ {
			switch cube.JumpOf(amounts[order[i-1]], amounts[order[i]]) {
			case 1:
				jumps.Up = append(jumps.Up, order[i])
			case -1:
				jumps.Down = append(jumps.Down, order[i])
			}
		}
		if len(jumps.Up)+len(jumps.Down) > 0 {
			s.pkg.Coverage.Jumps = append(s.pkg.Coverage.Jumps, jumps)
		}
	}
}

// sumsOfLast adds up the last snapshots of each fiscal year, by measure: of measures that repeat money over the snapshots.
func (s *surveyor) sumsOfLast() map[string]map[int64]decimal.Decimal {
	declared, sums := s.draft.Snapshots, map[string]map[int64]decimal.Decimal{}
	if declared == nil {
		return nil
	}
	year := -1
	if i := s.draft.FiscalYearIndex(); i >= 0 {
		year = slices.Index(declared.Per, s.draft.Columns[i].Name)
	}
	last := map[string]int64{}
	each := func(do func(period string, snap *snapshot, r *snapshots)) {
		for i, r := range s.surveys {
			for _, snap := range r.snapshots.byCells {
				if s.pkg.Resources[i].LeftOut == "" && snap.ranked {
					do(strings.Join(snap.Period, "\x00"), snap, r.snapshots)
				}
			}
		}
	}
	each(func(period string, snap *snapshot, _ *snapshots) { last[period] = max(snap.rank, last[period]) })
	each(func(period string, snap *snapshot, r *snapshots) {
		if snap.rank != last[period] {
			return
		}
		of := int64(0)
		if year >= 0 {
			of, _ = strconv.ParseInt(strings.TrimSpace(snap.Period[year]), 10, 64)
		}
		for i, measure := range r.measures {
			if s.draft.Measure(measure).Flow {
				continue
			}
			if sums[measure] == nil {
				sums[measure] = map[int64]decimal.Decimal{}
			}
			if sum := snap.sums[i]; sum != numeric.None && of > 0 {
				sums[measure][of] = sums[measure][of].Add(decimal.New(sum, -numeric.FixedDecimals))
			}
		}
	})
	return sums
}

// findOnlyMembers names the members that all rows are of: in each dimension but time the deepest that has a name (cube.OnlyMember).
func (s *surveyor) findOnlyMembers() {
	for _, dimension := range s.draft.Dimensions {
		var only *cube.OnlyMember
		for _, level := range dimension.Levels {
			f := s.fields[level.LabelRef]
			if dimension.Type == cube.DimensionTime || f == nil || f.missing > 0 || len(f.few) != 1 {
				continue
			}
			for label := range f.few {
				only = &cube.OnlyMember{Level: level.Ref, Label: label}
			}
		}
		if only != nil {
			s.pkg.OnlyMembers = append(s.pkg.OnlyMembers, *only)
		}
	}
}
