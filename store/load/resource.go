package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/repair"
	"fiscube/store/load/coded"
	"fiscube/store/load/files"
	"fiscube/store/load/numeric"
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

	coded *coded.Rows  // the rows of the file, to be read again
	met   []*knownCell // what the cells of the last row say, one for each of fields
	alone []knownCell  // likewise, where such a cell has no code

	totalsOff bool
	yearKey   keySet
	unchecked int64   // the line of the first row with a word for a total that was not remembered; 0 if all were
	skip      []int64 // the lines of totals that an earlier reading has found, ascending

	subtotals    []repair.Subtotal // the first rows that are the sums of others, and are loaded
	subtotalRows int               // how many there are

	tooManyYears  bool
	sampleDiffers int64 // the first line that is not as the descriptor's sample says; 0 where all are

	snapshots *snapshots // nil without snapshots
	sample    *sample    // nil with them
}

// yearStats is what the rows of a fiscal year add up to.
type yearStats struct {
	digest repair.Digest
	sample repair.RowSample
	sums   map[keySet][]numeric.Sum // by the keys that rows have; one for each field that is read as a number
	filled []bool                   // for each field: it has a cell
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
	r.coded = coded.NewRows(s.kept, len(r.resource.Schema.Fields))
	r.met, r.alone = make([]*knownCell, len(r.fields)), make([]knownCell, len(r.fields))
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

// read reads the file, and its rows once more if some are totals of others.
func (r *resourceSurvey) read(ctx context.Context) error {
	if r.resource.LeftOut != "" {
		return nil
	}
	if err := r.readFile(ctx); err != nil {
		return err
	}
	totals, err := r.findTotals(ctx)
	if err == nil && len(totals) > 0 {
		err = r.readWithout(ctx, totals)
	}
	for _, f := range r.fields {
		f.settle()
	}
	r.forgetCells()
	return err
}

// forgetCells lets go of what is known of cells.
func (r *resourceSurvey) forgetCells() {
	for _, f := range r.fields {
		f.knownCells = nil
	}
}

// readWithout reads the rows again but for those that are totals.
func (r *resourceSurvey) readWithout(ctx context.Context, totals []namedTotal) error {
	before := *r
	r.snapshots.forget()
	*r = *newResourceSurvey(r.surveyor, r.order)
	for _, total := range totals {
		r.skip = append(r.skip, total.line)
	}
	r.totals, r.leftOut, r.suspects, r.unchecked, r.coded = slices.Clone(r.skip), totals, before.suspects, before.unchecked, before.coded
	found := &r.resource.Found
	*found = cube.Found{Bytes: found.Bytes, Hash: found.Hash, HashCopy: found.HashCopy}
	if err := r.eachRow(ctx, r.row); err != nil {
		return err
	}
	r.settleRows()
	return nil
}

// readFile reads the file to its end, or to a mistake that ends reading.
func (r *resourceSurvey) readFile(ctx context.Context) error {
	t, err := files.OpenTable(ctx, r.source.files, r.resource, func(n int) { r.progress.Add(int64(n), 0) })
	if err != nil {
		return r.note(err)
	}
	defer t.Close()
	if err := t.Header(); err != nil {
		return r.note(err)
	}
	for row, err := range readAhead(keepParsed, t.Rows()) {
		if err != nil {
			return r.note(err)
		}
		if row.Mistake != nil {
			_ = r.note(row.Mistake)
			continue
		}
		if row.Codes, err = r.coded.Add(row.Line, row.Cells); err != nil {
			return err
		}
		if r.row(row.Record); r.resource.Found.Rows%1000 == 0 {
			r.progress.Add(0, 1000)
		}
	}
	if err := t.Drain(); err != nil {
		return r.note(err)
	}
	if t.IsInUTF8() && r.source.options.Encoding == "" {
		r.find(files.CodeEncodingDiffers, fmt.Sprintf("the file is UTF-8, and %s is declared: declare the encoding utf-8, or name the true one with --encoding",
			r.resource.Encoding), findings.Place{})
	}
	r.settleRows()
	r.compare(t)
	for _, f := range t.Notes() {
		r.findings.add(r.order, f, findings.Place{})
	}
	if r.tooManyYears {
		r.find(CodeTooManyYears, fmt.Sprintf("it has more than %d fiscal years, so that its field of the fiscal year holds something else", mostYears), findings.Place{})
	}
	return r.coded.End()
}

// settleRows settles what is known only after the last row.
func (r *resourceSurvey) settleRows() {
	r.settleTotals()
	r.sample.settle()
}

// eachRow gives the rows again, which readFile has read.
func (r *resourceSurvey) eachRow(ctx context.Context, row func(files.Record)) error {
	for kept, err := range r.coded.All(ctx) {
		if err != nil {
			return err
		}
		row(files.Record{Line: kept.Line, Cells: kept.Cells, Codes: kept.Codes})
	}
	return nil
}

// note turns a mistake in a file into a finding; any other error ends the survey.
func (r *resourceSurvey) note(err error) error {
	var mistake *files.Mistake
	if !errors.As(err, &mistake) {
		return err
	}
	r.find(mistake.Code, mistake.Message, findings.Place{Line: mistake.Line})
	return nil
}

// find notes a mistake.
func (r *resourceSurvey) find(code, message string, at findings.Place) {
	f := findings.Finding{Code: code, Severity: findings.SeverityError, Resource: r.resource.Name, Message: message}
	r.findings.add(r.order, f, at)
}

func (r *resourceSurvey) row(row files.Record) {
	found := &r.resource.Found
	sample := found.Rows + 1 // the sample's first row is the header
	if r.sampleDiffers == 0 && sample < int64(len(r.resource.Sample)) && !slices.Equal(r.resource.Sample[sample], row.Cells) {
		r.sampleDiffers = row.Line
	}
	found.Rows++
	if r.isSkipped(row.Line) {
		return
	}
	r.meet(row)
	keys := false
	for i, f := range r.fields {
		f.addMet(r.met[i], row)
		keys = keys || !r.met[i].missing && !f.asNumber && f.index != r.year
	}
	year := r.yearOf(row.Cells)
	if !keys && len(r.keyless) < mostKeyless && r.hasRoomFor(row.Cells) {
		r.keyless = append(r.keyless, keylessRow{row.Line, strings.Clone(year), slices.Clone(row.Cells)})
		return
	}
	r.count(year, row.Cells, r.setOf(row))
}

// meet finds what the cells of a row say.
func (r *resourceSurvey) meet(row files.Record) {
	for i, f := range r.fields {
		if known := f.known(row, r.missing); known != nil {
			r.met[i] = known
			continue
		}
		r.alone[i] = f.examine(row.Cells[f.index], r.missing)
		r.met[i] = &r.alone[i]
	}
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

// count counts the row that was met last, which is loaded.
func (r *resourceSurvey) count(year string, cells []string, keys keySet) {
	stats, ok := r.years[year]
	if !ok && len(r.years) >= mostYears {
		r.tooManyYears = true
		return
	}
	if !ok {
		stats = &yearStats{sums: map[keySet][]numeric.Sum{}, filled: make([]bool, len(r.fields))}
		r.years[strings.Clone(year)] = stats
	}
	sums := stats.sumsOf(keys, len(r.amounts))
	hash, amount := rowHash{}, 0
	for i, f := range r.fields {
		known := r.met[i]
		if !known.missing {
			stats.filled[i] = true
			hash.add(known.hash)
		}
		if f.asNumber {
			if known.amount.Is {
				sums[amount].AddSmall(known.amount)
			} else {
				sums[amount].Add(cells[f.index], f.form)
			}
			amount++
		}
	}
	stats.digest.Rows++
	for i, sum := range hash.sums() {
		stats.digest.Sum[i] += sum
	}
	stats.sample.Add(hash.sums()[0])
	r.snapshots.add(cells)
	r.sample.add(cells, r.missing)
}

// sumsOf gives the sums of the rows with the same keys. If there are too many such sets, further rows are added to one.
func (y *yearStats) sumsOf(keys keySet, amounts int) []numeric.Sum {
	sums, ok := y.sums[keys]
	if !ok && len(y.sums) >= mostKeySets {
		keys = 0
		sums, ok = y.sums[keys]
	}
	if !ok {
		sums = make([]numeric.Sum, amounts)
		y.sums[keys] = sums
	}
	return sums
}

// total is the sum of an amount over all rows, and how many cells it adds up.
func (y *yearStats) total(amount int, rule numeric.NoiseRule) (sum decimal.Decimal, cells int64) {
	for _, sums := range y.sums {
		sum, cells = sum.Add(sums[amount].Total(rule)), cells+sums[amount].Cells
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
		r.meet(files.Record{Line: row.line, Cells: row.cells, Codes: make([]uint32, len(row.cells))})
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

// compare compares the file with what the descriptor declares of it.
func (r *resourceSurvey) compare(t *files.Table) {
	found := &r.resource.Found
	r.resource.Header = r.resource.Schema.Names()
	found.Bytes, found.Hash, found.HashCopy = t.Published()
	if declared := r.resource.Bytes; declared > 0 && !t.IsBytes(declared) {
		r.find(CodeSizeDiffers, fmt.Sprintf("the file has %d bytes, the descriptor says %d", found.Bytes, declared), findings.Place{})
	}
	if declared := declaredSHA256(r.resource.Hash); declared != "" && !t.IsHash(declared) {
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

func keepParsed(b *batch[files.Row], p files.Row) files.Row {
	p.Cells = b.kept(p.Cells)
	return p
}
