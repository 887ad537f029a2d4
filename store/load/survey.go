package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"fiscube/cube"
)

// Survey is a package whose every file was read once and found sound.
type Survey struct {
	source  *Source
	pkg     *cube.Package // with the settled model
	columns []([]int)     // for each resource: the place in its schema of each column, or -1
}

// Package gives the package with its model settled and each resource's Found filled in.
func (s *Survey) Package() *cube.Package { return s.pkg }

// Take reads every file of the package once. The error is *Rejected when the package cannot be loaded as it
// is; it holds everything found, not the first alone.
func Take(ctx context.Context, source *Source, progress Progress) (*Survey, error) {
	s := &surveyor{source: source, pkg: clonePackage(source.Package), progress: progress}
	if err := s.readAll(ctx); err != nil {
		return nil, err
	}
	columns := s.settle()
	if list := s.findings.list(); len(list) > 0 {
		return nil, &Rejected{Findings: list}
	}
	draft := s.pkg.Model.Draft()
	draft.Columns = columns
	model, err := draft.Model()
	if err != nil {
		return nil, fmt.Errorf("settle the model: %w", err)
	}
	s.pkg.Model = model
	return &Survey{source: source, pkg: s.pkg, columns: places(s.pkg)}, nil
}

// clonePackage copies what a survey changes: a Package is never changed once made.
func clonePackage(p *cube.Package) *cube.Package {
	c := *p
	c.Resources = slices.Clone(p.Resources)
	return &c
}

// places finds for each resource where in its rows each column of the model stands.
func places(pkg *cube.Package) [][]int {
	all := make([][]int, len(pkg.Resources))
	for i, r := range pkg.Resources {
		for _, c := range pkg.Model.Columns() {
			all[i] = append(all[i], slices.IndexFunc(r.Schema.Fields, func(f cube.Field) bool { return f.Name == c.Name }))
		}
	}
	return all
}

// surveyor reads the files of a package, several at once.
type surveyor struct {
	source   *Source
	pkg      *cube.Package
	progress Progress
	findings findings
	stats    [][]columnStats // for each resource, for each column of the model
}

// columnStats is what the cells of a column in one resource are like.
type columnStats struct {
	digits, scale int
	missing       int64
}

func (s *surveyor) readAll(ctx context.Context) error {
	s.stats = make([][]columnStats, len(s.pkg.Resources))
	s.progress.Begin("Checking", s.totalBytes())
	defer s.progress.End()
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range s.pkg.Resources {
		group.Go(func() error {
			r := &resourceSurvey{surveyor: s, order: i, resource: &s.pkg.Resources[i]}
			err := r.read(ctx)
			s.stats[i] = r.stats
			return err
		})
	}
	return group.Wait()
}

// totalBytes adds up the sizes as declared, which progress is measured against.
func (s *surveyor) totalBytes() int64 {
	var total int64
	for _, r := range s.pkg.Resources {
		total += r.Bytes
	}
	return total
}

// settle finds one type for each column over all resources.
func (s *surveyor) settle() []cube.Column {
	columns := slices.Clone(s.pkg.Model.Columns())
	for i := range columns {
		c := &columns[i]
		for _, stats := range s.stats {
			if stats == nil {
				continue
			}
			c.Digits = max(c.Digits, stats[i].digits)
			c.Scale = max(c.Scale, stats[i].scale)
			c.Missing += stats[i].missing
		}
		s.checkDigits(c)
	}
	return columns
}

// maxDigits leaves room, in the 38 digits of the widest decimal, for the sum of ten thousand million rows.
const maxDigits = 28

func (s *surveyor) checkDigits(c *cube.Column) {
	if c.Digits+c.Scale > maxDigits {
		s.findings.add(len(s.pkg.Resources), cube.Finding{
			Code: CodeTooManyDigits, Severity: cube.SeverityError, Field: c.Name,
			Message: fmt.Sprintf("its amounts need %d digits and %d decimals; fiscube holds %d in all", c.Digits, c.Scale, maxDigits),
		}, cube.Place{})
	}
}

// resourceSurvey reads one file.
type resourceSurvey struct {
	*surveyor
	order    int
	resource *cube.Resource
	columns  []int // the place in the schema of each column of the model, or -1
	stats    []columnStats
	missing  func(string) bool
	kinds    []cube.Column
}

