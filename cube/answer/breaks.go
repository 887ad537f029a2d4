package answer

import "fiscube/cube/plan"

// breaksOf gives the breaks in the names of members that the cells of the page cross (plan.CrossedBreaks), each once. Those of
// members that a cut names are crossed by the summary too, even if the page has no cell.
func breaksOf(p *plan.Plan, cells []Cell) []plan.Crossed {
	breaks := p.LabelBreaks()
	if breaks == nil {
		return nil
	}
	all := breaks.OfCuts()
	for _, cell := range cells {
		if cell.Others == 0 { // a remainder names no member
			all = append(all, breaks.Of(cell.Keys)...)
		}
	}
	return plan.Distinct(all)
}
