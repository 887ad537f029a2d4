package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fiscube/internal/command"
	"fiscube/internal/testfolder"
)

// The tests of this package run the command as its users do, on every store. A command whose end alone matters
// runs in this process (fiscube); one that serves, is killed or meets another is a process of its own (start).
// Paths begin at the root of the repository, as they do in its documents.

// asProgram names the variable under which this test binary is the fiscube command, with the reference in the file that the
// variable holds. So the command needs no second build, and is watched by the race detector where the tests are.
const asProgram = "FISCUBE_TEST_AS_PROGRAM"

// readsInput names the variable under which the command reads its standard input, as a person or a client writes to it.
const readsInput = "FISCUBE_TEST_READS_INPUT"

// The exit codes that the help of the command lists.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitRefused = 3
	exitUnknown = 4
)

// patience is how long anything may take that does not promise to be faster.
const patience = time.Minute

// soon is how late a server may see what another process did. It is less than the five seconds after which it would look
// by itself, and more than the second that is promised, so that a busy machine keeps it.
const soon = 4 * time.Second

// scratch is a folder for what several tests share, in memory where that has enough room.
var scratch string

const enough = 4 << 30

// openapi is the path of the reference.
var openapi string

func TestMain(m *testing.M) {
	if reference := os.Getenv(asProgram); reference != "" {
		if os.Getenv(readsInput) == "" {
			go endWithParent()
		}
		os.Exit(command.Main(sure(os.ReadFile(reference))))
	}
	if os.Getenv(asDuckDB) != "" {
		duckDBInAShell()
		return
	}
	forgetVariables()
	collectSeldom()
	check(os.Chdir(".."))
	openapi = sure(filepath.Abs("openapi.yaml"))
	memory := "" // the temporary folder, where there is little
	if folder, ok := testfolder.InMemory(enough); ok {
		memory = folder
	}
	scratch = sure(os.MkdirTemp(memory, "fiscube-test-"))
	testAtOnce(2 * runtime.GOMAXPROCS(0))
	code := m.Run()
	for _, work := range slices.Backward(afterAll.work) {
		work()
	}
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// testAtOnce runs more tests at once than Go would, unless a flag says how many: most of them wait for another process.
func testAtOnce(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		check(flag.Set("test.parallel", strconv.Itoa(n)))
	}
}

// collectSeldom lets this process and those that it starts look for garbage less often than they would, unless GOGC says how often or
// speed is measured: they end before it is much.
func collectSeldom() {
	const seldom = 400
	if os.Getenv("GOGC") == "" && !longRun {
		debug.SetGCPercent(seldom)
		check(os.Setenv("GOGC", strconv.Itoa(seldom)))
	}
}

// endWithParent ends a command that outlives the tests: the system closes its stdin however they end.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(exitFailed)
}

// forgetVariables keeps a developer's settings out of the tests.
func forgetVariables() {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "FISCUBE_") && !strings.HasPrefix(name, "FISCUBE_TEST_") {
			_ = os.Unsetenv(name)
		}
	}
}

// result is what a command came to.
type result struct {
	code     int
	out, err string
}

// fiscube runs a command in this process.
func fiscube(t testing.TB, args ...string) result {
	t.Helper()
	var out, err output
	code := command.Run(t.Context(), args, &out, &err)
	return result{code, out.String(), err.String()}
}

// must runs a command that has to succeed and gives what it wrote to standard output.
func must(t testing.TB, args ...string) string {
	t.Helper()
	r := fiscube(t, args...)
	if r.code != exitDone {
		t.Fatalf("fiscube %s: exit code %d\n%s%s", strings.Join(args, " "), r.code, r.out, r.err)
	}
	return r.out
}

// fails runs a command that has to end with the code and say all of the texts on standard error, and nothing on
// standard output.
func fails(t testing.TB, code int, args []string, texts ...string) {
	t.Helper()
	r := fiscube(t, args...)
	if r.code != code || r.out != "" {
		t.Errorf("fiscube %s: exit code %d and %q, want %d and nothing\n%s", strings.Join(args, " "), r.code, r.out, code, r.err)
	}
	says(t, r.err, texts...)
}

// says checks that a text holds all the others.
func says(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}

// process is the fiscube command as a process of its own.
type process struct {
	cmd      *exec.Cmd
	out, err output
	ended    chan struct{}
}

// start starts a command, which ends with t at the latest.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	return startIn(t, t.TempDir(), nil, args...)
}

// startIn starts a command in a folder, with further variables.
func startIn(t testing.TB, dir string, variables []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{cmd: exec.Command(self, args...), ended: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = append(append(os.Environ(), asProgram+"="+openapi), variables...)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	if _, err := p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.ended
		if strings.Contains(p.err.String(), "WARNING: DATA RACE") { // a process that is killed has no exit code for it
			t.Errorf("%s", p)
		}
	})
	return p
}

// send sends a signal.
func (p *process) send(t testing.TB, signal os.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil {
		t.Fatalf("%s cannot be sent %s: %v", p, signal, err)
	}
}

// kill ends the process in the midst of whatever it does.
func (p *process) kill(t testing.TB) {
	t.Helper()
	p.send(t, os.Kill)
	if code := p.exit(t); code != -1 {
		t.Fatalf("%s was killed, but had ended with %d before", p, code)
	}
}

// hasEnded says whether the process is over.
func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// exit waits for the end and gives the exit code, -1 after a kill.
func (p *process) exit(t testing.TB) int {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatalf("%s still runs after %s", p, patience)
	}
	return p.cmd.ProcessState.ExitCode()
}

