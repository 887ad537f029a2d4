// Package asks puts the questions of pages to the store: the answer to an address, with what a page shows beside it, and figures, splits, years and
// members. Each question of a page is asked once, and those that need no other answer at once.
package asks

import (
	"context"
	"slices"

	"fiscube/api/explorer/controls"
	"fiscube/api/explorer/figures"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/explorer/told"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/search"
	"fiscube/internal/each"
)

// QuestionParameters are those of …/aggregate that say what is asked, and which version.
var QuestionParameters = append(request.Clauses(),
	request.Parameter{Name: "page", Twice: cube.CodeBadPage}, request.Parameter{Name: "pagesize", Twice: cube.CodeBadPage}, request.Pin)

// Visit is a request for a page that asks.
type Visit struct {
	*site.Visit
	Search *search.Index // nil where nothing is searched
}

// Address is the address of the page that the request asks for.
func (v *Visit) Address(cb *cube.Cube) (site.Address, error) {
	a := v.Explore(cb)
	var err error
	a.Query, err = query.Parse(v.Given)
	a.View, a.Financing = v.PageParameter("_view"), v.PageParameter("_financing")
	return a, err
}

// Read answers the question of an address with what a page shows beside that, and says why it is not compared, though nobody asked for that.
func (v *Visit) Read(cb *cube.Cube, a site.Address) (r *reading.Reading, withheld []string, err error) {
	a, err = v.brokenDown(cb, selection.WithoutFinancing(cb, selection.OfUsualMeasure(cb, a)))
	if err != nil {
		return nil, nil, err
	}
	q, found, withheld, err := v.askMore(cb, a)
	if err != nil {
		return nil, nil, err
	}
	names, err := v.Names(found.Plan)
	if err != nil {
		return nil, nil, err
	}
	return reading.New(selection.New(v.Guest, a, found.Plan, names), q, found), withheld, nil
}

// brokenDown gives a figure of parts that names no level those by which the page of the sum is divided first.
func (v *Visit) brokenDown(cb *cube.Cube, a site.Address) (site.Address, error) {
	most, sum := selection.LevelsOf(a.View), a
	if sum.View = ""; most == 0 || len(a.Query.Drilldown) > 0 {
		return a, nil
	}
	r, _, err := v.Read(cb, sum)
	if err != nil {
		return a, err
	}
	var splits []*reading.Reading
	err = v.Splits(&splits, r, most)()
	for _, split := range splits {
		a.Query.Drilldown = append(a.Query.Drilldown, split.Address.Query.Drilldown...)
	}
	return a, err
}

// askMore asks what the page shows beside what was asked, as far as the question allows it. It gives the question that it asked with the answer, and
// why that is not compared with the other year, if the budget has it.
func (v *Visit) askMore(cb *cube.Cube, a site.Address) (q query.Query, found *answer.Answer, withheld []string, err error) {
	for _, q := range selection.Enriched(cb, a) {
		found, err = v.Ask(cb, q)
		switch {
		case err == nil && a.Query.Compare == nil && a.View != selection.AsChange && selection.ComparesNothing(found): // nobody asked for what is not there
			withheld = v.whyWithheld(found)
		case err == nil:
			found, err = v.WithLines(found)
			return q, found, withheld, err
		case !IsOfReader(err):
			return q, nil, nil, err
		}
	}
	return a.Query, nil, nil, err
}

// IsOfReader tells whether an error is of what is asked, so that the page has the rest without it.
func IsOfReader(err error) bool {
	status := reply.Statuses[cube.CodeOf(err)]
	return status >= 400 && status < 500
}

// whyWithheld says why an answer is not compared with the other year, if the budget has that.
func (v *Visit) whyWithheld(found *answer.Answer) (why []string) {
	c, years := found.Plan.Comparison(), found.Plan.Years()
	if len(years) != 1 || !slices.Contains(found.Plan.Cube().Coverage.Years, years[0]+c.Offset) {
		return nil
	}
	for _, of := range found.Caveats {
		if of.Code == cube.WarnNotCompared {
			why = append(why, prose.Tell(found.Plan, of, v.Locale))
		}
	}
	return why
}

