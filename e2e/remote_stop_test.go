package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// job is what these tests read of a job of a server.
type job struct {
	ID, State string
	Progress  *struct {
		Stage string
		Bytes int64
		Total int64 `json:"total_bytes"`
	}
}

// hasEnded tells whether nothing more is to be expected of the job.
func (j job) hasEnded() bool { return j.State != "waiting" && j.State != "running" }

// job asks for a job as it is now.
func (s *service) job(t testing.TB, id string) (now job) {
	t.Helper()
	request := sure(http.NewRequest(http.MethodGet, s.url+"/jobs/"+id, nil))
	request.Header.Set("Authorization", "Bearer "+secret)
	response, err := client.Do(request)
	if err != nil {
		t.Fatalf("%v\n%s", err, s)
	}
	defer func() { _ = response.Body.Close() }()
	check(json.NewDecoder(response.Body).Decode(&now))
	return now
}

// submit sends a zip and gives its job.
func (s *service) submit(t testing.TB, path string) (made job) {
	t.Helper()
	request := sure(http.NewRequest(http.MethodPost, s.url+"/cubes", sure(os.Open(path))))
	request.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/zip"}}
	response := sure(client.Do(request))
	defer func() { _ = response.Body.Close() }()
	check(json.NewDecoder(response.Body).Decode(&made))
	if response.StatusCode != http.StatusAccepted {
		t.Fatalf("%s: %+v", response.Status, made)
	}
	return made
}

// A server that is stopped in the middle of a load leaves nothing of it.
func TestAServerThatStopsUndoesTheLoadUnderWay(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		before := tables(t, db)
		s := serveWithToken(t, db)
		sent := zippedFolder(t, big())
		job, waiting := s.submit(t, sent), s.submit(t, sent)
		seen := map[string]bool{}
		eventually(t, "the rows are being loaded", patience, func() bool {
			now := s.job(t, job.ID)
			if now.hasEnded() {
				t.Fatalf("the load ended too early: %+v", now)
			}
			if now.Progress != nil {
				seen[now.Progress.Stage] = seen[now.Progress.Stage] || now.Progress.Bytes > 0 && now.Progress.Total > 0
			}
			return seen["Loading"]
		})
		if now := s.job(t, waiting.ID); now.State != "waiting" {
			t.Errorf("the second is %s beside the first", now.State)
		}
		s.stop(t)
		for _, id := range []string{job.ID, waiting.ID} {
			if !regexp.MustCompile(`\b` + id + `\b.*\bstate\b.*\bcancelled\b`).MatchString(s.err.String()) {
				t.Errorf("the log does not say that %s was cancelled:\n%s", id, s)
			}
		}
		if after := tables(t, db); len(after) != len(before) {
			t.Errorf("tables %q became %q", before, after)
		}
		if list := must(t, "versions", "--db", db, "budget"); strings.Count(list, "\n") != 2 {
			t.Errorf("the versions are\n%s", list)
		}
	})
}

// Who stops looking on is told that the load goes on.
func TestCtrlCLeavesTheLoadToTheServer(t *testing.T) {
	t.Parallel()
	s := serveWithToken(t, freshDuckDB(t))
	load := start(t, s.there(t, "load", big())...)
	accepted := regexp.MustCompile(`status"?[=:]202`)
	eventually(t, "the server has the package", patience, func() bool { return accepted.MatchString(s.err.String()) })
	load.send(t, os.Interrupt)
	if code := load.exit(t); code != exitFailed {
		t.Errorf("exit code %d: %s", code, load)
	}
	job := regexp.MustCompile(`stopped; the server goes on with the load, as job (\w+)`).FindStringSubmatch(load.err.String())
	if job == nil {
		t.Fatalf("it says %s", load)
	}
	s.servesWithin(t, patience, "budget", 1)
	s.stop(t)
}

// Who stops while the server has the package, and has not said so yet, hears it all the same.
func TestCtrlCBetweenThePackageAndItsJob(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{small(), zippedFolder(t, small())} {
		received, stopped := make(chan struct{}), make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			close(received)
			<-stopped
			time.Sleep(300 * time.Millisecond) // for the signal to arrive
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, `{"id": "one", "state": "waiting"}`)
		}))
		load := start(t, "load", sent, "--server", server.URL, "--token", secret)
		select {
		case <-received:
		case <-load.ended:
			t.Fatalf("it ended before it had sent anything: %s", load)
		}
		load.send(t, os.Interrupt)
		close(stopped)
		if code := load.exit(t); code != exitFailed {
			t.Errorf("exit code %d: %s", code, load)
		}
		says(t, load.err.String(), "stopped; the server goes on with the load, as job one")
		server.Close()
	}
}

func TestTheSameCubeSentAtOnceIsOneVersion(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serveWithToken(t, db)
		loads := []*process{
			start(t, s.there(t, "load", small())...), start(t, s.there(t, "load", small())...),
			start(t, "load", "--db", db, small()), // by another process, or handed over
		}
		loaded := 0
		for _, load := range loads {
			text := load.succeed(t)
			loaded += strings.Count(text, "budget: version 1, ")
			says(t, text, "budget: version 1")
		}
		if loaded != 1 || s.version(t, "budget") != 1 {
			t.Errorf("it was loaded %d times, and version %d is served", loaded, s.version(t, "budget"))
		}
		s.stop(t)
	})
}

// An upload may go on while the server stops, but its package is not taken any more.
func TestAStopDuringAnUpload(t *testing.T) {
	t.Parallel()
	s := serveWithToken(t, freshDuckDB(t))
	body, feed := io.Pipe()
	request := sure(http.NewRequest(http.MethodPost, s.url+"/cubes", body))
	request.Header = http.Header{"Authorization": {"Bearer " + secret}, "Content-Type": {"application/zip"}}
	status := make(chan int, 1)
	go func() {
		response, err := client.Do(request)
		if err != nil {
			status <- 0
			return
		}
		_ = response.Body.Close()
		status <- response.StatusCode
	}()
	_, err := feed.Write([]byte("PK\x03\x04"))
	check(err)
	eventually(t, "the server takes the package", patience, func() bool {
		_, metrics := s.get(t, "/metrics")
		return strings.Contains(string(metrics), "fiscube_loads_waiting 1\n")
	})
	s.send(t, syscall.SIGTERM)
	eventually(t, "the server takes no more requests", patience, func() bool {
		response, err := http.Get(s.url + "/healthz")
		if err == nil {
			_ = response.Body.Close()
		}
		return err != nil
	})
	check(feed.Close())
	if got := <-status; got != http.StatusServiceUnavailable {
		t.Errorf("a package that comes when the server stops is answered with %d", got)
	}
	s.succeed(t)
}
