package cube

import (
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
	at      []int           // the keys that the place of a cell is made of
	cut     []Value         // the places that are compared where the axis is only cut
	facing  map[string]bool // the places of which both sides have rows; nil where that is not known
	earlier *Plan           // nil where nothing is there to compare with
	rows    int             // among the parts: how many rows a cell is of, where it may be of none; else -1
	gaps    []Value         // the years that those stand beside which fill puts between the ones asked
	absent  []lack          // what has no counterpart
	uneven  []string        // the measures that one side has in years which the other has not
}

// roles gives every aggregate its three values of comparison along the axis, behind it.
func (b *binder) roles(q Query) (err error) {
	if q.Compare == nil {
		return nil
	}
	if b.along, err = b.axis(q.Compare.Ref); err != nil {
		return err
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
	axis, at := b.along, q.Compare.Ref.At
	err := b.checkAxis(axis, at)
	if err != nil {
		return err
	}
	c := &comparison{ref: axis.Name, key: b.plan.keyNamed(axis.Name), by: b.statementsKey(), offset: q.Compare.Offset, rows: -1}
	c.at = b.placedBy(c, axis)
	if b.yearly(axis) {
		c.gaps = b.besideGaps(c, f, axis)
		err = b.compareYears(c, axis, at)
	} else {
		err = b.comparePlaces(c, axis, at)
	}
	if c.earlier == nil {
		c.facing = nil
	}
	b.countRows(c)
	f.compare = c
	return err
}

// checkAxis refuses an axis that a question cannot be moved along.
func (b *binder) checkAxis(axis Column, at Position) error {
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
	return nil
}

// countRows has both sides count the rows of the one cell that is there though no row is.
func (b *binder) countRows(c *comparison) {
	if c.earlier == nil || len(b.plan.keys) > 0 {
		return
	}
	c.rows = len(b.plan.parts)
	b.plan.parts = append(b.plan.parts, Part{Func: Rows})
	c.earlier.parts = append(c.earlier.parts, Part{Func: Rows})
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
	if s := b.model.statements; len(years) > 1 && c.key < 0 && c.by >= 0 && s.at(axis) >= 0 {
		return Errorf(CodeBadValue, "the years have different statements of the same money").at(at).
			or("drill " + axis.Name + " too, or cut one year")
	}
	var moved []Value
	for _, year := range years {
		c.cut = append(c.cut, Integer(year))
		if there, ok := Integer(year).shifted(c.offset); ok && !b.lacksLevels(Integer(year), there) {
			moved = append(moved, there)
		}
	}
	moved = slices.SortedFunc(slices.Values(append(moved, c.gaps...)), Value.Compare)
	faced := b.faceYears(c, axis, years)
	if len(moved) > 0 {
		there := Filter{Ref: axis.Name, Any: [][]Test{{{Column: axis, In: moved}}}}
		b.earlier(c, axis, append(b.moved(axis, c.offset, true), there))
	}
	b.markUneven(c, faced)
	return nil
}

// comparePlaces compares places on an axis of which it is not known where rows are, unless it is one of those that
// name the periods of statements.
func (b *binder) comparePlaces(c *comparison, axis Column, at Position) error {
	s := b.model.statements
	stated := s != nil && c.by < 0 && s.at(axis) >= 0 && axis.Name != s.by().Name
	if place, one := b.plan.onlyPlace(axis); one {
		c.cut = []Value{place}
	} else if c.key < 0 && !stated {
		return Errorf(CodeBadValue, "%s is compared where it is drilled, or cut to one value", axis.Name).at(at).
			or("add it to the drilldown")
	}
	b.earlier(c, axis, b.moved(axis, c.offset, false))
	return nil
}

// onlyPlace gives the place on an axis that the cuts admit, where they admit one alone: by itself, or on a path.
func (p *Plan) onlyPlace(axis Column) (Value, bool) {
	if years := p.years(); axis.FiscalYear && len(years) == 1 {
		return Integer(years[0]), true
	}
	for _, f := range p.filtersBy(false) {
		if f.Not || len(f.Any) != 1 {
			continue
		}
		for _, t := range f.Any[0] {
			if t.Column.Name == axis.Name && len(t.In) == 1 && !t.In[0].IsMissing() {
				return t.In[0], true
			}
		}
	}
	return Missing, false
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

// axis gives the level of whole numbers that a ref names, or the only one of the dimension that it names.
func (b *binder) axis(ref Ref) (Column, error) {
	level, named, err := b.model.levelOf(ref)
	whole := []Level{level}
	if dimension, _ := b.model.Dimension(ref.Name); !named {
		whole = dimension.wholeLevels()
	}
	switch {
	case err != nil:
		return Column{}, err
	case len(whole) > 1:
		return Column{}, Errorf(CodeAmbiguousRef, "dimension %q has %d levels of whole numbers", ref.Name, len(whole)).
			at(ref.At).or("name one of them: " + strings.Join(refsOf(whole), ", "))
	case len(whole) == 0 || whole[0].Type != TypeInteger || named && ref.Name != level.Ref:
		return Column{}, Errorf(CodeBadValue, "%q is no axis of whole numbers", ref.Name).at(ref.At).or(b.wholeLevels())
	}
	column, _ := b.model.Column(whole[0].Ref)
	return column, nil
}

// wholeLevels lists the levels whose keys are whole numbers.
func (d Dimension) wholeLevels() []Level {
	return slices.DeleteFunc(slices.Clone(d.Levels), func(l Level) bool { return l.Type != TypeInteger })
}

// restricts tells whether the levels drill the field or a cut names it.
func (b *binder) restricts(field string, drilled []Level) bool {
	return slices.Contains(pathsOf(drilled), field) ||
		slices.ContainsFunc(b.plan.filtersBy(false), func(f Filter) bool { return f.names(field) })
}

// earlier plans the other question: the cuts moved along the axis and, so that equal statements are compared, each
// period at the statement that counts of the later one. Where the axis is not drilled nothing is compared unless every
// place has a counterpart; where statements are drilled that goes for years, and a statement without one stands alone.
func (b *binder) earlier(c *comparison, axis Column, filters []Filter) {
	p := &Plan{cube: b.cube, keys: b.plan.keys, levels: b.plan.levels, parts: slices.Clone(b.plan.parts), filters: filters,
		page: Page{Number: 1, Size: MaxPageSize + 1}, order: b.storeOrder()}
	for i := range p.parts {
		p.parts[i].Guarded = false
	}
	lacking := len(c.absent) > 0 // years without rows
	if b.model.statements != nil && !b.state(c, p, axis) {
		return
	}
	if c.by < 0 {
		lacking = len(c.absent) > 0 // and statements
	}
	if c.key >= 0 || !lacking {
		c.earlier = p
	}
}

// admits tells whether the cuts that were asked let a value of a column pass.
func (p *Plan) admits(column Column, value Value) bool {
	return !slices.ContainsFunc(p.filtersBy(false), func(f Filter) bool { return !f.mayAdmit(column, value) })
}

// mayAdmit tells whether a row that has a value in a column may pass, whatever its other cells.
func (f Filter) mayAdmit(column Column, value Value) bool {
	return f.verdict(func(field string) (Value, bool) { return value, field == column.Name }) != no
}
