// Package load brings a published package into a store.
//
// A load reads every file once. The survey checks encoding, header, number of cells, types, sizes and hashes, keeps the rows in
// a temporary file by the codes of their cells (package coded), and reports all problems at once. Only then are the rows
// streamed into the store, by types settled over all resources, in one transaction. Cells repeat, so that what a cell says is
// found out once. Memory does not grow with the files; it grows with the number of members.
//
// A package may come from anyone, so nothing it says is trusted: paths stay in its folder or zip (os.Root; the
// entries of a zip are never unpacked to disk), addresses are checked when they are dialled and not when they
// are read, and what is fetched or unpacked is bounded in bytes, time and ratio. Bytes are hashed as published,
// before decoding and after decompression. Encodings and number forms are declared, never guessed.
//
// Calls go one way, down this list:
//
//	load.go         a load: the survey, then its content to the store
//	content.go      what a store is given: rows by typer.go, members.go, repeat.go for a larger package
//	survey.go       a survey, step by step: it reads the files and settles the model
//	resource.go     one file, ahead.go reads ahead  subtotals.go    rows that look like totals
//	statements.go   snapshots that are declared     detect.go       those that are not
//	empty.go        what a package does not have    columntypes.go  columnTypes that are not as the model
//	report.go       the report
//	surveyor.go     what a survey knows of the package, and of each file
//	totals.go       rows that hold totals           snapshots.go    the snapshots of a file, sample.go its first rows
//	collector.go    what is found                   fieldstats.go   what the cells of a field show
//	siblings.go     members that are sums of others prefixes.go     codes that are the sums of those below them
//	totalwords.go   the words for a total           makers.go       the cells of columns, made of published ones
//	source.go       where a package is              options.go      what a person may say of a load
//	originals.go    the files as they were published
//
// The files themselves are read by package files, and their amounts by package numeric. What a cell is package evidence says.
package load

import (
	"context"

	"fiscube/cube/findings"
	"fiscube/store/catalogue"
	"fiscube/store/load/base"
)

// Run surveys a package and loads it into a store. The error is *Rejected when the package cannot be loaded
// as it is, and fdp.Problems when its descriptor cannot.
func Run(ctx context.Context, target catalogue.Loader, source *Source, progress Progress) (findings.Loaded, error) {
	survey, err := take(ctx, source, progress, !source.options.NoFiles)
	if err != nil {
		return findings.Loaded{}, err
	}
	content := newContent(survey, progress)
	content.numbers = base.NewRows(survey.kept, survey.pkg.Model)
	return target.Load(ctx, content)
}

// Count reads every file once more and gives the report with what the members show, as a load would store it.
func (s *Survey) Count(ctx context.Context, progress Progress) (*findings.Report, error) {
	c := newContent(s, progress)
	c.stage = "Counting"
	for _, err := range c.Rows(ctx) {
		if err != nil {
			return nil, err
		}
	}
	return c.Report(), nil
}
