package search

import (
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// mostAsked is how many questions a page of hits asks for the amounts of hits.
const mostAsked = 16

// wanted is an amount of a hit that the index does not have.
type wanted struct {
	hit     *Hit
	measure cube.Measure
	year    int64
}

// Asking answers a question.
type Asking func(*plan.Plan) (*answer.Answer, error)

// Usual gives the measure of hits of which nobody asks for a phase.
type Usual func(cb *cube.Cube, years ...int64) (cube.Measure, bool)

// FillAmounts fills in the amounts of hits in the year and of the phase that were asked for, where the index does not have them: one question
// for the hits of a level. Beyond some levels, and where a budget has none of the phase, they stay as they are. With a usual measure amounts are
// those that pages show: of that measure, and without the financing that the overlay names. Else they are of the leading measure.
func (a *Answer) FillAmounts(ask Asking, usual Usual) error {
	without := map[string][]wanted{}
	var order []string
	for i := range a.Hits {
		w, ok := wantedOf(&a.Hits[i], a.Phase, usual)
		if !ok {
			continue
		}
		of := w.hit.Cube.Name + "\n" + w.hit.Level.Ref + "\n" + w.measure.Ref + "\n" + strconv.FormatInt(w.year, 10)
		if without[of] == nil {
			order = append(order, of)
		}
		without[of] = append(without[of], w)
	}
	for i, of := range order {
		if err := fill(without[of], usual != nil, i < mostAsked, ask); err != nil {
			return err
		}
	}
	return nil
}

// wantedOf gives the amount to ask for; false if there is none, or the hit has it.
func wantedOf(h *Hit, phase Phase, usual Usual) (wanted, bool) {
	level, hasYears := h.Cube.Model.YearLevel()
	leading, ok := h.Cube.Model.Leading()
	hasFinancing := usual != nil && len(h.Cube.Financing) > 0
	if !ok || !hasYears || h.Kind != KindMember && h.Kind != KindCube && (h.Kind != KindMeasure || !hasFinancing) {
		return wanted{}, false
	}
	year := h.Year
	if year == 0 {
		year, _ = h.Amount.Year.Int()
	}
	if at := slices.Index(h.Level.Path, level.Ref); at >= 0 { // it is a year, or within one
		year, _ = h.Path[at].Int()
	}
	measure, inPhase := phase.MeasureOf(h.Cube, year)
	switch {
	case h.Kind == KindMeasure:
		measure, _ = h.Cube.Model.Measure(h.Measure)
	case !inPhase && usual != nil:
		measure, _ = usual(h.Cube, year)
	case !inPhase:
		measure = leading
	}
	return wanted{h, measure, year}, year != 0 && (h.Amount.Measure != measure.Ref || hasFinancing)
}

// fill asks for amounts of the members of one level in one year. Where the hits have amounts with financing and are to be without, they have none if
// these are not asked for.
func fill(list []wanted, leavesOut, isAsked bool, ask Asking) error {
	cb, level, sum := list[0].hit.Cube, list[0].hit.Level, list[0].measure.Ref
	year, _ := cb.Model.YearLevel()
	q := query.Query{
		Aggregates: []query.AggregateRef{{Measure: sum, Func: string(cube.Sum)}}, Page: query.Every,
	}
	if level.Ref != year.Ref { // else the members are cut by it
		q.Cuts = []query.Cut{query.CutTo(year.Ref, strconv.FormatInt(list[0].year, 10))}
	}
	if level.Ref != "" {
		members := query.Cut{Ref: query.Ref{Name: level.Ref}}
		for _, w := range list {
			members.Items = append(members.Items, query.CutTo("", w.hit.Path[len(w.hit.Path)-1].String()).Items...)
		}
		q.Drilldown, q.Cuts = []query.Ref{{Name: level.Ref}}, append(q.Cuts, members)
	}
	p, err := plan.Bind(cb, q)
	if err != nil { // such as a key that a cut cannot name
		return nil //nolint:nilerr // the hit has no amount then
	}
	if financing := p.Financing(); leavesOut && len(financing) > 0 {
		q.Cuts = append(q.Cuts, each.Of(financing, plan.WithoutFinancing)...)
		for _, w := range list {
			w.hit.Amount.Text = ""
		}
		if p, err = plan.Bind(cb, q); err != nil {
			return err
		}
	}
	if !isAsked {
		return nil
	}
	found, err := ask(p)
	if err != nil {
		return err
	}
	for _, cell := range found.Cells {
		for _, w := range list {
			if value := cell.Values[0]; value.Valid && isOf(found.Plan, cell, w.hit) {
				w.hit.Amount = Amount{Measure: sum, Year: cube.Integer(w.year), Text: value.Decimal.StringFixed(found.Plan.Aggregates()[0].Scale)}
			}
		}
	}
	return nil
}

// isOf tells whether a cell is that of a hit.
func isOf(p *plan.Plan, cell answer.Cell, h *Hit) bool {
	for i, field := range h.Level.Path {
		key := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == field })
		if key < 0 || key >= len(cell.Keys) || cell.Keys[key].Compare(h.Path[i]) != 0 {
			return false
		}
	}
	return true
}
