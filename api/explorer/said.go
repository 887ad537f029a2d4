package explorer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// said is the heading of a view: its amount in few digits, and in plain words what it is. A total that cannot be trusted has no change.
func (w *view) said() layers.Sentence {
	s := layers.Sentence{Trail: append([]site.Choice{{Text: w.TitleOfCube(w.cb), Link: w.Explore(w.cb).String()}}, w.trail...), What: w.heading, Doubtful: w.isStopped() || len(w.zeros(0, w.answer.Plan.Years())) > 0}
	sum, main := w.answer.Summary.Values[0], w.answer.Plan.Aggregates()[0]
	verb := verbOf(w.measureOf())
	if !sum.Valid || main.Func != cube.Sum || verb == "" {
		if s.Amount, _ = w.sum(); s.Amount != "" {
			s.What = w.heading + " · " + w.sumOf()
		}
		return s
	}
	s.Amount = w.Brief(sum.Decimal, currencyOf(w.cb.Model, main))
	if main.ByYear != nil && main.ByYear.PerHead {
		s.Amount = w.Say("said.per-person", "Amount", s.Amount)
	}
	s.What = w.whatIs(verb)
	return s
}

// verbOf is what was done with the amounts of a measure, as messages name it; "" where nobody says.
func verbOf(m cube.Measure) string {
	switch isRevenue := m.Direction == "revenue"; {
	case m.Phase == "executed" && isRevenue:
		return "received"
	case m.Phase == "executed" && m.Direction == "expenditure":
		return "spent"
	case (m.Phase == "approved" || m.Phase == "adjusted" || m.Phase == "proposed") && isRevenue:
		return "expected"
	case m.Phase == "approved", m.Phase == "adjusted", m.Phase == "proposed": // of either direction
		return m.Phase
	}
	return ""
}

// whatIs says who spent an amount, on what and when: by the filters, of which the last of each dimension counts.
func (w *view) whatIs(verb string) string {
	var who, what, other, times []string
	for _, c := range w.chips {
		dimension, _ := w.cb.Model.Dimension(c.level.Dimension)
		switch {
		case c.IsTime:
			times = append(times, cmp.Or(c.year, c.Members))
		case c.Below != "" || isLeftOut(w.cb, c.cut): // which a note says
		case c.not:
			other = append(other, c.Members)
		case dimension.Classification == "administrative":
			who = append(who, c.Members)
		case dimension.Classification != "" || dimension.Type == "activity":
			what = append(what, c.Members)
		default:
			other = append(other, c.Members)
		}
	}
	years := w.Say("said.all-years")
	if len(times) > 0 {
		years = strings.Join(times, ", ")
	}
	text := ""
	switch {
	case len(who)+len(what) == 0 && len(other) == 0 && (w.cb.Larger != nil || w.cb.MayBeExcerpt()):
		text = w.Say("said."+verb+"-of", "What", w.Say("said.excerpt", "Title", w.TitleOfCube(w.cb)), "Years", years)
	case len(who)+len(what) == 0 && len(other) == 0:
		text = w.Say("said."+verb+"-by", "Who", wholeOf(w.TitleOfCube(w.cb)), "Years", years)
	case len(who) == 1 && len(what) == 0:
		text = w.Say("said."+verb+"-by", "Who", who[0], "Years", years)
	case len(what) == 1 && len(who) == 0:
		text = w.Say("said."+verb+"-on", "What", what[0], "Years", years)
	case len(what) == 1 && len(who) == 1:
		text = w.Say("said."+verb+"-by-on", "Who", who[0], "What", what[0], "Years", years)
	default:
		return w.Say("said."+verb+"-of", "What", strings.Join(slices.Concat(who, what, other), ", "), "Years", years)
	}
	return strings.Join(append([]string{text}, other...), ", ")
}

// wholeOf names whose budget it is: what the title has before a colon, as a country, or else the title.
func wholeOf(title string) string {
	whole, _, _ := strings.Cut(title, ":")
	return whole
}

