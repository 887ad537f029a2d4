package e2e

import (
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fiscube/store/postgres/postgrestest"
)

// outcome is what a request came to, as far as these tests look at it.
type outcome struct {
	status     int
	retryAfter string
	body       struct{ Code, Message string }
}

// try asks for a path, which may fail.
func (s *service) try(ctx context.Context, path string) (outcome, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
	if err != nil {
		return outcome{}, err
	}
	response, err := client.Do(request)
	if err != nil {
		return outcome{}, err
	}
	defer func() { _ = response.Body.Close() }()
	o := outcome{status: response.StatusCode, retryAfter: response.Header.Get("Retry-After")}
	if response.StatusCode != http.StatusOK {
		err = json.NewDecoder(response.Body).Decode(&o.body)
	}
	return o, err
}

// isAway tells whether a request was refused as it has to be while there is no database.
func (o outcome) isAway() bool {
	return o.status == http.StatusServiceUnavailable && o.retryAfter != "" && o.body.Code == "unavailable"
}

const byYear = "/cubes/example-croatia/aggregate?drilldown=Year"

// PostgreSQL is stopped and started again while several clients ask.
func TestAnOutageOfPostgresUnderLoad(t *testing.T) {
	t.Parallel()
	server := postgrestest.Server(t)
	s := serve(t, server.DSN(t), "--seed")
	ctx, end := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	for _, path := range []string{byYear, byYear + "&format=csv", byYear, "/cubes"} {
		clients.Go(func() { s.askOn(ctx, t, path) })
	}
	defer clients.Wait()
	defer end()
	s.resumes(t)
	server.Stop(t)
	for _, path := range []string{byYear, byYear + "&format=csv", byYear + "&cut=Year:2016", "/readyz"} {
		for range 5 {
			if o, err := s.try(ctx, path); err != nil || !o.isAway() {
				t.Errorf("GET %s without a database: %+v, %v", path, o, err)
			}
		}
	}
	for _, path := range []string{"/healthz", "/cubes", "/cubes/example-croatia/model", "/metrics"} {
		if status, body := s.get(t, path); status != http.StatusOK {
			t.Errorf("GET %s without a database: %d\n%s", path, status, body)
		}
	}
	fails(t, exitFailed, []string{"healthcheck", "--url", s.url + "/readyz"}, "503")
	server.Start(t)
	s.resumes(t)
	must(t, "healthcheck", "--url", s.url+"/readyz")
	end()
	clients.Wait()
	s.stop(t)
}

