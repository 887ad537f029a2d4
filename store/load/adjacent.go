package load

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube/repair"
	"fiscube/internal/tidy"
	"fiscube/store/load/files"
)

// A row may be the sum of rows that stand next to it, as in a statement (revenue, its total, expenditure, its total, the balance of both), or in a short
// classification (1, 11 and 12). No key tells it from others, so that it is counted, and looks like a total:
//
//  1. A row adds up two lines or more, all directly above it or all directly below. A line is a row, with all rows that it adds up. A balance is what the
//     first of the two lines above it, which add up rows, has more than the second.
//  2. All measures are compared; rows without any are no lines. Data points of a line are compared with those at their place in other lines.
//  3. Few equal sums are chance. Such rows and those that they add up are two thirds of a file at least, and two of them or more are named totals, have
//     a code that the codes of all their lines begin with, or have so many digits that it is no chance.
const (
	mostAdjacent   = 2000 // rows of a file that are compared
	fewestAdjacent = 2    // rows of 3.
	digitsOfNoLuck = 4    // but zeros at the end
)

// adjacentRow is a row with the lines next to it that it adds up.
type adjacentRow struct {
	files.Record
	amount uint64
	lines  []adjacentRow
	rows   int  // itself and all that it adds up
	isLess bool // it is the difference of two lines
}

// findAdjacentTotals notes rows that are the sums of those next to them.
func (r *resourceSurvey) findAdjacentTotals(ctx context.Context) error {
	if r.totalsOff || r.resource.LeftOut != "" || r.resource.Found.Rows > mostAdjacent {
		return nil
	}
	factors := make([]uint64, len(r.amounts))
	for i, f := range r.amounts {
		if isMeasure(r.draft.Columns[f.column], r.draft) {
			factors[i] = 1 + rand.Uint64N(prime-1)
		}
	}
	series, all := map[string][]adjacentRow{}, 0 // by year, and place among the data points of a line
	last, point := int64(0), 0
	err := r.eachRow(ctx, func(row files.Record) {
		if point++; row.Line != last {
			last, point = row.Line, 0
		}
		amount := uint64(0)
		for i, f := range r.amounts {
			amount = plus(amount, times(factors[i], f.remainder(row.Cells[f.index], f.noiseRule())))
		}
		if amount != 0 && !r.isSkipped(row.Line) {
			at := strings.TrimSpace(r.yearCell(row.Cells)) + "\x00" + strconv.Itoa(point)
			series[at] = append(series[at], adjacentRow{Record: files.Record{Line: row.Line, Cells: slices.Clone(row.Cells)}, amount: amount, rows: 1})
			all++
		}
	})
	if err != nil {
		return err
	}
	for _, above := range []bool{true, false} {
		var totals []adjacentRow
		added, sure := 0, 0
		for _, at := range slices.Sorted(maps.Keys(series)) {
			lines, found := linesJoined(series[at], above)
			totals = append(totals, found...)
			for _, line := range lines {
				if line.lines != nil {
					added += line.rows
				}
			}
		}
		for _, total := range totals {
			if r.isNoChance(total) {
				sure++
			}
		}
		if added*3 >= all*2 && sure >= fewestAdjacent {
			r.noteAdjacent(totals)
			return nil
		}
	}
	return nil
}

// linesJoined joins rows to those above them, or below, that they add up, and gives these rows too.
func linesJoined(rows []adjacentRow, above bool) (lines, totals []adjacentRow) {
	if !above {
		slices.Reverse(rows)
	}
	for _, row := range rows {
		sum, added := uint64(0), 0
		for n := 1; n <= len(lines) && added == 0; n++ {
			if sum = plus(sum, lines[len(lines)-n].amount); n > 1 && sum == row.amount {
				added = n
			}
		}
		if at := len(lines) - 2; above && added == 0 && at >= 0 && lines[at].lines != nil && lines[at+1].lines != nil && plus(row.amount, lines[at+1].amount) == lines[at].amount {
			added, row.isLess = 2, true
		}
		if added > 0 {
			row.lines = slices.Clone(lines[len(lines)-added:])
			for _, line := range row.lines {
				row.rows += line.rows
			}
			totals = append(totals, row)
		}
		lines = append(lines[:len(lines)-added], row)
	}
	return lines, totals
}

// isNoChance tells whether a row is the sum of others by its name, its code or its digits.
func (r *resourceSurvey) isNoChance(total adjacentRow) bool {
	for _, f := range r.fields {
		if f.asNumber {
			digits, _, _, _ := f.form.Read(total.Cells[f.index])
			if len(strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(digits), "0")) >= digitsOfNoLuck {
				return true
			}
			continue
		}
		named, _ := nameOfTotal(total.Cells[f.index])
		code := codeIn(total.Cells[f.index])
		isAbove := code != ""
		for _, line := range total.lines {
			below := codeIn(line.Cells[f.index])
			isAbove = isAbove && below != code && strings.HasPrefix(below, code)
		}
		if named || isAbove {
			return true
		}
	}
	return false
}

// codeIn gives the code of a cell that joins one with a label, and else the cell.
func codeIn(cell string) string {
	if code, _, ok := tidy.Split(cell); ok {
		return code
	}
	return tidy.Key(cell)
}

// noteAdjacent notes rows that look like totals, each line once.
func (r *resourceSurvey) noteAdjacent(totals []adjacentRow) {
	known := map[int64]bool{}
	for _, row := range r.subtotals {
		known[row.Line] = true
	}
	slices.SortStableFunc(totals, func(a, b adjacentRow) int { return cmp.Compare(a.Line, b.Line) })
	for _, total := range totals {
		if known[total.Line] {
			continue
		}
		known[total.Line] = true
		r.subtotalRows++
		if len(r.subtotals) == mostDescribed {
			continue
		}
		found := r.subtotal(total.Record)
		found.Rows, found.IsDifference = len(total.lines), total.isLess
		for _, line := range total.lines[:min(len(total.lines), mostBelow)] {
			found.Below = append(found.Below, line.Line)
		}
		slices.Sort(found.Below)
		r.subtotals = append(r.subtotals, found)
	}
	isNoted := func(row namedTotal) bool { return known[row.line] }
	r.suspects = slices.DeleteFunc(r.suspects, isNoted)
	slices.SortFunc(r.subtotals, func(a, b repair.Subtotal) int { return cmp.Compare(a.Line, b.Line) })
}
