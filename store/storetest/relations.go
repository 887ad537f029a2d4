package storetest

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
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
func (e *examination) check(q query.Query) (cells int, err error) {
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
func with(q query.Query, change func(*query.Query)) query.Query {
	change(&q)
	return q
}

// answer answers a question, by its plan or every other time by the plan of its canonical text: both ask the same.
func (e *examination) answer(q query.Query) (*answer.Answer, error) {
	p, err := plan.Bind(e.version, q)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q, err)
	}
	if known := e.answers[p.String()]; known != nil {
		return known, nil
	}
	canonical, err := Query(p.String())
	if err != nil {
		return nil, fmt.Errorf("the canonical question %s: %w", p, err)
	}
	if q.Page == query.Every { // which no text asks for
		canonical.Page = query.Every
	}
	again, err := plan.Bind(e.version, canonical)
	if err != nil {
		return nil, fmt.Errorf("the canonical question %s: %w", p, err)
	}
	if again.String() != p.String() {
		return nil, fmt.Errorf("the canonical question %s is printed as %s", p, again)
	}
	if len(p.String())%2 == 0 {
		p = again
	}
	result, err := e.run(e.Context(), p)
	if err != nil {
		return nil, err
	}
	if len(e.answers) > 500 {
		clear(e.answers)
	}
	e.answers[p.String()] = result
	return result, nil
}

// checkTooLarge checks that an answer that is refused for its size would have more cells than are finished in memory.
func (e *examination) checkTooLarge(q query.Query) error {
	plain, err := e.answer(with(q, func(q *query.Query) {
		q.Rollup, q.Top, q.Remainder, q.Compare, q.Fill, q.Having, q.Order, q.Page = false, 0, false, nil, query.FillNone, nil, nil, query.Page{Number: 1}
		q.Aggregates = []query.AggregateRef{{Func: rowCount}}
	}))
	if err == nil && plain.Summary.Count <= query.MaxPageSize && q.Fill == query.FillNone && q.Compare == nil {
		err = fmt.Errorf("%d cells are too many", plain.Summary.Count)
	}
	return err
}

// checkPage compares a page with the whole answer.
func (e *examination) checkPage(q query.Query, got *answer.Answer) error {
	page := got.Plan.Page()
	if page.Size < 0 {
		return nil
	}
	whole, err := e.answer(with(q, func(q *query.Query) { q.Page = query.Every }))
	if err != nil {
		return err
	}
	if err := sameSummary(got.Summary, whole.Summary); err != nil {
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
	plan    *plan.Plan
	keys    []cube.Value
	labels  []cube.Value
	values  []decimal.NullDecimal
	own     amounts
	earlier amounts // of the cell that it is compared with; nil: none
	change  answer.Change
	filled  bool // fill added it
	zero    bool // fill=zero made its amounts
	apart   bool // it has no difference from what it is compared with
}

// layers are a question and what is left of it when its options are taken away one by one.
type layers struct {
	query  query.Query
	plan   *plan.Plan
	whole  *answer.Answer // all pages
	parts  []*part        // of the cells, without subtotals and remainders
	all    []*part        // with those that having keeps out, where it is on shares: what shares are of
	byKey  map[string]*part
	labels []map[string]cube.Value // of the members of each level of the plan; nil until asked for
}

// cut takes a question apart.
func (e *examination) cut(q query.Query) (*layers, error) {
	l := &layers{query: with(q, func(q *query.Query) { q.Page = query.Every }), byKey: map[string]*part{}}
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
	if e.havingOnShares(q) {
		l.all, err = e.parts(with(l.query, func(q *query.Query) { q.Having = nil }))
	}
	return l, err
}

// leaves asks for the same cells with the plain aggregates that their values are made of.
func (e *examination) leaves(q query.Query) query.Query {
	refs := []query.AggregateRef{{Func: rowCount}}
	add := func(ref query.AggregateRef) {
		if !slices.ContainsFunc(refs, func(r query.AggregateRef) bool { return r.String() == ref.String() }) {
			refs = append(refs, ref)
		}
	}
	asked := slices.Clone(q.Aggregates)
	if len(asked) == 0 {
		for _, m := range e.version.Model.Measures() {
			asked = append(asked, query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)})
		}
	}
	for _, c := range q.Having {
		asked = append(asked, c.Aggregate)
	}
	for _, ref := range asked {
		for _, leaf := range e.leavesOf(ref) {
			if leaf.Measure != "" {
				add(query.AggregateRef{Measure: leaf.Measure, Func: string(cube.Sum)})
				add(query.AggregateRef{Measure: leaf.Measure, Func: string(cube.Count)})
			}
			if leaf.Func != string(cube.Avg) {
				leaf.At = cube.Position{}
				add(leaf)
			}
		}
	}
	return with(q, func(q *query.Query) {
		q.Rollup, q.Top, q.Remainder, q.Order, q.Page, q.Aggregates = false, 0, false, nil, query.Every, refs
	})
}