func (r *resourceSurvey) read(ctx context.Context) error {
	r.kinds = r.pkg.Model.Columns()
	r.stats = make([]columnStats, len(r.kinds))
	r.columns = places(&cube.Package{Resources: []cube.Resource{*r.resource}, Model: r.pkg.Model})[0]
	r.missing = isMissing(r.resource.Schema)
	t, err := openTable(ctx, r.source.files, r.resource, func(n int) { r.progress.Add(int64(n), 0) })
	if err != nil {
		return r.note(err)
	}
	defer t.close()
	if err := r.readTable(t); err != nil {
		return r.note(err)
	}
	r.compare(t)
	return nil
}

func (r *resourceSurvey) readTable(t *table) error {
	if err := t.header(); err != nil {
		return err
	}
	for record, err := range t.records() {
		var form *errCSV
		switch {
		case errors.As(err, &form) && form.code == CodeCellCount:
			_ = r.note(err)
			continue
		case err != nil:
			return err
		}
		r.row(record)
	}
	return t.file.drain()
}

// note turns a mistake in a file into a finding; any other error ends the survey.
func (r *resourceSurvey) note(err error) error {
	var form *errCSV
	if !errors.As(err, &form) {
		return err
	}
	r.find(form.code, "", form.message, cube.Place{Line: form.line})
	return nil
}

func (r *resourceSurvey) find(code, field, message string, at cube.Place) {
	r.findings.add(r.order, cube.Finding{Code: code, Severity: cube.SeverityError, Resource: r.resource.Name, Field: field, Message: message}, at)
}

func (r *resourceSurvey) row(row record) {
	found := &r.resource.Found
	found.Rows++
	if found.Rows%1000 == 0 {
		r.progress.Add(0, 1000)
	}
	for i := range r.kinds {
		if r.columns[i] < 0 {
			r.stats[i].missing++
			continue
		}
		r.cell(&r.stats[i], &r.kinds[i], row.cells[r.columns[i]], row.line)
	}
}

func (r *resourceSurvey) cell(stats *columnStats, c *cube.Column, cell string, line int64) {
	switch {
	case r.missing(cell):
		stats.missing++
	case c.Type == cube.TypeInteger:
		r.integer(c, cell, line)
	case c.Type == cube.TypeDecimal:
		_, before, after, ok := number(cell)
		if !ok {
			r.badCell(c, "is no number", cell, line)
			return
		}
		stats.digits = max(stats.digits, before)
		stats.scale = max(stats.scale, after)
	}
}

func (r *resourceSurvey) integer(c *cube.Column, cell string, line int64) {
	n, err := strconv.ParseInt(strings.TrimSpace(cell), 10, 64)
	if err != nil {
		r.badCell(c, "is no whole number", cell, line)
		return
	}
	if found := &r.resource.Found; c.FiscalYear {
		if found.FirstYear == 0 || n < found.FirstYear {
			found.FirstYear = n
		}
		found.LastYear = max(found.LastYear, n)
	}
}

func (r *resourceSurvey) badCell(c *cube.Column, message, cell string, line int64) {
	r.find(CodeBadCell, c.Name, fmt.Sprintf("%q %s", clip(cell), message), cube.Place{Line: line, Cell: cell})
}

// compare holds the file against what the descriptor declares of it.
func (r *resourceSurvey) compare(t *table) {
	found := &r.resource.Found
	found.Bytes, found.Hash, found.HashCopy = t.file.bytes, t.file.hash(), t.file.hashCopy()
	if declared := r.resource.Bytes; declared > 0 && declared != found.Bytes {
		r.find(CodeSizeDiffers, "", fmt.Sprintf("the file has %d bytes, the descriptor says %d", found.Bytes, declared), cube.Place{})
	}
	if declared := strings.ToLower(strings.TrimPrefix(r.resource.Hash, "sha256:")); isSHA256(declared) && declared != found.Hash {
		r.find(CodeHashDiffers, "", fmt.Sprintf("the file's SHA-256 is %s, the descriptor says %s", found.Hash, declared), cube.Place{})
	}
}

// isSHA256 tells by its length that a hash is a SHA-256: 64 hex digits.
func isSHA256(hash string) bool { return len(hash) == 64 }
