package e2e

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"fiscube/internal/testrequire"
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

// isAway says whether a request was refused as it has to be while there is no database.
func (o outcome) isAway() bool {
	return o.status == http.StatusServiceUnavailable && o.retryAfter != "" && o.body.Code == "unavailable"
}

const byYear = "/cubes/example-croatia/aggregate?drilldown=Year"

// serveCroatia serves the package that byYear asks.
func serveCroatia(t testing.TB, db string, flags ...string) *service {
	t.Helper()
	must(t, "load", "--db", db, "seeds/example-croatia")
	return serve(t, db, flags...)
}

// PostgreSQL is stopped and started again while several clients ask. Nothing is in memory, or answers would not need it.
func TestServe_AnOutageOfPostgresUnderLoad(t *testing.T) {
	t.Parallel()
	server := postgrestest.Server(t)
	s := serveCroatia(t, server.DSN(t), "--answer-cache", "0", "--resident", "0")
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

func TestServe_AClientThatLeavesEndsItsQuestion(t *testing.T) {
	t.Parallel()
	db := freshPostgres(t)
	s := serveCroatia(t, db, "--answer-cache", "0", "--resident", "0")
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

func TestQueryTimeout_EndsTheQuestion(t *testing.T) {
	t.Parallel()
	db := freshPostgres(t)
	s := serveCroatia(t, db, "--answer-cache", "0", "--resident", "0", "--query-timeout", "300ms")
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

func TestQueryTimeout_OnEveryStore(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := startWith(t, db, "FISCUBE_QUERY_TIMEOUT=1us", "FISCUBE_RESIDENT=0") // else an answer from memory needs no store
		for range 3 {
			o, err := s.try(t.Context(), "/cubes/budget/aggregate?"+everyRow)
			if err != nil || !o.isAway() || !strings.Contains(o.body.Message, "longer than the 1µs") {
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
func TestQueryTimeout_IsNotForExports(t *testing.T) {
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

func TestRate_LimitsAnAddress(t *testing.T) {
	t.Parallel()
	s := serve(t, freshDuckDB(t), "--rate", "0.01") // so one at once
	for _, want := range []int{200, 429} {
		if o, err := s.try(t.Context(), "/cubes"); err != nil || o.status != want || (o.retryAfter == "100") != (want == 429) {
			t.Errorf("%+v, %v, want %d", o, err, want)
		}
	}
	must(t, "healthcheck", "--url", s.url+"/readyz")
}

func TestLog_IsJSONOrText(t *testing.T) {
	t.Parallel()
	for form, want := range map[string]string{"json": `"msg":"request"`, "auto": `"msg":"request"`, "text": "msg=request"} {
		s := serve(t, freshDuckDB(t), "--log", form)
		s.get(t, "/healthz")
		eventually(t, "a line of the form "+form, patience, func() bool { return strings.Contains(s.err.String(), want) })
		s.stop(t)
	}
}

func TestHealthcheck_OfNoServer(t *testing.T) {
	fails(t, exitFailed, []string{"healthcheck", "--url", "http://127.0.0.1:1/readyz"}, "fiscube: ask for its health")
	fails(t, exitUsage, []string{"healthcheck", "--url", "http://%zz"}, "invalid URL")
	fails(t, exitUsage, []string{"healthcheck", "--addr", "8080"}, "missing port")
}

func TestServe_RefusesImpossibleLimits(t *testing.T) {
	for _, flag := range []string{"--rate=-1", "--rate=NaN", "--rate=Inf", "--max-queries=-1", "--max-queue=-1", "--max-dear=-1", "--query-timeout=-1s"} {
		fails(t, exitUsage, []string{"serve", flag}, "a limit is a number from 0 up")
	}
	fails(t, exitUsage, []string{"serve", "--log", "xml"}, `it has to be text, json or auto`)
	fails(t, exitUsage, []string{"serve", "--query-timeout", "soon"}, "invalid argument")
	for _, address := range []string{
		"example.org", "/budgets", "ftp://example.org", "https://", "https://:80", "https://a@example.org", "https://example.org?a=b",
		"https://example.org?", "https://example.org#a", "https://exa mple.org", "http://%zz",
	} {
		fails(t, exitUsage, []string{"serve", "--public-url", address}, "is no address of a server")
	}
}

func TestPublicURL_BeginsLinks(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, handFolder(t))
	variables := []string{"FISCUBE_DB=" + db, "FISCUBE_ADDR=127.0.0.1:0", "FISCUBE_PUBLIC_URL=https://example.org/budgets/"}
	s := serving(t, startIn(t, t.TempDir(), variables, "serve"))
	_, body := s.get(t, "/cubes/hand/aggregate?cite=1")
	says(t, string(body), `"link":"https://example.org/budgets/cubes/hand/aggregate?`)
	s.stop(t)
}

// The image asks the port at which it serves.
func TestDockerfile_ChecksItsOwnHealth(t *testing.T) {
	image, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	says(t, string(image), `HEALTHCHECK`, `CMD ["fiscube", "healthcheck"]`)
	// A flag of the server's would not be one of the health check's.
	says(t, string(image), `FISCUBE_ADDR=:`, `CMD ["serve"]`)
}

// A container names its address once, in a variable: server and health check both go by it.
func TestHealthcheck_FollowsTheAddressOfTheServer(t *testing.T) {
	t.Parallel()
	s := serve(t, freshDuckDB(t))
	_, port, err := net.SplitHostPort(s.url[len("http://"):])
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "", "0.0.0.0"} {
		addr := net.JoinHostPort(host, port)
		startIn(t, t.TempDir(), []string{"FISCUBE_ADDR=" + addr}, "healthcheck").succeed(t)
		must(t, "healthcheck", "--addr", addr)
	}
	must(t, "healthcheck", "--addr", "127.0.0.1:1", "--url", s.url+"/readyz")
	fails(t, exitFailed, []string{"healthcheck", "--addr", "127.0.0.1:1"}, "fiscube: ask for its health")
}

func TestMetrics_ListTheStore(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serveCroatia(t, db)
		s.settles(t)
		s.ask(t, "example-croatia", "drilldown=Year")
		var page []byte
		eventually(t, "the store is free again", patience, func() bool { // the server looks at its catalogue of its own accord
			_, page = s.get(t, "/metrics")
			return bytes.Contains(page, []byte("fiscube_store_connections_in_use 0\n"))
		})
		says(t, string(page), `fiscube_cube_version{cube="example-croatia"} 1`, `fiscube_stage_duration_seconds_count{stage="store"} 1`)
		if strings.HasPrefix(db, "postgres") {
			says(t, string(page), "# TYPE fiscube_store_connections_max gauge\n",
				"# TYPE fiscube_store_connections_opened_total counter\n", "# TYPE fiscube_store_connection_waits_total counter\n",
				"# TYPE fiscube_store_connection_waits_canceled_total counter\n",
				"# TYPE fiscube_store_connection_wait_seconds_total counter\n")
		}
		problems, err := promlint.New(bytes.NewReader(page)).Lint()
		if err != nil || len(problems) > 0 {
			t.Errorf("what is wrong with the metrics: %v, %v", problems, err)
		}
		s.stop(t)
	})
}

// composed is what a file of docker compose says of the service fiscube, as far as these tests need it.
type composed struct {
	command     []string
	environment map[string]string
	ports       string
}

// readCompose reads such a file line by line: it is ours, and no YAML reader is needed for it.
func readCompose(t testing.TB, file string) composed {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, service, found := strings.Cut(string(data), "\n  fiscube:")
	if !found {
		t.Fatalf("%s has no service fiscube", file)
	}
	c := composed{environment: map[string]string{}}
	command := regexp.MustCompile(`(?m)^    command: (\[.*\])$`).FindStringSubmatch(service)
	if command == nil || json.Unmarshal([]byte(command[1]), &c.command) != nil {
		t.Fatalf("the service has no command in one line: %q", command)
	}
	_, environment, _ := strings.Cut(service, "\n    environment:\n")
	for line := range strings.Lines(environment) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "#"):
			continue
		case !strings.HasPrefix(line, "      ") || !ok:
			c.ports = regexp.MustCompile(`(?m)^    ports:\n      - "(\S+)"`).FindStringSubmatch(service)[1]
			return c
		}
		value, _, _ = strings.Cut(value, " #")
		c.environment[name] = strings.Trim(value, `"`)
	}
	return c
}

