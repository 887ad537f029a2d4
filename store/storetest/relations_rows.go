package storetest

import (
	"fmt"
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// checkRows checks the rows of an answer with all its pages: which there are, in which order, and what their values are
// made of.
//
//   - The cells of one group have the keys of the steps before the last in common. Their rows follow each other, sorted by
//     what was asked and then by their keys.
//   - Top keeps of each group the first by the first aggregate of the order; the remainder is one row behind them, of all
//     others.
//   - With rollup each group is preceded by its subtotals, and these are sorted as their cells are. Without it the rows are
//     the same, less the subtotals.
func (e *examination) checkRows(l *layers) error {
	if l.query.Top > 0 && !l.query.Rollup {
		withHeads, err := e.answer(with(l.query, func(q *query.Query) { q.Rollup = true }))
		if err != nil && mayBeRefused(err) {
			return e.checkCells(l)
		}
		if err != nil {
			return err
		}
		rows := slices.DeleteFunc(slices.Clone(withHeads.Cells), func(c answer.Cell) bool { return l.isHead(c) })
		if len(rows) != len(l.whole.Cells) {
			return fmt.Errorf("%d rows, with subtotals %d besides them", len(l.whole.Cells), len(rows))
		}
		for i, row := range rows {
			row.Level = ""
			if err := sameCell(l.whole.Cells[i], row); err != nil {
				return fmt.Errorf("row %d without subtotals: %w", i, err)
			}
		}
	}
	return e.checkCells(l)
}

// isHead tells whether a row is a subtotal.
func (l *layers) isHead(c answer.Cell) bool { return c.Others == 0 && len(c.Keys) < len(l.plan.Keys()) }

// before is how many keys the cells of one group have in common.
func (l *layers) before() int {
	if steps := l.plan.Steps(); len(steps) > 1 && (l.query.Rollup || l.query.Top > 0) {
		return steps[len(steps)-2].Keys
	}
	return 0
}

func (e *examination) checkCells(l *layers) error {
	groups := grouped(l.parts, func(p *part) string { return pathText(p.keys[:l.before()]) })
	cells := map[string][]answer.Cell{} // by group
	left := map[string]int64{}          // by group: how many cells a remainder adds up
	last := map[string]answer.Cell{}    // of the rows that are sorted among each other
	heads := map[string]bool{}
	for i, row := range l.whole.Cells {
		if err := e.checkLevel(l, row); err != nil {
			return err
		}
		for _, step := range l.plan.Steps() {
			below := step.Keys < len(row.Keys) || row.Others > 0 && step.Keys == len(row.Keys)
			if l.query.Rollup && below && !heads[pathText(row.Keys[:step.Keys])] {
				return fmt.Errorf("row %d comes before its subtotal of %s", i, step.Ref)
			}
		}
		group := pathText(row.Keys[:min(len(row.Keys), l.before())])
		switch {
		case row.Others > 0:
			if left[group] > 0 || len(cells[group]) != l.query.Top || !l.query.Remainder {
				return fmt.Errorf("row %d is a remainder of %d cells beside %d", i, row.Others, len(cells[group]))
			}
			left[group] = row.Others
			continue
		case l.isHead(row):
			if !l.query.Rollup || heads[pathText(row.Keys)] {
				return fmt.Errorf("row %d is a subtotal again: %s", i, shown(row))
			}
			heads[pathText(row.Keys)] = true
		case left[group] > 0:
			return fmt.Errorf("row %d comes after the remainder of its group", i)
		default:
			cells[group] = append(cells[group], row)
		}
		siblings := strconv.Itoa(len(row.Keys)) + pathText(row.Keys[:l.keysOfStepBefore(len(row.Keys))])
		if before, ok := last[siblings]; ok {
			if order, known := e.compareRows(l, before, row); known && order >= 0 {
				return fmt.Errorf("row %d %s comes after %s", i, shown(row), shown(before))
			}
		}
		last[siblings] = row
	}
	for id, group := range groups {
		if err := e.checkGroup(l, group, cells[id], left[id]); err != nil {
			return err
		}
		delete(cells, id)
	}
	if len(cells) > 0 {
		return fmt.Errorf("%d groups of cells that the same question without subtotals and top has not", len(cells))
	}
	return e.checkRowValues(l, groups)
}

// keysOfStepBefore is how many keys the rows have in common among which one with so many is sorted.
func (l *layers) keysOfStepBefore(keys int) int {
	if !l.query.Rollup && l.query.Top == 0 {
		return 0
	}
	before := 0
	for _, step := range l.plan.Steps() {
		if step.Keys >= keys {
			break
		}
		before = step.Keys
	}
	return before
}

// checkLevel checks what a row says of the step that it belongs to.
func (e *examination) checkLevel(l *layers, row answer.Cell) error {
	want, steps := "", l.plan.Steps()
	if l.query.Rollup && len(steps) > 0 {
		want = steps[len(steps)-1].Ref
		for _, step := range steps {
			if step.Keys == len(row.Keys) && row.Others == 0 {
				want = step.Ref
			}
		}
	}
	if row.Level != want {
		return fmt.Errorf("the level of %s is %q, want %q", shown(row), row.Level, want)
	}
	return nil
}

// checkGroup checks which cells of a group are kept: all, or with top the first by rank.
func (e *examination) checkGroup(l *layers, group []*part, kept []answer.Cell, left int64) error {
	top := l.query.Top
	if top == 0 || len(group) < top {
		top = len(group)
	}
	want := int64(0)
	if l.query.Remainder {
		want = int64(len(group) - top)
	}
	if len(kept) != top || left != want {
		return fmt.Errorf("%d of the %d cells of a group are kept and %d added up, want %d and %d", len(kept), len(group), left, top, want)
	}
	if top == len(group) {
		return nil
	}
	flat, err := e.answer(with(l.query, func(q *query.Query) { q.Rollup, q.Top, q.Remainder = false, 0, false }))
	if err != nil {
		return err
	}
	groupKeys, keptKeys := map[string]bool{}, map[string]bool{}
	for _, p := range group {
		groupKeys[pathText(p.keys)] = true
	}
	for _, cell := range kept {
		keptKeys[pathText(cell.Keys)] = true
	}
	rank := l.plan.Order()[slices.IndexFunc(l.plan.Order(), func(s plan.Sort) bool { return s.By == plan.ByAggregate })]
	for _, out := range flat.Cells {
		if id := pathText(out.Keys); !groupKeys[id] || keptKeys[id] {
			continue
		}
		for _, in := range kept {
			order, known := e.compareValues(l.plan.Aggregates()[rank.Index], rank, in, out)
			if known && order == 0 {
				order, known = e.compareRows(l, in, out)
			}
			if known && order > 0 {
				return fmt.Errorf("top keeps %s and leaves %s out", shown(in), shown(out))
			}
		}
	}
	return nil
}

// checkRowValues checks the values of all rows, and the labels of those that are of several cells.
func (e *examination) checkRowValues(l *layers, groups map[string][]*part) error {
	kept := map[string]bool{}
	for _, row := range l.whole.Cells {
		if len(row.Keys) == len(l.plan.Keys()) && row.Others == 0 {
			kept[pathText(row.Keys)] = true
		}
	}
	total := e.merged(unfilled(l.all))
	parent := e.parentsOf(l, total)
	below := map[int]map[string][]*part{} // the cells of subtotals, by how many keys these have
	for _, step := range l.plan.Steps() {
		if l.query.Rollup {
			below[step.Keys] = grouped(l.parts, func(p *part) string { return pathText(p.keys[:step.Keys]) })
		}
	}
	for _, row := range l.whole.Cells {
		var members []*part
		switch {
		case row.Others > 0:
			members = slices.DeleteFunc(slices.Clone(groups[pathText(row.Keys)]), func(p *part) bool { return kept[pathText(p.keys)] })
		case l.isHead(row):
			members = below[len(row.Keys)][pathText(row.Keys)]
		case l.byKey[pathText(row.Keys)] != nil:
			members = []*part{l.byKey[pathText(row.Keys)]}
		}
		if len(members) == 0 {
			return fmt.Errorf("the row %s has no cells", shown(row))
		}
		if err := e.checkRow(l, row, members, total, parent(row, members)); err != nil {
			return err
		}
	}
	return nil
}

func (e *examination) checkRow(l *layers, row answer.Cell, members []*part, total, parent *part) error {
	for i, level := range l.plan.Levels() {
		want, known := members[0].labels[i], l.query.Compare == nil && l.query.Fill == query.FillNone || len(members) == 1
		if _, named := pathOf(l.plan.Keys(), row.Keys, level); !named {
			want, known = cube.Missing, true
		}
		if known && row.Labels[i] != want {
			return fmt.Errorf("a label of %s is not %q", shown(row), want)
		}
	}
	sum := *members[0]
	if len(row.Keys) < len(l.plan.Keys()) || row.Others > 0 {
		sum = *e.merged(members)
		if row.Change != "" {
			return fmt.Errorf("a row of several cells is %s: %s", row.Change, shown(row))
		}
	} else if row.Change != sum.change {
		return fmt.Errorf("%s is %q by its amounts alone", shown(row), sum.change)
	}
	if sum.keys = row.Keys; e.dropsSnapshots(l, len(row.Keys)) {
		return nil // testdata/stores/todate.txt has such subtotals
	}
	return e.checkValues(l, row, &sum, total, parent)
}

func unfilled(parts []*part) []*part {
	return slices.DeleteFunc(slices.Clone(parts), func(p *part) bool { return p.filled })
}

// dropsSnapshots tells whether so many keys leave out what tells snapshots apart, whose amounts are not to be added.
func (e *examination) dropsSnapshots(l *layers, keys int) bool {
	return l.plan.Summary() != nil && !e.adder.snapshotsApart(l.plan.Keys()[:keys])
}

// parentsOf gives what shares of the parent are of: the cells that have the same members of what is drilled before the
// row's level and, if nothing on the path of that level is drilled before, of the level above it. Snapshots have none,
// nor has the remainder of cells of different parents.
func (e *examination) parentsOf(l *layers, total *part) func(row answer.Cell, members []*part) *part {
	steps := l.plan.Steps()
	fields, sums := make([][]int, len(steps)), make([]map[string]*part, len(steps)) // by step
	return func(row answer.Cell, members []*part) *part {
		if len(steps) == 0 {
			return total
		}
		at := len(steps) - 1
		if l.isHead(row) {
			at = slices.IndexFunc(steps, func(s plan.Step) bool { return s.Keys == len(row.Keys) })
		}
		if sums[at] == nil {
			fields[at] = e.parentKeys(l.plan, at)
			sums[at] = map[string]*part{}
			for id, parts := range grouped(l.all, func(p *part) string { return keysText(p, fields[at]) }) {
				sums[at][id] = e.merged(parts)
			}
		}
		isBy := func(k int) bool { return l.plan.Keys()[k].Name == e.version.Model.Snapshots().By }
		id := keysText(members[0], fields[at])
		switch {
		case e.dropsSnapshots(l, 0) && !slices.ContainsFunc(fields[at], isBy):
			return nil
		case len(fields[at]) == 0:
			return total
		case slices.ContainsFunc(members, func(p *part) bool { return keysText(p, fields[at]) != id }):
			return nil
		}
		return sums[at][id]
	}
}

// parentKeys gives the keys that the cells of one parent have in common.
func (e *examination) parentKeys(p *plan.Plan, step int) []int {
	var fields []string
	if step > 0 {
		fields = fieldsOf(p.Keys()[:p.Steps()[step-1].Keys])
	}
	level, _ := e.version.Model.Level(p.Steps()[step].Ref)
	if !slices.ContainsFunc(level.Path, func(f string) bool { return slices.Contains(fields, f) }) && level.Parent != "" {
		above, _ := e.version.Model.Level(level.Parent)
		fields = append(fields, above.Path...)
	}
	var keys []int
	for i, c := range p.Keys() {
		if slices.Contains(fields, c.Name) {
			keys = append(keys, i)
		}
	}
	return keys
}

// keysText is one text for some keys of a cell.
func keysText(p *part, keys []int) string {
	text := ""
	for _, k := range keys {
		text += p.keys[k].String() + "\x00"
	}
	return text
}

// grouped gathers cells by a text.
func grouped(parts []*part, id func(*part) string) map[string][]*part {
	groups := map[string][]*part{}
	for _, p := range parts {
		groups[id(p)] = append(groups[id(p)], p)
	}
	return groups
}

func fieldsOf(columns []cube.Column) []string {
	return each.Text(columns, func(c cube.Column) string { return c.Name })
}

// checkSummary checks the summary: what all cells come to or, where they are of different snapshots, the summary of the
// same question without that drilldown.
func (e *examination) checkSummary(l *layers) error {
	if n := l.whole.Summary.Count; n != int64(len(l.whole.Cells)) {
		return fmt.Errorf("%d rows are counted, there are %d", n, len(l.whole.Cells))
	}
	sub := l.plan.Summary()
	if sub == nil {
		total := e.merged(unfilled(l.all))
		return e.checkValues(l, answer.Cell{Values: l.whole.Summary.Values}, e.merged(unfilled(l.parts)), total, total)
	}
	q := with(l.query, func(q *query.Query) {
		q.Drilldown, q.Rollup, q.Top, q.Remainder, q.Order, q.Fill = nil, false, 0, false, nil, query.FillNone
		for _, c := range sub.Keys() {
			q.Drilldown = append(q.Drilldown, query.Ref{Name: c.Name})
		}
		if sub.Comparison() == nil {
			q.Compare = nil
		}
	})
	other, err := e.cut(q)
	if err != nil {
		return err
	}
	if err := e.checkSummary(other); err != nil {
		return err
	}
	for i, a := range l.plan.Aggregates() {
		j := slices.IndexFunc(other.plan.Aggregates(), func(b plan.Aggregate) bool { return b.Name == a.Name })
		if got := l.whole.Summary.Values[i]; j < 0 && got.Valid || j >= 0 && !sameAmount(got, other.whole.Summary.Values[j]) {
			return fmt.Errorf("%s of the summary is %s, without the snapshots it is another", a.Name, text(got))
		}
	}
	return nil
}
