package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// reported finds the snapshots that a question is about.
type reported struct{ *cube.History }

// reported gives the snapshots of the package, or nil if it has none.
func (m names) reported() *reported {
	if h := m.History(); h != nil {
		return &reported{h}
	}
	return nil
}

// bindSnapshots ensures that no money is added twice: for each period it counts the last snapshot that the cuts admit.
// This takes one more filter, made from the snapshots that the catalogue lists, so a store need not know of snapshots.
//
// If the drilldown names the snapshots, each is a cell of its own and nothing is filtered. A sum of such cells would add
// the same money, so a second grouping without that drilldown answers the summary.
func (b *binder) bindSnapshots(q query.Query) error {
	h := b.model.reported()
	if h == nil || q.EverySnapshot {
		return nil
	}
	b.periods = h.admitted(b.filters)
	compared := q.Compare != nil && haveSeveral(h.Periods) // the other side of a comparison may have several snapshots
	switch {
	case !haveSeveral(b.periods) && !compared:
	case q.Snapshots == query.AllSnapshots:
		b.countsAll = true
	case b.keyNamed(h.By().Name) >= 0:
		return b.bindSummary(q, h.By().Name)
	case haveSeveral(b.periods):
		b.guardBy(h.lastSnapshot(b.periods))
	}
	return nil
}

// bindSummary plans the summary: the same question without the levels whose path has the field. It goes by the keys, so
// that it does not matter which levels of a path the drilldown named.
func (b *binder) bindSummary(q query.Query, field string) error {
	if b.flat {
		return b.bindFlatSummary(q, field)
	}
	hasField := func(l cube.Level) bool { return slices.Contains(l.Path, field) }
	left := slices.DeleteFunc(slices.Clone(b.drilled), hasField)
	for _, key := range b.keys {
		level, ok := b.model.LevelOfKey(key.Name)
		switch {
		case !ok || slices.ContainsFunc(level.Path, func(f string) bool { return b.keyNamed(f) < 0 }):
		case hasField(level):
			b.without = append(b.without, level.Ref)
		default:
			left = append(left, level)
		}
	}
	if q.Compare != nil && !b.restricts(b.axis.Name, left) {
		q.Compare = nil // without its axis there is nothing to compare
	}
	return b.summarize(drilling(q, left, query.Page{Number: 1, Size: 0}))
}

// summarize lets the grouping of a question answer the summary.
func (b *binder) summarize(q query.Query) error {
	p, err := Bind(b.cube, q)
	if err != nil {
		return err
	}
	grouping := p.Grouping    // not the rest of the plan
	grouping.parentKeys = nil // and nobody sees its rows
	grouping.passes = p.passes[:slices.Index(p.passes, PassTotal)+1]
	b.summary = &grouping
	return nil
}

// drilling is the same question with another drilldown and page, and without rollup, top and fill.
func drilling(q query.Query, levels []cube.Level, page query.Page) query.Query {
	q.Drilldown, q.Order, q.Rollup, q.Top, q.Remainder, q.Fill = nil, nil, false, 0, false, query.FillNone
	q.Page = page
	for _, level := range levels {
		q.Drilldown = append(q.Drilldown, query.Ref{Name: level.Ref})
	}
	return q
}

// indexOf gives the index of a column in Columns, or -1.
func (h *reported) indexOf(column cube.Column) int {
	return slices.IndexFunc(h.Columns, func(c cube.Column) bool { return c.Name == column.Name })
}

// admitted gives the periods with the snapshots that the filters admit, without periods of which they admit none. A filter
// that tests other columns too is taken to admit whatever it may admit.
func (h *reported) admitted(filters []Filter) []cube.Period {
	asking := each.Where(filters, func(f Filter) bool {
		return slices.ContainsFunc(h.Columns, func(c cube.Column) bool { return f.Names(c.Name) })
	})
	if len(asking) == 0 {
		return h.Periods
	}
	var periods []cube.Period
	for _, p := range h.Periods {
		left := cube.Period{Key: p.Key}
		for _, s := range p.Snapshots {
			if h.admits(asking, append(slices.Clone(p.Key), s.Value)) {
				left.Snapshots = append(left.Snapshots, s)
			}
		}
		if len(left.Snapshots) > 0 {
			periods = append(periods, left)
		}
	}
	return periods
}

