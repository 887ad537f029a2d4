package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"fiscube/internal/testrequire"
)

// These tests ask the examples of openapi.yaml as they are written.

// besides is what a question needs for the example of a parameter to mean something.
var besides = map[string]string{
	"excel": "format=csv", "remainder": "top=3", "page": "pagesize=5", "around": "line=16", "_ask": "_level=func1_code",
}

// questioned gives what the example of a parameter is asked together with, by operation.
var questioned = map[string]string{
	"aggregate": "drilldown=Year|admin1_code", "explain": "drilldown=Year|admin1_code", "package": "drilldown=Year|admin1_code",
	"tree": "cut=Year:2018", "search": "q=sabor", "explore": "drilldown=Year|admin1_code",
	"embed": "drilldown=Year|admin1_code", "oembed": "url=http://localhost:8080/explore/example-croatia?drilldown=func1_code",
}

// instead is asked where an example means nothing to one of the operations that share the parameter.
var instead = map[string]string{"explain format=csv": "format=json", "explain excel=1": "excel=0", "explain cite=1": "cite=0", "home page=2": "q=salud&page=2"}

func TestReference_ExamplesOfParametersAreAnswered(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	asked := 0
	for path, item := range reference(t).Paths.Map() {
		if strings.Contains(path, "{job}") || strings.HasPrefix(path, "/publish") || strings.HasPrefix(path, "/.well-known") {
			continue // there is none without a token (client_test.go, publish_test.go) or a contact
		}
		if item.Get == nil {
			continue // TestReference_ExampleOfABatchIsTheAnswer
		}
		path := withExamples(path, item)
		questions := []string{questioned[item.Get.OperationID]}
		for _, p := range item.Get.Parameters {
			if p.Value.In != openapi3.ParameterInQuery {
				continue
			}
			examples := examplesOf(p.Value)
			if len(examples) == 0 {
				t.Errorf("%s: %s has no example", path, p.Value.Name)
			}
			for _, example := range examples {
				questions = append(questions, together(item.Get.OperationID, p.Value.Name, example))
			}
		}
		for _, question := range questions {
			if strings.HasPrefix(question, "after=") {
				question = "after=" + followingFacts(t, server.url+path)
			}
			question = strings.ReplaceAll(question, "http://localhost:8080", server.url) // addresses are of this service
			asked++
			status, body := answerTo(t, server.url+path+"?"+escaped(question))
			if status != http.StatusOK || body == "" {
				t.Errorf("%s?%s: %d\n%s", path, question, status, body)
			}
		}
	}
	if asked < 100 {
		t.Errorf("only %d examples were asked", asked)
	}
}

// withExamples puts the examples of its parameters into a path.
func withExamples(path string, item *openapi3.PathItem) string {
	for _, p := range slices.Concat(item.Parameters, item.Get.Parameters) {
		if p.Value.In == openapi3.ParameterInPath {
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(examplesOf(p.Value)[0]))
		}
	}
	return path
}

func examplesOf(p *openapi3.Parameter) []string {
	if p.Example != nil {
		return []string{fmt.Sprint(p.Example)}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(p.Examples)) {
		list = append(list, fmt.Sprint(p.Examples[name].Value.Value))
	}
	return list
}

// together makes a question of an example and what it needs.
func together(operation, name, example string) string {
	question := name + "=" + example
	if other, ok := instead[operation+" "+question]; ok {
		return other
	}
	for _, part := range []string{questioned[operation], besides[name]} {
		if part != "" && !strings.HasPrefix(part, name+"=") {
			question += "&" + part
		}
	}
	return question
}

// escaped writes a question as clients do that escape: here it is + and & that part it.
func escaped(question string) string {
	return strings.NewReplacer(" ", "%20", "|", "%7C", `"`, "%22", "<", "%3C", ">", "%3E").Replace(question)
}

