package plan

import (
	"iter"
	"maps"
	"slices"

	"fiscube/cube"
	"fiscube/cube/history"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// CrossedBreaks finds the breaks in the names of members (cube.LabelBreak) that the rows of an answer cross:
//
//  1. A row is about the members of the levels in its keys, and about those that a cut names by key or path, unless another cut
//     or the keys of the row leave them out.
//  2. It adds up the fiscal year in its keys or, without one, the years that the cuts admit. If these are on both sides of a
//     break, the row sums across it, unless a cut admits members by their labels: these are of the same years as the rows.
//  3. It compares across a break that is between one of its years and the year that this is compared with.
//  4. The label of a drilled member is that of the latest year that the cuts admit. If the row is of a year before a break,
//     and that label is of a year after it, the row is named across it.
//
// So rows of a single year that is compared with no other cross none.
type CrossedBreaks struct {
	of      *Grouping
	rollup  bool
	history *cube.LabelHistory
	span    history.Span
	levels  []pathInKeys // the drilled levels that have breaks
	inCuts  []breakInCut
	cutKeys []int                        // the indexes in Plan.Keys of fields in the paths of their members
	ofCuts  map[string][]history.Crossed // by appendKind of cutKeys
	without map[string]bool              // the members that are known to have no rows
}

// breakInCut is a break of a member that a cut names.
type breakInCut struct {
	*cube.LabelBreak
	keys []int // as in pathInKeys
}

// mayBeIn tells whether a row with these keys may be about the member.
func (b breakInCut) mayBeIn(keys []cube.Value) bool {
	for i, at := range b.keys {
		if at >= 0 && at < len(keys) && keys[at].String() != b.Path[i] {
			return false
		}
	}
	return true
}

// pathInKeys has for each field of a level's path its index in Plan.Keys, or -1 for a field that a Flat drilldown leaves out.
type pathInKeys struct {
	level    cube.Level
	keys     []int
	byLabels bool // a cut admits its members by their labels
}

// LabelBreaks gives the breaks that rows may cross, or nil if there are none.
func (p *Plan) LabelBreaks() *CrossedBreaks {
	if !p.hasSeveralYears() {
		return nil
	}
	return p.labelBreaks(p.addingYears().Years(), p.rollup)
}

// LabelBreaks gives the breaks that groups may cross, or nil if there are none.
func (g *Grouping) LabelBreaks() *CrossedBreaks {
	if !g.hasSeveralYears() {
		return nil
	}
	return g.labelBreaks(g.Years(), false)
}

// AnyLabelBreaks gives the breaks of the members that rows may be about, also of rows of a single year, which cross none; nil if there
// are none.
func (g *Grouping) AnyLabelBreaks() *CrossedBreaks { return g.labelBreaks(g.Years(), false) }

// hasSeveralYears tells whether rows may add up, compare or name several years.
func (g *Grouping) hasSeveralYears() bool { return g.comparison != nil || len(g.Years()) > 1 }

func (g *Grouping) labelBreaks(years []int64, rollup bool) *CrossedBreaks {
	known := g.cube.LabelHistory
	if known == nil || len(known.Breaks) == 0 || g.cube.Coverage == nil {
		return nil
	}
	b := &CrossedBreaks{of: g, rollup: rollup, history: known, span: history.Span{Years: years, Covered: g.cube.Coverage.Years}, ofCuts: map[string][]history.Crossed{}}
	if c := g.comparison; c != nil && c.Axis.FiscalYear {
		b.span.Compared, b.span.Offset = true, c.Offset
	}
	for _, level := range g.levels {
		if len(known.OfLevel(level.Ref)) == 0 {
			continue
		}
		b.levels = append(b.levels, pathInKeys{level: level, keys: g.keysNamed(level.Path), byLabels: g.isCutByLabelsOf(level)})
	}
	filters := g.FiltersAsked()
	for _, f := range filters {
		if f.Not {
			continue
		}
		for _, m := range g.MembersNamed(f) {
			for _, found := range b.named(m) {
				level, _ := g.cube.Model.LevelOfKey(found.Level)
				if b.mayHave(filters, level, found) {
					b.inCuts = append(b.inCuts, breakInCut{found, g.keysNamed(level.Path)})
				}
			}
		}
	}
	for _, found := range b.inCuts {
		for _, at := range found.keys {
			if at >= 0 && !slices.Contains(b.cutKeys, at) {
				b.cutKeys = append(b.cutKeys, at)
			}
		}
	}
	if len(b.levels) == 0 && len(b.inCuts) == 0 {
		return nil
	}
	return b
}

// keysNamed gives the indexes in Keys of fields, or -1.
func (g *Grouping) keysNamed(fields []string) []int {
	indexes := make([]int, len(fields))
	for i, field := range fields {
		indexes[i] = g.keyNamed(field)
	}
	return indexes
}

// named gives the breaks of the members that a cut names by their keys or paths, and of those above them that the path names: these are
// the members of a row with the path in its keys, too.
func (b *CrossedBreaks) named(m NamedMember) (list []*cube.LabelBreak) {
	switch m.By {
	case ByOwnKey:
		return b.history.OfKey(m.Level.Ref, m.Path[0].String())
	case ByPath:
		keys := map[string]string{}
		for i, column := range m.Columns {
			keys[column.Name] = m.Path[i].String()
		}
		for _, level := range b.of.cube.Model.Levels() {
			key, isNamed := keys[level.Ref]
			if !isNamed || len(level.Path) > len(m.Level.Path) || !slices.Equal(level.Path, m.Level.Path[:len(level.Path)]) {
				continue
			}
			for _, found := range b.history.OfKey(level.Ref, key) {
				if history.HasKeys(found, level.Path, keys) {
					list = append(list, found)
				}
			}
		}
	}
	return list
}

// WithRows leaves out the breaks of members that cuts name and that have no rows, since other cuts leave those out; for OfAll, also
// those of drilled members. ask gives the groups of a statement.
func (b *CrossedBreaks) WithRows(forAll bool, ask func(*Statement) ([]Group, error)) (*CrossedBreaks, error) {
	if b == nil {
		return nil, nil
	}
	members := map[string][]*cube.LabelBreak{} // by level
	for _, found := range b.inCuts {
		members[found.Level] = append(members[found.Level], found.LabelBreak)
	}
	for _, path := range b.levels {
		if forAll {
			members[path.level.Ref] = append(members[path.level.Ref], b.history.OfLevel(path.level.Ref)...)
		}
	}
	sides := [][]Filter{b.of.AllFilters()}
	if c := b.of.comparison; c != nil && c.Earlier != nil {
		sides = append(sides, c.Earlier.filters)
	}
	with := *b
	with.ofCuts, with.without = map[string][]history.Crossed{}, map[string]bool{}
	for _, ref := range slices.Sorted(maps.Keys(members)) {
		level, _ := b.of.cube.Model.LevelOfKey(ref)
		if !slices.ContainsFunc(sides, func(filters []Filter) bool { return b.leaveOutOther(level, filters) }) {
			continue
		}
		for _, found := range members[ref] {
			with.without[history.ID(ref, found.Path)] = true
		}
		for _, filters := range sides {
			groups, err := ask(b.membersIn(level, members[ref], filters))
			if err != nil {
				return nil, err
			}
			for _, g := range groups {
				delete(with.without, history.ID(ref, each.Text(g.Keys, cube.Value.String)))
			}
		}
	}
	with.inCuts = slices.DeleteFunc(slices.Clone(b.inCuts), func(found breakInCut) bool { return with.without[history.ID(found.Level, found.Path)] })
	if len(with.inCuts) == 0 && len(with.levels) == 0 {
		return nil, nil
	}
	return &with, nil
}

// leaveOutOther tells whether filters test other fields than the fiscal year and those in the path of a level, so that they may leave
// out all rows of a member whose path they admit.
func (b *CrossedBreaks) leaveOutOther(level cube.Level, filters []Filter) bool {
	year, _ := b.of.cube.Model.FiscalYear()
	known := append((names{b.of.cube.Model}).columns(level.Path), year)
	return slices.ContainsFunc(filters, func(f Filter) bool { return !f.OnlyOf(known) })
}

// membersIn is the statement whose groups are the members of a level with the keys of some of them that pass the filters.
func (b *CrossedBreaks) membersIn(level cube.Level, members []*cube.LabelBreak, filters []Filter) *Statement {
	key, _ := b.of.cube.Model.Column(level.Ref)
	var keys []cube.Value
	for _, found := range members {
		if value, err := key.Value(found.Path[len(found.Path)-1]); err == nil {
			keys = append(keys, value)
		}
	}
	named := Filter{Ref: level.Ref}
	named.addExact(key, keys)
	statement := Counting(b.of.cube, (names{b.of.cube.Model}).columns(level.Path), append(slices.Clip(filters), named))
	statement.page = query.Every
	return statement
}

// OfRows gives the breaks that rows with these keys cross, and those that every row crosses (OfCuts), each once.
func (b *CrossedBreaks) OfRows(rows iter.Seq[[]cube.Value]) []history.Crossed {
	if b == nil {
		return nil
	}
	all, met := b.OfCuts(), map[string]bool{}
	isNew := func(level int64, at []int, keys []cube.Value) bool {
		var room [64]byte
		id := b.appendKind(cube.Integer(level).AppendID(room[:0]), at, keys)
		if met[string(id)] {
			return false
		}
		met[string(id)] = true
		return true
	}
	var before []cube.Value
	for keys := range rows {
		years := b.yearsOf(keys)
		for i, path := range b.levels {
			if before != nil && b.isOfKind(path.keys, keys, before) {
				continue
			}
			if found := b.ofMember(path, keys); len(found) > 0 && isNew(int64(i), path.keys, keys) {
				all = b.addOf(path, all, found, years)
			}
		}
		if len(b.inCuts) > 0 && isNew(-1, b.cutKeys, keys) {
			all = append(all, b.inCutsOf(keys)...)
		}
		before = keys
	}
	return history.Distinct(all)
}

// isOfKind tells whether two rows have the same of what appendKind appends.
func (b *CrossedBreaks) isOfKind(at []int, keys, others []cube.Value) bool {
	differs := func(at int) bool { return at >= 0 && at < len(keys) && keys[at] != others[at] }
	return len(keys) == len(others) && !differs(b.of.yearKey) && !slices.ContainsFunc(at, differs)
}

// appendKind appends all of a row that the breaks of members depend on whose paths are at the indexes: those keys, and the year if it is
// among the keys. Cuts may name thousands of members, and an answer may have thousands of rows of one kind.
func (b *CrossedBreaks) appendKind(id []byte, at []int, keys []cube.Value) []byte {
	for _, at := range at {
		if at >= 0 && at < len(keys) {
			id = keys[at].AppendID(id)
		}
	}
	id = cube.Integer(int64(len(keys))).AppendID(id)
	if at := b.of.yearKey; at >= 0 && at < len(keys) {
		id = keys[at].AppendID(id)
	}
	return id
}

// inCutsOf gives the breaks of members in cuts that a row with these keys crosses.
func (b *CrossedBreaks) inCutsOf(keys []cube.Value) []history.Crossed {
	kind := string(b.appendKind(nil, b.cutKeys, keys))
	list, known := b.ofCuts[kind]
	if known {
		return list
	}
	years := b.yearsOf(keys)
	for _, found := range b.inCuts {
		if b.isAbout(keys, found) {
			list = b.inCut(list, found, years)
		}
	}
	b.ofCuts[kind] = list
	return list
}

// isAbout tells whether a row with these keys is about the member of a cut, and not about one that its keys name alone.
func (b *CrossedBreaks) isAbout(keys []cube.Value, found breakInCut) bool {
	at := b.of.keyNamed(found.Level)
	return (at < 0 || at >= len(keys)) && found.mayBeIn(keys)
}

// drilledOf gives the breaks of drilled members that a row with these keys crosses.
func (b *CrossedBreaks) drilledOf(keys []cube.Value) []history.Crossed {
	years := b.yearsOf(keys)
	var list []history.Crossed
	for _, path := range b.levels {
		list = b.addOf(path, list, b.ofMember(path, keys), years)
	}
	return list
}

// OfCuts gives the breaks that every row crosses, since a cut names their members.
func (b *CrossedBreaks) OfCuts() []history.Crossed {
	if b == nil || b.of.yearKey >= 0 {
		return nil
	}
	var list []history.Crossed
	for _, found := range b.inCuts {
		list = b.inCut(list, found, b.span.Years)
	}
	return list
}

// OfAll gives the breaks that rows may cross, each once, as far as the plan alone shows it.
func (b *CrossedBreaks) OfAll() []history.Crossed {
	if b == nil {
		return nil
	}
	list, filters := b.OfCuts(), b.of.FiltersAsked()
	for _, path := range b.levels {
		for _, found := range b.history.OfLevel(path.level.Ref) {
			one := []*cube.LabelBreak{found}
			switch {
			case !b.mayHave(filters, path.level, found) || b.without[history.ID(found.Level, found.Path)]:
			case b.of.yearKey < 0:
				list = b.addOf(path, list, one, b.span.Years)
			default:
				for _, year := range b.span.Years {
					list = b.addOf(path, list, one, []int64{year})
				}
			}
		}
	}
	return history.Distinct(list)
}

// mayHave tells whether filters may admit rows of the member of a break.
func (b *CrossedBreaks) mayHave(filters []Filter, level cube.Level, found *cube.LabelBreak) bool {
	path := map[string]cube.Value{}
	for i, column := range (names{b.of.cube.Model}).columns(level.Path[:min(len(level.Path), len(found.Path))]) {
		if value, err := column.Value(found.Path[i]); err == nil {
			path[column.Name] = value
		}
	}
	return !slices.ContainsFunc(filters, func(f Filter) bool {
		return f.match(func(field string) (cube.Value, bool) {
			value, known := path[field]
			return value, known
		}) == fails
	})
}

// yearsOf gives the fiscal years that a row with these keys adds up.
func (b *CrossedBreaks) yearsOf(keys []cube.Value) []int64 {
	if at := b.of.yearKey; at >= 0 && at < len(keys) {
		if year, ok := keys[at].Int(); ok {
			return []int64{year}
		}
		return nil
	}
	return b.span.Years
}

// ofMember gives the breaks of the member of a level that the keys name; none if its key is not among them.
func (b *CrossedBreaks) ofMember(path pathInKeys, keys []cube.Value) []*cube.LabelBreak {
	var room [64]byte
	id, own, isWhole := append(room[:0], path.level.Ref...), 0, true
	for _, key := range path.keys {
		switch {
		case key >= len(keys):
			return nil
		case key < 0:
			isWhole = false
		default:
			id, own = keys[key].AppendTo(append(id, 0)), key
		}
	}
	if !isWhole {
		return b.history.OfKey(path.level.Ref, keys[own].String())
	}
	return b.history.OfMember(id)
}

// isCutByLabelsOf tells whether a cut admits members of a level by their labels.
func (s *selection) isCutByLabelsOf(level cube.Level) bool {
	return slices.ContainsFunc(s.FiltersAsked(), func(f Filter) bool {
		return !f.Not && slices.ContainsFunc(f.Any, func(tests []Test) bool {
			return slices.ContainsFunc(tests, func(t Test) bool {
				return t.Members != nil && t.Members.Level.Ref == level.Ref && len(t.Members.Labels) > 0
			})
		})
	})
}

// inCut adds a break of a member that a cut names if a row of these years crosses it.
func (b *CrossedBreaks) inCut(list []history.Crossed, found breakInCut, years []int64) []history.Crossed {
	if c, crosses := b.span.Crosses(found.LabelBreak, years, false); crosses {
		list = append(list, c)
	}
	return list
}

// addOf adds those breaks of a member of a drilled level that a row of these years crosses.
func (b *CrossedBreaks) addOf(path pathInKeys, list []history.Crossed, breaks []*cube.LabelBreak, years []int64) []history.Crossed {
	for _, found := range breaks {
		if c, crosses := b.span.Crosses(found, years, !b.of.flat); crosses {
			c.Sums = c.Sums && !path.byLabels
			list = append(list, c)
		}
	}
	return list
}

// Withholds tells whether a row with these keys compares across a break from which on a code means another thing.
func (b *CrossedBreaks) Withholds(keys []cube.Value) bool {
	withholds := func(c history.Crossed) bool { return c.Reused && c.Compares }
	return b != nil && (slices.ContainsFunc(b.inCutsOf(keys), withholds) || slices.ContainsFunc(b.drilledOf(keys), withholds))
}

// ReusedBetween gives the breaks between two years from which on the codes of the members that the cuts, or the keys of a row, name mean
// another thing. If there are any, the row is not of the same thing in both years, and these are not to be compared.
func (b *CrossedBreaks) ReusedBetween(year, other int64, keys []cube.Value) (list []cube.LabelBreak) {
	if b == nil {
		return nil
	}
	add := func(found *cube.LabelBreak) {
		if found.Reused && found.Divides(year, other) {
			list = append(list, *found)
		}
	}
	for _, found := range b.inCuts {
		if b.isAbout(keys, found) {
			add(found.LabelBreak)
		}
	}
	for _, path := range b.levels {
		for _, found := range b.ofMember(path, keys) {
			add(found)
		}
	}
	return list
}

// Renumbered gives the years in which a level of the drilldown or the cuts was numbered anew, if rows add up or compare years
// before and after.
func (b *CrossedBreaks) Renumbered() []cube.Renumbered {
	if b == nil || len(b.span.Years) == 0 {
		return nil
	}
	addsYears := b.of.yearKey < 0 || b.rollup && b.of.AddsYears(b.of.steps[0].Keys)
	var list []cube.Renumbered
	for _, r := range b.history.Renumbered {
		anew := &cube.LabelBreak{Last: r.Year - 1, First: r.Year}
		drilled := slices.ContainsFunc(b.levels, func(p pathInKeys) bool { return p.level.Ref == r.Level })
		inCuts := slices.ContainsFunc(b.inCuts, func(found breakInCut) bool { return found.Level == r.Level })
		sums := addsYears && anew.Divides(b.span.Years[0], b.span.Years[len(b.span.Years)-1])
		if (drilled || inCuts) && (sums || b.span.Compares(anew, b.span.Years)) {
			list = append(list, r)
		}
	}
	return list
}
