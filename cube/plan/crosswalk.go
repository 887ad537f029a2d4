package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/history"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// crossing compares members of different editions that are the same thing (cube.Level.SameAs):
//
//  1. A row is compared with the row of the same members of the other year. It is withheld if one of its members is not known to be
//     the same as any: the members below one that is are not.
//  2. Cuts that name members by whole paths are moved to the same members. Across editions, other cuts on levels with editions
//     compare nothing.
//  3. A sum over all members of a level is the same money under any code, so it is compared with all of the other year. If a cut
//     names members of which some are not known to be the same as any, sums of them are withheld.
//  4. If the year is not drilled, either each year asked is compared with one of its own edition, and so is each row, or all years
//     asked must be in one edition, and those that they are compared with in one too.
type crossing struct {
	keys    []cube.Column
	years   []int64 // that are asked, for rows without a year among their keys
	drilled []drilledPath
	bound   bool // some keys are of levels with editions
	cuts    []cutMembers
}

// drilledPath has the indexes in the keys of the path of a drilled level with editions.
type drilledPath struct {
	level cube.Level
	index int // among the levels
	walk  *history.Crosswalk
	keys  []int
}

// cutMembers are the members that cuts name.
type cutMembers struct {
	history.Named
	level   cube.Level
	filters []string // the cuts, as they are written
	drilled bool
	partial bool // of a year asked, some are not known to be the same as any
}

// SamePair is a member and the one of another edition that it is compared with.
type SamePair struct {
	Level       string
	Path, Other string
	Index       int // of the level among Plan.Levels; -1 if it is only cut
}

// bindCrossing finds out which levels may be compared across editions.
func (c *comparer) bindCrossing(years []int64) {
	x := &crossing{keys: c.keys}
	if len(years) == 0 || c.flat {
		return
	}
	x.years = years
	for _, level := range c.drilled {
		path := c.cube.Model.PathOf(level)
		if !slices.ContainsFunc(path, cube.Column.IsEdition) || path[len(path)-1].IsEdition() {
			continue
		}
		d := drilledPath{level: level, walk: history.NewCrosswalk(c.cube.Model, level)}
		d.index = slices.IndexFunc(c.levels, func(l cube.Level) bool { return l.Ref == level.Ref })
		d.keys = append(d.keys, each.Of(level.Path, c.keyNamed)...)
		x.drilled = append(x.drilled, d)
	}
	x.bound = slices.ContainsFunc(x.keys, cube.Column.IsEdition)
	c.crossing = x
}

// crosses tells whether rows of a year can be compared with those of another, in which a level has another edition.
func (c *comparer) crosses(edition cube.Column, year, there int64) bool {
	if c.crossing == nil || !c.cube.Model.HasCrosswalk(edition.Name) {
		return false
	}
	if c.Key < 0 && slices.ContainsFunc(c.Years(), func(other int64) bool {
		return !history.InOneEdition(edition, other, year) || !history.InOneEdition(edition, other+c.Offset, there)
	}) {
		return false
	}
	for _, f := range c.FiltersAsked() {
		if !c.goesByEdition(f, edition.Name) {
			continue
		}
		cut, ok := c.cutOf(f)
		if !ok || !cut.drilled && len(cut.SameIn(year, there)) < len(cut.Of(year)) || len(cut.SameIn(year, there)) == 0 {
			return false
		}
	}
	return true
}

// goesByEdition tells whether a filter tests the codes of a level with the editions of a field.
func (c *comparer) goesByEdition(f Filter, edition string) bool {
	return slices.ContainsFunc(fieldsOfFilter(f), func(field string) bool {
		level, ok := c.model.Level(field)
		return ok && slices.Contains(level.Path, edition)
	})
}

// fieldsOfFilter names the fields that a filter tests.
func fieldsOfFilter(f Filter) []string {
	var fields []string
	for _, tests := range f.Any {
		fields = append(fields, each.Text(tests, func(t Test) string { return t.Column.Name })...)
	}
	return fields
}

// cutOf gives the members that a filter names, together with those on other levels of their paths. It is false if they are not
// named by whole paths.
func (c *comparer) cutOf(f Filter) (cutMembers, bool) {
	for _, cut := range c.crossing.cuts {
		if slices.Contains(cut.filters, f.String()) {
			return cut, true
		}
	}
	for _, level := range c.cube.Model.Levels() {
		if len(level.SameAs) == 0 || !slices.Contains(fieldsOfFilter(f), level.Ref) {
			continue
		}
		cut := cutMembers{level: level, Named: history.NewCrosswalk(c.cube.Model, level).AnyMember(),
			drilled: !slices.ContainsFunc(level.Path, func(field string) bool { return c.keyNamed(field) < 0 })}
		for _, other := range c.FiltersAsked() {
			if other.Not || !other.OnlyOf(cut.Columns()) {
				continue
			}
			if cut.join(other) {
				cut.filters = append(cut.filters, other.String())
			}
		}
		if slices.Contains(cut.filters, f.String()) && cut.HaveKeys() {
			c.crossing.cuts = append(c.crossing.cuts, cut)
			return cut, true
		}
	}
	return cutMembers{}, false
}

