package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/repair"
	"fiscube/internal/each"
	"fiscube/store/load/coded"
	"fiscube/store/load/files"
	"fiscube/store/load/numeric"
	"fiscube/store/load/points"
)

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
		i := r.resource.Field(c.Name)
		if i < 0 {
			r.absent = append(r.absent, c.Name)
			continue
		}
		f := newFieldStats(c, order, i, r.resource.Schema.Fields[i], s.draft)
		f.column, f.asWritten = n, s.source.overlay.Off(repair.CodePadded, c.Name)
		f.constant = r.resource.IsConstant(i)
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
	r.periods = periodFields(s.draft, r.fields)
	r.sample = newSample(s.draft, r.resource, r.fields, r.year, r.missing, s.source.overlay.Off)
	r.totalsOff = s.source.overlay.Off(repair.TotalsRow, "")
	r.combinations = newCombinations(r.resource, s.qualifiers)
	r.coded = coded.NewRows(s.kept, len(r.resource.Schema.Fields))
	r.met, r.alone = make([]*knownCell, len(r.fields)), make([]knownCell, len(r.fields))
	r.setKeyBits()
	if !r.totalsOff {
		r.levels, r.floats = r.levelsOfSiblings(), make([]float64, len(r.amounts))
	}
	return r
}

// parentCells gives the indices of the cells that a code of the level belongs under, by its key or label field.
func (r *resourceSurvey) parentCells(field string) []int {
	level := cmp.Or(r.draft.Level(field), r.draft.LevelOfLabel(field))
	var indices []int
	for depth := 0; level != nil && depth < len(r.draft.Columns); depth++ {
		for _, above := range append(slices.Clone(level.Within), level.Parent) {
			if i := r.resource.Field(above); i >= 0 {
				indices = append(indices, i)
			}
		}
		level = r.draft.Level(level.Parent)
	}
	return indices
}

// read reads the file, and its rows once more if some are totals of others. Without the members that are the sums of their
// siblings, more rows may be.
func (r *resourceSurvey) read(ctx context.Context) error {
	if r.resource.LeftOut != "" {
		return nil
	}
	if err := r.readFile(ctx); err != nil || r.keepsOnly {
		return err
	}
	err := r.leaveOutTotals(ctx)
	if err == nil {
		r.siblings, err = r.findSiblingTotals(ctx)
	}
	if err == nil && len(r.siblings) > 0 {
		if err = r.readWithout(ctx, r.leftOut); err == nil {
			r.suspects = nil
			err = r.leaveOutTotals(ctx)
		}
	}
	if err == nil {
		err = r.leaveOutOutline(ctx)
	}
	for _, f := range r.fields {
		f.settle()
	}
	r.forgetCells()
	return err
}

// leaveOutTotals finds the rows that are totals, and reads the others again.
func (r *resourceSurvey) leaveOutTotals(ctx context.Context) error {
	totals, err := r.findTotals(ctx)
	if err == nil {
		totals, err = r.wholeLines(ctx, totals)
	}
	if err != nil || len(totals) == 0 {
		return err
	}
	return r.readWithout(ctx, append(slices.Clip(r.leftOut), totals...))
}

// leaveOutOutline finds the rows that are totals of those next to them, and reads the others again.
func (r *resourceSurvey) leaveOutOutline(ctx context.Context) error {
	totals, err := r.findOutline(ctx)
	if err != nil || len(totals) == 0 {
		return err
	}
	return r.readWithout(ctx, append(slices.Clip(r.leftOut), totals...))
}