// followingFacts gives the token of the second page: it belongs to one version and one question.
func followingFacts(t *testing.T, address string) string {
	t.Helper()
	var page struct{ Next string }
	if err := json.Unmarshal([]byte(get(t, address+"?pagesize=1")), &page); err != nil || page.Next == "" {
		t.Fatalf("no page follows: %v", err)
	}
	return page.Next
}

func answerTo(t *testing.T, address string) (status int, body string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// settledByTheLoad are names whose values are others after every load, or until the server has the cube in memory.
var settledByTheLoad = []string{"loaded_at", "fingerprint", "cuboid", "sql", "parse", "plan", "store"}

// Every example of an answer is what the question in its summary is answered, lists and objects shortened.
func TestReference_ExamplesOfAnswersAreTheAnswers(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	examples := reference(t).Components.Examples
	if len(examples) < 20 {
		t.Fatalf("the reference has %d examples", len(examples))
	}
	for name, example := range examples {
		t.Run(name, func(t *testing.T) {
			status, body := answerTo(t, server.url+escaped(example.Value.Summary))
			body = strings.ReplaceAll(body, server.url, "https://budgets.example.org")
			if status != http.StatusOK {
				t.Fatalf("%s: %d\n%s", example.Value.Summary, status, body)
			}
			if path := differs(example.Value.Value, like(t, example.Value.Value, body), ""); path != "" {
				t.Errorf("%s differs at %s; the answer is\n%s", example.Value.Summary, path, body)
			}
		})
	}
}

func TestReference_ExampleOfABatchIsTheAnswer(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	batch := reference(t).Paths.Value("/cubes/{cube}/batch").Post
	question, err := json.Marshal(batch.RequestBody.Value.Content.Get("application/json").Example)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(server.url+"/cubes/example-croatia/batch", "application/json", bytes.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	example := batch.Responses.Value("200").Value.Content.Get("application/json").Example
	if path := differs(example, like(t, example, string(body)), ""); path != "" {
		t.Errorf("it differs at %s; the answer is\n%s", path, body)
	}
}

// like reads an answer as the example is written: JSON is a value, CSV and NDJSON are a text.
func like(t *testing.T, example any, body string) any {
	t.Helper()
	if _, ok := example.(string); ok {
		return body
	}
	var answer any
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// differs gives the first path at which an example is not what the answer has there. A text may be the beginning of one.
func differs(example, answer any, path string) string {
	switch example := example.(type) {
	case map[string]any:
		return differsByName(example, answer, path)
	case []any:
		return differsByIndex(example, answer, path)
	case string:
		if whole, ok := answer.(string); ok && strings.HasSuffix(example, "\n") && strings.HasPrefix(whole, example) {
			return ""
		}
	}
	if fmt.Sprint(example) != fmt.Sprint(answer) {
		return fmt.Sprintf("%s: %v, not %v", path, answer, example)
	}
	return ""
}

func differsByName(example map[string]any, answer any, path string) string {
	whole, _ := answer.(map[string]any)
	for name, value := range example {
		has, ok := whole[name]
		if !ok {
			return path + "." + name + ": absent"
		}
		if slices.Contains(settledByTheLoad, name) {
			continue
		}
		if found := differs(value, has, path+"."+name); found != "" {
			return found
		}
	}
	return ""
}

func differsByIndex(example []any, answer any, path string) string {
	whole, _ := answer.([]any)
	for i, value := range example {
		at := fmt.Sprintf("%s[%d]", path, i)
		if i >= len(whole) {
			return at + ": absent"
		}
		if found := differs(value, whole[i], at); found != "" {
			return found
		}
	}
	return ""
}

var (
	// operationShown finds the operations on the page of the reference.
	operationShown = regexp.MustCompile(`id="operations-([a-z]+)-(\w+)"`)

	// complaint finds what a page writes on the console of the browser, where it also says what a policy forbids.
	complaint = regexp.MustCompile(`(?m)^.*:CONSOLE[:(].*$`)
)

// isWhole checks that the page of the reference shows every operation of the service and no other, and what it says on the console.
func isWhole(t *testing.T, page, console string) {
	t.Helper()
	var want []string
	for _, item := range reference(t).Paths.Map() {
		for _, operation := range item.Operations() {
			want = append(want, operation.OperationID)
		}
	}
	got := map[string]bool{}
	for _, operation := range operationShown.FindAllStringSubmatch(page, -1) {
		if operation[1] != "tag" { // which is the heading of some
			got[operation[2]] = true
		}
	}
	if slices.Sort(want); !slices.Equal(slices.Sorted(maps.Keys(got)), want) {
		t.Errorf("it shows the operations %v, want %v", slices.Sorted(maps.Keys(got)), want)
	}
	says(t, page, `class="title">fiscube`)
	if said := complaint.FindAllString(console, -1); said != nil {
		t.Errorf("it says on the console:\n%s", strings.Join(said, "\n"))
	}
}

// What isWhole looks for on the console is there where a page does what its policy forbids.
func TestReference_TheBrowserSaysWhatAPolicyForbids(t *testing.T) {
	browser := browserOrSkip(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'")
		_, _ = io.WriteString(w, "<!DOCTYPE html><script>0</script>")
	}))
	t.Cleanup(server.Close)
	if _, console := rendered(t, browser, server.URL); !complaint.MatchString(console) {
		t.Errorf("nothing is on the console:\n%s", console)
	}
}

// rendered opens an address in a browser without a screen, and gives the document once nothing moves any more, and what
// the browser logs.
func rendered(t *testing.T, browser, address string) (page, console string) {
	t.Helper()
	profile, failed := os.MkdirTemp(scratch, "browser-") // not the test's: the browser may still write as it ends
	if failed != nil {
		t.Fatal(failed)
	}
	command := exec.CommandContext(t.Context(), browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+profile, "--enable-logging=stderr", "--virtual-time-budget=30000", "--dump-dom", address)
	command.Env = append(command.Environ(), "HOME="+profile)
	var out, err output
	command.Stdout, command.Stderr = &out, &err
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return out.String(), err.String()
}

// reference reads openapi.yaml.
func reference(t testing.TB) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile(openapi)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// What openapi.yaml says is enough for generators of clients, without any option: what they make compiles, and keeps every
// digit of an amount.

const wideAmounts = "year,code,paid\r\n2020,010,269948549110.00\r\n2020,020,1234567890123456789012.34\r\n2020,030,\r\n"

// wide serves a cube with an amount of 12 digits, and with one that no floating point number holds.
func wide(t *testing.T) *service {
	t.Helper()
	folder := t.TempDir()
	write(filepath.Join(folder, "datapackage.json"), []byte(`{"name": "wide", "resources": [{"name": "d", "path": "d.csv",
	 "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
	  {"name": "code", "type": "string"}, {"name": "paid", "type": "number"}]},
	 "model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
	  "entity": {"dimensionType": "other", "primaryKey": ["code"]}}, "measures": {"paid": {}}}}]}`))
	write(filepath.Join(folder, "d.csv"), []byte(wideAmounts))
	db := freshDuckDB(t)
	must(t, "load", "--db", db, folder)
	return serve(t, db)
}

// generators gives a new folder with the clients' programs in it, beside the reference.
func generators() string {
	folder, err := os.MkdirTemp(scratch, "clients-")
	check(err)
	check(os.CopyFS(folder, os.DirFS("e2e/testdata/clients")))
	check(os.Symlink(openapi, filepath.Join(folder, "openapi.yaml")))
	return folder
}

// runIn runs a command in a folder, and gives what it wrote.
func runIn(t *testing.T, folder, name string, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = folder
	said, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", command, err, said)
	}
	return string(said), err
}

