package api

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"

	"fiscube/api/kept"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/internal/version"
)

// metrics are what the service counts of itself, for Prometheus. No label holds a word of a caller's: a path that
// is none and a method that is none are counted as such.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	stages   *prometheus.HistogramVec
}

// bounds of the histograms in seconds: from an answer that no store is asked for to one that runs out of time.
var bounds = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

func newMetrics(a *api) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fiscube_requests_total", Help: "Requests by route, method and status; cut where an answer ended early.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fiscube_request_duration_seconds", Help: "From the header of a request to the end of its answer.", Buckets: bounds,
		}, []string{"route"}),
		stages: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "fiscube_stage_duration_seconds", Help: "Stages of questions: parse, plan, kept, wait, store, encode.", Buckets: bounds,
		}, []string{"stage"}),
	}
	b := version.Of()
	m.registry.MustRegister(m.requests, m.duration, m.stages,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "fiscube_build_info", Help: "Which fiscube this is; always 1.", ConstLabels: prometheus.Labels{
			"version": b.Version, "revision": b.Commit, "goversion": b.Go, "duckdb": a.DuckDB}}, func() float64 { return 1 }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "fiscube_rows_total", Help: "Rows that the store gave to answers."},
			func() float64 { return float64(a.limiter.Rows()) }),
		gauge("fiscube_answers_bytes", "Memory that the answers in flight hold.", func() int64 { held, _ := a.limiter.Memory(); return held }),
		gauge("fiscube_answers_bytes_limit", "Memory that they may hold; 0 without a bound.", func() int64 { _, bound := a.limiter.Memory(); return bound }),
		questionMetrics{a.limiter}, keptMetrics{a.kept}, catalogMetrics{a.metered()}, storeMetrics{a.StoreMetrics},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.registry.MustRegister(a.Loads.Collectors()...)
	return m
}

// metered is the catalogue that the metrics name: where everybody may read them, what is public of it.
func (a *api) metered() request.Catalogue {
	if a.apart {
		return a.store
	}
	return a.limiter
}

func gauge(name, help string, value func() int64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return float64(value()) })
}

// count counts a request that is over; one that is not whole was cut.
func (m *metrics) count(c echo.Context, t *limits.Timing, took time.Duration, whole bool) {
	status := "cut"
	if whole {
		status = strconv.Itoa(c.Response().Status)
	}
	m.requests.WithLabelValues(routeOf(c), methodOf(c), status).Inc()
	m.duration.WithLabelValues(routeOf(c)).Observe(took.Seconds())
	for _, s := range t.Stages {
		m.stages.WithLabelValues(string(s.Stage)).Observe(s.Took.Seconds())
	}
}

// routeOf gives the route of a request without the slash at its end, and "none" where there is none.
func routeOf(c echo.Context) string {
	switch path := c.Path(); {
	case path == "/":
		return path
	case path == "" || !strings.HasPrefix(path, "/"):
		return "none"
	default:
		return strings.TrimSuffix(path, "/")
	}
}

func methodOf(c echo.Context) string {
	switch method := c.Request().Method; method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return method
	}
	return "other"
}

// scrape writes the metrics as text.
func (a *api) scrape(c echo.Context) error {
	families, err := a.metrics.registry.Gather()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	format := expfmt.NewFormat(expfmt.TypeTextPlain)
	encoder := expfmt.NewEncoder(&text, format)
	for _, family := range families {
		if err := encoder.Encode(family); err != nil {
			return err
		}
	}
	return reply.Send(c, http.StatusOK, string(format), text.Bytes())
}

// questionMetrics shows how many questions there are of each class.
type questionMetrics struct{ limiter *limits.Limiter }

var (
	questionsWorking = prometheus.NewDesc("fiscube_questions_working", "Questions that are put to the store.", []string{"class"}, nil)
	questionsWaiting = prometheus.NewDesc("fiscube_questions_waiting", "Questions that wait to be put to the store.", []string{"class"}, nil)
)

// Describe implements prometheus.Collector.
func (m questionMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- questionsWorking
	descriptions <- questionsWaiting
}

