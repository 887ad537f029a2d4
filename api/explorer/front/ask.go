package front

import (
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/asks"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Budget is a cube, with what was asked of it.
type Budget struct {
	*cube.Cube
	Year    int64
	Measure cube.Measure
	Before  int64          // the year that it is compared with; 0 for none
	Level   cube.Level     // that divides it
	Answer  *answer.Answer // of the sum and, where inhabitants are known, of that for each; nil where there is none
	parts   []amountPart   // the largest first; none where nothing divides it
}

// amountPart is what a budget has of a division of COFOG or, where nobody says which, of a member.
type amountPart struct {
	division, label string // both are "" of what is of none
	amount          decimal.Decimal
	members         [][]cube.Value
}

// The bounds of what is asked: of how many budgets, by how many levels of each until one divides it, and how many members that may have.
const (
	mostAsked   = 60
	mostLevels  = 5
	mostMembers = 1000
)

// Ask asks for the amounts of all budgets. A store that has too much to do, or is away, is left alone, and the page has what there is.
func Ask(v *site.Visit) (budgets []*Budget, err error) {
	catalog, err := v.Limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil, err
	}
	var away atomic.Bool
	var all []func() error
	for _, cb := range site.Listed(catalog) {
		b := &Budget{Cube: cb}
		budgets, all = append(budgets, b), append(all, func() (err error) {
			if !away.Load() {
				err = b.ask(v)
			}
			if cube.CodeOf(err) == cube.CodeUnavailable {
				away.Store(true)
			} else if !asks.IsOfReader(err) {
				return err
			}
			return nil
		})
	}
	return budgets, site.Together(all[:min(len(all), mostAsked)]...)
}

// ask asks how a budget is divided in its last year, until a level divides it.
func (b *Budget) ask(v *site.Visit) error {
	year, ok := b.count()
	if !ok {
		return nil
	}
	q := query.Query{Cuts: []query.Cut{query.CutTo(year.Ref, strconv.FormatInt(b.Year, 10))}, Page: query.Page{Number: 1, Size: mostMembers}}
	q.Cuts = append(q.Cuts, each.Of(b.Financing, plan.WithoutFinancing)...)
	q.Aggregates = []query.AggregateRef{selection.SumOf(b.Measure)}
	if heads, _ := selection.SeriesOf(b.Cube, b.Year); heads && b.Coverage != nil && !b.IsPart() {
		q.Aggregates = append(q.Aggregates, selection.PerHead(q.Aggregates[0]))
	}
	if b.Before != 0 {
		q.Compare = &query.Compare{Ref: query.Ref{Name: year.Ref}, Offset: b.Before - b.Year}
	}
	levels := b.levels()
	if len(levels) == 0 {
		levels = []cube.Level{year} // of which there is one
	}
	for _, level := range levels[:min(len(levels), mostLevels)] {
		q.Drilldown = []query.Ref{{Name: level.Ref}}
		found, err := v.Ask(b.Cube, q)
		if err != nil {
			return err
		}
		parts := partsOf(b.Cube, level, found)
		if b.Answer == nil || parts != nil {
			b.Level, b.Answer, b.parts = level, found, parts
		}
		if parts != nil {
			break
		}
	}
	return nil
}

// count finds what a card counts: the last whole year, or else the last, and in it what was spent or received or else what the leading measure says.
func (b *Budget) count() (year cube.Level, ok bool) {
	year, hasYears := b.Model.YearLevel()
	leading, hasMeasure := b.Model.Leading()
	last := b.DefaultView().Year
	if b.Measure = leading; !hasYears || !hasMeasure || last == nil {
		return year, false
	}
	whole := b.WholeYears(leading.Ref)
	b.Year = append([]int64{*last}, whole...)[len(whole)]
	if b.Measure, _ = selection.UsualMeasure(b.Cube, b.Year); b.Measure.Ref != leading.Ref {
		whole = b.WholeYears(b.Measure.Ref)
	}
	years := b.FiscalYears()
	if at := slices.Index(years, b.Year); at > 0 && !b.IsPart() && slices.Contains(whole, b.Year) && slices.Contains(whole, years[at-1]) {
		b.Before = years[at-1]
	}
	return year, true
}

// levels are those that may divide a budget: by the functions of government, and then those worth a look, of revenue those of its kind first, each
// before what is below it.
func (b *Budget) levels() (list []cube.Level) {
	if level, ok := b.FunctionLevel(); ok {
		list = append(list, level)
	}
	var later []cube.Level
	for _, level := range selection.InOrder(b.Model, b.Model.FirstLevels(len(b.Model.Dimensions()))) {
		d, _ := b.Model.Dimension(level.Dimension)
		if b.Measure.Direction == "revenue" && d.Classification != "economic" {
			later = append(later, d.Chains()[0]...)
		} else {
			list = append(list, d.Chains()[0]...)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(append(list, later...), func(l cube.Level) bool {
		isSeen := seen[l.Ref]
		seen[l.Ref] = true
		isOnly := slices.ContainsFunc(b.OnlyMembers, func(m cube.OnlyMember) bool { return m.Level == l.Ref })
		return isSeen || isOnly || !l.Listed || b.Model.IsEdition(l.Ref) || b.Coverage != nil && len(b.Coverage.Gap(l.Ref, []int64{b.Year})) > 0
	})
}

// nearlyAll is the share from which on a part leaves so little to the others that a division says nothing.
var nearlyAll = decimal.New(95, -2)

// partsOf adds up the cells of an answer by division or member. There are none where they divide nothing: one is negative or has nearly all, or they
// are too many.
func partsOf(cb *cube.Cube, level cube.Level, found *answer.Answer) (list []amountPart) {
	columns := found.Plan.Keys()
	for _, cell := range found.Cells {
		value := cell.Values[0].Decimal
		if value.IsZero() || len(cell.Keys) < max(1, len(columns)) {
			continue
		}
		part, path, texts := amountPart{}, make([]cube.Value, len(level.Path)), make([]string, len(level.Path))
		for i, field := range level.Path {
			path[i] = cell.Keys[slices.IndexFunc(columns, func(c cube.Column) bool { return c.Name == field })]
			texts[i], part.label = path[i].String(), path[i].String()
		}
		if last := len(cell.Labels) - 1; last >= 0 && !cell.Labels[last].IsMissing() {
			part.label = cell.Labels[last].String()
		}
		if isByFunction(cb, level) {
			part.division, part.label = cb.Functions.Of(texts), ""
		}
		at := slices.IndexFunc(list, func(p amountPart) bool { return p.label+part.label == "" && p.division == part.division })
		if at < 0 {
			at, list = len(list), append(list, part)
		}
		list[at].amount, list[at].members = list[at].amount.Add(value), append(list[at].members, path)
	}
	slices.SortStableFunc(list, func(x, y amountPart) int { return y.amount.Cmp(x.amount) })
	total := found.Summary.Values[0].Decimal
	if len(list) < 2 || found.Summary.Count > mostMembers || list[len(list)-1].amount.IsNegative() || list[0].amount.GreaterThanOrEqual(total.Mul(nearlyAll)) {
		return nil
	}
	if at := slices.IndexFunc(list, func(p amountPart) bool { return p.division+p.label == "" }); at >= 0 { // what is of none comes last
		list = append(slices.Delete(slices.Clone(list), at, at+1), list[at])
	}
	return list
}

// isByFunction tells whether a level has the functions of government.
func isByFunction(cb *cube.Cube, level cube.Level) bool {
	return cb.Functions != nil && cb.Functions.Level == level.Ref
}
