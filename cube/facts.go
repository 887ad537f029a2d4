package cube

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
)

// FactQuery is a question for facts as it was asked: names are unchecked. Cube.BindFacts turns it into a FactPlan or
// says what is wrong.
type FactQuery struct {
	Fields    []Ref // none means every column
	Cuts      []Cut
	Order     []Order // none means the order of the files
	Snapshots SnapshotChoice
	After     string // what FactPage.Next said; "" begins
	Size      int    // how many facts at most: of a page, or EveryFact
}

// EveryFact is the size of an export.
const EveryFact = -1

// Fact is a row of a published file, as it is stored: its amounts are the published ones, whatever the Factor of
// their measure.
type Fact struct {
	Values   []FactValue // one for each of FactPlan.Columns
	Resource int         // its place among Package.Resources
	Line     int64       // where the row begins in the file, the header being line 1
}

// FactValue is the cell of a fact: an Amount where its column holds decimals, and a Value in all others.
type FactValue struct {
	Value  Value
	Amount decimal.NullDecimal
}

// IsMissing tells whether the cell is empty.
func (v FactValue) IsMissing() bool { return v.Value.IsMissing() && !v.Amount.Valid }

// Text gives the cell with so many decimals where it is an amount; "" where it is missing.
func (v FactValue) Text(scale int32) string {
	if v.Amount.Valid {
		return v.Amount.Decimal.StringFixed(scale)
	}
	return v.Value.String()
}

// The columns that say where a fact stands. Every answer ends in them.
const (
	ResourceField = "_resource"
	LineField     = "_line"
)

// FactPlan is a question for facts that cannot be wrong. Cube.BindFacts and Cube.ResourceFacts are its only
// constructors.
type FactPlan struct {
	cube     *Cube
	counting *Plan // counts the facts that the filters admit; nil of the facts of a file
	filters  []Filter
	columns  []Column // the fields, then those that the order alone needs
	fields   int
	order    []FactSort
	asked    int         // how many of order were asked for; the rest make it complete
	after    []FactValue // one for each of order; nil at the beginning
	total    int64       // of all pages, or unknownTotal
	size     int
}

const unknownTotal = -1

// FactSort is one key of the order of facts: missing comes last in both directions, statements go as they are declared,
// other text by length and then by bytes. The orders of a plan always end where a fact stands, which no two share.
type FactSort struct {
	Column int // among FactPlan.Columns, or one of ByResource and ByLine
	Desc   bool
}

// What a FactSort goes by beside a column.
const (
	ByResource = -1
	ByLine     = -2
)

// Cube is the version of a package that the plan asks.
func (p *FactPlan) Cube() *Cube { return p.cube }

// CountPlan is the question how many facts there are on all pages: its one cell is their number. It has the filters
// to tell back, and the warnings. It is nil of Cube.ResourceFacts, which are not asked in pages.
func (p *FactPlan) CountPlan() *Plan { return p.counting }

// Filters must all hold.
func (p *FactPlan) Filters() []Filter { return p.filters }

// Columns are what a store gives of a fact. The first of them are Fields.
func (p *FactPlan) Columns() []Column { return p.columns }

// Fields are the columns of the answer.
func (p *FactPlan) Fields() []Column { return p.columns[:p.fields] }

// Order is the complete order of the facts.
func (p *FactPlan) Order() []FactSort { return p.order }

// OrderAsked is the part of Order that was asked for.
func (p *FactPlan) OrderAsked() []FactSort { return p.order[:p.asked] }

// SortName gives the name of the column that a sort goes by.
func (p *FactPlan) SortName(s FactSort) string {
	switch s.Column {
	case ByResource:
		return ResourceField
	case ByLine:
		return LineField
	}
	return quoteName(p.columns[s.Column].Name)
}

// Direction is asc or desc.
func (s FactSort) Direction() string { return direction(s.Desc) }

// InFileOrder tells whether the facts come in the order of the files.
func (p *FactPlan) InFileOrder() bool { return slices.Equal(p.order, fileOrder) }

var fileOrder = []FactSort{{Column: ByResource}, {Column: ByLine}}

// After is what the facts asked for come after, one value for each of Order; nil where they are the first.
func (p *FactPlan) After() []FactValue { return p.after }

// Size is how many facts are asked for, or EveryFact.
func (p *FactPlan) Size() int { return p.size }

