package cube

import (
	"context"
	"slices"
)

// fill adds a cell for each place of the axis that the cuts admit, between the first and the last that any cell has,
// where the members of its other keys have none.
func (a *assembly) fill(ctx context.Context) error {
	f := a.finish
	if f.fill == FillNone {
		return nil
	}
	a.fillGone()
	first, last, ok := span(a.entries, f.axis)
	if !ok {
		return nil
	}
	if uint64(last-first) >= MaxPageSize {
		return a.tooMany("fill")
	}
	places, err := a.placesBetween(ctx, first, last)
	if err != nil {
		return err
	}
	for _, cells := range a.alongAxis() {
		taken := map[Value]bool{}
		for _, e := range cells {
			taken[e.Keys[f.axis]] = true
		}
		for _, at := range places {
			if !taken[at] {
				a.entries = append(a.entries, a.gap(cells[0], at))
			}
		}
		if len(a.entries) > MaxPageSize {
			return a.tooMany("fill")
		}
	}
	return nil
}

// placesBetween lists the places of the axis that the cuts admit, from the first to the last: once for all members, since
// there may be thousands of both.
func (a *assembly) placesBetween(ctx context.Context, first, last int64) ([]Value, error) {
	var places []Value
	for place := range last - first + 1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if at := Integer(first + place); a.plan.admits(a.plan.keys[a.finish.axis], at) {
			places = append(places, at)
		}
	}
	return places, nil
}

// alongAxis gathers the cells that share all keys but that of the axis, in the order of their first ones.
func (a *assembly) alongAxis() [][]*entry {
	axis := a.finish.axis
	return gathered(a.entries, func(e *entry) string { return idOf(slices.Delete(slices.Clone(e.Keys), axis, axis+1)) })
}

func span(entries []*entry, axis int) (first, last int64, ok bool) {
	for _, e := range entries {
		place, whole := e.Keys[axis].Int()
		if !whole {
			continue
		}
		if !ok || place < first {
			first = place
		}
		if !ok || place > last {
			last = place
		}
		ok = true
	}
	return first, last, ok
}

// gap is a cell of the same members as another, at a place of its own. What it is compared with may be there, but a place
// of which there are no rows at all has become no less.
func (a *assembly) gap(like *entry, place Value) *entry {
	gap := &entry{Cell: Cell{Keys: slices.Clone(like.Keys), Labels: like.Labels, Ranks: like.Ranks}, fillsGap: true}
	gap.Keys[a.finish.axis] = place
	a.names.rename(gap, a.finish.axis)
	if gap.own = nothing(a.plan.parts); a.finish.fill == FillZero {
		gap.own = zeros(a.plan.parts)
	}
	if a.earlier != nil {
		a.beside(gap)
		gap.earlier.apart = a.finish.fill == FillNull || a.finish.compare.lacksRows(gap.Keys)
	}
	return gap
}

func (a *assembly) tooMany(parameter string) error {
	return Errorf(CodeTooLarge, "the answer has more than %d cells", MaxPageSize).at(Position{Parameter: parameter}).
		or("cut it down, or ask without " + parameter)
}
