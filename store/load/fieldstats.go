package load

import (
	"cmp"
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/qualifier"
	"fiscube/cube/repair"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
	"fiscube/store/evidence"
	"fiscube/store/load/files"
	"fiscube/store/load/numeric"
)

// fieldStats is what the cells of a field show: those of one resource while it is read, then those of all.
type fieldStats struct {
	bit        keySet // of the field, if it holds keys or labels
	sameMember keySet // of the key and the label of its level
	code       keySet // of the key of its level, if it holds the label
	name       string
	order      int // of the resource in the package
	index      int // in the schema of the resource
	column     int // the index of its column in the model
	asInteger  bool
	asNumber   bool
	asJoined   bool
	constant   bool  // the file has no column of it, so that each row has its cell
	asWritten  bool  // codes that differ by outer spaces are different
	parents    []int // the indices of the cells that its codes belong under
	cellCounts
	missing       int64
	knownCells    []knownCell // by code, while the file is read
	notInteger    badCells
	notNumber     badCells
	widest        badCell // the first of the amounts with the most digits before the point
	form          numeric.Form
	digits, scale int
	greatest      int           // the digits before the point of the greatest amount, as numeric.NoiseRule counts them
	computed      computedCells // the others
	markers       []string      // of cells that say that nothing is known
	spellings     map[string]bool
	joined        int64
	labels        map[string]string // by parents and code: the label of joined cells
	conflicts     []string
	undeclared    bool  // nothing says which characters its numbers are written with
	commaGrouped  int64 // cells that are no numbers, but would be if commas separated the thousands
	commaCertain  bool  // one of them has several commas, or a point too, so that a comma is not before decimals
	asKey         bool
	asText        bool
	untidyFirst   string
	few           map[string]bool // the first different cells of a text, one more than a qualifier has members at most
	sameCode      map[string]int  // levels whose cell, at this index, is the code in every row so far
	key           []byte
}

// badCells counts cells of which the first are kept.
type badCells struct {
	first []badCell
	count map[int]int64 // by resource
	field string
}

type badCell struct {
	field, text string
	order       int
	line        int64
}

func (b *badCells) add(f *fieldStats, cell string, line int64) {
	if b.count == nil {
		b.count, b.field = map[int]int64{}, f.name
	}
	if b.count[f.order]++; b.count[f.order] <= findings.MostPlaces {
		b.first = append(b.first, badCell{f.name, findings.Clip(cell), f.order, line})
	}
}

func (b *badCells) merge(other badCells) {
	b.first = append(b.first, other.first...)
	b.field = max(b.field, other.field)
	if b.count == nil {
		b.count = map[int]int64{}
	}
	for order, count := range other.count {
		b.count[order] += count
	}
}

func (b badCells) total() int64 {
	var n int64
	for _, count := range b.count {
		n += count
	}
	return n
}

// newFieldStats decides what is worth watching in the cells of a column.
func newFieldStats(c cube.Column, order, index int, field cube.Field, d *cube.Draft) *fieldStats {
	amount := isAmount(c, d)
	return &fieldStats{
		name: c.Name, order: order, index: index, form: numeric.FormOf(field), greatest: numeric.Nothing,
		asNumber: amount, asInteger: c.Type == cube.TypeInteger,
		asJoined:   !c.FiscalYear && !amount, // a whole number too: a repair may make text of it
		markers:    c.Markers,
		undeclared: field.DecimalChar == "" && field.GroupChar == "",
		asText:     c.Type == cube.TypeText && !amount,
		asKey:      !c.FiscalYear && !amount && d.IsKey(c.Name),
	}
}

// isAmount tells whether the cells of a column are read as numbers.
func isAmount(c cube.Column, d *cube.Draft) bool {
	return c.Type == cube.TypeDecimal || isMeasure(c, d)
}

// isMeasure tells whether a column is a measure, or a part of one.
func isMeasure(c cube.Column, d *cube.Draft) bool {
	ofMeasure := slices.ContainsFunc(d.Columns, func(made cube.Column) bool {
		return made.From != nil && made.From.Rule == cube.RuleFirstOf && slices.Contains(made.From.Fields, c.Name)
	})
	return d.Measure(c.Name) != nil || ofMeasure || len(d.Measures) == 0 && repair.NamedForMoney(c.Name)
}

// add counts a cell that is not missing; row holds all cells of its row.
func (f *fieldStats) add(cell string, line int64, row []string) {
	f.cells++
	if f.asInteger {
		trimmed := strings.TrimSpace(cell)
		if len(trimmed) > 1 && trimmed[0] == '0' {
			f.leadingZeros++
		}
		if !isWhole(cell) {
			f.notInteger.add(f, cell, line)
		}
	}
	if f.asNumber {
		f.addNumber(cell, line)
	}
	if f.asText && f.dates == f.cells-1 && evidence.IsDate(cell) {
		f.dates++
	}
	if f.asKey {
		f.addKey(cell)
	}
	if !f.notInformed(cell) && f.asJoined {
		f.addJoined(cell, row)
	}
}

