package load

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/cube/repair"
	"fiscube/cube/sentencecase"
	"fiscube/cube/series"
	"fiscube/store/catalogue"
	"fiscube/store/load/base"
)

// LoaderNumber is raised by any change that can alter a loaded cell, member, model or text, or what a version knows of its
// years: versions loaded by another number are loaded again.
const LoaderNumber = 13

// content streams a surveyed package into a store. It implements cube.Content.
type content struct {
	survey   *Survey
	members  *members
	codes    []*columnCodes // of the columns
	numbers  *base.Rows     // nil where rows are only counted
	progress Progress
	stage    string // in which rows are read

	mu      sync.Mutex
	reading bool
	end     func() // ends the stage that was shown last
}

func newContent(s *Survey, progress Progress) *content {
	return &content{survey: s, members: newMembers(s.pkg.Model, s.source.options.MaxMembers), codes: newColumnCodes(s.pkg.Model), progress: progress, stage: "Loading"}
}

// Package implements cube.Content.
func (c *content) Package() *cube.Package { return c.survey.pkg }

// Visibility implements catalogue.Content: it is what a person said of it.
func (c *content) Visibility() cube.Visibility { return c.survey.source.options.Visibility }

// Fingerprint implements cube.Content.
func (c *content) Fingerprint() string {
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "loader %d\ndescriptor %x\noverlay %x\n", LoaderNumber,
		sha256.Sum256(c.survey.pkg.Descriptor), sha256.Sum256(c.survey.pkg.Overlay))
	for _, r := range c.survey.pkg.Resources {
		_, _ = fmt.Fprintf(sum, "resource %q %s %q %q\n", r.Name, r.Found.Hash, r.Encoding, r.LeftOut)
	}
	if times := c.survey.repeat.times; times > 1 {
		_, _ = fmt.Fprintf(sum, "times %d\n", times)
	}
	for _, s := range c.survey.pkg.Series {
		_, _ = fmt.Fprintf(sum, "series %q %x\n", s.Name, sha256.Sum256(series.Write([]cube.Series{s})))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// StageWaiting begins the name of the stage of a load that waits for something.
const StageWaiting = "Waiting for "

// Waiting implements catalogue.Content. It shows nothing while rows are read.
func (c *content) Waiting(what string) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reading {
		return func() {}
	}
	return c.show(StageWaiting+what, 0)
}

// StageBase is the stage of a load that makes the base cuboid.
const StageBase = "Numbering"

// Building implements catalogue.Content.
func (c *content) Building() (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.show(StageBase, 0)
}

// read shows the stage in which rows are read, until done is called.
func (c *content) read(bytes int64) (done func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reading = true
	end := c.show(c.stage, bytes)
	return func() {
		end()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.reading = false
	}
}

// show shows a stage, until done is called or the next one is shown.
func (c *content) show(stage string, bytes int64) (done func()) {
	if c.end != nil {
		c.end()
	}
	c.progress.Begin(stage, bytes)
	end := sync.OnceFunc(c.progress.End)
	c.end = end
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		end()
	}
}

// RowCount implements catalogue.Content.
func (c *content) RowCount() int64 { return c.survey.source.rowCount(c.survey.pkg) }

// Rows implements cube.Content. It counts the members on the way. Where rows are read several times, the lines of a file go on
// counting, so that each row has its own.
func (c *content) Rows(ctx context.Context) iter.Seq2[catalogue.Row, error] {
	return func(yield func(catalogue.Row, error) bool) {
		var bytes int64
		for _, r := range c.survey.pkg.Resources {
			bytes += r.Found.Bytes
		}
		defer c.read(bytes * c.survey.repeat.times)()
		for i, r := range c.survey.pkg.Resources {
			if r.LeftOut != "" {
				continue
			}
			lines := int64(0)
			for k := range c.survey.repeat.times {
				before := lines
				for row, err := range c.resource(ctx, i, k) {
					row.Line += before
					if !yield(row, err) || err != nil {
						return
					}
					lines = row.Line
				}
			}
		}
	}
}

