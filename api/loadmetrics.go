package api

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"fiscube/cube"
)

// loadMetrics are what the queue of loads counts of itself.
type loadMetrics struct {
	ended    *prometheus.CounterVec
	duration prometheus.Histogram
	running  prometheus.Gauge
	waiting  prometheus.Collector
}

// loadBounds of the histogram in seconds: from a package of a few lines to a national budget of many years.
var loadBounds = []float64{.1, .5, 1, 5, 15, 60, 300, 900, 3600}

// outcomeUnchanged is the outcome of a load that found the package loaded already; the others are ends of jobs.
const outcomeUnchanged = "unchanged"

func newLoadMetrics(l *Loads) *loadMetrics {
	m := &loadMetrics{
		ended: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "fiscube_loads_total", Help: "Jobs that ended: done, unchanged, refused, failed, cancelled.",
		}, []string{"outcome"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "fiscube_load_duration_seconds", Help: "From the begin of a load to its end.", Buckets: loadBounds,
		}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Name: "fiscube_loads_running", Help: "Packages that are being loaded."}),
		waiting: gauge("fiscube_loads_waiting", "Packages that are being sent or wait for their turn.", l.waiting),
	}
	for _, outcome := range []string{string(stateDone), outcomeUnchanged, string(stateRefused), string(stateFailed), string(stateCancelled)} {
		m.ended.WithLabelValues(outcome) // which is told before there is one
	}
	return m
}

// collectors lists the metrics; there are none where nothing is loaded over HTTP.
func (l *Loads) collectors() []prometheus.Collector {
	if l == nil {
		return nil
	}
	return []prometheus.Collector{l.metrics.ended, l.metrics.duration, l.metrics.running, l.metrics.waiting}
}

// count takes up a job that has ended. One that never began has no duration.
func (m *loadMetrics) count(j jobJSON) {
	outcome := string(j.State)
	if j.Result != nil && j.Result.Outcome == cube.OutcomeUnchanged {
		outcome = outcomeUnchanged
	}
	m.ended.WithLabelValues(outcome).Inc()
	if j.StartedAt != nil {
		m.duration.Observe(j.EndedAt.Sub(*j.StartedAt).Round(time.Millisecond).Seconds())
	}
}
