package load

import (
	"cmp"
	"context"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/internal/tidy"
	"fiscube/store/evidence"
	"fiscube/store/load/files"
	"fiscube/store/load/numeric"
)

// Some rows hold the totals of other rows, and adding them up with the rest counts money twice. A row is such a total:
//
//  1. if it has no key at all, and its amounts are the sums of the other rows of the file or of its year;
//  2. if a key or label of it names a total, and its amounts are the sums of several rows that have its other cells. One row
//     with the same amount is enough if the total has no other key than the year, or if the file has such totals of several;
//  3. if cells are missing in it that other rows have, its amounts are the sums of the rows that have its other cells, and
//     so are those of every row of its year in which the same cells are missing.
//
// Rows 2 and 3 are known only when the whole file is read. Its rows are read again for their sums if it may have some, and a
// third time without them if it has. Answers say which of them they leave out. A row that is named a total, or that is
// equal to the sum of others (subtotals), but is none by these rules, is counted, and answers say so.

// Bounds of what is remembered of a file.
const (
	mostKeyless = 1000     // rows without keys: a file of nothing but amounts has many
	mostNamed   = 50_000   // rows with a word for a total
	mostKept    = 16 << 20 // bytes of these rows
	longestCell = 300      // bytes of a cell of a row that is called a total
)

// keysOf gives the set of the keys and labels that the row has that was met last, and those of them that name a total: the member's other field
// is beside them. The row is alone if a word for a total is all that a cell says.
func (r *resourceSurvey) keysOf() (keys, named, beside keySet, alone bool) {
	for i, f := range r.fields {
		if r.met[i].missing {
			continue
		}
		keys |= f.bit
		if name := r.met[i].name; name.names {
			named |= f.bit
			beside |= f.sameMember
			alone = alone || name.alone
		}
	}
	return keys, named, beside, alone
}

// setOf gives the set of keys that the row is added up with that was met last, and remembers the row if it names a total.
func (r *resourceSurvey) setOf(row files.Record) keySet {
	keys, named, beside, alone := r.keysOf()
	if named == 0 || r.totalsOff {
		return keys
	}
	if len(r.named) < mostNamed && r.hasRoomFor(row.Cells) {
		total := namedTotal{line: row.Line, cells: slices.Clone(row.Cells), keys: [2]keySet{keys &^ named, keys &^ named &^ beside}, alone: alone}
		total.member, total.memberKeys = r.memberNamed(total.cells), keys
		r.named = append(r.named, total)
	} else if r.unchecked == 0 {
		r.unchecked = row.Line
	}
	return ofNamed
}

// memberNamed gives the cells of a row with the member in place of its total: Police for Police Total; nil where none is named.
func (r *resourceSurvey) memberNamed(cells []string) []string {
	var named []string
	for i, f := range r.fields {
		if name := r.met[i].name; !name.names || name.alone {
			continue
		}
		member := withoutTotal(cells[f.index])
		if member == "" {
			return nil
		}
		if named == nil {
			named = slices.Clone(cells)
		}
		named[f.index] = member
	}
	return named
}

// hasRoomFor tells whether a row may be remembered, and counts its bytes.
func (r *resourceSurvey) hasRoomFor(cells []string) bool {
	for _, cell := range cells {
		r.kept += len(cell)
	}
	return r.kept <= mostKept
}

// isOfLevel tells whether a field is a key or a label, or may become one: what stands beside them, such as a percentage, tells no rows apart.
func (r *resourceSurvey) isOfLevel(field string) bool {
	if r.draft.Level(field) != nil || r.draft.LevelOfLabel(field) != nil || r.pkg.Guessed || r.draft.Column(field).FiscalYear {
		return true
	}
	return !slices.ContainsFunc(r.draft.Dimensions, func(d cube.Dimension) bool { return len(d.Levels) > 0 })
}

// setKeyBits numbers the fields that are no amounts, in every file of a package alike.
func (r *resourceSurvey) setKeyBits() {
	next, columns := keySet(1), map[int]keySet{}
	for n, c := range r.draft.Columns {
		if !isAmount(c, r.draft) && r.isOfLevel(c.Name) && next != ofNamed {
			columns[n] = next
			next <<= 1
		}
	}
	for _, f := range r.fields {
		f.bit = columns[f.column]
		if f.index == r.year {
			r.yearKey = f.bit
		}
	}
	for _, f := range r.fields {
		level := cmp.Or(r.draft.Level(f.name), r.draft.LevelOfLabel(f.name))
		if level == nil {
			continue
		}
		for _, other := range r.fields {
			if other.name == level.Ref || other.name == level.LabelRef {
				f.sameMember |= other.bit
			}
			if other.name == level.Ref && other != f {
				f.code = other.bit
			}
		}
	}
}