// join leaves the members that a filter admits too. It is false if the filter does not list values, or too many.
func (m *cutMembers) join(f Filter) bool {
	alternatives := make([]map[string][]cube.Value, len(f.Any))
	for i, tests := range f.Any {
		alternatives[i] = map[string][]cube.Value{}
		for _, t := range tests {
			if t.Members != nil || t.isRange() {
				return false
			}
			admitted, tested := alternatives[i][t.Column.Name]
			if !tested {
				alternatives[i][t.Column.Name] = t.In
				continue
			}
			alternatives[i][t.Column.Name] = slices.DeleteFunc(slices.Clone(admitted), func(v cube.Value) bool { return !slices.Contains(t.In, v) })
		}
	}
	return m.Restrict(alternatives)
}

// moveCuts puts the same members of the other years into the place of the cuts that name members across editions.
func (c *comparer) moveCuts(there []cube.Value) []Filter {
	var moved []Filter
	if c.crossing == nil {
		return nil
	}
	for i, cut := range c.crossing.cuts {
		years, paths := map[string][]cube.Value{}, [][]string{}
		var noted [][2][]string
		for _, other := range there {
			year, _ := other.Int()
			same := cut.SameIn(year-c.Offset, year)
			if len(same) < len(cut.Of(year-c.Offset)) {
				c.crossing.cuts[i].partial = true
			}
			for _, pair := range same {
				id := strings.Join(pair[1], "\x00")
				if years[id] == nil {
					paths = append(paths, pair[1])
				}
				years[id] = append(years[id], other)
				if c.noteCut(cut, pair) {
					noted = append(noted, pair)
				}
			}
		}
		f := Filter{Ref: cut.level.Ref}
		for _, path := range paths {
			f.Any = append(f.Any, append([]Test{{Column: c.Axis, In: years[strings.Join(path, "\x00")]}}, testsOf(cut.Columns(), path)...))
		}
		moved = append(moved, f)
		c.nameCut(cut, noted, there)
	}
	return moved
}

// testsOf admits the member of a path.
func testsOf(columns []cube.Column, path []string) []Test {
	tests := make([]Test, len(columns))
	for i, column := range columns {
		value, _ := column.Value(path[i]) // it was read as such
		tests[i] = Test{Column: column, In: []cube.Value{value}}
	}
	return tests
}

// noteCut notes a member that is only cut, and what it is compared with. It is false if there is nothing to note.
func (c *comparer) noteCut(cut cutMembers, pair [2][]string) bool {
	same := samePair(cut.level, -1, cut.Columns(), pair[0], pair[1])
	if cut.drilled || slices.Equal(pair[0], pair[1]) || slices.Contains(c.CutSame, same) {
		return false
	}
	c.CutSame = append(c.CutSame, same)
	return true
}

// nameCut adds the statements for the labels of noted members: those of this side, and those of the years there.
func (c *comparer) nameCut(cut cutMembers, noted [][2][]string, there []cube.Value) {
	if len(noted) == 0 || !cut.level.HasLabels() {
		return
	}
	here := each.Found(there, func(year cube.Value) (cube.Value, bool) { return year.Shifted(-c.Offset) })
	for side, years := range [][]cube.Value{here, there} {
		named := Filter{Ref: cut.level.Ref}
		for _, pair := range noted {
			named.Any = append(named.Any, testsOf(cut.Columns(), pair[side]))
		}
		inYears := Filter{Ref: c.Axis.Name, Any: [][]Test{{{Column: c.Axis, In: years}}}}
		c.CutLabels = append(c.CutLabels, labelsIn(c.cube, cut.level, []Filter{inYears, named}, query.Every))
	}
}

func samePair(level cube.Level, index int, columns []cube.Column, path, other []string) SamePair {
	return SamePair{Level: level.Ref, Index: index, Path: PathText(columns, path), Other: PathText(columns, other)}
}

// PathText writes the path of a member that a crosswalk has.
func PathText(columns []cube.Column, path []string) string {
	values := make([]cube.Value, len(path))
	for i, text := range path {
		values[i], _ = columns[i].Value(text) // it was read as such
	}
	return query.PathText(columns, values)
}

// isMoved tells whether moveCuts makes the filter anew.
func (c *comparer) isMoved(f Filter) bool {
	return c.crossing != nil && slices.ContainsFunc(c.crossing.cuts, func(cut cutMembers) bool { return slices.Contains(cut.filters, f.String()) })
}

// There gives the first n keys of the row that a row of this side is compared with. It is false if there can be none.
func (c *Comparison) There(keys []cube.Value, n int) ([]cube.Value, bool) {
	return c.moved(keys, n, c.Offset, nil)
}

// Here gives the first n keys of the row that is compared with a row of the other side.
func (c *Comparison) Here(keys []cube.Value, n int) ([]cube.Value, bool) {
	return c.moved(keys, n, -c.Offset, nil)
}

