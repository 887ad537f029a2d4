//go:build unix

package main

import (
	"os"
	"slices"
	"testing"
)

// moments are those at which a load is killed, each reached by letting the loader read so much of its file.
var moments = []struct {
	name  string
	reach func(t *testing.T, p *piped)
}{
	{"in the survey", func(t *testing.T, p *piped) { p.feed(t, 0.5) }},
	{"in the first rows", func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 0.01) }},
	{"in the rows", func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 0.6) }},
	{"after the last row", func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 1) }},
	{"in the members", func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 1); p.close() }},
}

func TestAKilledLoadLeavesTheFormerVersionAndNoDebris(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		former := addUp(t, os.DirFS(small()), []string{"admin1_code"})[0]
		before := tables(t, db)
		for _, moment := range moments {
			t.Run(moment.name, func(t *testing.T) {
				source := pipe(t, big())
				load := start(t, "load", "--db", db, source.folder)
				moment.reach(t, source)
				load.kill(t)
				serves(t, db, 1, former)
				if after := tables(t, db); !slices.Equal(after, before) {
					t.Errorf("tables %q, before the load %q", after, before)
				}
			})
		}
		says(t, must(t, "load", "--db", db, big()), "budget: version 2, ")
		if after := tables(t, db); len(after) != 2*len(before) {
			t.Errorf("tables %q after a second version, with one %q", after, before)
		}
		serves(t, db, 2, addUp(t, os.DirFS(big()), []string{"admin1_code"})[0])
	})
}

// serves starts a server and checks which version of the package "budget" it serves, with its amounts.
func serves(t *testing.T, db string, version int, want *sums) {
	t.Helper()
	s := serve(t, db)
	if got := s.version(t, "budget"); got != version {
		t.Errorf("version %d is served, want %d", got, version)
	}
	s.agree(t, "budget", "admin1_code", want)
	s.stop(t)
}
