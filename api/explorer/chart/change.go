package chart

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"
)

const mostChanges = 10

// Change leads from the value of one year to that of another: the parts with the largest differences, those that grew before
// those that shrank, then the others together, what is new, what is gone and what cannot be compared. Bars are differences on
// one scale, whose zero is the first value. The values of the years are no bars but marks: where the differences begin, and what
// they add up to.
func Change(f Frame, from, to Part, parts []Part) (Figure, *Refusal) {
	switch {
	case f.NotOneWhole != "":
		return Figure{}, &Refusal{Reason: f.NotOneWhole}
	case len(parts) == 0:
		return Figure{}, &Refusal{Reason: Nothing}
	case !from.Value.Add(sumOf(parts)).Equal(to.Value):
		return Figure{}, &Refusal{Reason: DoesNotAddUp, Label: to.Label, Amount: to.Amount}
	}
	return f.fitted(mostChanges, func(most int) (Figure, *Refusal) {
		steps, refusal := f.steps(parts, most)
		if refusal != nil {
			return Figure{}, refusal
		}
		return f.rows(leading(from, to, steps)), nil
	})
}

// leading are the rows that lead from a value to another by steps.
func leading(from, to Part, steps []Part) []row {
	rows := []row{{part: from, fill: fillTotal, whole: true}}
	at := decimal.Zero
	for _, p := range steps {
		next := at.Add(p.Value)
		fill := fillUp
		if p.Value.IsNegative() {
			fill = fillDown
		}
		rows = append(rows, row{part: p, from: at, to: next, fill: fill, change: true})
		at = next
	}
	return append(rows, row{part: to, from: at, to: at, fill: fillTotal, whole: true})
}

// steps are the parts of a change in their order, of which at most so many are named, and those with small differences are added up by kind.
func (f Frame) steps(parts []Part, most int) ([]Part, *Refusal) {
	if refusal := othersOfOne(parts); refusal != nil {
		return nil, refusal
	}
	if len(parts) > mostChanges && f.Others == nil {
		return nil, &Refusal{Reason: TooMany, Count: len(parts), Limit: mostChanges}
	}
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, func(a, b Part) int { return b.Value.Abs().Cmp(a.Value.Abs()) })
	var named []Part
	small := map[Kind][]Part{}
	for _, p := range sorted {
		kind := p.Kind
		if kind == Missing || kind == Member {
			kind = Others
		}
		if p.Members > 1 || len(named) == most {
			small[kind] = append(small[kind], p)
		} else {
			named = append(named, p)
		}
	}
	slices.SortStableFunc(named, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Value.Sign(), a.Value.Sign()), b.Value.Abs().Cmp(a.Value.Abs()))
	})
	for _, kind := range []Kind{Others, New, Gone, Incomparable} {
		if len(small[kind]) > 0 {
			named = append(named, f.together(kind, small[kind]))
		}
	}
	return named, nil
}
