package chart

const mostBars = 40

// Bars ranks parts, the largest first: the length of a bar, from zero, is the value.
func Bars(f Frame, parts []Part) (Figure, *Refusal) {
	return f.fitted(mostBars, func(most int) (Figure, *Refusal) {
		ranked, refusal := f.ranked(parts, most)
		if refusal != nil {
			return Figure{}, refusal
		}
		rows := make([]row, len(ranked))
		for i, p := range ranked {
			fill, _ := p.fill()
			rows[i] = row{part: p, to: p.Value, fill: fill}
		}
		return f.rows(rows), nil
	})
}
