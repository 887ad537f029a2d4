package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// hostileValues are what no honest client writes, or writes by mistake.
var hostileValues = []string{
	"", "0", "-1", "1", "9223372036854775808", "1e999", "NaN", "null", "true", "\x00", "\xff\xfe", "\u202e", "%", "%zz", ";", "|", "||", ":", "..", "a..", "~", "~a", "!", "\"", "\"a", "a\"b",
	"' OR 1=1 --", "../../etc/passwd", "<script>", "{}", "[]", strings.Repeat("(", 300), strings.Repeat("a|", 500), strings.Repeat("x", 5000), "{{7*7}}", "$1", "?", "#", "Year", "Year:2018", "Year:2018..",
	"admin1_code|admin2_code|econ3_code|func1_code", "admin1_code:~a", "!admin1_code:~a;020", "approved_value.sum", "share(approved_value.sum)|real(approved_value.sum,2018)|per_head(approved_value.sum)",
	"ratio(approved_value.sum,executed_value.sum)", "ratio(ratio(a,b),c)", "approved_value.sum:desc", "_count>=1", "approved_value.sum>1e400", "Year:-1", "zero", "csv", "xlsx", "parquet", "arrow", "ndjson",
}

// hostileHeaders are fields that change how a request is read.
var hostileHeaders = [][2]string{
	{"Accept", "text/html"}, {"Accept", "*/*;q=nan"}, {"Accept", strings.Repeat("a/b,", 500)}, {"Range", "bytes=0-0,5-"}, {"If-None-Match", "*"}, {"Accept-Encoding", "br;q=0,zstd"},
	{"Accept-Language", strings.Repeat("hr-x,", 500)}, {"Content-Encoding", "gzip"}, {"X-Request-Id", "\t"}, {"X-Forwarded-For", "::1"}, {"Expect", "100-continue"}, {"Content-Type", "text/plain"},
}

// hostile makes requests from what the reference says of each path and the tools say of their arguments, each by its number alone.
type hostile struct {
	url   string
	paths []*openapi3.Operation
	where []string // with {name} for parameters in the path
	posts []string
	tools []struct {
		Name        string
		InputSchema struct{ Properties map[string]any }
	}
}

func newHostile(t *testing.T, s *service) *hostile {
	h := &hostile{url: s.url}
	all := reference(t).Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if item := all[path]; item.Get != nil {
			get := *item.Get
			get.Parameters = slices.Concat(item.Parameters, get.Parameters)
			h.paths, h.where = append(h.paths, &get), append(h.where, path)
		} else if item.Post != nil {
			h.posts = append(h.posts, path)
		}
	}
	var listed struct {
		Result struct{ Tools json.RawMessage }
	}
	_, body := h.send(t, h.call(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	check(json.Unmarshal(body, &listed))
	check(json.Unmarshal(listed.Result.Tools, &h.tools))
	return h
}

func (h *hostile) call(message string) *http.Request {
	r := sure(http.NewRequest(http.MethodPost, h.url+"/mcp", strings.NewReader(message)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

// request makes the n-th request.
func (h *hostile) request(n uint64) *http.Request {
	random := rand.New(rand.NewPCG(n, 26))
	value := func(examples []string) string {
		if len(examples) > 0 && random.IntN(2) == 0 {
			return examples[random.IntN(len(examples))]
		}
		text := hostileValues[random.IntN(len(hostileValues))]
		if random.IntN(4) == 0 {
			text += hostileValues[random.IntN(len(hostileValues))]
		}
		return text
	}
	var r *http.Request
	switch random.IntN(7) {
	case 6:
		r = h.upload(random, value)
	case 0:
		tool := h.tools[random.IntN(len(h.tools))]
		arguments := map[string]any{"cube": "example-croatia"}
		for _, name := range slices.Sorted(maps.Keys(tool.InputSchema.Properties)) {
			if random.IntN(3) == 0 {
				arguments[name] = []any{value(nil), 5, -1, nil, true, []string{value(nil), value(nil)}, map[string]any{}}[random.IntN(7)]
			}
		}
		call := string(sure(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool.Name, "arguments": arguments}})))
		if random.IntN(8) == 0 {
			call = "[" + strings.Repeat(call+",", random.IntN(60)) + call + "]"
		}
		r = h.call(call)
	case 1:
		body := []string{"", "{", "[1]", `{"questions":[]}`, `{"questions":["drilldown=Year",` + strconv.Quote(value(nil)) + `]}`, strings.Repeat("[", 100_000), `{"jsonrpc":"2.0","id":1}`}[random.IntN(7)]
		path := strings.ReplaceAll(append(slices.Clone(h.posts), "/cubes")[random.IntN(len(h.posts)+1)], "{cube}", "example-croatia")
		r = sure(http.NewRequest(http.MethodPost, h.url+path, strings.NewReader(body)))
		r.Header.Set("Content-Type", "application/json")
	default:
		i := random.IntN(len(h.paths))
		path := h.where[i]
		var pairs []string
		for _, p := range h.paths[i].Parameters {
			text := value(examplesOf(p.Value))
			switch {
			case p.Value.In == openapi3.ParameterInPath:
				if random.IntN(4) > 0 {
					text = slices.Concat(examplesOf(p.Value), []string{"x"})[0]
				}
				path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(text))
			case p.Value.In == openapi3.ParameterInQuery && random.IntN(3) == 0:
				pairs = append(pairs, p.Value.Name+"="+url.QueryEscape(text))
			}
		}
		r = sure(http.NewRequest([]string{"GET", "GET", "GET", "HEAD", "OPTIONS", "DELETE", "PUT"}[random.IntN(7)], h.url+path+"?"+strings.Join(pairs, "&"), nil))
	}
	if random.IntN(4) == 0 {
		field := hostileHeaders[random.IntN(len(hostileHeaders))]
		r.Header.Set(field[0], field[1])
	}
	return r
}

