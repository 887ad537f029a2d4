package storetest

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// mostPaged bounds the answers that are turned page by page.
const mostPaged = 200

// pages turns answers page by page, in an order in which most cells are equal, and checks that the pages are the
// whole answer cut into pieces, and that they add up to the summary.
func (e *examination) pages() {
	sum, count := e.amounts("sum")[0], e.amounts("count")[0]
	orders, most := []string{"", "&order=_count:desc", "&order=" + count}, int64(mostPaged)
	if e.version.Rows > manyRows { // every page takes its time
		orders, most = orders[1:2], mostPaged/5
	}
	turned := 0
	for _, level := range e.version.Model.Levels() {
		q := newQuestioner(e.version, e.oracle, level.Index)
		for _, order := range orders {
			question := "drilldown=" + q.name(level.Ref) + "&aggregates=_count|" + sum + "|" + count + order
			whole := e.ask(e.version, question+"&pagesize=10000")
			if whole.Summary.Count <= most {
				e.turn(question, whole)
				turned++
			}
		}
	}
	if turned == 0 {
		e.Error("no answer is small enough to be turned page by page")
	}
}

// amounts names an aggregate of every measure.
func (e *examination) amounts(function string) []string {
	var names []string
	for _, m := range e.version.Model.Measures() {
		names = append(names, cube.AggregateRef{Measure: m.Ref, Func: function}.String())
	}
	return names
}

func (e *examination) turn(question string, whole *cube.Result) {
	e.Helper()
	var cells []cube.Cell
	for page := 1; ; page++ {
		piece := e.ask(e.version, question+"&pagesize=7&page="+strconv.Itoa(page))
		if err := sameCell(piece.Summary, whole.Summary); err != nil {
			e.Errorf("%s: the summary of page %d: %v", question, page, err)
		}
		if len(piece.Cells) == 0 {
			break
		}
		cells = append(cells, piece.Cells...)
	}
	if int64(len(cells)) != whole.Summary.Count || len(whole.Cells) != len(cells) {
		e.Errorf("%s: the pages have %d cells, the whole %d", question, len(cells), len(whole.Cells))
		return
	}
	for i := range cells {
		if err := sameCell(cells[i], whole.Cells[i]); err != nil {
			e.Errorf("%s: cell %d: %v", question, i, err)
			return
		}
	}
	if whole.Plan.SummaryPlan() != nil {
		return // the cells state the same money
	}
	if sums := added(cells, len(whole.Plan.Aggregates())); !slices.EqualFunc(sums, whole.Summary.Values, equalOrNothing) {
		e.Errorf("%s: the pages add up to %v, the summary is %v", question, sums, whole.Summary.Values)
	}
}

// added gives the sums of the values of cells; null counts as nothing.
func added(cells []cube.Cell, values int) []decimal.NullDecimal {
	sums := make([]decimal.NullDecimal, values)
	for _, cell := range cells {
		for i, v := range cell.Values {
			if v.Valid {
				sums[i] = decimal.NewNullDecimal(sums[i].Decimal.Add(v.Decimal))
			}
		}
	}
	return sums
}

// equalOrNothing compares amounts, among which a count of nothing is 0 and a sum of nothing null.
func equalOrNothing(a, b decimal.NullDecimal) bool { return a.Decimal.Equal(b.Decimal) }

// parents checks of every chain that the cells of a level add up to those of the level above.
func (e *examination) parents() {
	for _, dimension := range e.version.Model.Dimensions() {
		for _, chain := range dimension.Chains() {
			for i, child := range chain[1:] {
				if s := e.version.Model.Snapshots(); s == nil || !slices.Contains(child.Path, s.By) {
					e.family(chain[i], child)
				}
			}
		}
	}
}

// family compares the cells of a level with the sums of those of the level below.
func (e *examination) family(parent, child cube.Level) {
	parents, children := e.everyCell(parent), e.everyCell(child)
	depth := len(parents[0].Keys)
	below := map[string][]cube.Cell{}
	for _, cell := range children {
		path := pathText(cell.Keys[:depth])
		below[path] = append(below[path], cell)
	}
	for _, cell := range parents {
		path := pathText(cell.Keys)
		if sums := added(below[path], len(cell.Values)); !slices.EqualFunc(sums, cell.Values, equalOrNothing) {
			e.Errorf("%s %q has %v, its children %v", parent.Ref, texts(cell.Keys), cell.Values, sums)
		}
		delete(below, path)
	}
	if len(below) > 0 {
		e.Errorf("%d members of %s have no parent", len(below), child.Ref)
	}
}

// everyCell asks for all cells of a level with the sums of every measure.
func (e *examination) everyCell(level cube.Level) []cube.Cell {
	e.Helper()
	question := fmt.Sprintf("drilldown=%s&pagesize=-1", quoted(level.Ref))
	cells := e.ask(e.version, question).Cells
	if len(cells) == 0 {
		e.Fatalf("%s: no cells", question)
	}
	return cells
}