// Names asks for the names of the members that the filters of a plan admit.
func (v *Visit) Names(p *plan.Plan) (selection.Names, error) {
	names := selection.Names{}
	for filter, members := range selection.NamesToAsk(p) {
		page, err := v.Limiter.MemberPage(v.Request().Context(), limits.TimingOf(v.Context), members, v.Language)
		if err != nil {
			return nil, err
		}
		names[filter] = each.Text(page.Members, func(m plan.MemberRow) string { return m.Label.String() })
	}
	return names, nil
}

// mostLinesLeft is of how many lines that are left behind the store is asked.
const mostLinesLeft = 200

// WithLines is an answer whose caveats name the lines that are left behind. The store is asked for them only where the load found some.
func (v *Visit) WithLines(a *answer.Answer) (*answer.Answer, error) {
	lines := a.Plan.NotInLast()
	if _, ok := caveat.Find(a.Caveats, cube.WarnLinesLeft); !ok || lines == nil {
		return a, nil
	}
	measure, _ := a.Plan.Cube().Model.Measure(a.Plan.Aggregates()[0].Measure)
	left, err := limits.Whole(v.Request().Context(), v.Limiter, limits.TimingOf(v.Context), a.Plan.Cube().Rows, func(ctx context.Context) (caveat.Left, error) {
		return answer.NotInLast(ctx, v.Limiter, lines, measure, mostLinesLeft)
	})
	if err != nil {
		return nil, err
	}
	return a.WithLeft(left, v.Language), nil
}

// Beside asks a question that a page can do without: it has no answer where it cannot be asked so.
func (v *Visit) Beside(to **answer.Answer, cb *cube.Cube, q query.Query, ok bool) func() error {
	return func() error {
		if !ok {
			return nil
		}
		found, err := v.Ask(cb, q)
		if IsOfReader(err) {
			return nil
		}
		*to = found
		return err
	}
}

// Figure asks what a figure of a page is made of.
func (v *Visit) Figure(to *figures.Asked, r *reading.Reading, kind string) func() error {
	return func() error {
		*to = figures.Asked{Kind: kind, Page: r}
		q, ok := figures.Question(r, kind)
		if !ok {
			return nil
		}
		found, err := v.Ask(r.Cube, q)
		if IsOfReader(err) {
			to.Mistake = err
			return nil
		}
		if err != nil {
			return err
		}
		to.All = r.With(q, found)
		if kind != selection.AsLine {
			return nil
		}
		for _, cell := range figures.Largest(r) {
			q := r.ByYear(figures.InYears(r, cell), r.Asked())
			found, err := v.Ask(r.Cube, q)
			if err != nil {
				return err
			}
			to.Members = append(to.Members, r.With(q, found))
		}
		return nil
	}
}

// Splits asks how the sum of a selection is divided by the first levels worth a look, each of another dimension, at most so many.
func (v *Visit) Splits(to *[]*reading.Reading, r *reading.Reading, most int) func() error {
	return func() error {
		for _, levels := range selection.Divisions(r.Selection) {
			split, err := v.splitBelow(r, levels)
			if err != nil {
				return err
			}
			if split != nil {
				*to = append(*to, split)
			}
			if len(*to) >= most {
				break
			}
		}
		return nil
	}
}

// splitBelow divides by the first level of a dimension of which no part has nearly all; nil if none has several parts.
func (v *Visit) splitBelow(r *reading.Reading, levels []cube.Level) (*reading.Reading, error) {
	for _, level := range levels {
		split, err := v.splitBy(r, level)
		if split == nil || err != nil {
			return nil, err
		}
		if reading.IsDivided(split) {
			return split, nil
		}
	}
	return nil, nil
}

