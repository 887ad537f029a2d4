package e2e

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

// firstStart is what the first "fiscube serve --seed" made: a store with the example packages, which nobody has open, and what is
// in the folder that was empty.
type firstStart struct{ db, folder string }

// firstStarts are made once for each kind of store.
var firstStarts = struct {
	mu sync.Mutex
	of map[string]firstStart
}{of: map[string]firstStart{}}

// firstStart starts a server that has nothing configured or, on PostgreSQL, what docker-compose.yml configures.
func (k kind) firstStart(t testing.TB) firstStart {
	t.Helper()
	firstStarts.mu.Lock()
	defer firstStarts.mu.Unlock()
	if made, ok := firstStarts.of[k.name]; ok {
		return made
	}
	made := firstStart{folder: lasting{t}.TempDir()}
	var variables []string
	command := []string{"serve", "--seed", "--addr", "127.0.0.1:0"}
	if made.db = k.fresh(lasting{t}); isDuckDB(made.db) {
		made.db = "duckdb:" + filepath.Join(made.folder, "fiscube.duckdb")
	} else {
		c := readCompose(t, "docker-compose.yml")
		command, variables = c.command, c.onThisMachine(t, made.db)
	}
	s := serving(t, startIn(t, made.folder, variables, command...))
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body := s.get(t, path); status != 200 {
			t.Errorf("GET %s: %d\n%s", path, status, body)
		}
	}
	servesTheSeeds(t, s)
	s.stop(t)
	firstStarts.of[k.name] = made
	return made
}

// withExamples gives the address of a store that has the example packages, and goes with t.
func (k kind) withExamples(t testing.TB) (db string) {
	t.Helper()
	return k.copied(t, k.firstStart(t).db)
}

// The first thing anybody does: "fiscube serve --seed" in an empty folder, with nothing configured; then the same again.
func TestServe_SeedsInAnEmptyFolder(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, second *service) {
		servesTheSeeds(t, second)
		if strings.Contains(second.err.String(), "loaded an example") {
			t.Errorf("the examples were loaded again: %s", second)
		}
	})
	t.Run("leaves its file alone", func(t *testing.T) {
		made, _ := filepath.Glob(filepath.Join(kinds[0].firstStart(t).folder, "*"))
		if len(made) != 1 || filepath.Base(made[0]) != "fiscube.duckdb" {
			t.Errorf("the first start left %q", made)
		}
	})
}

// servesTheSeeds checks that the first version of every seed is served, and says that it is made up.
func servesTheSeeds(t testing.TB, s *service) {
	t.Helper()
	var list struct {
		Cubes []struct {
			Name      string
			Version   int
			Synthetic bool
		}
	}
	s.read(t, "/cubes", &list)
	if len(list.Cubes) != len(seeds.All()) {
		t.Errorf("%d cubes are served, want %d", len(list.Cubes), len(seeds.All()))
	}
	for _, cube := range list.Cubes {
		if cube.Version != 1 || !cube.Synthetic {
			t.Errorf("%s: version %d, synthetic %v", cube.Name, cube.Version, cube.Synthetic)
		}
	}
	croatia, _ := seeds.Open("example-croatia")
	s.agree(t, "example-croatia", "admin1_code", addUp(t, croatia, []string{"admin1_code"})[0])
	s.agreeOnTheExample(t)
}

// agreeOnTheExample asks the question that the documentation opens with.
func (s *service) agreeOnTheExample(t testing.TB) {
	t.Helper()
	croatia, _ := seeds.Open("example-croatia")
	want := addUp(t, croatia, []string{"admin1_code"})[0]
	approved := slices.Index(want.measures, "approved_value")
	a := s.ask(t, "example-croatia", "drilldown=admin1_code&aggregates=approved_value.sum")
	if !equal(a.Summary["approved_value.sum"], want.whole.amounts[approved]) {
		t.Errorf("approved are %v, want %v", a.Summary["approved_value.sum"], show(want.whole.amounts[approved]))
	}
}

