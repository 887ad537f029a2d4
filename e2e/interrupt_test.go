//go:build unix

package e2e

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"fiscube/store/postgres/postgrestest"
)

// piped is a package whose one file is a pipe, so that a test decides how far a load comes: the loader waits
// for what the test has not yet written. Each of its two readings, of the survey and of the rows, has a pipe of
// its own.
type piped struct {
	folder  string
	content string // the file with what is written
	pipe    string
	from    *os.File // the content, read as far as it is written
	to      *os.File
}

// pipe makes a piped copy of a package of one file.
func pipe(t testing.TB, folder string) *piped {
	t.Helper()
	path := describe(t, os.DirFS(folder)).Resources[0].Path
	p := &piped{folder: t.TempDir(), content: filepath.Join(folder, path)}
	p.pipe = filepath.Join(p.folder, path)
	descriptor, err := os.ReadFile(filepath.Join(folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(p.folder, "datapackage.json"), descriptor)
	if err := os.Mkdir(filepath.Dir(p.pipe), 0o755); err != nil {
		t.Fatal(err)
	}
	p.renew(t)
	t.Cleanup(p.close)
	return p
}

// renew puts a new pipe where the last was, which its reader keeps.
func (p *piped) renew(t testing.TB) {
	t.Helper()
	next := p.pipe + ".next"
	if err := syscall.Mkfifo(next, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, p.pipe); err != nil {
		t.Fatal(err)
	}
}

// feed waits until the loader opens its file, and writes a part of it, from the beginning.
func (p *piped) feed(t testing.TB, part float64) {
	t.Helper()
	eventually(t, "the loader opens its file", patience, func() bool {
		var err error
		p.to, err = os.OpenFile(p.pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		return err == nil
	})
	var err error
	if p.from, err = os.Open(p.content); err != nil {
		t.Fatal(err)
	}
	info, err := p.from.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.copy(int64(part * float64(info.Size()))); err != nil {
		t.Fatal(err)
	}
}

// copy writes the next bytes, for whose every chunk the loader may take its time.
func (p *piped) copy(n int64) error {
	const chunk = 1 << 20
	for ; n > 0; n -= chunk {
		if err := p.to.SetWriteDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		if _, err := io.CopyN(p.to, p.from, min(n, chunk)); err != nil {
			return err
		}
	}
	return nil
}

// survey lets the survey read the whole file.
func (p *piped) survey(t testing.TB) {
	t.Helper()
	p.feed(t, 1)
	p.renew(t)
	p.close()
}

// close ends the file for the loader.
func (p *piped) close() {
	_ = p.from.Close()
	_ = p.to.Close()
}

// isLeft writes on until the loader lets go of its file, which has to be before its end.
func (p *piped) isLeft(t testing.TB) {
	t.Helper()
	if err := p.copy(math.MaxInt64); !errors.Is(err, syscall.EPIPE) {
		t.Fatalf("the loader read to the end: %v", err)
	}
}

func TestHandOver_AFileOfAnotherCommandIsInUse(t *testing.T) {
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

func TestCtrlC_StopsALoad(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		for _, moment := range interruptions {
			source := pipe(t, medium())
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

func TestCtrlC_StopsALoadThatWasHandedOver(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	for _, moment := range interruptions {
		source := pipe(t, medium())
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
func TestServe_StoppingEndsTheLoadsHandedOver(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	source := pipe(t, medium())
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

// moments are those at which a load is killed, each reached by letting the loader read so much of its file. From the third on, DuckDB
// has written rows if they are many.
var moments = []struct {
	name    string
	written bool
	reach   func(t *testing.T, p *piped)
}{
	{"in the survey", false, func(t *testing.T, p *piped) { p.feed(t, 0.5) }},
	{"in the first rows", false, func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 0.01) }},
	{"in the rows", true, func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 0.95) }},
	{"after the last row", true, func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 1) }},
	{"in the members", true, func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 1); p.close() }},
}

func TestKill_OfALoadLeavesTheFormerVersionAlone(t *testing.T) {
	t.Parallel()
	former := addUp(t, os.DirFS(small()), []string{"admin1_code"})[0]
	onEveryStore(t, func(t *testing.T, db string) {
		t.Parallel()
		must(t, "load", "--db", db, small())
		before, version := tables(t, db), 2
		for _, moment := range moments {
			t.Run(moment.name, func(t *testing.T) {
				source := medium()
				if moment.written && isDuckDB(db) {
					source = big()
				}
				version += killed(t, db, source, moment.reach)
				serves(t, db, 1, former)
				if after := tables(t, db); !slices.Equal(after, before) {
					t.Errorf("tables %q, before the load %q", after, before)
				}
			})
		}
		says(t, must(t, "load", "--db", db, medium()), fmt.Sprintf("budget: version %d, ", version))
		if after := tables(t, db); len(withoutCuboids(after)) != 2*len(withoutCuboids(before)) {
			t.Errorf("tables %q after a second version, with one %q", after, before)
		}
		serves(t, db, version, addUp(t, os.DirFS(medium()), []string{"admin1_code"})[0])
	})
}

