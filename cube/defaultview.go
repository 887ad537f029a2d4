package cube

import (
	"math"
	"slices"
)

// View is what to show of a cube first: the sums of a measure, by the members of a level, in a year. What the cube does not
// have is empty.
type View struct {
	Measure string `json:"measure,omitempty"`
	Level   string `json:"level,omitempty"`
	Year    *int64 `json:"year,omitempty"`
}

// DefaultView gives the leading measure, the first level worth a look, and the last complete year.
func (c *Cube) DefaultView() View {
	var v View
	if leading, ok := c.Model.Leading(); ok {
		v.Measure = leading.Ref
	}
	for _, level := range c.Model.FirstLevels(1) {
		v.Level = level.Ref
	}
	if year, ok := c.lastCompleteYear(v.Measure); ok {
		v.Year = &year
	}
	return v
}

// FirstLevels are the first levels of at most so many dimensions that are worth a look: classifications before others, and
// nothing of time, nor what tells statements of the same money apart.
func (m *Model) FirstLevels(most int) []Level {
	var classified, others []Level
	for _, d := range m.Dimensions() {
		chains := d.Chains()
		if d.Type == DimensionTime || len(chains) == 0 || !chains[0][0].Listed || m.IsEdition(chains[0][0].Ref) || m.IsSnapshot(chains[0][0].Ref) {
			continue
		}
		if d.Classification != "" {
			classified = append(classified, chains[0][0])
		} else {
			others = append(others, chains[0][0])
		}
	}
	list := slices.Concat(classified, others)
	return list[:min(most, len(list))]
}

// lastCompleteYear gives the last year that has amounts of the measure and whose last statement is not earlier than that of
// another year. Where no year is so it is the last with amounts, and without those the last.
func (c *Cube) lastCompleteYear(measure string) (int64, bool) {
	_, last, ok := c.Years()
	if !ok || c.Coverage == nil || len(c.Coverage.Years) == 0 {
		return last, ok
	}
	years := slices.Clone(c.Coverage.Years)
	gap := c.Coverage.Gap(measure, years)
	filled := slices.DeleteFunc(slices.Clone(years), func(y int64) bool { return slices.Contains(gap, y) })
	early := c.Model.earlyYears()
	complete := slices.DeleteFunc(slices.Clone(filled), func(y int64) bool { return slices.Contains(early, y) })
	for _, list := range [][]int64{complete, filled, years} {
		if len(list) > 0 {
			return list[len(list)-1], true
		}
	}
	return 0, false
}

// WholeYears lists the fiscal years, ascending, of which all amounts of a measure seem to be known: they are not all missing or 0, not of some
// months alone, and their last statement is not earlier than that of another year.
func (c *Cube) WholeYears(measure string) []int64 {
	if c.Coverage == nil {
		return nil
	}
	years := c.Coverage.Years
	unknown := slices.Concat(c.Coverage.Gap(measure, years), c.Coverage.Zero(measure, years), c.Model.earlyYears())
	return slices.DeleteFunc(slices.Clone(years), func(year int64) bool {
		_, _, isPart := c.PartOfYear(year)
		return isPart || slices.Contains(unknown, year)
	})
}

// earlyYears are the years whose last statement is earlier than that of another period.
func (m *Model) earlyYears() []int64 {
	year, ok := m.FiscalYear()
	if m.history == nil || !ok || len(m.history.Periods) == 0 {
		return nil
	}
	i := slices.IndexFunc(m.history.Columns, func(c Column) bool { return c.Name == year.Name })
	latest := int64(math.MinInt64)
	for _, period := range m.history.Periods {
		latest = max(latest, period.Last().Stage)
	}
	var early []int64
	for _, period := range m.history.Periods {
		if period.Last().Stage >= latest || i < 0 || i >= len(period.Key) {
			continue
		}
		if n, ok := period.Key[i].Int(); ok {
			early = append(early, n)
		}
	}
	return early
}
