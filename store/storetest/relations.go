package storetest

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// A random question is checked layer by layer. Each layer compares the store's answer with its answer to a simpler
// question, until a question is left that the adder answers:
//
//  1. a page is a part of the whole answer;
//  2. rows are in order, a subtotal before its cells, and top keeps the first cells of each group (checkRows);
//  3. every value of every row follows exactly from the plain sums, counts, minima and maxima of the cells (checkRows);
//  4. fill adds cells in the gaps of an axis and changes no other (checkFill);
//  5. a comparison is two questions (checkCompare);
//  6. having keeps the cells whose values pass (checkHaving);
//  7. the cells that are left are those of the adder (checkSums).

// check checks the answer to a question and gives the number of its cells.
func (e *examination) check(q cube.Query) (cells int, err error) {
	got, err := e.answer(q)
	if cube.CodeOf(err) == cube.CodeTooLarge {
		return 0, e.checkTooLarge(q)
	}
	if err != nil {
		return 0, err
	}
	if err := e.checkPage(q, got); err != nil {
		return 0, err
	}
	cut, err := e.cut(q)
	if err != nil {
		return 0, err
	}
	layers := []func(*layers) error{e.checkRows, e.checkSummary, e.checkFill, e.checkCompare, e.checkHaving, e.checkSums}
	for _, check := range layers {
		if err := check(cut); err != nil {
			return 0, err
		}
	}
	return len(got.Cells), nil
}

// with gives a question with something changed.
func with(q cube.Query, change func(*cube.Query)) cube.Query {
	change(&q)
	return q
}

// answer answers a question, by its plan or every other time by the plan of its canonical text: both ask the same.
func (e *examination) answer(q cube.Query) (*cube.Result, error) {
	plan, err := e.version.Bind(q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q, err)
	}
	if known := e.answers[plan.String()]; known != nil {
		return known, nil
	}
	canonical, err := Query(plan.String())
	if err != nil {
		return nil, fmt.Errorf("the canonical question %s: %w", plan, err)
	}
	if q.Page == cube.Every { // which no text asks for
		canonical.Page = cube.Every
	}
	again, err := e.version.Bind(canonical)
	if err != nil {
		return nil, fmt.Errorf("the canonical question %s: %w", plan, err)
	}
	if again.String() != plan.String() {
		return nil, fmt.Errorf("the canonical question %s is printed as %s", plan, again)
	}
	if len(plan.String())%2 == 0 {
		plan = again
	}
	result, err := e.run(e.Context(), plan)
	if err != nil {
		return nil, err
	}
	if len(e.answers) > 500 {
		clear(e.answers)
	}
	e.answers[plan.String()] = result
	return result, nil
}

// checkTooLarge checks that an answer that is refused for its size would have more cells than are finished in memory.
func (e *examination) checkTooLarge(q cube.Query) error {
	plain, err := e.answer(with(q, func(q *cube.Query) {
		q.Rollup, q.Top, q.Remainder, q.Compare, q.Fill, q.Having, q.Order, q.Page = false, 0, false, nil, cube.FillNone, nil, nil, cube.Page{Number: 1}
		q.Aggregates = []cube.AggregateRef{{Func: rowCount}}
	}))
	if err == nil && plain.Summary.Count <= cube.MaxPageSize && q.Fill == cube.FillNone && q.Compare == nil {
		err = fmt.Errorf("%d cells are too many", plain.Summary.Count)
	}
	return err
}

// checkPage compares a page with the whole answer.
func (e *examination) checkPage(q cube.Query, got *cube.Result) error {
	page := got.Plan.Page()
	if page.Size < 0 {
		return nil
	}
	whole, err := e.answer(with(q, func(q *cube.Query) { q.Page = cube.Every }))
	if err != nil {
		return err
	}
	if err := sameCell(got.Summary, whole.Summary); err != nil {
		return fmt.Errorf("the summary of the page: %w", err)
	}
	first := min((page.Number-1)*page.Size, len(whole.Cells))
	want := whole.Cells[first:min(first+page.Size, len(whole.Cells))]
	if len(got.Cells) != len(want) || got.Summary.Count != int64(len(whole.Cells)) {
		return fmt.Errorf("the page has %d cells, want %d; %d are counted of %d", len(got.Cells), len(want), got.Summary.Count,
			len(whole.Cells))
	}
	for i := range want {
		if err := sameCell(got.Cells[i], want[i]); err != nil {
			return fmt.Errorf("cell %d of the page: %w", i, err)
		}
	}
	return nil
}

// part is a cell taken apart: its plain sums, counts, minima and maxima.
type part struct {
	plan    *cube.Plan
	keys    []cube.Value
	labels  []cube.Value
	values  []decimal.NullDecimal
	own     amounts
	earlier amounts // of the cell that it is compared with; nil: none
	change  cube.Change
	filled  bool // fill added it
	zero    bool // fill=zero made its amounts
	apart   bool // it has no difference from what it is compared with
}

// layers are a question and what is left of it when its wishes are taken away one by one.
type layers struct {
	query  cube.Query
	plan   *cube.Plan
	whole  *cube.Result // all pages
	parts  []*part      // of the cells, without subtotals and remainders
	all    []*part      // with those that having keeps out, where it is on shares: what shares are of
	byKey  map[string]*part
	labels []map[string]cube.Value // of the members of each level of the plan; nil until asked for
}

