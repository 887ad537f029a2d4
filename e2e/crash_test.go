//go:build unix

package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
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
	t.Parallel()
	former := addUp(t, os.DirFS(small()), []string{"admin1_code"})[0]
	next := addUp(t, os.DirFS(big()), []string{"admin1_code"})[0]
	onEveryStore(t, func(t *testing.T, db string) {
		t.Parallel()
		must(t, "load", "--db", db, small())
		before, version := tables(t, db), 2
		for _, moment := range moments {
			t.Run(moment.name, func(t *testing.T) {
				version += killed(t, db, moment.reach)
				serves(t, db, 1, former)
				if after := tables(t, db); !slices.Equal(after, before) {
					t.Errorf("tables %q, before the load %q", after, before)
				}
			})
		}
		says(t, must(t, "load", "--db", db, big()), fmt.Sprintf("budget: version %d, ", version))
		if after := tables(t, db); len(after) != 2*len(before) {
			t.Errorf("tables %q after a second version, with one %q", after, before)
		}
		serves(t, db, version, next)
	})
}

// killed kills a load at a moment. One that was over before the kill came is undone, and the next is killed; killed gives
// how many those were.
func killed(t *testing.T, db string, reach func(t *testing.T, p *piped)) (over int) {
	t.Helper()
	for ; over < 10; over++ {
		source := pipe(t, big())
		load := start(t, "load", "--db", db, source.folder)
		reach(t, source)
		_ = load.cmd.Process.Kill()
		if load.exit(t) == -1 {
			return over
		}
		must(t, "rollback", "--db", db, "budget", "1")
		must(t, "prune", "--db", db, "budget", "--keep", "0")
	}
	t.Fatalf("%d loads were over before they were killed", over)
	return over
}

// Nothing can be known of a load that is killed in its commit but that it is there as a whole or not at all.
func TestALoadKilledInItsCommitIsThereOrNot(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, small())
	one := tables(t, db)
	load := start(t, "load", "--db", db, medium())
	eventually(t, "DuckDB begins to write its commit", patience, func() bool {
		log, err := os.Stat(fileOf(db) + ".wal")
		return err == nil && log.Size() > 1<<14 || load.hasEnded()
	})
	_ = load.cmd.Process.Kill()
	load.exit(t)
	version, source, want := 1, small(), len(one)
	if len(tables(t, db)) != len(one) {
		version, source, want = 2, medium(), 2*len(one)
	}
	t.Logf("version %d is there", version)
	if got := tables(t, db); len(got) != want {
		t.Errorf("tables %q, with one version %q", got, one)
	}
	serves(t, db, version, addUp(t, os.DirFS(source), []string{"admin1_code"})[0])
}

// What is said to be loaded stays, whatever comes.
func TestALoadKilledWhenItSaysThatItIsDoneIsThere(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		load := start(t, "load", "--db", db, medium())
		eventually(t, "the load says that it is done", patience, func() bool {
			return strings.Contains(load.out.String(), "budget: version 1, ")
		})
		_ = load.cmd.Process.Kill() // unless it has ended already
		load.exit(t)
		serves(t, db, 1, addUp(t, os.DirFS(medium()), []string{"admin1_code"})[0])
	})
}

func TestALoadHandedToAServerThatIsKilledFails(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, small())
	before := tables(t, db)
	s := serve(t, db)
	source := pipe(t, medium())
	load := start(t, "load", "--db", db, source.folder)
	source.survey(t)
	source.feed(t, 0.5)
	s.kill(t)
	if code := load.exit(t); code != exitFailed || load.out.String() != "" {
		t.Errorf("exit code %d of %s", code, load)
	}
	says(t, load.err.String(), "fiscube: ", fileOf(db))
	serves(t, db, 1, addUp(t, os.DirFS(small()), []string{"admin1_code"})[0])
	if after := tables(t, db); !slices.Equal(after, before) {
		t.Errorf("tables %q, before the load %q", after, before)
	}
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
