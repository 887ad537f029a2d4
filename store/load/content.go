package load

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"fiscube/cube"
)

// LoaderNumber is raised by any change that can alter a loaded cell, member, model or text: versions loaded by
// another number are loaded again.
const LoaderNumber = 3

// content streams a surveyed package into a store. It implements cube.Content.
type content struct {
	survey   *Survey
	members  *members
	progress Progress
	stage    string // what the progress is told
}

func newContent(s *Survey, progress Progress) *content {
	return &content{survey: s, members: newMembers(s.pkg.Model), progress: progress, stage: "Loading"}
}

// Package implements cube.Content.
func (c *content) Package() *cube.Package { return c.survey.pkg }

// Fingerprint implements cube.Content.
func (c *content) Fingerprint() string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "loader %d\ndescriptor %x\noverlay %x\n", LoaderNumber,
		sha256.Sum256(c.survey.pkg.Descriptor), sha256.Sum256(c.survey.pkg.Overlay))
	for _, r := range c.survey.pkg.Resources {
		_, _ = fmt.Fprintf(sum, "resource %q %s %q %q\n", r.Name, r.Found.Hash, r.Encoding, r.LeftOut)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Rows implements cube.Content. It counts the members on the way.
func (c *content) Rows(ctx context.Context) iter.Seq2[cube.Row, error] {
	return func(yield func(cube.Row, error) bool) {
		c.progress.Begin(c.stage, c.totalBytes())
		defer c.progress.End()
		readAhead(c.resources(ctx))(yield)
	}
}

// resources reads the files that are loaded, one after the other.
func (c *content) resources(ctx context.Context) iter.Seq2[cube.Row, error] {
	return func(yield func(cube.Row, error) bool) {
		for i, r := range c.survey.pkg.Resources {
			if r.LeftOut != "" {
				continue
			}
			for row, err := range c.resource(ctx, i) {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}

func (c *content) totalBytes() int64 {
	var total int64
	for _, r := range c.survey.pkg.Resources {
		total += r.Found.Bytes
	}
	return total
}

// resource reads the rows of one file, which must be the file that was surveyed.
func (c *content) resource(ctx context.Context, place int) iter.Seq2[cube.Row, error] {
	return func(yield func(cube.Row, error) bool) {
		r := &c.survey.pkg.Resources[place]
		t, err := openTable(ctx, c.survey.source.files, r, func(n int) { c.progress.Add(int64(n), 0) })
		if err == nil {
			defer t.close()
			err = t.header()
		}
		if err != nil {
			yield(cube.Row{}, c.changed(r, err))
			return
		}
		typed := newTyper(c.survey.pkg.Model, r)
		n := int64(0)
		for record, err := range t.records() {
			if err != nil {
				yield(cube.Row{}, c.changed(r, err))
				return
			}
			if slices.Contains(r.SkipLines, record.line) {
				continue
			}
			row := cube.Row{Resource: place, Line: record.line, Cells: typed.cells(record.cells)}
			c.members.add(row.Cells)
			if n++; n%1000 == 0 {
				c.progress.Add(0, 1000)
			}
			if !yield(row, nil) {
				return
			}
		}
		if err := t.file.drain(); err != nil || t.file.hash() != r.Found.Hash {
			yield(cube.Row{}, c.changed(r, err))
		}
	}
}

// changed is the error of a file that is no longer the one surveyed; a load that was ended is just that.
func (c *content) changed(r *cube.Resource, err error) error {
	var mistake *fileError
	if err != nil && !errors.As(err, &mistake) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return cube.Wrap(cube.CodeBadPackage, r.Name+" changed while it was being loaded: load it again", err)
}

// Members implements cube.Content.
func (c *content) Members(level cube.Level) iter.Seq[cube.Member] {
	return slices.Values(c.members.of(level))
}

// Report implements cube.Content: the report of the survey, and what the members of the rows show.
func (c *content) Report() *cube.Report {
	report := *c.survey.report
	report.Levels = []cube.LevelReport{}
	report.Findings = slices.Clone(report.Findings)
	widths := map[string]width{}
	for _, level := range c.survey.pkg.Model.Levels() {
		if !level.Listed {
			continue
		}
		list := c.members.of(level)
		report.Levels = append(report.Levels, cube.LevelReport{Ref: level.Ref, Members: int64(len(list))})
		if one, ok := ambiguous(level, list); ok {
			report.Findings = append(report.Findings, one)
		}
		widths[level.Ref] = widthOf(list)
	}
	report.Findings = append(report.Findings, inverted(c.survey.pkg.Model, widths)...)
	return &report
}
