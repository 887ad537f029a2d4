package plan

import "fiscube/cube/query"

// Reads estimates, without asking a store, how many rows the statements of the plan read: those of the fiscal years that the
// cuts admit, as if all years had equally many, once for each statement.
func (p *Plan) Reads() int64 {
	statements := int64(1)
	for _, subtotals := range p.subtotals {
		if subtotals != nil {
			statements++
		}
	}
	if p.comparison != nil {
		statements++
	}
	if p.summary != nil {
		statements++
	}
	return statements * p.rowsOfYears()
}

// Reads estimates how many rows are read for a fact plan. The first facts in the order of the files are read alone.
func (p *FactPlan) Reads() int64 {
	if p.counting == nil {
		return p.cube.Rows
	}
	rows := p.counting.rowsOfYears()
	if p.size != query.EveryFact && p.IsInFileOrder() && len(p.filters) == 0 {
		return min(rows, int64(p.size))
	}
	return rows
}

func (s *selection) rowsOfYears() int64 {
	if s.cube.Coverage == nil || len(s.cube.Coverage.Years) == 0 {
		return s.cube.Rows
	}
	all, admitted := int64(len(s.cube.Coverage.Years)), int64(len(s.Years()))
	return s.cube.Rows / all * admitted
}
