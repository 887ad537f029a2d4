package load

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/repair"
	"fiscube/store/catalogue"
	"fiscube/store/load/coded"
	"fiscube/store/load/numeric"
	"fiscube/store/load/temporary"
)

// Survey is a package whose every file was read once, repaired and found sound.
type Survey struct {
	Kept
	source *Source
	pkg    *cube.Package // with the settled model
	report *findings.Report
	kept   *temporary.File // the rows of all files
	originals
	noise  map[string]numeric.NoiseRule // of each published field of amounts
	repeat repeat
}

// Package gives the package with its model settled and each resource's Found filled in.
func (s *Survey) Package() *cube.Package { return s.pkg }

// Report says what was found and assumed.
func (s *Survey) Report() *findings.Report { return s.report }

// Facts gives the rows of a resource that a load stores: their cells are those of the model's columns, and are used again for the next row.
func (s *Survey) Facts(ctx context.Context, resource int) iter.Seq2[catalogue.Row, error] {
	return s.facts(ctx, resource, make([]*columnCodes, len(s.pkg.Model.Columns())))
}

func (s *Survey) facts(ctx context.Context, resource int, codes []*columnCodes) iter.Seq2[catalogue.Row, error] {
	return func(yield func(catalogue.Row, error) bool) {
		r := &s.pkg.Resources[resource]
		typed := newTyper(s.pkg.Model, r, s.noise, codes)
		for kept, err := range s.Rows(ctx, resource) {
			row := catalogue.Row{Resource: resource, Line: kept.Line}
			if err == nil {
				if _, skipped := slices.BinarySearch(r.SkipLines, kept.Line); skipped {
					continue
				}
				row.Cells, row.Codes = typed.cells(kept)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Kept are the rows of a package whose every file was read once.
type Kept struct{ rows []*coded.Rows } // of each resource

// Rows gives the rows of a resource as published, in order: all that could be read, also those that a load leaves out.
func (k Kept) Rows(ctx context.Context, resource int) iter.Seq2[coded.Row, error] {
	return k.rows[resource].All(ctx)
}

// Keep reads every file of the package once, and looks at no cell of it: the rows are kept for others to look at. The error is *Rejected when a
// file cannot be read.
func Keep(ctx context.Context, source *Source, progress Progress) (*Kept, error) {
	s, err := newSurveyor(source, progress)
	if err != nil {
		return nil, err
	}
	s.draft, s.keepsOnly = &cube.Draft{}, true
	if err := s.readAll(ctx); err != nil {
		return nil, err
	}
	s.checkRows()
	if found := s.findings.list(); slices.ContainsFunc(found, isError) {
		return nil, &Rejected{Findings: found}
	}
	return &s.rows, nil
}

func newSurveyor(source *Source, progress Progress) (*surveyor, error) {
	pkg := *source.Package // a Package is never changed once made
	pkg.Resources = slices.Clone(pkg.Resources)
	s := &surveyor{source: source, pkg: &pkg, progress: progress, draft: pkg.Model.Draft()}
	var err error
	if s.kept, err = temporary.New(); err != nil {
		return nil, err
	}
	source.close = append(source.close, s.kept.Close)
	return s, nil
}

// Take reads every file of the package once. The error is *Rejected when the package cannot be loaded as it
// is; it holds everything found, not the first alone.
func Take(ctx context.Context, source *Source, progress Progress) (*Survey, error) {
	return take(ctx, source, progress, false)
}

// take keeps the files as they were published if they are to be stored.
func take(ctx context.Context, source *Source, progress Progress, stored bool) (*Survey, error) {
	s, err := newSurveyor(source, progress)
	if err == nil && stored {
		err = s.keepOriginals()
	}
	if err != nil {
		return nil, err
	}
	s.keysLeft.Store(mostKeys)
	s.qualifiers = qualifiersOf(s.pkg, s.draft)
	if err := s.readAll(ctx); err != nil {
		return nil, err
	}
	if err := s.findSums(ctx); err != nil {
		return nil, err
	}
	s.repair()
	s.settle()
	s.settleSnapshots()
	s.detectSnapshots()
	s.pkg.Coverage = s.yearCoverage()
	s.pkg.LabelHistory = &cube.LabelHistory{}
	s.settleEditions()
	s.checkEmpty()
	s.checkColumnTypes()
	report := s.makeReport()
	if slices.ContainsFunc(report.Findings, isError) {
		return nil, &Rejected{Findings: report.Findings}
	}
	s.findJumps(report)
	s.findOnlyMembers()
	repeated, err := newRepeat(s.pkg, s.draft, source.options.Times)
	if err != nil {
		return nil, err
	}
	model, err := s.draft.Model()
	if err != nil {
		return nil, fmt.Errorf("settle the model: %w", err)
	}
	s.pkg.Model = model
	for i := range s.pkg.Resources {
		r := &s.pkg.Resources[i]
		for j := 0; r.Points != nil && r.LeftOut == "" && j < len(r.Points.PerRow); j++ {
			r.Points.PerRow[j].Constants = constantsOf(model, r, r.Points.PerRow[j])
		}
	}
	survey := &Survey{Kept: s.rows, source: source, pkg: s.pkg, kept: s.kept, originals: s.originals, report: report, noise: map[string]numeric.NoiseRule{}, repeat: repeated}
	for name, f := range s.fields {
		if f.asNumber {
			survey.noise[name] = f.noiseRule()
		}
	}
	return survey, nil
}

// readAll reads the files and joins what they show of each field.
func (s *surveyor) readAll(ctx context.Context) error {
	var declared int64 // bytes, which progress is measured against
	for _, r := range s.pkg.Resources {
		declared += r.Bytes
	}
	s.progress.Begin("Checking", declared)
	defer s.progress.End()
	s.surveys = make([]*resourceSurvey, len(s.pkg.Resources))
	group, reading := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range s.pkg.Resources {
		s.surveys[i] = newResourceSurvey(s, i)
		group.Go(func() error { return s.surveys[i].read(reading) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	s.fields = map[string]*fieldStats{}
	for _, r := range s.surveys {
		s.rows.rows = append(s.rows.rows, r.coded)
		for _, f := range r.fields {
			if all, ok := s.fields[f.name]; ok {
				all.merge(f)
			} else {
				s.fields[f.name] = f.clone()
			}
		}
	}
	return nil
}

// findSums finds the rows that are the sums of others.
func (s *surveyor) findSums(ctx context.Context) error {
	if err := s.findSubtotals(ctx); err != nil || slices.ContainsFunc(s.findings.list(), isError) {
		return err
	}
	for _, r := range s.surveys {
		if err := r.findAdjacentTotals(ctx); err != nil {
			return err
		}
	}
	return nil
}

// repair runs the passes over the draft.
func (s *surveyor) repair() {
	e := &repair.Evidence{Fields: map[string]*repair.Field{}, Qualifiers: s.qualifiers, Combinations: s.combined()}
	for name, f := range s.fields {
		e.Fields[name] = f.evidence()
	}
	for _, r := range s.surveys {
		digests, samples := map[string]repair.Digest{}, map[string]*repair.RowSample{} // none of a file that could not be read
		for year, stats := range r.years {
			digests[year], samples[year] = stats.digest, &stats.sample
		}
		siblings, out := r.siblingEvidence()
		e.Resources = append(e.Resources, repair.Resource{
			Years: digests, Rows: samples, Totals: r.totals, Siblings: siblings, Out: r.described(append(out, r.leftOut...)), Named: r.suspected(),
			Subtotals: r.subtotals, SubtotalRows: r.subtotalRows, Others: r.others, Absent: r.absent,
		})
	}
	pass := &repair.Repair{Package: s.pkg, Draft: s.draft, Evidence: e, Off: s.source.overlay.Off}
	repair.Run(pass)
	s.repaired = pass.Findings
}

// settle gives each column its digits and scale, and turns cells that its type cannot hold into findings.
func (s *surveyor) settle() {
	reported := map[string]bool{} // fields of amounts: several columns may be made of one
	for i := range s.draft.Columns {
		c := &s.draft.Columns[i]
		amount := c.Type == cube.TypeDecimal || s.draft.Measure(c.Name) != nil
		for _, name := range sourcesOf(*c) {
			f, ok := s.fields[name]
			if !ok {
				continue
			}
			if c.From == nil || c.From.Rule != cube.RuleFirstOf { // which is missing where all of its fields are
				c.Missing += f.missing
			}
			switch {
			case amount:
				c.Digits, c.Scale = max(c.Digits, f.digits), max(c.Scale, f.settledScale())
				if !reported[name] {
					s.reportAmounts(f)
				}
				reported[name] = true
			case c.Type == cube.TypeInteger && !c.IsEdition(): // the fiscal year is reported where it is
				s.reportBad(f.notInteger, "is no whole number", nil)
			}
		}
		s.checkDigits(c)
	}
}

// settleEditions lets the first edition of each level begin in the first fiscal year of the rows, and leaves out those that
// no row belongs to.
func (s *surveyor) settleEditions() {
	begins := firstEditions{}
	for i := range s.draft.Columns {
		c := &s.draft.Columns[i]
		if !c.IsEdition() || s.pkg.Coverage == nil {
			continue
		}
		d := *c.From
		d.Years = slices.Clone(d.Years)
		if first := s.pkg.Coverage.Years[0]; first < d.Years[0] {
			begins[c.Name] = [2]string{strconv.FormatInt(d.Years[0]-1, 10), strconv.FormatInt(first, 10)}
			d.Years = slices.Insert(d.Years, 0, first)
		}
		used := map[int64]bool{}
		for _, year := range s.pkg.Coverage.Years {
			first, _ := d.Edition(year)
			used[first] = true
		}
		d.Years = slices.DeleteFunc(d.Years, func(year int64) bool { return !used[year] })
		c.From = &d
	}
	s.settleCrosswalks(begins)
}

// rowCount is how many rows a load of the package reads, once its files were surveyed.
func (s *Source) rowCount(surveyed *cube.Package) int64 {
	rows := int64(0)
	for _, r := range surveyed.Resources {
		rows += r.Found.Rows * max(1, s.options.Times)
	}
	return rows
}

// mostDigits is how many digits the widest decimal of a store has.
const mostDigits = 38

// checkDigits leaves room for the sum of all rows.
func (s *surveyor) checkDigits(c *cube.Column) {
	rows := s.source.rowCount(s.pkg)
	if c.Digits+c.Scale+len(strconv.FormatInt(rows, 10)) <= mostDigits {
		return
	}
	order, finding, at := len(s.pkg.Resources), findings.Finding{
		Code: CodeTooManyDigits, Severity: findings.SeverityError, Field: c.Name,
		Message: fmt.Sprintf("its amounts have up to %d digits and %d decimals, and %d rows of them add up to more than the %d digits that fiscube holds: "+
			"publish them with fewer decimals", c.Digits, c.Scale, rows, mostDigits),
	}, findings.Place{}
	if f, ok := s.fields[c.Name]; ok {
		order, at = f.widest.order, findings.Place{Line: f.widest.line, Cell: f.widest.text}
		finding.Resource = s.pkg.Resources[order].Name
	}
	s.findings.add(order, finding, at)
}

// CodeFloatNoise is the finding of amounts with decimals that only floating-point arithmetic leaves.
const CodeFloatNoise = "float-noise"

// CodeGroupMarkSuspected is the finding of amounts whose point may separate thousands.
const CodeGroupMarkSuspected = "group-mark-suspected"

// reportAmounts reports the cells of a field that were rounded, those that cannot be held, and those that are no numbers.
func (s *surveyor) reportAmounts(f *fieldStats) {
	s.reportBad(f.notNumber, "is no number", f.hint)
	rule, noise := f.noiseRule(), int64(0)
	var deep badCells
	for c, cells := range f.computed {
		if rule.IsNoise(c) {
			noise += cells.count
		} else {
			deep.merge(cells.deep)
		}
	}
	slices.SortFunc(deep.first, func(a, b badCell) int { return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.line, b.line)) })
	s.reportBad(deep, fmt.Sprintf("has more than the %d decimals that fiscube holds, and is no float noise: round it in the file", numeric.MostDecimals), nil)
	if f.seemsGrouped() {
		s.repaired = append(s.repaired, prose.Describe(findings.Finding{
			Code: CodeGroupMarkSuspected, Severity: findings.SeverityWarning, Field: f.name, Count: f.grouped,
		}, "", nil))
	}
	if noise > 0 {
		s.repaired = append(s.repaired, prose.Describe(findings.Finding{
			Code: CodeFloatNoise, Severity: findings.SeverityInfo, Field: f.name, Count: noise,
		}, "", findings.Params{"cells": noise, "decimals": int64(numeric.NoiseDecimals), "rounded": int64(rule.Decimals)}))
	}
}

// reportBad turns the cells that a column cannot hold into errors. A hint may say more of a cell; nil says nothing.
func (s *surveyor) reportBad(bad badCells, message string, hint func(cell string) string) {
	said := func(cell badCell) string {
		text := fmt.Sprintf("%q %s", cell.text, message)
		if hint != nil {
			text += hint(cell.text)
		}
		return text
	}
	for _, cell := range bad.first {
		s.findings.add(cell.order, findings.Finding{
			Code: CodeBadCell, Severity: findings.SeverityError, Resource: s.pkg.Resources[cell.order].Name, Field: cell.field,
			Message: said(cell),
		}, findings.Place{Line: cell.line, Cell: cell.text})
	}
	s.findings.more(s.pkg.Resources, bad)
}

// firstEditions has, for each field of editions whose first one begins with the rows, the year that names it in an overlay, and
// that in which it begins.
type firstEditions map[string][2]string

// settleCrosswalks names the first editions by the years in which they begin, in the paths of members that are the same as
// others. Editions that no row belongs to keep the year that the overlay names them by.
func (s *surveyor) settleCrosswalks(begins firstEditions) {
	model, err := s.draft.Model()
	if err != nil { // Take reports it
		return
	}
	for _, resolved := range model.Levels() {
		level := s.draft.Level(resolved.Ref)
		level.SameAs = slices.Clone(level.SameAs)
		for i, same := range level.SameAs {
			level.SameAs[i] = cube.SameMember{Path: begins.settled(resolved, same.Path), SameAs: begins.settled(resolved, same.SameAs)}
		}
	}
	s.settleFunctions(model, begins)
}

// settleFunctions does the same in the paths of members that are of a division of COFOG.
func (s *surveyor) settleFunctions(model *cube.Model, begins firstEditions) {
	if s.pkg.Functions == nil {
		return
	}
	level, ok := model.LevelOfKey(s.pkg.Functions.Level)
	if !ok { // a repair made something else of it
		s.pkg.Functions = nil
		return
	}
	settled := &cube.Functions{Level: level.Ref}
	for _, d := range s.pkg.Functions.Divisions {
		division := cube.Division{Code: d.Code}
		for _, path := range d.Members {
			division.Members = append(division.Members, begins.settled(level, path))
		}
		settled.Divisions = append(settled.Divisions, division)
	}
	s.pkg.Functions = settled
}

func (f firstEditions) settled(level cube.Level, path []string) []string {
	path = slices.Clone(path)
	for i, field := range level.Path[:len(path)-1] {
		if begins, ok := f[field]; ok && path[i] == begins[0] {
			path[i] = begins[1]
		}
	}
	return path
}
