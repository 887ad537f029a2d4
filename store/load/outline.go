package load

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"fiscube/store/load/files"
)

// In a document the rows of a chapter stand together, and its total stands directly above or below them, often with no key that says so:
//
//  1. A row is such a total if its amounts are those of the rows next to it, on the side where the parts stand, of which two or more have amounts. Rows that
//     are totals themselves count, and what they add up does not. All amounts of a line are compared, and rows without any are passed over.
//  2. It names a total, or has other columns filled than a part, or a cell that no other line has: of months and funds one may be the sum of two, again and
//     again. One row with the same amounts is enough if the total names one, or has the columns filled that a total of several has, and the part others.
//  3. Equal sums of few round amounts are chance. So a file has such totals only if three add up several rows, and if half of its rows with
//     amounts are totals or stand below one.
//  4. The parts stand on the side where more rows are explained. What is no total is compared once more, for totals on the other side: a sum
//     below each chapter that begins with one. A row is a total, too, if it adds up all rows with the columns of totals, wherever they stand.
//  5. Among such totals a row that is named one may differ from the rows above it by what rounding loses.
//  6. Other rows that are named totals, or have the cells that only totals have, are counted, and answers say so.
//
// Documents are short: longer files are not compared.

const (
	mostOutlined   = 50_000 // rows
	fewestOutlined = 3      // totals of several rows
)

// outlineLine is a line with amounts.
type outlineLine struct {
	line   int64
	amount uint64 // its amounts, joined
	keys   keySet // of its first data point
	named  bool   // as a total
	own    bool   // it has a cell that no other line has
	cells  []uint64
	total  bool
	below  int // lines that it adds up, and that they do
}

// findOutline gives the rows that are the totals of the rows next to them.
func (r *resourceSurvey) findOutline(ctx context.Context) ([]namedTotal, error) {
	if r.totalsOff || r.resource.Found.Rows > mostOutlined || len(r.amounts) == 0 {
		return nil, nil
	}
	lines, err := r.outlineLines(ctx)
	if err != nil {
		return nil, err
	}
	whole := map[keySet]outlineLine{} // the sums of all lines, by their keys
	for _, l := range lines {
		sum := whole[l.keys]
		whole[l.keys] = outlineLine{amount: plus(sum.amount, l.amount), below: sum.below + 1}
	}
	totals, keys := map[int64]bool{}, map[keySet]bool{}
	for fewest := fewestOutlined; ; fewest = 1 {
		up := slices.Clone(lines)
		slices.Reverse(up)
		if explained(up, fewest) > explained(lines, fewest) {
			slices.Reverse(up)
			lines = up
		}
		before := len(totals)
		lines = slices.DeleteFunc(lines, func(l outlineLine) bool {
			if l.total {
				totals[l.line], keys[l.keys] = true, true
			}
			return l.total
		})
		if len(totals) == before {
			break
		}
	}
	if len(totals) == 0 {
		return nil, nil
	}
	parts, named, suspects := map[keySet]int{}, map[int64]bool{}, map[int64]bool{}
	for _, l := range lines {
		parts[l.keys]++
		named[l.line] = l.named
	}
	if err := r.findRounded(ctx, totals, named); err != nil {
		return nil, err
	}
	for _, l := range lines {
		for k := range keys {
			if sum := whole[k]; k != l.keys && sum.below > 1 && sum.amount == l.amount {
				totals[l.line] = true
			}
		}
		suspects[l.line] = !totals[l.line] && (l.named || keys[l.keys] && parts[l.keys]*2 < len(lines))
	}
	return r.takeOutline(ctx, totals, suspects)
}

// takeOutline gives the rows of lines that are totals, and notes those that look like some.
func (r *resourceSurvey) takeOutline(ctx context.Context, totals, suspects map[int64]bool) (rows []namedTotal, err error) {
	r.suspects = slices.DeleteFunc(r.suspects, func(row namedTotal) bool { return totals[row.line] || suspects[row.line] })
	err = r.eachRow(ctx, func(row files.Record) {
		total := namedTotal{line: row.Line, cells: row.Cells}
		switch {
		case totals[row.Line]:
			total.cells = slices.Clone(row.Cells)
			rows = append(rows, total)
		case suspects[row.Line] && len(r.suspects) < mostNamed:
			total.cells = slices.Clone(row.Cells)
			r.suspects = append(r.suspects, total)
		}
	})
	return rows, err
}