func (h *reported) admits(filters []Filter, values []cube.Value) bool {
	return !slices.ContainsFunc(filters, func(f Filter) bool {
		return f.match(func(field string) (cube.Value, bool) {
			i := slices.IndexFunc(h.Columns, func(c cube.Column) bool { return c.Name == field })
			if i < 0 {
				return cube.Missing, false
			}
			return values[i], true
		}) == fails
	})
}

// haveSeveral tells whether some period has more than one snapshot.
func haveSeveral(periods []cube.Period) bool {
	return slices.ContainsFunc(periods, func(p cube.Period) bool { return len(p.Snapshots) > 1 })
}

// HasSeveralSnapshots tells whether the cuts admit more than one snapshot of some period.
func (p *Plan) HasSeveralSnapshots() bool { return haveSeveral(p.periods) }

// lastSnapshot makes the filter that admits the last snapshot of each period. If all periods have the same last snapshot,
// the filter names only that, since the cuts exclude every other period.
func (h *reported) lastSnapshot(periods []cube.Period) Filter {
	last := periods[0].Last().Value
	if !slices.ContainsFunc(periods, func(p cube.Period) bool { return p.Last().Value != last }) {
		f := Filter{Default: true, Ref: h.By().Name}
		f.addExact(h.By(), []cube.Value{last})
		f.text = f.canonical()
		return f
	}
	return h.lastOfEach(periods)
}

// lastOfEach makes the filter that admits the last snapshot of each period, and no other period.
func (h *reported) lastOfEach(periods []cube.Period) Filter {
	f := Filter{Default: true}
	f.Ref = strings.Join(each.Text(h.Columns, func(c cube.Column) string { return c.Name }), "/")
	f.Any = h.alternatives(periods, func(p cube.Period) []cube.Value { return []cube.Value{p.Last().Value} })
	for _, p := range periods {
		f.Echo = append(f.Echo, EchoItem{Op: query.OpEqual, Path: true, Values: append(slices.Clone(p.Key), p.Last().Value)})
	}
	f.text = strings.Join(each.Text(h.Columns, func(c cube.Column) string { return query.QuoteName(c.Name) }), "/") + ":" +
		strings.Join(each.Text(f.Echo, func(e EchoItem) string { return query.KeysText(h.Columns, e.Values) }), ";")
	return f
}

// upToLast makes the filter that admits the last snapshot of each period and those before it. It has no text, since nobody
// asked for it.
func (h *reported) upToLast(periods []cube.Period) Filter {
	return Filter{Ref: h.By().Name, Any: h.alternatives(periods, h.until)}
}

// until gives the values of a period's last snapshot and of all earlier ones, sorted.
func (h *reported) until(p cube.Period) []cube.Value {
	at := slices.IndexFunc(h.Periods, func(o cube.Period) bool { return slices.Equal(o.Key, p.Key) })
	all := h.Periods[at].Snapshots
	last := slices.IndexFunc(all, func(s cube.Snapshot) bool { return s.Value == p.Last().Value })
	var values []cube.Value
	for _, s := range all {
		if s.Rank <= all[last].Rank {
			values = append(values, s.Value)
		}
	}
	slices.SortFunc(values, cube.Value.Compare)
	return values
}

// alternatives makes the tests for the snapshots that are counted of each period. Periods that differ only in their last
// column and count the same snapshots share an alternative.
func (h *reported) alternatives(periods []cube.Period, counted func(cube.Period) []cube.Value) [][]Test {
	var all [][]Test
	indexes := map[string]int{}
	end := len(h.Columns) - 2 // of the columns that name the period
	for _, p := range periods {
		snapshots := counted(p)
		id := KeysID(append(slices.Clone(p.Key[:end]), snapshots...))
		index, known := indexes[id]
		if !known {
			index = len(all)
			indexes[id] = index
			var tests []Test
			for i, v := range p.Key[:end] {
				tests = append(tests, Test{Column: h.Columns[i], In: []cube.Value{v}})
			}
			all = append(all, append(tests, Test{Column: h.Columns[end]}, Test{Column: h.By(), In: snapshots}))
		}
		all[index][end].In = append(all[index][end].In, p.Key[end])
	}
	return all
}
