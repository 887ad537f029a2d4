package api_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
)

// post sends a body, and holds the answer against openapi.yaml.
func post(t testing.TB, h http.Handler, target, body string, headers ...string) response {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	r := response{recorder.Code, recorder.Header(), recorder.Body.String()}
	r.conform(t, request)
	return r
}

func batchOf(t testing.TB, questions ...string) string {
	t.Helper()
	body, err := json.Marshal(map[string][]string{"questions": questions})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Each answer is byte for byte that of the question alone, mistakes too, also where answers are kept.
func TestBatch_AnswersAreThoseOfTheQuestionsAlone(t *testing.T) {
	const language = "version=3&lang=es"
	questions := []string{
		"", "drilldown=Year&aggregates=approved_value.sum", "drilldown=Yaer", "cut=Year:2016&numbers=string&links=1", "aggregates=_count&cite=1",
		"top=abc", "drilldown=Year&utm_source=x&aggregates=approved_value.sum", "aggregates=none.sum",
	}
	for _, kept := range []int64{0, 1 << 20} {
		h := api.New(newFake(t), api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Kept: kept})
		var want []string
		for _, q := range questions {
			want = append(want, ask(t, h, "/cubes/croatia/aggregate?"+strings.Trim(q+"&"+language, "&")).body)
		}
		for range 2 {
			r := post(t, h, "/cubes/croatia/batch?"+language, batchOf(t, questions...))
			if whole := "[" + strings.Join(want, ",") + "]"; r.status != http.StatusOK || r.body != whole || r.header.Get("Cache-Control") != "no-store" {
				t.Fatalf("kept %d: %d, %s\n%s\nwant\n%s", kept, r.status, r.header.Get("Cache-Control"), r.body, whole)
			}
		}
	}
}

func TestBatch_Kept(t *testing.T) {
	store := newFake(t)
	h := api.New(store, api.Options{Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), Kept: 1 << 20})
	post(t, h, "/cubes/croatia/batch", batchOf(t, "aggregates=_count"))
	store.asked()
	if post(t, h, "/cubes/croatia/batch", batchOf(t, "aggregates=_count")); store.asked() != nil {
		t.Error("the store is asked again")
	}
}

func TestBatch_StoreFails(t *testing.T) {
	store, log := newFake(t), &logged{}
	store.run = failing(fmt.Errorf("disk on fire"))
	r := post(t, logging(t, store, log.logger()), "/cubes/croatia/batch", batchOf(t, "aggregates=_count", "top=abc"))
	if r.status != http.StatusOK || !strings.Contains(r.body, `[{"status":"error","code":"internal"`) || strings.Contains(r.body, "fire") {
		t.Errorf("%d: %s", r.status, r.body)
	}
	if line := log.lines(t)[0]; !strings.Contains(fmt.Sprint(line["cause"]), "disk on fire") {
		t.Errorf("the log: %v", line)
	}
}

func TestBatch_Mistakes(t *testing.T) {
	h := handler(t, newFake(t))
	many := make([]string, api.MaxQuestions+1)
	for _, test := range []struct {
		target, media, body string
		status              int
		code                cube.Code
	}{
		{"/cubes/croatia/batch", "text/plain", batchOf(t, ""), 415, "unsupported-media-type"},
		{"/cubes/croatia/batch", "application/json", "", 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", "{}", 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", `{"questions":[]}`, 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", `{"questions":[1]}`, 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", `{"question":["x"]}`, 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", batchOf(t, "") + "x", 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", batchOf(t, "") + "{}", 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", batchOf(t, many...), 400, "bad-body"},
		{"/cubes/croatia/batch", "application/json", batchOf(t, strings.Repeat("x", 1<<20)), 413, "too-large"},
		{"/cubes/croatia/batch?drilldown=Year", "application/json", batchOf(t, ""), 400, "unknown-parameter"},
		{"/cubes/croatia/batch?lang=tlh", "application/json", batchOf(t, ""), 400, "bad-value"},
		{"/cubes/croatia/batch?version=9", "application/json", batchOf(t, ""), 404, "unknown-version"},
		{"/cubes/nothing/batch", "application/json", batchOf(t, ""), 404, "unknown-cube"},
	} {
		if r := post(t, h, test.target, test.body, "Content-Type", test.media); r.status != test.status || r.problem(t).Code != test.code {
			t.Errorf("%s %.60s: %d: %s", test.target, test.body, r.status, r.body)
		}
	}
	if r := post(t, h, "/cubes/croatia/batch", batchOf(t, many[1:]...)); r.status != http.StatusOK {
		t.Errorf("%d questions: %s", api.MaxQuestions, r.body)
	}
	for _, own := range []string{"lang=es", "version=3", "format=csv", "excel=1"} {
		says(t, post(t, h, "/cubes/croatia/batch", batchOf(t, own)).body, `"code":"unknown-parameter"`)
	}
}

// Each question counts as a request does.
func TestBatch_Rate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // where no time goes by
		h := limited(t, newFake(t), limits.Options{Rate: 0.5}) // so three at once
		r := post(t, h, "/cubes/croatia/batch", batchOf(t, "aggregates=_count", "top=abc", "aggregates=_count", "aggregates=_count"))
		var got []struct{ Code string }
		r.read(t, &got)
		want := []struct{ Code string }{{}, {"bad-value"}, {}, {"too-many-requests"}}
		if r.status != http.StatusOK || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d: %v", r.status, got)
		}
		if r := post(t, h, "/cubes/croatia/batch", batchOf(t, "")); r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") != "2" {
			t.Errorf("the next: %d", r.status)
		}
	})
}

func TestBatch_Preflight(t *testing.T) {
	r := send(t, handler(t, newFake(t)), http.MethodOptions, "/cubes/croatia/batch", "Origin", "https://example.org",
		"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type")
	if r.status != http.StatusNoContent || r.header.Get("Access-Control-Allow-Headers") != "*" || r.header.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" {
		t.Errorf("status %d, %v", r.status, r.header)
	}
}
