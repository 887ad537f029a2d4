package load

import (
	"cmp"
	"context"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/internal/fold"
)

// Some rows hold the totals of other rows, and adding them up with the rest counts money twice. A row is such a total:
//
//  1. if it has no key at all, and its amounts are the sums of the other rows of the file or of its year;
//  2. if a key or label of it begins with a word such as Total, and its amounts are the sums of the rows that have its other
//     cells. If the word is not all of it, and there is one such row, the two might be equal by chance, unless the file has
//     other totals by this rule;
//  3. if keys are missing in it that other rows have, its amounts are the sums of the rows that have its other keys, and
//     so are those of every row in which the same keys are missing. One such row alone might be equal by chance.
//
// Rows 2 and 3 are known only when the whole file is read. The file is read again for their sums if it may have some, and a
// third time without them if it has.

// Bounds of what is remembered of a file.
const (
	mostKeyless = 1000     // rows without keys: a file of nothing but amounts has many
	mostNamed   = 10_000   // rows with a word for a total
	mostKept    = 16 << 20 // bytes of these rows
	mostKeySets = 64       // combinations of keys that the rows of a year have, or the rows with a word for a total
	longestCell = 300      // bytes of a cell of a row that is called a total
)

// keySet says which keys and labels a row has: fieldStats.bit of each, for the first 63 of them.
type keySet uint64

// ofNamed is the set of all rows with a word for a total. No field has its bit.
const ofNamed = keySet(1) << 63

// has tells whether all of the other keys are in the set.
func (k keySet) has(other keySet) bool { return k&other == other }

// totalWords are the words that name a total, without case and accents, in languages of published budgets.
const totalWords = `total|totals|totales|totais|totaal|gran total|grand total|sub ?total|sub ?totales|suma|summa|summe|somme|ukupno|` +
	`sveukupno|insgesamt|gesamt|gesamtsumme|razem|ogolem|celkem|spolu|skupaj|toplam|итого|всего|укупно`

var (
	namesTotal   = regexp.MustCompile(`^(?:` + totalWords + `)(?:$|[ :.(-])`)
	isTotalAlone = regexp.MustCompile(`^(?:` + totalWords + `)(?: (?:general|generales|geral|global|overall))?[ :.]*$`)
)

// nameOfTotal tells whether a cell begins with a word for a total, and whether it says nothing else.
func nameOfTotal(cell string) (begins, alone bool) {
	const longest = 80
	if cell == "" || len(cell) > longest || cell[0] < 0x80 && !strings.ContainsRune(" tTgGsSuUiIrRoOcC", rune(cell[0])) {
		return false, false
	}
	text := fold.Text(cube.Tidy(cell))
	begins = namesTotal.MatchString(text)
	return begins, begins && isTotalAlone.MatchString(text)
}

// namedTotal is a row with a word for a total.
type namedTotal struct {
	line  int64
	cells []string
	keys  [2]keySet // that it has without the word, and without the code or label beside the word
	alone bool      // the word is all that a cell says
}

// keysOf gives the set of the keys and labels that a row has, and those of them that name a total: the member's other field
// is beside them. The row is alone if a word for a total is all that a cell says.
func (r *resourceSurvey) keysOf(cells []string) (keys, named, beside keySet, alone bool) {
	for _, f := range r.fields {
		if f.bit == 0 || r.missing(cells[f.index]) {
			continue
		}
		keys |= f.bit
		if begins, only := nameOfTotal(cells[f.index]); begins {
			named |= f.bit
			beside |= f.sameMember
			alone = alone || only
		}
	}
	return keys, named, beside, alone
}

// setOf gives the set of keys that a row is added up with, and remembers the row if it names a total.
func (r *resourceSurvey) setOf(row record) keySet {
	keys, named, beside, alone := r.keysOf(row.cells)
	if named == 0 || r.totalsOff {
		return keys
	}
	if len(r.named) < mostNamed && r.hasRoomFor(row.cells) {
		r.named = append(r.named, namedTotal{row.line, slices.Clone(row.cells), [2]keySet{keys &^ named, keys &^ named &^ beside}, alone})
	}
	return ofNamed
}