// onThisMachine gives the variables with the paths of this machine and the database of the test.
func (c composed) onThisMachine(t testing.TB, dsn string) (variables []string) {
	t.Helper()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	here := map[string]string{
		"FISCUBE_DB": c.environment["FISCUBE_DB"], "FISCUBE_ADDR": "127.0.0.1:0", "TMPDIR": t.TempDir(), "PGHOST": config.Host,
		"PGUSER": config.User, "PGDATABASE": config.Database, "PGPASSWORD": config.Password, "FISCUBE_DISTRIBUTE": c.environment["FISCUBE_DISTRIBUTE"],
	}
	for name := range c.environment {
		value, known := here[name]
		if !known {
			t.Errorf("the variable %s is unknown to this test", name)
		}
		variables = append(variables, name+"="+value)
	}
	return append(variables, "PGPORT="+strconv.Itoa(int(config.Port)))
}

// Docker is not to be had everywhere; what the service runs is. It serves the seeds, or there would be no first start.
func TestCompose_ItsCommandServesTheSeeds(t *testing.T) {
	t.Parallel()
	c := readCompose(t, "docker-compose.yml")
	if c.environment["FISCUBE_DB"] != "postgres://" || len(c.environment) < 5 {
		t.Fatalf("the service has the variables %q", c.environment)
	}
	listens := c.environment["FISCUBE_ADDR"]
	if _, port, err := net.SplitHostPort(listens); err != nil || !strings.HasSuffix(c.ports, ":"+port) {
		t.Errorf("the service listens at %s and publishes %s", listens, c.ports)
	}
	first := kinds[1].firstStart(t)
	if made, _ := os.ReadDir(first.folder); len(made) != 0 {
		t.Errorf("it made %v, and the container is read-only", made)
	}
}

