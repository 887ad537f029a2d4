package load

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/repair"
)

// resourceSurvey reads one file.
type resourceSurvey struct {
	*surveyor
	order    int
	resource *cube.Resource
	fields   []*fieldStats // of the model's published fields that the file has, in the model's order
	absent   []string      // those that it lacks
	missing  func(string) bool
	year     int // the index of the fiscal year, or -1
	years    map[string]*yearStats
	amounts  []*fieldStats // those of fields that are read as numbers
	keyless  []keylessRow
	totals   []int64 // the lines of rows that hold the totals of the others
	named    []namedTotal
	leftOut  []namedTotal // rows of totals, but those without any key
	suspects []namedTotal // rows that are called totals, and are loaded
	others   []int64      // the lines of those without keys that do not, where rows have keys
	kept     int          // the bytes of keyless and named
	buffer   []byte

	totalsOff bool
	yearKey   keySet
	cellNames map[string]totalName
	unchecked int64   // the line of the first row with a word for a total that was not remembered; 0 if all were
	skip      []int64 // the lines of totals that an earlier reading has found, ascending

	subtotals    []repair.Subtotal // the first rows that are the sums of others, and are loaded
	subtotalRows int               // how many there are

	again bool // the file was read before

	tooManyYears  bool
	sampleDiffers int64 // the first line that is not as the descriptor's sample says; 0 where all are

	snapshots *snapshots // nil without snapshots
	sample    *sample    // nil with them
}

// yearStats is what the rows of a fiscal year add up to.
type yearStats struct {
	digest repair.Digest
	sample repair.RowSample
	sums   map[keySet][]exactSum // by the keys that rows have; one for each field that is read as a number
	filled []bool                // for each field: it has a cell
}

// keylessRow is a row without any key: its amounts may be the totals of the others.
type keylessRow struct {
	line  int64
	year  string
	cells []string
}

func newResourceSurvey(s *surveyor, order int) *resourceSurvey {
	r := &resourceSurvey{
		surveyor: s, order: order, resource: &s.pkg.Resources[order], year: -1, years: map[string]*yearStats{},
	}
	r.missing = isMissing(r.resource.Schema)
	r.snapshots = newSnapshots(s.draft, r.resource, &s.keysLeft, s.source.overlay.Off)
	for n, c := range s.draft.Columns {
		if c.From != nil && !slices.Contains(c.From.Fields, c.Name) {
			continue // made of other fields
		}
		i := fieldIndex(r.resource, c.Name)
		if i < 0 {
			r.absent = append(r.absent, c.Name)
			continue
		}
		f := newFieldStats(c, order, i, r.resource.Schema.Fields[i], s.draft)
		f.column, f.asWritten = n, s.source.overlay.Off(repair.CodePadded, c.Name)
		r.fields = append(r.fields, f)
		if c.FiscalYear {
			r.year = i
		}
	}
	for _, f := range r.fields {
		if f.asNumber {
			r.amounts = append(r.amounts, f)
		}
		f.parents = r.parentCells(f.name)
		if f.asJoined { // every other level may hold the code of a joined field as its own
			f.sameCode = map[string]int{}
			for _, other := range r.fields {
				if other.name != f.name && s.draft.Level(other.name) != nil {
					f.sameCode[other.name] = other.index
				}
			}
		}
	}
	r.sample = newSample(r)
	r.totalsOff = s.source.overlay.Off(repair.TotalsRow, "")
	r.cellNames = map[string]totalName{}
	r.setKeyBits()
	return r
}

// parentCells gives the indices of the cells that a code of the level belongs under, by its key or label field.
func (r *resourceSurvey) parentCells(field string) []int {
	level := cmp.Or(r.draft.Level(field), r.draft.LevelOfLabel(field))
	var indices []int
	for depth := 0; level != nil && depth < len(r.draft.Columns); depth++ {
		for _, above := range append(slices.Clone(level.Within), level.Parent) {
			if i := fieldIndex(r.resource, above); i >= 0 {
				indices = append(indices, i)
			}
		}
		level = r.draft.Level(level.Parent)
	}
	return indices
}

// read reads the file, and again if rows of it are totals of others.
func (r *resourceSurvey) read(ctx context.Context) error {
	if r.resource.LeftOut != "" {
		return nil
	}
	if err := r.readFile(ctx); err != nil {
		return err
	}
	r.again = true
	totals, err := r.findTotals(ctx)
	if err != nil || len(totals) == 0 {
		return err
	}
	suspects, unchecked := r.suspects, r.unchecked
	r.snapshots.forget()
	*r = *newResourceSurvey(r.surveyor, r.order)
	for _, total := range totals {
		r.skip = append(r.skip, total.line)
	}
	r.totals, r.leftOut, r.suspects, r.unchecked, r.again = slices.Clone(r.skip), totals, suspects, unchecked, true
	r.resource.Found = cube.Found{}
	return r.readFile(ctx)
}