// parts answers a question with the plain aggregates of its cells.
func (e *examination) parts(q query.Query) ([]*part, error) {
	result, err := e.answer(e.leaves(q))
	if err != nil {
		return nil, err
	}
	parts := each.Of(result.Cells, func(cell answer.Cell) *part { return partOf(result.Plan, cell) })
	if q.Fill == query.FillNone {
		return parts, nil
	}
	unfilled, err := e.parts(with(q, func(q *query.Query) { q.Fill = query.FillNone }))
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, p := range unfilled {
		there[pathText(p.keys)] = true
	}
	for _, p := range parts {
		p.filled = !there[pathText(p.keys)]
		p.zero = q.Fill == query.FillZero && (p.filled || p.change == answer.ChangeGone)
	}
	return parts, nil
}

func partOf(pl *plan.Plan, cell answer.Cell) *part {
	p := &part{plan: pl, keys: cell.Keys, labels: cell.Labels, values: cell.Values, own: amounts{}, change: cell.Change}
	earlier, differs := amounts{}, false
	for i, a := range pl.Aggregates() {
		value, name := cell.Values[i], baseName(a)
		switch {
		case !value.Valid:
		case a.Role == "":
			p.own[name] = value.Decimal.Rat()
		case a.Role == query.RoleEarlier:
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
func baseName(a plan.Aggregate) string {
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

// checkFill compares an answer whose axis is filled with the one that is not. The cells that are there stay as they are,
// but for those that are gone, which fill=zero gives the amounts of its own. Between the least and the greatest key of
// the axis there is a cell for every key that the cuts admit, with every combination of the other keys.
func (e *examination) checkFill(l *layers) error {
	if l.query.Fill == query.FillNone {
		return nil
	}
	without, err := e.cut(with(e.leaves(l.query), func(q *query.Query) { q.Fill = query.FillNone }))
	if err != nil {
		return err
	}
	axis := e.fillAxis(l.plan)
	first, last, found := int64(0), int64(0), 0
	others := map[string]*part{}
	for _, p := range without.parts {
		same := l.byKey[pathText(p.keys)]
		if same == nil {
			return fmt.Errorf("fill leaves the cell %q out", texts(p.keys))
		}
		if want := p; !same.zero && !same.own.equal(want.own) || same.change != p.change || !same.earlier.equal(p.earlier) ||
			!slices.Equal(same.labels, p.labels) {
			return fmt.Errorf("fill changes the cell %q", texts(p.keys))
		}
		if at, ok := p.keys[axis].Int(); ok {
			if found == 0 {
				first, last = at, at
			}
			first, last = min(first, at), max(last, at)
			found++
		}
		others[pathText(slices.Delete(slices.Clone(p.keys), axis, axis+1))] = p
	}
	gaps := 0
	for _, like := range others {
		for at := first; found > 0 && at <= last; at++ {
			keys := slices.Clone(like.keys)
			keys[axis] = cube.Integer(at)
			if without.byKey[pathText(keys)] != nil || !e.adder.admits(l.plan, l.plan.Keys()[axis].Name, keys[axis]) {
				continue
			}
			if gaps++; l.byKey[pathText(keys)] == nil {
				return fmt.Errorf("fill leaves the gap %q", texts(keys))
			}
		}
	}
	for _, p := range l.parts {
		if p.filled {
			gaps--
		}
		if err := e.checkFilled(l, p, axis); err != nil {
			return err
		}
	}
	if gaps != 0 {
		return fmt.Errorf("fill adds %d cells that are no gaps", -gaps)
	}
	*l = *without
	return nil
}

// checkFilled checks the amounts and labels of a cell that fill made.
func (e *examination) checkFilled(l *layers, p *part, axis int) error {
	if !p.filled && !p.zero {
		return nil
	}
	for name, amount := range p.own {
		if amount.Sign() != 0 {
			return fmt.Errorf("fill gives the cell %q the %s %s", texts(p.keys), name, amount.RatString())
		}
	}
	for _, m := range e.version.Model.Measures() {
		if l.query.Fill == query.FillNull && p.own[query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)}.String()] != nil {
			return fmt.Errorf("the sum of the cell %q is 0, not null", texts(p.keys))
		}
	}
	if p.zero && len(p.own) < len(e.leaves(l.query).Aggregates) {
		return fmt.Errorf("some amounts of the cell %q are null, not 0", texts(p.keys))
	}
	if p.filled && p.earlier != nil && l.query.Fill == query.FillNull && !p.apart {
		return fmt.Errorf("the gap %q has a difference", texts(p.keys))
	}
	for i, level := range l.plan.Levels() {
		path, ok := pathOf(l.plan.Keys(), p.keys, level)
		if !ok || level.LabelRef == "" || !p.filled {
			continue
		}
		want, known := l.labelOf(i, path)
		if !known {
			want = cube.Text(path[len(path)-1].String())
		}
		if p.labels[i] != want {
			return fmt.Errorf("the gap %q has the label %q, want %q", texts(p.keys), p.labels[i], want)
		}
	}
	return nil
}

// labelOf gives what the cells that rows are of call a member.
func (l *layers) labelOf(level int, path []cube.Value) (label cube.Value, ok bool) {
	if l.labels == nil {
		l.labels = make([]map[string]cube.Value, len(l.plan.Levels()))
		for i, level := range l.plan.Levels() {
			l.labels[i] = map[string]cube.Value{}
			for _, p := range l.parts {
				if path, ok := pathOf(l.plan.Keys(), p.keys, level); ok && !p.filled {
					l.labels[i][pathText(path)] = p.labels[i]
				}
			}
		}
	}
	label, ok = l.labels[level][pathText(path)]
	return label, ok
}

func (e *examination) fillAxis(p *plan.Plan) int {
	if axis := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return e.adder.isYear(c.Name) }); axis >= 0 {
		return axis
	}
	return slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Type == cube.TypeInteger })
}