func TestServe_StopsWhenRequestsUnderWayAreDone(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, medium())
		s := serve(t, db)
		export := s.export(t, "budget")
		s.send(t, syscall.SIGTERM)
		eventually(t, "the server takes no more requests", patience, func() bool {
			response, err := http.Get(s.url + "/healthz")
			if err == nil {
				_ = response.Body.Close()
			}
			return err != nil
		})
		if rows, err := export.rest(t); err != nil || rows != export.rows {
			t.Errorf("%d rows of %d came, and %v", rows, export.rows, err)
		}
		s.succeed(t)
	})
}

func TestStore_TheDefaultIsAFileInTheWorkingFolder(t *testing.T) {
	t.Parallel()
	freshDuckDB(t) // or skip
	folder := t.TempDir()
	startIn(t, folder, nil, "migrate").succeed(t)
	if _, err := os.Stat(filepath.Join(folder, "fiscube.duckdb")); err != nil {
		t.Error(err)
	}
}

// A name of a file is a name in DuckDB too, where it may meet the schemas of ours.
func TestStore_AnEmbeddedFileMayHaveAnyName(t *testing.T) {
	for _, name := range []string{"fiscube", "fact", "member", "main", "memory", "temp", "Fiscube.DB", "año 2020", `it's "one"`} {
		t.Run(name, func(t *testing.T) {
			db := "duckdb:" + filepath.Join(filepath.Dir(strings.TrimPrefix(freshDuckDB(t), "duckdb:")), name)
			says(t, must(t, "load", "--db", db, handFolder(t)), "version 1")
			says(t, must(t, "list", "--db", db), "hand")
		})
	}
}

// aPath puts names of a package that has an image into the paths of openapi.yaml.
var aPath = strings.NewReplacer("/assets/{file}", "/assets/icon.svg", "{cube}", "example-mexico", "{level}", "ID_RAMO", "{dimension}", "ID_UR",
	"{resource}", "example-mexico__2008.csv", "{file}", "start.js")

func TestServe_EveryRouteAnswers(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		asked := 0
		for path, item := range reference(t).Paths.Map() {
			if item.Get == nil || strings.Contains(path, "{job}") {
				continue // there is none without a token (client_test.go)
			}
			asked++
			path, query := aPath.Replace(path), ""
			switch path { // these parameters have no default
			case "/search":
				query = "?q=salud"
			case "/oembed":
				query = "?url=" + url.QueryEscape(s.url+"/explore/example-mexico?drilldown=ID_RAMO")
			}
			for _, p := range []string{path + query, strings.TrimSuffix(path, "/") + "/" + query} {
				if status, body := s.get(t, p); status != http.StatusOK || len(body) == 0 {
					t.Errorf("GET %s: %d\n%s", p, status, body)
				}
			}
		}
		if asked < 30 {
			t.Errorf("only %d paths were asked", asked)
		}
		if status, _ := s.get(t, "/cubes/nope"); status != http.StatusNotFound {
			t.Errorf("GET /cubes/nope: %d", status)
		}
	})
}

// overloadEnv is for how long TestOverload asks the service over the largest real package, as 30s. A drilldown must then be
// answered within a second, for which nothing else should run on the machine. Without it the test is short, and only looks whether all are answered: how long that takes says
// more about what else the machine does.
const overloadEnv = "FISCUBE_TEST_OVERLOAD"

// overload is what many clients ask at the same time.
type overload struct {
	cube       string
	drilldowns []string
	longest    time.Duration // that one answer in a hundred may exceed; 0: no bound
	lasts      time.Duration
}

// The clients of TestOverload.
const (
	exporting = 10
	drilling  = 90
)

