package answer

import (
	"fiscube/cube"
	"fiscube/cube/plan"
)

// breaksOf gives the breaks in the names of members that the cells of the page cross (plan.CrossedBreaks), each once. Those of
// members that a cut names are crossed by the summary too, even if the page has no cell.
func breaksOf(p *plan.Plan, cells []Cell) []plan.Crossed {
	return p.LabelBreaks().OfRows(func(yield func([]cube.Value) bool) {
		for _, cell := range cells {
			if cell.Others == 0 && !yield(cell.Keys) { // a remainder names no member
				return
			}
		}
	})
}
