package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// history answers what questions need to know of the snapshots of a package.
type history struct{ *cube.History }

// history gives the snapshots of the package; nil where it has none.
func (m names) history() *history {
	if h := m.History(); h != nil {
		return &history{h}
	}
	return nil
}

// bindSnapshots sees to it that no money is added twice: of the snapshots of each period that the cuts admit, the
// last alone is counted. That is one more filter, made of what the package is known to hold, so that what comes
// after Bind need not know of it.
//
// Where the snapshots themselves are drilled each is a cell of its own and nothing is filtered; adding up the
// cells would add the same money, so the summary is that of a second question, without that drilldown.
func (b *binder) bindSnapshots(q query.Query) error {
	h := b.model.history()
	if h == nil {
		return nil
	}
	b.periods = h.admitted(b.filters)
	compared := q.Compare != nil && haveSeveral(h.Periods) // what stands beside the answer may have several
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

// bindSummary plans the summary: the same question without the levels whose members the field tells apart, which it
// names. It goes by the keys: which of their levels were named in the drilldown must not matter.
func (b *binder) bindSummary(q query.Query, field string) error {
	apart := func(l cube.Level) bool { return slices.Contains(l.Path, field) }
	left := slices.DeleteFunc(slices.Clone(b.drilled), apart)
	for _, key := range b.keys {
		level, ok := b.model.LevelOfKey(key.Name)
		switch {
		case !ok || slices.ContainsFunc(level.Path, func(f string) bool { return b.keyNamed(f) < 0 }):
		case apart(level):
			b.without = append(b.without, level.Ref)
		default:
			left = append(left, level)
		}
	}
	if q.Compare != nil && !b.restricts(b.axis.Name, left) {
		q.Compare = nil // without its axis there is nothing to compare
	}
	var err error
	b.summary, err = b.drilling(q, left, query.Page{Number: 1, Size: 0})
	return err
}

// drilling binds the same question with another drilldown and page, and no passes but what every cell has for itself.
func (b *binder) drilling(q query.Query, levels []cube.Level, page query.Page) (*Plan, error) {
	q.Drilldown, q.Order, q.Rollup, q.Top, q.Remainder, q.Fill = nil, nil, false, 0, false, query.FillNone
	q.Page = page
	for _, level := range levels {
		q.Drilldown = append(q.Drilldown, query.Ref{Name: level.Ref})
	}
	return Bind(b.cube, q)
}

// position gives the place of a column among those of the history, or -1.
func (h *history) position(column cube.Column) int {
	return slices.IndexFunc(h.Columns, func(c cube.Column) bool { return c.Name == column.Name })
}

// admitted gives the periods with the snapshots that the filters admit, leaving out periods of which they
// admit none. A filter that asks for other columns too counts as admitting what it might.
func (h *history) admitted(filters []Filter) []cube.Period {
	var asking []Filter
	for _, f := range filters {
		if slices.ContainsFunc(h.Columns, func(c cube.Column) bool { return f.Names(c.Name) }) {
			asking = append(asking, f)
		}
	}
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

func (h *history) admits(filters []Filter, values []cube.Value) bool {
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

// lastSnapshot makes the filter that admits the last snapshot of each period. Where that is one and the same, naming
// it is enough: the cuts exclude every other period.
func (h *history) lastSnapshot(periods []cube.Period) Filter {
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
func (h *history) lastOfEach(periods []cube.Period) Filter {
	f := Filter{Default: true}
	f.Ref = strings.Join(cube.Texts(h.Columns, func(c cube.Column) string { return c.Name }), "/")
	f.Any = h.alternatives(periods)
	for _, p := range periods {
		f.Echo = append(f.Echo, EchoItem{Op: query.OpEqual, Path: true, Values: append(slices.Clone(p.Key), p.Last().Value)})
	}
	f.text = strings.Join(cube.Texts(h.Columns, func(c cube.Column) string { return query.QuoteName(c.Name) }), "/") + ":" +
		strings.Join(cube.Texts(f.Echo, func(e EchoItem) string { return query.KeysText(e.Values) }), ";")
	return f
}

// alternatives makes the tests of the last snapshots. Periods that differ in their last column alone and have
// the same last snapshot share one.
func (h *history) alternatives(periods []cube.Period) [][]Test {
	var all [][]Test
	places := map[string]int{}
	end := len(h.Columns) - 2 // of the columns that name the period
	for _, p := range periods {
		id := query.KeysText(append(slices.Clone(p.Key[:end]), p.Last().Value))
		place, known := places[id]
		if !known {
			place = len(all)
			places[id] = place
			var tests []Test
			for i, v := range p.Key[:end] {
				tests = append(tests, Test{Column: h.Columns[i], In: []cube.Value{v}})
			}
			all = append(all, append(tests, Test{Column: h.Columns[end]}, Test{Column: h.By(), In: []cube.Value{p.Last().Value}}))
		}
		all[place][end].In = append(all[place][end].In, p.Key[end])
	}
	return all
}
