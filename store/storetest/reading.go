package storetest

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math/big"
	"slices"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// readingTests look at answers that are long, and at readers that come or go at a bad time.
var readingTests = []test{
	{"long answer is whole", testLongAnswer},
	{"removal while a long list is read", testRemovalWhileReading},
	{"readers that leave early", testLeavingEarly},
	{"readers that are cancelled", testCancelledReading},
	{"ready", testReady},
	{"a text in the names of many members", testManyMatches},
	{"an order of more cells than other passes accept is exact", testOrderOfManyCells},
}

// longRows is how many cells a long answer has: more than any buffer on the way holds.
const longRows = 30_000 // in a file of several parts

const longQuestion = "drilldown=line&order=line&pagesize=-1"

func testLongAnswer(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	result := s.ask(s.cube("long"), longQuestion)
	if result.Summary.Count != longRows || len(result.Cells) != longRows {
		s.Errorf("%d cells, counted %d, want %d", len(result.Cells), result.Summary.Count, longRows)
	}
}

// testRemovalWhileReading removes a package of which an answer is half read, and one of which an export is begun. The reader of the answer
// gets the rest, or an error that says why not, that of the export the rest; and the tables go when they are done.
func testRemovalWhileReading(s *subject) {
	removed := func() {
		s.remove("long")
		s.isUnknown("long")
	}
	s.load(sample{"long", longRows, 0}.files())
	s.readAnswer(s.plan(s.cube("long"), longQuestion), removed)
	s.load(sample{"long", longRows, 0}.files())
	p, err := plan.BindFacts(s.cube("long"), query.FactQuery{Size: query.EveryFact})
	if err := errors.Join(err, readLong(s, s.Facts(s.context(), p.Main()), removed)); err != nil {
		s.Error(err)
	}
	s.reopen()
	s.hasTables(0)
	s.isUnknown("long")
}

// readAnswer reads a long answer, which may end in an error that says why.
func (s *subject) readAnswer(p *plan.Plan, atTen func()) {
	s.Helper()
	if err := readLong(s, cellsOf(s.context(), s.Store, p), atTen); err != nil && cube.CodeOf(err) == "" {
		s.Errorf("the reader got %v, which is no *cube.Error", err)
	}
}

// readLong reads a long list, and does something after ten of it.
func readLong[T any](s *subject, list iter.Seq2[T, error], atTen func()) error {
	n := 0
	for _, err := range list {
		if err != nil {
			return err
		}
		if n++; n == 10 {
			atTen()
		}
	}
	if n != longRows {
		s.Errorf("the reader got %d of %d and no error", n, longRows)
	}
	return nil
}

// cellsOf streams the cells of an answer. Ending the range frees everything.
func cellsOf(ctx context.Context, store answer.Store, p *plan.Plan) iter.Seq2[answer.Cell, error] {
	return func(yield func(answer.Cell, error) bool) {
		stream, err := answer.Open(ctx, store, p, cube.English)
		if err != nil {
			yield(answer.Cell{}, err)
			return
		}
		defer stream.Close()
		stream.All(yield)
	}
}

// testLeavingEarly ends answers after their first cells, more often than there are connections.
func testLeavingEarly(s *subject) {
	s.load(sample{"long", longRows / 10, 0}.files())
	p := s.plan(s.cube("long"), longQuestion)
	ctx := s.context()
	for i := range repeat(60, 200) {
		left := i % 3
		for _, err := range cellsOf(ctx, s.Store, p) {
			if err != nil {
				s.Fatalf("reader %d: %v", i, err)
			}
			if left == 0 {
				break
			}
			left--
		}
	}
	s.totals(s.cube("long"), sample{"long", longRows / 10, 0})
}

func testCancelledReading(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	p := s.plan(s.cube("long"), longQuestion)
	for i := range repeat(5, 10) {
		ctx, cancel := context.WithCancel(s.context())
		if err := readUntil(ctx, s.Store, p, i, cancel); err != nil && !errors.Is(err, context.Canceled) {
			s.Errorf("cancelled after %d cells, the reader got %v", i, err)
		}
		cancel()
	}
	ended, cancel := context.WithTimeout(s.context(), time.Nanosecond)
	defer cancel()
	if err := readUntil(ended, s.Store, p, 0, cancel); !errors.Is(err, context.DeadlineExceeded) {
		s.Errorf("asked too late, the reader got %v", err)
	}
	s.totals(s.cube("long"), sample{"long", longRows, 0})
}

// readUntil reads an answer and cancels after some cells; it gives the error that the answer ends with.
func readUntil(ctx context.Context, store answer.Store, p *plan.Plan, cells int, cancel func()) error {
	for _, err := range cellsOf(ctx, store, p) {
		if err != nil {
			return err
		}
		if cells--; cells < 0 {
			cancel()
		}
	}
	return nil
}

func testReady(s *subject) {
	if err := s.Ready(s.context()); err != nil {
		s.Errorf("not ready: %v", err)
	}
}

// testManyMatches cuts on more members than are written into a query: those that are admitted, and where these are most of all, the
// others.
func testManyMatches(s *subject) {
	version := s.load(longAmounts("many units", 3000)).Cube
	for cut, want := range map[string]int64{"unit:~7;~8": 1464, "unit:~1": 1542} { // of 0 to 2999, below a u
		if got := s.ask(version, "drilldown=unit&pagesize=3000&cut="+cut); got.Summary.Count != want || int64(len(got.Cells)) != want {
			s.Errorf("%s admits %d members, want %d", cut, got.Summary.Count, want)
		}
	}
}

// testOrderOfManyCells asks for more cells than other passes accept, on a late page and as an export.
func testOrderOfManyCells(s *subject) {
	version := s.load(longAmounts("most units", 10_001)).Cube
	const question = "drilldown=unit&aggregates=paid.sum|paid.count|paid.avg&order=paid.avg:desc&pagesize="
	all := slices.Concat(s.ask(version, question+"10000&page=1").Cells, s.ask(version, question+"10000&page=2").Cells)
	exact := func(c answer.Cell) *big.Rat { return quotient(c.Values[0].Decimal.Rat(), c.Values[1].Decimal.Rat()) }
	if len(all) != 10_001 || !slices.IsSortedFunc(all, func(a, b answer.Cell) int {
		return cmp.Or(exact(b).Cmp(exact(a)), a.Keys[0].Compare(b.Keys[0]))
	}) {
		s.Errorf("%d cells are not in their exact order", len(all))
	}
	stream, err := answer.Open(s.context(), s.Store, s.plan(version, question+"10000"), cube.English)
	if err != nil {
		s.Fatal(err)
	}
	defer stream.Close()
	n := 0
	for cell, err := range stream.All {
		if err != nil || cell.Keys[0] != all[n].Keys[0] {
			s.Fatalf("cell %d of the export is %v, want %v: %v", n, cell.Keys, all[n].Keys, err)
		}
		n++
	}
	if n != 10_000 || len(stream.Warnings) > 0 {
		s.Errorf("the export has %d cells, and warns of %v", n, stream.Warnings)
	}
}
