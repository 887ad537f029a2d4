package e2e

import (
	"slices"
	"strings"
	"testing"
)

// loadTogether runs a load of each folder at once, all on one store, and gives what they said. On an embedded
// store a running server does the loads for the others.
func loadTogether(t *testing.T, db string, folders ...string) []string {
	t.Helper()
	if isDuckDB(db) {
		serve(t, db)
	}
	var loads []*process
	for _, folder := range folders {
		loads = append(loads, start(t, "load", "--db", db, folder))
	}
	var said []string
	for _, load := range loads {
		said = append(said, load.succeed(t))
	}
	return said
}

func TestTwoLoadsOfOnePackageAtOnceMakeOneVersion(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		said := loadTogether(t, db, medium(), medium())
		if strings.Contains(said[0], "nothing") {
			slices.Reverse(said)
		}
		says(t, said[0], "budget: version 1, ", " rows from 1 files")
		says(t, said[1], "budget: version 1 holds exactly this already; nothing to do")
		if lines := strings.Count(must(t, "versions", "--db", db, "budget"), "\n"); lines != 2 {
			t.Errorf("%d lines of versions, want the header and one", lines)
		}
	})
}

func TestTwoPackagesLoadAtOnce(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		names := []string{"one", "another"}
		said := loadTogether(t, db, grown(t, names[0], 20), grown(t, names[1], 20))
		list := must(t, "list", "--db", db)
		for i, name := range names {
			says(t, said[i], name+": version 1, ")
			says(t, list, name)
		}
	})
}

// Not side by side with other tests: it measures time.
func TestALoadBesideAServerIsServedSoon(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		s := serve(t, db)
		for version, folder := range []string{small(), grown(t, "budget", 2)} {
			start(t, "load", "--db", db, folder).succeed(t)
			s.servesWithin(t, soon, "budget", version+1)
		}
		start(t, "remove", "--db", db, "budget").succeed(t)
		s.servesWithin(t, soon, "budget", 0)
		s.stop(t)
	})
}