// onRequest skips t in the ordinary run: the first time, a machine takes minutes to build the generators.
func onRequest(t *testing.T) {
	t.Helper()
	t.Parallel()
	if !testrequire.Requires("clients") {
		t.Skip("make clients generates clients of openapi.yaml and builds them")
	}
}

func TestOpenAPI_ClientsInGo(t *testing.T) {
	onRequest(t)
	folder := generators()
	if _, err := runIn(t, folder, "go", "mod", "download"); err != nil {
		testrequire.Skip(t, "clients", "the generators cannot be installed: "+err.Error())
	}
	check(os.Mkdir(filepath.Join(folder, "oapi"), 0o755))
	for _, line := range []string{
		"tool oapi-codegen -package oapi -generate types,client -o oapi/client.go openapi.yaml",
		"tool ogen -package oas -target oas openapi.yaml",
		"build -trimpath -o ask .", // the same files in another folder are built once
	} {
		if _, err := runIn(t, folder, "go", strings.Fields(line)...); err != nil {
			t.Fatal(err)
		}
	}
	s := wide(t)
	for _, more := range []string{"", "strings"} {
		said, err := runIn(t, folder, "./ask", strings.Fields(s.url+" wide "+more)...)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(said)
		says(t, said, "oapi-codegen 010 269948549110.00\n", "oapi-codegen 020 1234567890123456789012.34\n", "ogen 010 269948549110", "ogen 020 1234567890123456789012.34\n")
	}
}

