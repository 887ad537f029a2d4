package explorer

import (
	"cmp"
	"slices"
	"strconv"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
)

// yearCut is the fiscal year that the view is of.
func (w *view) yearCut() (year int64, ok bool) { return yearCutOf(w.cb.Model, w.a.Query.Cuts) }

// offset leads from the year of the view to the one that it is compared with.
func (w *view) offset() int64 {
	if c := w.a.Query.Compare; c != nil && c.Ref.Name == yearOf(w.cb.Model).Name {
		return c.Offset
	}
	return usualOffset(w.cb, w.a.Query)
}

// comparedYear is the fiscal year that the view, which is of a single one, is compared with.
func (w *view) comparedYear() (year int64, ok bool) {
	year, ok = w.yearCut()
	return year + w.offset(), ok
}

// early says of each year whose last statement is earlier than that of another, up to when it goes.
func (w *view) early() map[string]string {
	p, notes := w.answer.Plan, map[string]string{}
	history, level := w.cb.Model.History(), yearOf(w.cb.Model)
	if history == nil || p.CountsAll() || len(p.Periods()) == 0 {
		return notes
	}
	column := slices.IndexFunc(history.Columns, func(c cube.Column) bool { return c.Name == level.Name })
	latest := slices.MaxFunc(p.Periods(), func(a, b cube.Period) int { return cmp.Compare(a.Last().Stage, b.Last().Stage) }).Last()
	for _, period := range p.Periods() {
		if last := period.Last(); last.Stage < latest.Stage && column >= 0 && column < len(period.Key) {
			notes[period.Key[column].String()] = w.upTo(w.cb, last)
		}
	}
	return notes
}

// hasSeveralYears tells whether a cube has rows of more than one fiscal year, and these are a level.
func hasSeveralYears(cb *cube.Cube) bool {
	_, isLevel := cb.Model.YearLevel()
	first, last, ok := cb.Years()
	return isLevel && ok && first < last
}

// oneYear says that a cube has a single fiscal year, where a reader looks for the change since another; "" if it has more or none.
func (v *visit) oneYear(cb *cube.Cube) string {
	_, isLevel := cb.Model.YearLevel()
	if first, last, ok := cb.Years(); isLevel && ok && first == last {
		return v.Say("view.one-year", "Year", strconv.FormatInt(first, 10))
	}
	return ""
}

// withAmount lists the fiscal years with an amount in an answer by years, in their order, with their cells.
func (w *view) withAmount() (years []int64, cells map[int64]answer.Cell) {
	cells = map[int64]answer.Cell{}
	for _, cell := range w.answer.Cells {
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

// mostYears is how many years a line has at most, and how many gaps are named.
const mostYears = 200

// gapYears lists the years between some of which none is in the list.
func gapYears(years []int64) (gaps []int64) {
	for i := 1; i < len(years); i++ {
		for year := years[i-1] + 1; year < years[i] && len(gaps) < mostYears; year++ {
			gaps = append(gaps, year)
		}
	}
	return gaps
}

// gaps says which years an answer by years has no amount of, between those that it has; "" if none.
func (w *view) gaps() string {
	years, _ := w.withAmount()
	if list := gapYears(years); len(list) > 0 {
		return w.Say("figure.gap-years", "Years", w.Years(list))
	}
	return ""
}

// years are the choices of the fiscal year, with links to the years before and after the one that is cut.
func (w *view) years() (list []site.Choice, before, after string) {
	level, ok := w.cb.Model.YearLevel()
	if !ok || w.cb.Coverage == nil || slices.ContainsFunc(w.drilled(), func(l cube.Level) bool { return l.Ref == level.Ref }) {
		return nil, "", ""
	}
	taken := -1
	for i, year := range w.cb.Coverage.Years {
		text := strconv.FormatInt(year, 10)
		is := slices.ContainsFunc(w.a.Query.Cuts, func(c query.Cut) bool { return c.String() == query.CutTo(level.Ref, text).String() })
		if is {
			taken = i
		}
		list = append(list, site.Choice{Text: text, Link: w.a.With(query.CutTo(level.Ref, text)).String(), Taken: is})
	}
	if taken > 0 {
		before = list[taken-1].Link
	}
	if taken >= 0 && taken+1 < len(list) {
		after = list[taken+1].Link
	}
	all := w.a.Without(func(field string) bool { return field == level.Ref }).Asking(w.nameMeasure)
	return append(list, site.Choice{Text: w.Say("view.all-years"), Link: all.String(), Taken: taken < 0 && !w.fixed[level.Ref]}), before, after
}
