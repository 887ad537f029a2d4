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

	"fiscube/internal/testrequire"
	"fiscube/store/load"
	"fiscube/store/postgres/postgrestest"
)

// piped is a package whose one file is a pipe, so that a test decides how far the survey of a load comes: the loader waits
// for what the test has not yet written.
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
	if err := syscall.Mkfifo(p.pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.close)
	return p
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

// finish writes the rest of the file.
func (p *piped) finish(t testing.TB) {
	t.Helper()
	if err := p.copy(math.MaxInt64); !errors.Is(err, io.EOF) {
		t.Fatalf("the loader did not read to the end: %v", err)
	}
	p.close()
}

// close ends the file for the loader.
func (p *piped) close() {
	_ = p.from.Close()
	_ = p.to.Close()
}

// isLeft writes on until the loader lets go of its file, which has to be before its end. It writes slowly, since the loader may read
// what is left before it is told to stop.
func (p *piped) isLeft(t testing.TB) {
	t.Helper()
	const chunk, pause = 64 << 10, 10 * time.Millisecond
	err := p.copy(chunk)
	for ; err == nil; err = p.copy(chunk) {
		time.Sleep(pause)
	}
	if !errors.Is(err, syscall.EPIPE) {
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

func TestCtrlC_StopsALoad(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		source := pipe(t, medium())
		load := start(t, "load", "--db", db, source.folder)
		source.feed(t, 0.5)
		load.send(t, os.Interrupt)
		source.isLeft(t)
		stopped(t, load)
		if left := tables(t, db); left != nil {
			t.Errorf("tables %q are left", left)
		}
	})
}

