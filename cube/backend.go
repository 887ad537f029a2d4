package cube

import (
	"context"
	"iter"
)

// Backend is a store of facts: PostgreSQL or the embedded DuckDB. A plan means the same on each.
type Backend interface {
	// Catalog gives the immutable picture of what is loaded; a later load swaps the whole of it.
	Catalog(ctx context.Context) (*Catalog, error)

	Reader
	Finder

	// Load stores a surveyed package as a new version and serves it: all or nothing, whatever happens in
	// between. Content already stored is not stored again.
	Load(ctx context.Context, content Content) (Loaded, error)

	// Ready tells whether the store answers; the error is unavailable.
	Ready(ctx context.Context) error

	Versions
}

// Reader answers from facts. Ending a range frees everything; an error ends the range.
type Reader interface {
	// Run answers a plan: first its summary, whose Count is the number of cells, then the cells of its page
	// in order.
	Run(ctx context.Context, plan *Plan) iter.Seq2[Cell, error]

	// Facts answers a plan of facts with the facts of its page in order.
	Facts(ctx context.Context, plan *FactPlan) iter.Seq2[Fact, error]

	// Members answers a plan for members: first a row whose Count is the number of members, then those of its page in
	// order.
	Members(ctx context.Context, plan *MemberPlan) iter.Seq2[MemberRow, error]

	// SQL gives what Run asks the database for a plan, with its arguments.
	SQL(plan *Plan) (text string, args []any)
}

// Finder looks for what cuts name among the members of a cube.
type Finder interface {
	// Find says for each whether it is there.
	Find(ctx context.Context, one *Cube, wanted []Wanted) ([]bool, error)

	// Near gives for each the keys or labels of its level that may have been meant, those of most rows first.
	Near(ctx context.Context, one *Cube, wanted []Wanted) ([][]string, error)
}

// Versions changes which versions of a package are kept, and which of them is served. Requests in flight
// finish on the version they were planned with. The error is unknown-cube where nothing of the name is loaded.
type Versions interface {
	// Serve serves a kept version. The error for another number is that of Catalog.Version.
	Serve(ctx context.Context, name string, number int) error

	// Prune gives up all versions but the newest so many and the served one, and tells which it gave up.
	Prune(ctx context.Context, name string, keep int) (dropped []int, err error)

	// Remove gives up all versions.
	Remove(ctx context.Context, name string) error
}

// Content is a surveyed package on its way into a store.
type Content interface {
	// Package has the settled model.
	Package() *Package

	// Fingerprint is equal for two contents whose every answer is equal.
	Fingerprint() string

	// Rows reads every row once. A Row is valid until the next one.
	Rows(ctx context.Context) iter.Seq2[Row, error]

	// Members lists the members of a listed level, in no particular order, once Rows has ended.
	Members(level Level) iter.Seq[Member]

	// Report says what was found and assumed, once Rows has ended.
	Report() *Report
}

// Row is one CSV row on its way into a store.
type Row struct {
	Resource int      // its place among Package.Resources
	Line     int64    // where the row begins in the file, the header being line 1
	Cells    []string // one for each of Model.Columns: canonical digits for numbers, "" for missing
}

// Member is one value of a level, with what a store keeps of it.
type Member struct {
	Path   []Value // one for each of Level.Path
	Label  string  // tidied for display; "" where the level has no label field or the member no label
	Fold   string  // the key and every label, tidied and without case and accents, each on a line of its own
	Rank   int64   // of Label, or of the key where there is none
	Rows   int64
	Labels []Label // the latest year first, of a year the shown one first; a missing year comes last
}

// Label is what rows of one fiscal year call a member.
type Label struct {
	Year  Value  // a whole number; Missing where the rows have none
	Text  string // tidied; "" where the rows have none
	Rank  int64  // the place of Text, or of the key, among all of the level in alphabetical order; equals share it
	Rows  int64
	Shown bool // the one of its year to show
}

// Years gives the first and the last fiscal year of a member; both are Missing where its rows have none.
func (m Member) Years() (first, last Value) {
	for _, l := range m.Labels {
		if l.Year.IsMissing() {
			continue
		}
		if first = l.Year; last.IsMissing() {
			last = l.Year
		}
	}
	return first, last
}

// Outcome says what a load came to.
type Outcome string

// The outcomes of a load.
const (
	OutcomeLoaded    Outcome = "loaded"    // a new version, now served
	OutcomeUnchanged Outcome = "unchanged" // the served version has this fingerprint already
	OutcomeRestored  Outcome = "restored"  // a kept version has this fingerprint and is served again
)

// Loaded is what a load left behind.
type Loaded struct {
	Cube    *Cube
	Outcome Outcome
}
