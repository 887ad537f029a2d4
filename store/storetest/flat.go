package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// flatQuestions compares the answers to made-up flat questions (query.Query.Flat) with the rows of the files: which cells
// there are, in which order, with which labels and amounts, and what all of them come to.
func (e *examination) flatQuestions() {
	failed, cells, merged, ofNumbers, n := 0, 0, 0, 0, (e.howMany()+2)/3
	for i := range n {
		q, err := newQuestioner(e.version, e.adder, i).flatQuestion()
		if err != nil {
			e.Fatal(err)
		}
		p, err := plan.Bind(e.version, q)
		if err == nil {
			var page []answer.Cell
			page, err = e.checkFlat(p)
			cells += len(page)
			merged += len(slices.DeleteFunc(slices.Clone(p.Levels()), func(l cube.Level) bool { return len(l.Path) == 1 }))
			if err == nil && len(p.Keys()) > 0 && p.Main().Needs().Why == "" {
				if ofNumbers++; e.isResident() {
					err = e.sameFlatOfFacts(p, q)
				}
			}
		}
		if err != nil {
			failed++
			e.Errorf("flat question %d: %s\n%v", i, q, err)
		}
		if failed == mostDifferences {
			e.Fatal("enough differences")
		}
	}
	if e.Logf("%d flat questions with %d cells, %d levels with keys above them; numbers answer %d", n, cells, merged, ofNumbers); cells == 0 && n > 0 {
		e.Error("no flat question has a cell")
	}
	if ofNumbers == 0 && n > 0 {
		e.Error("numbers answer none of them")
	}
}

// sameFlatOfFacts checks that the facts give the answer that numbers in memory give.
func (e *examination) sameFlatOfFacts(p *plan.Plan, asked query.Query) error {
	facts, err := plan.Bind(withoutCuboids(e.version), asked)
	if err != nil {
		return err
	}
	ofNumbers, err := e.run(e.Context(), p)
	if err != nil {
		return err
	}
	ofFacts, err := e.run(e.Context(), facts)
	if err != nil {
		return err
	}
	if err := sameAnswer(ofNumbers, ofFacts); err != nil {
		return fmt.Errorf("numbers and facts answer differently: %w", err)
	}
	return nil
}

// flatQuestion makes up a drilldown by fields and whole levels, with cuts, plain aggregates, an order and a page.
func (q *questioner) flatQuestion() (query.Query, error) {
	var asked query.Query
	for range q.random.IntN(4) {
		level := pick(q, q.version.Model.Levels())
		asked.Drilldown = append(asked.Drilldown, pick(q, q.fieldsOf(level)))
	}
	var err error
	if cuts := q.times(0, pick(q, []int{0, 1, 2}), q.cut); len(cuts) > 0 {
		if asked.Cuts, err = query.ParseCut(strings.Join(cuts, "|")); err != nil {
			return asked, err
		}
	}
	plain := func() string {
		if m := q.version.Model.Measures(); len(m) > 0 && q.chance(80) {
			return q.name(pick(q, m).Ref) + "." + pick(q, []string{"sum", "count", "min", "max"})
		}
		return rowCount
	}
	if q.chance(70) {
		if asked.Aggregates, err = query.ParseAggregates(strings.Join(q.times(1, 3, plain), "|")); err != nil {
			return asked, err
		}
	}
	asked.Flat, asked.Page = true, query.Page{Number: 1 + q.random.IntN(2), Size: pick(q, []int{0, 1, 7, 1000, 10000})}
	p, err := plan.Bind(q.version, asked)
	if err != nil || q.chance(30) {
		return asked, err
	}
	columns := p.Columns()
	asked.Order, err = query.ParseOrder(strings.Join(q.times(1, 2, func() string { return q.order(p, columns) }), ","))
	return asked, err
}

// fieldsOf lists the refs that name a level: as a whole, by its key, and by its label.
func (q *questioner) fieldsOf(level cube.Level) []query.Ref {
	refs := []query.Ref{{Name: level.Ref}, {Dimension: level.Dimension, Name: level.Ref}}
	if level.LabelRef != "" {
		refs = append(refs, query.Ref{Name: level.LabelRef}, query.Ref{Dimension: level.Dimension, Name: level.LabelRef})
	}
	return refs
}