// askOn asks again and again until ctx ends. Each answer is right or says that there is no database.
func (s *service) askOn(ctx context.Context, t *testing.T, path string) {
	for ctx.Err() == nil {
		o, err := s.try(ctx, path)
		if ctx.Err() == nil && (err != nil || o.status != http.StatusOK && !o.isAway()) {
			t.Errorf("GET %s: %+v, %v", path, o, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// resumes waits until the server answers well, and goes on to.
func (s *service) resumes(t *testing.T) {
	t.Helper()
	good := 0
	eventually(t, "answers resume", patience, func() bool {
		o, err := s.try(t.Context(), byYear)
		if good++; err != nil || o.status != http.StatusOK {
			good = 0
		}
		return good == 20
	})
}

// settles waits until the server has read what can be searched, and asks its store nothing of its own accord.
func (s *service) settles(t testing.TB) {
	t.Helper()
	eventually(t, "everything served can be searched", patience, func() bool {
		var found struct{ Incomplete bool }
		s.read(t, "/search?q=budget", &found)
		return !found.Incomplete
	})
}

// held locks the facts of a database, so that each question waits until the test is over.
func held(t *testing.T, db string) *sql.DB {
	t.Helper()
	connection, err := connect(db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	tx, err := connection.Begin()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	for _, table := range tables(t, db) {
		if _, err := tx.Exec("LOCK TABLE " + table + " IN ACCESS EXCLUSIVE MODE"); err != nil {
			t.Fatal(err)
		}
	}
	return connection
}

// atWork waits until the database works at so many questions.
func atWork(t *testing.T, connection *sql.DB, questions int) {
	t.Helper()
	eventually(t, "the right number of questions at work", patience, func() bool {
		var n int
		err := connection.QueryRow(`SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n == questions
	})
}

func TestAClientThatLeavesEndsItsQuestion(t *testing.T) {
	t.Parallel()
	db := freshPostgres(t)
	s := serve(t, db, "--seed")
	s.settles(t)
	connection := held(t, db)
	for _, format := range []string{"json", "csv"} {
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan struct{})
		go func() {
			defer close(left)
			_, _ = s.try(ctx, byYear+"&format="+format)
		}()
		atWork(t, connection, 1)
		leave()
		<-left
		atWork(t, connection, 0)
	}
}

func TestATimeLimitEndsTheQuestion(t *testing.T) {
	t.Parallel()
	db := freshPostgres(t)
	s := serve(t, db, "--seed", "--query-timeout", "300ms")
	s.settles(t)
	connection := held(t, db)
	for _, format := range []string{"json", "csv"} {
		o, err := s.try(t.Context(), byYear+"&format="+format)
		if err != nil || !o.isAway() || o.body.Message != "the question took longer than the 300ms that one may take" {
			t.Errorf("%s: %+v, %v", format, o, err)
		}
		atWork(t, connection, 0)
	}
}

func TestATimeLimitOnEveryStore(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := startWith(t, db, "FISCUBE_QUERY_TIMEOUT=1ms")
		for range 3 {
			o, err := s.try(t.Context(), "/cubes/budget/aggregate?"+everyRow)
			if err != nil || !o.isAway() || !strings.Contains(o.body.Message, "longer than the 1ms") {
				t.Errorf("%+v, %v", o, err)
			}
		}
		if status, body := s.get(t, "/readyz"); status != http.StatusOK {
			t.Errorf("afterwards: %d\n%s", status, body)
		}
		s.stop(t)
	})
}

// startWith starts a server with variables.
func startWith(t *testing.T, db string, variables ...string) *service {
	t.Helper()
	return serving(t, startIn(t, t.TempDir(), variables, "serve", "--addr", "127.0.0.1:0", "--db", db))
}

// An export goes on for longer than a question may take.
func TestNoTimeLimitOfExports(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		const allowed = 5 * time.Second
		s := serve(t, db, "--query-timeout", allowed.String())
		export := s.export(t, "budget")
		time.Sleep(allowed + time.Second)
		if rows, err := export.rest(t); err != nil || rows != export.rows {
			t.Errorf("%d rows of %d came, and %v", rows, export.rows, err)
		}
		s.stop(t)
	})
}

func TestTheRateOfAServer(t *testing.T) {
	t.Parallel()
	s := serve(t, freshDuckDB(t), "--rate", "0.01") // so one at once
	for _, want := range []int{200, 429} {
		if o, err := s.try(t.Context(), "/cubes"); err != nil || o.status != want || (o.retryAfter == "100") != (want == 429) {
			t.Errorf("%+v, %v, want %d", o, err, want)
		}
	}
	must(t, "healthcheck", "--url", s.url+"/readyz")
}

func TestTheLogIsJSONOrText(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{"json": `"msg":"request"`, "auto": `"msg":"request"`, "text": "msg=request"} {
		s := serve(t, freshDuckDB(t), "--log", form)
		s.get(t, "/healthz")
		eventually(t, "a line of the form "+form, patience, func() bool { return strings.Contains(s.err.String(), want) })
		s.stop(t)
	}
}

func TestHealthcheckOfNoServer(t *testing.T) {
	fails(t, exitFailed, []string{"healthcheck", "--url", "http://127.0.0.1:1/readyz"}, "fiscube: ask for its health")
	fails(t, exitUsage, []string{"healthcheck", "--url", "http://%zz"}, "invalid URL")
	fails(t, exitUsage, []string{"healthcheck", "--addr", "8080"}, "missing port")
}

func TestLimitsThatAreNone(t *testing.T) {
	for _, flag := range []string{"--rate=-1", "--rate=NaN", "--rate=Inf", "--max-queries=-1", "--max-queue=-1", "--query-timeout=-1s"} {
		fails(t, exitUsage, []string{"serve", flag}, "a limit is a number from 0 up")
	}
	fails(t, exitUsage, []string{"serve", "--log", "xml"}, `no form of the log "xml"`)
	fails(t, exitUsage, []string{"serve", "--query-timeout", "soon"}, "invalid argument")
	for _, address := range []string{
		"example.org", "/budgets", "ftp://example.org", "https://", "https://:80", "https://a@example.org", "https://example.org?a=b",
		"https://example.org?", "https://example.org#a", "https://exa mple.org", "http://%zz",
	} {
		fails(t, exitUsage, []string{"serve", "--public-url", address}, "is no address of a server")
	}
}

func TestLinksBeginAtThePublicURL(t *testing.T) {
	t.Parallel()
	variables := []string{"FISCUBE_DB=" + freshDuckDB(t), "FISCUBE_ADDR=127.0.0.1:0", "FISCUBE_PUBLIC_URL=https://example.org/budgets/"}
	s := serving(t, startIn(t, t.TempDir(), variables, "serve", "--seed"))
	_, body := s.get(t, "/cubes/example-croatia/aggregate?cite=1")
	says(t, string(body), `"link":"https://example.org/budgets/cubes/example-croatia/aggregate?`)
	s.stop(t)
}

// The image asks the port at which it serves.
func TestTheImageChecksItsOwnHealth(t *testing.T) {
	image, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(image), `HEALTHCHECK`, `CMD ["fiscube", "healthcheck"]`)
	// A flag of the server's would not be one of the health check's.
	says(t, string(image), `FISCUBE_ADDR=:`, `CMD ["serve"]`)
}
