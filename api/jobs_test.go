package api_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fiscube/api"
	"fiscube/api/harvest"
	"fiscube/api/jobs"
	"fiscube/api/publish"
	"fiscube/cube"
	"fiscube/cube/findings"
)

const secret = "a-token-of-the-tests"

// The bounds of the queue of loads.
const (
	maxWaiting = 8
	maxEnded   = 100
)

// loader is a Loader that does what a test says.
type loader func(ctx context.Context, source jobs.Source, progress jobs.Progress) (findings.Loaded, error)

// Load implements api.Loader.
func (l loader) Load(ctx context.Context, source jobs.Source, progress jobs.Progress) (findings.Loaded, error) {
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
	q.Handler = api.New(newFake(t), api.Options{
		Document: documentBytes(t), Log: q.log.logger(), Loads: q.loads, Drafts: publish.NewDrafts(filepath.Join(q.temp, "drafts"), describer{}),
		Operator: harvest.Operator{Security: "mailto:security@example.org"},
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
	return q.postTo(t, "/cubes", media, body, headers...)
}

func (q *queue) postTo(t *testing.T, target, media string, body io.Reader, headers ...string) response {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, target, body)
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", media)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	q.ServeHTTP(recorder, request)
	r := response{recorder.Code, recorder.Header(), recorder.Body.String()}
	if !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
		r.conform(t, request)
	}
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

func TestLoad_Zip(t *testing.T) {
	began, goOn := make(chan struct{}), make(chan struct{})
	q := newQueue(t, func(_ context.Context, source jobs.Source, progress jobs.Progress) (findings.Loaded, error) {
		content, err := io.ReadAll(io.NewSectionReader(source.Zip, 0, source.Size))
		if err != nil || string(content) != "a zip" {
			t.Errorf("it has %q, %v", content, err)
		}
		progress.Begin("Checking", 200)
		progress.Add(50, 7)
		close(began)
		<-goOn
		progress.End()
		return findings.Loaded{Cube: budget(t), Outcome: findings.OutcomeLoaded}, nil
	})
	path := q.submit(t, "a zip")
	if j, r := q.look(t, path); j.State != "waiting" || r.header.Get("Retry-After") == "" || q.spooled(t) != 1 {
		t.Errorf("before it is loaded: %s", r.body)
	}
	if named, _ := os.ReadDir(q.temp); len(named) > 0 {
		t.Errorf("a server that is killed leaves %v", named)
	}
	q.run(t)
	<-began
	j, r := q.look(t, path)
	if p := j.Progress; j.State != "running" || p.Stage != "Checking" || p.Bytes != 50 || p.Rows != 7 || *p.Percent != 25 {
		t.Errorf("under way: %s", r.body)
	}
	close(goOn)
	j = q.ends(t, path)
	if j.State != "done" || j.Result.Outcome != "loaded" || j.Result.Cube != "croatia" || j.Result.Version != 3 ||
		j.Result.Findings["warning"] != 2 || j.Result.Links["report"] != "cubes/croatia/report?version=3" {
		t.Errorf("in the end: %+v", j)
	}
	for _, link := range j.Result.Links {
		if r := ask(t, q, "/"+link); r.status != http.StatusOK {
			t.Errorf("the link %s leads to %d", link, r.status)
		}
	}
	if n := q.spooled(t); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
}

func TestLoad_Allow(t *testing.T) {
	allowed := make(chan []string, 1)
	q := newQueue(t, func(_ context.Context, source jobs.Source, _ jobs.Progress) (findings.Loaded, error) {
		allowed <- source.Allow
		return findings.Loaded{Cube: budget(t), Outcome: findings.OutcomeLoaded}, nil
	})
	q.run(t)
	for query, want := range map[string]string{"": "[]", "?allow=no-year": "[no-year]", "?allow=no-year,no-rows&allow=no-levels": "[no-year no-rows no-levels]"} {
		r := q.postTo(t, "/cubes"+query, "application/zip", strings.NewReader("a zip"))
		if r.status != http.StatusAccepted {
			t.Fatalf("%s: %d %s", query, r.status, r.body)
		}
		if got := fmt.Sprint(<-allowed); got != want {
			t.Errorf("%s: %d, allowed are %s", query, r.status, got)
		}
	}
}

// A table becomes the cube that the request names, read in the encoding that its media type names.
func TestLoad_Tables(t *testing.T) {
	type got struct{ name, ending, encoding, content string }
	loaded := make(chan got, 1)
	q := newQueue(t, func(_ context.Context, source jobs.Source, _ jobs.Progress) (findings.Loaded, error) {
		data := source.Table
		if data == nil {
			data = source.Zip
		}
		content, err := io.ReadAll(io.NewSectionReader(data, 0, source.Size))
		loaded <- got{source.Name, source.Ending, source.Encoding, string(content)}
		return findings.Loaded{Cube: budget(t), Outcome: findings.OutcomeLoaded}, err
	})
	q.run(t)
	for _, test := range []struct {
		media string
		want  got
	}{
		{"text/csv", got{"my-town", ".csv", "", "a,b"}},
		{"text/tab-separated-values", got{"my-town", ".tsv", "", "a,b"}},
		{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", got{"my-town", ".xlsx", "", "a,b"}},
		{"text/csv; charset=windows-1252", got{"my-town", ".csv", "windows-1252", "a,b"}},
		{"application/zip", got{"my-town", "", "", "a,b"}},
	} {
		if r := q.postTo(t, "/cubes?name=my-town", test.media, strings.NewReader("a,b")); r.status != http.StatusAccepted {
			t.Fatalf("%s: %d %s", test.media, r.status, r.body)
		}
		if got := <-loaded; got != test.want {
			t.Errorf("%s is loaded as %+v, want %+v", test.media, got, test.want)
		}
	}
}

// The links of the answer hold with a slash at the end of the path, too.
func TestLoad_LocationIsRelative(t *testing.T) {
	q := newQueue(t, nil)
	request := httptest.NewRequest(http.MethodPost, "/cubes/", strings.NewReader("x"))
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", "application/zip")
	recorder := httptest.NewRecorder()
	q.ServeHTTP(recorder, request)
	at, err := request.URL.Parse(recorder.Header().Get("Location"))
	if err != nil || !strings.HasPrefix(at.Path, "/jobs/") {
		t.Errorf("%v, %v", at, err)
	}
}

func TestLoad_Outcomes(t *testing.T) {
	for name, test := range map[string]struct {
		err                           error
		state, code, message, problem string
	}{
		"refused": {&jobs.Refused{Problems: []string{"a.csv:2: bad cell", "another"}}, "refused", "bad-package",
			"the package is refused", "a.csv:2: bad cell"},
		"away":                      {cube.Errorf(cube.CodeUnavailable, "the database is away"), "failed", "unavailable", "the database is away", ""},
		"a fault":                   {errors.New("the password is 1234"), "failed", "internal", "internal error", ""},
		"a code of another program": {cube.Errorf(cube.CodeInUse, "the password is 1234"), "failed", "internal", "internal error", ""},
	} {
		t.Run(name, func(t *testing.T) {
			q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (findings.Loaded, error) {
				return findings.Loaded{}, test.err
			})
			q.run(t)
			j := q.ends(t, q.submit(t, "x"))
			if j.State != test.state || j.Problem.Code != test.code || j.Problem.Message != test.message ||
				j.Result != nil || test.problem != "" && (len(j.Problem.Problems) != 2 || j.Problem.Problems[0] != test.problem) {
				t.Errorf("%+v", j)
			}
			if n := q.spooled(t); n != 0 {
				t.Errorf("%d temporary files are left", n)
			}
		})
	}
}

func TestLoad_Metrics(t *testing.T) {
	ends := []error{nil, nil, &jobs.Refused{Problems: []string{"bad"}}, cube.Errorf(cube.CodeConflict, "in the way")}
	began, outcomes := make(chan struct{}), []findings.Outcome{findings.OutcomeLoaded, findings.OutcomeUnchanged, "", ""}
	loaded := 0
	q := newQueue(t, func(ctx context.Context, _ jobs.Source, _ jobs.Progress) (findings.Loaded, error) {
		if loaded++; loaded > len(ends) {
			close(began)
			<-ctx.Done()
			return findings.Loaded{}, ctx.Err()
		}
		return findings.Loaded{Cube: budget(t), Outcome: outcomes[loaded-1]}, ends[loaded-1]
	})
	says(t, ask(t, q, "/metrics").body, `fiscube_loads_total{outcome="failed"} 0`+"\n", "fiscube_loads_waiting 0\n")
	stop := q.run(t)
	for range ends {
		q.ends(t, q.submit(t, "x"))
	}
	q.submit(t, "x")
	<-began
	q.submit(t, "y")
	says(t, ask(t, q, "/metrics").body, "fiscube_loads_waiting 1\n", "fiscube_loads_running 1\n")
	stop()
	says(t, ask(t, q, "/metrics").body,
		`fiscube_loads_total{outcome="done"} 1`+"\n", `fiscube_loads_total{outcome="unchanged"} 1`+"\n",
		`fiscube_loads_total{outcome="refused"} 1`+"\n", `fiscube_loads_total{outcome="failed"} 1`+"\n",
		`fiscube_loads_total{outcome="cancelled"} 2`+"\n", "fiscube_load_duration_seconds_count 5\n", "fiscube_loads_running 0\n")
}

// A load that something is in the way of is no fault of the service.
func TestLoad_LogLevels(t *testing.T) {
	for level, err := range map[string]error{
		"WARN": cube.Errorf(cube.CodeConflict, "in the way"), "ERROR": errors.New("a fault"), "INFO": &jobs.Refused{},
	} {
		log := &logged{}
		loads := jobs.New(loader(func(context.Context, jobs.Source, jobs.Progress) (findings.Loaded, error) {
			return findings.Loaded{}, err
		}), jobs.Options{Token: secret, Log: log.logger()})
		q := &queue{Handler: api.New(newFake(t), api.Options{
			Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Loads: loads,
		}), loads: loads}
		stop := q.run(t)
		q.ends(t, q.submit(t, "x"))
		stop()
		if lines := log.lines(t); len(lines) != 1 || lines[0]["level"] != level {
			t.Errorf("%s: %s", level, log)
		}
	}
}

func TestLoad_Panics(t *testing.T) {
	first := true
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (findings.Loaded, error) {
		if first {
			first = false
			panic("secret")
		}
		return findings.Loaded{Cube: budget(t), Outcome: findings.OutcomeUnchanged}, nil
	})
	q.run(t)
	if j := q.ends(t, q.submit(t, "x")); j.State != "failed" || j.Problem.Message != "internal error" {
		t.Errorf("%+v", j)
	}
	if j := q.ends(t, q.submit(t, "x")); j.State != "done" || j.Result.Outcome != "unchanged" {
		t.Errorf("%+v", j)
	}
}

