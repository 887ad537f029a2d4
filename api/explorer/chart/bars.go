package chart

import "github.com/shopspring/decimal"

const mostBars = 40

// Bars ranks parts, the largest first: the length of a bar, from zero, is the value.
func Bars(f Frame, parts []Part) (Figure, *Refusal) {
	ranked, refusal := f.ranked(parts, f.most(mostBars))
	if refusal != nil {
		return Figure{}, refusal
	}
	rows := make([]row, 0, len(ranked))
	for _, p := range ranked {
		rows = append(rows, row{part: p, from: decimal.Zero, to: p.Value, fill: p.fill()})
	}
	return f.rows(rows), nil
}