// readWithout reads the rows again but for those that are totals.
func (r *resourceSurvey) readWithout(ctx context.Context, totals []namedTotal) error {
	before := *r
	r.snapshots.forget()
	*r = *newResourceSurvey(r.surveyor, r.order)
	r.skip = append(r.skip, each.Of(totals, func(total namedTotal) int64 { return total.line })...)
	for _, member := range before.siblings {
		r.skip = append(r.skip, member.lines...)
	}
	slices.Sort(r.skip)
	r.skip = slices.Compact(r.skip)
	r.siblings = before.siblings
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
	original := r.writer(r.order)
	t, err := files.OpenTable(ctx, r.source.files, r.resource, func(p []byte) {
		r.progress.Add(int64(len(p)), 0)
		original.Add(p)
	})
	defer func() { _ = original.Close() }() // also where the file cannot be read to its end
	if err != nil {
		return r.note(err)
	}
	defer t.Close()
	if err := t.Header(); err != nil {
		return r.note(err)
	}
	r.tellTypes()
	if r.maker, err = r.newMaker(ctx); err != nil {
		return r.note(err)
	}
	for row, err := range readAhead(t.Rows()) {
		if err != nil {
			return r.note(err)
		}
		if row.Mistake != nil {
			_ = r.note(row.Mistake)
			continue
		}
		if r.maker == nil {
			err = r.add(row.Line, row.Cells)
		} else {
			r.line = row.Line
			err = r.maker.Each(row.Cells, func(cells []string) error { return r.add(row.Line, cells) })
		}
		if err != nil {
			return err
		}
	}
	if err := t.Drain(); err != nil {
		return r.note(err)
	}
	if err := original.Close(); err != nil {
		return err
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

// add keeps a data point, and notes what it shows.
func (r *resourceSurvey) add(line int64, cells []string) error {
	codes, err := r.coded.Add(line, cells)
	if err != nil {
		return err
	}
	if r.row(files.Record{Line: line, Cells: cells, Codes: codes}); r.resource.Found.Rows%1000 == 0 {
		r.progress.Add(0, 1000)
	}
	return nil
}

// settleRows settles what is known only after the last row.
func (r *resourceSurvey) settleRows() {
	r.settleTotals()
	r.sample.settle()
}

// note turns a mistake in a file into a finding; any other error ends the survey.
func (r *resourceSurvey) note(err error) error {
	var constant *points.BadConstant
	if errors.As(err, &constant) {
		f := findings.Finding{Code: CodeBadConstant, Severity: findings.SeverityError, Resource: r.resource.Name, Field: constant.Field.Name, Message: err.Error()}
		r.findings.add(r.order, f, findings.Place{})
		return nil
	}
	var mistake *files.Mistake
	if !errors.As(err, &mistake) {
		return err
	}
	r.find(mistake.Code, mistake.Message, findings.Place{Line: mistake.Line})
	return nil
}

func (r *resourceSurvey) row(row files.Record) {
	found := &r.resource.Found
	sample := found.Rows + 1 // the sample's first row is the header
	if r.maker == nil && r.sampleDiffers == 0 && sample < int64(len(r.resource.Sample)) && !slices.Equal(r.resource.Sample[sample], row.Cells) {
		r.sampleDiffers = row.Line
	}
	found.Rows++
	if r.keepsOnly || r.isSkipped(row.Line) {
		return
	}
	r.meet(row)
	keys := false
	for i, f := range r.fields {
		f.addMet(r.met[i], row)
		keys = keys || !r.met[i].missing && !f.asNumber && f.index != r.year && !f.constant
	}
	year := r.yearOf(row.Cells)
	if !keys && len(r.keyless) < mostKeyless && r.hasRoomFor(row.Cells) {
		r.keyless = append(r.keyless, keylessRow{row.Line, strings.Clone(year), slices.Clone(row.Cells)})
		return
	}
	r.addToMembers(row)
	r.count(year, row.Cells, r.setOf(row))
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
		stats = &yearStats{sums: map[keySet][]numeric.Sum{}, filled: make([]bool, len(r.fields)), counts: make([]bool, len(r.fields)),
			periods: make([]periodSet, len(r.periods))}
		r.years[strings.Clone(year)] = stats
	}
	var room [2][]numeric.Sum
	sums := append(room[:0], stats.sumsOf(keys, len(r.amounts)))
	if r.combinations != nil {
		sums = append(sums, stats.sumsWhere(r.combinations.add(cells, r.missing), len(r.amounts)))
	}
	hash, amount := rowHash{}, 0
	for i, f := range r.fields {
		known := r.met[i]
		if !known.missing {
			stats.filled[i] = true
			hash.add(known.hash)
		}
		if f.asNumber {
			stats.counts[i] = stats.counts[i] || !known.missing && !known.amount.IsZero()
			for _, of := range sums {
				if known.amount.Is {
					of[amount].AddSmall(known.amount)
				} else {
					of[amount].Add(cells[f.index], f.form)
				}
			}
			amount++
		}
	}
	for i, f := range r.periods {
		stats.periods[i] |= periodOf(cells[f.index])
	}
	stats.digest.Rows++
	for i, sum := range hash.sums() {
		stats.digest.Sum[i] += sum
	}
	stats.sample.Add(hash.sums()[0])
	r.snapshots.add(cells)
	r.sample.add(cells, r.missing)
}

// settleTotals finds, of the rows without keys, those whose amounts are the totals of the other rows, of the file
// or of their year. The others are rows like any, and are counted now; where rows have keys they are odd.
func (r *resourceSurvey) settleTotals() {
	all, candidates := r.allYears(), r.keyless
	r.keyless = nil
	var others []keylessRow
	isTotal := func(row keylessRow) bool {
		return !r.totalsOff && (r.isTotal(row.cells, all) || r.isTotal(row.cells, r.yearSums(row.year)))
	}
	lines := r.totalLines(candidates, isTotal)
	for _, row := range candidates {
		switch {
		case lines[row.line] && !slices.Contains(r.totals, row.line):
			r.totals = append(r.totals, row.line)
		case !lines[row.line]:
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

// compare compares the file with what the descriptor declares of it.
func (r *resourceSurvey) compare(t *files.Table) {
	found := &r.resource.Found
	r.resource.Header, r.resource.Columns = r.resource.Schema.Names(), nil
	r.resource.Columns = append(r.resource.Columns, each.Text(r.resource.FileFields(), cube.Field.ColumnName)...)
	if slices.Equal(r.resource.Header, r.resource.Columns) {
		r.resource.Columns = nil
	}
	if r.resource.Points != nil {
		r.resource.Points = r.maker.Loaded(*r.resource.Points)
	}
	found.Bytes, found.Hash, found.HashCopy = t.Published()
	hash, copied, size := declaredSHA256(r.resource.Hash), declaredSHA256(r.resource.HashCopy), r.resource.Bytes
	switch { // that the file is another one is told once
	case hash != "" && !t.IsHash(hash):
		r.find(CodeHashDiffers, fmt.Sprintf("the file's SHA-256 is %s, the descriptor says %s", found.Hash, hash), findings.Place{})
	case copied != "" && copied != found.HashCopy:
		message := fmt.Sprintf("the SHA-256 of the file without its header line is %s, the descriptor says %s", found.HashCopy, copied)
		r.find(CodeHashDiffers, message, findings.Place{})
	case size > 0 && !t.IsBytes(size):
		r.find(CodeSizeDiffers, fmt.Sprintf("the file has %d bytes, the descriptor says %d", found.Bytes, size), findings.Place{})
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