// findTotals gives the rows that name a total or have fewer cells than others, and whose amounts are those of other rows. It
// reads the file again if it may have such rows.
func (r *resourceSurvey) findTotals(ctx context.Context) ([]namedTotal, error) {
	sets := r.subtotalSets()
	if len(r.named) == 0 && len(sets) == 0 {
		return nil, nil
	}
	named, subtotals := r.groupsOfNamed(), map[keySet]map[string]*subtotal{}
	err := r.eachRow(ctx, func(row files.Record) {
		if r.isSkipped(row.Line) {
			return
		}
		r.meet(row)
		keys, word, _, _ := r.keysOf()
		if word != 0 {
			return
		}
		of := keysOfYear{strings.TrimSpace(r.yearCell(row.Cells)), keys}
		ofYear := sets[of.year]
		mayBeTotal := slices.Contains(ofYear, keys)
		for set, groups := range named {
			if g := groups[r.keyText(row.Cells, set)]; g != nil && keys.has(set) {
				g.addTo(r, row.Cells, of, mayBeTotal)
			}
		}
		for _, set := range ofYear {
			if keys.has(set) {
				if subtotals[set] == nil {
					subtotals[set] = map[string]*subtotal{}
				}
				r.addToSubtotal(subtotals[set], row, set, of, mayBeTotal)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var totals []namedTotal
	areTotals := map[keysOfYear]bool{}
	for _, set := range slices.SortedFunc(maps.Keys(subtotals), byKeys) { // those with more keys are known to be totals first
		for _, g := range subtotals[set] {
			g.rest.settle(r, areTotals)
		}
		for _, row := range r.subtotalsOf(subtotals[set]) {
			areTotals[keysOfYear{strings.TrimSpace(r.yearCell(row.cells)), set}] = true
			totals = append(totals, row)
		}
	}
	for _, groups := range named {
		for _, g := range groups {
			g.settle(r, areTotals)
		}
	}
	totals = append(totals, r.totalsOfNamed(named)...)
	slices.SortFunc(totals, func(a, b namedTotal) int { return cmp.Compare(a.line, b.line) })
	return totals, nil
}

func (r *resourceSurvey) yearCell(cells []string) string {
	if r.year < 0 {
		return ""
	}
	return cells[r.year]
}

// totalsOfNamed gives the rows with a word for a total that are totals, and notes the others as suspects.
func (r *resourceSurvey) totalsOfNamed(groups map[keySet]map[string]*rowGroup) []namedTotal {
	var certain, uncertain []namedTotal
	for _, row := range r.named {
		rows := int64(0) // that it is the total of
		for keys, cells := range row.groups {
			if g := groups[keys][r.keyText(cells, keys)]; g != nil && g.rows > 0 && r.isTotal(row.cells, g.totals(r)) && !g.isZero(r) {
				rows = max(rows, g.rows)
			}
		}
		ofYear := row.alone && row.keys[0]&^r.yearKey == 0
		switch {
		case rows > 1 || rows > 0 && ofYear:
			certain = append(certain, row)
		case rows > 0:
			uncertain = append(uncertain, row)
		case row.alone:
			r.suspects = append(r.suspects, row)
		}
	}
	if len(certain) == 0 {
		r.suspects = append(r.suspects, uncertain...)
		return nil
	}
	return append(certain, uncertain...)
}

// subtotalSets gives, by year, the sets of cells whose rows may be subtotals of the rows with more cells, since they add up
// to an amount of that size: not always to the same, as a few may differ or stand for no other rows.
func (r *resourceSurvey) subtotalSets() map[string][]keySet {
	found := map[string][]keySet{}
	if r.totalsOff {
		return found
	}
	for year, stats := range r.years {
		if len(stats.sums) < 2 || len(stats.sums) >= mostKeySets {
			continue
		}
		sums := map[keySet][]decimal.Decimal{}
		for keys := range stats.sums {
			if keys != ofNamed {
				sums[keys] = r.totalsOf(stats.sums[keys])
			}
		}
		for _, set := range slices.SortedFunc(maps.Keys(sums), byKeys) {
			above := make([]decimal.Decimal, len(r.amounts))
			for other, totals := range sums {
				if other != set && other.has(set) && !slices.Contains(found[year], other) {
					above = added(above, totals)
				}
			}
			if set != 0 && isOfSize(sums[set], above) {
				found[year] = append(found[year], set)
			}
		}
		if len(found[year]) == 0 {
			delete(found, year)
		}
	}
	return found
}

// byKeys sorts sets of more keys before those of fewer.
func byKeys(a, b keySet) int {
	return cmp.Or(cmp.Compare(bits.OnesCount64(uint64(b)), bits.OnesCount64(uint64(a))), cmp.Compare(a, b))
}

// isOfSize tells whether some sum is between half of another and half as much again.
func isOfSize(sums, others []decimal.Decimal) bool {
	two, three := decimal.NewFromInt(2), decimal.NewFromInt(3)
	for i, sum := range sums {
		double, other := sum.Abs().Mul(two), others[i].Abs()
		if !other.IsZero() && double.GreaterThanOrEqual(other) && double.LessThanOrEqual(other.Mul(three)) {
			return true
		}
	}
	return false
}

func added(a, b []decimal.Decimal) []decimal.Decimal {
	sums := slices.Clone(b)
	for i := range a {
		sums[i] = a[i].Add(b[i])
	}
	return sums
}

// rowGroup adds up rows.
type rowGroup struct {
	rows    int64
	sums    []numeric.Sum // one for each of resourceSurvey.amounts
	maybe   map[keysOfYear]*rowGroup
	settled []decimal.Decimal // the sums of those of maybe that are no totals
}

// keysOfYear are the keys of rows of a year that may be totals.
type keysOfYear struct {
	year string
	keys keySet
}

// addTo adds a row, apart if it may be a total.
func (g *rowGroup) addTo(r *resourceSurvey, cells []string, of keysOfYear, mayBeTotal bool) {
	if !mayBeTotal {
		g.add(r, cells)
		return
	}
	if g.maybe == nil {
		g.maybe = map[keysOfYear]*rowGroup{}
	}
	if g.maybe[of] == nil {
		of.year = strings.Clone(of.year)
		g.maybe[of] = &rowGroup{}
	}
	g.maybe[of].add(r, cells)
}

// settle adds the rows that are no totals after all.
func (g *rowGroup) settle(r *resourceSurvey, areTotals map[keysOfYear]bool) {
	for of, rows := range g.maybe {
		if !areTotals[of] {
			g.rows += rows.rows
			g.settled = added(g.settled, rows.totals(r))
		}
	}
	g.maybe = nil
}

func (g *rowGroup) add(r *resourceSurvey, cells []string) {
	if g.sums == nil {
		g.sums = make([]numeric.Sum, len(r.amounts))
	}
	g.rows++
	for i, f := range r.amounts {
		g.sums[i].Add(cells[f.index], f.form)
	}
}

// isZero tells whether all amounts add up to nothing, which says nothing of a total.
func (g *rowGroup) isZero(r *resourceSurvey) bool {
	return !slices.ContainsFunc(g.totals(r), func(d decimal.Decimal) bool { return !d.IsZero() })
}

func (g *rowGroup) totals(r *resourceSurvey) []decimal.Decimal {
	if g.sums == nil {
		return g.settled
	}
	return added(g.settled, r.totalsOf(g.sums))
}

// groupsOfNamed makes a group for the rows that each named total may be the sum of, by the keys that they share.
//
// A code beside the word is that of the total, or else that of the member whose rows it adds up.
func (r *resourceSurvey) groupsOfNamed() map[keySet]map[string]*rowGroup {
	all := map[keySet]map[string]*rowGroup{}
	for _, row := range r.named {
		for keys, cells := range row.groups {
			if all[keys] == nil && len(all) < mostKeySets {
				all[keys] = map[string]*rowGroup{}
			}
			if all[keys] != nil {
				all[keys][r.keyText(cells, keys)] = &rowGroup{}
			}
		}
	}
	return all
}

// subtotal is the rows that have the same cells and no others, and the rows with more cells that they may be the sum of.
type subtotal struct {
	own, rest rowGroup
	rows      []namedTotal // of own
}

func (r *resourceSurvey) addToSubtotal(groups map[string]*subtotal, row files.Record, set keySet, of keysOfYear, mayBeTotal bool) {
	key := r.keyText(row.Cells, set)
	g := groups[key]
	if g == nil {
		g = &subtotal{}
		groups[key] = g
	}
	if of.keys != set {
		g.rest.addTo(r, row.Cells, of, mayBeTotal)
		return
	}
	g.own.add(r, row.Cells)
	if r.hasRoomFor(row.Cells) {
		g.rows = append(g.rows, namedTotal{line: row.Line, cells: slices.Clone(row.Cells)})
	} else if r.unchecked == 0 {
		r.unchecked = row.Line
	}
}

// subtotalsOf gives the rows that are subtotals, if all of the rows are.
func (r *resourceSurvey) subtotalsOf(groups map[string]*subtotal) []namedTotal {
	byYear := map[string][]*subtotal{}
	for _, g := range groups {
		if len(g.rows) > 0 {
			year := strings.TrimSpace(r.yearCell(g.rows[0].cells))
			byYear[year] = append(byYear[year], g)
		}
	}
	var totals []namedTotal
	for _, year := range slices.Sorted(maps.Keys(byYear)) {
		var equal []namedTotal
		equalGroups, all, ofSeveral := 0, len(byYear[year]), false
		for _, g := range byYear[year] {
			if g.rest.rows > 0 && !g.rest.isZero(r) && slices.EqualFunc(g.own.totals(r), g.rest.totals(r), decimal.Decimal.Equal) {
				equalGroups++
				equal = append(equal, g.rows...)
				ofSeveral = ofSeveral || g.rest.rows > 1
			}
		}
		if equalGroups == all && all > 1 && ofSeveral && r.unchecked == 0 { // every row is known
			totals = append(totals, equal...)
		}
	}
	return totals
}

// keyText writes the cells of some keys of a row.
func (r *resourceSurvey) keyText(cells []string, keys keySet) string {
	r.buffer = r.appendKeys(r.buffer[:0], cells, keys)
	return string(r.buffer)
}

func (r *resourceSurvey) appendKeys(text []byte, cells []string, keys keySet) []byte {
	for _, f := range r.fields {
		if f.bit&keys != 0 {
			text = append(append(text, tidy.Label(cells[f.index])...), 0)
		}
	}
	return text
}

// suspected describes the rows that look like totals but are loaded. Rows that were too many to be checked are described by
// the first of them, without cells.
func (r *resourceSurvey) suspected() []cube.NamedTotal {
	list := r.described(r.suspects)
	if r.unchecked > 0 {
		list = append(list, cube.NamedTotal{Resource: r.resource.Name, Line: r.unchecked})
	}
	return list
}

// described gives the keys and labels of rows, in order.
func (r *resourceSurvey) described(rows []namedTotal) []cube.NamedTotal {
	slices.SortFunc(rows, func(a, b namedTotal) int { return cmp.Compare(a.line, b.line) })
	var list []cube.NamedTotal
	for _, row := range rows {
		named := cube.NamedTotal{Resource: r.resource.Name, Line: row.line, Cells: map[string]string{}}
		for _, f := range r.fields {
			switch cell := row.cells[f.index]; {
			case f.asNumber || len(cell) > longestCell || evidence.IsMarker(f.markers, cell): // a marker may be stored in another spelling
			case r.missing(cell):
				named.Cells[f.name] = ""
			default:
				named.Cells[f.name] = cell
			}
		}
		list = append(list, named)
	}
	return list
}

func (r *resourceSurvey) isTotal(cells []string, sums []decimal.Decimal) bool {
	if sums == nil {
		return false
	}
	amounts := 0
	for i, f := range r.amounts {
		digits, _, _, ok := f.form.Read(cells[f.index])
		if !ok {
			continue
		}
		amount, err := decimal.NewFromString(digits)
		if err != nil || !amount.Equal(sums[i]) {
			return false
		}
		amounts++
	}
	return amounts > 0
}

func (r *resourceSurvey) yearSums(year string) []decimal.Decimal {
	stats, ok := r.years[year]
	if !ok {
		return nil
	}
	sums := make([]decimal.Decimal, len(r.amounts))
	for i, f := range r.amounts {
		sums[i], _ = stats.total(i, f.noiseRule())
	}
	return sums
}

// totalsOf gives the totals of sums, one for each of amounts.
func (r *resourceSurvey) totalsOf(sums []numeric.Sum) []decimal.Decimal {
	totals := make([]decimal.Decimal, len(sums))
	for i := range sums {
		totals[i] = sums[i].Total(r.amounts[i].noiseRule())
	}
	return totals
}

func (r *resourceSurvey) allYears() []decimal.Decimal {
	var sums []decimal.Decimal
	for year := range r.years {
		of := r.yearSums(year)
		if sums == nil {
			sums = make([]decimal.Decimal, len(of))
		}
		for i := range of {
			sums[i] = sums[i].Add(of[i])
		}
	}
	return sums
}
