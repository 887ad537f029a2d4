package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// togetherTests do several things at once.
var togetherTests = []test{
	{"loads at once", testLoadsAtOnce},
	{"loads, removals and answers at once", testEverythingAtOnce},
	{"answers are those of the version asked", testAnswersOfVersions},
}

// atOnce runs n jobs at the same time and waits for all.
func atOnce(n int, job func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { job(i) })
	}
	all.Wait()
}

// testLoadsAtOnce loads packages at once, each twice: one of the two loads finds that the other has loaded the same.
func testLoadsAtOnce(s *subject) {
	const packages = 4
	name := func(i int) string { return fmt.Sprintf("package %d", i%packages) }
	rounds := repeat(4, 10)
	for round := range rounds {
		ctx := s.context()
		var outcomes [2 * packages]string
		atOnce(len(outcomes), func(i int) {
			loaded, err := loadInto(ctx, s.Store, sample{name(i), 500 + i%packages, round}.files())
			if err != nil {
				s.Errorf("load %s: %v", name(i), err)
				return
			}
			outcomes[i] = string(loaded.Outcome)
			if loaded.Cube.Name != name(i) || loaded.Cube.Version != round+1 {
				s.Errorf("load %s gave version %d of %s, want %d", name(i), loaded.Cube.Version, loaded.Cube.Name, round+1)
			}
		})
		for i := range packages {
			both := []string{outcomes[i], outcomes[i+packages]}
			if slices.Sort(both); !slices.Equal(both, []string{string(findings.OutcomeLoaded), string(findings.OutcomeUnchanged)}) {
				s.Fatalf("the outcomes of %s are %q", name(i), both)
			}
			s.totals(s.cube(name(i)), sample{name(i), 500 + i, round})
		}
		s.hasTables((round + 1) * packages)
	}
}

// testEverythingAtOnce does whatever comes to mind. Nothing may fail but for the reason that a package is not
// there, and in the end the catalogue and the tables fit each other.
func testEverythingAtOnce(s *subject) {
	names := []string{"a", "b"}
	ctx := s.context()
	atOnce(4, func(i int) {
		random := rand.New(rand.NewPCG(7, uint64(i)))
		for range 15 {
			name := names[random.IntN(len(names))]
			var err error
			switch random.IntN(3) {
			case 0:
				_, err = loadInto(ctx, s.Store, sample{name, 100, random.IntN(3)}.files())
			case 1:
				err = s.Remove(ctx, name)
			default:
				var served *cube.Cube
				if served, err = servedCube(ctx, s.Store, name); err == nil {
					var towns int
					if towns, _, err = askedOf(s, served, "drilldown=town&aggregates=amount.sum"); err == nil && towns != 20 {
						s.Errorf("an answer of %d towns", towns)
					}
				}
			}
			if code := cube.CodeOf(err); err != nil && code != cube.CodeUnknownCube && code != cube.CodeGone {
				s.Errorf("%s: %v", name, err)
			}
		}
	})
	versions := 0
	for _, name := range names {
		s.load(sample{name, 100, 3}.files())
		s.totals(s.cube(name), sample{name, 100, 3})
		versions += len(s.versions(name))
	}
	s.reopen()
	s.hasTables(versions)
}

// testAnswersOfVersions publishes versions, rolls them back and prunes them while clients ask them: an answer is that of the version
// that was asked, or the version is gone.
func testAnswersOfVersions(s *subject) {
	const clients, rounds = 32, 8
	ctx := s.context()
	sums := sync.Map{} // by the fingerprint of a version
	publish := func(edition int) {
		made := sample{"small", 300, edition}
		loaded, err := loadInto(ctx, s.Store, made.files())
		if err != nil {
			s.Errorf("load edition %d: %v", edition, err)
			return
		}
		sums.Store(loaded.Cube.Fingerprint, made.sum())
	}
	publish(0)
	atOnce(clients+1, func(i int) {
		if i == clients {
			for edition := 1; edition <= rounds; edition++ {
				publish(edition)
				_, err := s.Prune(ctx, "small", 2)
				if err := errors.Join(err, s.Serve(ctx, "small", edition)); err != nil { // the version before this one
					s.Errorf("edition %d: %v", edition, err)
				}
			}
			return
		}
		for n := range 3 * rounds {
			served, err := servedCube(ctx, s.Store, "small")
			if err != nil {
				s.Errorf("no cube: %v", err)
				return
			}
			question := []string{"drilldown=town", "cut=year:2016;2017", "drilldown=region|year", "drilldown=town&order=town_name:desc"}[(i+n)%4]
			_, whole, err := askedOf(s, served, "aggregates=amount.sum")
			_, part, errOfPart := askedOf(s, served, question+"&aggregates=amount.sum")
			if err := errors.Join(err, errOfPart); err != nil {
				if cube.CodeOf(err) != cube.CodeGone {
					s.Errorf("%s: %v", question, err)
				}
				continue
			}
			if want, ok := sums.Load(served.Fingerprint); ok && (whole != want || part != want) {
				s.Errorf("version %d has %s and %s, want %s", served.Version, whole, part, want)
			}
		}
	})
}

// askedOf gives how many cells a version answers, and their sum.
func askedOf(s *subject, version *cube.Cube, question string) (cells int, sum string, err error) {
	p, err := bind(version, question)
	if err != nil {
		return 0, "", err
	}
	result, err := s.run(s.Context(), p)
	if err != nil {
		return 0, "", err
	}
	return len(result.Cells), result.Summary.Values[0].Decimal.String(), nil
}
