package front

import (
	"cmp"
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
)

// Budget is a cube, with what was asked of it.
type Budget struct {
	*cube.Cube
	Year    int64
	Measure cube.Measure
	Before  int64          // the year that it is compared with; 0 for none
	Level   cube.Level     // by which it is divided
	Answer  *answer.Answer // nil where there is none; its first aggregate is for each person, where inhabitants are known
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
		budgets = append(budgets, b)
		all = append(all, func() error {
			if away.Load() {
				return nil
			}
			err := b.ask(v)
			isAway := cube.CodeOf(err) == cube.CodeUnavailable
			if isAway {
				away.Store(true)
			}
			if isAway || asks.IsOfReader(err) {
				return nil
			}
			return err
		})
	}
	return budgets, site.Together(all[:min(len(all), mostAsked)]...)
}

// ask asks how a budget is divided in its last year, until a level divides it.
func (b *Budget) ask(v *site.Visit) (err error) {
	year, ok := b.count()
	if !ok {
		return nil
	}
	q := query.Query{Cuts: []query.Cut{query.CutTo(year.Ref, strconv.FormatInt(b.Year, 10))}, Page: query.Page{Number: 1, Size: mostMembers}}
	for _, f := range b.Financing {
		q.Cuts = append(q.Cuts, plan.WithoutFinancing(f))
	}
	sum := selection.SumOf(b.Measure)
	q.Aggregates = []query.AggregateRef{sum}
	if heads, _ := selection.SeriesOf(b.Cube, b.Year); heads && b.Coverage != nil && !b.isExcerpt() {
		q.Aggregates = []query.AggregateRef{selection.PerHead(sum), sum}
	}
	if b.Before != 0 {
		q.Compare = &query.Compare{Ref: query.Ref{Name: year.Ref}, Offset: b.Before - b.Year}
	}
	levels := b.levels()
	for _, level := range levels[:min(len(levels), mostLevels)] {
		q.Drilldown = []query.Ref{{Name: level.Ref}}
		found, err := v.Ask(b.Cube, q)
		if err != nil {
			return err
		}
		tried := *b
		tried.Level, tried.Answer = level, found
		isDivided := tried.divides()
		if b.Answer == nil || isDivided {
			*b = tried
		}
		if isDivided {
			return nil
		}
	}
	if b.Answer == nil {
		q.Drilldown = nil
		b.Answer, err = v.Ask(b.Cube, q)
	}
	return err
}

// count finds what a card counts: the last whole year, or else the last, and in it what was spent or received or else what the leading measure says.
func (b *Budget) count() (year cube.Level, ok bool) {
	year, ok = b.Model.YearLevel()
	leading, hasMeasure := b.Model.Leading()
	view := b.DefaultView()
	if b.Measure = leading; !ok || !hasMeasure || view.Year == nil {
		return year, false
	}
	b.Year = *view.Year
	whole := b.WholeYears(leading.Ref)
	if len(whole) > 0 {
		b.Year = whole[len(whole)-1]
	}
	if executed, _, known := selection.Executed(b.Cube, b.Year); known {
		if known := b.WholeYears(executed.Ref); slices.Contains(known, b.Year) {
			b.Measure, whole = executed, known
		}
	}
	if at := slices.Index(whole, b.Year); at > 0 && !b.isExcerpt() && whole[at-1] == b.Coverage.Years[slices.Index(b.Coverage.Years, b.Year)-1] {
		b.Before = whole[at-1]
	}
	return year, true
}

// isExcerpt tells whether it may be a part of a budget.
func (b *Budget) isExcerpt() bool { return b.Larger != nil || b.MayBeExcerpt() }

