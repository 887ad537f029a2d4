package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fiscube/api/jobs"
	"fiscube/api/publish"
	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store"
	"fiscube/store/describe"
	"fiscube/store/load"
)

// drafts keeps the drafts of publishers; nil where no token is set.
func (r *receiving) draftsFor(db string) *publish.Drafts {
	if r.token == "" {
		return nil
	}
	return publish.NewDrafts(cmp.Or(r.drafts, draftsBeside(db)), describer{r.options})
}

// draftsBeside is the folder of drafts where none is given: beside the embedded file, or else in the temporary folder of the system.
func draftsBeside(db string) string {
	if path, ok := store.EmbeddedPath(db); ok && path != ":memory:" {
		return path + ".drafts"
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("fiscube-drafts-%d", os.Getuid()))
}

// describer reads the files of drafts. It implements publish.Describer.
type describer struct{ options load.Options }

// Tables implements publish.Describer.
func (d describer) Tables(zip io.ReaderAt, size int64) (fs.FS, []string, error) {
	return load.OpenTables(zip, size, d.options)
}

// mostFetching is how long a file may take that somebody waits for.
const mostFetching = 2 * time.Minute

// Fetch implements publish.Describer.
func (d describer) Fetch(ctx context.Context, address string, most int64) (io.ReadCloser, string, error) {
	o := d.options
	o.Timeout = mostFetching
	return load.Fetch(ctx, address, most, o)
}

// Describe implements publish.Describer.
func (d describer) Describe(ctx context.Context, files fs.FS, paths []string, said publish.Said) (*publish.Read, error) {
	read := &publish.Read{}
	for _, r := range describe.Readings {
		read.Readings = append(read.Readings, string(r))
	}
	o := d.optionsOf(said, read)
	made, cause := describe.Read(ctx, files, paths, o, load.Silent{})
	if cause != nil {
		var err error
		if made, err = d.afterAll(ctx, files, paths, o, read, cause); err != nil || made == nil {
			return read, err
		}
	}
	d.tell(made, said, read)
	if cause != nil {
		return read, nil
	}
	if err := made.Check(ctx, load.Silent{}); err != nil {
		return read, blame(ctx, read, err, publish.OtherKinds)
	}
	for _, t := range made.Totals() {
		read.Totals = append(read.Totals, publish.Total(t))
	}
	read.Findings = made.Findings()
	descriptor, err := made.Descriptor()
	read.Descriptor, read.Overlay = descriptor, made.Overlay()
	return read, err
}

// optionsOf gives the options of what a person said.
func (d describer) optionsOf(said publish.Said, read *publish.Read) describe.Options {
	o := describe.Options{Name: said.Name, Year: said.Year, Sheet: said.Sheet, Load: d.options, Readings: map[string]describe.Reading{}, Parents: said.Parents, Labels: said.Labels}
	for column, reading := range said.Readings {
		o.Readings[column] = describe.Reading(reading)
	}
	if said.Header != "" {
		row, err := strconv.Atoi(said.Header)
		if o.HeaderRow = row; err != nil || row < 1 {
			o.HeaderRow = 0
			read.Problems = append(read.Problems, publish.Problem{Kind: publish.NoHeader, Text: fmt.Sprintf("%q is no number of a line", said.Header)})
		}
	}
	return o
}

// afterAll reads files that could not be read as a person said, so that at least their columns are shown: without what was said of columns, and
// without a year. It gives nil where that does not help.
func (d describer) afterAll(ctx context.Context, files fs.FS, paths []string, o describe.Options, read *publish.Read, cause error) (*describe.Description, error) {
	without := o
	without.Readings, without.Parents, without.Labels = nil, nil, nil
	noYear := without
	noYear.Load.Allow = append(slices.Clone(o.Load.Allow), findings.NoYear)
	for i, o := range []describe.Options{without, noYear} {
		made, err := describe.Read(ctx, files, paths, o, load.Silent{})
		if err != nil {
			continue
		}
		if i == 0 {
			return made, d.blameColumns(ctx, made, read, cause)
		}
		return made, blame(ctx, read, cause, publish.OtherKinds)
	}
	return nil, blame(ctx, read, cause, publish.OtherKinds)
}