// Many exports at the same time refuse no drilldown, and leave it fast, though no answer is kept.
func TestOverload(t *testing.T) {
	text := os.Getenv(overloadEnv)
	if text == "" {
		testrequire.Long(t)
		o := overload{cube: "budget", lasts: time.Second, drilldowns: []string{
			"Year", "admin1_code", "admin2_code", "func1_code", "econ3_code", "fin_source_code",
			"admin1_code&cut=Year:2016", "func1_code|Year",
		}}
		o.run(t, overloaded.onDuckDB(t))
		return
	}
	lasts, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	o := overload{cube: "mexico", lasts: lasts, longest: time.Second, drilldowns: []string{
		"CICLO", "ID_RAMO", "ID_FUNCION", "ID_CAPITULO", "ID_RAMO&cut=CICLO:2010", "ID_FUNCION&cut=CICLO:2008",
		"ID_UR&cut=ID_RAMO:11", "ID_ENTIDAD_FEDERATIVA",
	}}
	mexico := &shared{load: func(t testing.TB) []string { return []string{realPackage(t, "D7-mexico")} }, flags: keepsNothing}
	for _, k := range kinds { // one after the other
		t.Run(k.name, func(t *testing.T) { o.run(t, mexico.on(t, k)) })
	}
}

// keepsNothing has the store asked each question.
var keepsNothing = []string{"--answer-cache", "0", "--answers-memory", "256MB"}

var overloaded = &shared{load: func(testing.TB) []string { return []string{medium()} }, flags: keepsNothing}

// answered is what came back.
type answered struct {
	mu       sync.Mutex
	took     []time.Duration
	statuses map[int]int
	others   map[int]int // of the other doors
	exports  counter
}

func (o overload) run(t *testing.T, s *service) {
	right := make([]string, len(o.drilldowns))
	for i, drilldown := range o.drilldowns { // is right, and known to the store
		s.ask(t, o.cube, "drilldown="+drilldown)
		_, body := s.get(t, "/cubes/"+o.cube+"/aggregate?drilldown="+drilldown)
		right[i] = string(body)
	}
	before := boundMemory(t, s)
	transport := &http.Transport{MaxIdleConnsPerHost: exporting + drilling}
	defer transport.CloseIdleConnections()
	clients := &http.Client{Transport: transport}
	got := answered{statuses: map[int]int{}, others: map[int]int{}}
	ctx, stop := context.WithCancel(t.Context())
	var exports, drilldowns sync.WaitGroup
	defer exports.Wait()
	defer stop()
	for i := range exporting {
		format := []string{"csv", "ndjson", "parquet", "csv", "xlsx"}[i%5]
		exports.Go(func() {
			for ctx.Err() == nil {
				if readInto(ctx, &got.exports, clients, s.url+"/cubes/"+o.cube+"/facts?format="+format) != http.StatusOK {
					time.Sleep(time.Second)
				}
			}
		})
	}
	end := time.Now().Add(o.lasts)
	for i := range drilling {
		drilldowns.Go(func() {
			for n := i; n == i || time.Now().Before(end); n++ {
				if i < len(doors) {
					got.addOther(doors[i].through(ctx, clients, s.url, o.cube, o.drilldowns[n%len(o.drilldowns)]))
					continue
				}
				var body bytes.Buffer
				began, which := time.Now(), n%len(o.drilldowns)
				status := readInto(ctx, &body, clients, s.url+"/cubes/"+o.cube+"/aggregate?drilldown="+o.drilldowns[which])
				got.add(status, time.Since(began))
				if status == http.StatusOK && body.String() != right[which] {
					t.Errorf("%s is answered in another way under load", o.drilldowns[which])
				}
			}
		})
	}
	drilldowns.Wait()
	eventually(t, "an export goes on", patience, func() bool { return got.exports.Load() > 0 })
	got.check(t, o)
	stop()
	exports.Wait()
	if _, text := s.get(t, "/metrics"); !strings.Contains(string(text), "\nfiscube_answers_bytes 0\n") {
		t.Error("answers hold memory when all have ended")
	}
	t.Logf("%d MB of memory before, %d MB afterwards", before>>20, residentMemory(t, s)>>20)
}

// door is another way to the same numbers, with the most that it gives at once.
type door struct{ path, body string }

