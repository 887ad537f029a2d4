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
	{"load of one package twice at once", testSameAtOnce},
	{"load of different packages at once", testDifferentAtOnce},
	{"answers are whole while versions change", testAnswersWhileLoading},
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

func testSameAtOnce(s *subject) {
	for round := range repeat(3, 5) {
		edition := sample{"small", 2000, round}
		ctx := s.context()
		var outcomes [2]string
		atOnce(len(outcomes), func(i int) {
			loaded, err := loadInto(ctx, s.Store, edition.files())
			if err != nil {
				s.Errorf("load %d: %v", i, err)
				return
			}
			outcomes[i] = string(loaded.Outcome)
			if loaded.Cube.Version != round+1 {
				s.Errorf("load %d gave version %d, want %d", i, loaded.Cube.Version, round+1)
			}
		})
		slices.Sort(outcomes[:])
		if want := [2]string{string(findings.OutcomeLoaded), string(findings.OutcomeUnchanged)}; outcomes != want {
			s.Errorf("the outcomes are %q, want %q", outcomes, want)
		}
		s.totals(s.cube("small"), edition)
		s.hasTables(round + 1)
	}
}

func testDifferentAtOnce(s *subject) {
	const packages = 4
	rounds := repeat(4, 10)
	for round := range rounds {
		ctx := s.context()
		atOnce(packages, func(i int) {
			name := fmt.Sprintf("package %d", i)
			loaded, err := loadInto(ctx, s.Store, sample{name, 50 + i, round}.files())
			if err != nil {
				s.Errorf("load %s: %v", name, err)
				return
			}
			if loaded.Outcome != findings.OutcomeLoaded || loaded.Cube.Name != name || loaded.Cube.Version != round+1 {
				s.Errorf("load %s: %q, version %d of %s", name, loaded.Outcome, loaded.Cube.Version, loaded.Cube.Name)
			}
		})
		if s.Failed() {
			return
		}
	}
	for i := range packages {
		name := fmt.Sprintf("package %d", i)
		s.totals(s.cube(name), sample{name, 50 + i, rounds - 1})
	}
	s.hasTables(rounds * packages)
}

// testAnswersWhileLoading asks for totals and towns while the version that is served changes all the time. Each
// answer has to be that of one edition.
func testAnswersWhileLoading(s *subject) {
	editions := []sample{{"small", 500, 0}, {"small", 700, 1}}
	s.load(editions[0].files())
	whole := map[string]bool{editions[0].sum(): true, editions[1].sum(): true}
	ctx := s.context()
	atOnce(4, func(i int) {
		if i == 0 {
			for n := range 10 {
				if _, err := loadInto(ctx, s.Store, editions[n%2].files()); err != nil {
					s.Errorf("load: %v", err)
				}
			}
			return
		}
		for range 50 {
			served, err := servedCube(ctx, s.Store, "small")
			if err != nil {
				s.Errorf("no cube: %v", err)
				return
			}
			p, err := bind(served, "drilldown=town&aggregates=amount.sum")
			if err != nil {
				s.Errorf("bind: %v", err)
				return
			}
			result, err := s.run(ctx, p)
			if err != nil {
				s.Errorf("an answer while loading: %v", err)
				return
			}
			if sum := result.Summary.Values[0].Decimal.String(); !whole[sum] || len(result.Cells) != 20 {
				s.Errorf("an answer of %d towns with the sum %s", len(result.Cells), sum)
			}
		}
	})
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
				err = askTowns(s, name)
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
			whole, err := askedOf(s, served, "aggregates=amount.sum")
			part, errOfPart := askedOf(s, served, question+"&aggregates=amount.sum")
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

// askedOf gives the sum that a version answers.
func askedOf(s *subject, version *cube.Cube, question string) (string, error) {
	p, err := bind(version, question)
	if err != nil {
		return "", err
	}
	result, err := s.run(s.Context(), p)
	if err != nil {
		return "", err
	}
	return result.Summary.Values[0].Decimal.String(), nil
}

func askTowns(s *subject, name string) error {
	served, err := servedCube(s.Context(), s.Store, name)
	if err != nil {
		return err
	}
	p, err := bind(served, "drilldown=town")
	if err != nil {
		return err
	}
	result, err := s.run(s.Context(), p)
	if err == nil && len(result.Cells) != 20 {
		s.Errorf("an answer of %d towns", len(result.Cells))
	}
	return err
}
