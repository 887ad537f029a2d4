// Package storetest is what every store has to pass: the conformance suite of catalogue.Store.
//
//	func TestStore(t *testing.T)     { storetest.Run(t, func(t testing.TB) storetest.Place { … }) }
//	func TestAnswers(t *testing.T)   { storetest.Answers(t, func(t testing.TB) storetest.Place { … }) }
//	func TestQuestions(t *testing.T) { storetest.Questions(t, func(t testing.TB) storetest.Place { … }, *update) }
//
// Run loads small packages and disturbs the loads: contents that change, that fail in the middle, that arrive twice at
// once, that are removed while they are read.
//
// Answers loads made-up packages, the seeds, and the real packages where they are beside the checkout, and asks random
// questions. An answer is checked against simpler ones by relations that must hold (relations.go): pages concatenate, a
// subtotal is the sum of its cells, a comparison is two questions. What is left is a plain question, and its cells are
// those of the adder (adder.go), which reads the CSV files again by itself and adds up one row after the other. It is
// given the Query and the Plan, less the filters that Bind adds; the Model, which says what columns there are and how
// they are derived; and which resources and lines the repairs left out. Agree asks several stores the same questions.
//
// Questions asks what testdata/questions holds in text, one topic a file: small packages that are added up by eye, every
// production of the grammar, every mistake worth showing. The program's own tests ask the same over HTTP (AskAll).
//
// FISCUBE_TEST_QUERIES=10000 asks so many random questions of each package instead of a few, and a twentieth of them
// where it has very many rows; a failure prints the question, which Query reads back. make questions does so.
package storetest

import (
	"context"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/seeds"
	"fiscube/store/catalogue"
	"fiscube/store/load"
)

// Store is a store that is closed when done.
type Store interface {
	catalogue.Store
	io.Closer
}

// Place is where a store keeps its data: a file, a database.
type Place interface {
	// Open opens the store that is kept here. After it is closed it can be opened again.
	Open(t testing.TB) Store

	// Tables counts the tables in the schemas fact, member and cuboid. The store is the one that is open.
	Tables(t testing.TB, store Store) int

	// Query gives the rows of a query whose columns are texts; NULL is "". The store is the one that is open.
	Query(t testing.TB, store Store, text string) [][]string
}

// Run checks that loads, removals and answers do not disturb each other, whatever fails. Each of the tests asks
// for a fresh place, which is empty, unless it changes nothing.
func Run(t *testing.T, fresh func(t testing.TB) Place) {
	collectSeldom()
	each := tablesOfSample(t, fresh(t))
	readOnly := open(t, fresh(t))
	for _, group := range []struct {
		name   string
		tests  []test
		shared bool // they only load and ask, so that one place does for all
	}{
		{"versions", versionTests, false},
		{"faults", faultTests, false},
		{"together", togetherTests, false},
		{"reading", readingTests, false},
		{"bare files", bareTests, true},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) {
					if group.shared {
						test.run(readOnly.in(t))
						return
					}
					t.Parallel() // most of them wait for a disk or a server
					s := open(t, fresh(t))
					s.each = each
					test.run(s)
				})
			}
		})
	}
}

// collectSeldom looks for garbage less often than Go would, unless GOGC says how often.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// test is one test of the suite.
type test struct {
	name string
	run  func(s *subject)
}

// subject is a store under test.
type subject struct {
	*testing.T
	Store
	place Place
	each  int // tables that a version of a sample takes
}

// tablesOfSample counts the tables that a version of a sample takes; each store may have its own.
func tablesOfSample(t *testing.T, place Place) int {
	s := open(t, place)
	defer func() { _ = s.Close() }()
	s.load(sample{name: "small", rows: 40}.files())
	return s.tables()
}

func open(t *testing.T, place Place) *subject {
	t.Helper()
	s := &subject{T: t, Store: place.Open(t), place: place}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// in is the same store in another test.
func (s *subject) in(t *testing.T) *subject {
	inTest := *s
	inTest.T = t
	return &inTest
}

// reopen closes the store and opens it again.
func (s *subject) reopen() {
	s.Helper()
	if err := s.Close(); err != nil {
		s.Fatalf("close the store: %v", err)
	}
	s.Store = s.place.Open(s.T)
}

// patience is how long a test waits for what takes milliseconds when all is well.
const patience = time.Minute

// context gives one that ends a test which hangs.
func (s *subject) context() context.Context {
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	s.Cleanup(cancel)
	return ctx
}

// load loads a package, which must succeed and keep its files.
func (s *subject) load(files fs.FS) findings.Loaded {
	s.Helper()
	loaded, err := loadInto(s.context(), s.Store, files)
	if err != nil {
		s.Fatalf("load: %v", err)
	}
	s.hasFiles(loaded.Cube)
	return loaded
}

// loadInto loads a package into a store, with the overlay that ships for it.
func loadInto(ctx context.Context, store catalogue.Store, files fs.FS) (findings.Loaded, error) {
	return loadWith(ctx, store, files, load.Options{})
}

func loadWith(ctx context.Context, store catalogue.Store, files fs.FS, options load.Options) (findings.Loaded, error) {
	options.Shipped, options.Allow = seeds.OverlayFor, findings.Allowable
	source, err := load.OpenFS(ctx, files, options)
	if err != nil {
		return findings.Loaded{}, err
	}
	return load.Run(ctx, store, source, load.Silent{})
}

// servedCube gives the served version of a package.
func servedCube(ctx context.Context, store catalogue.Store, name string) (*cube.Cube, error) {
	catalog, err := store.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	return catalog.Cube(name)
}

// cube gives the served version of a package, which there must be.
func (s *subject) cube(name string) *cube.Cube {
	s.Helper()
	served, err := servedCube(s.context(), s.Store, name)
	if err != nil {
		s.Fatalf("no cube: %v", err)
	}
	return served
}

// versions lists the versions of a package, oldest first.
func (s *subject) versions(name string) []*cube.Cube {
	s.Helper()
	catalog, err := s.Catalog(s.context())
	if err != nil {
		s.Fatalf("catalog: %v", err)
	}
	return catalog.Versions(name)
}

// ask asks a version of a package, which must answer.
func (s *subject) ask(version *cube.Cube, question string) *answer.Answer {
	s.Helper()
	result, err := s.run(s.context(), s.plan(version, question))
	if err != nil {
		s.Fatalf("%s: %v", question, err)
	}
	return result
}

// run answers a plan.
func (s *subject) run(ctx context.Context, p *plan.Plan) (*answer.Answer, error) {
	return answer.Run(ctx, s.Store, p, cube.English)
}

// plan binds a question.
func (s *subject) plan(version *cube.Cube, question string) *plan.Plan {
	s.Helper()
	p, err := bind(version, question)
	if err != nil {
		s.Fatalf("%s: %v", question, err)
	}
	return p
}

// tables counts the tables of facts, members and base cuboids.
func (s *subject) tables() int {
	s.Helper()
	return s.place.Tables(s.T, s.Store)
}

// hasTables checks that there are the tables of so many versions of samples, none missing and none left behind.
// A store may take its time to drop tables.
func (s *subject) hasTables(versions int) {
	s.Helper()
	want := versions * s.each
	if got := s.tables(); got < want {
		s.Fatalf("%d tables, want %d", got, want)
	}
	s.eventually("no table left behind", func() bool { return s.tables() == want })
}

// eventually waits until what is so.
func (s *subject) eventually(what string, so func() bool) {
	s.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("after %v still not: %s", patience, what)
		}
	}
}
