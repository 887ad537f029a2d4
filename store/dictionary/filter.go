package dictionary

import (
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
)

// Where turns filters into the condition on the numbers of a row that passes all of them. The cuboid has what they test
// (plan.Needs).
func (d *Dictionary) Where(ctx context.Context, c *cube.Cube, cuboid *cube.Cuboid, filters []plan.Filter) (Condition, error) {
	b := binder{ctx, d, c, cuboid}
	all := make([]Condition, len(filters))
	for i := range filters {
		var err error
		if all[i], err = b.filter(&filters[i]); err != nil {
			return Condition{}, err
		}
	}
	return allOf(all...), nil
}

// binder turns the tests of filters into conditions on the levels of a cuboid.
type binder struct {
	ctx    context.Context
	in     *Dictionary
	cube   *cube.Cube
	cuboid *cube.Cuboid
}

func (b *binder) filter(f *plan.Filter) (Condition, error) {
	fields := slices.Concat(each.Of(f.Any, fieldsOf)...)
	common, _ := b.levelWith(fields) // if there is one, alternatives become one set of its members
	alternatives := make([]Condition, len(f.Any))
	for i, tests := range f.Any {
		var err error
		if alternatives[i], err = b.tests(tests, common); err != nil {
			return Condition{}, err
		}
	}
	passes := anyOf(alternatives...)
	if f.Not {
		return passes.not(), nil
	}
	return passes, nil
}

// fieldsOf names the columns of the tests that are of no members.
func fieldsOf(tests []plan.Test) []string {
	var fields []string
	for _, t := range tests {
		if t.Members == nil {
			fields = append(fields, t.Column.Name)
		}
	}
	return fields
}

// levelWith gives the level of the cuboid with the shortest path that has all fields.
func (b *binder) levelWith(fields []string) (level cube.Level, ok bool) {
	for _, index := range b.cuboid.Levels {
		l := b.cube.Model.Levels()[index]
		if ok && len(l.Path) >= len(level.Path) || !l.PathHas(fields) {
			continue
		}
		level, ok = l, true
	}
	return level, ok
}

// tests gives the condition that all tests hold: as one set of members of a level with all of their columns, if the cuboid has
// such a level, else column by column.
func (b *binder) tests(tests []plan.Test, common cube.Level) (Condition, error) {
	var conditions []Condition
	plain := slices.DeleteFunc(slices.Clone(tests), func(t plan.Test) bool { return t.Members != nil })
	fields := fieldsOf(plain)
	if !common.PathHas(fields) {
		common, _ = b.levelWith(fields)
	}
	for len(plain) > 0 {
		level, n := common, len(plain)
		if level.Path == nil {
			level, _ = b.levelWith(fields[:1]) // plan.Needs checks that there is one
			n = 1
		}
		members, err := b.in.Members(b.ctx, b.cube, level)
		if err != nil {
			return Condition{}, err
		}
		conditions = append(conditions, in(level, members.Size, members.admitted(plain[:n])))
		plain, fields = plain[n:], fields[n:]
	}
	for _, t := range tests {
		if t.Members == nil {
			continue
		}
		c, err := b.members(t.Members)
		if err != nil {
			return Condition{}, err
		}
		conditions = append(conditions, c)
	}
	return allOf(conditions...), nil
}

// members gives the condition that a test of members holds.
func (b *binder) members(t *plan.MemberTest) (Condition, error) {
	members, err := b.in.Members(b.ctx, b.cube, t.Level)
	if err != nil {
		return Condition{}, err
	}
	if !t.Level.HasLabels() {
		set, err := members.withKeys(b.ctx, t.Substrings)
		return in(t.Level, members.Size, set), err
	}
	labels, err := b.in.Labels(b.ctx, b.cube, t.Level)
	if err != nil {
		return Condition{}, err
	}
	years, err := b.in.LabelYears(b.ctx, b.cube, labels, t.Years)
	if err != nil {
		return Condition{}, err
	}
	if t.Reused {
		return b.reused(t, labels, years)
	}
	set, err := labels.matching(b.ctx, t, years)
	return in(t.Level, members.Size, set), err
}

// LabelYears gives the years of labels that all filters on the fiscal year admit, or all years without filters.
func (d *Dictionary) LabelYears(ctx context.Context, c *cube.Cube, l *Labels, filters []plan.Filter) (Years, error) {
	tests := make([][]func(cube.Value) bool, len(filters)) // by alternative: whether it admits a year
	for i, f := range filters {
		for _, alternative := range f.Any {
			admits, err := d.yearTest(ctx, c, alternative)
			if err != nil {
				return nil, err
			}
			tests[i] = append(tests[i], admits)
		}
	}
	return l.Admitted(func(year cube.Value) bool {
		for i, f := range filters {
			if slices.ContainsFunc(tests[i], func(admits func(cube.Value) bool) bool { return admits(year) }) == f.Not {
				return false
			}
		}
		return true
	}), nil
}

