package api_test

import (
	"context"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"fiscube/cube/plan"
)

// tagged are paths whose answers are settled by a version and the request.
var tagged = []string{
	"/cubes/croatia", "/cubes/croatia/model", "/cubes/croatia/report", "/cubes/croatia/datapackage.json", "/cubes/croatia/image",
	"/cubes/croatia/aggregate?drilldown=Year", "/cubes/croatia/aggregate?drilldown=Year&format=csv",
	"/cubes/croatia/members/Year", "/cubes/croatia/facts", "/cubes/croatia/tree/date",
}

func TestETag_KnownAnswerCostsNoQuestion(t *testing.T) {
	for _, path := range tagged {
		store := newFake(t)
		h := handler(t, store)
		tag := ask(t, h, path).header.Get("ETag")
		store.asked()
		for name, header := range map[string]string{
			"the tag": tag, "a weak one": "W/" + tag, "one of several": `"other", ` + tag, "any": "*",
		} {
			again := ask(t, h, path, "If-None-Match", header)
			if again.status != http.StatusNotModified || again.body != "" || again.header.Get("ETag") != tag || store.asked() != nil {
				t.Errorf("%s, %s %s: %d %s %q", path, name, header, again.status, again.header.Get("ETag"), again.body)
			}
			if again.header.Get("Cache-Control") == "" {
				t.Errorf("%s: a 304 says nothing of how long it holds", path)
			}
		}
		if other := ask(t, h, path, "If-None-Match", `"other"`); other.status != http.StatusOK {
			t.Errorf("%s: another tag gives %d", path, other.status)
		}
	}
}

// A 304 has the same Vary as the answer.
func TestETag_NotModifiedVariesAsTheAnswer(t *testing.T) {
	for _, path := range append(tagged, "/openapi.yaml", "/docs") {
		if path == "/cubes/croatia/image" {
			continue // which is never compressed
		}
		h := handler(t, newFake(t))
		answer := raw(h, http.MethodGet, path, "Accept-Encoding", "gzip").header
		again := raw(h, http.MethodGet, path, "Accept-Encoding", "gzip", "If-None-Match", answer.Get("ETag"))
		if want := answer.Values("Vary"); again.status != http.StatusNotModified || len(want) == 0 || !slices.Equal(again.header.Values("Vary"), want) {
			t.Errorf("%s: %d varies by %q, want %q", path, again.status, again.header.Values("Vary"), want)
		}
	}
}

// Whatever can alter the bytes of an answer alters its tag.
func TestETag_DifferentAnswers(t *testing.T) {
	const path = "/cubes/croatia/aggregate?drilldown=Year"
	tags := []string{}
	add := func(what, tag string) {
		if tag == "" || slices.Contains(tags, tag) {
			t.Errorf("%s: the tag %q is of another answer too", what, tag)
		}
		tags = append(tags, tag)
	}
	h := handler(t, newFake(t))
	add("the answer", ask(t, h, path).header.Get("ETag"))
	add("another question", ask(t, h, path+"&page=2").header.Get("ETag"))
	add("another format", ask(t, h, path, "Accept", "text/csv").header.Get("ETag"))
	add("gzip", ask(t, h, path, "Accept-Encoding", "gzip").header.Get("ETag"))
	add("zstd", ask(t, h, path, "Accept-Encoding", "zstd").header.Get("ETag"))

	reloaded := newFake(t)
	reloaded.cubes[0].Version = 4
	add("another version of the same content", ask(t, handler(t, reloaded), path).header.Get("ETag"))
	again := newFake(t)
	again.cubes[0].LoadedAt = time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC)
	add("the same version number after a removal", ask(t, handler(t, again), path).header.Get("ETag"))
	other := newFake(t)
	other.cubes[0].Fingerprint = "other"
	add("other content", ask(t, handler(t, other), path).header.Get("ETag"))
}

// What is never compressed has one tag, whatever codings the request accepts.
func TestETag_Files(t *testing.T) {
	h := handler(t, newFake(t))
	for _, path := range []string{someCells + "&format=xlsx", threeFields + "&format=parquet", "/cubes/croatia/package.zip", "/cubes/croatia/image"} {
		plain, zipped := raw(h, http.MethodGet, path).header, raw(h, http.MethodGet, path, "Accept-Encoding", "gzip").header
		again := raw(h, http.MethodGet, path, "If-None-Match", plain.Get("ETag"))
		if plain.Get("ETag") == "" || plain.Get("ETag") != zipped.Get("ETag") || again.status != http.StatusNotModified ||
			!slices.Equal(again.header.Values("Vary"), plain.Values("Vary")) {
			t.Errorf("%s: tags %q and %q, varying by %q and %q", path, plain.Get("ETag"), zipped.Get("ETag"), plain.Values("Vary"), again.header.Values("Vary"))
		}
	}
}

