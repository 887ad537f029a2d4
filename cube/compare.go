package cube

import (
	"fmt"
	"slices"
	"strings"
)

// comparison is another question, the same but for its place on an axis, that stands beside a question.
type comparison struct {
	ref     string
	key     int // the axis among the keys; -1 where it is only cut
	offset  int64
	earlier *Plan    // nil where nothing is there to compare with
	absent  []string // what has nothing to be compared with, for people
}

// roles gives every aggregate its three values of comparison, behind it.
func (b *binder) roles(q Query) error {
	if q.Compare == nil {
		return nil
	}
	var all []Aggregate
	for _, a := range b.plan.aggregates {
		all = append(all, a, a.as(RoleEarlier, a.Scale), a.as(RoleDifference, a.Scale), a.as(RolePercentage, ratioScale))
	}
	b.plan.aggregates = all
	return nil
}

func (a Aggregate) as(role Role, scale int32) Aggregate {
	a.Name += "." + string(role)
	a.Role, a.Scale = role, scale
	return a
}

func (b *binder) compares(q Query, f *finish) error {
	if q.Compare == nil {
		return nil
	}
	axis, err := b.axis(q.Compare.Ref)
	if err != nil {
		return err
	}
	f.compare = &comparison{ref: axis.Name, offset: q.Compare.Offset}
	f.compare.key = slices.IndexFunc(b.plan.keys, func(c Column) bool { return c.Name == axis.Name })
	if !b.restricts(axis.Name, b.drilled) {
		return Errorf(CodeBadValue, "%s is neither drilled nor cut, so there is nothing to move along it", axis.Name).
			at(q.Compare.Ref.At).or("add it to the drilldown, or cut it")
	}
	if b.cutByLabels(axis.Name) {
		return Errorf(CodeBadValue, "%s is cut by labels, which do not move along it", axis.Name).at(q.Compare.Ref.At).
			or("cut its keys")
	}
	b.earlier(f.compare, axis)
	return nil
}

// cutByLabels tells whether a cut names members by what they are called whose keys the axis is among.
func (b *binder) cutByLabels(axis string) bool {
	onAxis := func(c Column) bool { return c.Name == axis }
	return slices.ContainsFunc(b.plan.filters, func(f Filter) bool {
		return slices.ContainsFunc(f.Any, func(tests []Test) bool {
			return slices.ContainsFunc(tests, func(t Test) bool {
				return t.Members != nil && slices.ContainsFunc(t.Members.Path, onAxis)
			})
		})
	})
}

func (b *binder) axis(ref Ref) (Column, error) {
	level, ok, err := b.level(ref)
	switch {
	case err != nil:
		return Column{}, err
	case !ok || level.Type != TypeInteger || ref.Name != level.Ref:
		return Column{}, Errorf(CodeBadValue, "%q is no axis of whole numbers", ref.Name).at(ref.At).or(b.wholeLevels())
	}
	column, _ := b.model.Column(level.Ref)
	return column, nil
}

// restricts tells whether the levels drill the field or a cut names it.
func (b *binder) restricts(field string, drilled []Level) bool {
	return slices.Contains(pathsOf(drilled), field) ||
		slices.ContainsFunc(b.plan.filtersBy(false), func(f Filter) bool { return f.names(field) })
}

// earlier plans the other question: the cuts moved along the axis and, so that equal statements are compared, each
// period at the statement that counts of the later one.
func (b *binder) earlier(c *comparison, axis Column) {
	p := &Plan{cube: b.cube, keys: b.plan.keys, levels: b.plan.levels, parts: slices.Clone(b.plan.parts),
		page: Page{Number: 1, Size: MaxPageSize + 1}, order: b.storeOrder()}
	for i := range p.parts {
		p.parts[i].Guarded = false
	}
	for _, f := range b.plan.filtersBy(false) {
		p.filters = append(p.filters, f.moved(axis, c.offset))
	}
	c.absent = p.absentYears(axis, b.plan.years(), c.offset)
	if s := b.model.statements; s != nil && !b.plan.all && !b.isKey(s.by().Name) {
		periods, filter := s.admitted(p.filters), s.lastOf
		if at := s.periodColumn(axis); at >= 0 {
			periods, c.absent = s.aligned(b.plan.stated, at, c.offset)
			filter = s.lastOfEach // the cuts may admit periods that are not compared
		}
		if len(periods) == 0 {
			return
		}
		p.stated = periods
		p.guardBy(filter(periods))
	}
	c.earlier = p
}

