package reply

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/labstack/echo/v4"
)

func TestCodingFor(t *testing.T) {
	for _, test := range []struct{ accept, want string }{
		{"", ""},
		{"gzip", "gzip"},
		{"GZip", "gzip"},
		{"x-gzip", "gzip"},
		{"zstd", "zstd"},
		{"gzip, deflate, br, zstd", "zstd"},
		{"gzip;q=1.0, zstd;q=0.5", "gzip"},
		{"gzip; q=0.5 , zstd ; q=0.6", "zstd"},
		{"gzip;q=0", ""},
		{"gzip;q=0.000, zstd;q=0", ""},
		{"*", "zstd"},
		{"*;q=0", ""},
		{"zstd;q=0, *", "gzip"},
		{"identity", ""},
		{"identity;q=0, gzip;q=0.1", "gzip"},
		{"identity, gzip;q=0.5", ""},
		{"identity;q=0.5, gzip", "gzip"},
		{"identity, gzip", "gzip"},
		{"br, deflate", ""},
		{"gzip;q=high", ""},
		{"gzip;q=NaN", ""},
		{"gzip;q=2", ""},
		{"gzip;q=-1", ""},
		{"gzip;level=9", ""},
		{"gzip;q", ""},
		{",,;,", ""},
		{"gzipped", ""},
	} {
		if got := CodingOf(http.Header{"Accept-Encoding": strings.Split(test.accept, "|")}); got != test.want {
			t.Errorf("Accept-Encoding: %s gives %q, want %q", test.accept, got, test.want)
		}
	}
	if got := CodingOf(http.Header{"Accept-Encoding": {"gzip;q=0.1", "zstd;q=0.2"}}); got != "zstd" {
		t.Errorf("two headers give %q", got)
	}
}

// compressing puts the compression around a handler.
func compressing(handle func(w http.ResponseWriter)) http.Handler {
	e := echo.New()
	e.GET("/", func(c echo.Context) error { handle(c.Response()); return nil }, Compress)
	return e
}

func TestCompress_WhatIsSmaller(t *testing.T) {
	long := bytes.Repeat([]byte("budget "), 1000)
	for name, test := range map[string]struct {
		header map[string]string
		status int
		want   bool
	}{
		"text":          {map[string]string{"Content-Type": "text/plain"}, 200, true},
		"ndjson":        {map[string]string{"Content-Type": "application/x-ndjson"}, 200, true},
		"geojson":       {map[string]string{"Content-Type": "application/geo+json"}, 200, true},
		"an error":      {map[string]string{"Content-Type": "application/json; charset=utf-8"}, 500, true},
		"a spreadsheet": {map[string]string{"Content-Type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, 200, false},
		"parquet":       {map[string]string{"Content-Type": "application/vnd.apache.parquet"}, 200, false},
		"a picture":     {map[string]string{"Content-Type": "image/png"}, 200, false},
		"no type":       {nil, 200, false},
		"compressed":    {map[string]string{"Content-Type": "text/csv", "Content-Encoding": "br"}, 200, false},
		"a part":        {map[string]string{"Content-Type": "text/csv", "Content-Range": "bytes 0-9/10"}, 206, false},
	} {
		h := compressing(func(w http.ResponseWriter) {
			for name, value := range test.header {
				w.Header().Set(name, value)
			}
			w.WriteHeader(test.status)
			_, _ = w.Write(long)
		})
		request, r := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		request.Header.Set("Accept-Encoding", "gzip")
		h.ServeHTTP(r, request)
		if (r.Header().Get("Content-Encoding") == "gzip") != test.want || r.Code != test.status || test.want == bytes.Equal(r.Body.Bytes(), long) {
			t.Errorf("%s: %d %v, %d bytes", name, r.Code, r.Header(), r.Body.Len())
		}
	}
}

// What was flushed can be read before the rest is written.
func TestCompress_Flush(t *testing.T) {
	for _, coding := range []string{"gzip", "zstd"} {
		read := make(chan struct{})
		server := httptest.NewServer(compressing(func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/csv")
			_, _ = io.WriteString(w, "first")
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			<-read
			_, _ = io.WriteString(w, "second")
		}))
		request, _ := http.NewRequest(http.MethodGet, server.URL, nil)
		request.Header.Set("Accept-Encoding", coding)
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		var body io.Reader
		if coding == "gzip" {
			body, err = gzip.NewReader(response.Body)
		} else {
			body, err = zstd.NewReader(response.Body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
		}
		first := make([]byte, 5)
		if err == nil {
			_, err = io.ReadFull(body, first)
		}
		if err != nil || string(first) != "first" {
			t.Errorf("%s: %q, %v", coding, first, err)
		}
		close(read)
		if rest, err := io.ReadAll(body); err != nil || string(rest) != "second" {
			t.Errorf("%s: %q, %v", coding, rest, err)
		}
		_ = response.Body.Close()
		server.Close()
	}
}
