package cube

import "slices"

// statedYears gives the fiscal years that rows of the answer are of, as far as it is known without them: of those that
// the cuts admit, the ones of which they admit a statement.
func (p *Plan) statedYears() []int64 {
	column, _ := p.cube.Model.FiscalYear()
	years, s := p.years(), p.cube.Model.statements
	if s == nil || s.at(column) < 0 || column.Name == s.by().Name {
		return years
	}
	at := s.at(column)
	return slices.DeleteFunc(years, func(year int64) bool {
		return !slices.ContainsFunc(p.stated, func(one period) bool { return one.key[at] == Integer(year) })
	})
}
