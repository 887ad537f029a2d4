package explorer

import (
	"html/template"
	"net/http"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/site"
	"fiscube/api/reply"
	"fiscube/cube"
)

// The widths of the figures in a page, for phones and for screens. The style sheet shows one of them.
const (
	smallWidth = 280
	largeWidth = 760
)

// figure is above the table, or says why it is not there.
type figure struct {
	Small, Large template.HTML
	Told         []string // what it says, in sentences
	Refused      string
	Choices      []site.Choice // what may be chosen so that there is one
	drawn        chart.Figure  // that for screens
}

// ways are the links to the ways to show the cells. A figure of parts is that of a view that is broken down.
func (w *view) ways(brokenDown site.Address) []site.Choice {
	var list []site.Choice
	taken := w.kind()
	for _, way := range []struct{ name, text string }{
		{asTable, w.Say("figure.table")}, {asBars, w.Say("figure.bars")}, {asTreemap, w.Say("figure.treemap")}, {asLine, w.Say("figure.over-years")},
		{asChange, w.Say("view.change")}, {asSankey, w.Say("figure.flows")},
	} {
		a := w.a
		if way.name != asTable && way.name != asLine {
			a = brokenDown
		}
		if way.name == asSankey && way.name != taken {
			a = w.withSecond(a)
		}
		if a.View = way.name; way.name == asTable {
			a.View = ""
		}
		if (way.name == asLine || way.name == asChange) && way.name != taken && !hasSeveralYears(w.cb) {
			continue
		}
		list = append(list, site.Choice{Text: way.text, Link: a.String(), Taken: way.name == taken})
	}
	return list
}

// figure makes the figure of the page; a table has none.
func (w *view) figure() (*figure, error) {
	if w.kind() == asTable {
		return nil, nil
	}
	return w.figureOf(w.kind())
}

// figureOf makes a figure of a kind, for phones and for screens.
func (w *view) figureOf(kind string) (*figure, error) {
	made, err := w.drawing(kind)
	if err != nil {
		return nil, err
	}
	small, refused := made.draw(smallWidth)
	if refused == nil {
		var large chart.Figure
		if large, refused = made.draw(largeWidth); refused == nil {
			return &figure{Small: small.HTML(), Large: large.HTML(), Told: made.told, drawn: large}, nil
		}
	}
	return &figure{Refused: refused.text, Choices: refused.choices}, nil
}

// isOfReader tells whether an error is of what is asked, so that the page has the rest without it.
func isOfReader(err error) bool {
	status := reply.Statuses[cube.CodeOf(err)]
	return status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge
}

// drawing asks what a figure shows. A question that it cannot ask is a refusal.
func (w *view) drawing(kind string) (drawing, error) {
	makers := map[string]func(*view) (drawing, error){
		asBars: (*view).rankedBars, asTreemap: (*view).treemap, asLine: (*view).line, asChange: (*view).change, asSankey: (*view).sankey,
	}
	made, err := makers[kind](w)
	if isOfReader(err) {
		return refusing(refusal{text: err.Error()}), nil
	}
	return made, err
}