// checkFlat answers a flat plan, compares the answer with the rows, and gives its cells.
func (e *examination) checkFlat(p *plan.Plan) ([]answer.Cell, error) {
	got, err := e.run(e.Context(), p)
	if err != nil {
		return nil, err
	}
	all := e.flatCells(p)
	if err := sameSummary(got.Summary, answer.Summary{Count: int64(len(all)), Values: e.flatSummary(p)}); err != nil {
		return nil, fmt.Errorf("the summary: %w", err)
	}
	first := min((p.Page().Number-1)*p.Page().Size, len(all))
	want := all[first:min(first+p.Page().Size, len(all))]
	if len(got.Cells) != len(want) {
		return nil, fmt.Errorf("%d cells, want %d", len(got.Cells), len(want))
	}
	for i := range want {
		if err := sameCell(got.Cells[i], want[i]); err != nil {
			return nil, fmt.Errorf("cell %d: %w", i, err)
		}
	}
	return got.Cells, nil
}

// flatCells adds up all cells of a flat plan from the rows, in order. A cell without a label comes last among labels, and has
// its key for one.
func (e *examination) flatCells(p *plan.Plan) []answer.Cell {
	var cells []answer.Cell
	for _, g := range e.adder.groups(p, p.Keys(), false) {
		cell := answer.Cell{Keys: g.keys, Values: e.flatValues(p, g)}
		for _, level := range p.Levels() {
			cell.Labels = append(cell.Labels, e.adder.labelOfRows(level, slices.Concat(g.rows, g.others)))
		}
		cells = append(cells, cell)
	}
	slices.SortFunc(cells, func(x, y answer.Cell) int { return compareFlat(p, x, y) })
	for _, cell := range cells {
		for i, level := range p.Levels() {
			if key := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == level.Ref }); cell.Labels[i].IsMissing() {
				cell.Labels[i] = cube.Text(cell.Keys[key].String())
			}
		}
	}
	return cells
}

// flatSummary adds up all rows of a flat plan or, where its cells are snapshots of the same money, of its summary.
func (e *examination) flatSummary(p *plan.Plan) []decimal.NullDecimal {
	keys := p.Keys()
	if p.Summary() != nil {
		keys = p.Summary().Keys()
	}
	all := &group{}
	for _, g := range e.adder.groups(p, keys, false) {
		all.rows, all.others = append(all.rows, g.rows...), append(all.others, g.others...)
	}
	return e.flatValues(p, all)
}

// flatValues adds up the plain aggregates of a plan over the rows of a group.
func (e *examination) flatValues(p *plan.Plan, g *group) []decimal.NullDecimal {
	sums := amounts{}
	for _, m := range p.Measures() {
		e.adder.add(g, sums, m)
	}
	values := make([]decimal.NullDecimal, len(p.Aggregates()))
	for i, a := range p.Aggregates() {
		values[i] = halfToEven(sums[a.Name], a.Scale)
		if a.Func == cube.Rows {
			values[i] = decimal.NewNullDecimal(decimal.NewFromInt(int64(len(g.rows))))
		}
	}
	return values
}

// labelOfRows gives the label that most of the rows have in the latest fiscal year in which some have one, of equals the
// first by bytes.
func (a *adder) labelOfRows(level cube.Level, rows []row) cube.Value {
	latest, uses := int64(noYear), map[string]int{}
	for _, r := range rows {
		label, year := r.cells[a.index[level.LabelRef]], a.yearOf(r)
		if label == "" || year < latest {
			continue
		}
		if year > latest {
			latest, uses = year, map[string]int{}
		}
		uses[label]++
	}
	if len(uses) == 0 {
		return cube.Missing
	}
	return cube.Text(byRows(uses)[0])
}

// compareFlat compares two cells as a flat plan sorts them: text by bytes, missing last.
func compareFlat(p *plan.Plan, x, y answer.Cell) int {
	bytes := func(x, y cube.Value) int {
		n, isNumber := x.Int()
		if m, _ := y.Int(); isNumber {
			return cmp.Compare(n, m)
		}
		return cmp.Compare(x.String(), y.String())
	}
	for _, s := range p.Order() {
		order := 0
		switch s.By {
		case plan.ByKey:
			order = missingLast(x.Keys[s.Index], y.Keys[s.Index], s.Desc, bytes)
		case plan.ByLabel:
			order = missingLast(x.Labels[s.Index], y.Labels[s.Index], s.Desc, bytes)
		case plan.ByAggregate:
			order = compareAmounts(x.Values[s.Index], y.Values[s.Index], s.Desc)
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// compareAmounts compares two amounts. Null comes last in both directions.
func compareAmounts(x, y decimal.NullDecimal, desc bool) int {
	switch {
	case x.Valid != y.Valid && x.Valid:
		return -1
	case x.Valid != y.Valid:
		return 1
	case desc:
		return y.Decimal.Cmp(x.Decimal)
	}
	return x.Decimal.Cmp(y.Decimal)
}