// A tag says nothing of a mistake: that is never cached.
func TestETag_NoneOfErrors(t *testing.T) {
	h := handler(t, newFake(t))
	for _, path := range []string{"/cubes/croatia/aggregate?drilldown=nothing", "/cubes/nobody/model", "/cubes/croatia/facts?cut=x:",
		"/cubes/croatia/resources/nothing"} {
		r := ask(t, h, path, "If-None-Match", "*")
		if r.status < 400 || r.header.Get("ETag") != "" || r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, ETag %q, Cache-Control %q", path, r.status, r.header.Get("ETag"), r.header.Get("Cache-Control"))
		}
	}
	store := newFake(t)
	store.run = failing(http.ErrServerClosed)
	if r := ask(t, handler(t, store), "/cubes/croatia/aggregate"); r.status != http.StatusInternalServerError || r.header.Get("ETag") != "" {
		t.Errorf("a failure: %d, ETag %q", r.status, r.header.Get("ETag"))
	}
}

func TestAggregate_PagesAreLinked(t *testing.T) {
	store := newFake(t)
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		summary := nothing(s)
		summary.Count = 250
		return yielding(summary)(ctx, s)
	}
	h := handler(t, store)
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"drilldown=Year", []string{`<?drilldown=Year&page=2&version=3>; rel="next"`,
			`<?drilldown=Year&page=1&version=3>; rel="first"`, `<?drilldown=Year&page=3&version=3>; rel="last"`}},
		{"pagesize=50&page=3", []string{`<?pagesize=50&page=4&version=3>; rel="next"`, `<?pagesize=50&page=2&version=3>; rel="prev"`,
			`<?pagesize=50&page=1&version=3>; rel="first"`, `<?pagesize=50&page=5&version=3>; rel="last"`}},
		{"page=3&version=3", []string{`<?page=2&version=3>; rel="prev"`, `<?page=1&version=3>; rel="first"`, `<?page=3&version=3>; rel="last"`}},
		{"page=9", []string{`<?page=3&version=3>; rel="prev"`, `<?page=1&version=3>; rel="first"`, `<?page=3&version=3>; rel="last"`}},
		{`cut=unit:"<a>|b"`, []string{`<?cut=unit:%22%3Ca%3E%7Cb%22&page=2&version=3>; rel="next"`,
			`<?cut=unit:%22%3Ca%3E%7Cb%22&page=1&version=3>; rel="first"`, `<?cut=unit:%22%3Ca%3E%7Cb%22&page=3&version=3>; rel="last"`}},
		{"pagesize=0", nil},
	} {
		got := ask(t, h, "/cubes/croatia/aggregate?"+tt.question).header.Values("Link")
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\n got %q\nwant %q", tt.question, got, tt.want)
		}
	}
}

// Answers to long questions have short headers all the same: what stands between refuses long ones.
func TestAggregate_HeadersOfLongQuestions(t *testing.T) {
	f := many(t, 1000)
	f.facts = threeFacts()
	h := handler(t, f)
	for values, linked := range map[int]bool{1: true, 140: true, 10_000: false} {
		cut := "&cut=unit:" + strings.TrimSuffix(strings.Repeat("1234567;", values), ";")
		for _, path := range []string{someCells + "&pagesize=1", someCells + "&format=csv&pagesize=1", threeFields + "&pagesize=1"} {
			r := ask(t, h, path+cut)
			size := 0
			for name, values := range r.header {
				size += len(name) + len(strings.Join(values, ""))
			}
			if next := strings.Contains(strings.Join(r.header.Values("Link"), ""), "next"); r.status != http.StatusOK || next != linked || size > 4<<10 ||
				strings.Contains(path, "aggregate?") && strings.Contains(path, "csv") && r.header.Get("X-Total-Count") != "1000" {
				t.Errorf("%d values, %s: %d with a header of %d bytes, next page linked: %v", values, path, r.status, size, next)
			}
		}
	}
}
