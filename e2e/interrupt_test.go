//go:build unix

package e2e

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestAnEmbeddedFileOfAnotherProcessIsInUse(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	source := pipe(t, small())
	owner := start(t, "load", "--db", db, source.folder)
	source.feed(t, 0.5)
	for _, command := range [][]string{{"list"}, {"load", small()}, {"versions", "budget"}} {
		fails(t, exitFailed, append(command, "--db", db),
			"another process has "+fileOf(db)+" open, and no fiscube server says it does")
	}
	leave(db, server{Address: "127.0.0.1:1", Token: "old"})
	fails(t, exitFailed, []string{"list", "--db", db},
		"another process has "+fileOf(db)+" open, and the server of "+fileOf(db)+".server"+" does not answer: dial tcp 127.0.0.1:1: ")
	if err := os.WriteFile(fileOf(db)+".server", []byte(`{"address"`), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(t, exitFailed, []string{"list", "--db", db},
		"another process has "+fileOf(db)+" open, and its server is not known: read "+fileOf(db)+".server"+": unexpected end of JSON input")
	owner.kill(t)
}

// interruptions are the moments at which a user stops a load.
var interruptions = []struct {
	name  string
	reach func(t *testing.T, p *piped)
}{
	{"in the survey", func(t *testing.T, p *piped) { p.feed(t, 0.5) }},
	{"in the rows", func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 0.5) }},
}

func TestCtrlCStopsALoad(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		for _, moment := range interruptions {
			source := pipe(t, big())
			load := start(t, "load", "--db", db, source.folder)
			moment.reach(t, source)
			load.send(t, os.Interrupt)
			source.isLeft(t)
			stopped(t, load)
			if left := tables(t, db); left != nil {
				t.Errorf("%s: tables %q are left", moment.name, left)
			}
		}
	})
}

func TestCtrlCStopsALoadThatWasHandedOver(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	for _, moment := range interruptions {
		source := pipe(t, big())
		load := start(t, "load", "--db", db, source.folder)
		moment.reach(t, source)
		load.send(t, os.Interrupt)
		stopped(t, load)
		source.isLeft(t)
		if s.version(t, "budget") != 0 {
			t.Errorf("%s: it was loaded all the same", moment.name)
		}
	}
	must(t, "load", "--db", db, small())
	s.stop(t)
	if list := must(t, "versions", "--db", db, "budget"); strings.Count(list, "\n") != 2 {
		t.Errorf("more is loaded than the last package:\n%s", list)
	}
}

// A server that is stopped cuts the loads of others short, and they say so.
func TestAServerThatStopsEndsTheLoadsOfOthers(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	source := pipe(t, big())
	load := start(t, "load", "--db", db, source.folder)
	source.survey(t)
	source.feed(t, 0.5)
	s.send(t, syscall.SIGTERM)
	source.isLeft(t)
	s.succeed(t)
	if code := load.exit(t); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	if left := tables(t, db); left != nil {
		t.Errorf("tables %q are left", left)
	}
	must(t, "load", "--db", db, small())
}

// stopped checks that a load ended because its user stopped it, and says so.
func stopped(t *testing.T, load *process) {
	t.Helper()
	if code := load.exit(t); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	says(t, load.err.String(), "fiscube: stopped; ")
}