// outlineLines gives the lines that have amounts.
func (r *resourceSurvey) outlineLines(ctx context.Context) (lines []outlineLine, err error) {
	var factors []uint64    // of each amount of a line
	met := map[uint64]int{} // how many lines have a cell
	err = r.eachLine(ctx, func(row files.Record, amounts []string) {
		r.meet(row)
		keys, named, _, _ := r.keysOf()
		l := outlineLine{line: row.Line, keys: keys, named: named != 0}
		for i, f := range r.fields {
			if !f.asNumber && !r.met[i].missing && f.index != r.year {
				l.cells = append(l.cells, r.met[i].hash[0])
				met[r.met[i].hash[0]]++
			}
		}
		for i, amount := range amounts {
			if i == len(factors) {
				factors = append(factors, 1+rand.Uint64N(prime-1))
			}
			f := r.amounts[i%len(r.amounts)]
			l.amount = plus(l.amount, times(factors[i], f.remainder(amount, f.noiseRule())))
		}
		if l.amount != 0 {
			lines = append(lines, l)
		}
	})
	for i, l := range lines {
		lines[i].own = slices.ContainsFunc(l.cells, func(cell uint64) bool { return met[cell] == 1 })
	}
	return lines, err
}

// eachLine gives the first data point of each line, and the amounts of all of them.
func (r *resourceSurvey) eachLine(ctx context.Context, visit func(first files.Record, amounts []string)) error {
	first, amounts := files.Record{Line: -1}, []string(nil)
	end := func() {
		if first.Line >= 0 {
			visit(first, amounts)
		}
		amounts = amounts[:0]
	}
	err := r.eachRow(ctx, func(row files.Record) {
		if r.isSkipped(row.Line) {
			return
		}
		if row.Line != first.Line {
			end()
			first = files.Record{Line: row.Line, Cells: slices.Clone(row.Cells), Codes: slices.Clone(row.Codes)}
		}
		for _, f := range r.amounts {
			amounts = append(amounts, row.Cells[f.index])
		}
	})
	end()
	return err
}

// findRounded adds the lines that are named totals and differ from the lines above them, from the total before on, by no more than what is lost where each
// amount is rounded by itself.
func (r *resourceSurvey) findRounded(ctx context.Context, totals, named map[int64]bool) error {
	var sums, units []float64
	parts := 0
	return r.eachLine(ctx, func(row files.Record, amounts []string) {
		near, something := parts > 1, false
		for i, cell := range amounts {
			if i == len(sums) {
				sums, units = append(sums, 0), append(units, 1)
			}
			digits, _, decimals, ok := r.amounts[i%len(r.amounts)].form.Read(cell)
			amount, err := strconv.ParseFloat(digits, 64)
			if !ok || err != nil {
				amount = 0
			}
			units[i] = min(units[i], math.Pow10(-decimals))
			near = near && math.Abs(sums[i]-amount) <= units[i]*float64(parts)/2+math.Abs(amount)*inexact
			if something = something || amount != 0; !totals[row.Line] && !named[row.Line] {
				sums[i] += amount
			}
		}
		switch {
		case totals[row.Line], named[row.Line]:
			totals[row.Line] = totals[row.Line] || near && something
			clear(sums)
			parts = 0
		case something:
			parts++
		}
	})
}

// inexact is which part of a sum may be lost where it is added up in short.
const inexact = 1e-9

// explained marks the totals of the lines before them, and gives how many lines are totals or stand below one: none if they are too few for an outline.
func explained(lines []outlineLine, fewest int) (rows int) {
	markTotals(lines, map[keySet]bool{})
	several, keys := 0, map[keySet]bool{}
	for i, l := range lines {
		if l.total {
			several++
			keys[l.keys] = true
		}
		lines[i].total = false
	}
	if several >= fewest {
		for _, top := range markTotals(lines, keys) {
			if top.total {
				rows += top.below + 1
			}
		}
	}
	if rows*2 < len(lines) || rows == 0 {
		for i := range lines {
			lines[i].total = false
		}
		return 0
	}
	return rows
}

// markTotals marks the totals of the lines before them, and gives the lines that no total adds up. Keys are those of totals, which may add up one line.
func markTotals(lines []outlineLine, keys map[keySet]bool) []*outlineLine {
	var open []*outlineLine        // lines that no total has added up so far
	sums := []uint64{0}            // of the first ones of them
	at := map[uint64][]int{0: {0}} // how many they are, by their sum
	for i := range lines {
		l := &lines[i]
		sum := sums[len(open)]
		if from := at[plus(sum, prime-l.amount)]; len(from) > 0 && l.adds(open[from[len(from)-1]:], keys) {
			first := from[len(from)-1]
			l.total, l.below = true, 0
			for n := len(open); n > first; n-- {
				l.below += open[n-1].below + 1
				at[sums[n]] = at[sums[n]][:len(at[sums[n]])-1]
			}
			open, sums = open[:first], sums[:first+1]
			sum = sums[first]
		} else {
			l.below = 0
		}
		open, sums = append(open, l), append(sums, plus(sum, l.amount))
		at[sums[len(open)]] = append(at[sums[len(open)]], len(open))
	}
	return open
}

// adds tells whether a line whose amounts are those of others is their total.
func (l *outlineLine) adds(others []*outlineLine, keys map[keySet]bool) bool {
	if len(others) == 1 {
		return len(keys) > 0 && (l.named || keys[l.keys] && l.keys != others[0].keys)
	}
	return len(others) > 1 && (l.named || l.own || l.keys != others[0].keys)
}