// lede is what is said below the heading: the change, also in prices of one year, how much of what was approved it is, and how much for each
// person. It asks one question.
func (w *view) lede(e *execution) (list []layers.Phrase, err error) {
	main := w.answer.Plan.Aggregates()[0]
	year, ok := w.yearCut()
	if !ok || w.isStopped() || len(w.zeros(0, []int64{year})) > 0 || main.Func != cube.Sum || main.ByYear != nil || !w.answer.Summary.Values[0].Valid {
		return nil, nil
	}
	change := w.valueIn(query.RolePercentage, w.answer.Summary.Values)
	hasChange := change.Valid && len(w.zeros(0, []int64{year, year + w.offset()})) == 0
	if hasChange {
		list = append(list, layers.Phrase{Text: w.Say("said.change", "Change", w.Change(change), "Year", strconv.FormatInt(year+w.offset(), 10)), Strong: true})
	}
	found, err := w.termsOf(year, hasChange)
	if err != nil {
		return nil, err
	}
	var last []layers.Phrase
	for i, a := range found.aggregates() {
		value := found.answer.Summary.Values[i]
		switch {
		case !value.Valid:
		case a.Role == query.RolePercentage && a.ByYear != nil && a.ByYear.PriceYear != 0:
			list = append(list, layers.Phrase{Text: w.Say("said.real-change", "Change", w.Change(value), "Year", strconv.FormatInt(year, 10))})
		case a.Role == "" && a.ByYear != nil && a.ByYear.PerHead:
			last = append(last, layers.Phrase{Text: w.Say("said.each-person", "Amount", w.Brief(value.Decimal, currencyOf(w.cb.Model, main)))})
		}
	}
	if e != nil && e.Short != "" {
		last = append(last, layers.Phrase{Text: e.Short})
	}
	return append(list, last...), nil
}

// askedBeside is an answer beside that of the view, or none.
type askedBeside struct{ *view }

func (a askedBeside) aggregates() []plan.Aggregate {
	if a.view == nil {
		return nil
	}
	return a.answer.Plan.Aggregates()
}

// termsOf asks for the sum of the view per person and in prices of its year, as far as the series of the country are known.
func (w *view) termsOf(year int64, compared bool) (askedBeside, error) {
	bareSum := bare(mainAggregates(w.cb.Model, w.a.Query.Aggregates)[0])
	q := query.Query{Cuts: w.a.Query.Cuts, Snapshots: w.a.Query.Snapshots, Page: query.FirstPage}
	perHead, inPrices := w.seriesOf(year)
	if perHead {
		q.Aggregates = append(q.Aggregates, query.AggregateRef{Func: string(cube.PerHead), Args: []query.AggregateRef{bareSum}})
	}
	if inPrices && compared {
		q.Aggregates = append(q.Aggregates, query.AggregateRef{Func: string(cube.Real), Args: []query.AggregateRef{bareSum, {Func: strconv.FormatInt(year, 10)}}})
		q.Compare = &query.Compare{Ref: query.Ref{Name: yearOf(w.cb.Model).Name}, Offset: w.offset()}
	}
	if len(q.Aggregates) == 0 {
		return askedBeside{}, nil
	}
	found, err := w.Ask(w.cb, q)
	if isOfReader(err) {
		return askedBeside{}, nil
	}
	if err != nil {
		return askedBeside{}, err
	}
	return askedBeside{w.withAnswer(found)}, nil
}

// segments are the choices above the picture that are few: the year, the stage of the budget, and how amounts are counted.
func (w *view) segments(page *viewPage) (list []layers.Segment) {
	if len(page.Years) > 1 {
		years := layers.Segment{Name: "years", Title: w.Say("view.year"), Choices: page.Years}
		if page.YearBefore != "" {
			years.Before = &site.Choice{Text: w.Say("view.earlier-year"), Link: page.YearBefore}
		}
		if page.YearAfter != "" {
			years.After = &site.Choice{Text: w.Say("view.later-year"), Link: page.YearAfter}
		}
		list = append(list, years)
	}
	if len(page.Measures) > 1 || len(page.MoreMeasures) > 0 {
		list = append(list, layers.Segment{Name: "measures", Title: w.Say("view.measure"), Choices: w.byStage(page.Measures)})
	}
	if len(page.Terms) > 0 {
		list = append(list, layers.Segment{Name: "terms", Title: w.Say("view.terms"), Choices: page.Terms})
	}
	return list
}

// takenOf is the text of what is taken of some choices.
func takenOf(choices []site.Choice) string {
	taken := slices.DeleteFunc(slices.Clone(choices), func(c site.Choice) bool { return !c.Taken })
	return strings.Join(each.Text(taken, func(c site.Choice) string { return c.Text }), ", ")
}

// byStage calls measures by what was done with their amounts, where that tells them apart: Approved, Spent.
func (w *view) byStage(measures []site.Choice) []site.Choice {
	list := slices.Clone(measures)
	var stages []string
	for i, c := range list {
		m, ok := w.cb.Model.Measure(c.Value)
		if !ok || m.Phase == "" || w.hasNone(m.Ref) {
			return measures
		}
		stage := prose.Phase(m.Phase, m.Direction, w.Locale)
		if slices.Contains(stages, stage) {
			return measures
		}
		stages, list[i].Text, list[i].Hint = append(stages, stage), prose.Begin(stage), cmp.Or(c.Hint, c.Text)
	}
	return list
}
