package explorer_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"fiscube/api"
	"fiscube/api/explorer"
	"fiscube/api/limits"
	"fiscube/internal/golden"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
)

// models are pages whose models are kept in testdata/models, by the name of the file.
var models = map[string]string{
	"budget":            "example-croatia?lang=en",
	"budget-es":         "example-mexico?lang=es",
	"budget-statements": "example-dominicana?lang=hr",
	"view":              "example-croatia?drilldown=admin1_code&cut=Year:2019&aggregates=executed_value.sum&lang=en",
	"view-sum":          "example-croatia?cut=Year:2019%7Cadmin1_code:020&lang=hr",
	"view-treemap":      "example-mexico?drilldown=functional-classification&cut=CICLO:2010&_view=treemap&lang=en",
	"view-change":       "example-croatia?drilldown=admin1_code&cut=Year:2019&_view=change&lang=en",
	"view-line":         "example-croatia?drilldown=econ1_code&_view=line&lang=es",
	"view-flows":        "example-croatia?drilldown=func1_code%7Cecon1_code&cut=Year:2019&_view=sankey&lang=en",
	"view-search":       "example-croatia?drilldown=econ1_code&cut=Year:2019&_in=admin1_code&_find=vlad&lang=en",
	"view-nothing":      "example-croatia?drilldown=admin1_code&cut=Year:1900&lang=en",
	"number":            "example-croatia/number?cut=Year:2019%7Cadmin1_code:020&aggregates=executed_value.sum&lang=en",
	"comparison":        "example-croatia?drilldown=econ1_code&cut=admin1_code:020&_with=admin1_code:025&lang=en",
}

// The models of pages are plain values, which golden files keep; go test -run Models -update writes them.
func TestModels(t *testing.T) {
	explorer.ShowModels()
	h := seeded(t, "example-croatia", "example-mexico", "example-dominicana")
	now := time.Now().UTC()
	today := regexp.MustCompile(now.Format(time.DateOnly) + `(T[0-9:]+Z)?|` + regexp.QuoteMeta(now.Format(`2006,\n          1,\n          2`)))
	for name, address := range models {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequest("GET", "/explore/"+address, nil))
		got := today.ReplaceAllString(answer.Body.String(), "today")
		if answer.Code != http.StatusOK {
			t.Fatalf("%s: status %d: %s", name, answer.Code, got)
		}
		golden.File(t, "testdata/models/"+name+".json", got)
	}
}

// seeded serves example packages.
func seeded(t *testing.T, names ...string) http.Handler {
	quiet := slog.New(slog.DiscardHandler)
	s, err := store.Open(t.Context(), "duckdb::memory:", postgres.Options{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, name := range names {
		folder, _ := seeds.Open(name)
		source, err := load.OpenFS(t.Context(), folder, load.Options{Shipped: seeds.OverlayFor})
		if err == nil {
			_, err = load.Run(t.Context(), s, source, load.Silent{})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return api.New(s, api.Options{Log: quiet, Limits: limits.Options{Query: time.Minute, Queries: 16, Dear: 1, Queue: 256}})
}
