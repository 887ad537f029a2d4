package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

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