// upload sends a package that no publisher means.
func (h *hostile) upload(random *rand.Rand, value func([]string) string) *http.Request {
	var body bytes.Buffer
	table := "year,code,amount\n2018,a,1\n" + strings.Repeat(value([]string{"2018,b,1e400\n", "2018,=1+1,9\n"})+",", random.IntN(300))
	kind := []string{"application/zip", "application/zip", "text/csv", "application/json"}[random.IntN(4)]
	switch kind {
	case "application/json":
		check(json.NewEncoder(&body).Encode(map[string]string{"url": value([]string{"https://[::1]/a.zip", "https://168.63.129.16/", "file:///etc/passwd"})}))
	case "text/csv":
		body.WriteString(table)
	default:
		field := string(sure(json.Marshal(value([]string{"year", "amount"}))))
		described := `{"name": "hostile", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [{"name": ` + field + `, "columnType": "date:fiscal-year"}, {"name": "amount", "columnType": "value"}]}}]}`
		z := zip.NewWriter(&body)
		for _, file := range [][2]string{
			{[]string{"datapackage.json", "../datapackage.json", value(nil)}[random.IntN(3)], []string{described, value(nil), "{"}[random.IntN(3)]},
			{"a.csv", table}, {"zeros.csv", strings.Repeat("0", random.IntN(8)<<20)}, // which unpack to a thousand times as much
		} {
			_, _ = sure(z.Create(file[0])).Write([]byte(file[1]))
		}
		check(z.Close())
		body.Truncate(body.Len() - random.IntN(3)*random.IntN(body.Len())/2)
	}
	r := sure(http.NewRequest(http.MethodPost, h.url+"/cubes?"+url.Values{"name": {value([]string{"hostile"})}, "allow": {"no-year,no-levels"}}.Encode(), &body))
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Authorization", "Bearer "+secret)
	return r
}

func (h *hostile) send(t *testing.T, r *http.Request) (int, []byte) {
	t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	defer response.Body.Close()
	return response.StatusCode, sure(io.ReadAll(response.Body))
}

// leaked matches what only the inside of the server knows.
var leaked = regexp.MustCompile(`goroutine \d|panic:|runtime error|\.go:\d+|SQLSTATE|Binder Error|Catalog Error|/dev/shm/|/tmp/`)

// mostForHostile is how much memory hostile requests may take beyond what the server had.
const mostForHostile = 512 << 20

// Whatever is asked or loaded, no answer is a fault of the server's, none tells of its inside, an assistant's has 30 KB at most, and the memory of the
// server stays bounded. FISCUBE_TEST_HOSTILE is the number of requests, FISCUBE_TEST_SEED the first of them.
func TestHostile(t *testing.T) {
	t.Parallel()
	number := func(name string, usual uint64) uint64 {
		if n, err := strconv.ParseUint(os.Getenv(name), 10, 64); err == nil {
			return n
		}
		return usual
	}
	first := number("FISCUBE_TEST_SEED", 1)
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, k.withExamples(t), "--token", secret, "--answers-memory", "64MB")
			s.settles(t)
			before := peakMemory(s)
			h := newHostile(t, s)
			statuses := map[int]int{}
			for n := first; n < first+number("FISCUBE_TEST_HOSTILE", 200); n++ {
				r := h.request(n)
				status, body := h.send(t, r)
				statuses[status]++
				one := r.URL.Path == "/mcp" && !bytes.HasPrefix(body, []byte("["))
				if status >= 500 && status != http.StatusServiceUnavailable || leaked.Match(body) || one && len(body) > 30<<10 {
					t.Errorf("request %d: %s %s: %d, %d bytes: %.500s", n, r.Method, r.URL, status, len(body), body)
				}
			}
			if statuses[200] == 0 || statuses[202] == 0 || statuses[400] == 0 || statuses[404] == 0 {
				t.Errorf("the requests are answered %v", statuses)
			}
			taken := peakMemory(s) - before
			if taken > mostForHostile {
				t.Errorf("they take %d MB of memory", taken>>20)
			}
			t.Logf("%v, with %d MB of memory", statuses, taken>>20)
		})
	}
}
