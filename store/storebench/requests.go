// Package storebench measures what dashboards ask of a store.
package storebench

import (
	"context"
	"iter"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fiscube/internal/testfolder"

	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/seeds"
	"fiscube/store/load"
	"fiscube/store/sqlgen"
	"fiscube/store/storetest"
)

// requests are what dashboards ask of the Mexican budget.
var requests = []struct{ name, path string }{
	{"total", "aggregate"},
	{"years", "aggregate?drilldown=CICLO"},
	{"ramos", "aggregate?drilldown=ID_RAMO&cut=CICLO:2010"},
	{"ramos by year", "aggregate?drilldown=ID_RAMO|CICLO&aggregates=MONTO_APROBADO.sum"},
	{"units of a ramo", "aggregate?drilldown=ID_UR&cut=ID_RAMO:11|CICLO:2010"},
	{"top ten", "aggregate?drilldown=ID_UR&cut=CICLO:2010&order=MONTO_APROBADO.sum:desc&pagesize=10"},
	{"subtotals", "aggregate?drilldown=ID_RAMO|ID_UR&rollup=1&cut=CICLO:2010&aggregates=MONTO_APROBADO.sum"},
	{"cut by a label", `aggregate?drilldown=ID_CAPITULO&cut=DESC_RAMO:"Educación Pública"`},
	{"cut by a word", "aggregate?drilldown=ID_RAMO&cut=DESC_UR:~hospital"},
	{"shares", "aggregate?drilldown=ID_CAPITULO&cut=CICLO:2008&aggregates=MONTO_APROBADO.sum|share(MONTO_APROBADO.sum)"},
	{"a page of many", "aggregate?drilldown=ID_PP&page=5&pagesize=100"},
	{"comparison", "aggregate?drilldown=ID_RAMO&cut=CICLO:2010&compare=CICLO:-2&aggregates=MONTO_APROBADO.sum"},
	{"members", "members/ID_UR?pagesize=100"},
	{"members of a year", "members/ID_UR?cut=CICLO:2008&pagesize=100"},
	{"facts", "facts?cut=ID_RAMO:11|CICLO:2010&pagesize=20"},
}

// Get asks a service over HTTP for a path.
type Get = func(path string) ([]byte, error)

// ByHand sends a statement to an open store and takes every row of the answer.
type ByHand func(ctx context.Context, store storetest.Store, text string, args []any) error

// Requests measures what dashboards ask of the real D7-mexico: each question over HTTP, and by turns with it the SQL
// that the store is asked for it, sent by hand. It tells the lower quartile of both and their ratio, and at
// the end the geometric mean of the ratios. How often each is asked is up to -benchtime: 100x.
func Requests(b *testing.B, place storetest.Place, serve func(testing.TB, storetest.Store) Get, byHand ByHand) {
	source, err := load.OpenFS(b.Context(), os.DirFS(testfolder.Real(b, "D7-mexico")), load.Options{Shipped: seeds.OverlayFor, Allow: findings.Allowable})
	if err != nil {
		b.Fatal(err)
	}
	store := place.Open(b)
	b.Cleanup(func() { _ = store.Close() })
	if _, err := load.Run(b.Context(), store, source, load.Silent{}); err != nil {
		b.Fatal(err)
	}
	listening := &listener{Store: store}
	get := serve(b, listening)
	var ratios []float64
	for _, r := range requests {
		b.Run(r.name, func(b *testing.B) {
			bench := &request{listener: listening, get: get, path: "/cubes/mexico/" + strings.ReplaceAll(r.path, " ", "+"), byHand: byHand}
			ratios = append(ratios, bench.measure(b))
		})
	}
	b.Run("geometric mean", func(b *testing.B) {
		for b.Loop() { // a benchmark has to
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(geometricMean(ratios), "ratio")
	})
}

// request is one question in the measurement.
type request struct {
	*listener
	get    Get
	path   string
	byHand ByHand
}

// measure asks over HTTP and by hand in turns, so that what else the machine does befalls both, and gives the ratio.
func (r *request) measure(b *testing.B) (ratio float64) {
	statements := r.hear(func() { r.ask(b) })
	if len(statements) == 0 {
		b.Fatalf("%s asks nothing of the store", r.path)
	}
	var https, hands []time.Duration
	for b.Loop() {
		https = append(https, timed(func() { r.ask(b) }))
		hands = append(hands, timed(func() { r.send(b, statements) }))
	}
	http, hand := quartile(https), quartile(hands)
	ratio = http.Seconds() / hand.Seconds()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(http), "http-ns/op")
	b.ReportMetric(float64(hand), "sql-ns/op")
	b.ReportMetric(ratio, "ratio")
	return ratio
}

func (r *request) ask(b *testing.B) {
	if _, err := r.get(r.path); err != nil {
		b.Fatal(err)
	}
}

func (r *request) send(b *testing.B, statements []sqlgen.SQL) {
	for _, s := range statements {
		if err := r.byHand(b.Context(), r.Store, s.Text, s.Args); err != nil {
			b.Fatal(err)
		}
	}
}

func timed(run func()) time.Duration {
	began := time.Now()
	run()
	return time.Since(began)
}

// quartile is what a quarter is faster than: the slower ones tell more of what else the machine does.
func quartile(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/4]
}

func geometricMean(ratios []float64) float64 {
	sum := 0.0
	for _, r := range ratios {
		sum += math.Log(r)
	}
	return math.Exp(sum / float64(len(ratios)))
}

// listener is a store that records the statements it is asked, while it listens. It leaves out what Find asks: a service
// remembers the answers.
type listener struct {
	storetest.Store
	mu    sync.Mutex
	heard *[]sqlgen.SQL // nil while it does not listen
}

// hear gives what the store is asked during something.
func (l *listener) hear(during func()) (heard []sqlgen.SQL) {
	l.listen(&heard)
	defer l.listen(nil)
	during()
	return heard
}

func (l *listener) listen(into *[]sqlgen.SQL) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = into
}

func (l *listener) record(statement func() sqlgen.SQL) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heard != nil {
		*l.heard = append(*l.heard, statement())
	}
}

// Cells implements answer.Store.
func (l *listener) Cells(ctx context.Context, s *plan.Statement) (plan.Result, error) {
	l.record(func() sqlgen.SQL { return sqlgen.Cells(s) })
	return l.Store.Cells(ctx, s)
}

// Facts implements answer.Store.
func (l *listener) Facts(ctx context.Context, s *plan.FactStatement) iter.Seq2[plan.Fact, error] {
	l.record(func() sqlgen.SQL { return sqlgen.Facts(s) })
	return l.Store.Facts(ctx, s)
}

// Members implements answer.Store.
func (l *listener) Members(ctx context.Context, s *plan.MemberStatement) (plan.MemberRows, error) {
	l.record(func() sqlgen.SQL { return sqlgen.Members(s) })
	return l.Store.Members(ctx, s)
}