func (r *resourceSurvey) readFile(ctx context.Context) error {
	t, err := r.eachRow(ctx, r.row)
	if err != nil || t == nil {
		return err
	}
	if t.file.decoded != nil && t.file.decoded.isUTF8() && r.source.options.Encoding == "" {
		r.find(CodeEncodingDiffers, fmt.Sprintf("the file is UTF-8, and %s is declared: declare the encoding utf-8, or name the true one with --encoding",
			r.resource.Encoding), findings.Place{})
	}
	r.settleTotals()
	if r.tooManyYears {
		r.find(CodeTooManyYears, fmt.Sprintf("it has more than %d fiscal years, so that its field of the fiscal year holds something else", mostYears), findings.Place{})
	}
	r.compare(t)
	for _, f := range t.notes() {
		if !r.again {
			r.findings.add(r.order, f, findings.Place{})
		}
	}
	r.sample.settle()
	return nil
}

// eachRow reads the file to its end. It gives no table if the file has a mistake that ends reading.
func (r *resourceSurvey) eachRow(ctx context.Context, row func(record)) (*table, error) {
	t, err := openTable(ctx, r.source.files, r.resource, func(n int) { r.progress.Add(int64(n), 0) })
	if err != nil {
		return nil, r.note(err)
	}
	defer t.close()
	if err := t.header(); err != nil {
		return nil, r.note(err)
	}
	for record, err := range t.records() {
		var mistake *fileError
		switch {
		case errors.As(err, &mistake) && mistake.code == CodeCellCount:
			_ = r.note(err)
		case err != nil:
			return nil, r.note(err)
		default:
			row(record)
		}
	}
	if err := t.file.drain(); err != nil {
		return nil, r.note(err)
	}
	return t, nil
}

// note turns a mistake in a file into a finding; any other error ends the survey.
func (r *resourceSurvey) note(err error) error {
	var mistake *fileError
	if !errors.As(err, &mistake) {
		return err
	}
	r.find(mistake.code, mistake.message, findings.Place{Line: mistake.line})
	return nil
}

// find notes a mistake, unless an earlier reading has.
func (r *resourceSurvey) find(code, message string, at findings.Place) {
	if r.again {
		return
	}
	f := findings.Finding{Code: code, Severity: findings.SeverityError, Resource: r.resource.Name, Message: message}
	r.findings.add(r.order, f, at)
}

func (r *resourceSurvey) row(row record) {
	found := &r.resource.Found
	sample := found.Rows + 1 // the sample's first row is the header
	if r.sampleDiffers == 0 && sample < int64(len(r.resource.Sample)) && !slices.Equal(r.resource.Sample[sample], row.cells) {
		r.sampleDiffers = row.line
	}
	if found.Rows++; found.Rows%1000 == 0 {
		r.progress.Add(0, 1000)
	}
	if r.isSkipped(row.line) {
		return
	}
	keys := false
	for _, f := range r.fields {
		cell := row.cells[f.index]
		if r.missing(cell) {
			f.missing++
			continue
		}
		f.add(cell, row.line, row.cells)
		keys = keys || !f.asNumber && f.index != r.year
	}
	year := r.yearOf(row.cells)
	if !keys && len(r.keyless) < mostKeyless && r.hasRoomFor(row.cells) {
		r.keyless = append(r.keyless, keylessRow{row.line, strings.Clone(year), slices.Clone(row.cells)})
		return
	}
	r.count(year, row.cells, r.setOf(row))
}

func (r *resourceSurvey) isSkipped(line int64) bool {
	_, found := slices.BinarySearch(r.skip, line)
	return found
}

func (r *resourceSurvey) yearOf(cells []string) string {
	if r.year < 0 {
		return ""
	}
	year := strings.TrimSpace(cells[r.year])
	if n, err := strconv.ParseInt(year, 10, 64); err == nil {
		found := &r.resource.Found
		if found.FirstYear == 0 || n < found.FirstYear {
			found.FirstYear = n
		}
		found.LastYear = max(found.LastYear, n)
	}
	return year
}

// mostYears bounds the fiscal years of a file, of each of which sums and a sample of rows are kept.
const mostYears = 1000