// succeed waits for the end, which has to be good, and gives what was written to standard output.
func (p *process) succeed(t testing.TB) string {
	t.Helper()
	if code := p.exit(t); code != exitDone {
		t.Fatalf("exit code %d of %s", code, p)
	}
	return p.out.String()
}

// String is the command line with all that was written.
func (p *process) String() string {
	return "fiscube " + strings.Join(p.cmd.Args[1:], " ") + "\n" + p.out.String() + p.err.String()
}

// output is a buffer that is read while others write to it.
type output struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buffer.Write(p)
}

// String gives what was written so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buffer.String()
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, within time.Duration, so func() bool) {
	t.Helper()
	pause := 5 * time.Millisecond
	for deadline := time.Now().Add(within); !so(); time.Sleep(pause) {
		pause = min(pause*3/2, 25*time.Millisecond) // to ask often takes time from what is waited for
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", within, what)
		}
	}
}

// service is a running "fiscube serve".
type service struct {
	*process
	url string
}

// serve starts a server on a store; when it returns the server answers.
func serve(t testing.TB, db string, flags ...string) *service {
	t.Helper()
	return serving(t, start(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--db", db}, flags...)...))
}

var address = regexp.MustCompile(`fiscube answers",?"? ?address"?[=:]"?(http://[^\s"]+)`)

// serving waits until the process says where it answers.
func serving(t testing.TB, p *process) *service {
	t.Helper()
	s := &service{process: p}
	eventually(t, "a server says its address", patience, func() bool {
		if p.hasEnded() {
			t.Fatalf("the server ended: %s", p)
		}
		found := address.FindStringSubmatch(p.err.String())
		if found != nil {
			s.url = found[1]
		}
		return found != nil
	})
	return s
}

// stop asks the server to end as a service manager does.
func (s *service) stop(t testing.TB) {
	t.Helper()
	s.send(t, syscall.SIGTERM)
	s.succeed(t)
}

var client = &http.Client{Timeout: patience}

// get asks for a path.
func (s *service) get(t testing.TB, path string) (status int, body []byte) {
	t.Helper()
	response, err := client.Get(s.url + path)
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	if err != nil {
		t.Fatalf("GET %s: %v", path, err)
	}
	return response.StatusCode, body
}

// read asks for a path that answers JSON.
func (s *service) read(t testing.TB, path string, into any) {
	t.Helper()
	status, body := s.get(t, path)
	if status != http.StatusOK {
		t.Fatalf("GET %s: %d\n%s", path, status, body)
	}
	readJSON(t, body, into)
}

// readJSON reads an answer; numbers keep their digits.
func readJSON(t testing.TB, body []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
}

// version gives the version that is served of a cube, 0 where there is none.
func (s *service) version(t testing.TB, cube string) int {
	t.Helper()
	status, body := s.get(t, "/cubes/"+cube)
	if status == http.StatusNotFound {
		return 0
	}
	var description struct{ Version int }
	if err := json.Unmarshal(body, &description); err != nil || status != http.StatusOK {
		t.Fatalf("GET /cubes/%s: %d %v\n%s", cube, status, err, body)
	}
	return description.Version
}

// servesWithin waits until a version of a cube is served; 0 until it is gone.
func (s *service) servesWithin(t testing.TB, within time.Duration, cube string, version int) {
	t.Helper()
	eventually(t, "the server has the right version of "+cube, within, func() bool {
		return s.version(t, cube) == version
	})
}

// answer is what these tests read of the answer to a question.
type answer struct {
	TotalCellCount int64 `json:"total_cell_count"`
	Cells          []map[string]any
	Summary        map[string]any
}

// ask asks a question of a cube.
func (s *service) ask(t testing.TB, cube, question string) answer {
	t.Helper()
	var a answer
	s.read(t, "/cubes/"+cube+"/aggregate?"+question, &a)
	return a
}

// export is a long answer that its reader has only begun to read.
type export struct {
	server *service
	id     string // of its request
	rows   int64  // how many the whole answer has
	read   int64
	body   io.ReadCloser
}

// plain asks for answers as they are: in gzip, the rows of a package of grow would fit into a socket.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// export asks for every fact of a package of grow as CSV, and takes no more than the beginning. Facts begin to come at
// once, where the first of many cells waits for the last fact.
func (s *service) export(t testing.TB, cube string) *export {
	t.Helper()
	var whole struct{ Rows int64 }
	s.read(t, "/cubes/"+cube, &whole)
	response, err := plain.Get(s.url + "/cubes/" + cube + "/facts?format=csv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	e := &export{server: s, id: response.Header.Get("X-Request-Id"), rows: whole.Rows, body: response.Body}
	if response.StatusCode != http.StatusOK || e.id == "" {
		t.Fatalf("an export ended with %s", response.Status)
	}
	beginning := make([]byte, 1000)
	if _, err := io.ReadFull(e.body, beginning); err != nil {
		t.Fatal(err)
	}
	e.read = int64(bytes.Count(beginning, []byte("\n")))
	return e
}

// rest reads to the end, and gives how many rows came in all below the header. Whatever the test did since the beginning
// has to have happened while the server was still at work: it logs a request when it is done with it.
func (e *export) rest(t testing.TB) (rows int64, err error) {
	t.Helper()
	if strings.Contains(e.server.err.String(), e.id) {
		t.Errorf("the server was done with the export before it was read")
	}
	chunk := make([]byte, 1<<16)
	for {
		n, err := e.body.Read(chunk)
		e.read += int64(bytes.Count(chunk[:n], []byte("\n")))
		switch {
		case errors.Is(err, io.EOF):
			return e.read - 1, nil
		case err != nil:
			return e.read - 1, err
		}
	}
}
