package controls

import (
	"cmp"
	"slices"
	"strconv"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Years are the choices of the fiscal year, with links to the years before and after the one that is cut; none where there is nothing to choose.
func Years(s *selection.Selection) layers.Segment {
	made := layers.Segment{Name: "years", Title: s.Say("view.year")}
	level, ok := s.Cube.Model.YearLevel()
	if !ok || s.Cube.Coverage == nil || slices.ContainsFunc(s.Drilled(), func(l cube.Level) bool { return l.Ref == level.Ref }) {
		return made
	}
	at := -1
	for i, year := range s.Cube.Coverage.Years {
		cut := s.ToYear(year)
		isCut := slices.ContainsFunc(s.Address.Query.Cuts, func(c query.Cut) bool { return c.String() == cut.String() })
		if isCut {
			at = i
		}
		made.Choices = append(made.Choices, site.Choice{Text: strconv.FormatInt(year, 10), Link: s.Address.With(cut).String(), Taken: isCut})
	}
	if at > 0 {
		made.Before = &site.Choice{Text: s.Say("view.earlier-year"), Link: made.Choices[at-1].Link}
	}
	if at >= 0 && at+1 < len(made.Choices) {
		made.After = &site.Choice{Text: s.Say("view.later-year"), Link: made.Choices[at+1].Link}
	}
	all := s.Address.Without(func(field string) bool { return field == level.Ref }).Asking(func(q *query.Query) {
		s.NameMeasure(q)
		if selection.IsPerHead(q.Aggregates[0]) { // amounts per person of several years are no sum
			q.Aggregates = []query.AggregateRef{selection.Bare(q.Aggregates[0])}
		}
	})
	made.Choices = append(made.Choices, site.Choice{Text: s.Say("view.all-years"), Link: all.String(), Taken: at < 0 && !s.IsFixed(level.Ref)})
	return made
}

// YearsAlone are the choices of one fiscal year, of those for which fits is true.
func YearsAlone(s *selection.Selection, fits func(year int64) bool) []site.Choice {
	return slices.DeleteFunc(Years(s).Choices, func(c site.Choice) bool {
		year, err := strconv.ParseInt(c.Text, 10, 64)
		return err != nil || !fits(year)
	})
}

// Terms are the choices of how amounts are counted: as they are, in prices of one year, per head, and both. There is none where the
// series of the country are not known, or the years of the rows.
func Terms(s *selection.Selection) []site.Choice {
	main := s.Main()
	if main.Func != cube.Sum || main.Measure == "" || s.Cube.Coverage == nil {
		return nil
	}
	year, heads := selection.PriceYear(s.Cube), selection.HasHeads(s.Cube)
	taken := plan.ByYear{}
	if main.ByYear != nil {
		taken = *main.ByYear
		year = cmp.Or(taken.PriceYear, year)
	}
	var list []site.Choice
	text := strconv.FormatInt(year, 10)
	add := func(title string, inPrices, byHead bool) {
		ref := selection.Bare(s.Asked())
		if inPrices {
			ref = selection.InPrices(ref, year)
		}
		if byHead {
			ref = selection.PerHead(ref)
		}
		a := s.Address.Asking(func(q *query.Query) { q.Aggregates, q.Order = []query.AggregateRef{ref}, nil })
		isTaken := inPrices == (taken.PriceYear != 0) && byHead == taken.PerHead
		list = append(list, site.Choice{Text: title, Link: a.String(), Taken: isTaken})
	}
	add(s.Say("view.as-published"), false, false)
	if heads {
		add(s.Say("view.per-head"), false, true)
	}
	if year != 0 {
		add(s.Say("view.in-prices", "Year", text), true, false)
	}
	if year != 0 && heads {
		add(s.Say("view.per-head-in-prices", "Year", text), true, true)
	}
	if len(list) == 1 {
		return nil
	}
	return list
}

// Ways are the links to the ways to show the cells. A figure of parts is that of what is drawn.
func Ways(s, drawn *selection.Selection) []site.Choice {
	var list []site.Choice
	taken := drawn.Address.View
	for _, way := range []struct{ name, text string }{
		{selection.AsTable, s.Say("figure.table")}, {selection.AsBars, s.Say("figure.bars")}, {selection.AsTreemap, s.Say("figure.treemap")}, {selection.AsLine, s.Say("figure.over-years")},
		{selection.AsChange, s.Say("view.change")}, {selection.AsSankey, s.Say("figure.flows")},
	} {
		a := drawn.Address
		switch {
		case (way.name == selection.AsLine || way.name == selection.AsChange) && way.name != taken && !selection.HasSeveralYears(s.Cube):
			continue
		case way.name == selection.AsLine:
			a = s.Address
		case way.name == selection.AsSankey && way.name != taken:
			a = selection.WithSecond(s, a)
		}
		a.View = way.name
		list = append(list, site.Choice{Text: way.text, Link: a.String(), Taken: way.name == taken})
	}
	return list
}