// killed kills a load at a moment. One that was over before the kill came is undone, and the next is killed; killed gives
// how many those were.
func killed(t *testing.T, db, folder string, reach func(t *testing.T, p *piped)) (over int) {
	t.Helper()
	for ; over < 10; over++ {
		source := pipe(t, folder)
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
func TestKill_OfALoadInItsCommitLeavesAllOrNothing(t *testing.T) {
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
	version, source, want := 1, small(), len(withoutCuboids(one))
	if len(tables(t, db)) != len(one) {
		version, source, want = 2, medium(), 2*want
	}
	t.Logf("version %d is there", version)
	if got := tables(t, db); len(withoutCuboids(got)) != want {
		t.Errorf("tables %q, with one version %q", got, one)
	}
	serves(t, db, version, addUp(t, os.DirFS(source), []string{"admin1_code"})[0])
}

// What is said to be loaded stays, whatever comes.
func TestKill_OfALoadThatSaysItIsDoneLosesNothing(t *testing.T) {
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

func TestKill_OfAServerFailsTheLoadHandedToIt(t *testing.T) {
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

// ctrlC is what the key sends; a terminal makes it a signal.
const ctrlC = "\x03"

// onTerminal starts a command on a terminal of its own, and gives the other end of that. What the command writes is in its out.
func onTerminal(t *testing.T, args ...string) (*process, *os.File) {
	t.Helper()
	p := &process{cmd: exec.Command(sure(os.Executable()), args...), ended: make(chan struct{})}
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = append(os.Environ(), asProgram+"="+openapi)
	terminal, err := pty.StartWithSize(p.cmd, &pty.Winsize{Rows: 24, Cols: 160})
	if err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&p.out, terminal) // until the command, which has the other end, is over
	}()
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
		<-read
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
		_ = terminal.Close()
	})
	return p, terminal
}

// draws waits until the command shows the bar of a stage.
func (p *process) draws(t *testing.T, stage string) {
	t.Helper()
	eventually(t, "the bar "+stage+" is drawn", patience, func() bool { return strings.Contains(p.out.String(), stage) })
}

// barMoments are the stages of the commands that draw a bar, each reached by letting the command read so much of its file.
var barMoments = []struct {
	stage   string
	command string
	reach   func(t *testing.T, p *piped)
}{
	{"Checking", "load", func(t *testing.T, p *piped) { p.feed(t, 0.5) }},
	{"Loading", "load", func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 0.5) }},
	{"Checking", "validate", func(t *testing.T, p *piped) { p.feed(t, 0.5) }},
	{"Counting", "validate", func(t *testing.T, p *piped) { p.survey(t); p.feed(t, 0.5) }},
}

func TestTerminal_AStopEndsACommandWithABar(t *testing.T) {
	t.Parallel()
	stops := map[string]func(p *process, terminal *os.File) error{
		"Ctrl-C":  func(_ *process, terminal *os.File) error { _, err := io.WriteString(terminal, ctrlC); return err },
		"SIGTERM": func(p *process, _ *os.File) error { return p.cmd.Process.Signal(syscall.SIGTERM) },
	}
	for name, stop := range stops {
		for _, moment := range barMoments {
			t.Run(name+" "+moment.command+" "+moment.stage, func(t *testing.T) {
				source := pipe(t, medium())
				p, terminal := onTerminal(t, moment.command, "--db", freshDuckDB(t), source.folder)
				moment.reach(t, source)
				p.draws(t, moment.stage)
				if err := stop(p, terminal); err != nil {
					t.Fatal(err)
				}
				source.isLeft(t)
				if code := p.exit(t); code != exitFailed {
					t.Errorf("exit code %d", code)
				}
				says(t, p.out.String(), "fiscube: stopped; ")
			})
		}
	}
}

func TestTerminal_ALostDatabaseEndsALoadWithABar(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.Server(t)
	source := pipe(t, medium())
	p, _ := onTerminal(t, "load", "--db", cluster.DSN(t), source.folder)
	source.survey(t)
	source.feed(t, 0.5)
	p.draws(t, "Loading")
	cluster.Stop(t)
	source.isLeft(t)
	if code := p.exit(t); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	says(t, p.out.String(), "fiscube: ", "database")
}

// A load that waits for another says so, on standard error and in its job.
func TestLoad_SaysThatItWaitsForAnother(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serveWithToken(t, db)
		source := pipe(t, medium())
		first := start(t, "load", "--db", db, source.folder)
		source.survey(t)
		source.feed(t, 0.5)
		second := start(t, "load", "--db", db, small())
		eventually(t, "the command says that it waits", patience, func() bool {
			return strings.Contains(second.err.String(), "Waiting for another load\n")
		})
		sent := s.submit(t, zippedFolder(t, small()))
		eventually(t, "the job says that it waits", patience, func() bool {
			now := s.job(t, sent.ID)
			return now.Progress != nil && now.Progress.Stage == "Waiting for another load"
		})
		if err := source.copy(math.MaxInt64); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		source.close()
		first.succeed(t)
		second.succeed(t)
		s.stop(t)
	})
}
