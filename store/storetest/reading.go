package storetest

import (
	"context"
	"errors"
	"iter"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// readingTests look at answers that are long, and at readers that come or go at a bad time.
var readingTests = []test{
	{"long answer is whole", testLongAnswer},
	{"removal while a long answer is read", testRemovalWhileReading},
	{"removal while facts are read", testRemovalWhileFactsAreRead},
	{"readers that leave early", testLeavingEarly},
	{"readers that are cancelled", testCancelledReading},
	{"ready", testReady},
}

// longRows is how many cells a long answer has: more than any buffer on the way holds.
const longRows = 30_000

const longQuestion = "drilldown=line&order=line&pagesize=-1"

func testLongAnswer(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	result := s.ask(s.cube("long"), longQuestion)
	if result.Summary.Count != longRows || len(result.Cells) != longRows {
		s.Errorf("%d cells, counted %d, want %d", len(result.Cells), result.Summary.Count, longRows)
	}
}

// testRemovalWhileReading removes a package of which an answer is half read. The reader gets the rest, or an
// error that says why not; and the tables go when it is done.
func testRemovalWhileReading(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	s.readLong(s.plan(s.cube("long"), longQuestion), func() {
		s.remove("long")
		s.isUnknown("long")
	})
	s.reopen()
	s.hasTables(0)
	s.isUnknown("long")
}

// readLong reads a long answer, and does something after ten cells. The reader has to get all of them, or an error that
// says why not.
func (s *subject) readLong(p *plan.Plan, atTen func()) {
	s.Helper()
	cells := 0
	for _, err := range cellsOf(s.context(), s.Store, p) {
		if err != nil {
			if cube.CodeOf(err) == "" {
				s.Errorf("the reader got %v, which is no *cube.Error", err)
			}
			return
		}
		if cells++; cells == 10 {
			atTen()
		}
	}
	if cells != longRows {
		s.Errorf("the reader got %d cells and no error, want %d", cells, longRows)
	}
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

// testRemovalWhileFactsAreRead removes a package of which an export is begun: it goes on to its end.
func testRemovalWhileFactsAreRead(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	p, err := plan.BindFacts(s.cube("long"), query.FactQuery{Size: query.EveryFact})
	if err != nil {
		s.Fatal(err)
	}
	facts := 0
	for _, err := range s.Facts(s.context(), p.Main()) {
		if err != nil {
			s.Fatalf("after %d facts: %v", facts, err)
		}
		if facts++; facts == 10 {
			s.remove("long")
			s.isUnknown("long")
		}
	}
	if facts != longRows {
		s.Errorf("the reader got %d facts, want %d", facts, longRows)
	}
	s.reopen()
	s.hasTables(0)
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
