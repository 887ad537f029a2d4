package e2e

import (
	"context"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

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

// Many exports at the same time refuse no drilldown, and leave it fast.
func TestOverload(t *testing.T) {
	text := os.Getenv(overloadEnv)
	if text == "" {
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
	for _, k := range kinds { // one after the other
		t.Run(k.name, func(t *testing.T) { o.run(t, realCubes.on(t, k)) })
	}
}

var overloaded = &shared{load: func(testing.TB) []string { return []string{medium()} }}

// answered is what came back.
type answered struct {
	mu       sync.Mutex
	took     []time.Duration
	statuses map[int]int
	exports  counter
}

func (o overload) run(t *testing.T, s *service) {
	for _, drilldown := range o.drilldowns { // is right, and known to the store
		s.ask(t, o.cube, "drilldown="+drilldown)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: exporting + drilling}
	defer transport.CloseIdleConnections()
	clients := &http.Client{Transport: transport}
	got := answered{statuses: map[int]int{}}
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
				began := time.Now()
				status := readInto(ctx, io.Discard, clients, s.url+"/cubes/"+o.cube+"/aggregate?drilldown="+o.drilldowns[n%len(o.drilldowns)])
				got.add(status, time.Since(began))
			}
		})
	}
	drilldowns.Wait()
	eventually(t, "an export goes on", patience, func() bool { return got.exports.Load() > 0 })
	got.check(t, o)
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

func (a *answered) check(t *testing.T, o overload) {
	t.Helper()
	slices.Sort(a.took)
	most := a.took[len(a.took)*99/100]
	t.Logf("%d drilldowns by status: %v; half of them within %v, 99 %% within %v; %d MB of exports",
		len(a.took), a.statuses, a.took[len(a.took)/2], most, a.exports.Load()>>20)
	if a.statuses[http.StatusOK] != len(a.took) {
		t.Errorf("drilldowns by status: %v", a.statuses)
	}
	if o.longest > 0 && most > o.longest {
		t.Errorf("one drilldown in a hundred takes longer than %v", most)
	}
}
