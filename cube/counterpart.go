package cube

import "slices"

// Whether a cell that only one side has is new or gone, or has nothing to be compared with, goes by its place: where it
// stands on the axis, and of which statement it is. Of years, and of what statements are of, it is known where rows
// are, whatever else is cut: one unit is gone as it is among all. Elsewhere the cells of both sides have to show it.

// placedBy gives the keys that the place of a cell is made of: that of the axis and those of statements.
func (b *binder) placedBy(c *comparison, axis Column) []int {
	var keys []int
	s := b.model.statements
	stated := s != nil && s.at(axis) >= 0
	for i, k := range b.plan.keys {
		if i == c.key || i == c.by || stated && s.at(k) >= 0 {
			keys = append(keys, i)
		}
	}
	return keys
}

// place tells where the keys of a cell stand. Where nothing of it is drilled all cells stand at one place.
func (c *comparison) place(keys []Value) string {
	place := make([]Value, len(c.at))
	for i, key := range c.at {
		place[i] = keys[key]
	}
	return idOf(place)
}

// lacksRows tells of a cell that it stands where one of the sides is known to have no rows.
func (c *comparison) lacksRows(keys []Value) bool { return c.facing != nil && !c.facing[c.place(keys)] }

// at gives the place of a column among those of the statements, or -1.
func (s *statements) at(column Column) int {
	return slices.IndexFunc(s.columns, func(c Column) bool { return c.Name == column.Name })
}

// faceYears notes and gives the years that have rows as far from them in the same levels, and says which have not. Rows
// without a year stand nowhere.
func (b *binder) faceYears(c *comparison, axis Column, asked []int64) (faced []int64) {
	for _, year := range asked {
		if lack, lacks := b.lackOfYear(year, year+c.offset); lacks {
			c.absent = append(c.absent, lack)
			continue
		}
		b.face(c, func(Column) Value { return Integer(year) })
		faced = append(faced, year)
	}
	if axis.Missing > 0 && b.plan.admits(axis, Missing) {
		c.absent = append(c.absent, lack{lackPlace, []any{axis.Name}})
	}
	return faced
}

// face notes that both sides have rows at a place, of whose keys it is told the values.
func (b *binder) face(c *comparison, value func(Column) Value) {
	if c.facing == nil {
		c.facing = map[string]bool{}
	}
	var place []Value
	for _, key := range c.at {
		place = append(place, value(b.plan.keys[key]))
	}
	c.facing[idOf(place)] = true
}

// state has the other question count the statements that those of this one are compared with, and says of which there
// are none; false where there are none at all. Where the axis is no column of theirs it is not known where they are.
func (b *binder) state(c *comparison, other *Plan, axis Column) bool {
	s := b.model.statements
	at := s.at(axis)
	if at < 0 {
		c.facing = nil
		return c.by >= 0 || other.counts(s.admitted(other.filters), s.lastOf)
	}
	later, there := b.plan.stated, s.admitted(other.filters)
	if c.by < 0 {
		later, there, c.absent = lastOnly(later), s.periods, c.levelLacks()
	}
	pairs, alone := s.aligned(later, there, at, c.offset)
	if b.yearly(axis) {
		pairs, alone = b.withLevels(pairs, at), b.withLevels(alone, at)
	}
	c.facing = map[string]bool{}
	for _, pair := range pairs {
		b.face(c, func(k Column) Value { return pair.here[s.at(k)] })
	}
	for _, pair := range alone {
		if c.by < 0 || !b.yearly(axis) || b.hasYear(pair.there[at]) {
			c.absent = append(c.absent, s.lack(pair, c.by < 0))
		}
	}
	if c.by >= 0 {
		return len(pairs)+len(c.gaps) > 0
	}
	return other.counts(c.withGaps(periodsOf(pairs), s.admitted(other.filters), at), s.lastOfEach)
}

// hasYear tells whether there are rows of a year.
func (b *binder) hasYear(v Value) bool {
	year, whole := v.Int()
	return whole && slices.Contains(b.cube.Coverage.Years, year)
}

// counts has the plan count the last statements of periods, unless there are none.
func (p *Plan) counts(periods []period, filter func([]period) Filter) bool {
	if len(periods) == 0 {
		return false
	}
	p.stated = periods
	p.guardBy(filter(periods))
	return true
}

// statementPair is a statement beside the one that it is compared with: the values of the columns of both.
type statementPair struct{ here, there []Value }

// aligned sets the statements of the later periods beside those so far along the axis, as far as they are stated, and
// gives those that are not.
func (s *statements) aligned(later, stated []period, axis int, offset int64) (pairs, alone []statementPair) {
	for _, p := range later {
		for _, one := range p.snapshots {
			pair := statementPair{here: append(slices.Clone(p.key), one.value)}
			pair.there = slices.Clone(pair.here)
			var moves bool
			if pair.there[axis], moves = pair.here[axis].shifted(offset); moves && states(stated, pair.there) {
				pairs = append(pairs, pair)
			} else {
				alone = append(alone, pair)
			}
		}
	}
	return pairs, alone
}

// states tells whether a statement is among those of the periods.
func states(periods []period, statement []Value) bool {
	end := len(statement) - 1
	return slices.ContainsFunc(periods, func(p period) bool {
		return slices.Equal(p.key, statement[:end]) &&
			slices.ContainsFunc(p.snapshots, func(o snapshot) bool { return o.value == statement[end] })
	})
}

// lastOnly leaves each period the statement that counts.
func lastOnly(periods []period) []period {
	last := make([]period, len(periods))
	for i, p := range periods {
		last[i] = period{key: p.key, snapshots: []snapshot{p.last()}}
	}
	return last
}

// periodsOf gives the periods of the statements that others are compared with, each with that one alone.
func periodsOf(pairs []statementPair) []period {
	periods := make([]period, len(pairs))
	for i, pair := range pairs {
		end := len(pair.there) - 1
		periods[i] = period{key: pair.there[:end], snapshots: []snapshot{{value: pair.there[end]}}}
	}
	return periods
}

// facing gives the places of which both sides have rows: those that are known, or else those that cells show.
func (a *assembly) facing(before []*entry) map[string]bool {
	c := a.finish.compare
	if c.facing != nil {
		return c.facing
	}
	there, facing := map[string]bool{}, map[string]bool{}
	for _, e := range before {
		if keys, ok := e.beside(c.key, -c.offset); ok && a.stands(e) {
			there[c.place(keys)] = true
		}
	}
	for _, e := range a.entries {
		place := c.place(e.Keys)
		facing[place] = facing[place] || there[place] && a.stands(e)
	}
	return facing
}

// stands tells whether a cell is of any rows. One of none stands only where nothing is drilled.
func (a *assembly) stands(e *entry) bool {
	rows := a.finish.compare.rows
	return rows < 0 || !e.own[rows].Decimal.IsZero()
}

// face says of a cell what it is against the other one, which may be nil; facing where both sides have rows of its
// place.
func (a *assembly) face(e, other *entry, facing bool) {
	here, there := a.stands(e), other != nil && a.stands(other)
	switch {
	case !here && !there:
	case !facing && !here:
		e.earlier.apart = true
	case !facing:
		e.incomparable, e.earlier = true, &basis{}
	case !there:
		e.Change, e.earlier = ChangeNew, &basis{noRows: true}
	case !here:
		e.Change, e.noRows = ChangeGone, true
	}
}
