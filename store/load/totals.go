package load

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/repair"
)

// exactSum adds amounts exactly. Most amounts fit 64 bits: they are added by their number of decimals, and
// only when such a sum grows large is it moved into a decimal.
type exactSum struct {
	small [maxSmallScale + 1]int64
	large decimal.Decimal
	noise []string // cells with float noise, which are rounded when the column's decimals are known
	cells int64
}

const (
	maxSmallScale  = 10
	maxSmallDigits = 17
	mostSmall      = int64(1) << 61
)

// add adds a cell; one that is no number is left out, as it is a finding of its own.
func (s *exactSum) add(cell string, form numberForm) {
	digits, before, after, ok := form.read(cell)
	if !ok {
		return
	}
	s.cells++
	if after > noiseDecimals {
		s.noise = append(s.noise, strings.Clone(digits))
		return
	}
	if before+after > maxSmallDigits || after > maxSmallScale {
		if d, err := decimal.NewFromString(digits); err == nil {
			s.large = s.large.Add(d)
		}
		return
	}
	s.small[after] += unscaled(digits)
	if s.small[after] > mostSmall || s.small[after] < -mostSmall {
		s.large = s.large.Add(decimal.New(s.small[after], -int32(after)))
		s.small[after] = 0
	}
}

// unscaled reads the digits of a number without its point.
func unscaled(digits string) int64 {
	var n int64
	for i := range len(digits) {
		if c := digits[i]; c >= '0' && c <= '9' {
			n = n*10 + int64(c-'0')
		}
	}
	if strings.HasPrefix(digits, "-") {
		return -n
	}
	return n
}

// total is the sum of the cells as they are stored, with so many decimals.
func (s *exactSum) total(scale int) decimal.Decimal {
	total := s.large
	for _, cell := range s.noise {
		if d, err := decimal.NewFromString(roundNoise(cell, scale)); err == nil {
			total = total.Add(d)
		}
	}
	for scale, n := range s.small {
		if n != 0 {
			total = total.Add(decimal.New(n, -int32(scale)))
		}
	}
	return total
}

// settleTotals finds, of the rows without keys, those whose amounts are the totals of the other rows, of the file
// or of their year. The others are rows like any, and are counted now; where rows have keys they are odd.
func (r *resourceSurvey) settleTotals() {
	all, candidates := r.allYears(), r.keyless
	off := r.source.overlay.Off(repair.TotalsRow, "")
	r.keyless = nil
	var others []keylessRow
	for _, row := range candidates {
		if !off && (r.isTotal(row, all) || r.isTotal(row, r.yearSums(row.year))) {
			r.totals = append(r.totals, row.line)
		} else {
			others = append(others, row)
		}
	}
	for _, row := range others {
		r.count(row.year, row.cells)
		if all != nil {
			r.others = append(r.others, row.line)
		}
	}
}

func (r *resourceSurvey) isTotal(row keylessRow, sums []decimal.Decimal) bool {
	if sums == nil {
		return false
	}
	amounts := 0
	for i, f := range r.amounts {
		digits, _, _, ok := f.form.read(row.cells[f.place])
		if !ok {
			continue
		}
		amount, err := decimal.NewFromString(digits)
		if err != nil || !amount.Equal(sums[i]) {
			return false
		}
		amounts++
	}
	return amounts > 0
}

func (r *resourceSurvey) yearSums(year string) []decimal.Decimal {
	stats, ok := r.years[year]
	if !ok {
		return nil
	}
	sums := make([]decimal.Decimal, len(stats.sums))
	for i := range stats.sums {
		sums[i] = stats.sums[i].total(r.amounts[i].settledScale())
	}
	return sums
}

func (r *resourceSurvey) allYears() []decimal.Decimal {
	var sums []decimal.Decimal
	for year := range r.years {
		of := r.yearSums(year)
		if sums == nil {
			sums = make([]decimal.Decimal, len(of))
		}
		for i := range of {
			sums[i] = sums[i].Add(of[i])
		}
	}
	return sums
}

// controlTotals lists the sums of the measures by year, as read from the file.
func (r *resourceSurvey) controlTotals() []cube.ControlTotal {
	var list []cube.ControlTotal
	for _, year := range slices.Sorted(maps.Keys(r.years)) {
		stats := r.years[year]
		for i, f := range r.amounts {
			sum := &stats.sums[i]
			if r.draft.Measure(f.name) != nil {
				list = append(list, cube.ControlTotal{
					Resource: r.resource.Name, Year: year, Measure: f.name, Sum: r.sumText(sum, f.name),
					Cells: sum.cells, Rows: stats.digest.Rows,
				})
			}
		}
	}
	return list
}

// sumText prints a sum with the decimals of its measure; of no cells it is empty, as the sum of nothing is.
func (r *resourceSurvey) sumText(sum *exactSum, measure string) string {
	if sum.cells == 0 {
		return ""
	}
	scale := r.draft.Column(measure).Scale
	return sum.total(scale).StringFixed(int32(scale))
}

// coverage tells which columns the file fills.
func (r *resourceSurvey) coverage() []cube.Coverage {
	var list []cube.Coverage
	for _, f := range r.fields {
		list = append(list, cube.Coverage{Column: f.name, Resource: r.resource.Name, Filled: f.cells})
	}
	for _, name := range r.absent {
		list = append(list, cube.Coverage{Column: name, Resource: r.resource.Name, Absent: true})
	}
	return list
}

// yearOutside counts the rows whose year is not the one that the resource's name ends in.
func (r *resourceSurvey) yearOutside() (named string, rows int64) {
	name := strings.TrimSuffix(strings.TrimSuffix(r.resource.Name, ".gz"), ".csv")
	i := strings.LastIndex(name, "__")
	if i < 0 {
		return "", 0
	}
	named = name[i+2:]
	if _, err := strconv.Atoi(named); err != nil || len(named) != len("2017") {
		return "", 0
	}
	for year, stats := range r.years {
		if year != named {
			rows += stats.digest.Rows
		}
	}
	return named, rows
}