// rowSeeds make the two hashes of a row; digests are compared within one run of the program alone.
var rowSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// count counts a row that is loaded.
func (r *resourceSurvey) count(year string, cells []string, keys keySet) {
	stats, ok := r.years[year]
	if !ok && len(r.years) >= mostYears {
		r.tooManyYears = true
		return
	}
	if !ok {
		stats = &yearStats{sums: map[keySet][]exactSum{}, filled: make([]bool, len(r.fields))}
		r.years[strings.Clone(year)] = stats
	}
	for i, f := range r.fields {
		stats.filled[i] = stats.filled[i] || !r.missing(cells[f.index])
	}
	r.buffer = r.appendValues(r.buffer[:0], cells)
	sums := stats.sumsOf(keys, len(r.amounts))
	for i, f := range r.amounts {
		sums[i].add(cells[f.index], f.form)
	}
	stats.digest.Rows++
	for i, seed := range rowSeeds {
		hash := maphash.Bytes(seed, r.buffer)
		stats.digest.Sum[i] += hash
		if i == 0 {
			stats.sample.Add(hash)
		}
	}
	r.snapshots.add(cells)
	r.sample.add(cells, r.missing)
}

// appendValues writes the values of a row: rows of different files are the same if their values are, however they are written.
func (r *resourceSurvey) appendValues(row []byte, cells []string) []byte {
	for _, f := range r.fields {
		cell := cells[f.index]
		if r.missing(cell) {
			continue // as in a file without the field
		}
		row = append(binary.AppendUvarint(row, uint64(f.column)), f.value(cell)...)
		row = append(row, 0) // no cell holds a NUL
	}
	return row
}

// value writes a cell as all spellings of its value are written: 6 for 6.00, and no outer spaces.
func (f *fieldStats) value(cell string) string {
	if f.asNumber {
		if digits, _, decimals, ok := f.form.read(cell); !ok {
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
	return cube.TidyKey(cell)
}

// sumsOf gives the sums of the rows with the same keys. If there are too many such sets, further rows are added to one.
func (y *yearStats) sumsOf(keys keySet, amounts int) []exactSum {
	sums, ok := y.sums[keys]
	if !ok && len(y.sums) >= mostKeySets {
		keys = 0
		sums, ok = y.sums[keys]
	}
	if !ok {
		sums = make([]exactSum, amounts)
		y.sums[keys] = sums
	}
	return sums
}

// total is the sum of an amount over all rows, and how many cells it adds up.
func (y *yearStats) total(amount int, rule noiseRule) (sum decimal.Decimal, cells int64) {
	for _, sums := range y.sums {
		sum, cells = sum.Add(sums[amount].total(rule)), cells+sums[amount].cells
	}
	return sum, cells
}

// settleTotals finds, of the rows without keys, those whose amounts are the totals of the other rows, of the file
// or of their year. The others are rows like any, and are counted now; where rows have keys they are odd.
func (r *resourceSurvey) settleTotals() {
	all, candidates := r.allYears(), r.keyless
	r.keyless = nil
	var others []keylessRow
	for _, row := range candidates {
		if !r.totalsOff && (r.isTotal(row.cells, all) || r.isTotal(row.cells, r.yearSums(row.year))) {
			r.totals = append(r.totals, row.line)
		} else {
			others = append(others, row)
		}
	}
	for _, row := range others {
		r.count(row.year, row.cells, 0)
		if all != nil {
			r.others = append(r.others, row.line)
		}
	}
}

func (r *resourceSurvey) isTotal(cells []string, sums []decimal.Decimal) bool {
	if sums == nil {
		return false
	}
	amounts := 0
	for i, f := range r.amounts {
		digits, _, _, ok := f.form.read(cells[f.index])
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
func (r *resourceSurvey) totalsOf(sums []exactSum) []decimal.Decimal {
	totals := make([]decimal.Decimal, len(sums))
	for i := range sums {
		totals[i] = sums[i].total(r.amounts[i].noiseRule())
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

// compare compares the file with what the descriptor declares of it.
func (r *resourceSurvey) compare(t *table) {
	found := &r.resource.Found
	r.resource.Header = fieldNames(r.resource.Schema)
	found.Bytes, found.Hash, found.HashCopy = t.file.bytes, t.file.hash(), t.file.hashCopy()
	if declared := r.resource.Bytes; declared > 0 && !t.isBytes(declared) {
		r.find(CodeSizeDiffers, fmt.Sprintf("the file has %d bytes, the descriptor says %d", found.Bytes, declared), findings.Place{})
	}
	if declared := declaredSHA256(r.resource.Hash); declared != "" && !t.isHash(declared) {
		r.find(CodeHashDiffers, fmt.Sprintf("the file's SHA-256 is %s, the descriptor says %s", found.Hash, declared), findings.Place{})
	}
	if declared := declaredSHA256(r.resource.HashCopy); declared != "" && declared != found.HashCopy {
		message := fmt.Sprintf("the SHA-256 of the file without its header line is %s, the descriptor says %s", found.HashCopy, declared)
		r.find(CodeHashDiffers, message, findings.Place{})
	}
}

// declaredSHA256 gives a declared hash that is a SHA-256, which 64 hex digits are, or "".
func declaredSHA256(hash string) string {
	hash = strings.ToLower(strings.TrimPrefix(hash, "sha256:"))
	if len(hash) != 64 {
		return ""
	}
	return hash
}