// splitBy divides by a level, as far as the question allows it: nil if it cannot be divided, such as what has no total.
func (v *Visit) splitBy(r *reading.Reading, level cube.Level) (*reading.Reading, error) {
	a := r.Address.Drilling(level.Ref)
	a.View = ""
	for _, q := range selection.Dividing(r.Selection, a) {
		found, err := v.Ask(r.Cube, q)
		switch {
		case IsOfReader(err) || err == nil && selection.ComparesNothing(found):
		case err != nil:
			return nil, err
		default:
			split := reading.New(r.Selection.With(a, found.Plan), q, found)
			return split, v.There(split)()
		}
	}
	return nil, nil
}

// There asks how many members of an answer have rows.
func (v *Visit) There(r *reading.Reading) func() error {
	q, ok := reading.MembersThere(r)
	return func() error {
		var found *answer.Answer
		err := v.Beside(&found, r.Cube, q, ok)()
		if found != nil {
			r.There = found.Summary.Count
		}
		return err
	}
}

// Candidates asks which members a form finds.
func (v *Visit) Candidates(to *[]controls.Candidate, s *selection.Selection, look controls.Sought, wanted bool) func() error {
	return func() error {
		if !wanted {
			return nil
		}
		bound, err := look.MembersToAsk(s)
		if err != nil {
			return err
		}
		var hits []search.Hit
		if q, err := search.Parse(look.Text); err == nil && v.Search != nil { // a text without letters and digits is nothing to search for, but may be in a name
			if hits, err = v.Search.FindMembers(v.Request().Context(), q, s.Cube, bound.Level()); err != nil {
				return err
			}
		}
		found, err := v.Limiter.MemberPage(v.Request().Context(), limits.TimingOf(v.Context), bound, v.Language)
		if err == nil {
			*to = controls.Candidates(s, bound.Level(), hits, found.Members)
		}
		return err
	}
}

// Served asks the served version what a page of another one asks. It gives no answer where that version cannot be asked so, or where the page is of it.
func (v *Visit) Served(to **Now, r *reading.Reading) func() error {
	return func() error {
		if r.Cube.Served {
			return nil
		}
		catalog, err := v.Limiter.Catalog(v.Request().Context())
		if err != nil {
			return err
		}
		cb, err := catalog.Cube(r.Cube.Name)
		if err != nil {
			return err
		}
		_, found, _, err := v.askMore(cb, r.Address)
		if err != nil && !IsOfReader(err) {
			return err
		}
		*to = &Now{cb.Version, found}
		return nil
	}
}

// Now is how the served version answers what a page of another one asks; the answer is nil where it cannot.
type Now struct {
	version int
	found   *answer.Answer
}

// Told says how the served version answers; nil on a page of the served one.
func (n *Now) Told(r *reading.Reading) *layers.Pinned {
	if n == nil {
		return nil
	}
	return told.Pinned(r, n.version, n.found)
}

// ByYear asks for the number of a selection in each fiscal year, if it has years.
func (v *Visit) ByYear(to **reading.Reading, r *reading.Reading, wanted bool) func() error {
	_, hasYears := r.Cube.Model.YearLevel()
	q := r.ByYear(r.Address, r.Asked())
	return func() error {
		var found *answer.Answer
		err := v.Beside(&found, r.Cube, q, hasYears && wanted)() // it cannot be asked of a cut on a month of a year
		if err == nil && found != nil && len(found.Cells) > 1 {
			*to = r.With(q, found)
		}
		return err
	}
}

// Financing asks for the financing that is left out of a sum, or for the sum without that which is in it.
func (v *Visit) Financing(to *told.Apart, r *reading.Reading) func() error {
	return func() error {
		only, _, isLeftOut := r.FinancingLeftOut()
		a, q, isIn := told.Without(r)
		if isLeftOut || !isIn {
			return v.Beside(&to.LeftOut, r.Cube, only, isLeftOut)()
		}
		found, err := v.Ask(r.Cube, q)
		if err != nil {
			return err
		}
		names, err := v.Names(found.Plan)
		if err == nil {
			to.Without = reading.New(selection.New(v.Guest, a, found.Plan, names), q, found)
		}
		return err
	}
}
