package api_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fiscube/api"
	"fiscube/api/jobs"
	"fiscube/cube"
)

const secret = "a-token-of-the-tests"

// The bounds of the queue of loads.
const (
	mostWaiting = 8
	mostEnded   = 100
)

// loader is a Loader that does what a test says.
type loader func(ctx context.Context, source jobs.Source, progress jobs.Progress) (cube.Loaded, error)

// Load implements api.Loader.
func (l loader) Load(ctx context.Context, source jobs.Source, progress jobs.Progress) (cube.Loaded, error) {
	return l(ctx, source, progress)
}

// queue is a service that takes packages, and its temporary files.
type queue struct {
	http.Handler
	loads *jobs.Queue
	log   *logged
	temp  string
}

// newQueue makes a service that takes packages of up to a thousand bytes; nothing is loaded before run.
func newQueue(t *testing.T, l loader) *queue {
	t.Helper()
	q := &queue{log: &logged{}, temp: t.TempDir()}
	t.Setenv("TMPDIR", q.temp)
	q.loads = jobs.New(l, jobs.Options{Token: secret, MaxBytes: 1000, Log: slog.New(slog.DiscardHandler)})
	q.Handler = api.New(cube.NewEngine(newFake(t)), api.Options{
		Document: documentBytes(t), Log: q.log.logger(), Loads: q.loads,
	})
	return q
}

// run works the queue off until the test, or stop, ends it.
func (q *queue) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.loads.Run(ctx)
	}()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

// post sends a body with the token, and holds the answer against openapi.yaml.
func (q *queue) post(t *testing.T, media string, body io.Reader, headers ...string) response {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/cubes", body)
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", media)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	q.ServeHTTP(recorder, request)
	r := response{recorder.Code, recorder.Header(), recorder.Body.String()}
	r.conform(t, request)
	return r
}

// submit sends a zip and gives the path of its job.
func (q *queue) submit(t *testing.T, content string) (path string) {
	t.Helper()
	r := q.post(t, "application/zip", strings.NewReader(content))
	if r.status != http.StatusAccepted || r.header.Get("Retry-After") == "" {
		t.Fatalf("status %d, %v: %s", r.status, r.header, r.body)
	}
	base := &url.URL{Path: "/cubes"}
	return base.ResolveReference(&url.URL{Path: r.header.Get("Location")}).Path
}

// jobState is what these tests read of a job.
type jobState struct {
	State    string
	Progress *struct {
		Stage   string
		Bytes   int64
		Percent *int64
		Rows    int64
	}
	Result *struct {
		Outcome, Cube string
		Version       int
		Findings      map[string]int
		Links         map[string]string
	}
	Problem *struct {
		Code, Message string
		Problems      []string
	}
}

func (q *queue) look(t *testing.T, path string) (jobState, response) {
	t.Helper()
	r := ask(t, q, path, "Authorization", "Bearer "+secret)
	if r.status != http.StatusOK {
		t.Fatalf("GET %s: %d: %s", path, r.status, r.body)
	}
	var j jobState
	r.read(t, &j)
	return j, r
}

// ends waits until a job is over.
func (q *queue) ends(t *testing.T, path string) jobState {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if j, r := q.look(t, path); j.State != "waiting" && j.State != "running" {
			if r.header.Get("Retry-After") != "" {
				t.Errorf("a job that is over says to ask again: %s", r.body)
			}
			return j
		}
	}
	t.Fatal("the job does not end")
	return jobState{}
}

// spooled counts the temporary files that are held open.
func (q *queue) spooled(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not list open files")
	}
	return len(slices.DeleteFunc(open, func(e os.DirEntry) bool {
		to, _ := os.Readlink("/proc/self/fd/" + e.Name())
		return !strings.HasPrefix(to, q.temp)
	}))
}