func (a amounts) equal(b amounts) bool {
	return (a == nil) == (b == nil) && maps.EqualFunc(a, b, func(x, y *big.Rat) bool { return x.Cmp(y) == 0 })
}

// checkHaving compares the cells that having keeps with all cells: those whose values pass. What is null passes nothing.
func (e *examination) checkHaving(l *layers) error {
	if len(l.query.Having) == 0 {
		return nil
	}
	without, err := e.cut(with(e.leaves(l.query), func(q *query.Query) { q.Having = nil }))
	if err != nil {
		return err
	}
	total := e.merged(without.parts)
	parent := e.parentsOf(without, total)
	kept := 0
	for _, p := range without.parts {
		pass := yes
		for _, c := range l.query.Having {
			above := parent(answer.Cell{Keys: p.keys}, []*part{p})
			a := plan.Aggregate{Name: c.Aggregate.String()}
			switch value := e.valueOf(a, p, total, above); {
			case value == nil || !slices.Contains(passing[c.Op], value.Cmp(c.Number.Rat())):
				pass = no
			case e.mayBeNull(without, a, p):
				pass = min(pass, maybe)
			}
		}
		same := l.byKey[pathText(p.keys)]
		if pass == yes && same == nil || pass == no && same != nil {
			return fmt.Errorf("having keeps or leaves out %q, which it should not", texts(p.keys))
		}
		if same != nil {
			if kept++; !same.own.equal(p.own) || !slices.Equal(same.labels, p.labels) {
				return fmt.Errorf("having changes the cell %q", texts(p.keys))
			}
		}
	}
	if kept != len(l.parts) {
		return fmt.Errorf("having keeps %d cells, %d are among all", len(l.parts), kept)
	}
	*l = *without
	return nil
}

// checkSums compares the cells of a plain question with the adder's: their keys, labels and plain aggregates.
func (e *examination) checkSums(l *layers) error {
	all := l.query.Snapshots == query.AllSnapshots
	result, err := e.answer(e.leaves(l.query))
	if err != nil {
		return err
	}
	pl := result.Plan
	groups := e.adder.groups(pl, pl.Keys(), all)
	if len(groups) != len(l.parts) {
		return fmt.Errorf("%s: %d cells, the rows make %d", pl, len(l.parts), len(groups))
	}
	admitted := e.adder.yearsAdmitted(pl)
	for _, p := range l.parts {
		g := groups[pathText(p.keys)]
		if g == nil {
			return fmt.Errorf("%s: no rows are of the cell %q", pl, texts(p.keys))
		}
		own := amounts{}
		for _, m := range pl.Measures() {
			e.adder.add(g, own, m)
		}
		own[rowCount] = big.NewRat(int64(len(g.rows)), 1)
		for _, a := range pl.Aggregates() {
			if got, want := p.own[a.Name], own[a.Name]; (got == nil) != (want == nil) || got != nil && got.Cmp(want) != 0 {
				return fmt.Errorf("%s: %s of %q is %s, the rows add up to %s", pl, a.Name, texts(p.keys), ratText(got), ratText(want))
			}
		}
		if labels := e.adder.labels(pl, p.keys, admitted); !slices.Equal(p.labels, labels) {
			return fmt.Errorf("%s: the labels of %q are %q, want %q", pl, texts(p.keys), texts(p.labels), texts(labels))
		}
	}
	return nil
}

func ratText(r *big.Rat) string {
	if r == nil {
		return "null"
	}
	return r.RatString()
}
