package storetest

import (
	"slices"

	"fiscube/cube"
)

// A cell is new or gone where rows of its place are on the other side too: of its year, and of its statement of the same
// money. Of these all rows are asked, whatever else is cut out; of other places only those that the cells are made of.

// sides gives the places of which rows are here and there.
func (o *oracle) sides(q inquiry, nodes, before map[string]*node) (here, there map[string]bool) {
	here, there = map[string]bool{}, map[string]bool{}
	if !o.knows(q) {
		for _, n := range nodes {
			here[o.place(q, n.Keys, 0)] = q.isThere(n) || here[o.place(q, n.Keys, 0)]
		}
		for _, n := range before {
			there[o.place(q, n.Keys, 0)] = q.isThere(n) || there[o.place(q, n.Keys, 0)]
		}
		return here, there
	}
	apart := o.statementsApart(q.keys)
	later := o.lastStatements(q.plan, false)
	earlier := later
	if later.snapshots != nil && !apart {
		earlier = o.aligned(q, later)
	}
	for _, row := range o.rows {
		place := o.place(q, o.keysOf(row, q.keys), 0)
		if o.wouldAdmit(q, row, 0) && (apart || later.counts(row)) {
			here[place] = true
		}
		if o.faces(q, row) && o.wouldAdmit(q, row, -q.compare.Offset) && (apart || earlier.counts(row)) {
			there[place] = true
		}
	}
	if q.axis() < 0 && !o.facesAll(q) {
		return here, nil
	}
	return here, there
}

// knows tells whether the axis is one whose places all rows tell.
func (o *oracle) knows(q inquiry) bool {
	s := o.model.Snapshots()
	if s == nil {
		return o.isYear(q.along())
	}
	return slices.Contains(s.Per, q.along()) || s.By == q.along()
}

// toldBy tells whether a column is one that places are told apart by.
func (o *oracle) toldBy(q inquiry, column string) bool {
	s := o.model.Snapshots()
	return column == q.along() || s != nil && (s.By == column || o.knows(q) && slices.Contains(s.Per, column))
}

// place is where cells are compared, so far along the axis.
func (o *oracle) place(q inquiry, keys []cube.Value, offset int64) string {
	var place []cube.Value
	for i, c := range q.keys {
		switch {
		case c.Name == q.along():
			place = append(place, shifted(keys[i], offset))
		case o.toldBy(q, c.Name):
			place = append(place, keys[i])
		}
	}
	return pathText(place)
}

// wouldAdmit tells whether the cuts would admit a row, if it stood so far along the axis and nothing but its place counted.
func (o *oracle) wouldAdmit(q inquiry, row []string, offset int64) bool {
	s := o.model.Snapshots()
	return o.passesMoved(q, func(c cube.Column) (cube.Value, bool) {
		value := o.value(row, c)
		if c.Name == q.along() {
			value = shifted(value, offset)
		}
		return value, c.Name == q.along() || s != nil && (s.By == c.Name || slices.Contains(s.Per, c.Name))
	})
}

// isThere tells whether a cell is of any rows: where nothing is drilled it need not be.
func (q inquiry) isThere(n *node) bool {
	return len(q.keys) > 0 || len(n.own.rows)+len(n.own.again) > 0
}
