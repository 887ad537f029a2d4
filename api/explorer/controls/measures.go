// Package controls has what leads from a page about amounts to others: to other years, measures, levels, filters and pictures. Its choices are plain
// values, which the layers of a page show.
package controls

import (
	"cmp"
	"slices"

	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Measures are the choices of what is added up. Apart from the others are those without amounts in the years of the selection, and those that
// another one is put together from, unless they are taken.
func Measures(s *selection.Selection) (list, apart []site.Choice) {
	isPart := func(ref string) bool {
		return slices.ContainsFunc(s.Cube.Model.Measures(), func(m cube.Measure) bool { return slices.Contains(s.Cube.Model.FirstOf(m.Ref), ref) })
	}
	taken, asked := s.Main().Name, s.Asked()
	for _, m := range InOrder(s.Cube.Model) {
		ref := selection.InTermsOf(asked, selection.SumOf(m))
		a := s.Address.Asking(func(q *query.Query) { q.Aggregates, q.Order = []query.AggregateRef{ref}, nil })
		choice := site.Choice{Text: prose.MeasureTitle(m, s.Language), Hint: MadeOf(s.Guest, s.Cube, m), Value: m.Ref, Link: a.String(), Taken: ref.String() == taken}
		if s.HasNone(m.Ref) {
			choice.Text += " (" + cmp.Or(site.Spans(yearsWith(s.Cube, m.Ref)), s.Say("figure.no-data")) + ")"
		}
		if !choice.Taken && (s.HasNone(m.Ref) || isPart(m.Ref)) {
			apart = append(apart, choice)
		} else {
			list = append(list, choice)
		}
	}
	return list, apart
}

// InOrder are the measures as a budget goes: what is proposed, approved, adjusted, executed, and what has no phase. Within a
// phase, what is put together from fields comes first, and those fields come last: each has a part of its years.
func InOrder(m *cube.Model) []cube.Measure {
	phases := []string{"proposed", "approved", "adjusted", "executed", ""}
	places := map[string]int{}
	for _, measure := range m.Measures() {
		for i, field := range m.FirstOf(measure.Ref) {
			places[measure.Ref], places[field] = -1, 1+i
		}
	}
	return slices.SortedStableFunc(slices.Values(m.Measures()), func(a, b cube.Measure) int {
		return cmp.Or(cmp.Compare(slices.Index(phases, a.Phase), slices.Index(phases, b.Phase)), cmp.Compare(places[a.Ref], places[b.Ref]))
	})
}

// yearsWith lists the years in which a measure has amounts.
func yearsWith(cb *cube.Cube, measure string) []int64 {
	all := cb.Coverage.Years
	gap := cb.Coverage.Gap(measure, all)
	return slices.DeleteFunc(slices.Clone(all), func(year int64) bool { return slices.Contains(gap, year) })
}

// MadeOf says how the amounts of a measure are put together from those of others, each with its years; "" for one that is published.
func MadeOf(v *site.Guest, cb *cube.Cube, measure cube.Measure) string {
	fields := cb.Model.FirstOf(measure.Ref)
	if len(fields) == 0 {
		return ""
	}
	title := func(m cube.Measure) string { return cmp.Or(m.Titles.In(v.Language), m.Title, m.Ref) }
	return v.Say("view.made-of", "Measure", title(measure), "Fields", v.And(each.Text(fields, func(field string) string {
		name := field
		if m, ok := cb.Model.Measure(field); ok {
			name = title(m)
		}
		if name = v.Quote(name); cb.Coverage == nil {
			return name
		}
		return name + " (" + cmp.Or(v.Years(yearsWith(cb, field)), v.Say("figure.no-data")) + ")"
	})))
}

// byStage calls measures by what was done with their amounts, where that tells them apart: Approved, Spent.
func byStage(s *selection.Selection, measures []site.Choice) []site.Choice {
	list := slices.Clone(measures)
	var stages []string
	for i, c := range list {
		m, ok := s.Cube.Model.Measure(c.Value)
		if !ok || m.Phase == "" || s.HasNone(m.Ref) {
			return measures
		}
		stage := prose.Phase(m.Phase, m.Direction, s.Locale)
		if slices.Contains(stages, stage) {
			return measures
		}
		stages, list[i].Text, list[i].Hint = append(stages, stage), prose.Begin(stage), cmp.Or(c.Hint, c.Text)
	}
	return list
}
