package e2e

import (
	"bytes"
	"hash/fnv"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fiscube/internal/testrequire"
)

// overloadEnv is for how long TestOverload asks the service over the largest real package, as 30s. What it takes is judged then, for which
// nothing else should run on the machine. Without it the test is short, and only looks whether all are answered, and rightly.
const overloadEnv = "FISCUBE_TEST_OVERLOAD"

// overload is what a hundred clients ask at the same time.
type overload struct {
	cube       string
	drilldowns []string
	lasts      time.Duration
	judged     bool // what it takes, and whether the memory is given back
}

// The clients of TestOverload, each with an address of its own.
const (
	exporting = 10
	drilling  = 74
	atDoors   = 16
)

// What is promised of the clients, and how long a server rests until its memory is looked at.
const (
	longestDrilldown  = time.Second // of 99 in a hundred
	longestExport     = 10          // times what it takes alone, from its turn on
	refusedDrilldowns = 1000        // of so many one may be, where pages of 10,000 facts hold all memory of answers
	quiet             = 30 * time.Second
	leftInMemory      = 96 << 20
)

// Many exports at the same time refuse no drilldown, and leave it fast, though no answer is kept. All that is answered is what the server
// answers to one client alone.
func TestOverload(t *testing.T) {
	flags := []string{"--answer-cache", "0", "--trust-proxy"} // each question is put to the store
	text := os.Getenv(overloadEnv)
	if text == "" {
		testrequire.Long(t)
		o := overload{cube: "budget", lasts: time.Second, drilldowns: []string{
			"Year", "admin1_code", "admin2_code", "func1_code", "econ3_code", "fin_source_code",
			"admin1_code&cut=Year:2016", "func1_code|Year",
		}}
		budget := &shared{load: func(testing.TB) []string { return []string{medium()} }}
		o.run(t, serve(t, budget.store(t, kinds[0]), flags...))
		return
	}
	lasts, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	o := overload{cube: "mexico", lasts: lasts, judged: true, drilldowns: []string{
		"CICLO", "ID_RAMO", "ID_FUNCION", "ID_CAPITULO", "ID_RAMO&cut=CICLO:2010", "ID_FUNCION&cut=CICLO:2008",
		"ID_UR&cut=ID_RAMO:11", "ID_ENTIDAD_FEDERATIVA",
	}}
	mexico := &shared{load: func(t testing.TB) []string { return []string{realPackage(t, "D7-mexico")} }}
	for _, k := range kinds { // one after the other
		t.Run(k.name, func(t *testing.T) {
			db := mexico.store(t, k)
			var s *service
			inAGigabyte(t, func() { s = serve(t, db, flags...) })
			o.run(t, s)
		})
	}
}

// door is a way to the numbers of a cube. What is posted is its body.
type door struct{ path, body string }

var drilldowns = door{path: "/cubes/CUBE/aggregate?drilldown=QUESTION"}

