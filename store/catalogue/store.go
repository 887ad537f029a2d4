package catalogue

import (
	"context"
	"iter"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
)

// Store is what every store of cubes does. It has no methods of its own: each part is what one kind of user asks for.
type Store interface {
	answer.Store     // who answers questions
	answer.Explainer // who says how they are answered
	Serving          // who serves the cubes
	Loader           // who loads packages
	Versions         // who keeps versions
	SeriesKeeper     // who brings prices and inhabitants
	Backuper         // who wants to have all of it once more
	FileKeeper       // who gives published files
}

// Serving tells what can be served.
type Serving interface {
	// Catalog gives the immutable picture of what is loaded; a later load swaps the whole of it.
	Catalog(ctx context.Context) (*cube.Catalog, error)

	// Ready tells whether the store answers; the error is unavailable.
	Ready(ctx context.Context) error
}

// Loader loads packages.
type Loader interface {
	// Load stores a surveyed package as a new version and serves it: all or nothing, whatever happens in
	// between. Content already stored is not stored again.
	Load(ctx context.Context, content Content) (findings.Loaded, error)
}

// Versions changes which versions of a package are kept, and which of them is served. Requests in flight
// finish on the version they were planned with. The error is unknown-cube where nothing of the name is loaded.
type Versions interface {
	// Serve serves a kept version. The error for another number is that of Catalog.Version.
	Serve(ctx context.Context, name string, number int) error

	// Show says who sees the package from now on.
	Show(ctx context.Context, name string, to cube.Visibility) error

	// Prune gives up all versions but the newest so many and the served one, and tells which it gave up.
	Prune(ctx context.Context, name string, keep int) (dropped []int, err error)

	// Remove gives up all versions.
	Remove(ctx context.Context, name string) error
}

// SeriesKeeper keeps series of prices and of inhabitants for all packages, beside those that packages bring.
type SeriesKeeper interface {
	// Series gives those that were added; nil if there are none.
	Series(ctx context.Context) (*cube.Added, error)

	// AddSeries adds those of one file, which have its name, in place of those of an earlier file of the name.
	AddSeries(ctx context.Context, list []cube.Series) error

	// RemoveSeries removes those of a file. The error is unknown-ref where there are none.
	RemoveSeries(ctx context.Context, name string) error
}

// Backuper writes backups.
type Backuper interface {
	// Backup writes what is committed at one moment into a file, while others ask and load. The file is whole when it is there. One
	// that is there already is replaced only if it may be.
	Backup(ctx context.Context, file string, replace bool) error
}

// FileKeeper has the files of versions as they were published, each once, by the SHA-256 of its bytes.
type FileKeeper interface {
	// FilePart gives the bytes of a file from an offset on, as many as there are in a part. The error is not-kept where the file is not
	// kept, also if it was until now.
	FilePart(ctx context.Context, hash string, from int64) ([]byte, error)
}

// Content is a surveyed package that a store can load.
type Content interface {
	// Package gives the package with its final model.
	Package() *cube.Package

	// Fingerprint identifies all that can change an answer: contents with equal fingerprints have equal answers.
	Fingerprint() string

	// RowCount is how many rows Rows reads.
	RowCount() int64

	// Rows reads every row once. A Row is valid until the next one.
	Rows(ctx context.Context) iter.Seq2[Row, error]

	// Members lists the members of a listed level by number, once Rows has ended.
	Members(level cube.Level) iter.Seq[cube.Member]

	// Numbered gives the rows again, once Rows has ended: by the numbers of their members, for the base cuboid. A row is valid until the next
	// one.
	Numbered(ctx context.Context) iter.Seq2[NumberedRow, error]

	// LabelHistory says where the names of members change over the years, once Rows has ended.
	LabelHistory() *cube.LabelHistory

	// Report says what the load found and assumed, once Rows has ended.
	Report() *findings.Report

	// Files gives the files as they were published, each once, by their hashes; none where they are not to be kept.
	Files() []File

	// Visibility is what the package is to be; "" leaves it as it is.
	Visibility() cube.Visibility

	// Building says that the base cuboid is made, until done is called.
	Building() (done func())

	// Waiting says what the load waits for, until done is called.
	Waiting(what string) (done func())
}

// File is one as it was published.
type File struct {
	Hash  string                   // SHA-256 of its bytes, in hex
	Parts iter.Seq2[[]byte, error] // of its bytes (package parts); one is valid until the next
}

// AnotherLoad is what a load waits for while another one writes.
const AnotherLoad = "another load"

// NumberedRow is a row of the base cuboid.
type NumberedRow struct {
	Numbers []int32  // of the members, one for each listed level
	Amounts []Amount // one for each measure
}

// Row is one CSV row for a store to load.
type Row struct {
	Resource int      // the index in Package.Resources
	Line     int64    // where the row begins in the file, the header being line 1
	Cells    []string // one for each of Model.Columns: canonical digits for numbers, "" for missing
	Codes    []uint32 // one for each cell: equal cells of a column with a code have the same; 0 where a cell has none
}