// yearTest makes a function of tests on the fiscal year. A test of members is of the level of the years, whose path is the year.
func (d *Dictionary) yearTest(ctx context.Context, c *cube.Cube, tests []plan.Test) (func(cube.Value) bool, error) {
	sets, levels := make([]Set, len(tests)), make([]*Members, len(tests))
	for i, t := range tests {
		if t.Members == nil {
			continue
		}
		b := binder{ctx, d, c, &cube.Cuboid{Levels: []int{t.Members.Level.Index}}}
		condition, err := b.members(t.Members)
		if err != nil {
			return nil, err
		}
		if levels[i], err = d.Members(ctx, c, t.Members.Level); err != nil {
			return nil, err
		}
		switch condition.Op {
		case Every:
			sets[i] = Set{{0, levels[i].Size - 1}}
		case Member:
			sets[i] = condition.Set
		}
	}
	return func(year cube.Value) bool {
		for i := range tests {
			if m := levels[i]; m != nil {
				number := m.lowerBound(0, m.Size, []cube.Value{year})
				if number == m.Size || m.Path(number)[0] != year || !sets[i].Has(number) {
					return false
				}
			} else if !tests[i].Admits(year) {
				return false
			}
		}
		return true
	}, nil
}

// withKeys gives the members whose key contains one of some texts, ignoring case and accents.
func (m *Members) withKeys(ctx context.Context, texts []string) (Set, error) {
	m.folding.Do(m.foldAll)
	parts := each.Text(texts, fold.Text)
	return m.that(ctx, func(n int32) bool { return containsAny(m.folds[n], parts) })
}

func (m *Members) foldAll() {
	m.folds = make([]string, m.Size)
	for n := range m.Size {
		m.folds[n] = fold.Text(tidy.Label(m.key(n).String()))
	}
}

// stretch is how many members are looked at until it is asked whether somebody still wants to know: some milliseconds.
const stretch = 4096

// that gives the members for which a function holds.
func (m *Members) that(ctx context.Context, holds func(number int32) bool) (Set, error) {
	var found Set
	for n := range m.Size {
		switch last := len(found) - 1; {
		case n%stretch == 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		case !holds(n):
		case last >= 0 && found[last].Last == n-1:
			found[last].Last = n
		default:
			found = append(found, Range{n, n})
		}
	}
	return found, nil
}

// matching gives the members with a label of the years for which a test of members holds.
func (l *Labels) matching(ctx context.Context, t *plan.MemberTest, years Years) (Set, error) {
	matches := l.matcher(t)
	return l.members.that(ctx, func(n int32) bool {
		for i := l.first[n]; i < l.first[n+1]; i++ {
			if years.has(l.uses[i]) && matches(n, int(i)) {
				return true
			}
		}
		return false
	})
}

// matcher tells whether a test of members holds for a member and one of its uses: the label is one of Labels, or it or the key
// contains one of Substrings.
func (l *Labels) matcher(t *plan.MemberTest) func(number int32, use int) bool {
	ofLabel := l.match(t)
	if len(t.Substrings) == 0 {
		return func(_ int32, use int) bool { return ofLabel(use) }
	}
	l.members.folding.Do(l.members.foldAll)
	parts := each.Text(t.Substrings, fold.Text)
	return func(number int32, use int) bool { return ofLabel(use) || containsAny(l.members.folds[number], parts) }
}

// reused gives the condition of a test of members whose codes mean different things: a member is admitted in the years in which it
// means the same as in a year in which its label passes the test. A member that is admitted in all of its years needs no years.
func (b *binder) reused(t *plan.MemberTest, l *Labels, years Years) (Condition, error) {
	matches := l.matcher(t)
	var always []Range
	sometimes := map[string][]Range{} // by the years, as a text
	whenever := map[string]Years{}
	for n := range l.members.Size {
		if n%stretch == 0 && b.ctx.Err() != nil {
			return Condition{}, b.ctx.Err()
		}
		meanings := map[int64]bool{}
		for i := l.first[n]; i < l.first[n+1]; i++ {
			if u := l.uses[i]; years.has(u) && !meanings[u.meaning] && matches(n, int(i)) {
				meanings[u.meaning] = true
			}
		}
		if len(meanings) == 0 {
			continue
		}
		when, whole := l.yearsOf(n, meanings)
		if whole {
			always = append(always, Range{n, n})
			continue
		}
		id := when.id()
		whenever[id], sometimes[id] = when, append(sometimes[id], Range{n, n})
	}
	conditions := []Condition{in(t.Level, l.members.Size, newSet(always))}
	for id, ranges := range sometimes {
		inYears, err := b.inYears(t.Year, l, whenever[id])
		if err != nil {
			return Condition{}, err
		}
		conditions = append(conditions, allOf(in(t.Level, l.members.Size, newSet(ranges)), inYears))
	}
	return anyOf(conditions...), nil
}

// yearsOf gives the years in which a member has one of some meanings, and whether these are all of its years.
func (l *Labels) yearsOf(number int32, meanings map[int64]bool) (years Years, whole bool) {
	years, whole = make(Years, len(l.years)/yearsOfBlock+1), true
	for _, u := range l.of(number) {
		if meanings[u.meaning] {
			years[u.block] |= u.years
		} else {
			whole = false
		}
	}
	return years, whole
}

// inYears gives the condition that the fiscal year of a row is one of some years of labels.
func (b *binder) inYears(year cube.Column, l *Labels, years Years) (Condition, error) {
	t := plan.Test{Column: year}
	for i, v := range l.years {
		if years[i/yearsOfBlock]&(1<<(i%yearsOfBlock)) != 0 {
			t.In = append(t.In, v)
		}
	}
	slices.SortFunc(t.In, cube.Value.Compare) // missing comes last there
	return b.tests([]plan.Test{t}, cube.Level{})
}

// id is equal for equal years.
func (y Years) id() string {
	id := make([]byte, 0, 8*len(y))
	for _, block := range y {
		for shift := 0; shift < yearsOfBlock; shift += 8 {
			id = append(id, byte(block>>shift))
		}
	}
	return string(id)
}
