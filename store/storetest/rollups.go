package storetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// rollups checks of every chain that children add up to their parents, that the cells of all pages add up to the
// summary, and that what top keeps and what it leaves over are all there is.
func (e *examination) rollups() {
	checked := 0
	for _, dimension := range e.version.Model.Dimensions() {
		for _, chain := range dimension.Chains() {
			if question := e.chainQuestion(chain); e.ask(e.version, question+"&pagesize=0").Summary.Count <= cube.MaxPageSize {
				e.rollup(question)
				e.remainders(question)
				checked++
			}
		}
	}
	if checked == 0 {
		e.Error("no chain has few enough cells")
	}
}

// chainQuestion asks for all levels of a chain, and what can be added up.
func (e *examination) chainQuestion(chain []cube.Level) string {
	refs := make([]string, len(chain))
	for i, level := range chain {
		refs[i] = quoted(level.Ref)
	}
	aggregates := append([]string{"_count"}, append(e.amounts("sum"), e.amounts("count")...)...)
	return "drilldown=" + strings.Join(refs, "|") + "&aggregates=" + strings.Join(aggregates, "|")
}

func (e *examination) rollup(question string) {
	e.Helper()
	question += "&rollup=1"
	whole := e.ask(e.version, question+"&pagesize=-1")
	steps := whole.Plan.Steps()
	for i, step := range steps[:len(steps)-1] {
		if e.dropsStatements(whole.Plan, step.Keys) {
			continue // the last statement alone is the parent's
		}
		children := e.sums(whole, steps[i+1].Ref, step.Keys)
		for _, row := range whole.Cells {
			if id := pathText(row.Keys); row.Level == step.Ref && !slices.EqualFunc(children[id], row.Values, equalOrNothing) {
				e.Errorf("%s: %s %q has %v, its children %v", question, step.Ref, texts(row.Keys), row.Values, children[id])
			}
		}
	}
	e.turnRollup(question, whole)
}

// dropsStatements tells whether so many keys leave out what tells statements of the same money apart.
func (e *examination) dropsStatements(plan *cube.Plan, keys int) bool {
	return plan.SummaryPlan() != nil && !e.oracle.statementsApart(plan.Keys()[:keys])
}

// sums adds up the rows of a step by their first keys.
func (e *examination) sums(r *cube.Result, step string, keys int) map[string][]decimal.NullDecimal {
	rows := map[string][]cube.Cell{}
	for _, row := range r.Cells {
		if row.Level == step || step == "" {
			rows[pathText(row.Keys[:keys])] = append(rows[pathText(row.Keys[:keys])], row)
		}
	}
	all := map[string][]decimal.NullDecimal{}
	for id, list := range rows {
		all[id] = added(list, len(r.Plan.Aggregates()))
	}
	return all
}

// turnRollup turns an answer with subtotals page by page.
func (e *examination) turnRollup(question string, whole *cube.Result) {
	e.Helper()
	pages := &cube.Result{Plan: whole.Plan}
	for page := 1; int64(len(pages.Cells)) < min(whole.Summary.Count, 10*mostPaged); page++ {
		piece := e.ask(e.version, question+fmt.Sprintf("&page=%d&pagesize=%d", page, max(7, len(whole.Cells)/10)))
		if err := sameCell(piece.Summary, whole.Summary); err != nil || len(piece.Cells) == 0 {
			e.Fatalf("%s: page %d has %d cells, and its summary: %v", question, page, len(piece.Cells), err)
		}
		pages.Cells = append(pages.Cells, piece.Cells...)
	}
	for i, row := range pages.Cells {
		if err := sameCell(row, whole.Cells[i]); err != nil {
			e.Fatalf("%s: row %d of the pages: %v", question, i, err)
		}
	}
	steps := whole.Plan.Steps()
	sums := e.sums(whole, steps[len(steps)-1].Ref, 0)[""]
	if whole.Plan.SummaryPlan() == nil && !slices.EqualFunc(sums, whole.Summary.Values, equalOrNothing) {
		e.Errorf("%s: the cells add up to %v, the summary is %v", question, sums, whole.Summary.Values)
	}
}

// remainders compares what top keeps and leaves over with all cells.
func (e *examination) remainders(question string) {
	e.Helper()
	whole := e.ask(e.version, question+"&pagesize=-1")
	steps := whole.Plan.Steps()
	before := 0
	if len(steps) > 1 {
		before = steps[len(steps)-2].Keys
	}
	if e.dropsStatements(whole.Plan, before) {
		return // nothing can be left over of statements of the same money
	}
	kept := e.ask(e.version, question+"&top=2&remainder=1&pagesize=-1")
	want, got := e.sums(whole, "", before), e.sums(kept, "", before)
	cells, rest := int64(0), 0
	for _, row := range kept.Cells {
		if cells += max(1, row.Others); row.Others > 0 {
			rest++
		}
	}
	if cells != whole.Summary.Count || len(got) != len(want) || rest == 0 && len(whole.Cells) > 2*len(want) {
		e.Errorf("%s: top keeps and leaves over %d cells of %d, with %d remainders", question, cells, whole.Summary.Count, rest)
	}
	for id, sums := range want {
		if !slices.EqualFunc(got[id], sums, equalOrNothing) {
			e.Errorf("%s: inside %q top keeps and leaves over %v of %v", question, id, got[id], sums)
		}
	}
}
