package api_test

import (
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/cube"
)

func TestMetrics(t *testing.T) {
	store := many(t, 7)
	h := api.New(store, api.Options{
		Document: documentBytes(t), Log: (&logged{}).logger(),
		Stats: func() []cube.Stat {
			return []cube.Stat{
				{Name: "connections_in_use", Help: "Connections at work.", Value: 3},
				{Name: "connection_wait_seconds_total", Help: "Time spent waiting.", Value: 1.5},
			}
		},
	})
	ask(t, h, someCells)
	ask(t, h, strings.Replace(someCells, "?", "/?", 1))
	ask(t, h, someCells+"&format=csv")
	ask(t, h, "/cubes/croatia/aggregate?drilldown=nope")
	store.run = failing(errors.New("secret"))
	ask(t, h, someCells)
	r := ask(t, h, "/metrics")
	if r.status != http.StatusOK || !strings.HasPrefix(r.header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("%d %v", r.status, r.header)
	}
	says(t, r.body,
		`fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="200"} 3`+"\n",
		`fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="400"} 1`+"\n",
		`fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="500"} 1`+"\n",
		`fiscube_request_duration_seconds_count{route="/cubes/:cube/aggregate"} 5`+"\n",
		`fiscube_stage_duration_seconds_count{stage="parse"} 5`+"\n",
		`fiscube_stage_duration_seconds_count{stage="plan"} 5`+"\n",
		`fiscube_stage_duration_seconds_count{stage="store"} 4`+"\n",
		`fiscube_stage_duration_seconds_count{stage="encode"} 2`+"\n",
		"fiscube_rows_total 21\n", // seven cells three times
		`fiscube_cube_rows{cube="croatia"} 539917`+"\n",
		`fiscube_cube_version{cube="croatia"} 3`+"\n",
		`fiscube_cube_loaded_timestamp_seconds{cube="croatia"} 1.5252552e+09`+"\n",
		"# HELP fiscube_store_connections_in_use Connections at work.\n# TYPE fiscube_store_connections_in_use gauge\n"+
			"fiscube_store_connections_in_use 3\n",
		"# HELP fiscube_store_connection_wait_seconds_total Time spent waiting.\n"+
			"# TYPE fiscube_store_connection_wait_seconds_total counter\nfiscube_store_connection_wait_seconds_total 1.5\n",
		"\ngo_goroutines ")
}

// Nothing that a caller makes up becomes a series of its own.
func TestMetrics_HostileRequests(t *testing.T) {
	h := handler(t, newFake(t))
	series := func() int { return strings.Count(ask(t, h, "/metrics").body, "fiscube_requests_total{") }
	series()
	before := series()
	for _, path := range []string{"/x", "/y/z", "/cubes/a/b/c", "/%ff", "/metrics/../x"} {
		for _, method := range []string{"GET", "BREW", "EVIL\""} {
			raw(h, strings.Trim(method, `"`), path)
		}
	}
	for _, name := range []string{"a", "b", "c"} {
		raw(h, "GET", "/cubes/"+name)
	}
	if made := series() - before; made > 8 {
		t.Errorf("%d new series:\n%s", made, ask(t, h, "/metrics").body)
	}
	if page := ask(t, h, "/metrics").body; strings.Contains(page, "BREW") || strings.Contains(page, "/y/z") {
		t.Error(page)
	}
}

// An answer that is cut is no success.
func TestMetrics_CutAnswer(t *testing.T) {
	store := newFake(t)
	cells := make([]row, 10_000)
	for i := range cells {
		cells[i] = row{Values: amounts("12345678.90")}
	}
	store.run = failing(errors.New("secret"), cells...)
	h := handler(t, store)
	func() {
		defer func() { _ = recover() }()
		raw(h, "GET", someCells+"&format=csv")
	}()
	says(t, ask(t, h, "/metrics").body, `fiscube_requests_total{method="GET",route="/cubes/:cube/aggregate",status="cut"} 1`)
}

func TestServerTiming(t *testing.T) {
	h := handler(t, many(t, 7))
	for target, want := range map[string]string{
		someCells:                 "parse plan wait store encode",
		someCells + "&format=csv": "parse plan wait store",
		"/cubes/croatia/aggregate?drilldown=nope":  "parse plan",
		"/cubes/croatia/aggregate?drilldown=a%3Ab": "",
		"/cubes": "",
	} {
		header := ask(t, h, target).header.Get("Server-Timing")
		if got := strings.TrimSpace(regexp.MustCompile(`;dur=\d+\.\d{3}(, )?`).ReplaceAllString(header, " ")); got != want {
			t.Errorf("%s: Server-Timing: %s", target, header)
		}
	}
}
