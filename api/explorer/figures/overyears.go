package figures

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// mostLinesDrawn is how many lines stand beside that of the whole.
const mostLinesDrawn = 5

// Largest selects the members with the largest amounts of a page, of which a line has the years, too. Times have none.
func Largest(r *reading.Reading) (list []answer.Cell) {
	if len(r.Drilled()) == 0 || r.DrillsTime() {
		return nil
	}
	cells := slices.DeleteFunc(slices.Clone(r.Answer.Cells), func(c answer.Cell) bool { return c.Others > 0 || !c.Values[0].Valid || c.Level != "" })
	slices.SortStableFunc(cells, func(a, b answer.Cell) int { return b.Values[0].Decimal.Cmp(a.Values[0].Decimal) })
	return cells[:min(len(cells), mostLinesDrawn)]
}

// InYears leads to a member of a page in all years.
func InYears(r *reading.Reading, member answer.Cell) site.Address {
	return inAllYears(r, r.Address.CuttingText(r.Plan.CutOf(member.Keys)))
}

func inAllYears(r *reading.Reading, a site.Address) site.Address {
	return a.Without(func(field string) bool { return field == selection.YearColumn(r.Cube.Model).Name })
}

// line shows a page over all years, and the largest members of the drilled level beside it.
func line(a Asked) Drawing {
	r := a.Page
	years := yearsOf(a.All)
	if len(years) > reading.MostYears {
		return refusing(refused(r, &chart.Refusal{Reason: chart.TooMany, Count: len(years), Limit: reading.MostYears}))
	}
	lines, reused := []chart.Series{series(a.All, r.Say("view.total"), years, inAllYears(r, r.Address))}, reusedOverYears(a.All)
	for i, cell := range Largest(r) {
		lines = append(lines, series(a.Members[i], r.NameOf(cell), years, InYears(r, cell)))
		reused = append(reused, reusedOverYears(a.Members[i])...)
	}
	told := slices.DeleteFunc([]string{reading.Gaps(a.All), reading.NotCompared(r, reused)}, func(text string) bool { return text == "" })
	return Drawing{Told: told, Draw: func(width, height int) (chart.Figure, *Refusal) {
		f := frameOf(a.All, width, height)
		f.Title = r.HeadingOf(selection.AsLine)
		f.Desc = strings.Join(append([]string{f.Desc}, told...), ". ")
		drawn, why := chart.Lines(f, years, lines, func(d decimal.Decimal) string { return r.Brief(d, "") })
		return drawn, refused(r, why)
	}}
}

// yearsOf lists the years from the first to the last with an amount. A year whose last statement is earlier than that of others
// is incomplete.
func yearsOf(r *reading.Reading) []chart.Year {
	var found []int64
	for _, cell := range r.Answer.Cells {
		if year, err := strconv.ParseInt(cell.Keys[0].String(), 10, 64); err == nil && cell.Values[0].Valid {
			found = append(found, year)
		}
	}
	if len(found) == 0 {
		return nil
	}
	early := r.Early()
	first, last := slices.Min(found), slices.Max(found)
	if last-first >= reading.MostYears {
		return make([]chart.Year, reading.MostYears+1)
	}
	var years []chart.Year
	for year := first; year <= last; year++ {
		text := strconv.FormatInt(year, 10)
		made := chart.Year{Label: text, Incomplete: early[text]}
		if !slices.Contains(found, year) {
			made.Gap = r.Say("figure.no-data")
		}
		years = append(years, made)
	}
	return years
}

// reusedSince gives, by year, the breaks because of which an answer by years does not compare the year with the one with an amount before
// it.
func reusedSince(r *reading.Reading) map[string][]cube.LabelBreak {
	years, cells := r.WithAmount()
	reused := map[string][]cube.LabelBreak{}
	for i, year := range years {
		if i > 0 {
			reused[strconv.FormatInt(year, 10)] = r.Answer.ReusedBetween(years[i-1], year, cells[year].Keys)
		}
	}
	return reused
}

// reusedOverYears lists the breaks because of which an answer by years does not compare some of them.
func reusedOverYears(r *reading.Reading) (list []cube.LabelBreak) {
	since := reusedSince(r)
	for _, year := range slices.Sorted(maps.Keys(since)) {
		list = append(list, since[year]...)
	}
	return list
}

// series is the line of an answer by years.
func series(r *reading.Reading, label string, years []chart.Year, a site.Address) chart.Series {
	amounts := map[string]decimal.NullDecimal{}
	for _, cell := range r.Answer.Cells {
		amounts[cell.Keys[0].String()] = cell.Values[0]
	}
	s := chart.Series{Label: label}
	other := reusedSince(r)
	for _, year := range years {
		amount := amounts[year.Label]
		point := chart.Point{None: !amount.Valid, Other: len(other[year.Label]) > 0}
		if amount.Valid {
			point.Part = chart.Part{Value: amount.Decimal, Label: label, Amount: r.Exact(amount.Decimal), Href: a.With(query.CutTo(selection.YearColumn(r.Cube.Model).Name, year.Label)).String()}
			point.Title = label + ", " + year.Label + ": " + point.Amount
			if year.Incomplete != "" {
				point.Title += " (" + year.Incomplete + ")"
			}
		}
		s.Points = append(s.Points, point)
	}
	return s
}