func isWhole(cell string) bool {
	_, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64)
	return err == nil
}

// notInformed says whether the cell says that nothing is known, and notes how it is spelled.
func (f *fieldStats) notInformed(cell string) bool {
	if len(f.markers) == 0 {
		return false
	}
	is, known := f.spellings[cell]
	if !known {
		is = evidence.IsMarker(f.markers, cell)
		if f.spellings == nil {
			f.spellings = map[string]bool{}
		}
		if is || len(f.spellings) < mostRemembered {
			f.spellings[strings.Clone(cell)] = is
		}
	}
	return is
}

func (f *fieldStats) addKey(cell string) {
	if tidy.Key(cell) == cell {
		return
	}
	f.untidy++
	if f.untidyFirst == "" {
		f.untidyFirst = findings.Clip(cell)
	}
}

func (f *fieldStats) addNumber(cell string, line int64) {
	digits, before, after, ok := f.form.ReadAmount(cell)
	switch {
	case !ok:
		f.notNumber.add(f, cell, line)
		grouped, certain := numeric.Commas(cell)
		if grouped {
			f.commaGrouped++
		}
		f.commaCertain = f.commaCertain || certain
		return
	case after > numeric.NoiseDecimals:
		f.addComputed(digits, cell, after, line)
	case f.undeclared && numeric.MayGroup(cell, "."):
		f.grouped++
		fallthrough
	default:
		if digits == "0" {
			f.zeros++
		}
		f.plain++
		f.scale = max(f.scale, after)
	}
	if before > f.digits {
		f.digits, f.widest = before, badCell{f.name, findings.Clip(cell), f.order, line}
	}
	if before > f.greatest || f.greatest <= 0 {
		f.greatest = max(f.greatest, numeric.Magnitude(digits, before))
	}
}

func (f *fieldStats) addComputed(digits, cell string, after int, line int64) {
	if f.computed == nil {
		f.computed = computedCells{}
	}
	cells := f.computed.of(numeric.Describe(digits))
	cells.count++
	cells.decimals = max(cells.decimals, after)
	if after > numeric.MostDecimals {
		cells.deep.add(f, cell, line)
	}
}

// seemsGrouped tells whether the point of every number could separate the thousands.
func (f *fieldStats) seemsGrouped() bool {
	return f.grouped > 0 && f.grouped+f.zeros == f.plain && len(f.computed) == 0
}

// noiseRule is known when all cells of the field were read. Without other amounts, the computed ones decide how many
// decimals are no noise.
func (f *fieldStats) noiseRule() numeric.NoiseRule {
	rule := numeric.NoiseRule{Decimals: f.scale, Digits: f.greatest}
	if f.plain > 0 {
		return rule
	}
	for c := range f.computed {
		if c.Clean <= numeric.NoiseDecimals {
			rule.Decimals = max(rule.Decimals, c.Clean)
		}
	}
	return rule
}

// settledScale is how many decimals the amounts print with: the most that a cell has, float noise apart.
func (f *fieldStats) settledScale() int {
	rule := f.noiseRule()
	scale := rule.Decimals
	for c, cells := range f.computed {
		if !rule.IsNoise(c) {
			scale = max(scale, cells.decimals)
		}
	}
	return scale
}

// giveUpAfter is how many cells that join nothing show that a field has no joined cells.
const giveUpAfter = 10_000

func (f *fieldStats) addJoined(cell string, row []string) {
	code, label, joined := evidence.Joined(cell)
	if !joined {
		f.apart++
		f.giveUpJoined()
		return
	}
	f.joined++
	f.compareCodes(code, row)
	f.key = f.key[:0]
	for _, index := range f.parents {
		f.key = append(append(f.key, row[index]...), 0)
	}
	f.key = append(f.key, code...)
	f.addLabel(string(f.key), code, label)
}

func (f *fieldStats) giveUpJoined() {
	if f.apart > giveUpAfter && f.apart > f.joined {
		f.asJoined, f.joined, f.labels = false, 0, nil
	}
}

// addLabel notes the label of a code under its parents, and a conflict where it has another one already.
func (f *fieldStats) addLabel(key, code, label string) {
	known, ok := f.labels[key]
	switch {
	case !ok:
		if f.labels == nil {
			f.labels = map[string]string{}
		}
		f.labels[key] = strings.Clone(label)
	case known != label && fold.Text(tidy.Label(known)) != fold.Text(tidy.Label(label)):
		if len(f.conflicts) < findings.MostPlaces && !slices.Contains(f.conflicts, code) {
			f.conflicts = append(f.conflicts, strings.Clone(code))
		}
	}
}

