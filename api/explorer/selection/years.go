package selection

import (
	"cmp"
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/query"
)

// YearColumn is the column of the fiscal year; of a model without years it has no name.
func YearColumn(m *cube.Model) cube.Column {
	year, _ := m.FiscalYear() // without one no column has an empty name
	return year
}

// YearCut is the fiscal year that cuts admit, if it is a single one.
func YearCut(m *cube.Model, cuts []query.Cut) (year int64, ok bool) {
	level, ok := m.YearLevel()
	if !ok {
		return 0, false
	}
	for _, c := range cuts {
		if c.Ref.Name == level.Ref && !c.Not && len(c.Items) == 1 && c.Items[0].Op == query.OpEqual && len(c.Items[0].Path) == 1 {
			year, err := strconv.ParseInt(c.Items[0].Path[0].Text, 10, 64)
			return year, err == nil
		}
	}
	return 0, false
}

// UsualOffset leads from the year of a question to the one that it is compared with unless another is asked for: the last year before
// it that has rows.
func UsualOffset(cb *cube.Cube, asked query.Query) int64 {
	year, ok := YearCut(cb.Model, asked.Cuts)
	if !ok || cb.Coverage == nil {
		return -1
	}
	offset := int64(-1)
	for _, other := range cb.Coverage.Years {
		if other < year {
			offset = other - year
		}
	}
	return offset
}

// Year is the fiscal year that it is of.
func (s *Selection) Year() (year int64, ok bool) {
	return YearCut(s.Cube.Model, s.Address.Query.Cuts)
}

// ToYear cuts to a fiscal year.
func (s *Selection) ToYear(year int64) query.Cut {
	return query.CutTo(YearColumn(s.Cube.Model).Name, strconv.FormatInt(year, 10))
}

// Offset leads from its year to the one that it is compared with.
func (s *Selection) Offset() int64 {
	if c := s.Address.Query.Compare; c != nil && c.Ref.Name == YearColumn(s.Cube.Model).Name {
		return c.Offset
	}
	return UsualOffset(s.Cube, s.Address.Query)
}

// ComparedYear is the fiscal year that it, which is of a single one, is compared with.
func (s *Selection) ComparedYear() (year int64, ok bool) {
	year, ok = s.Year()
	return year + s.Offset(), ok
}

// Compares is a question that compares with the year before, as the selection does.
func (s *Selection) Compares() *query.Compare {
	return &query.Compare{Ref: query.Ref{Name: YearColumn(s.Cube.Model).Name}, Offset: s.Offset()}
}

// HasYearBefore tells whether the budget has the year that it is compared with.
func (s *Selection) HasYearBefore() bool {
	before, ok := s.ComparedYear()
	return ok && s.Cube.Coverage != nil && slices.Contains(s.Cube.Coverage.Years, before)
}

// Early says of each year whose last statement is earlier than that of another, up to when it goes.
func (s *Selection) Early() map[string]string {
	notes, history, level := map[string]string{}, s.Cube.Model.History(), YearColumn(s.Cube.Model)
	if history == nil || s.Plan.CountsAll() || len(s.Plan.Periods()) == 0 {
		return notes
	}
	column := slices.IndexFunc(history.Columns, func(c cube.Column) bool { return c.Name == level.Name })
	latest := slices.MaxFunc(s.Plan.Periods(), func(a, b cube.Period) int { return cmp.Compare(a.Last().Stage, b.Last().Stage) }).Last()
	for _, period := range s.Plan.Periods() {
		if last := period.Last(); last.Stage < latest.Stage && column >= 0 && column < len(period.Key) {
			notes[period.Key[column].String()] = UpTo(s.Guest, s.Cube, last)
		}
	}
	return notes
}

// HasSeveralYears tells whether a cube has rows of more than one fiscal year, and these are a level.
func HasSeveralYears(cb *cube.Cube) bool {
	_, isLevel := cb.Model.YearLevel()
	first, last, ok := cb.Years()
	return isLevel && ok && first < last
}

// OneYear says that the budget has a single fiscal year, where a reader looks for the change since another; "" if it has more or none.
func (s *Selection) OneYear() string {
	_, isLevel := s.Cube.Model.YearLevel()
	if first, last, ok := s.Cube.Years(); isLevel && ok && first == last {
		return s.Say("view.one-year", "Year", strconv.FormatInt(first, 10))
	}
	return ""
}