// The same on the nodes of a cluster: all cubes are distributed.
func TestComposeCitus_ItsCommandDistributesTheSeeds(t *testing.T) {
	t.Parallel()
	c := readCompose(t, "docker-compose.citus.yml")
	if c.environment["FISCUBE_DISTRIBUTE"] != "always" || !slices.Equal(c.command, []string{"serve", "--seed"}) {
		t.Errorf("the service runs %q with %q", c.command, c.environment)
	}
	if !postgrestest.OnCluster() {
		t.Skip(postgrestest.CitusEnv + " names no Citus cluster")
	}
	db := freshPostgres(t)
	s := serving(t, startIn(t, t.TempDir(), c.onThisMachine(t, db), c.command...))
	defer s.stop(t)
	servesTheSeeds(t, s)
	says(t, must(t, "list", "--db", db), "NODES", "example-croatia")
}

// A question that reads a damaged page says that the file is damaged, and what to do; none gets a wrong number.
func TestServe_SaysThatTheFileIsDamaged(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, medium())
	whole := sure(os.ReadFile(fileOf(db)))
	t.Run("the rows", func(t *testing.T) {
		var ofRows []string
		for _, table := range tables(t, db) {
			if schema, name, _ := strings.Cut(table, "."); schema != "member" {
				ofRows = append(ofRows, fmt.Sprintf(`SELECT block_id FROM pragma_storage_info('%s."%s"') WHERE persistent AND block_id >= 0`, schema, name))
			}
		}
		damage(t, db, whole, strings.Join(ofRows, " UNION "))
		s := serve(t, db)
		defer s.kill(t)
		for _, question := range []string{"facts?order=approved_value", "aggregate?drilldown=Year|activity3_code|econ3_code|func1_code"} {
			status, body := s.get(t, "/cubes/budget/"+question+"&pagesize=10")
			var problem struct {
				Code    string
				Context struct{ Hint string }
			}
			if err := json.Unmarshal(body, &problem); err != nil || status != 500 || problem.Code != "damaged" || !strings.Contains(problem.Context.Hint, "backup") {
				t.Errorf("%s: %d %s", question, status, body)
			}
		}
	})
	t.Run("what DuckDB reads first", func(t *testing.T) {
		damage(t, db, whole, "SELECT block_id FROM pragma_metadata_info()")
		p := start(t, "serve", "--addr", "127.0.0.1:0", "--db", db)
		if code := p.exit(t); code != exitFailed {
			t.Errorf("exit code %d", code)
		}
		says(t, p.err.String(), "cannot be opened as a DuckDB file")
	})
}