var doors = []door{
	{path: "/cubes/CUBE/facts?pagesize=10000"}, {path: "/cubes/CUBE/facts?pagesize=9000"},
	{path: "/cubes/CUBE/batch", body: `{"questions": ["drilldown=QUESTION", "drilldown=QUESTION&page=2", "QUESTION"]}`},
	{path: "/explore/CUBE?drilldown=QUESTION"}, {path: "/explore/CUBE.png?drilldown=QUESTION"}, {path: "/embed/CUBE?drilldown=QUESTION"}, {path: "/search?q=CUBE"},
	{path: "/mcp", body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lines", "arguments": {"cube": "CUBE"}}}`},
}

// through asks, and gives the status.
func (d door) through(ctx context.Context, clients *http.Client, url, cube, question string) (status int) {
	names := strings.NewReplacer("CUBE", cube, "QUESTION", question)
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if d.body != "" {
		method, body = http.MethodPost, strings.NewReader(names.Replace(d.body))
	}
	request, err := http.NewRequestWithContext(ctx, method, url+names.Replace(d.path), body)
	if err != nil {
		return 0
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream, text/html")
	response, err := clients.Do(request)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

// boundMemory lets a server have a gigabyte from now on, where a control group of its own can be made, and gives what it has.
func boundMemory(t *testing.T, s *service) (bytes int64) {
	t.Helper()
	for _, bound := range [][2]string{{"/sys/fs/cgroup", "memory.max"}, {"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}} {
		group := filepath.Join(bound[0], "fiscube-overload-"+strconv.Itoa(s.cmd.Process.Pid))
		if os.Mkdir(group, 0o755) != nil {
			continue
		}
		write := func(name, text string) error { return os.WriteFile(filepath.Join(group, name), []byte(text), 0o600) }
		leave := func() { // to the group above
			_ = os.WriteFile(filepath.Join(bound[0], "cgroup.procs"), []byte(strconv.Itoa(s.cmd.Process.Pid)), 0o600)
			_ = os.Remove(group)
		}
		if _, err := os.Stat(filepath.Join(group, bound[1])); err != nil || write(bound[1], "1073741824") != nil || write("cgroup.procs", strconv.Itoa(s.cmd.Process.Pid)) != nil {
			leave()
			continue
		}
		t.Cleanup(leave)
		t.Logf("the server has a gigabyte, in %s", group)
		return residentMemory(t, s)
	}
	t.Log("no control group can be made: the memory of the server has no bound")
	return residentMemory(t, s)
}

// residentMemory is what a server has in memory, 0 where the system does not say it.
func residentMemory(t *testing.T, s *service) (bytes int64) {
	t.Helper()
	_, text := s.get(t, "/metrics")
	_, rest, _ := strings.Cut(string(text), "\nprocess_resident_memory_bytes ")
	line, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.ParseFloat(line, 64)
	return int64(n)
}

// readInto reads an answer, and gives its status, or 0 if it did not begin.
func readInto(ctx context.Context, w io.Writer, clients *http.Client, url string) (status int) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0
	}
	response, err := clients.Do(request)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		w = io.Discard
	}
	_, _ = io.Copy(w, response.Body)
	return response.StatusCode
}

// counter counts the bytes that are written to it.
type counter struct{ atomic.Int64 }

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	c.Add(int64(len(b)))
	return len(b), nil
}

func (a *answered) add(status int, took time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.took, a.statuses[status] = append(a.took, took), a.statuses[status]+1
}

func (a *answered) addOther(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.others[status]++
}

func (a *answered) check(t *testing.T, o overload) {
	t.Helper()
	slices.Sort(a.took)
	most := a.took[len(a.took)*99/100]
	t.Logf("%d drilldowns by status: %v; half of them within %v, 99 %% within %v; %d MB of exports",
		len(a.took), a.statuses, a.took[len(a.took)/2], most, a.exports.Load()>>20)
	t.Logf("the other doors by status: %v", a.others)
	for status := range a.others {
		if status != http.StatusOK && status != http.StatusServiceUnavailable {
			t.Errorf("the other doors by status: %v", a.others)
		}
	}
	if a.statuses[http.StatusOK] != len(a.took) {
		t.Errorf("drilldowns by status: %v", a.statuses)
	}
	if o.longest > 0 && most > o.longest {
		t.Errorf("one drilldown in a hundred takes longer than %v", most)
	}
}
