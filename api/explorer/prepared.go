package explorer

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/query"
)

// The prepared questions, which the parameter _ask names. Their choices are _level, _from and _to.
const (
	askGrowth = "growth"
	askParts  = "parts"
	askYears  = "years"
)

// mostOffered is how many levels a prepared question offers.
const mostOffered = 20

// prepared is a question in words with choices in it: a form that leads to its view.
type prepared struct {
	Ask    string
	Pieces []piece
}

// piece is a part of the sentence: a text or, with a name, a choice.
type piece struct {
	Text, Name, Title string
	Choices           []site.Choice
}

// prepared makes the questions that a cube can answer.
func (v *visit) prepared(cb *cube.Cube) []prepared {
	var levels []site.Choice
	for i, level := range cb.Model.FirstLevels(mostOffered) {
		levels = append(levels, site.Choice{Text: v.ByLevel(level), Value: level.Ref, Taken: i == 0})
	}
	if _, ok := cb.Model.YearLevel(); !ok || cb.Coverage == nil || len(cb.Coverage.Years) == 0 || len(levels) == 0 {
		return nil
	}
	years := cb.Coverage.Years
	at := func(name string, taken int) piece {
		made := piece{Name: name, Title: v.Say("view.year")}
		for i, year := range years {
			text := strconv.FormatInt(year, 10)
			made.Choices = append(made.Choices, site.Choice{Text: v.Years([]int64{year}), Value: text, Taken: i == taken})
		}
		return made
	}
	level := piece{Name: "_level", Title: v.Say("view.break-down"), Choices: levels}
	last := len(years) - 1
	if year := cb.DefaultView().Year; year != nil {
		last = max(slices.Index(years, *year), min(1, last)) // a year before it is there for the growth
	}
	list := []prepared{{askParts, sentence(v.Say("ask.parts", "Year", choice("_to"), "By", choice("_level")), at("_to", last), level)}}
	if last > 0 {
		list = append([]prepared{{askGrowth, sentence(v.Say("ask.growth", "By", choice("_level"), "First", choice("_from"), "Last", choice("_to")), level, at("_from", last-1), at("_to", last))}}, list...)
		list = append(list, prepared{askYears, sentence(v.Say("ask.years", "By", choice("_level")), level)})
	}
	return list
}

// mark stands around the name of a choice in a text. No message has it.
const mark = "\x00"

func choice(name string) string { return mark + name + mark }

// sentence puts choices where a text names them.
func sentence(text string, choices ...piece) []piece {
	var list []piece
	for i, part := range strings.Split(text, mark) {
		if i%2 == 1 {
			list = append(list, choices[slices.IndexFunc(choices, func(p piece) bool { return p.Name == part })])
		} else if part = strings.TrimSpace(part); part != "" {
			list = append(list, piece{Text: part})
		}
	}
	return list
}

// answerPrepared leads from a prepared question to its view.
func (v *visit) answerPrepared(cb *cube.Cube, a site.Address) error {
	year, ok := cb.Model.YearLevel()
	complete := cb.DefaultView().Year
	if !ok || complete == nil {
		return request.Mistake(cube.CodeBadValue, "_ask", "this budget has no fiscal years", "ask with drilldown and cut")
	}
	level := v.PageParameter("_level")
	if _, known := cb.Model.Level(level); !known {
		return cube.Errorf(cube.CodeBadValue, "%s is %q", "_level", query.Clip(level)).At(cube.Position{Parameter: "_level"}).WithHint("name a level of the model")
	}
	to, err := v.yearGiven("_to", *complete)
	if err != nil {
		return err
	}
	from, err := v.yearGiven("_from", to-1)
	if err != nil {
		return err
	}
	if from > to {
		from, to = to, from
	}
	a = a.Drilling(level).With(query.CutTo(year.Ref, strconv.FormatInt(to, 10)))
	switch v.PageParameter("_ask") {
	case askGrowth:
		if from < to-1 {
			a.Query.Compare = &query.Compare{Ref: query.Ref{Name: year.Ref}, Offset: from - to}
		}
		a.View = selection.AsChange
	case askYears:
		a.View = selection.AsLine
	default:
		a.View = selection.AsBars
	}
	return v.Redirect(http.StatusSeeOther, a.String())
}

// yearGiven reads a year of a prepared question, or gives the usual one.
func (v *visit) yearGiven(name string, usual int64) (int64, error) {
	text := v.PageParameter(name)
	if text == "" {
		return usual, nil
	}
	year, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, cube.Errorf(cube.CodeBadValue, "%s is %q", name, query.Clip(text)).At(cube.Position{Parameter: name}).WithHint("write a year")
	}
	return year, nil
}
