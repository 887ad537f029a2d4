package api_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// many is a store with so many cells.
func many(t testing.TB, cells int) *fake {
	t.Helper()
	list := []row{{Values: amounts(strconv.Itoa(cells)), Count: int64(cells)}}
	for i := range cells {
		list = append(list, row{Values: amounts(strconv.Itoa(i) + ".50")})
	}
	store := newFake(t)
	store.run = yielding(list...)
	return store
}

const someCells = "/cubes/croatia/aggregate?aggregates=approved_value.sum"

// decode gives what a body is in its coding.
func decode(t testing.TB, coding, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", coding, err)
	}
	return string(plain)
}

// Each answer is the same whether it is compressed or not, and HEAD says of it what GET does.
func TestCompress_Answers(t *testing.T) {
	for name, test := range map[string]struct {
		target string
		cells  int
		small  bool // not to be compressed
	}{
		"json":            {someCells, 1000, false},
		"csv":             {someCells + "&format=csv", 1000, false},
		"a long csv":      {someCells + "&format=csv", 100_000, false},
		"a short json":    {someCells, 3, true},
		"a short csv":     {someCells + "&format=csv", 3, true},
		"a short ndjson":  {someCells + "&format=ndjson", 3, true},
		"ndjson":          {someCells + "&format=ndjson", 1000, false},
		"the document":    {"/openapi.yaml", 0, false},
		"the page":        {"/", 0, false},
		"an image":        {"/cubes/croatia/image", 0, true},
		"an error":        {"/cubes/croatia/aggregate?drilldown=nope", 0, true},
		"no such path":    {"/nothing", 0, true},
		"a long csv page": {someCells + "&format=csv&pagesize=10000", 10_000, false},
	} {
		for _, coding := range []string{"gzip", "zstd"} {
			t.Run(name+" "+coding, func(t *testing.T) {
				h := handler(t, many(t, test.cells))
				plain := raw(h, http.MethodGet, test.target)
				got := raw(h, http.MethodGet, test.target, "Accept-Encoding", coding)
				used := got.header.Get("Content-Encoding")
				if (used == "") != test.small || used != "" && used != coding {
					t.Fatalf("Content-Encoding: %q", used)
				}
				if decode(t, used, got.body) != plain.body || len(got.body) > len(plain.body) || plain.header.Get("Content-Encoding") != "" {
					t.Errorf("%d bytes are %d bytes otherwise", len(plain.body), len(got.body))
				}
				if length := got.header.Get("Content-Length"); used != "" && length != "" || used == "" && length != "" && length != strconv.Itoa(len(got.body)) {
					t.Errorf("Content-Length: %s of %d bytes in coding %q", length, len(got.body), used)
				}
				head := raw(h, http.MethodHead, test.target, "Accept-Encoding", coding)
				if head.status != got.status || head.body != "" {
					t.Errorf("HEAD: %d %q", head.status, head.body)
				}
				for _, header := range []string{"Content-Type", "Content-Encoding", "Content-Length", "Vary", "Content-Disposition"} {
					if g, h := got.header.Get(header), head.header.Get(header); g != h && (h != "" || header != "Content-Length") {
						t.Errorf("%s: GET %q, HEAD %q", header, g, h)
					}
				}
			})
		}
	}
}

// raw asks without a look at the document, which knows no codings.
func raw(h http.Handler, method, target string, headers ...string) response {
	request := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return response{recorder.Code, recorder.Header(), recorder.Body.String()}
}

func TestCompress_Head(t *testing.T) {
	r := raw(handler(t, many(t, 1000)), http.MethodHead, someCells, "Accept-Encoding", "gzip")
	if r.header.Get("Content-Encoding") != "gzip" || r.header.Get("Content-Length") != "" || r.body != "" {
		t.Errorf("%v %q", r.header, r.body)
	}
}

func TestCompress_Vary(t *testing.T) {
	h := handler(t, newFake(t))
	for target, want := range map[string]string{
		someCells: "Accept, Accept-Encoding", "/cubes": "Accept-Encoding", "/nothing": "Accept, Accept-Encoding", "/cubes/croatia/image": "",
	} {
		for _, coding := range []string{"", "gzip"} {
			if got := raw(h, http.MethodGet, target, "Accept-Encoding", coding).header.Values("Vary"); strings.Join(got, "|") != want {
				t.Errorf("%s: Vary: %q, want %q", target, got, want)
			}
		}
	}
}

// A compressed part must not look like the whole either: it has no end of its coding.
func TestCompress_FailureInTheMiddle(t *testing.T) {
	store := many(t, 50_000)
	whole := store.run
	store.run = nil
	cells := []row{}
	for cell := range whole(t.Context(), nil) {
		cells = append(cells, cell)
	}
	store.run = failing(errors.New("secret"), cells...)
	server := httptest.NewServer(handler(t, store))
	defer server.Close()
	for _, coding := range []string{"gzip", "zstd"} {
		request, _ := http.NewRequest(http.MethodGet, server.URL+someCells+"&format=csv", nil)
		request.Header.Set("Accept-Encoding", coding)
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(body) == 0 || response.Header.Get("Content-Encoding") != coding {
			t.Errorf("%s: %d bytes, %v", coding, len(body), err)
		}
		if coding == "gzip" {
			r, err := gzip.NewReader(bytes.NewReader(body))
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the part reads to its end: %v", err)
			}
		}
	}
}
