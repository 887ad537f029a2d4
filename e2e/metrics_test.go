package e2e

import (
	"bytes"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
)

func TestTheMetricsTellOfTheStore(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := serve(t, db, "--seed")
		s.settles(t)
		s.ask(t, "example-croatia", "drilldown=Year")
		_, page := s.get(t, "/metrics")
		says(t, string(page), "fiscube_store_connections_in_use 0\n", `fiscube_cube_version{cube="example-croatia"} 1`,
			`fiscube_stage_duration_seconds_count{stage="store"} 1`)
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