// damage writes a file anew with some bytes changed in each of its pages that a query of it gives. Each word changes in another way: in
// DuckDB's sum of a page, equal words cancel each other out, and so would equal changes of a part that is empty.
func damage(t *testing.T, db string, whole []byte, query string) {
	t.Helper()
	write(fileOf(db), whole)
	broken := slices.Clone(whole)
	pages := pagesOf(db, query)
	for _, number := range pages {
		const header, page = 3 * 4096, 256 << 10
		for i := range 64 {
			broken[header+number*page+page/2+i] ^= byte(i + 1)
		}
	}
	if len(pages) == 0 {
		t.Fatalf("no page is %s", query)
	}
	write(fileOf(db), broken)
}

func pagesOf(db, query string) (numbers []int) {
	connection := sure(connect(db))
	defer func() { _ = connection.Close() }()
	rows := sure(connection.Query(query))
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var number int
		check(rows.Scan(&number))
		numbers = append(numbers, number)
	}
	check(rows.Err())
	return numbers
}

// editions writes so many versions of the package "budget", each of other content.
func editions(t testing.TB, n int) (folders []string) {
	t.Helper()
	for i := range n {
		folders = append(folders, grown(t, "budget", i+1))
	}
	return folders
}

// loadAll loads packages one after the other.
func loadAll(t testing.TB, db string, folders []string) {
	t.Helper()
	for _, folder := range folders {
		must(t, "load", "--db", db, folder)
	}
}

