package storetest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/store/catalogue"
)

// faultTests load contents that fail on their way.
var faultTests = []test{
	{"load that writes other facts than the files have", testOtherFacts},
	{"load that fails among its rows", testFailingRows},
	{"load cancelled at any time", testCancelledAnyTime},
	{"load cancelled while it is published", testCancelledPublishing},
}

// faultRows is more than a store takes at once.
const faultRows = 5000

// failing loads an edition of which something happens before row n, or behind all rows and its file, and gives the error.
func (s *subject) failing(ctx context.Context, edition sample, n int, happens func() error) error {
	s.Helper()
	_, err := loadInto(ctx, tampering{s.Store, func(content catalogue.Content) catalogue.Content {
		if n > edition.rows {
			return filesTampered{content, happens}
		}
		return rowsTampered{content, func(i int, row catalogue.Row) ([]catalogue.Row, error) {
			if i == n {
				return []catalogue.Row{row}, happens()
			}
			return []catalogue.Row{row}, nil
		}}
	}}, edition.files())
	return err
}

// survived checks that nothing came of a failed load.
func (s *subject) survived(served, failed sample) {
	s.Helper()
	s.hasTables(served.edition + 1)
	if versions := s.versions(served.name); len(versions) != served.edition+1 {
		s.Errorf("%d versions after the failed load, want %d", len(versions), served.edition+1)
	}
	s.totals(s.cube(served.name), served)
	s.hasFilesOf(s.versions(served.name), served, failed)
}

// testFailingRows breaks loads before some row or behind all files, the first load among them, and cancels them there.
func testFailingRows(s *subject) {
	broken := cube.Errorf(cube.CodeBadPackage, "broken")
	var served sample
	for edition, n := range []int{-1, 0, 1, faultRows / 2, faultRows, faultRows + 1} {
		for _, cancels := range []bool{false, true} {
			ctx, cancel := context.WithCancel(s.context())
			want := error(broken)
			if cancels {
				want = context.Canceled
			}
			if n < 0 && cancels {
				cancel() // before it begins
			}
			next := sample{"small", faultRows, edition}
			err := s.failing(ctx, next, max(n, 100*-n), func() error {
				if !cancels {
					return broken
				}
				cancel()
				time.Sleep(50 * time.Millisecond) // for what reacts to the end of a context
				return nil
			})
			if cancel(); !errors.Is(err, want) {
				s.Errorf("before row %d the load gave %v, want %v", n, err, want)
			}
			if edition > 0 {
				s.survived(served, next)
				continue
			}
			s.isUnknown("small")
			s.hasTables(0)
			s.hasFilesOf(nil, next)
			s.reopen()
			s.isUnknown("small")
		}
		next := sample{"small", faultRows, edition}
		if loaded := s.load(next.files()); loaded.Cube.Version != edition+1 || loaded.Outcome != findings.OutcomeLoaded {
			s.Errorf("the next load is %q, version %d, want %d", loaded.Outcome, loaded.Cube.Version, edition+1)
		}
		served = next
		s.totals(s.cube("small"), served)
	}
}

// testOtherFacts has a row written in place of another, and one written twice. The base cuboid is filled from the files.
func testOtherFacts(s *subject) {
	served := sample{"small", faultRows, 0}
	s.load(served.files())
	next := sample{"small", faultRows, 1}
	var first []string
	for name, tamper := range map[string]func(i int, row catalogue.Row) ([]catalogue.Row, error){
		"one twice": func(i int, row catalogue.Row) ([]catalogue.Row, error) {
			if i == 1 {
				return []catalogue.Row{row, row}, nil
			}
			return []catalogue.Row{row}, nil
		},
		"one for another": func(i int, row catalogue.Row) ([]catalogue.Row, error) {
			if i == 0 {
				first = slices.Clone(row.Cells)
			}
			row.Cells, row.Codes = slices.Clone(first), make([]uint32, len(row.Codes))
			return []catalogue.Row{row}, nil
		},
	} {
		_, err := loadInto(s.context(), tampering{s.Store, func(content catalogue.Content) catalogue.Content {
			return rowsTampered{content, tamper}
		}}, next.files())
		if err == nil || !strings.Contains(err.Error(), "of the fact table is") {
			s.Errorf("%s: the load gave %v", name, err)
		}
	}
	s.survived(served, next)
}