// SameIn lists the members of a row that are compared with others.
func (c *Comparison) SameIn(keys []cube.Value) []SamePair {
	var pairs []SamePair
	c.moved(keys, len(keys), c.Offset, &pairs)
	return pairs
}

// moved moves the first n keys of a row along the axis, and its members to the same ones of the other year. It notes the pairs.
func (c *Comparison) moved(keys []cube.Value, n int, offset int64, pairs *[]SamePair) ([]cube.Value, bool) {
	other := slices.Clone(keys[:n])
	if c.Key >= 0 && c.Key < n {
		var ok bool
		if other[c.Key], ok = keys[c.Key].Shifted(offset); !ok {
			return nil, false
		}
	}
	x := c.crossing
	if x == nil {
		return other, true
	}
	year, ok := x.yearOf(c, keys, offset)
	if !ok {
		return other, true
	}
	there, same := year+offset, map[int]bool{}
	for _, d := range x.drilled {
		if slices.Max(d.keys) >= n {
			continue
		}
		path := make([]string, len(d.keys))
		for i, key := range d.keys {
			path[i] = keys[key].String()
		}
		found, ok := d.walk.In(path, year, there)
		if !ok {
			return nil, false
		}
		for i, key := range d.keys {
			value, _ := d.walk.Columns()[i].Value(found[i]) // it was read as such
			if same[key] && other[key] != value {
				return nil, false // two levels say different things of it
			}
			if key != c.Key {
				same[key], other[key] = true, value
			}
		}
		if pairs != nil && !slices.Equal(path, found) {
			*pairs = append(*pairs, samePair(d.level, d.index, d.walk.Columns(), path, found))
		}
	}
	for i, column := range x.keys[:n] {
		if column.IsEdition() && !same[i] && !history.InOneEdition(column, year, there) {
			return nil, false
		}
	}
	return other, n < len(keys) || c.admits(keys, other, offset)
}

// YearOf gives the year of a row of this side.
func (c *Comparison) YearOf(keys []cube.Value) cube.Value {
	if c.Key >= 0 && c.Key < len(keys) {
		return keys[c.Key]
	}
	if c.crossing == nil {
		return cube.Missing
	}
	year, _ := c.crossing.yearOf(c, keys, c.Offset)
	return cube.Integer(year)
}

// yearOf gives the year of a row on the side that is left: if it is not drilled, one of those with the row's editions, which are all
// alike. It is false of a subtotal over years.
func (x *crossing) yearOf(c *Comparison, keys []cube.Value, offset int64) (int64, bool) {
	switch {
	case c.Key >= len(keys):
		return 0, false
	case c.Key >= 0:
		return keys[c.Key].Int()
	}
	shift := int64(0)
	if offset != c.Offset { // it leaves the other side
		shift = c.Offset
	}
	i := slices.IndexFunc(x.years, func(year int64) bool { return x.hasEditionsOf(keys, year+shift) })
	return x.years[max(i, 0)] + shift, true
}

// hasEditionsOf tells whether the editions among the keys of a row are those of a year.
func (x *crossing) hasEditionsOf(keys []cube.Value, year int64) bool {
	for i, key := range keys {
		if !x.keys[i].IsEdition() {
			continue
		}
		if key != history.EditionOf(x.keys[i], year) {
			return false
		}
	}
	return true
}

// admits tells whether the cuts of the other side admit the members that a row is moved to: those may be below others. A subtotal
// has the first keys alone.
func (c *Comparison) admits(keys, other []cube.Value, offset int64) bool {
	filters := c.filtersHere
	if offset == c.Offset && c.Earlier != nil {
		filters = c.Earlier.filters
	}
	x := c.crossing
	index := func(field string) int {
		return slices.IndexFunc(x.keys[:len(keys)], func(column cube.Column) bool { return column.Name == field })
	}
	changed := func(field string) bool {
		i := index(field)
		return i >= 0 && i != c.Key && keys[i] != other[i]
	}
	return !slices.ContainsFunc(filters, func(f Filter) bool {
		if !slices.ContainsFunc(fieldsOfFilter(f), changed) {
			return false
		}
		return f.match(func(field string) (cube.Value, bool) {
			if field == c.Axis.Name {
				year, ok := x.yearOf(c, keys, offset)
				return cube.Integer(year + offset), ok
			}
			i := index(field)
			if i < 0 {
				return cube.Missing, false
			}
			return other[i], true
		}) != passes
	})
}

// LeavesOut tells whether a sum of rows with so many equal keys is of members that a cut names, of which some are not known to be
// the same as any.
func (c *Comparison) LeavesOut(n int) bool {
	return c.crossing != nil && slices.ContainsFunc(c.crossing.cuts, func(cut cutMembers) bool {
		return cut.partial && slices.ContainsFunc(cut.level.Path, func(field string) bool {
			return !slices.ContainsFunc(c.crossing.keys[:n], func(column cube.Column) bool { return column.Name == field })
		})
	})
}

// Crosses tells whether rows have members of levels with editions.
func (c *Comparison) Crosses() bool { return c.crossing != nil && c.crossing.bound }
