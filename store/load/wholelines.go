package load

import (
	"context"
	"slices"

	"fiscube/store/load/files"
)

// A load leaves out lines of a file, not data points. So of a line that holds several data points either all are totals, but for those
// without amounts, and the line is left out; or all are counted, and those that are totals are told.

// linesAreRows tells whether each line of the file is one data point.
func (r *resourceSurvey) linesAreRows() bool {
	return r.resource.Points == nil || len(r.resource.Points.PerRow) < 2
}

// wholeLines gives those of some totals on whose lines nothing else has amounts. The others are counted.
func (r *resourceSurvey) wholeLines(ctx context.Context, totals []namedTotal) (whole []namedTotal, err error) {
	if r.linesAreRows() || len(totals) == 0 {
		return totals, nil
	}
	unexplained := map[int64]int{} // data points with amounts that are no totals, by line
	for _, total := range totals {
		unexplained[total.line] = 0
	}
	if err := r.eachRow(ctx, func(row files.Record) {
		if _, may := unexplained[row.Line]; may && r.hasAmounts(row.Cells) {
			unexplained[row.Line]++
		}
	}); err != nil {
		return nil, err
	}
	for _, total := range totals {
		if r.hasAmounts(total.cells) {
			unexplained[total.line]--
		}
	}
	named := map[int64]bool{}
	for _, row := range r.named {
		named[row.line] = true
	}
	for _, total := range totals {
		switch {
		case unexplained[total.line] == 0:
			whole = append(whole, total)
		case named[total.line]: // others are found as sums of rows that have more keys
			r.suspects = append(r.suspects, total)
		}
	}
	r.suspects = slices.DeleteFunc(r.suspects, func(row namedTotal) bool { // what has no amounts looked like one
		return slices.ContainsFunc(whole, func(total namedTotal) bool { return total.line == row.line })
	})
	return whole, nil
}

// totalLines gives the lines of rows without keys that are totals: of several data points one at least, and each that has amounts.
func (r *resourceSurvey) totalLines(rows []keylessRow, isTotal func(keylessRow) bool) map[int64]bool {
	lines, points := map[int64]bool{}, map[int64]int{}
	for _, row := range rows {
		points[row.line]++
		if isTotal(row) {
			lines[row.line] = true
		}
	}
	if r.linesAreRows() {
		return lines
	}
	for _, row := range rows {
		isWhole := points[row.line] == len(r.resource.Points.PerRow) // else others have keys, or were too many
		if !isWhole || !isTotal(row) && r.hasAmounts(row.cells) {
			delete(lines, row.line)
		}
	}
	return lines
}

// hasAmounts tells whether a data point has a number among its amounts.
func (r *resourceSurvey) hasAmounts(cells []string) bool {
	for _, f := range r.amounts {
		if _, _, _, ok := f.form.Read(cells[f.index]); ok {
			return true
		}
	}
	return false
}