func TestLoad_OneAtATime(t *testing.T) {
	var running, most atomic.Int32
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (findings.Loaded, error) {
		most.Store(max(most.Load(), running.Add(1)))
		time.Sleep(5 * time.Millisecond)
		running.Add(-1)
		return findings.Loaded{Cube: budget(t), Outcome: findings.OutcomeLoaded}, nil
	})
	q.run(t)
	var paths []string
	for range 6 {
		paths = append(paths, q.submit(t, "x"))
	}
	for _, path := range paths {
		q.ends(t, path)
	}
	if most.Load() != 1 {
		t.Errorf("%d were loaded at once", most.Load())
	}
}

func TestLoad_QueueIsBounded(t *testing.T) {
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (findings.Loaded, error) {
		return findings.Loaded{Cube: budget(t), Outcome: findings.OutcomeLoaded}, nil
	})
	var paths []string
	for range maxWaiting {
		paths = append(paths, q.submit(t, "x"))
	}
	r := q.post(t, "application/zip", unreadBody{t})
	if p := r.problem(t); r.status != http.StatusTooManyRequests || p.Code != "too-many-loads" || r.header.Get("Retry-After") == "" {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	q.run(t)
	for _, path := range paths {
		q.ends(t, path)
	}
	q.ends(t, q.submit(t, "x"))
}