// compareCodes drops the levels whose cell is not the code.
func (f *fieldStats) compareCodes(code string, row []string) {
	maps.DeleteFunc(f.sameCode, func(_ string, index int) bool {
		return !evidence.SameCode(code, row[index])
	})
}

func (f *fieldStats) clone() *fieldStats {
	c := *f
	c.notInteger, c.notNumber, c.computed = badCells{}, badCells{}, computedCells{}
	c.computed.merge(f.computed)
	c.notInteger.merge(f.notInteger)
	c.notNumber.merge(f.notNumber)
	c.labels, c.sameCode, c.spellings = maps.Clone(f.labels), maps.Clone(f.sameCode), maps.Clone(f.spellings)
	return &c
}

// merge adds what another resource shows of the field.
func (f *fieldStats) merge(g *fieldStats) {
	f.cellCounts.add(g.cellCounts)
	f.missing += g.missing
	f.notInteger.merge(g.notInteger)
	f.notNumber.merge(g.notNumber)
	if g.digits > f.digits {
		f.digits, f.widest = g.digits, g.widest
	}
	f.scale, f.greatest = max(f.scale, g.scale), max(f.greatest, g.greatest)
	f.commaGrouped, f.commaCertain = f.commaGrouped+g.commaGrouped, f.commaCertain || g.commaCertain
	f.computed.merge(g.computed)
	f.joined += g.joined
	f.conflicts = append(f.conflicts, g.conflicts...)
	f.untidyFirst = cmp.Or(f.untidyFirst, g.untidyFirst)
	for cell, is := range g.spellings {
		if is && f.spellings == nil {
			f.spellings = map[string]bool{}
		}
		if is {
			f.spellings[cell] = true
		}
	}
	for key, label := range g.labels {
		f.addLabel(key, key[strings.LastIndexByte(key, 0)+1:], label)
	}
	for cell := range g.few {
		f.addFew(cell)
	}
	maps.DeleteFunc(f.sameCode, func(level string, _ int) bool { _, ok := g.sameCode[level]; return !ok })
}

// addFew notes a cell of a text, as long as it has few different ones.
func (f *fieldStats) addFew(cell string) {
	if len(f.few) > qualifier.Most || f.few[cell] {
		return
	}
	if f.few == nil {
		f.few = map[string]bool{}
	}
	f.few[strings.Clone(cell)] = true
}

func (f *fieldStats) evidence() *repair.Field {
	e := &repair.Field{
		Cells: f.cells, NotIntegers: f.notInteger.total(), LeadingZeros: f.leadingZeros, NotNumbers: f.notNumber.total(),
		Joined: f.joined, NotJoined: f.apart, Conflicts: f.conflicts,
		Untidy: f.untidy, UntidyFirst: f.untidyFirst,
	}
	for _, cell := range slices.Sorted(maps.Keys(f.spellings)) {
		if f.spellings[cell] {
			e.Spellings = append(e.Spellings, cell)
		}
	}
	if len(f.few) <= qualifier.Most {
		e.Few = slices.Sorted(maps.Keys(f.few))
	}
	if f.joined > 0 {
		e.SameCode = slices.Sorted(maps.Keys(f.sameCode))
	}
	return e
}

// cellCounts counts cells of a field.
type cellCounts struct {
	cells        int64 // that are not missing
	leadingZeros int64
	plain        int64 // amounts of no more decimals than people write
	grouped      int64 // numbers of which a point could separate the thousands
	zeros        int64 // numbers that are 0, in any form
	dates        int64
	untidy       int64 // keys that are not written as codes are
	apart        int64 // cells that are no joined code and label
}

func (c *cellCounts) add(other cellCounts) { c.addTimes(other, 1) }

// addTimes adds other counts so many times.
func (c *cellCounts) addTimes(other cellCounts, times int64) {
	c.cells += times * other.cells
	c.leadingZeros += times * other.leadingZeros
	c.plain += times * other.plain
	c.grouped += times * other.grouped
	c.zeros += times * other.zeros
	c.dates += times * other.dates
	c.untidy += times * other.untidy
	c.apart += times * other.apart
}

// knownCell is what a cell of a field says wherever it is met. Cells repeat, so that each is examined once.
type knownCell struct {
	examined bool
	missing  bool
	onlyMore bool      // each time that it is met again counts as the first, and changes nothing else
	again    int64     // how often it was met again
	text     string    // where onlyMore
	name     totalName // where it is a key or a label
	hash     [2]uint64 // of the field and the value, which is the same in all files
	amount   numeric.Small
}

