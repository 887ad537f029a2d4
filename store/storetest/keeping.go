package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// keepingTests serve kept versions and give up others.
var keepingTests = []test{
	{"serve takes a kept version", testServed},
	{"serve refuses a version that is not kept", testNotServed},
	{"prune drops old versions", testPruned},
	{"prune keeps the served version", testPrunedButServed},
	{"prune while an answer is read", testPruneWhileReading},
	{"last version number is known", testLast},
	{"reports are kept", testReports},
	{"load, serve and prune at once", testKeepingAtOnce},
}

// loadEditions loads so many versions, all different.
func (s *subject) loadEditions(n int) []sample {
	s.Helper()
	var all []sample
	for i := range n {
		all = append(all, sample{"small", 40 + i, i})
		s.load(all[i].files())
	}
	return all
}

// serves checks which version is served, which are kept, and that each holds its edition.
func (s *subject) serves(editions []sample, number int, kept ...int) {
	s.Helper()
	if served := s.cube("small"); served.Version != number {
		s.Errorf("version %d is served, want %d", served.Version, number)
	}
	var numbers []int
	for _, one := range s.versions("small") {
		numbers = append(numbers, one.Version)
		s.totals(one, editions[one.Version-1])
	}
	if !slices.Equal(numbers, kept) {
		s.Errorf("kept are %v, want %v", numbers, kept)
	}
	s.hasTables(len(kept))
}

func (s *subject) serve(number int) {
	s.Helper()
	if err := s.Serve(s.context(), "small", number); err != nil {
		s.Errorf("serve version %d: %v", number, err)
	}
}

func (s *subject) prune(keep int, want ...int) {
	s.Helper()
	dropped, err := s.Prune(s.context(), "small", keep)
	if err != nil || !slices.Equal(dropped, want) {
		s.Errorf("pruned to %d: dropped %v, %v; want %v", keep, dropped, err, want)
	}
}

func testServed(s *subject) {
	editions := s.loadEditions(3)
	for _, number := range []int{1, 3, 3, 2} {
		s.serve(number)
		s.serves(editions, number, 1, 2, 3)
	}
	s.reopen()
	s.serves(editions, 2, 1, 2, 3)
	editions = append(editions, sample{"small", 99, 9})
	if loaded := s.load(editions[3].files()); loaded.Cube.Version != 4 {
		s.Errorf("the load after a rollback is version %d, want 4", loaded.Cube.Version)
	}
	s.serves(editions, 4, 1, 2, 3, 4)
}

func testNotServed(s *subject) {
	if err := s.Serve(s.context(), "small", 1); cube.CodeOf(err) != cube.CodeUnknownCube {
		s.Errorf("serve what was never loaded: %v", err)
	}
	editions := s.loadEditions(3)
	s.prune(1, 1, 2)
	for number, code := range map[int]cube.Code{
		-1: cube.CodeUnknownVersion, 0: cube.CodeUnknownVersion, 1: cube.CodeGone, 2: cube.CodeGone, 4: cube.CodeUnknownVersion,
		1 << 40: cube.CodeUnknownVersion,
	} {
		var said *cube.Error
		if err := s.Serve(s.context(), "small", number); !errors.As(err, &said) || said.Code != code || said.Hint != "version 3 is served" {
			s.Errorf("serve version %d: %v, want code %s", number, err, code)
		}
	}
	s.serves(editions, 3, 3)
	s.remove("small")
	if err := s.Serve(s.context(), "small", 3); cube.CodeOf(err) != cube.CodeUnknownCube {
		s.Errorf("serve what was removed: %v", err)
	}
}

func testPruned(s *subject) {
	if _, err := s.Prune(s.context(), "small", 1); cube.CodeOf(err) != cube.CodeUnknownCube {
		s.Errorf("prune what was never loaded: %v", err)
	}
	editions := s.loadEditions(4)
	former := s.versions("small")[0]
	s.prune(9)
	s.prune(4)
	s.prune(3, 1)
	s.serves(editions, 4, 2, 3, 4)
	s.prune(0, 2, 3)
	s.serves(editions, 4, 4)
	_, err := s.run(s.context(), s.plan(former, "drilldown=region"))
	if cube.CodeOf(err) != cube.CodeGone {
		s.Errorf("asked for what was pruned: %v, want code %s", err, cube.CodeGone)
	}
	s.reopen()
	s.serves(editions, 4, 4)
	editions = append(editions, editions[0])
	if loaded := s.load(editions[0].files()); loaded.Outcome != cube.OutcomeLoaded || loaded.Cube.Version != 5 {
		s.Errorf("what was pruned is loaded again: %q, version %d", loaded.Outcome, loaded.Cube.Version)
	}
}

func testPrunedButServed(s *subject) {
	editions := s.loadEditions(4)
	s.serve(1)
	s.prune(2, 2)
	s.serves(editions, 1, 1, 3, 4)
	s.prune(0, 3, 4)
	s.serves(editions, 1, 1)
}

func testPruneWhileReading(s *subject) {
	s.load(sample{"long", longRows, 0}.files())
	p := s.plan(s.cube("long"), longQuestion)
	s.load(sample{"long", 10, 1}.files())
	s.readLong(p, func() {
		if dropped, err := s.Prune(s.context(), "long", 1); err != nil || !slices.Equal(dropped, []int{1}) {
			s.Errorf("dropped %v, %v", dropped, err)
		}
	})
	s.reopen()
	s.hasTables(1)
}

func testLast(s *subject) {
	s.loadEditions(3)
	s.serve(1)
	s.prune(0, 2, 3)
	for range 2 {
		if last := s.cube("small").Last; last != 3 {
			s.Errorf("the last number is %d, want 3", last)
		}
		s.reopen()
	}
}

func testReports(s *subject) {
	small := sample{"small", 40, 0}
	loaded := s.load(small.files()).Cube
	s.reopen()
	for _, one := range []*cube.Cube{loaded, s.cube("small")} {
		report, err := findings.Of(one)
		if err != nil {
			s.Fatal(err)
		}
		members := ""
		for _, l := range report.Levels {
			members += fmt.Sprintf("%s %d, ", l.Ref, l.Members)
		}
		if want := "year 2, region 4, town 20, "; members != want {
			s.Errorf("the report counts %s, want %s", members, want)
		}
		if len(report.Resources) != 1 || report.Resources[0].Rows != 40 || len(report.Totals) != 2 || report.Findings == nil {
			s.Errorf("the report is %+v", report)
		}
	}
}

// testKeepingAtOnce does whatever comes to mind. Nothing may fail but for the reason that a version is not there,
// and there is always one served.
func testKeepingAtOnce(s *subject) {
	editions := s.loadEditions(2)
	ctx, cancel := context.WithTimeout(s.context(), time.Duration(repeat(1, 4))*time.Second)
	defer cancel()
	atOnce(3, func(i int) {
		for n := 0; ctx.Err() == nil; n++ {
			var err error
			switch i {
			case 0:
				_, err = loadInto(s.Context(), s.Store, editions[n%2].files())
			case 1:
				err = s.Serve(s.Context(), "small", 1+n%4)
			default:
				_, err = s.Prune(s.Context(), "small", 1)
				if err == nil {
					err = askTowns(s, "small")
				}
			}
			switch cube.CodeOf(err) {
			case cube.CodeGone, cube.CodeUnknownVersion:
			default:
				if err != nil {
					s.Errorf("%d: %v", i, err)
				}
			}
		}
	})
	s.sameAfterReopening("small")
	s.load(editions[0].files())
	s.totals(s.cube("small"), editions[0])
}