// Limited is the plan of the first of the facts, so many of them.
func (p *FactPlan) Limited(size int) *FactPlan {
	limited := *p
	limited.size = size
	return &limited
}

// Following is the plan of the facts that come after one, so many of them.
func (p *FactPlan) Following(f Fact, size int) *FactPlan {
	next := p.Limited(size)
	next.after = make([]FactValue, len(p.order))
	for i, s := range p.order {
		switch s.Column {
		case ByResource:
			next.after[i].Value = Integer(int64(f.Resource))
		case ByLine:
			next.after[i].Value = Integer(f.Line)
		default:
			next.after[i] = f.Values[s.Column]
		}
	}
	return next
}

// String is the canonical question: two plans of one cube with equal strings have equal answers.
func (p *FactPlan) String() string {
	fields := strings.Join(texts(p.Fields(), func(c Column) string { return quoteName(c.Name) }), "|")
	clauses := append([]string{"fields=" + fields}, p.rowClauses()...)
	if p.size != EveryFact {
		clauses = append(clauses, "pagesize="+strconv.Itoa(p.size))
	}
	if p.after != nil {
		clauses = append(clauses, "after="+p.bookmark())
	}
	return strings.Join(clauses, "&")
}

// rowClauses say which facts there are on all pages and in which order.
func (p *FactPlan) rowClauses() []string {
	var clauses []string
	for _, name := range []string{"cut", defaultClause} {
		filters := slices.DeleteFunc(slices.Clone(p.filters), func(f Filter) bool { return f.Default != (name == defaultClause) })
		if len(filters) > 0 {
			clauses = append(clauses, name+"="+strings.Join(texts(filters, filterText), "|"))
		}
	}
	clauses = append(clauses, "order="+strings.Join(texts(p.order, func(s FactSort) string {
		return p.SortName(s) + ":" + s.Direction()
	}), ","))
	if p.counting != nil && p.counting.all {
		clauses = append(clauses, "snapshots="+string(AllSnapshots))
	}
	return clauses
}

// FactPage is a page of facts.
type FactPage struct {
	Plan  *FactPlan
	Total int64 // of all pages
	Facts []Fact
	Next  string // the After of the next page; "" where this is the last
}

// Facts answers a plan page by page. How many facts there are is counted on the first alone; the token of the next
// carries it along.
func (e *Engine) Facts(ctx context.Context, plan *FactPlan) (*FactPage, error) {
	counted := *plan
	total, err := e.countFacts(ctx, &counted)
	if err != nil {
		return nil, err
	}
	counted.total = total
	page := &FactPage{Plan: &counted, Total: total}
	if plan.size == 0 {
		return page, nil
	}
	// One more tells whether there is a next page.
	for fact, err := range e.backend.Facts(ctx, plan.Limited(plan.size+1)) {
		if err != nil {
			return nil, err
		}
		page.Facts = append(page.Facts, fact)
	}
	if len(page.Facts) > plan.size {
		page.Facts = page.Facts[:plan.size]
		page.Next = counted.Following(page.Facts[plan.size-1], plan.size).bookmark()
	}
	return page, nil
}

// countFacts counts what the plan admits, which puts a warning into it where that is nothing.
func (e *Engine) countFacts(ctx context.Context, plan *FactPlan) (int64, error) {
	switch {
	case plan.total != unknownTotal:
		return plan.total, nil
	case len(plan.filters) == 0:
		return plan.Cube().Rows, nil
	}
	counted, err := e.Aggregate(ctx, plan.counting)
	if err != nil {
		return 0, err
	}
	plan.counting = counted.Plan
	return counted.Cells[0].Values[0].Decimal.IntPart(), nil
}

// CheckFacts looks for the members that the cuts name, as Check does.
func (e *Engine) CheckFacts(ctx context.Context, plan *FactPlan) (*FactPlan, error) {
	checked := *plan
	var err error
	checked.counting, err = e.Check(ctx, plan.counting)
	return &checked, err
}

// CheckFactStream does what CheckStream does.
func (e *Engine) CheckFactStream(ctx context.Context, plan *FactPlan) (*FactPlan, error) {
	checked := *plan
	var err error
	checked.counting, err = e.CheckStream(ctx, plan.counting)
	return &checked, err
}

// StreamFacts gives the facts of a plan as they come from the store.
func (e *Engine) StreamFacts(ctx context.Context, plan *FactPlan) iter.Seq2[Fact, error] {
	return e.backend.Facts(ctx, plan)
}
