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
	message := "no-figure." + r.Reason
	switch r.Reason {
	case "not-positive", "others-of-one", "does-not-add-up":
		return l.Say(message, "Label", r.Label, "Amount", r.Amount)
	case "too-few", "too-many":
		return l.Say(message, "Number", words.Digits(r.Count), "Limit", words.Digits(r.Limit))
	case "one-year":
		return l.Say(message, "Year", r.Label)
	}
	return l.Say(message)
}