// resource gives the rows of one file for the k-th time.
func (c *content) resource(ctx context.Context, index int, k int64) iter.Seq2[catalogue.Row, error] {
	return func(yield func(catalogue.Row, error) bool) {
		r := &c.survey.pkg.Resources[index]
		shown := int64(0) // rows
		show := func(rows int64) {
			bytes := func(n int64) int64 { return r.Found.Bytes * n / max(1, r.Found.Rows/c.survey.repeat.times) }
			c.progress.Add(bytes(rows)-bytes(shown), rows-shown)
			shown = rows
		}
		n := int64(0)
		for row, err := range c.survey.facts(ctx, index, c.codes) {
			if err != nil {
				yield(catalogue.Row{}, err)
				return
			}
			c.survey.repeat.shift(row, k, c.codes)
			if err := c.count(row); err != nil {
				yield(catalogue.Row{}, err)
				return
			}
			if n++; n%1000 == 0 {
				show(n)
				if err := c.members.checkMost(); err != nil {
					yield(catalogue.Row{}, err)
					return
				}
			}
			if !yield(row, nil) {
				return
			}
		}
		show(n)
	}
}

// count counts the members of a row and keeps their numbers.
func (c *content) count(row catalogue.Row) error {
	members := c.members.add(row.Cells, row.Codes)
	if c.numbers == nil {
		return nil
	}
	return c.numbers.Add(members, row.Cells)
}

// Members implements cube.Content.
func (c *content) Members(level cube.Level) iter.Seq[cube.Member] {
	return slices.Values(c.members.of(level))
}

// Numbered implements cube.Content.
func (c *content) Numbered(ctx context.Context) iter.Seq2[catalogue.NumberedRow, error] {
	return c.numbers.All(ctx, c.members.numbers())
}

// LabelHistory implements cube.Content.
func (c *content) LabelHistory() *cube.LabelHistory {
	history, p := c.members.history(), c.survey.pkg
	if p.Names != nil {
		told := append(slices.Sorted(maps.Values(p.CountryNames)), p.Country)
		history.Words = sentencecase.Learn(c.members.names, append(told, p.Names.Words...)...)
	}
	return history
}

// Report implements cube.Content: the report of the survey, with what the members show.
func (c *content) Report() *findings.Report {
	report := *c.survey.report
	report.Levels = []findings.LevelReport{}
	report.Findings = slices.Clone(report.Findings)
	widths := map[string]width{}
	for _, level := range c.survey.pkg.Model.Levels() {
		if !level.Listed {
			continue
		}
		list := c.members.of(level)
		report.Levels = append(report.Levels, findings.LevelReport{Ref: level.Ref, Members: int64(len(list))})
		report.Findings = append(report.Findings, nameFindings(c.survey.pkg.Model, level, list, c.members.breaksOf(level))...)
		if f, ok := functionsUnknown(c.survey.pkg, level, list); ok {
			report.Findings = append(report.Findings, f)
		}
		widths[level.Ref] = widthOf(list)
	}
	report.Findings = append(report.Findings, inverted(c.survey.pkg.Model, widths)...)
	return &report
}

// width is how many values a level has, each counted once however many parents it has, and how many members, each
// counted under its own parent.
type width struct{ values, members int }

// inverted reports the chains whose parent has more values than its child, and hardly a parent more than one
// child: such levels were probably linked the wrong way round. Values alone would accuse every chain whose
// codes begin again under each parent.
func inverted(m *cube.Model, widths map[string]width) []findings.Finding {
	var list []findings.Finding
	for _, level := range m.Levels() {
		above, below := widths[level.Parent], widths[level.Ref]
		if below.values < 2 || above.values <= below.values || below.members*10 > above.members*11 {
			continue
		}
		list = append(list, prose.Describe(findings.Finding{Code: repair.ChainInverted, Severity: findings.SeverityWarning, Field: level.Ref, Count: 1},
			"", findings.Params{"values": int64(below.values), "parent": level.Parent, "parents": int64(above.values)}))
	}
	return list
}

// widthOf counts the values of a level that are not missing, and its members.
func widthOf(list []cube.Member) width {
	values := map[cube.Value]bool{}
	for _, m := range list {
		if key := m.Path[len(m.Path)-1]; !key.IsMissing() {
			values[key] = true
		}
	}
	return width{len(values), len(list)}
}
