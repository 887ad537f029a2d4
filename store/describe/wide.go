package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/qualifier"
	"fiscube/internal/each"
	"fiscube/store/evidence"
	"fiscube/store/load"
)

// wide is a table with amounts of several years in columns, such as FY22 Actual and FY23 Budget: each of these columns has a year in its name, and may
// have a phase and a direction. Fiscal Data Package calls it normalize.
type wide struct {
	columns    []wideColumn
	phases     bool // they differ in phase
	directions bool // they differ in direction
}

type wideColumn struct {
	*column
	year, phase, direction string
	rest                   string // the other words of its name
}

func (w *wide) years() []string {
	return each.Once(nil, each.Text(w.columns, func(c wideColumn) string { return c.year })...)
}

// namesYears tells whether a year is written as more than its number.
func (w *wide) namesYears() bool {
	return w != nil && slices.ContainsFunc(w.columns, func(c wideColumn) bool { return !evidence.IsYear(c.year) })
}

func (w *wide) of(c *column) (wideColumn, bool) {
	if w == nil {
		return wideColumn{}, false
	}
	i := slices.IndexFunc(w.columns, func(x wideColumn) bool { return x.column == c })
	if i < 0 {
		return wideColumn{}, false
	}
	return w.columns[i], true
}

// findWide finds the columns of numbers that have a year in their names; nil where there are not two years.
func (r *roles) findWide(p *profile) *wide {
	w, sums := &wide{}, []wideColumn{}
	for _, c := range p.Columns {
		year, rest := yearTextIn(c.Name)
		if year == "" || strings.Contains(c.Name, "%") || !r.mayBe(c, ReadAmount) || !c.HoldsNumbers() || has(rest, vocabulary.Count) != "" || has(rest, vocabulary.Code) != "" || has(rest, vocabulary.Rate) != "" {
			continue
		}
		column := wideColumn{column: c, year: year, phase: phaseOf(rest), direction: directionOf(rest), rest: strings.Join(rest, " ")}
		if has(rest, vocabulary.Sum) != "" && strings.ContainsAny(year, "-/–") {
			if load.IsTotal(column.rest) {
				sums = append(sums, column)
			}
			continue
		}
		w.columns = append(w.columns, column)
	}
	if len(w.columns) == 0 { // Total 2021-22 alone is of a fiscal year
		w.columns = sums
	}
	w.columns = slices.DeleteFunc(slices.Clone(w.columns), w.isOfTwo)
	if len(w.years()) < 2 {
		return nil
	}
	w.tellApart()
	return w
}

// isOfTwo tells whether a column of a span stands beside one of each of its two years, which it adds up.
func (w *wide) isOfTwo(c wideColumn) bool {
	first, last := 0, 0
	n, _ := cube.FiscalYear(c.year, false)
	for _, other := range w.columns {
		m, _ := cube.FiscalYear(other.year, false)
		if evidence.IsYear(other.year) && other.rest == c.rest {
			first, last = first+int(evidence.RowsIf(m == n-1, 1)), last+int(evidence.RowsIf(m == n, 1))
		}
	}
	return !evidence.IsYear(c.year) && first > 0 && last > 0
}

// tellApart settles what the columns of one year differ in: in phase and direction, if these words tell all of them apart; else in the words of
// their names.
func (w *wide) tellApart() {
	approved := slices.ContainsFunc(w.columns, func(c wideColumn) bool { return c.phase == "approved" })
	for i := range w.columns {
		if c := &w.columns[i]; c.phase == "" && c.direction == "expenditure" && approved { // beside appropriations, expenditures are what was spent
			c.phase = "executed"
		}
	}
	differ := func(of func(wideColumn) string) bool {
		return slices.ContainsFunc(w.columns, func(c wideColumn) bool { return of(c) != of(w.columns[0]) })
	}
	phase, direction := func(c wideColumn) string { return c.phase }, func(c wideColumn) string { return c.direction }
	known := func(of func(wideColumn) string) bool {
		return !slices.ContainsFunc(w.columns, func(c wideColumn) bool { return of(c) == "" })
	}
	w.directions = differ(direction) && known(direction)
	w.phases = differ(phase) && known(phase)
	apart := map[string]bool{}
	for _, c := range w.columns {
		key := c.year
		if w.phases {
			key += "\x00" + c.phase
		}
		if w.directions {
			key += "\x00" + c.direction
		}
		if apart[key] || differ(phase) && !w.phases {
			w.byRest()
			return
		}
		apart[key] = true
	}
}

// byRest tells columns apart by the words of their names.
func (w *wide) byRest() {
	w.phases = true
	for i := range w.columns {
		c := &w.columns[i]
		c.phase = cmp.Or(c.rest, "amount")
		for n, other := range w.columns[:i] {
			if other.year == c.year && other.phase == c.phase {
				c.phase += fmt.Sprintf(" %d", n+1)
			}
		}
	}
}

// phaseOf gives the phase that words name, or "".
func phaseOf(words []string) string {
	phase, _ := phaseIn(words)
	return phase
}

// phaseIn gives the phase that words name, and which of them do.
func phaseIn(words []string) (phase, word string) {
	all := strings.Join(words, " ")
	if phase := qualifier.MeaningOf("phase", all); phase != "" {
		return phase, all
	}
	for _, p := range vocabulary.Phase {
		for _, word := range words {
			if p.Words[word] || qualifier.MeaningOf("phase", word) == p.Of {
				return p.Of, word
			}
		}
	}
	return "", ""
}

// directionOf gives the direction that words name, or "".
func directionOf(words []string) string {
	direction, _ := directionIn(words)
	return direction
}

// directionIn gives the direction that words name, and which of them does.
func directionIn(words []string) (direction, word string) {
	for _, word := range slices.Backward(words) { // revenue expenditure is spent
		for _, d := range vocabulary.Direction {
			if d.Words[word] {
				return d.Of, word
			}
		}
	}
	return "", ""
}