// Jobs that are over are kept for a while, not for ever.
func TestLoad_EndedJobsAreForgotten(t *testing.T) {
	q := newQueue(t, func(context.Context, jobs.Source, jobs.Progress) (findings.Loaded, error) {
		return findings.Loaded{}, &jobs.Refused{}
	})
	q.run(t)
	first := q.submit(t, "x")
	q.ends(t, first)
	for range maxEnded + maxWaiting {
		q.ends(t, q.submit(t, "x"))
	}
	r := ask(t, q, first, "Authorization", "Bearer "+secret)
	if p := r.problem(t); r.status != http.StatusNotFound || p.Code != "unknown-job" {
		t.Errorf("status %d: %s", r.status, r.body)
	}
}

// A server that stops cancels what runs and what waits, and waits until the loader has let go.
func TestLoad_StopCancels(t *testing.T) {
	began, undone := make(chan struct{}), false
	q := newQueue(t, func(ctx context.Context, _ jobs.Source, _ jobs.Progress) (findings.Loaded, error) {
		close(began)
		<-ctx.Done()
		time.Sleep(20 * time.Millisecond)
		undone = true
		return findings.Loaded{}, fmt.Errorf("copy: %w", ctx.Err())
	})
	running, waiting := q.submit(t, "x"), q.submit(t, "y")
	stop := q.run(t)
	<-began
	stop()
	if !undone {
		t.Error("the store may be closed while it is still written to")
	}
	for _, path := range []string{running, waiting} {
		if j, _ := q.look(t, path); j.State != "cancelled" || j.Problem == nil || j.Result != nil {
			t.Errorf("%+v", j)
		}
	}
	r := q.post(t, "application/zip", strings.NewReader("x"))
	if p := r.problem(t); r.status != http.StatusServiceUnavailable || p.Code != cube.CodeUnavailable {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	if n := q.spooled(t); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
}

// unreadBody fails the test that reads it.
type unreadBody struct{ t *testing.T }

// Read implements io.Reader.
func (b unreadBody) Read([]byte) (int, error) {
	b.t.Error("the body was read")
	return 0, io.EOF
}

// endless is a body without end that counts what is read of it.
type endless struct{ read int64 }

// Read implements io.Reader.
func (b *endless) Read(p []byte) (int, error) {
	b.read += int64(len(p))
	return len(p), nil
}

func TestLoad_ZipTooLarge(t *testing.T) {
	q := newQueue(t, nil)
	body := &endless{}
	for name, r := range map[string]response{
		"without a length":  q.post(t, "application/zip", body),
		"one byte too many": q.post(t, "application/zip", bytes.NewReader(make([]byte, 1001))),
	} {
		if p := r.problem(t); r.status != http.StatusRequestEntityTooLarge || p.Code != cube.CodeTooLarge {
			t.Errorf("%s: status %d: %s", name, r.status, r.body)
		}
	}
	if body.read > 64<<10 {
		t.Errorf("%d bytes were read of a body that may have 1000", body.read)
	}
	if n := q.spooled(t); n != 0 {
		t.Errorf("%d temporary files are left", n)
	}
	q.submit(t, strings.Repeat("x", 1000))
}

func TestLoad_URL(t *testing.T) {
	const at = "https://example.org/datapackage.json?year=2020&password=se secret"
	got := make(chan jobs.Source, 1)
	q := newQueue(t, func(_ context.Context, source jobs.Source, _ jobs.Progress) (findings.Loaded, error) {
		got <- source
		return findings.Loaded{Cube: budget(t), Outcome: findings.OutcomeRestored}, nil
	})
	q.run(t)
	r := q.post(t, "application/json; charset=utf-8", strings.NewReader(`{"url": "`+at+`"}`))
	if source := <-got; r.status != http.StatusAccepted || source.URL != strings.ReplaceAll(at, " ", "%20") || source.Zip != nil {
		t.Errorf("status %d: %s, of %+v", r.status, r.body, source)
	}
	if strings.Contains(r.body, "secret") || !strings.Contains(r.body, "datapackage.json?year=2020") {
		t.Errorf("the job is %s", r.body)
	}
}

// Uploads that break off leave nothing, and give their slots back.
func TestLoad_UploadBreaksOff(t *testing.T) {
	q := newQueue(t, nil)
	ctx, stop := context.WithCancel(t.Context())
	address, ended := serve(ctx, t, q)
	for range 2 * maxWaiting {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(connection, "POST /cubes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/zip\r\nContent-Length: 900\r\n\r\nhalf a zip", secret)
		connection.Close()
	}
	for deadline := time.Now().Add(patience); q.spooled(t) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what was sent is kept")
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for range maxWaiting {
		q.submit(t, "x")
	}
}

// A client that sends Expect: 100-continue is refused before it sends the body.
func TestLoad_RefusesBeforeTheBody(t *testing.T) {
	q := newQueue(t, nil)
	address, _ := serve(t.Context(), t, q)
	for name, test := range map[string]struct {
		token  string
		length int64
		status int
	}{
		"wrong token": {"wrong", 10, http.StatusUnauthorized},
		"too large":   {secret, 1001, http.StatusRequestEntityTooLarge},
	} {
		request, err := http.NewRequest(http.MethodPost, "http://"+address+"/cubes", unreadBody{t})
		if err != nil {
			t.Fatal(err)
		}
		request.ContentLength = test.length
		request.Header = http.Header{"Authorization": {"Bearer " + test.token}, "Content-Type": {"application/zip"}, "Expect": {"100-continue"}}
		client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != test.status {
			t.Errorf("%s: %s", name, response.Status)
		}
	}
}

// A client that sends all before it listens hears why its package is not taken, whether it asked first or not.
func TestLoad_AnswerOutlivesTheUpload(t *testing.T) {
	address, _ := serve(t.Context(), t, newQueue(t, nil))
	for _, expect := range []string{"", "Expect: 100-continue\r\n"} {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		fmt.Fprintf(connection, "POST /cubes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/zip\r\nTransfer-Encoding: chunked\r\n%s\r\n", secret, expect)
		chunk := fmt.Appendf(nil, "%x\r\n%s\r\n", 1<<20, make([]byte, 1<<20))
		for range 16 {
			if _, err := connection.Write(chunk); err != nil {
				t.Fatalf("with %q the body is cut off: %v", expect, err)
			}
		}
		fmt.Fprint(connection, "0\r\n\r\n")
		answer, err := io.ReadAll(connection)
		if err != nil || !strings.Contains(string(answer), "HTTP/1.1 413 ") {
			t.Errorf("with %q the answer is %q, %v", expect, answer, err)
		}
	}
}

// Who shows a wrong token waits for the answer. Nobody's body is read without the right one, and no log has it.
func TestToken_WrongOnesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t, nil) // which would panic
		for authorization, wait := range map[string]time.Duration{
			"": 0, secret: 0, "Basic " + secret: 0, "Bearer": 250 * time.Millisecond, "Bearer " + secret[1:]: 250 * time.Millisecond, "Bearer " + secret + " ": 250 * time.Millisecond,
		} {
			r := httptest.NewRequest(http.MethodPost, "/cubes?_token="+secret, unreadBody{t})
			r.Header.Set("Authorization", authorization)
			w, began := httptest.NewRecorder(), time.Now()
			if q.ServeHTTP(w, r); w.Code != http.StatusUnauthorized || time.Since(began) != wait {
				t.Errorf("%q: status %d after %s", authorization, w.Code, time.Since(began))
			}
		}
		if strings.Contains(q.log.String(), secret) {
			t.Error("the log has the token")
		}
	})
}