// rowsOf asks a version for its rows.
func (s *service) rowsOf(t testing.TB, version int) (status, rows, answered int) {
	t.Helper()
	status, body := s.get(t, fmt.Sprintf("/cubes/budget/aggregate?aggregates=_count&version=%d", version))
	var a struct {
		Version int
		Summary struct {
			Rows int `json:"_count"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	return status, a.Summary.Rows, a.Version
}

func TestVersions_AreRolledBackAndPruned(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		loadAll(t, db, editions(t, 4))
		fails(t, exitUnknown, []string{"rollback", "--db", db, "budget", "9"},
			"budget has no version 9 (version 4 is served; kept are 1, 2, 3, 4)")
		fails(t, exitUnknown, []string{"rollback", "--db", db, "bugdet", "1"}, `no cube "bugdet" (did you mean budget?)`)
		fails(t, exitUnknown, []string{"prune", "--db", db, "bugdet", "--keep", "1"}, `no cube "bugdet"`)
		says(t, must(t, "rollback", "--db", db, "budget", "1"), "budget: version 1 is served\n")
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "2"), "budget: dropped 2\n")
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "2"), "budget: there is nothing to drop\n")
		fails(t, exitUnknown, []string{"rollback", "--db", db, "budget", "2"}, "version 2 of budget is kept no more")
		says(t, must(t, "load", "--db", db, grown(t, "budget", 4)), "budget: version 4 holds exactly this and is served again\n")
		says(t, must(t, "load", "--db", db, grown(t, "budget", 2)), "budget: version 5, ")
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "0"), "budget: dropped 1, 3, 4\n")
	})
}

// A server goes on to answer pinned questions while versions come and go beside it.
func TestVersions_PinnedQuestionsBesideRollbackAndPrune(t *testing.T) {
	testrequire.Long(t)
	sideBySide(t, func(t *testing.T, db string) {
		folders := editions(t, 3)
		loadAll(t, db, folders[:2])
		s := serve(t, db)
		must(t, "load", "--db", db, folders[2])
		s.servesWithin(t, soon, "budget", 3)
		must(t, "rollback", "--db", db, "budget", "2")
		s.servesWithin(t, soon, "budget", 2)
		_, base, _ := s.rowsOf(t, 1)
		for version := range 3 {
			status, rows, answered := s.rowsOf(t, version+1)
			if status != http.StatusOK || rows != base*(version+1) || answered != version+1 {
				t.Errorf("version %d: status %d, %d rows, answered by %d", version+1, status, rows, answered)
			}
		}
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "1"), "budget: dropped 1\n")
		eventually(t, "version 1 is gone", soon, func() bool {
			status, _, _ := s.rowsOf(t, 1)
			return status == http.StatusGone
		})
		if status, _, _ := s.rowsOf(t, 4); status != http.StatusNotFound {
			t.Errorf("a version that never was: status %d", status)
		}
		if got := s.version(t, "budget"); got != 2 {
			t.Errorf("version %d is served, want 2", got)
		}
		s.stop(t)
	})
}

// An answer that is under way when its version is pruned comes whole, or is cut.
func TestPrune_LeavesReadersAWholeAnswerOrNone(t *testing.T) {
	testrequire.Long(t)
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := serve(t, db)
		export := s.export(t, "budget")
		must(t, "load", "--db", db, small())
		says(t, must(t, "prune", "--db", db, "budget", "--keep", "1"), "budget: dropped 1\n")
		if rows, err := export.rest(t); err == nil && rows != export.rows {
			t.Errorf("%d rows of %d came, as if they were all", rows, export.rows)
		}
		one := len(tablesOfOneVersion(t, db))
		if !isDuckDB(db) {
			hasTablesSoon(t, db, one)
		}
		s.stop(t)
		must(t, "list", "--db", db)
		if left := tables(t, db); len(left) != one {
			t.Errorf("tables %q are left, want %d", left, one)
		}
	})
}

// tablesOfOneVersion lists the tables that a version of the package "budget" has in a store of the same kind.
func tablesOfOneVersion(t *testing.T, db string) []string {
	t.Helper()
	fresh := freshPostgres
	if isDuckDB(db) {
		fresh = freshDuckDB
	}
	other := fresh(t)
	must(t, "load", "--db", other, small())
	return tables(t, other)
}

// Not side by side with other tests: it measures time.
func TestRollback_TwoServersSeeItSoon(t *testing.T) {
	db := freshPostgres(t)
	loadAll(t, db, editions(t, 2))
	servers := []*service{serve(t, db), serve(t, db)}
	for _, version := range []int{1, 2, 1} {
		must(t, "rollback", "--db", db, "budget", fmt.Sprint(version))
		for _, s := range servers {
			s.servesWithin(t, soon, "budget", version)
		}
	}
	for _, s := range servers {
		s.stop(t)
	}
}

func TestRemove_LeavesReadersAWholeAnswerOrNone(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := serve(t, db)
		export := s.export(t, "budget")
		says(t, must(t, "remove", "--db", db, "budget"), "budget is removed")
		s.servesWithin(t, patience, "budget", 0)
		rows, err := export.rest(t)
		if err == nil && rows != export.rows {
			t.Errorf("%d rows of %d came, as if they were all", rows, export.rows)
		}
		t.Logf("%d rows of %d came, and %v", rows, export.rows, err)
		dropsAllTables(t, s, db)
	})
}

// hasTablesSoon waits until so many tables are left. It looks now and then: each look is a connection.
func hasTablesSoon(t *testing.T, db string, n int) {
	t.Helper()
	eventually(t, "the tables of what was dropped go", patience, func() bool {
		left := len(tables(t, db))
		if left != n {
			time.Sleep(100 * time.Millisecond)
		}
		return left == n
	})
}

// dropsAllTables checks that the tables of what was removed go, on PostgreSQL while the server runs, in an
// embedded file at the next start at the latest.
func dropsAllTables(t *testing.T, s *service, db string) {
	t.Helper()
	if isDuckDB(db) {
		s.stop(t)
		must(t, "list", "--db", db)
		if left := tables(t, db); left != nil {
			t.Errorf("tables %q are left", left)
		}
		return
	}
	hasTablesSoon(t, db, 0)
	s.stop(t)
}

func TestRemove_TheNameComesBackWithTheNextVersion(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, small())
		must(t, "remove", "--db", db, "budget")
		fails(t, exitUnknown, []string{"remove", "--db", db, "budget"}, `no cube "budget"`)
		says(t, must(t, "load", "--db", db, small()), "budget: version 2, ")
		if kept := tables(t, db); kept == nil {
			t.Error("the second version has no tables")
		}
	})
}
