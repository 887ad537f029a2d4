package cube

import "slices"

// snapshots sees to it that no money is added twice: of the statements of each period that the cuts admit, the
// last alone is counted. That is one more filter, made of what the package is known to state, so that what comes
// after Bind need not know of it.
//
// Where the statements themselves are drilled each is a cell of its own and nothing is filtered; adding up the
// cells would add the same money, so the summary is that of a second plan, without that drilldown.
func (b *binder) snapshots(q Query) error {
	s := b.model.statements
	if s == nil {
		return nil
	}
	periods := s.admitted(b.plan.filters)
	b.plan.stated = periods
	compared := q.Compare != nil && repeated(s.periods) // what stands beside the answer may be repeated
	switch {
	case !repeated(periods) && !compared:
	case q.Snapshots == AllSnapshots:
		b.plan.all = true
	case b.isKey(s.by().Name):
		return b.summarized(q, s.by().Name)
	case repeated(periods):
		b.plan.guardBy(s.lastOf(periods))
	}
	return nil
}

// summarized plans the summary: the same question without the levels whose members the field tells apart, which it
// names. It goes by the keys: which of their levels were named in the drilldown must not matter.
func (b *binder) summarized(q Query, field string) error {
	apart := func(l Level) bool { return slices.Contains(l.Path, field) }
	left := slices.DeleteFunc(slices.Clone(b.drilled), apart)
	for _, key := range b.plan.keys {
		level, ok := b.model.LevelOfKey(key.Name)
		switch {
		case !ok || slices.ContainsFunc(level.Path, func(f string) bool { return !b.isKey(f) }):
		case apart(level):
			b.plan.without = append(b.plan.without, level.Ref)
		default:
			left = append(left, level)
		}
	}
	if q.Compare != nil && !b.restricts(b.along.Name, left) {
		q.Compare = nil // without its axis there is nothing to compare
	}
	var err error
	b.plan.summary, err = b.drilling(q, left, Page{Number: 1, Size: 0})
	return err
}

// guardBy applies the default filter: to all rows, or where amounts are asked that add up over the statements
// (Measure.Flow) to the other parts alone.
func (p *Plan) guardBy(filter Filter) {
	guarded := 0
	for _, part := range p.parts {
		if !p.flows(part) {
			guarded++
		}
	}
	switch guarded {
	case 0:
	case len(p.parts):
		p.filters = append(p.filters, filter)
	default:
		p.guard = &filter
		for i := range p.parts {
			p.parts[i].Guarded = !p.flows(p.parts[i])
		}
	}
}

func (p *Plan) flows(part Part) bool {
	measure, _ := p.cube.Model.Measure(part.Measure)
	return measure.Flow
}

// verdict is what is known of a condition when only some cells of a row are.
type verdict uint8

const (
	no verdict = iota
	maybe
	yes
)

// verdict judges a filter by the cells that are known. The complement of what may be is what may be.
func (f Filter) verdict(cell func(field string) (Value, bool)) verdict {
	some := no
	for _, tests := range f.Any {
		all := yes
		for _, t := range tests {
			all = min(all, t.verdict(cell))
		}
		some = max(some, all)
	}
	if f.Not {
		return yes - some
	}
	return some
}

func (t Test) verdict(cell func(field string) (Value, bool)) verdict {
	value, known := cell(t.Column.Name)
	switch {
	case !known || t.Members != nil: // which members those are only a store knows
		return maybe
	case t.admits(value):
		return yes
	}
	return no
}

// admits tells whether a cell passes, as a store would.
func (t Test) admits(v Value) bool {
	if len(t.In) > 0 {
		_, found := slices.BinarySearchFunc(t.In, v, Value.Compare)
		return found
	}
	bound := t.From
	if bound.IsMissing() {
		bound = t.To
	}
	return !v.IsMissing() && (t.Column.Type != TypeText || v.length() == bound.length()) &&
		(t.From.IsMissing() || v.Compare(t.From) >= 0) && (t.To.IsMissing() || v.Compare(t.To) <= 0)
}