// Collect implements prometheus.Collector.
func (m questionMetrics) Collect(values chan<- prometheus.Metric) {
	for _, count := range m.limiter.Counts() {
		values <- prometheus.MustNewConstMetric(questionsWorking, prometheus.GaugeValue, float64(count.Working), count.Class)
		values <- prometheus.MustNewConstMetric(questionsWaiting, prometheus.GaugeValue, float64(count.Waiting), count.Class)
	}
}

// keptMetrics shows how many answers were kept already.
type keptMetrics struct{ kept *kept.Answers }

var (
	keptHits  = prometheus.NewDesc("fiscube_answer_cache_hits_total", "Answers that were kept already.", nil, nil)
	keptMade  = prometheus.NewDesc("fiscube_answer_cache_misses_total", "Answers that had to be made, of those that may be kept.", nil, nil)
	keptBytes = prometheus.NewDesc("fiscube_answer_cache_bytes", "Memory that the kept answers take.", nil, nil)
)

// Describe implements prometheus.Collector.
func (m keptMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	for _, description := range []*prometheus.Desc{keptHits, keptMade, keptBytes} {
		descriptions <- description
	}
}

// Collect implements prometheus.Collector.
func (m keptMetrics) Collect(values chan<- prometheus.Metric) {
	hits, made, bytes := m.kept.Stats()
	values <- prometheus.MustNewConstMetric(keptHits, prometheus.CounterValue, float64(hits))
	values <- prometheus.MustNewConstMetric(keptMade, prometheus.CounterValue, float64(made))
	values <- prometheus.MustNewConstMetric(keptBytes, prometheus.GaugeValue, float64(bytes))
}

// catalogMetrics shows what is loaded, whichever process loaded it. A load changes the version and its time.
type catalogMetrics struct{ loaded request.Catalogue }

var (
	cubeRows    = prometheus.NewDesc("fiscube_cube_rows", "Rows of the served version.", []string{"cube"}, nil)
	cubeVersion = prometheus.NewDesc("fiscube_cube_version", "The number of the served version.", []string{"cube"}, nil)
	cubeLoaded  = prometheus.NewDesc("fiscube_cube_loaded_timestamp_seconds", "When the served version was loaded.", []string{"cube"}, nil)
)

// Describe implements prometheus.Collector.
func (m catalogMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- cubeRows
	descriptions <- cubeVersion
	descriptions <- cubeLoaded
}

// Collect implements prometheus.Collector.
func (m catalogMetrics) Collect(values chan<- prometheus.Metric) {
	catalog, err := m.loaded.Catalog(context.Background())
	if err != nil {
		return // /readyz tells
	}
	for _, cb := range catalog.Served() {
		values <- prometheus.MustNewConstMetric(cubeRows, prometheus.GaugeValue, float64(cb.Rows), cb.Name)
		values <- prometheus.MustNewConstMetric(cubeVersion, prometheus.GaugeValue, float64(cb.Version), cb.Name)
		values <- prometheus.MustNewConstMetric(cubeLoaded, prometheus.GaugeValue, float64(cb.LoadedAt.Unix()), cb.Name)
	}
}

// StoreMetrics gives each metric of a store. Its name is of lower case words joined by _, a counter's ends in _total; help is a
// sentence; unlike an amount the value need not be exact.
type StoreMetrics func(each func(name, help string, value float64))

// storeMetrics passes the metrics of the store on.
type storeMetrics struct{ each StoreMetrics }

// Describe says nothing: the names are the store's.
func (m storeMetrics) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (m storeMetrics) Collect(values chan<- prometheus.Metric) {
	if m.each == nil {
		return
	}
	m.each(func(name, help string, value float64) {
		kind := prometheus.GaugeValue
		if strings.HasSuffix(name, "_total") {
			kind = prometheus.CounterValue
		}
		values <- prometheus.MustNewConstMetric(prometheus.NewDesc("fiscube_store_"+name, help, nil, nil), kind, value)
	})
}
