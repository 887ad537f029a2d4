package storetest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// passes tells whether the cuts of a plan admit a row.
func (a *adder) passes(r row, plan *cube.Plan) bool {
	return !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
		return a.judge(f, func(column cube.Column) (cube.Value, bool) { return a.value(r, column), true }) == no
	})
}

// asked gives the filters that were asked for. Those that Bind adds the adder works out by itself.
func asked(plan *cube.Plan) []cube.Filter {
	return slices.DeleteFunc(slices.Clone(plan.Filters()), func(f cube.Filter) bool { return f.Default })
}

// admits tells whether the cuts admit a value of a field, whatever else they ask of a row.
func (a *adder) admits(plan *cube.Plan, field string, v cube.Value) bool {
	return !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
		return a.judge(f, func(c cube.Column) (cube.Value, bool) { return v, c.Name == field }) == no
	})
}

// judgement is what can be said of a row of which not all cells are known.
type judgement int

const (
	no judgement = iota
	maybe
	yes
)

// judge tells whether a row passes a filter. A cell that is not known may be anything.
func (a *adder) judge(f cube.Filter, cell func(cube.Column) (cube.Value, bool)) judgement {
	passes := no
	for _, tests := range f.Any {
		all := yes
		for _, t := range tests {
			if t.Members != nil {
				all = min(all, a.judgeMember(t.Members, cell))
			} else if value, known := cell(t.Column); !known {
				all = min(all, maybe)
			} else if !a.holds(t, value) {
				all = no
			}
		}
		passes = max(passes, all)
	}
	if f.Not {
		return yes - passes
	}
	return passes
}

// holds tells whether a value is among those of a test, or in its range. A range of text has only keys as long as its
// bounds; snapshots whose order is declared are in a range by their position there.
func (a *adder) holds(t cube.Test, v cube.Value) bool {
	between := func() bool {
		return (t.From.IsMissing() || a.compareKeys(t.Column, t.From, v) <= 0) &&
			(t.To.IsMissing() || a.compareKeys(t.Column, v, t.To) <= 0)
	}
	switch {
	case len(t.In) > 0 && t.From.IsMissing() && t.To.IsMissing():
		return slices.Contains(t.In, v)
	case a.hasOrder(t.Column):
		return slices.Contains(a.model.Snapshots().Order, v.String()) && between()
	case v.IsMissing():
		return false
	}
	for _, bound := range []cube.Value{t.From, t.To} {
		if !bound.IsMissing() && t.Column.Type == cube.TypeText && length(bound) != length(v) {
			return false
		}
	}
	return between()
}

// compareKeys orders keys of a column that are not missing: snapshots as declared, whole numbers by size, text by length
// and then by bytes.
func (a *adder) compareKeys(c cube.Column, x, y cube.Value) int {
	if a.hasOrder(c) {
		order := a.model.Snapshots().Order
		return cmp.Compare(slices.Index(order, x.String()), slices.Index(order, y.String()))
	}
	n, isNumber := x.Int()
	m, _ := y.Int()
	if isNumber {
		return cmp.Compare(n, m)
	}
	return cmp.Or(cmp.Compare(length(x), length(y)), cmp.Compare(x.String(), y.String()))
}

func length(v cube.Value) int { return utf8.RuneCountInString(v.String()) }

// hasOrder tells whether a column tells apart snapshots whose order is declared.
func (a *adder) hasOrder(c cube.Column) bool {
	s := a.model.Snapshots()
	return s != nil && s.By == c.Name && len(s.Order) > 0
}

// judgeMember tells whether a row is of a member that has one of the labels, or one of the texts in its key or a label.
func (a *adder) judgeMember(m *cube.MemberTest, cell func(cube.Column) (cube.Value, bool)) judgement {
	var path []cube.Value
	for _, field := range m.Level.Path {
		column, _ := a.model.Column(field)
		value, known := cell(column)
		if !known {
			return maybe
		}
		path = append(path, value)
	}
	member := a.namesOf(m.Level)[pathText(path)]
	if member != nil && (slices.ContainsFunc(m.Labels, func(label string) bool { return slices.Contains(member.labels, label) }) ||
		slices.ContainsFunc(m.Parts, member.holds)) {
		return yes
	}
	return no
}

// snapshots are those that count: the last of each period that the cuts admit. It is nil where all rows count.
type snapshots map[string]int64

// lastSnapshots looks for the last snapshot of each period that the cuts admit, whatever they ask of other fields.
func (a *adder) lastSnapshots(plan *cube.Plan, all bool) snapshots {
	declared := a.model.Snapshots()
	if declared == nil || all {
		return nil
	}
	fields := append(slices.Clone(declared.Per), declared.By)
	last, seen := snapshots{}, map[string]bool{}
	for _, r := range a.rows {
		period, rank := a.snapshotOf(r)
		id := period + strconv.FormatInt(rank, 10)
		if seen[id] {
			continue
		}
		seen[id] = true
		admitted := !slices.ContainsFunc(asked(plan), func(f cube.Filter) bool {
			return a.judge(f, func(c cube.Column) (cube.Value, bool) { return a.value(r, c), slices.Contains(fields, c.Name) }) == no
		})
		if known, ok := last[period]; admitted && (!ok || rank > known) {
			last[period] = rank
		}
	}
	return last
}

// count tells whether a row is of a snapshot that counts.
func (s snapshots) count(a *adder, r row) bool {
	if s == nil {
		return true
	}
	period, rank := a.snapshotOf(r)
	last, ok := s[period]
	return ok && rank == last
}

// snapshotOf gives the period of a row and the rank of its snapshot: its position in the declared order, or the number
// that it is.
func (a *adder) snapshotOf(r row) (period string, rank int64) {
	declared := a.model.Snapshots()
	period, by := pathText(a.fields(r, declared.Per...)), a.fields(r, declared.By)[0].String()
	if len(declared.Order) > 0 {
		return period, int64(slices.Index(declared.Order, by))
	}
	rank, err := strconv.ParseInt(strings.TrimSpace(by), 10, 64)
	if err != nil {
		panic(err) // the package was loaded, so every snapshot has a number
	}
	return period, rank
}

// snapshotsApart tells whether grouping by the keys gives each snapshot groups of its own.
func (a *adder) snapshotsApart(keys []cube.Column) bool {
	s := a.model.Snapshots()
	return s != nil && slices.ContainsFunc(keys, func(c cube.Column) bool { return c.Name == s.By })
}

// isYear tells whether a field is the fiscal year.
func (a *adder) isYear(field string) bool {
	year, ok := a.model.FiscalYear()
	return ok && year.Name == field
}

// columnsByYear gives the columns that have cells, by the fiscal year of the rows.
func (a *adder) columnsByYear() map[cube.Value]map[string]bool {
	column, ok := a.model.FiscalYear()
	if !ok || a.filled != nil {
		return a.filled
	}
	a.filled = map[cube.Value]map[string]bool{}
	for _, r := range a.rows {
		year := a.value(r, column)
		if a.filled[year] == nil {
			a.filled[year] = map[string]bool{}
		}
		for _, c := range a.model.Columns() {
			cell := r.cells[a.index[c.Name]]
			if _, isMeasure := a.model.Measure(c.Name); isMeasure {
				cell = strings.TrimSpace(cell)
			}
			if cell != "" {
				a.filled[year][c.Name] = true
			}
		}
	}
	return a.filled
}