// cut takes a question apart.
func (e *examination) cut(q cube.Query) (*layers, error) {
	l := &layers{query: with(q, func(q *cube.Query) { q.Page = cube.Every }), byKey: map[string]*part{}}
	var err error
	if l.whole, err = e.answer(l.query); err != nil {
		return nil, err
	}
	l.plan = l.whole.Plan
	if l.parts, err = e.parts(l.query); err != nil {
		return nil, err
	}
	for _, p := range l.parts {
		l.byKey[pathText(p.keys)] = p
	}
	l.all = l.parts
	if e.weighsShares(q) {
		l.all, err = e.parts(with(l.query, func(q *cube.Query) { q.Having = nil }))
	}
	return l, err
}

// leaves asks for the same cells with the plain aggregates that their values are made of.
func (e *examination) leaves(q cube.Query) cube.Query {
	refs := []cube.AggregateRef{{Func: rowCount}}
	add := func(ref cube.AggregateRef) {
		if !slices.ContainsFunc(refs, func(r cube.AggregateRef) bool { return r.String() == ref.String() }) {
			refs = append(refs, ref)
		}
	}
	asked := slices.Clone(q.Aggregates)
	if len(asked) == 0 {
		for _, m := range e.version.Model.Measures() {
			asked = append(asked, cube.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)})
		}
	}
	for _, c := range q.Having {
		asked = append(asked, c.Aggregate)
	}
	for _, ref := range asked {
		for _, leaf := range e.leavesOf(ref) {
			if leaf.Measure != "" {
				add(cube.AggregateRef{Measure: leaf.Measure, Func: string(cube.Sum)})
				add(cube.AggregateRef{Measure: leaf.Measure, Func: string(cube.Count)})
			}
			if leaf.Func != string(cube.Avg) {
				leaf.At = cube.Position{}
				add(leaf)
			}
		}
	}
	return with(q, func(q *cube.Query) {
		q.Rollup, q.Top, q.Remainder, q.Order, q.Page, q.Aggregates = false, 0, false, nil, cube.Every, refs
	})
}

// parts answers a question with the plain aggregates of its cells.
func (e *examination) parts(q cube.Query) ([]*part, error) {
	result, err := e.answer(e.leaves(q))
	if err != nil {
		return nil, err
	}
	parts := make([]*part, len(result.Cells))
	for i, cell := range result.Cells {
		parts[i] = partOf(result.Plan, cell)
	}
	if q.Fill == cube.FillNone {
		return parts, nil
	}
	unfilled, err := e.parts(with(q, func(q *cube.Query) { q.Fill = cube.FillNone }))
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, p := range unfilled {
		there[pathText(p.keys)] = true
	}
	for _, p := range parts {
		p.filled = !there[pathText(p.keys)]
		p.zero = q.Fill == cube.FillZero && (p.filled || p.change == cube.ChangeGone)
	}
	return parts, nil
}

func partOf(plan *cube.Plan, cell cube.Cell) *part {
	p := &part{plan: plan, keys: cell.Keys, labels: cell.Labels, values: cell.Values, own: amounts{}, change: cell.Change}
	earlier, differs := amounts{}, false
	for i, a := range plan.Aggregates() {
		value, name := cell.Values[i], baseName(a)
		switch {
		case !value.Valid:
		case a.Role == "":
			p.own[name] = value.Decimal.Rat()
		case a.Role == cube.RoleEarlier:
			earlier[name] = value.Decimal.Rat()
		case name == rowCount:
			differs = true
		}
	}
	if earlier[rowCount] != nil {
		p.earlier, p.apart = earlier, !differs
	}
	return p
}

// baseName is the name of an aggregate without its role.
func baseName(a cube.Aggregate) string {
	if a.Role == "" {
		return a.Name
	}
	return a.Name[:len(a.Name)-len(a.Role)-1]
}

// merged adds parts up. Cells that fill added count where there are no others.
func (e *examination) merged(parts []*part) *part {
	sum := &part{own: e.noRows(cube.Count)}
	kept := slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return p.zero })
	if len(kept) == 0 {
		kept = parts
	}
	for _, p := range kept {
		sum.own.add(p.own)
	}
	kept = slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return p.filled })
	if len(kept) == 0 {
		kept = parts
	}
	alone := false
	for i, p := range kept {
		alone = alone || p.earlier == nil && p.change == "" && !p.filled
		sum.apart = sum.apart || p.apart
		if p.earlier != nil {
			if sum.earlier == nil {
				sum.earlier = amounts{}
			}
			sum.earlier.add(p.earlier)
		}
		if i == 0 {
			sum.change = p.change
		} else if p.change != sum.change {
			sum.change = ""
		}
	}
	if alone {
		sum.earlier = nil
	}
	return sum
}

// add adds amounts to others of other rows.
func (a amounts) add(other amounts) {
	for name, value := range other {
		known := a[name]
		switch function := cube.Func(functionOf(name)); {
		case known == nil:
			a[name] = value
		case function == cube.Min:
			if value.Cmp(known) < 0 {
				a[name] = value
			}
		case function == cube.Max:
			if value.Cmp(known) > 0 {
				a[name] = value
			}
		default:
			a[name] = new(big.Rat).Add(known, value)
		}
	}
}
