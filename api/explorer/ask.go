package explorer

import (
	"slices"
	"strconv"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// questionParameters are those of …/aggregate that say what is asked, and which version.
var questionParameters = append(request.Clauses(),
	request.Parameter{Name: "page", Twice: cube.CodeBadPage}, request.Parameter{Name: "pagesize", Twice: cube.CodeBadPage}, request.Pin)

// mostRows is how many members a view lists before it adds up the others.
const mostRows = 30

// askMore asks what the page shows beside what was asked, as far as the question allows it: shares, the year before, the derived
// measure, and the members beyond the first ones as one row. It gives the question that it asked with the answer, and why that is not
// compared with the other year, if the budget has it.
func (v *visit) askMore(cb *cube.Cube, asked query.Query) (q query.Query, found *answer.Answer, withheld []string, err error) {
	var last error
	ofChange := v.PageParameter("_view") == asChange
	for _, q := range enriched(cb, asked, ofChange) {
		found, err := v.Ask(cb, q)
		switch status := reply.Statuses[cube.CodeOf(err)]; {
		case err == nil && asked.Compare == nil && !ofChange && comparesNothing(found): // nobody asked for what is not there
			withheld = v.whyWithheld(found)
		case err == nil:
			return q, found, withheld, nil
		case status < 400 || status >= 500:
			return q, nil, nil, err
		default:
			last = err
		}
	}
	return asked, nil, nil, last
}

// comparesNothing tells whether an answer is compared with nothing, such as with a year that the budget does not have.
func comparesNothing(found *answer.Answer) bool {
	before := slices.IndexFunc(found.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == query.RoleEarlier })
	_, isTold := caveat.Find(found.Caveats, cube.WarnNotCompared)
	return isTold && before >= 0 && !found.Summary.Values[before].Valid
}

// whyWithheld says why an answer is not compared with the other year, if the budget has that.
func (v *visit) whyWithheld(found *answer.Answer) (why []string) {
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

// enriched gives questions that include what was asked, the most telling first. Those of a change have what changed most first.
func enriched(cb *cube.Cube, asked query.Query, ofChange bool) []query.Query {
	asked.Aggregates = mainAggregates(cb.Model, asked.Aggregates)
	plain := asked
	main := asked.Aggregates[0]
	inUsualOrder := len(asked.Order) == 0
	if inUsualOrder && len(asked.Drilldown) > 0 && !drillsTime(cb.Model, asked) {
		plain.Order = []query.Order{byAggregate(main)}
	}
	shared := plain
	if main.Func == string(cube.Sum) || main.Func == string(cube.Rows) || hasTerms(main) {
		shared.Aggregates = append(slices.Clone(plain.Aggregates), query.AggregateRef{Func: string(cube.Share), Args: []query.AggregateRef{main}})
	}
	if derived := cb.Model.Derived(); len(derived) > 0 && len(asked.Aggregates) == 1 {
		shared.Aggregates = append(slices.Clone(shared.Aggregates), query.AggregateRef{Func: derived[0].Ref})
	}
	first := asked.Page == query.FirstPage && asked.Top == 0 && !asked.Rollup
	if first && len(asked.Drilldown) == 1 && !drillsTime(cb.Model, asked) && inUsualOrder {
		shared.Top, shared.Remainder = mostRows, true
	}
	list := []query.Query{shared, plain}
	if year, ok := cb.Model.YearLevel(); ok && asked.Compare == nil && bare(main).Measure != "" {
		compared := shared
		compared.Compare = &query.Compare{Ref: query.Ref{Name: year.Ref}, Offset: usualOffset(cb, asked)}
		list = append([]query.Query{compared}, list...)
	}
	if first := &list[0]; ofChange && inUsualOrder && first.Compare != nil && len(first.Order) > 0 {
		first.Order = []query.Order{{Ref: first.Order[0].Ref, Formula: first.Order[0].Formula, Role: query.RoleSize, Desc: true}}
	}
	return list
}

// usualOffset leads from the year of a question to the one that it is compared with unless another is asked for: the last year before
// it that has rows.
func usualOffset(cb *cube.Cube, asked query.Query) int64 {
	year, ok := yearCutOf(cb.Model, asked.Cuts)
	if !ok || cb.Coverage == nil {
		return -1
	}
	offset := int64(-1)
	for _, other := range cb.Coverage.Years {
		if other < year {
			offset = other - year
		}
	}
	return offset
}

// yearCutOf is the fiscal year that cuts admit, if it is a single one.
func yearCutOf(m *cube.Model, cuts []query.Cut) (year int64, ok bool) {
	level, ok := m.YearLevel()
	if !ok {
		return 0, false
	}
	for _, c := range cuts {
		if c.Ref.Name == level.Ref && !c.Not && len(c.Items) == 1 && c.Items[0].Op == query.OpEqual && len(c.Items[0].Path) == 1 {
			year, err := strconv.ParseInt(c.Items[0].Path[0].Text, 10, 64)
			return year, err == nil
		}
	}
	return 0, false
}

// byAggregate puts the cells with the largest values of an aggregate first.
func byAggregate(a query.AggregateRef) query.Order {
	if a.Measure == "" {
		return query.Order{Formula: &a, Desc: true}
	}
	return query.Order{Ref: query.Ref{Dimension: a.Measure, Name: a.Func}, Desc: true}
}

// mainAggregates are those asked, or the sum of the leading measure, or the number of rows.
func mainAggregates(m *cube.Model, asked []query.AggregateRef) []query.AggregateRef {
	if len(asked) > 0 {
		return asked
	}
	if leading, ok := m.Leading(); ok {
		return []query.AggregateRef{{Measure: leading.Ref, Func: string(cube.Sum)}}
	}
	return []query.AggregateRef{{Func: string(cube.Rows)}}
}

// drillsTime tells whether a level of a dimension of time is drilled: its members have an order of their own.
func drillsTime(m *cube.Model, q query.Query) bool {
	return slices.ContainsFunc(q.Drilldown, func(ref query.Ref) bool {
		level, ok := m.Level(ref.Name)
		if !ok {
			return false
		}
		dimension, _ := m.Dimension(level.Dimension)
		return dimension.Type == cube.DimensionTime
	})
}

// The figures of a view, which the parameter _view names. Any other value is the table.
const (
	asTable   = "table"
	asBars    = "bars"
	asTreemap = "treemap"
	asLine    = "line"
	asChange  = "change"
	asSankey  = "sankey"
)