// testCancelledAnyTime cancels loads after random times. One that is cancelled too late is loaded.
func testCancelledAnyTime(s *subject) {
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Now()
	s.load(sample{"small", 200, 0}.files())
	longest := 2 * time.Since(start)
	for i := range repeat(15, 40) {
		edition := sample{"small", 200, i + 1}
		ctx, cancel := context.WithTimeout(s.context(), time.Duration(random.Int64N(int64(longest))))
		_, err := loadInto(ctx, s.Store, edition.files())
		cancel()
		if err == nil {
			s.totals(s.cube("small"), edition)
		}
	}
	s.goesOn()
}

// testCancelledPublishing cancels loads just before their end. A store asks for the fingerprint when it begins
// and when it publishes.
func testCancelledPublishing(s *subject) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range repeat(10, 25) {
		ctx, cancel := context.WithCancel(s.context())
		asked := 0
		_, err := loadInto(ctx, tampering{s.Store, func(content catalogue.Content) catalogue.Content {
			return watched{content, func() {
				if asked++; asked == 2 {
					time.AfterFunc(time.Duration(random.Int64N(int64(4*time.Millisecond))), cancel)
				}
			}}
		}}, sample{"small", 20, i}.files())
		cancel()
		if versions := s.versions("small"); err == nil && len(versions) == 0 {
			s.Error("a load without an error loaded nothing")
		}
		s.sameAfterReopening("small")
	}
	s.goesOn()
}

// goesOn checks that the store still loads and answers.
func (s *subject) goesOn() {
	s.Helper()
	last := sample{"small", 200, 99}
	s.load(last.files())
	s.totals(s.cube("small"), last)
	s.sameAfterReopening("small")
}

// sameAfterReopening checks that the picture of the catalogue is the catalogue, and that there are no other
// tables than its.
func (s *subject) sameAfterReopening(name string) {
	s.Helper()
	s.settle(name)
	s.eventually("the tables are those of the catalogue", func() bool { return s.tables() == s.each*len(s.versions(name)) })
	before := listed(s.versions(name))
	s.reopen()
	if after := listed(s.versions(name)); after != before {
		s.Errorf("before reopening there were %s, after it %s", before, after)
	}
	s.hasTables(len(s.versions(name)))
}

// settle waits until nothing of a package is under way. A server may still commit what its load has taken for failed;
// who is to serve a version waits behind it and then knows all versions, even for one that there never is.
func (s *subject) settle(name string) {
	s.Helper()
	if err := s.Serve(s.context(), name, 0); !slices.Contains([]cube.Code{cube.CodeUnknownCube, cube.CodeUnknownVersion}, cube.CodeOf(err)) {
		s.Fatalf("version 0 is served: %v", err)
	}
}

func listed(versions []*cube.Cube) string {
	text := ""
	for _, v := range versions {
		text += fmt.Sprintf("%d (id %d, %d rows, served %t) ", v.Version, v.ID, v.Rows, v.Served)
	}
	return text
}

// tampering is a store that changes every content before it is loaded.
type tampering struct {
	catalogue.Store
	with func(catalogue.Content) catalogue.Content
}

// Load implements catalogue.Loader.
func (b tampering) Load(ctx context.Context, content catalogue.Content) (findings.Loaded, error) {
	return b.Store.Load(ctx, b.with(content))
}

// rowsTampered is a content in which other rows take the place of each row. It is asked once more behind the last, with a row of nothing.
// Where it gives an error, the rows end with it.
type rowsTampered struct {
	catalogue.Content
	change func(i int, row catalogue.Row) ([]catalogue.Row, error)
}

// Rows implements catalogue.Content.
func (c rowsTampered) Rows(ctx context.Context) iter.Seq2[catalogue.Row, error] {
	return func(yield func(catalogue.Row, error) bool) {
		i := 0
		for row, err := range c.Content.Rows(ctx) {
			rows, changing := c.change(i, row)
			if err := errors.Join(err, changing); err != nil {
				yield(catalogue.Row{}, err)
				return
			}
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			i++
		}
		if _, err := c.change(i, catalogue.Row{}); err != nil {
			yield(catalogue.Row{}, err)
		}
	}
}

// watched is a content that tells when a store asks for its fingerprint.
type watched struct {
	catalogue.Content
	asked func()
}

// Fingerprint implements catalogue.Content.
func (c watched) Fingerprint() string {
	c.asked()
	return c.Content.Fingerprint()
}
