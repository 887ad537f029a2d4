package reading

import (
	"math"
	"slices"
	"strconv"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Bar is a year of a small chart.
type Bar struct {
	Key          string // of the year
	Text, Link   string
	Amount, Open string // the amount, and where it is opened
	Short        string // the amount in a figure
	Change       string // since the year before; where that is not whole, since the last one that is
	Bar          string
	Note         string // of a year that is not complete, or has no amount
	Taken        bool
	Reused       []cube.LabelBreak // because of which there is no change
}

// WithAmount lists the fiscal years with an amount in an answer by years, in their order, with their cells.
func (r *Reading) WithAmount() (years []int64, cells map[int64]answer.Cell) {
	cells = map[int64]answer.Cell{}
	for _, cell := range r.Answer.Cells {
		if len(cell.Keys) == 0 || cell.Change == answer.ChangeGone || !cell.Values[0].Valid {
			continue
		}
		if year, ok := cell.Keys[0].Int(); ok {
			years, cells[year] = append(years, year), cell
		}
	}
	slices.Sort(years)
	return years, cells
}

// GapYears lists the years between some of which none is in the list.
func GapYears(years []int64) (gaps []int64) {
	for i := 1; i < len(years); i++ {
		for year := years[i-1] + 1; year < years[i] && len(gaps) < MostYears; year++ {
			gaps = append(gaps, year)
		}
	}
	return gaps
}

// Gaps says which years an answer by years has no amount of, between those that it has; "" if none.
func Gaps(r *Reading) string {
	years, _ := r.WithAmount()
	if list := GapYears(years); len(list) > 0 {
		return r.Say("figure.gap-years", "Years", r.Years(list))
	}
	return ""
}

// YearBars is an answer by fiscal years as rows: also the years between that have no amount, and the rows without a year. Lead gives the links of a year:
// that of its name, and that of its amount.
func YearBars(r *Reading, lead func(site.Address) (link, open string)) []Bar {
	var list []Bar
	years, cells := r.WithAmount()
	widest, early := r.Widest(), r.Early()
	all := append(GapYears(years), years...)
	slices.Sort(all)
	whole := int64(math.MinInt64) // the last year before that is whole
	for _, year := range all {
		made := Bar{Key: strconv.FormatInt(year, 10), Note: r.Say("figure.no-data")}
		if cell, ok := cells[year]; ok {
			made.Amount, made.Bar, made.Note = r.Exact(cell.Values[0].Decimal), BarOf(cell.Values[0].Decimal, widest), early[made.Key]
			made.Short = r.InFigure(0, cell.Values[0])
			if len(r.Zeros(0, []int64{year})) > 0 {
				made.Note = r.Say("caveat.not-known")
			}
		}
		made.Text = made.Key
		cut := r.ToYear(year)
		made.Taken = slices.ContainsFunc(r.Address.Query.Cuts, func(c query.Cut) bool { return c.String() == cut.String() })
		if made.Amount != "" {
			made.Link, made.Open = lead(r.Address.With(cut))
		}
		if made.Amount != "" && made.Note == "" {
			if before, ok := cells[whole]; ok {
				compareBar(r, &made, whole, before, year, cells[year])
			}
			whole = year
		}
		list = append(list, made)
	}
	for _, cell := range r.Answer.Cells {
		if sum := cell.Values[0]; sum.Valid && len(cell.Keys) > 0 && cell.Keys[0].IsMissing() {
			list = append(list, Bar{Text: r.Say("view.missing"), Amount: r.Exact(sum.Decimal), Short: r.InFigure(0, sum), Bar: BarOf(sum.Decimal, widest)})
		}
	}
	return list
}

// compareBar sets the change of a year since an earlier one, unless a code of the cells means another thing in it.
func compareBar(r *Reading, of *Bar, earlier int64, before answer.Cell, year int64, cell answer.Cell) {
	if of.Reused = r.Answer.ReusedBetween(earlier, year, cell.Keys); len(of.Reused) > 0 {
		of.Change = r.Say("figure.incomparable")
		return
	}
	of.Change = ChangeSince(r, before, cell)
	if earlier != year-1 && of.Change != "" {
		of.Change += " " + r.Say("number.from", "Year", strconv.FormatInt(earlier, 10))
	}
}

// ChangeSince is the change of the first amount between two cells in percent; "" where there was nothing, or less.
func ChangeSince(r *Reading, before, cell answer.Cell) string {
	sum := before.Values[0].Decimal
	if !sum.IsPositive() {
		return ""
	}
	return r.Change(PercentOf(cell.Values[0].Decimal.Sub(sum), sum))
}

// MostYears is how many years a line has at most, and how many gaps are named.
const MostYears = 200

// NotCompared says because of which breaks, of which some are the same, years are not compared; "" without any.
func NotCompared(r *Reading, breaks []cube.LabelBreak) string {
	var distinct []cube.LabelBreak
	for _, found := range breaks {
		if !slices.ContainsFunc(distinct, func(b cube.LabelBreak) bool {
			return b.Level == found.Level && b.First == found.First && slices.Equal(b.Path, found.Path)
		}) {
			distinct = append(distinct, found)
		}
	}
	return prose.NotCompared(r.Plan, distinct, r.Language)
}

// NotComparedIn says because of which breaks some years of a table are not compared with those before them; "" if all are.
func NotComparedIn(r *Reading, years []Bar) string {
	breaks := slices.Concat(each.Of(years, func(year Bar) []cube.LabelBreak { return year.Reused })...)
	return NotCompared(r, breaks)
}
