package load

import (
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/store/catalogue"
)

// repeat says how the rows of a package are read several times, each time with later fiscal years: a package of the same
// shape with more rows, to measure with.
type repeat struct {
	times    int64
	span     int64 // the years from the first to the last, by which each time is later than the one before
	year     int   // the index of the column of the fiscal year
	editions map[int]*cube.Derivation
}

// latestYear bounds the years of rows that are read again.
const latestYear = 9999

// newRepeat says how the rows of a surveyed package are read so many times, and brings its catalogue in line with them.
// Findings and control totals stay those of the files.
func newRepeat(pkg *cube.Package, d *cube.Draft, times int64) (repeat, error) {
	r := repeat{times: max(1, times), editions: map[int]*cube.Derivation{}}
	if r.times == 1 {
		return r, nil
	}
	r.year = d.FiscalYearIndex()
	if r.year < 0 || pkg.Coverage == nil {
		return r, cube.Errorf(cube.CodeBadPackage, "%s cannot be read %d times with other years: its rows have no fiscal year", pkg.Name, times)
	}
	first, last := pkg.Coverage.Years[0], pkg.Coverage.Years[len(pkg.Coverage.Years)-1]
	r.span = last - first + 1
	if most := 1 + (latestYear-last)/r.span; r.times > most {
		return r, cube.Errorf(cube.CodeBadPackage, "%s has the years %d to %d and cannot be read %d times: at most %d times, so that none is after %d",
			pkg.Name, first, last, times, max(1, most), latestYear)
	}
	for i, c := range d.Columns {
		if c.IsEdition() {
			r.editions[i] = c.From
		}
	}
	pkg.Coverage = r.coverage(pkg.Coverage)
	for i := range pkg.Resources {
		found := &pkg.Resources[i].Found
		found.Rows *= r.times
		if found.FirstYear != 0 {
			found.LastYear += (r.times - 1) * r.span
		}
	}
	if d.Snapshots != nil {
		d.Snapshots.Statements = r.statements(d.Snapshots, d.Columns[r.year].Name)
	}
	return r, nil
}

func (r repeat) coverage(once *cube.YearCoverage) *cube.YearCoverage {
	all := &cube.YearCoverage{Years: r.years(once.Years)}
	for _, gap := range once.Gaps {
		all.Gaps = append(all.Gaps, cube.YearGap{Column: gap.Column, Years: r.years(gap.Years)})
	}
	for _, zero := range once.Zeros {
		all.Zeros = append(all.Zeros, cube.YearGap{Column: zero.Column, Years: r.years(zero.Years)})
	}
	for k := range r.times {
		for _, of := range once.Periods {
			of.Year += k * r.span
			all.Periods = append(all.Periods, of)
		}
	}
	return all
}

func (r repeat) years(once []int64) []int64 {
	var all []int64
	for k := range r.times {
		all = append(all, each.Of(once, func(year int64) int64 { return year + k*r.span })...)
	}
	return all
}

// statements lists the snapshots of the periods of all years. Those of periods without a year have their rows several times.
func (r repeat) statements(s *cube.Snapshots, year string) []cube.PeriodSnapshot {
	at := slices.Index(s.Per, year)
	var all []cube.PeriodSnapshot
	for k := range r.times {
		for _, statement := range s.Statements {
			if at < 0 || statement.Period[at] == "" {
				statement.Rows *= r.times
				if k == 0 {
					all = append(all, statement)
				}
				continue
			}
			statement.Period = slices.Clone(statement.Period)
			statement.Period[at] = r.later(statement.Period[at], k)
			all = append(all, statement)
		}
	}
	return all
}

// shift puts the cells of a row into the years of the k-th time, and so into the editions of those. A row without a year
// stays without.
func (r repeat) shift(row catalogue.Row, k int64, codes []*columnCodes) {
	if k == 0 || row.Cells[r.year] == "" {
		return
	}
	put := func(i int, cell string) { row.Cells[i], row.Codes[i] = cell, codes[i].of(cell) }
	later := r.later(row.Cells[r.year], k)
	put(r.year, later)
	year, _ := strconv.ParseInt(later, 10, 64)
	for i, d := range r.editions {
		put(i, "")
		if first, ok := d.Edition(year); ok {
			put(i, strconv.FormatInt(first, 10))
		}
	}
}

// later gives the cell of a year in the k-th time.
func (r repeat) later(cell string, k int64) string {
	year, _ := strconv.ParseInt(cell, 10, 64) // the survey saw that it is a number
	return strconv.FormatInt(year+k*r.span, 10)
}
