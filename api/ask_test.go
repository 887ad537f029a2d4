package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"fiscube/cube"
)

// response is an answer, checked against the document.
type response struct {
	status int
	header http.Header
	body   string
}

// ask gets the target, with headers given as name and value in turn, and holds the answer against openapi.yaml.
func ask(t testing.TB, h http.Handler, target string, headers ...string) response {
	t.Helper()
	return send(t, h, http.MethodGet, target, headers...)
}

func send(t testing.TB, h http.Handler, method, target string, headers ...string) response {
	t.Helper()
	request := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	r := response{recorder.Code, recorder.Header(), recorder.Body.String()}
	if r.header.Get("Content-Type") == "application/json" && method != http.MethodHead {
		r.conform(t, request)
	}
	return r
}

// conform fails the test where the answer is not what the document promises for the path. What no path
// promises, because there is none or the method is another, has to be an Error.
func (r response) conform(t testing.TB, request *http.Request) {
	t.Helper()
	known := request.Clone(request.Context())
	known.URL = &url.URL{Path: cmp.Or(strings.TrimRight(cmp.Or(request.URL.RawPath, request.URL.Path), "/"), "/")}
	route, parameters, err := router(t).FindRoute(known)
	if err != nil {
		r.conformError(t)
		return
	}
	input := &openapi3filter.RequestValidationInput{Request: known, PathParams: parameters, Route: route}
	if err := openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input,
		Status:                 r.status,
		Header:                 r.header,
		Body:                   io.NopCloser(strings.NewReader(r.body)),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}); err != nil {
		t.Errorf("%s is not as openapi.yaml says: %v\n%s", request.URL, err, r.body)
	}
}

func (r response) conformError(t testing.TB) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(r.body), &value); err != nil {
		t.Fatal(err)
	}
	if err := document(t).Components.Schemas["Error"].Value.VisitJSON(value); err != nil {
		t.Errorf("not the shape of Error: %v\n%s", err, r.body)
	}
}

// read reads a JSON body with its numbers as they are written.
func (r response) read(t testing.TB, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewBufferString(r.body))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%v\n%s", err, r.body)
	}
}

// problem is the body of an error.
type problem struct {
	Status, Message string
	Code            cube.Code
	Context         struct {
		Parameter *string
		Position  *int
		Hint      string
	}
}

func (r response) problem(t testing.TB) problem {
	t.Helper()
	var p problem
	r.read(t, &p)
	if p.Status != "error" {
		t.Fatalf("no error: %s", r.body)
	}
	return p
}

var loadDocument = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromFile("../openapi.yaml")
})

func document(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := loadDocument()
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

var newRouter = sync.OnceValues(func() (routers.Router, error) {
	doc, err := loadDocument()
	if err != nil {
		return nil, err
	}
	here := *doc
	here.Servers = nil // relative to the document, which the router does not know
	return legacy.NewRouter(&here)
})

func router(t testing.TB) routers.Router {
	t.Helper()
	r, err := newRouter()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// says checks that a text holds all the others.
func says(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}
