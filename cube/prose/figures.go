package prose

import "fiscube/cube/words"

// RefusedFigure is why a figure is not drawn: a reason with the label and amount of a part, or a count and the limit for it.
type RefusedFigure struct {
	Reason        string
	Label, Amount string
	Count, Limit  int
}

// NoFigure says why a figure is not drawn, and what shows the numbers instead.
func NoFigure(r RefusedFigure, l words.Locale) string {
	return Fill(l, "no-figure."+r.Reason, "Label", r.Label, "Amount", r.Amount, "Number", words.Digits(r.Count), "Limit", words.Digits(r.Limit), "Year", r.Label)
}
