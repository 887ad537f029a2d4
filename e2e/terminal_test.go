//go:build unix

package e2e

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"

	"fiscube/store/postgres/postgrestest"
)

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
	says(t, p.out.String(), "fiscube: ", "PostgreSQL")
}