// nodeModules are what the clients need that node runs. They are installed once, and fail otherwise.
var nodeModules = sync.OnceValues(func() (string, error) {
	folder := generators()
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000")
	install.Dir = folder
	said, err := install.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return folder, err
})

// inNode runs lines with what is installed, and gives what the last of them prints.
func inNode(t *testing.T, lines ...string) (said string) {
	t.Helper()
	folder, err := nodeModules()
	if err != nil {
		testrequire.Skip(t, "clients", "what node runs cannot be installed: "+err.Error())
	}
	for _, line := range lines {
		words := strings.Fields(line)
		if words[0] != "node" {
			words[0] = "./node_modules/.bin/" + words[0]
		}
		if said, err = runIn(t, folder, words[0], words[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	return said
}

func TestOpenAPI_ClientsInTypeScript(t *testing.T) {
	onRequest(t)
	url := wide(t).url
	said := inNode(t, "openapi-typescript openapi.yaml -o reference.d.ts", "orval --config orval.config.cjs", "tsc", "node out/ask.js "+url+" wide")
	said += inNode(t, "node out/ask-orval.js "+url+" wide")
	for _, who := range []string{"openapi-typescript ", "orval ", "orval tree ", "orval facts 3 "} {
		says(t, said, who+"020 1234567890123456789012.34\n")
	}
	says(t, said, "openapi-typescript 010 269948549110.00\n", "orval 030 null\n", "orval tree 030 null\n", "orval facts 4 030 null\n")
}

// Libraries of others read a Parquet file of a pinned version in parts, JSON-stat, CSV by its metadata, and both forms of the catalogue, which has what DCAT-AP demands.
func TestOpenAPI_ClientsOfOtherFormats(t *testing.T) {
	onRequest(t)
	said := inNode(t, "node formats.mjs "+wide(t).url+" wide")
	says(t, said, "hyparquet 010 269948549110\n", "hyparquet 030 null\nhyparquet asks HEAD 200, GET 206\n",
		"jsonstat-toolkit 010 paid.sum 269948549110.00 2\n", "jsonstat-toolkit 020 paid.sum 1234567890123456789012.34 2\n", "jsonstat-toolkit 030 paid.sum null 2\n", "jsonstat-toolkit 3 of 3\n",
		"csvw describes true\n", "rdf-parser-csvw code 020 string\nrdf-parser-csvw paid.sum 1234567890123456789012.34 decimal\nrdf-parser-csvw code 030 string\nn3",
		"n3 true same as jsonld true\n", "shacl []\n")
	if strings.Count(said, "shacl without ") != 5 || strings.Contains(said, "false") {
		t.Error(said)
	}
}

// obstacles is what axe says of a page.
type obstacles struct {
	Error      string
	Dark       bool
	Background string
	Passes     int // rules that it keeps
	Open       int // operations that are unfolded
	Violations []string
	Page       string // the document
	console    string
}

// Readers who see little or nothing, or use no mouse, meet no obstacle in the reference, whether their screen is light or dark.
// It is looked at whole too, also where axe cannot be had, and in the ordinary run.
func TestReference_HasNoObstacles(t *testing.T) {
	t.Parallel()
	browser := browserOrSkip(t)
	server := seeded.onDuckDB(t)
	if !testrequire.IsLong() {
		server.showsTheReference(t, browser)
		return
	}
	if _, err := installedModules(); err != nil {
		server.showsTheReference(t, browser)
	}
	folder := withModules(t)
	backgrounds := map[string]bool{}
	for dark, rules := range map[bool]int{false: 20, true: 1} { // run.js asks the dark page for its colours alone
		got := server.obstacles(t, browser, folder, "/docs#/questions/aggregate", dark) // one operation is unfolded, the others are not
		if got.Error != "" || got.Dark != dark || got.Passes < rules || got.Open != 1 {
			t.Errorf("dark: %v, background %s, %d rules, %d open; %s", got.Dark, got.Background, got.Passes, got.Open, got.Error)
		}
		isWhole(t, got.Page, got.console)
		if len(got.Violations) > 0 {
			t.Errorf("dark: %v:\n%s", dark, strings.Join(got.Violations, "\n"))
		}
		backgrounds[got.Background] = dark
	}
	if len(backgrounds) != 2 {
		t.Errorf("light and dark have the backgrounds %v", backgrounds)
	}
}

// showsTheReference looks at the reference whole.
func (s *service) showsTheReference(t *testing.T, browser string) {
	t.Helper()
	page, console := rendered(t, browser, s.url+"/docs/")
	isWhole(t, page, console)
}

// obstacles opens a page of the service with axe in it, under the policy that the page has.
func (s *service) obstacles(t *testing.T, browser, folder, path string, dark bool) obstacles {
	t.Helper()
	found := make(chan obstacles, 1)
	target, err := url.Parse(s.url)
	check(err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /axe/run.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, filepath.Join(folder, "run.js")) })
	mux.Handle("GET /axe/", http.StripPrefix("/axe/", http.FileServer(http.Dir(filepath.Join(folder, "node_modules/axe-core")))))
	mux.HandleFunc("POST /axe/found", func(_ http.ResponseWriter, r *http.Request) {
		var o obstacles
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			o.Error = err.Error()
		}
		found <- o
	})
	mux.Handle("/", &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Header.Del("Accept-Encoding") },
		ModifyResponse: func(r *http.Response) error {
			if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
				return nil
			}
			page, err := io.ReadAll(r.Body)
			page = bytes.Replace(page, []byte("</head>"), []byte(`<script src="/axe/axe.min.js"></script><script src="/axe/run.js"></script></head>`), 1)
			r.Body = io.NopCloser(bytes.NewReader(page))
			r.Header.Del("Content-Length")
			r.ContentLength = -1
			return err
		},
	})
	page := httptest.NewServer(mux)
	defer page.Close()
	scheme := "1" // light, as Chromium numbers it
	if dark {
		scheme = "0"
	}
	end := open(t, browser, page.URL+path, "--enable-logging=stderr", "--blink-settings=preferredColorScheme="+scheme)
	select {
	case o := <-found:
		o.console = end()
		return o
	case <-time.After(patience):
		t.Fatalf("axe says nothing of %s within %s", path, patience)
		return obstacles{}
	}
}