// doors are the other ways, with the most that they give at once.
var doors = []door{
	{path: "/cubes/CUBE/facts?pagesize=10000"}, {path: "/cubes/CUBE/facts?pagesize=9000"},
	{path: "/cubes/CUBE/batch", body: `{"questions": ["drilldown=QUESTION", "drilldown=QUESTION&page=2", "QUESTION"]}`},
	{path: "/explore/CUBE?drilldown=QUESTION"}, {path: "/explore/CUBE.png?drilldown=QUESTION"}, {path: "/embed/CUBE?drilldown=QUESTION"}, {path: "/search?q=CUBE"},
	{path: "/mcp", body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "lines", "arguments": {"cube": "CUBE"}}}`},
}

var exports = []door{
	{path: "/cubes/CUBE/facts?format=csv"}, {path: "/cubes/CUBE/facts?format=ndjson"}, {path: "/cubes/CUBE/facts?format=parquet"}, {path: "/cubes/CUBE/facts?format=xlsx"},
}

// reading is how a client was answered.
type reading struct {
	status       int // 0: there is no whole answer
	bytes        int64
	sum          uint64 // of the bytes
	waited, took time.Duration
}

// waiting finds how many milliseconds a question was in the queue.
var waiting = regexp.MustCompile(`wait;dur=([0-9.]+)`)

// through asks as the client that has a number.
func (d door) through(client *http.Client, number int, url, cube, question string) (r reading) {
	names := strings.NewReplacer("CUBE", cube, "QUESTION", question)
	method, body := http.MethodGet, io.Reader(http.NoBody)
	if d.body != "" {
		method, body = http.MethodPost, strings.NewReader(names.Replace(d.body))
	}
	began := time.Now()
	request := sure(http.NewRequest(method, url+names.Replace(d.path), body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream, text/html")
	request.Header.Set("X-Forwarded-For", "198.51."+strconv.Itoa(number)+".1")
	response, err := client.Do(request)
	if err != nil {
		return r
	}
	defer func() { _ = response.Body.Close() }()
	sum := fnv.New64a()
	var beginning bytes.Buffer
	rest := io.TeeReader(io.LimitReader(response.Body, 64<<10), &beginning)
	if r.bytes, err = io.Copy(sum, io.MultiReader(rest, response.Body)); err != nil {
		return r
	}
	if d.body != "" && strings.Contains(beginning.String(), "too many ") { // in a message that is answered
		response.StatusCode = http.StatusServiceUnavailable
	}
	r.status, r.sum, r.took = response.StatusCode, sum.Sum64(), time.Since(began)
	if found := waiting.FindStringSubmatch(response.Header.Get("Server-Timing")); found != nil {
		r.waited = time.Duration(sure(strconv.ParseFloat(found[1], 64)) * float64(time.Millisecond))
		r.took -= r.waited
	}
	return r
}

func (o overload) run(t *testing.T, s *service) {
	transport := &http.Transport{MaxIdleConnsPerHost: exporting + drilling + atDoors}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	alone := map[door][]reading{} // by drilldown
	for _, d := range slices.Concat([]door{drilldowns}, doors, exports) {
		for i, question := range o.drilldowns {
			if i > 0 && !strings.Contains(d.path+d.body, "QUESTION") {
				alone[d] = append(alone[d], alone[d][0])
				continue
			}
			r := d.through(client, 0, s.url, o.cube, question)
			if r.status != http.StatusOK {
				t.Fatalf("%s%s: %d", d.path, question, r.status)
			}
			alone[d] = append(alone[d], r)
		}
	}
	before := o.memory(t, s)
	end := time.Now().Add(o.lasts)
	var mu sync.Mutex
	got := map[door][]reading{}
	var clients sync.WaitGroup
	number := 0
	ask := func(kinds []door, n int) {
		for i := range n {
			number++
			as, d := number, kinds[i%len(kinds)]
			clients.Go(func() {
				for n := as; n == as || time.Now().Before(end); n++ {
					which := n % len(o.drilldowns)
					r, right := d.through(client, as, s.url, o.cube, o.drilldowns[which]), alone[d][which]
					same := r.sum == right.sum || strings.HasSuffix(d.path, "xlsx") && r.bytes == right.bytes // a workbook says when it was made
					if r.status == http.StatusOK && !same {
						t.Errorf("%s of %s is answered in another way under load: %d bytes, not %d", d.path, o.drilldowns[which], r.bytes, right.bytes)
					}
					mu.Lock()
					got[d] = append(got[d], r)
					mu.Unlock()
				}
			})
		}
	}
	ask(exports, exporting)
	ask([]door{drilldowns}, drilling)
	ask(doors, atDoors)
	clients.Wait()
	o.check(t, alone, got)
	if _, text := s.get(t, "/metrics"); !strings.Contains(string(text), "\nfiscube_answers_bytes 0\n") {
		t.Error("answers hold memory when all have ended")
	}
	peak := peakMemory(s)
	after := o.memory(t, s)
	t.Logf("%d MB of memory before, %d MB at most, %d MB afterwards", before>>20, peak>>20, after>>20)
	if o.judged && after > before+leftInMemory {
		t.Errorf("%d MB of memory are left in use", (after-before)>>20)
	}
}

// memory is what a server has in memory when it has nothing to do.
func (o overload) memory(t *testing.T, s *service) (bytes int64) {
	t.Helper()
	if o.judged {
		time.Sleep(quiet)
	}
	_, text := s.get(t, "/metrics")
	_, rest, _ := strings.Cut(string(text), "\nprocess_resident_memory_bytes ")
	line, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.ParseFloat(line, 64)
	return int64(n)
}

// peakMemory is the most that a server has had in memory, 0 where the system does not say it.
func peakMemory(s *service) (bytes int64) {
	status, _ := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/status")
	found := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)
	if found == nil {
		return 0
	}
	return sure(strconv.ParseInt(string(found[1]), 10, 64)) << 10
}

// check looks at the answers of each door. No export may be refused, and hardly a drilldown.
func (o overload) check(t *testing.T, alone, got map[door][]reading) {
	t.Helper()
	for _, d := range slices.Concat([]door{drilldowns}, doors, exports) {
		statuses := map[int]int{}
		var took, waited, both []time.Duration
		for _, r := range got[d] {
			statuses[r.status]++
			took, waited, both = append(took, r.took), append(waited, r.waited), append(both, r.took+r.waited)
		}
		slices.Sort(took)
		slices.Sort(waited)
		slices.Sort(both)
		n := len(took)
		t.Logf("%s: %d by status %v; half within %v, 99 %% within %v; from their turn on all within %v; alone %v; the longest wait %v",
			d.path, n, statuses, both[n/2], both[n*99/100], took[n-1], alone[d][0].took, waited[n-1])
		for status, times := range statuses {
			refused := status == http.StatusServiceUnavailable && (slices.Contains(doors, d) || d == drilldowns && times <= n/refusedDrilldowns)
			if status != http.StatusOK && !refused {
				t.Errorf("%s is answered %d times with %d", d.path, times, status)
			}
		}
		switch {
		case !o.judged:
		case d == drilldowns && both[n*99/100] > longestDrilldown:
			t.Errorf("one drilldown in a hundred takes longer than %v", longestDrilldown)
		case slices.Contains(exports, d) && took[n-1] > longestExport*alone[d][0].took:
			t.Errorf("%s takes %v from its turn on, and %v alone", d.path, took[n-1], alone[d][0].took)
		}
	}
}

// inAGigabyte starts a server in a control group that has a gigabyte, where one can be made.
func inAGigabyte(t *testing.T, start func()) {
	t.Helper()
	for _, bound := range [][2]string{{"/sys/fs/cgroup", "memory.max"}, {"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}} {
		group := filepath.Join(bound[0], "fiscube-overload-"+strconv.Itoa(os.Getpid()))
		join := func(group string) error { // who is started by this process is where this is
			return os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(os.Getpid())), 0o600)
		}
		limit := filepath.Join(group, bound[1])
		if os.Mkdir(group, 0o755) != nil && !isThere(limit) {
			continue
		}
		if !isThere(limit) || os.WriteFile(limit, []byte("1073741824"), 0o600) != nil || join(group) != nil {
			_ = os.Remove(group)
			continue
		}
		t.Cleanup(func() { _ = os.Remove(group) }) // when the server has ended
		defer func() { check(join(bound[0])) }()
		t.Logf("the server has a gigabyte, in %s", group)
		start()
		return
	}
	t.Log("no control group can be made: the memory of the server has no bound")
	start()
}

func isThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
