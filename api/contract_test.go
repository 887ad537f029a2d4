package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"

	"fiscube/api"
	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/schemas"
)

func TestDocument_IsValid(t *testing.T) {
	if err := document(t).Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// The examples are held against their schemas as the document is validated.
func TestDocument_WrongExampleIsNotValid(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc.Components.Examples["Status"].Value.Value = map[string]any{"status": "well"}
	if err := doc.Validate(t.Context()); err == nil || !strings.Contains(err.Error(), "well") {
		t.Errorf("the document is valid with it: %v", err)
	}
}

func TestDocument_EveryJSONAnswerHasAnExample(t *testing.T) {
	for path, item := range document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			for status, response := range operation.Responses.Map() {
				content := response.Value.Content.Get("application/json")
				if content == nil || content.Example != nil || len(content.Examples) > 0 || content.Schema.Value.Example != nil {
					continue
				}
				t.Errorf("%s %s: %s has no example", method, path, status)
			}
		}
	}
}

// Every operation of the document is answered, with and without a slash at its end, GET also as HEAD, and nothing
// else is.
func TestDocument_Routes(t *testing.T) {
	want := map[string]bool{}
	for path, item := range document(t).Paths.Map() {
		methods := slices.Collect(maps.Keys(item.Operations()))
		if item.Get != nil {
			methods = append(methods, http.MethodHead)
		}
		for _, method := range methods {
			want[method+" "+path] = true
			want[method+" "+strings.TrimSuffix(path, "/")+"/"] = true
		}
	}
	got := map[string]bool{}
	for _, r := range newQueue(t, nil).Handler.(*echo.Echo).Routes() {
		got[r.Method+" "+inBraces.ReplaceAllString(r.Path, "{$1}")] = true
	}
	if !maps.Equal(got, want) {
		t.Errorf("routes\n%v\ndocument\n%v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

// inBraces finds the names in a path of the router.
var inBraces = regexp.MustCompile(`:(\w+)`)

func TestDocument_Parameters(t *testing.T) {
	for path, routed := range map[string][]string{
		"/cubes/{cube}/aggregate":       api.AggregateParameters(),
		"/cubes/{cube}/explain":         api.AggregateParameters(),
		"/cubes/{cube}/package.zip":     api.PackageParameters(),
		"/cubes/{cube}/facts":           api.FactParameters(),
		"/cubes/{cube}/members/{level}": api.MemberParameters(),
		"/search":                       append(api.SearchParameters(), "format"), // which JSON alone takes
	} {
		var documented []string
		for _, p := range document(t).Paths.Value(path).Get.Parameters {
			documented = append(documented, p.Value.Name)
			if p.Value.Description == "" || p.Value.Example == nil && len(p.Value.Examples) == 0 {
				t.Errorf("%s: %s has no description or no example", path, p.Value.Name)
			}
		}
		if !slices.Equal(documented, routed) {
			t.Errorf("%s: document %v, routes %v", path, documented, routed)
		}
	}
}

// The examples that the document gives for the parameters are questions of a kind that parse.
func TestDocument_ParameterExamplesParse(t *testing.T) {
	parse := map[string]func(string) error{
		"drilldown":  func(s string) error { _, err := query.ParseDrilldown(s); return err },
		"cut":        func(s string) error { _, err := query.ParseCut(s); return err },
		"aggregates": func(s string) error { _, err := query.ParseAggregates(s); return err },
		"order":      func(s string) error { _, err := query.ParseOrder(s); return err },
		"factOrder":  func(s string) error { _, err := query.ParseOrder(s); return err },
		"fields":     func(s string) error { _, err := query.ParseFields(s); return err },
	}
	for name, parse := range parse {
		for _, example := range document(t).Components.Parameters[name].Value.Examples {
			if err := parse(fmt.Sprint(example.Value.Value)); err != nil {
				t.Errorf("%s=%v: %v", name, example.Value.Value, err)
			}
		}
	}
}

func TestDocument_Codes(t *testing.T) {
	schema := document(t).Components.Schemas["Error"].Value
	statuses := reply.Statuses
	var codes []string
	for _, code := range schema.Properties["code"].Value.Enum {
		codes = append(codes, fmt.Sprint(code))
		row := fmt.Sprintf("| `%s` | %d | ", code, statuses[cube.Code(fmt.Sprint(code))])
		if !strings.Contains(schema.Description, row) {
			t.Errorf("the document does not say %q", row)
		}
	}
	var ours []string
	for code := range statuses {
		ours = append(ours, string(code))
	}
	slices.Sort(codes)
	slices.Sort(ours)
	if !slices.Equal(codes, ours) {
		t.Errorf("document %v, api %v", codes, ours)
	}
}

func TestRoutes_Answer(t *testing.T) {
	h := newQueue(t, nil)
	names := strings.NewReplacer("{cube}", "croatia", "{before}", "3", "{after}", "3", "{resource}", "a", "{level}", "admin1_code", "{dimension}", "date",
		"/jobs/{job}", h.submit(t, "x"), "{draft}", h.draft(t), "assets/{file}", "assets/icon.svg", "{file}", "start.js")
	for path, item := range document(t).Paths.Map() {
		if item.Get == nil {
			continue // TestBatch
		}
		path = names.Replace(path)
		path += map[string]string{"/search": "?q=nothing", "/oembed": "?url=http://example.com/explore/croatia", // which have no default
			"/cubes/croatia/resources/a": "?line=2"}[path] // see TestPublished
		plain := ask(t, h, path, "Authorization", "Bearer "+secret)
		at, query, _ := strings.Cut(path, "?")
		slashed := ask(t, h, strings.TrimSuffix(at, "/")+"/?"+query, "Authorization", "Bearer "+secret)
		head := send(t, h, http.MethodHead, path, "Authorization", "Bearer "+secret)
		for name, r := range map[string]response{"plain": plain, "slash": slashed, "HEAD": head} {
			if r.status != http.StatusOK {
				t.Errorf("%s, %s: status %d: %s", path, name, r.status, r.body)
			}
		}
		if path == "/metrics" || strings.HasSuffix(path, "/explain") || path == "/docs" || strings.HasPrefix(path, "/explore") || strings.HasPrefix(path, "/embed") || path == "/functions" {
			continue // counts these requests, tells how long they took, or has relative links
		}
		if slashed.body != plain.body {
			t.Errorf("%s: the slash makes another answer", path)
		}
		length := strconv.Itoa(len(plain.body))
		if strings.HasSuffix(path, ".zip") {
			length = "" // it is streamed, and HEAD does not make it
		}
		if head.body != "" || head.header.Get("Content-Length") != length {
			t.Errorf("%s: HEAD sends %q and length %s", path, head.body, head.header.Get("Content-Length"))
		}
	}
}

// Every header that an answer has, and every header that its Vary names, is documented, and no other is.
func TestDocument_Headers(t *testing.T) {
	h := newQueue(t, nil)
	names := strings.NewReplacer("{cube}", "croatia", "{before}", "3", "{after}", "3", "{resource}", "a", "{level}", "admin1_code", "{dimension}", "date",
		"{job}", strings.TrimPrefix(h.submit(t, "x"), "/jobs/"), "{draft}", h.draft(t), "assets/{file}", "assets/icon.svg", "{file}", "start.js")
	for path, item := range document(t).Paths.Map() {
		if item.Get == nil {
			continue // TestBatch
		}
		target := names.Replace(path)
		if path == "/search" {
			target += "?q=nothing" // which has no default
		}
		if strings.HasSuffix(path, "/{resource}") {
			target += "?line=2" // see TestPublished
		}
		r := ask(t, h, target, "Authorization", "Bearer "+secret)
		documented := item.Get.Responses.Value("200").Value.Headers
		if path == "/functions" {
			delete(documented, "Server-Timing") // no budget here has functions, so none is asked for its amounts
		}
		for _, name := range []string{"ETag", "Server-Timing", "X-Request-Id"} {
			if sent := r.header.Get(name) != ""; sent != (documented[name] != nil) {
				t.Errorf("%s: %s is sent: %v, documented: %v", path, name, sent, !sent)
			}
		}
		again := ask(t, h, target, "Authorization", "Bearer "+secret, "If-None-Match", "*")
		if knows := again.status == http.StatusNotModified; knows != (item.Get.Responses.Value("304") != nil) {
			t.Errorf("%s: 304 is answered: %v, documented: %v", path, knows, !knows)
		}
	}
}

// loaded finds what the page of the reference loads.
var loaded = regexp.MustCompile(`(?:src|href)="([^"]*\.(?:js|css)\?v=[0-9a-f]{16})"`)

func TestDocs_Page(t *testing.T) {
	h := handler(t, newFake(t))
	for asked, base := range map[string]string{"/docs": "/", "/docs/": "/docs/"} {
		page := ask(t, h, asked)
		says(t, page.body, " · fiscube</title>", `<form class="search"`)
		policy := page.header.Get("Content-Security-Policy")
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: the policy %s", asked, policy)
		}
		files := loaded.FindAllStringSubmatch(page.body, -1)
		if len(files) != 5 {
			t.Fatalf("%s loads %q", asked, files)
		}
		for _, file := range files {
			r := ask(t, h, path.Join(base, file[1]))
			if r.status != http.StatusOK || r.header.Get("Cache-Control") != "max-age=31536000, immutable" {
				t.Errorf("%s: %d, %s", file[1], r.status, r.header.Get("Cache-Control"))
			}
		}
		document := regexp.MustCompile(`data-document="([^"]*)"`).FindStringSubmatch(page.body)
		if document == nil || ask(t, h, path.Join(base, document[1])).status != http.StatusOK {
			t.Errorf("%s shows %q", asked, document)
		}
		if again := ask(t, h, asked, "If-None-Match", page.header.Get("ETag")); again.status != http.StatusNotModified || again.body != "" {
			t.Errorf("%s is sent again: %d", asked, again.status)
		}
	}
}

func TestDocs_File(t *testing.T) {
	h := handler(t, newFake(t))
	const file = "/docs/swagger-ui.css"
	plain, packed := ask(t, h, file), ask(t, h, file, "Accept-Encoding", "gzip")
	if packed.header.Get("Content-Encoding") != "gzip" || unpack(t, []byte(packed.body)) != plain.body {
		t.Errorf("gzip: %v", packed.header)
	}
	for name, r := range map[string]response{"plain": plain, "gzip": packed} {
		if r.header.Get("Vary") != "Accept-Encoding" || r.header.Get("Cache-Control") != "no-cache" ||
			r.header.Get("Content-Type") != "text/css; charset=utf-8" {
			t.Errorf("%s: %v", name, r.header)
		}
		again := ask(t, h, file, "If-None-Match", r.header.Get("ETag"), "Accept-Encoding", r.header.Get("Content-Encoding"))
		if again.status != http.StatusNotModified {
			t.Errorf("%s is sent again: %d", name, again.status)
		}
		head := send(t, h, http.MethodHead, file, "Accept-Encoding", r.header.Get("Content-Encoding"))
		if head.body != "" || head.header.Get("Content-Length") != r.header.Get("Content-Length") {
			t.Errorf("%s: HEAD sends %d bytes and %v", name, len(head.body), head.header)
		}
	}
	if r := ask(t, h, file+"?v=0123456789abcdef"); r.status != http.StatusOK || r.header.Get("Cache-Control") != "no-cache" {
		t.Errorf("another sum: %d, %s", r.status, r.header.Get("Cache-Control"))
	}
	if r := ask(t, h, "/docs/docs.html"); r.status != http.StatusNotFound {
		t.Errorf("no file of the page: %d", r.status)
	}
}

// The viewer is what its authors published: nobody reads a megabyte and a half in a review.
func TestDocs_ViewerIsAsPublished(t *testing.T) {
	readme, err := os.ReadFile("docs/viewer/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"swagger-ui-bundle.js", "swagger-ui.css"} {
		file, err := os.ReadFile("docs/viewer/" + name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256([]byte(unpack(t, file)))
		says(t, string(readme), "| `"+name+"` | `"+hex.EncodeToString(sum[:])+"` |")
	}
}

func unpack(t *testing.T, packed []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestDocument_IsServedAsItIs(t *testing.T) {
	r := ask(t, handler(t, newFake(t)), "/openapi.yaml")
	if r.body != string(documentBytes(t)) || r.header.Get("Content-Type") != "application/yaml" {
		t.Error("it is not")
	}
}

func TestSchemas_AreServedAsTheyAre(t *testing.T) {
	for _, kind := range []schemas.Kind{schemas.Descriptor, schemas.Overlay} {
		text, err := schemas.Text(kind)
		if err != nil {
			t.Fatal(err)
		}
		r := ask(t, handler(t, newFake(t)), "/schemas/"+string(kind)+".schema.json")
		if r.body != string(text) || r.header.Get("Content-Type") != "application/schema+json" || r.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s is %s", kind, r.header)
		}
	}
}

func TestDescriptor_IsServedAsPublished(t *testing.T) {
	store := newFake(t)
	store.cubes[0].Descriptor = []byte("{ \"name\":\n\t\"croatia\", \"more\": 1e400 }\r\n")
	r := send(t, handler(t, store), http.MethodGet, "/cubes/croatia/datapackage.json")
	if r.status != http.StatusOK || r.body != string(store.cubes[0].Descriptor) || r.header.Get("Content-Type") != "application/json" {
		t.Errorf("status %d, %q", r.status, r.body)
	}
}
