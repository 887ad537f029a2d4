package cube

import "slices"

// Leading gives the measure that stands for all: the first that is approved money, which every year has, else the
// first.
func (m *Model) Leading() (Measure, bool) {
	if len(m.measures) == 0 {
		return Measure{}, false
	}
	approved := slices.IndexFunc(m.measures, func(x Measure) bool { return x.Phase == "approved" })
	return m.measures[max(0, approved)], true
}

// YearLevel gives the level that is the fiscal year, where it is one.
func (m *Model) YearLevel() (Level, bool) {
	year, ok := m.FiscalYear()
	if !ok {
		return Level{}, false
	}
	return m.LevelOfKey(year.Name)
}