// moved is the same filter further along the axis. It has no text: nothing may be left that it asks for.
func (f Filter) moved(axis Column, offset int64) Filter {
	moved := Filter{Ref: f.Ref, Not: f.Not}
	for _, tests := range f.Any {
		tests = slices.Clone(tests)
		for i, t := range tests {
			if t.Column.Name == axis.Name {
				tests[i] = t.moved(offset)
			}
		}
		moved.Any = append(moved.Any, tests)
	}
	return moved
}

// moved is the same test further along its axis. What would be too great a number is not there, and a bound that
// would be stays. The missing value stands at no place.
func (t Test) moved(offset int64) Test {
	m := t
	m.In = nil
	for _, v := range t.In {
		if place, ok := v.shifted(offset); ok || v.IsMissing() {
			m.In = append(m.In, place)
		}
	}
	if len(t.In) > 0 && len(m.In) == 0 {
		m.From, m.To = Integer(1), Integer(0) // nothing is between
		return m
	}
	if from, ok := t.From.shifted(offset); ok {
		m.From = from
	}
	if to, ok := t.To.shifted(offset); ok {
		m.To = to
	}
	return m
}

// shifted adds to a whole number; false, and missing, where there is none or it would be too great.
func (v Value) shifted(n int64) (Value, bool) {
	whole, ok := v.Int()
	if sum := whole + n; ok && (sum > whole) == (n > 0) {
		return Integer(sum), true
	}
	return Missing, false
}

// absentYears says which of the years asked have no rows so far from them.
func (p *Plan) absentYears(axis Column, asked []int64, offset int64) []string {
	if !axis.FiscalYear || p.cube.Coverage == nil {
		return nil
	}
	var absent []string
	for _, year := range asked {
		if !slices.Contains(p.cube.Coverage.Years, year+offset) {
			absent = append(absent, fmt.Sprintf("%d (no rows of %d)", year, year+offset))
		}
	}
	return absent
}

// periodColumn gives the place of the axis among the columns that name a period, or -1.
func (s *statements) periodColumn(axis Column) int {
	return slices.IndexFunc(s.columns[:len(s.columns)-1], func(c Column) bool { return c.Name == axis.Name })
}

// aligned gives, of the periods so far along the axis from the later ones, the statement that counts of each later
// one, and says where there is none.
func (s *statements) aligned(later []period, axis int, offset int64) (earlier []period, absent []string) {
	for _, p := range later {
		key := slices.Clone(p.key)
		var moves bool
		key[axis], moves = key[axis].shifted(offset)
		i := slices.IndexFunc(s.periods, func(q period) bool { return moves && slices.Equal(q.key, key) })
		counted := p.last()
		if i >= 0 && slices.ContainsFunc(s.periods[i].snapshots, func(o snapshot) bool { return o.value == counted.value }) {
			earlier = append(earlier, period{key: key, snapshots: []snapshot{counted}})
			continue
		}
		absent = append(absent, fmt.Sprintf("%s (no %s %s of %s)", periodText(p.key), s.by().Name,
			shownValue(counted.value), periodText(key)))
	}
	return earlier, absent
}

func periodText(key []Value) string { return strings.Join(texts(key, shownValue), "/") }

// warnCompared says what could not be compared.
func (p *Plan) warnCompared() []Warning {
	if !p.Compared() || len(p.finish.compare.absent) == 0 {
		return nil
	}
	c := p.finish.compare
	shown := c.absent[:min(len(c.absent), shownPeriods)]
	text := strings.Join(shown, ", ")
	if more := len(c.absent) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return warning(WarnNotCompared, "%s: nothing is there to compare with for %s", c.ref, text)
}
