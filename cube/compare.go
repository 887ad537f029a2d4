package cube

import (
	"fmt"
	"slices"
	"strings"
)

// comparison is another question, the same but for its place on an axis, that stands beside a question. A place
// without a counterpart is compared with nothing, and so is every sum that it is a part of: eight years beside seven
// would show a change that nobody made.
type comparison struct {
	ref     string
	key     int // the axis among the keys; -1 where it is only cut
	by      int // among the keys: what tells statements of the same money apart, or -1
	offset  int64
	several bool     // the question is about several places, which a row without the axis adds up
	earlier *Plan    // nil where nothing is there to compare with
	absent  []string // what has no counterpart, for people
}

// spans tells whether a row of so many keys adds several places up.
func (c *comparison) spans(keys int) bool { return c.several && (c.key < 0 || keys <= c.key) }

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
	at := q.Compare.Ref.At
	if !b.restricts(axis.Name, b.drilled) {
		return Errorf(CodeBadValue, "%s is neither drilled nor cut, so there is nothing to move along it", axis.Name).
			at(at).or("add it to the drilldown, or cut it")
	}
	if b.cutByLabels(axis.Name) {
		return Errorf(CodeBadValue, "%s is cut by labels, which do not move along it", axis.Name).at(at).or("cut its keys")
	}
	if b.plan.all {
		return Errorf(CodeBadValue, "periods have different numbers of statements of the same money").at(at).
			or("ask without snapshots=all")
	}
	f.compare = &comparison{ref: axis.Name, key: b.plan.keyNamed(axis.Name), by: b.statementsKey(), offset: q.Compare.Offset}
	if b.yearly(axis) {
		return b.compareYears(f.compare, axis, at)
	}
	return b.comparePlaces(f.compare, axis, at)
}

// statementsKey gives the place among the keys of what tells statements of the same money apart, or -1.
func (b *binder) statementsKey() int {
	if b.model.statements == nil {
		return -1
	}
	return b.plan.keyNamed(b.model.statements.by().Name)
}

// yearly tells whether the axis is the fiscal year, of which it is known where rows are.
func (b *binder) yearly(axis Column) bool { return axis.FiscalYear && b.cube.Coverage != nil }

// compareYears compares the years that the question is about, and no others: an open or an inverted cut, moved, would
// admit years that its own side has not.
func (b *binder) compareYears(c *comparison, axis Column, at Position) error {
	years := b.plan.years()
	c.several = len(years) > 1
	if s := b.model.statements; c.several && c.key < 0 && c.by >= 0 && s.periodColumn(axis) >= 0 {
		return Errorf(CodeBadValue, "the years have different statements of the same money").at(at).
			or("drill " + axis.Name + " too, or cut one year")
	}
	var moved []Value
	for _, year := range years {
		if there, ok := Integer(year).shifted(c.offset); ok {
			moved = append(moved, there)
		}
	}
	c.absent = b.absentYears(axis, years, c.offset)
	if len(moved) > 0 {
		there := Filter{Ref: axis.Name, Any: [][]Test{{{Column: axis, In: moved}}}}
		b.earlier(c, axis, append(b.moved(axis, c.offset, true), there))
	}
	b.markUneven(years, c.offset)
	return nil
}

// comparePlaces compares places on an axis of which it is not known where rows are, unless it is one of those that
// name the periods of statements.
func (b *binder) comparePlaces(c *comparison, axis Column, at Position) error {
	s := b.model.statements
	stated := s != nil && c.by < 0 && s.periodColumn(axis) >= 0
	if c.key < 0 && !stated && !b.cutToOne(axis.Name) {
		return Errorf(CodeBadValue, "%s is compared where it is drilled, or cut to one value", axis.Name).at(at).
			or("add it to the drilldown")
	}
	c.several = c.key >= 0
	b.earlier(c, axis, b.moved(axis, c.offset, false))
	return nil
}

// cutToOne tells whether a cut admits one value of the field.
func (b *binder) cutToOne(field string) bool {
	return slices.ContainsFunc(b.plan.filtersBy(false), func(f Filter) bool {
		return !f.Not && len(f.Any) == 1 && slices.ContainsFunc(f.Any[0], func(t Test) bool {
			return t.Column.Name == field && len(t.In) == 1 && !t.In[0].IsMissing()
		})
	})
}

// moved gives the cuts further along the axis, without those that ask for nothing else where the axis is cut anew.
func (b *binder) moved(axis Column, offset int64, anew bool) []Filter {
	var filters []Filter
	for _, f := range b.plan.filtersBy(false) {
		if !anew || !f.settledBy([]Column{axis}) {
			filters = append(filters, f.moved(axis, offset))
		}
	}
	return filters
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
func (b *binder) earlier(c *comparison, axis Column, filters []Filter) {
	p := &Plan{cube: b.cube, keys: b.plan.keys, levels: b.plan.levels, parts: slices.Clone(b.plan.parts), filters: filters,
		page: Page{Number: 1, Size: MaxPageSize + 1}, order: b.storeOrder()}
	for i := range p.parts {
		p.parts[i].Guarded = false
	}
	if s := b.model.statements; s != nil && c.by < 0 {
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
	if c.key >= 0 || len(c.absent) == 0 {
		c.earlier = p
	}
}

// absentYears says which of the years asked have no rows so far from them. Rows without a year stand nowhere.
func (b *binder) absentYears(axis Column, asked []int64, offset int64) []string {
	var absent []string
	for _, year := range asked {
		if !slices.Contains(b.cube.Coverage.Years, year+offset) {
			absent = append(absent, fmt.Sprintf("%d (no rows of %d)", year, year+offset))
		}
	}
	if axis.Missing > 0 && b.plan.admits(axis, Missing) {
		absent = append(absent, "rows without "+axis.Name)
	}
	return absent
}

// admits tells whether the cuts that were asked let a value of a column pass.
func (p *Plan) admits(column Column, value Value) bool {
	return !slices.ContainsFunc(p.filtersBy(false), func(f Filter) bool {
		return f.verdict(func(field string) (Value, bool) { return value, field == column.Name }) == no
	})
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
	if !p.Compared() {
		return nil
	}
	c := p.finish.compare
	var list []Warning
	if len(c.absent) > 0 {
		text := strings.Join(c.absent[:min(len(c.absent), shownPeriods)], ", ")
		if more := len(c.absent) - shownPeriods; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		list = warning(WarnNotCompared, "%s: nothing is there to compare with for %s", c.ref, text)
	}
	return append(list, p.warnUneven()...)
}