// blameColumns finds the column that an error is of.
func (d describer) blameColumns(ctx context.Context, made *describe.Description, read *publish.Read, cause error) error {
	before := len(read.Problems)
	if err := blame(ctx, read, cause, publish.BadColumn); err != nil {
		return err
	}
	for i := range read.Problems[before:] {
		problem := &read.Problems[before+i]
		if problem.Kind != publish.BadColumn {
			continue
		}
		for _, c := range made.Columns() {
			if strings.Contains(problem.Text, c.Name) && len(c.Name) > len(problem.About) {
				problem.About = c.Name
			}
		}
	}
	return nil
}

// blame makes problems of an error of what was sent. Another one is given back.
func blame(ctx context.Context, read *publish.Read, err error, otherwise publish.Kind) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var lines []string
	var refused *jobs.Refused
	var misplaced *describe.Misplaced
	switch {
	case errors.As(err, &misplaced):
		read.Problems = append(read.Problems, publish.Problem{Kind: publish.BadLevel, About: misplaced.Level, Text: err.Error()})
	case errors.As(asRefused(err), &refused):
		lines = refused.Problems
	case cube.CodeOf(err) == cube.CodeBadValue, cube.CodeOf(err) == cube.CodeTooLarge:
		lines = []string{err.Error()}
	default:
		return err
	}
	for _, line := range lines[:min(len(lines), mostBlamed)] {
		problem := publish.Problem{Kind: kindOf(line, otherwise), Text: line}
		if problem.Kind == publish.BadAbout {
			problem.About = "name"
		}
		if strings.Contains(line, "--year") {
			problem.Text = "" // the kind says it without a command
		}
		read.Problems = append(read.Problems, problem)
	}
	return nil
}

// mostBlamed is how many problems are shown at once.
const mostBlamed = 50

// signs are words of errors by what mends them.
var signs = []struct {
	words string
	kind  publish.Kind
}{
	{"--year", publish.NoYear}, {"fiscal year", publish.NoYear}, {"sheet", publish.NoSheet}, {"names of several columns", publish.NoHeader},
	{"separates columns", publish.NoHeader}, {"--header", publish.NoHeader}, {"holds amounts", publish.NoAmounts}, {"no name of a package", publish.BadAbout},
}

func kindOf(line string, otherwise publish.Kind) publish.Kind {
	for _, sign := range signs {
		if otherwise != publish.BadColumn && strings.Contains(line, sign.words) {
			return sign.kind
		}
	}
	return otherwise
}

// tell gives a description what a person said, and takes from it what was read. An answer that cannot be taken is a problem of its own.
func (d describer) tell(made *describe.Description, said publish.Said, read *publish.Read) {
	questions := made.Questions()
	for _, q := range questions {
		read.Questions = append(read.Questions, q.Question)
	}
	for _, q := range questions {
		if err := q.Answer(said.Answers[q.Key]); err != nil {
			read.Problems = append(read.Problems, publish.Problem{Kind: publish.BadAnswer, About: q.Key, Text: err.Error()})
		}
	}
	about := describe.About{Licence: said.Licence, Country: said.Country, Start: said.Start, End: said.End}
	for field, err := range map[string]error{"licence": about.CheckLicence(), "country": about.CheckCountry(), "start": about.CheckPeriod()} {
		if err != nil {
			read.Problems = append(read.Problems, publish.Problem{Kind: publish.BadAbout, About: field, Text: err.Error()})
		}
	}
	_ = made.Tell(about) // what it refuses is among the problems
	take(made, read)
}

// take takes what was read from a description.
func take(made *describe.Description, read *publish.Read) {
	read.Name, read.Doubts = made.Name, made.Doubts()
	for _, c := range made.Columns() {
		read.Columns = append(read.Columns, publish.Column{Name: c.Name, Cells: c.Cells, Reading: string(c.Reading), Why: c.Why, Of: c.Of})
	}
	for _, l := range made.Levels() {
		read.Levels = append(read.Levels, publish.Level(l))
	}
}