func TestCtrlC_StopsALoadThatWasHandedOver(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	s := serve(t, db)
	source := pipe(t, medium())
	load := start(t, "load", "--db", db, source.folder)
	source.feed(t, 0.5)
	load.send(t, os.Interrupt)
	stopped(t, load)
	source.isLeft(t)
	if s.version(t, "budget") != 0 {
		t.Error("it was loaded all the same")
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

// moments are those at which a load is killed, by the stage that it shows. Big packages have rows that DuckDB has written by then.
var moments = []struct {
	stage string
	big   bool
}{{"Checking", false}, {"Loading", false}, {"Loading", true}, {"Numbering", false}}

func TestKill_OfALoadLeavesTheFormerVersionAlone(t *testing.T) {
	testrequire.Long(t)
	t.Parallel()
	former := addUp(t, os.DirFS(small()), []string{"admin1_code"})[0]
	onEveryStore(t, func(t *testing.T, db string) {
		t.Parallel()
		db = withAllThreads(db)
		must(t, "load", "--db", db, small())
		before, version := tables(t, db), 2
		for _, moment := range moments {
			source := medium()
			if moment.big {
				if !isDuckDB(db) {
					continue
				}
				source = big()
			}
			t.Run(fmt.Sprintf("%s of %s", moment.stage, filepath.Base(source)), func(t *testing.T) {
				version += killed(t, db, source, moment.stage)
				serves(t, db, 1, former)
				if after := tables(t, db); !slices.Equal(after, before) {
					t.Errorf("tables %q, before the load %q", after, before)
				}
			})
		}
		says(t, must(t, "load", "--db", db, medium()), fmt.Sprintf("budget: version %d, ", version))
		if after := tables(t, db); len(after) != 2*len(before) {
			t.Errorf("tables %q after a second version, with one %q", after, before)
		}
		serves(t, db, version, addUp(t, os.DirFS(medium()), []string{"admin1_code"})[0])
	})
}

// killed kills a load in a stage. One that had stored its version before, as it may on a busy machine that stops it late, is undone,
// and the next is killed; killed gives how many those were.
func killed(t *testing.T, db, folder, stage string) (over int) {
	t.Helper()
	before := strings.Count(must(t, "versions", "--db", db, "budget"), "\n")
	for ; over < 10; over++ {
		load, _ := onTerminal(t, "load", "--db", db, folder)
		load.holdIn(t, stage)
		_ = load.cmd.Process.Kill()
		if load.exit(t); strings.Count(must(t, "versions", "--db", db, "budget"), "\n") == before {
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
	version, source, want := 1, small(), len(one)
	if len(tables(t, db)) != len(one) {
		version, source, want = 2, medium(), 2*want
	}
	t.Logf("version %d is there", version)
	if got := tables(t, db); len(got) != want {
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
	return onTerminalWith(t, nil, args...)
}

// onTerminalWith runs it with further variables.
func onTerminalWith(t *testing.T, variables []string, args ...string) (*process, *os.File) {
	t.Helper()
	p := &process{cmd: exec.Command(sure(os.Executable()), args...), ended: make(chan struct{})}
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = append(append(os.Environ(), asProgram+"="+openapi), variables...)
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

// holdIn holds a command on a terminal in a stage of which it draws the bar, or when it is over. The command runs for short
// times until then, since a stage may take less than a bar to be drawn anew.
func (p *process) holdIn(t *testing.T, stage string) {
	t.Helper()
	const runs, rests = 2 * time.Millisecond, 20 * time.Millisecond
	for began := time.Now(); !strings.Contains(p.out.String(), stage) && !p.hasEnded(); {
		if time.Since(began) > patience {
			t.Fatalf("not within %v: the bar %s is drawn, in %s", patience, stage, p)
		}
		_ = p.cmd.Process.Signal(syscall.SIGCONT)
		time.Sleep(runs)
		_ = p.cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(rests)
	}
}

// goOn lets a command go on that was held.
func (p *process) goOn() { _ = p.cmd.Process.Signal(syscall.SIGCONT) }

// stops are the ways to stop a command on a terminal.
var stops = map[string]func(p *process, terminal *os.File){
	"Ctrl-C":  func(_ *process, terminal *os.File) { _, _ = io.WriteString(terminal, ctrlC) },
	"SIGTERM": func(p *process, _ *os.File) { _ = p.cmd.Process.Signal(syscall.SIGTERM) },
}

func TestTerminal_AStopEndsACommandThatReadsAFile(t *testing.T) {
	t.Parallel()
	for name, stop := range stops {
		for _, command := range []string{"load", "validate"} {
			t.Run(name+" "+command, func(t *testing.T) {
				source := pipe(t, medium())
				p, terminal := onTerminal(t, command, "--db", freshDuckDB(t), source.folder)
				source.feed(t, 0.5)
				eventually(t, "the bar is drawn", patience, func() bool { return strings.Contains(p.out.String(), "Checking") })
				stop(p, terminal)
				source.isLeft(t)
				if code := p.exit(t); code != exitFailed {
					t.Errorf("exit code %d", code)
				}
				says(t, p.out.String(), "fiscube: stopped; ")
			})
		}
	}
}

// A command that was over before it was stopped is begun anew.
func TestTerminal_AStopEndsACommandThatStoresOrCountsRows(t *testing.T) {
	t.Parallel()
	for name, stop := range stops {
		for command, stage := range map[string]string{"load": "Loading", "validate": "Counting"} {
			t.Run(name+" "+command, func(t *testing.T) {
				for range 10 {
					p, terminal := onTerminal(t, command, "--db", freshDuckDB(t), big())
					p.holdIn(t, stage)
					stop(p, terminal)
					p.goOn()
					if code := p.exit(t); code == exitFailed {
						says(t, p.out.String(), "fiscube: stopped; ")
						return
					}
				}
				t.Error("it was not stopped ten times")
			})
		}
	}
}

func TestTerminal_ALostDatabaseEndsALoadWithABar(t *testing.T) {
	t.Parallel()
	cluster := postgrestest.Server(t)
	p, _ := onTerminal(t, "load", "--db", cluster.DSN(t), medium())
	p.holdIn(t, "Loading")
	cluster.Stop(t)
	p.goOn()
	if code := p.exit(t); code != exitFailed {
		t.Errorf("exit code %d", code)
	}
	says(t, p.out.String(), "fiscube: ", "database")
}

// A load that waits for another says so, on standard error and in its job.
func TestLoad_SaysThatItWaitsForAnother(t *testing.T) {
	testrequire.Long(t)
	sideBySide(t, func(t *testing.T, db string) {
		s := serveWithToken(t, db)
		waits := func(id string) func() bool {
			return func() bool {
				now := s.job(t, id)
				return now.Progress != nil && now.Progress.Stage == load.StageWaiting+"another load"
			}
		}
		sent, rows := zippedFolder(t, small()), pipe(t, small()) // the command has read all but the last rows when the first load begins
		second := start(t, "load", "--db", db, rows.folder)
		rows.feed(t, 0.9)
		first := func() {
			long := s.submit(t, zippedFolder(t, big()))
			eventually(t, "the first load stores its rows", patience, func() bool {
				now := s.job(t, long.ID)
				return now.Progress != nil && now.Progress.Stage == "Loading"
			})
		}
		var held *process
		if !isDuckDB(db) {
			first = func() {
				held, _ = onTerminal(t, "load", "--db", db, medium())
				held.holdIn(t, "Loading")
			}
		}
		first()
		rows.finish(t)
		third := s.submit(t, sent)
		eventually(t, "the job says that it waits", patience, waits(third.ID))
		eventually(t, "the command says that it waits", patience, func() bool {
			return strings.Contains(second.err.String(), load.StageWaiting+"another load\n")
		})
		if held != nil {
			held.goOn()
			held.succeed(t)
		}
		second.succeed(t)
		s.stop(t)
	})
}

// TestQueryTimeout_OfAFrozenDatabase has a database say nothing more in the middle of a file. The file is cut in time and others are
// sent; a server without that limit stops all the same. Nothing is resident: its reading waits for a client, too.
func TestQueryTimeout_OfAFrozenDatabase(t *testing.T) {
	t.Parallel()
	db := freshPostgres(t)
	must(t, "load", "--db", db, medium())
	s := serve(t, db, "--resident", "0", "--query-timeout", "3s", "--max-queries", "2", "--max-dear", "1")
	export := s.export(t, "budget")
	freeze(t, db)
	if rows, err := export.rest(t); err == nil || rows == export.rows {
		t.Errorf("%d rows of %d came without an error", rows, export.rows)
	}
	again := s.export(t, "budget")
	if rows, err := again.rest(t); err != nil || rows != again.rows {
		t.Errorf("afterwards %d rows of %d came, and %v", rows, again.rows, err)
	}
	s.stop(t)

	s = serve(t, db, "--resident", "0", "--query-timeout", "0")
	s.export(t, "budget")
	freeze(t, db)
	start := time.Now()
	s.send(t, syscall.SIGTERM)
	s.exit(t)
	if took := time.Since(start); took > 15*time.Second { // ten for the answers under way
		t.Errorf("it stops after %v", took)
	}
}

// freeze stops the process of the database that answers a question, until the test is over. It is stopped as it waits for its client: one that
// is stopped at other work may hold what the others wait for.
func freeze(t *testing.T, db string) {
	t.Helper()
	connection, err := connect(db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND wait_event = 'ClientWrite'`
	var pid int
	eventually(t, "the database waits for who reads the file", patience, func() bool {
		if connection.QueryRow("SELECT pid "+waiting).Scan(&pid) != nil {
			return false
		}
		check(syscall.Kill(pid, syscall.SIGSTOP))
		var still bool
		if connection.QueryRow("SELECT true "+waiting+" AND pid = $1", pid).Scan(&still) != nil {
			check(syscall.Kill(pid, syscall.SIGCONT))
		}
		return still
	})
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
}