// levels are those that may divide a budget: by the functions of government, and then those worth a look, each before what is below it. What money is
// for comes before who has it, and of revenue what kind it is.
func (b *Budget) levels() (list []cube.Level) {
	first := selection.InOrder(b.Model, b.Model.FirstLevels(len(b.Model.Dimensions())))
	if b.Measure.Direction == "revenue" {
		isOther := func(l cube.Level) int {
			d, _ := b.Model.Dimension(l.Dimension)
			if d.Classification == "economic" {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(first, func(x, y cube.Level) int { return cmp.Compare(isOther(x), isOther(y)) })
	}
	if level, ok := b.FunctionLevel(); ok {
		list = append(list, level)
	}
	for _, level := range first {
		d, _ := b.Model.Dimension(level.Dimension)
		for _, level := range d.Chains()[0] {
			isEmpty := b.Year != 0 && b.Coverage != nil && len(b.Coverage.Gap(level.Ref, []int64{b.Year})) > 0
			isThere := func(l cube.Level) bool { return l.Ref == level.Ref }
			isOnly := func(m cube.OnlyMember) bool { return m.Level == level.Ref }
			if level.Listed && !isEmpty && !b.Model.IsEdition(level.Ref) && !slices.ContainsFunc(list, isThere) && !slices.ContainsFunc(b.OnlyMembers, isOnly) {
				list = append(list, level)
			}
		}
	}
	return list
}

// nearlyAll is the share from which on a part leaves so little to the others that a division says nothing.
var nearlyAll = decimal.New(95, -2)

// divides tells whether the answer has parts of which none is nearly all.
func (b *Budget) divides() bool {
	parts, most := b.parts(), b.total().Mul(nearlyAll)
	return len(parts) > 1 && !slices.ContainsFunc(parts, func(p amountPart) bool { return p.amount.GreaterThanOrEqual(most) })
}

// total is the sum of all parts.
func (b *Budget) total() decimal.Decimal {
	return b.Answer.Summary.Values[b.sum()].Decimal
}

// sum is the index of the aggregate that adds up amounts.
func (b *Budget) sum() int {
	return slices.IndexFunc(b.Answer.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == "" && a.ByYear == nil })
}

// amountPart is what a budget has of a division of COFOG or, where nobody says which, of a member.
type amountPart struct {
	division string
	label    string
	amount   decimal.Decimal
	members  [][]cube.Value
}

// parts adds up the cells, the largest first; none where one is negative or they are too many, since they are then no parts of a whole.
func (b *Budget) parts() (list []amountPart) {
	if b.Answer.Summary.Count > mostMembers {
		return nil
	}
	columns := b.Answer.Plan.Keys()
	for _, cell := range b.Answer.Cells {
		value := cell.Values[b.sum()]
		if !value.Valid || value.Decimal.IsZero() || len(cell.Keys) == 0 || len(cell.Keys) < len(columns) {
			continue
		}
		part := amountPart{label: labelOf(cell), amount: value.Decimal}
		path := make([]cube.Value, len(b.Level.Path))
		texts := make([]string, len(b.Level.Path))
		for i, field := range b.Level.Path {
			path[i] = cell.Keys[slices.IndexFunc(columns, func(c cube.Column) bool { return c.Name == field })]
			texts[i] = path[i].String()
		}
		part.members = [][]cube.Value{path}
		if b.isByFunction() {
			part.division, part.label = b.Functions.Of(texts), ""
		}
		at := slices.IndexFunc(list, func(p amountPart) bool { return p.label == "" && part.label == "" && p.division == part.division })
		if at < 0 {
			list = append(list, part)
			continue
		}
		list[at].amount, list[at].members = list[at].amount.Add(part.amount), append(list[at].members, path)
	}
	if slices.ContainsFunc(list, func(p amountPart) bool { return p.amount.IsNegative() }) {
		return nil
	}
	named := func(p amountPart) int { return min(len(p.division+p.label), 1) } // what is of no function comes last
	slices.SortStableFunc(list, func(x, y amountPart) int { return cmp.Or(named(y)-named(x), y.amount.Cmp(x.amount)) })
	return list
}

// isByFunction tells whether it is divided by the functions of government.
func (b *Budget) isByFunction() bool { return b.Functions != nil && b.Functions.Level == b.Level.Ref }

// labelOf names the member of a cell.
func labelOf(cell answer.Cell) string {
	label := cell.Keys[len(cell.Keys)-1]
	if len(cell.Labels) > 0 && !cell.Labels[len(cell.Labels)-1].IsMissing() {
		label = cell.Labels[len(cell.Labels)-1]
	}
	return label.String()
}
