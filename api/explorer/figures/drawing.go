// Package figures draws the answers of pages: parts of a whole, flows, changes and lines over years. It says what has to be asked for a figure, and makes
// it from the answers; it asks the store nothing.
package figures

import (
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/controls"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Why a figure cannot be made from a question, beside the reasons of package chart.
const (
	noLevel      chart.Reason = "no-level"
	oneLevel     chart.Reason = "one-level"
	noYear       chart.Reason = "no-year"
	noYears      chart.Reason = "no-years"
	noComparison chart.Reason = "no-comparison"
)

// Asked is what a figure is made of.
type Asked struct {
	Kind    string             // as the parameter _view has it
	Page    *reading.Reading   // what the page shows
	All     *reading.Reading   // the answer to Question, if that asks
	Members []*reading.Reading // of a line: the answers for Largest
	Mistake error              // Question cannot be asked so
}

// Drawing draws a figure for a width and, if that is not 0, a height, or says why not. What it tells is the same in sentences.
type Drawing struct {
	Draw  func(width, height int) (chart.Figure, *Refusal)
	Told  []string
	small func(unnamed []string) string // tells the parts whose areas have no room for their names
}

// Refusal is a sentence, with the questions that would have a figure.
type Refusal struct {
	Text    string
	Choices []site.Choice
}

// Question is what has to be asked for a figure of a page; ok tells whether anything has to.
func Question(r *reading.Reading, kind string) (q query.Query, ok bool) {
	switch refused := withoutAsking(r, kind); {
	case refused != nil:
		return q, false
	case kind == selection.AsLine:
		return r.ByYear(r.Address, r.Asked()), true
	}
	q = r.OfAllCells()
	if kind == selection.AsChange {
		q.Compare = r.Compares()
	}
	return q, true
}

// withoutAsking refuses a figure for what a page has not chosen; nil if nothing is missing.
func withoutAsking(r *reading.Reading, kind string) *Refusal {
	_, hasYears := r.Cube.Model.YearLevel()
	year, isOfYear := r.Year()
	drilled, ofYears := r.Drilled(), kind == selection.AsChange || kind == selection.AsLine
	switch {
	case ofYears && !hasYears:
		return until(r, noYears, nil)
	case kind == selection.AsChange && r.OneYear() != "":
		return &Refusal{Text: r.OneYear()}
	case kind == selection.AsChange && !isOfYear:
		return until(r, noYear, controls.YearsAlone(r.Selection, func(int64) bool { return true }))
	case kind != selection.AsLine && len(drilled) == 0:
		return until(r, noLevel, controls.Levels(r.Selection, ""))
	case kind == selection.AsChange && len(r.Zeros(0, []int64{year + r.Offset(), year})) > 0:
		return &Refusal{Text: reading.UnknownChange(r, year)}
	case kind == selection.AsSankey && len(drilled) == 1:
		return until(r, oneLevel, controls.SecondLevels(r.Selection, drilled[0]))
	case kind == selection.AsSankey && len(drilled) > 2:
		return until(r, oneLevel, nil)
	}
	return nil
}

// Of makes a figure.
func Of(a Asked) Drawing {
	if refused := withoutAsking(a.Page, a.Kind); refused != nil {
		return refusing(refused)
	}
	switch {
	case a.Mistake != nil:
		return refusing(&Refusal{Text: a.Mistake.Error()})
	case a.Kind == selection.AsLine:
		return line(a)
	case reading.IsTooMany(a.All):
		return refusing(&Refusal{Text: TooMany(a.All)})
	case a.Kind == selection.AsChange:
		return change(a)
	case a.Kind == selection.AsSankey:
		return sankey(a.All)
	case a.Kind == selection.AsTreemap:
		return ofParts(a.All, chart.Treemap, true)
	}
	return ofParts(a.All, chart.Bars, false)
}

// refusing is a figure that is refused at any width.
func refusing(r *Refusal) Drawing {
	return Drawing{Draw: func(int, int) (chart.Figure, *Refusal) { return chart.Figure{}, r }}
}

// refused says why there is no figure.
func refused(r *reading.Reading, why *chart.Refusal) *Refusal {
	if why == nil {
		return nil
	}
	return &Refusal{Text: prose.NoFigure(prose.RefusedFigure{
		Reason: string(why.Reason), Label: why.Label, Amount: why.Amount, Count: why.Count, Limit: why.Limit,
	}, r.Locale)}
}

// TooMany says that an answer has more cells than a page can have.
func TooMany(r *reading.Reading) string {
	return refused(r, &chart.Refusal{Reason: chart.TooMany, Count: int(r.Answer.Summary.Count), Limit: query.MaxPageSize}).Text
}

// until refuses a figure until something is chosen.
func until(r *reading.Reading, reason chart.Reason, choices []site.Choice) *Refusal {
	made := refused(r, &chart.Refusal{Reason: reason})
	made.Choices = slices.DeleteFunc(slices.Clone(choices), func(c site.Choice) bool { return c.Taken })
	return made
}

// notOneWhole tells why the cells of an answer are no parts of one whole.
func notOneWhole(r *reading.Reading) chart.Reason {
	switch {
	case !r.IsSum():
		return chart.NotASum
	case r.HasMoneyTwice():
		return chart.SameMoneyTwice
	}
	return ""
}

// frameOf is what the figures of a page have in common. Its parts are added up only if they are parts of one whole.
func frameOf(r *reading.Reading, width, height int) chart.Frame {
	f := chart.Frame{Width: width, Height: height, Title: r.HeadingOf(r.Pictured()), Desc: r.Unit(), NotOneWhole: notOneWhole(r)}
	if f.NotOneWhole != "" {
		return f
	}
	f.Others = func(kind chart.Kind, members int, value decimal.Decimal) chart.Part {
		message := map[chart.Kind]string{
			chart.Others: "view.others", chart.New: "figure.new-ones", chart.Gone: "figure.gone-ones", chart.Incomparable: "figure.incomparable-ones",
		}[kind]
		a := r.Address
		if kind == chart.Others {
			a = r.AllRows()
		}
		a.View = ""
		made := chart.Part{Label: r.Say(message, "Count", members), Amount: r.Exact(value), Href: a.String()}
		made.Title = titled(made.Label, made)
		return made
	}
	return f
}

// The widths of the figures in a page, for phones and for screens. The style sheet shows one of them.
const (
	smallWidth = 280
	LargeWidth = 760
)

// Shown is a figure in a page, or why it is not there.
type Shown struct {
	Small, Large template.HTML
	Told         []string // what it says, in sentences
	Unnamed      string   // the sentence about the parts that have no room for their names
	Refused      string
	Choices      []site.Choice // what may be chosen so that there is one
	Drawn        chart.Figure  // that for screens
}

// InPage draws a figure for phones and for screens.
func (d Drawing) InPage() *Shown {
	small, refused := d.Draw(smallWidth, 0)
	if refused == nil {
		var large chart.Figure
		if large, refused = d.Draw(LargeWidth, 0); refused == nil {
			shown := &Shown{Small: small.HTML(), Large: large.HTML(), Told: d.Told, Unnamed: d.unnamed(large), Drawn: large}
			if shown.Unnamed != "" {
				shown.Told = append(slices.Clone(d.Told), shown.Unnamed)
			}
			return shown
		}
	}
	return &Shown{Refused: refused.Text, Choices: refused.Choices}
}

// unnamed tells the parts of a figure that have no room for their names; "" if there are none.
func (d Drawing) unnamed(f chart.Figure) string {
	if len(f.Unnamed) == 0 || d.small == nil {
		return ""
	}
	return d.small(each.Text(f.Unnamed, func(p chart.Part) string { return strings.TrimSpace(p.Label + " " + p.Share) }))
}

// The layout of a picture: its texts are that large in one of leastWide pixels, and the figure is at least leastHigh.
const (
	leastWide = 800
	leastHigh = 120
)

// Picture draws a figure with its caption in a frame of pixels: a wider one has the same layout, larger. The caption is whole and stands at the head and at
// the foot, and the figure has the room between; where that is too little, the picture is higher.
func (d Drawing) Picture(c chart.Caption, heading string, width, height int) chart.Figure {
	zoom := max(1, float64(width)/leastWide)
	inner := int(float64(width)/zoom) - chart.Margins
	c.Height = int(math.Round(float64(height) / zoom))
	var made chart.Figure
	for room := 0; ; {
		left := max(leastHigh, c.Height-c.HeightOf(inner))
		if room > 0 && left >= room { // the names that have no room in the figure leave it as high as it is
			break
		}
		room = left
		var refused *Refusal
		if made, refused = d.Draw(inner, room); refused != nil {
			made = chart.Sentence(chart.Frame{Width: inner, Title: heading}, refused.Text)
			break
		}
		c.Told = d.unnamed(made)
	}
	return made.WithCaption(c).Zoomed(zoom)
}