// hasRoomFor tells whether a row may be remembered, and counts its bytes.
func (r *resourceSurvey) hasRoomFor(cells []string) bool {
	for _, cell := range cells {
		r.kept += len(cell)
	}
	return r.kept <= mostKept
}

// setKeyBits numbers the fields that are no amounts.
func (r *resourceSurvey) setKeyBits() {
	next := keySet(1)
	for _, f := range r.fields {
		if f.asNumber || next == ofNamed {
			continue
		}
		f.bit = next
		next <<= 1
		if f.index == r.year || r.draft.Level(f.name) != nil {
			r.levelKeys |= f.bit
		}
	}
	for _, f := range r.fields {
		if level := cmp.Or(r.draft.Level(f.name), r.draft.LevelOfLabel(f.name)); level != nil {
			for _, other := range r.fields {
				if other.name == level.Ref || other.name == level.LabelRef {
					f.sameMember |= other.bit
				}
			}
		}
	}
}

// findTotals gives the lines of the rows that name a total or have fewer keys than others, and whose amounts are those of
// other rows. It reads the file again if it has such rows.
func (r *resourceSurvey) findTotals(ctx context.Context) ([]int64, error) {
	sets := r.subtotalSets()
	if len(r.named) == 0 && len(sets) == 0 {
		return nil, nil
	}
	named, subtotals := r.groupsOfNamed(), map[keySet]map[string]*subtotal{}
	for _, set := range sets {
		subtotals[set] = map[string]*subtotal{}
	}
	_, err := r.eachRow(ctx, func(row record) {
		keys, word, _, _ := r.keysOf(row.cells)
		if word != 0 {
			return
		}
		ofTotal := slices.ContainsFunc(sets, func(set keySet) bool { return keys&r.levelKeys == set })
		for set, groups := range named {
			if g := groups[r.keyText(row.cells, set)]; g != nil && keys.has(set) && !ofTotal {
				g.add(r, row.cells)
			}
		}
		for set, groups := range subtotals {
			if own := keys & r.levelKeys; own == set || own.has(set) && !ofTotal {
				r.addToSubtotal(groups, row, own == set, set)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	lines := r.linesOfNamed(named)
	for _, groups := range subtotals {
		lines = append(lines, r.linesOf(groups)...)
	}
	slices.Sort(lines)
	return lines, nil
}

// linesOfNamed gives the lines of the rows with a word for a total that are totals, and notes the others as suspects.
func (r *resourceSurvey) linesOfNamed(groups map[keySet]map[string]*rowGroup) []int64 {
	var certain, uncertain []int64
	for _, row := range r.named {
		rows := int64(0) // that it is the total of
		for _, keys := range row.keys {
			if g := groups[keys][r.keyText(row.cells, keys)]; g != nil && g.rows > 0 && r.isTotal(row.cells, g.totals(r)) {
				rows = max(rows, g.rows)
			}
		}
		switch {
		case rows > 1 || rows > 0 && row.alone:
			certain = append(certain, row.line)
		case rows > 0:
			uncertain = append(uncertain, row.line)
		case row.alone:
			r.suspects = append(r.suspects, row)
		}
	}
	if len(certain) == 0 {
		return nil
	}
	return append(certain, uncertain...)
}

// subtotalSets gives the sets of keys whose rows add up to the same, in each year and for each amount, as the rows with more
// keys. A row of such a set may be a subtotal. A set with more keys comes first, since its rows are left out of the sums
// that the others are compared with.
func (r *resourceSurvey) subtotalSets() []keySet {
	if r.totalsOff {
		return nil
	}
	sums := map[keySet]map[string][]decimal.Decimal{} // by the keys of levels and by year
	for year, stats := range r.years {
		for keys := range stats.sums {
			if keys == ofNamed {
				continue
			}
			set := keys & r.levelKeys
			if sums[set] == nil {
				sums[set] = map[string][]decimal.Decimal{}
			}
			sums[set][year] = added(sums[set][year], r.totalsOf(stats.sums[keys]))
		}
	}
	if len(sums) < 2 || len(sums) >= mostKeySets {
		return nil
	}
	order := slices.SortedFunc(maps.Keys(sums), func(a, b keySet) int {
		return cmp.Or(cmp.Compare(bits.OnesCount64(uint64(b)), bits.OnesCount64(uint64(a))), cmp.Compare(a, b))
	})
	var found []keySet
	for _, set := range order {
		above := map[string][]decimal.Decimal{}
		for other, years := range sums {
			if other == set || !other.has(set) || slices.Contains(found, other) {
				continue
			}
			for year, totals := range years {
				above[year] = added(above[year], totals)
			}
		}
		same := set != 0 && len(above) > 0
		for year, totals := range sums[set] {
			same = same && slices.EqualFunc(totals, above[year], decimal.Decimal.Equal) &&
				slices.ContainsFunc(totals, func(d decimal.Decimal) bool { return !d.IsZero() })
		}
		if same {
			found = append(found, set)
		}
	}
	return found
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
	rows int64
	sums []exactSum // one for each of resourceSurvey.amounts
}

func (g *rowGroup) add(r *resourceSurvey, cells []string) {
	if g.sums == nil {
		g.sums = make([]exactSum, len(r.amounts))
	}
	g.rows++
	for i, f := range r.amounts {
		g.sums[i].add(cells[f.index], f.form)
	}
}

func (g *rowGroup) totals(r *resourceSurvey) []decimal.Decimal { return r.totalsOf(g.sums) }

// groupsOfNamed makes a group for the rows that each named total may be the sum of, by the keys that they share.
//
// A code beside the word is that of the total, or else that of the member whose rows it adds up.
func (r *resourceSurvey) groupsOfNamed() map[keySet]map[string]*rowGroup {
	all := map[keySet]map[string]*rowGroup{}
	for _, row := range r.named {
		for _, keys := range row.keys {
			if all[keys] == nil && len(all) < mostKeySets {
				all[keys] = map[string]*rowGroup{}
			}
			if all[keys] != nil {
				all[keys][r.keyText(row.cells, keys)] = &rowGroup{}
			}
		}
	}
	return all
}

// subtotal is the rows that have the same keys, and those with more keys that they may be the sum of.
type subtotal struct {
	own, rest rowGroup
	lines     []int64 // of own
}

func (r *resourceSurvey) addToSubtotal(groups map[string]*subtotal, row record, own bool, set keySet) {
	key := r.keyText(row.cells, set)
	g := groups[key]
	if g == nil {
		g = &subtotal{}
		groups[key] = g
	}
	if !own {
		g.rest.add(r, row.cells)
		return
	}
	g.own.add(r, row.cells)
	g.lines = append(g.lines, row.line)
}

// linesOf gives the lines of subtotals, if all of the rows are subtotals.
func (r *resourceSurvey) linesOf(groups map[string]*subtotal) []int64 {
	var lines []int64
	several := false // rows add up to a subtotal
	for _, g := range groups {
		if g.own.rows == 0 {
			continue
		}
		if g.rest.rows == 0 || !slices.EqualFunc(g.own.totals(r), g.rest.totals(r), decimal.Decimal.Equal) {
			return nil
		}
		several = several || g.rest.rows > 1
		lines = append(lines, g.lines...)
	}
	if !several || len(lines) < 2 {
		return nil
	}
	return lines
}

// keyText writes the cells of some keys of a row.
func (r *resourceSurvey) keyText(cells []string, keys keySet) string {
	r.buffer = r.buffer[:0]
	for _, f := range r.fields {
		if f.bit&keys != 0 {
			r.buffer = append(append(r.buffer, cube.Tidy(cells[f.index])...), 0)
		}
	}
	return string(r.buffer)
}

// suspected describes the rows that name a total but are loaded, since their amounts are not those of other rows.
func (r *resourceSurvey) suspected() []cube.NamedTotal {
	var list []cube.NamedTotal
	for _, row := range r.suspects {
		named := cube.NamedTotal{Resource: r.resource.Name, Line: row.line, Cells: map[string]string{}}
		for _, f := range r.fields {
			switch cell := row.cells[f.index]; {
			case f.asNumber || len(cell) > longestCell || isMarker(f.markers, cell): // a marker may be stored in another spelling
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