// known gives what a cell says that has a code; nil where it has none.
func (f *fieldStats) known(row files.Record, missing func(string) bool) *knownCell {
	code := int(row.Codes[f.index])
	if code == 0 {
		return nil
	}
	if code >= len(f.knownCells) {
		f.knownCells = append(f.knownCells, make([]knownCell, code+1-len(f.knownCells))...)
	}
	k := &f.knownCells[code]
	if !k.examined {
		*k = f.examine(row.Cells[f.index], missing)
	}
	return k
}

// examine finds what a cell says.
func (f *fieldStats) examine(cell string, missing func(string) bool) knownCell {
	if missing(cell) {
		return knownCell{examined: true, missing: true}
	}
	k := knownCell{examined: true}
	if f.asNumber {
		k.amount = numeric.SmallOf(cell, f.form)
	} else if f.bit != 0 {
		k.name.names, k.name.alone = nameOfTotal(cell)
	}
	if f.asText {
		f.addFew(tidy.Key(cell))
	}
	value := f.value(cell)
	for i, seed := range rowSeeds {
		var h maphash.Hash
		h.SetSeed(seed)
		_ = h.WriteByte(byte(f.column))
		_ = h.WriteByte(byte(f.column >> 8))
		_, _ = h.WriteString(value)
		k.hash[i] = h.Sum64()
	}
	return k
}

// value writes a cell as all spellings of its value are written: 6 for 6.00, and no outer spaces.
func (f *fieldStats) value(cell string) string {
	if f.asNumber {
		if digits, _, decimals, ok := f.form.Read(cell); !ok {
			return cell
		} else if decimals > 0 {
			return strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
		} else {
			return digits
		}
	}
	if f.asWritten {
		return cell
	}
	return tidy.Key(cell)
}

// addMet counts a cell that was met.
func (f *fieldStats) addMet(k *knownCell, row files.Record) {
	cell := row.Cells[f.index]
	switch {
	case k.missing:
		f.missing++
	case k.onlyMore:
		k.again++
	default:
		f.add(cell, row.Line, row.Cells)
		if row.Codes[f.index] != 0 && f.countsOnly(cell) {
			k.onlyMore, k.text = true, strings.Clone(cell)
		}
	}
}

// countsOnly tells whether add would do nothing but count a cell that was added before.
func (f *fieldStats) countsOnly(cell string) bool {
	if f.asInteger && !isWhole(cell) {
		return false
	}
	if f.asNumber {
		_, _, after, ok := f.form.ReadAmount(cell)
		return ok && after <= numeric.NoiseDecimals
	}
	if !f.asJoined || f.notInformed(cell) {
		return true
	}
	_, _, joined := evidence.Joined(cell)
	return !joined
}

// settle counts the cells that were met again, when the file was read.
func (f *fieldStats) settle() {
	for i := range f.knownCells {
		k := &f.knownCells[i]
		if k.again == 0 {
			continue
		}
		before := f.cellCounts
		f.cellCounts = cellCounts{}
		f.add(k.text, 0, nil)
		once := f.cellCounts
		f.cellCounts = before
		f.addTimes(once, k.again)
	}
	f.giveUpJoined()
}

// rowSeeds make the two hashes of a row; digests are compared within one run of the program alone.
var rowSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// rowHash is made of the hashes of the cells of a row that are not missing, in the order of the model's fields: rows of different files
// are the same if their values are, however they are written.
type rowHash [2]uint64

func (h *rowHash) add(cell [2]uint64) {
	for i := range h {
		h[i] = (bits.RotateLeft64(h[i], 29) ^ cell[i]) * 0x9e3779b97f4a7c15
	}
}

func (h *rowHash) sums() [2]uint64 {
	var sums [2]uint64
	for i, x := range h {
		x ^= x >> 32
		x *= 0xd6e8feb86659fd93
		sums[i] = x ^ x>>32
	}
	return sums
}

// hint says how a cell would be a number, if its characters were declared.
func (f *fieldStats) hint(cell string) string {
	if f.commaGrouped == f.notNumber.total() && !f.commaCertain {
		return `; if it is one, declare groupChar "," where the comma separates thousands, or decimalChar "," where decimals follow it,` +
			" for the field or its dialect, or group or decimal for the measure in the overlay"
	}
	return numeric.Hint(cell, f.commaCertain)
}

// computedCells counts the computed amounts of a field, by what decides whether they are noise.
type computedCells map[numeric.Computed]*computedCell

type computedCell struct {
	count    int64
	decimals int      // the most that one has
	deep     badCells // those of more than numeric.MostDecimals
}

func (all computedCells) of(c numeric.Computed) *computedCell {
	cells, ok := all[c]
	if !ok {
		cells = &computedCell{}
		all[c] = cells
	}
	return cells
}

// merge adds cells of another resource.
func (all computedCells) merge(others computedCells) {
	for c, other := range others {
		cells := all.of(c)
		cells.count += other.count
		cells.decimals = max(cells.decimals, other.decimals)
		cells.deep.merge(other.deep)
	}
}
