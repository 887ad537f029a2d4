package e2e

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"testing"
	"time"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/store"
)

// mexicoFacts is the whole of the largest of the real packages.
const mexicoFacts = "/cubes/mexico/facts?format="

// BenchmarkExport sends every fact of the largest real package in each format. Beside the bytes a second it reports
// what bounds them: the time in which the store alone yields the same facts to nobody.
func BenchmarkExport(b *testing.B) {
	m := openMexico(b, freshDuckDB(b))
	facts, alone := m.read(b)
	b.Logf("the store yields %d facts in %v", facts, alone)
	for _, format := range []string{"csv", "ndjson", "parquet"} {
		b.Run(format, func(b *testing.B) {
			var sent *sink
			for b.Loop() {
				sent = m.export(b, format)
			}
			b.SetBytes(sent.bytes)
			b.ReportMetric(float64(alone.Milliseconds()), "store-ms")
			b.ReportMetric(float64(sent.most>>20), "heap-MB")
		})
	}
}

// An export takes as much memory as its buffers do, however long it is.
func TestExportsHoldMemoryFlat(t *testing.T) {
	m := openMexico(t, freshDuckDB(t))
	for _, format := range []string{"csv", "ndjson", "parquet"} {
		const allowed = 64 << 20
		if sent := m.export(t, format); sent.most > allowed || format == "csv" && sent.bytes < 2*allowed {
			t.Errorf("%s: %d bytes of memory for %d of the file", format, sent.most, sent.bytes)
		}
	}
}

// mexican is a service over the package, without a server in between.
type mexican struct {
	engine  *cube.Engine
	handler http.Handler
}

func openMexico(t testing.TB, db string) mexican {
	t.Helper()
	must(t, "load", "--db", db, realPackage(t, "D7-mexico"))
	s, err := store.Open(context.Background(), db, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	engine := cube.NewEngine(s)
	return mexican{engine, api.New(engine, api.Options{Log: slog.New(slog.DiscardHandler)})}
}

// read lets the store yield every fact.
func (m mexican) read(t testing.TB) (facts int, took time.Duration) {
	t.Helper()
	one, err := m.engine.Cube(t.Context(), "mexico")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := one.BindFacts(cube.FactQuery{Size: cube.EveryFact})
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for _, err := range m.engine.StreamFacts(t.Context(), plan) {
		if err != nil {
			t.Fatal(err)
		}
		facts++
	}
	return facts, time.Since(began)
}

func (m mexican) export(t testing.TB, format string) *sink {
	t.Helper()
	runtime.GC()
	s := &sink{header: http.Header{}, least: heap()}
	m.handler.ServeHTTP(s, httptest.NewRequest(http.MethodGet, mexicoFacts+format, nil))
	if s.status != http.StatusOK {
		t.Fatalf("status %d", s.status)
	}
	return s
}

// sink takes an answer, and looks at the memory while it does.
type sink struct {
	header      http.Header
	status      int
	bytes, seen int64
	least, most int64
}

func (s *sink) Header() http.Header { return s.header }

func (s *sink) WriteHeader(status int) { s.status = status }

func (s *sink) Write(b []byte) (int, error) {
	s.bytes += int64(len(b))
	if s.bytes-s.seen > 1<<18 {
		s.seen = s.bytes
		s.most = max(s.most, heap()-s.least)
	}
	return io.Discard.Write(b)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
