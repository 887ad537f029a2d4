package api_test

import (
	"crypto/tls"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"fiscube/api"
	"fiscube/api/limits"
	"fiscube/cube"
	"fiscube/cube/query"
)

const question = "/cubes/croatia/aggregate?drilldown=Year|admin1_code&aggregates=approved_value.sum|_count|approved_value.avg"

// answering is a store with the cells, whose summary is the first.
func answering(t testing.TB, cells ...row) http.Handler {
	t.Helper()
	store := newFake(t)
	store.run = yielding(cells...)
	return handler(t, store)
}

func keys(year int64, code, label string, values ...string) row {
	return row{
		Keys:   []cube.Value{cube.Integer(year), cube.Text(code)},
		Labels: []cube.Value{cube.Missing, cube.Text(label)},
		Values: amounts(values...),
	}
}

// The whole body, because the order of its names is part of the answer.
func TestAggregate(t *testing.T) {
	h := answering(t,
		row{Values: amounts("118405000.3", "7", "16915000.042857"), Count: 2},
		keys(2016, "010", "Hrvatski sabor", "118405000.1", "6", "19734166.6833"),
		row{
			Keys: make([]cube.Value, 2), Labels: make([]cube.Value, 2), Values: amounts("", "1", ""),
		})
	const rest = `,"cell":[{"ref":"admin1_code","term":0,"operator":":","value":["<1>",null],"not":true},` +
		`{"ref":"Year","term":1,"operator":":","value":[2016,2017]},` +
		`{"ref":"Year","term":1,"operator":"..","value":[null,2010]}],` +
		`"aggregates":["approved_value.sum","_count","approved_value.avg"],` +
		`"attributes":["Year","admin1_code","admin1_label"],` +
		`"measures":{"approved_value":{"title":"Approved","currency":"HRK","unit":1,"phase":"approved","direction":"expenditure"}},` +
		`"order":[["approved_value.sum","desc"],["Year","asc"]],"page":2,"page_size":50,"warnings":[]}`
	const asked = question + `&cut=Year:2017;2016;..2010;2016|!admin1_code:"<1>";&order=approved_value.sum:desc,Year&page=2&pagesize=50`
	for _, test := range []struct{ numbers, cells string }{
		{"", `"cells":[` +
			`{"Year":2016,"admin1_code":"010","admin1_label":"Hrvatski sabor","approved_value.sum":118405000.10,"_count":6,"approved_value.avg":19734166.683300},` +
			`{"Year":null,"admin1_code":null,"admin1_label":null,"approved_value.sum":null,"_count":1,"approved_value.avg":null}],` +
			`"summary":{"approved_value.sum":118405000.30,"_count":7,"approved_value.avg":16915000.042857}`},
		{"&numbers=string", `"cells":[` +
			`{"Year":2016,"admin1_code":"010","admin1_label":"Hrvatski sabor","approved_value.sum":"118405000.10","_count":6,"approved_value.avg":"19734166.683300"},` +
			`{"Year":null,"admin1_code":null,"admin1_label":null,"approved_value.sum":null,"_count":1,"approved_value.avg":null}],` +
			`"summary":{"approved_value.sum":"118405000.30","_count":7,"approved_value.avg":"16915000.042857"}`},
	} {
		want := `{"status":"ok","cube":"croatia","version":3,"synthetic":false,"total_cell_count":2,` + test.cells + rest
		if got := ask(t, h, asked+test.numbers).body; got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestAggregate_ShowsPaths(t *testing.T) {
	var body struct {
		Cell []struct {
			Term     int
			Operator string
			Value    []any
		}
	}
	h := handler(t, newFake(t))
	ask(t, h, "/cubes/croatia/aggregate?cut=administrative-classification:010/02;020;030/|!Year:2016").read(t, &body)
	got := fmt.Sprintf("%+v", body.Cell)
	want := "[{Term:0 Operator:: Value:[2016]} {Term:1 Operator:: Value:[020]} " +
		"{Term:1 Operator:: Value:[[010 02]]} {Term:1 Operator:: Value:[[030 <nil>]]}]"
	if got != want {
		t.Errorf("cell is %s\nwant %s", got, want)
	}
}

var exactAmounts = []string{"12345678901234567.89", "-0.01", "0.00", "99999999999999999999999999999999999.99", "-118405000.10"}

var hardTexts = []string{
	`a,b`, `say "no"`, "two\nlines", `a;b`, `a|b`, `back\slash`, " outer space ", "tab\there", "<b>&amp;</b>",
	"\u2028\u2029", "žćš 财政 🏛", "bell\a", "=1+1", `""`, ",", "NULL", "010", "1e5", "\x1f", "\x7f",
}

// Rows that follow each other share keys, labels and amounts, or have none.
func TestAggregate_RowsComeBackAsTheyWere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	last := map[string]string{}
	change := func(name string, texts []string) string {
		if i := random.IntN(2 * len(texts)); i <= len(texts) {
			last[name] = append(texts, "")[i]
		}
		return last[name]
	}
	cells, want := []row{{Values: amounts("0", "0", "0"), Count: 1}}, []map[string]string{}
	for range 50 * len(hardTexts) {
		code, label, amount := change("admin1_code", hardTexts), change("admin1_label", hardTexts), change("approved_value.sum", exactAmounts)
		cells, want = append(cells, keys(2016, code, label, strings.TrimRight(amount, "0"), "1", "1")), append(want, maps.Clone(last))
	}
	h := answering(t, cells...)
	records := readCSV(t, ask(t, h, question+"&format=csv").body)
	for _, numbers := range []string{"", "&numbers=string"} {
		r := ask(t, h, question+"&pagesize=10000"+numbers)
		if !utf8.ValidString(r.body) || strings.Contains(r.body, `\u003c`) {
			t.Errorf("the body is escaped more than JSON asks for: %s", r.body)
		}
		var body struct{ Cells []map[string]any }
		decoder := json.NewDecoder(strings.NewReader(r.body))
		if decoder.UseNumber(); decoder.Decode(&body) != nil || len(body.Cells) != len(want) {
			t.Fatal(r.body)
		}
		for i, w := range want {
			for name, value := range w {
				if got := body.Cells[i][name]; value == "" && got != nil || value != "" && fmt.Sprint(got) != value {
					t.Errorf("row %d: JSON has %s %q, want %q", i, name, got, value)
				}
			}
			if got := records[i+1][1:4]; !slices.Equal(got, []string{w["admin1_code"], w["admin1_label"], w["approved_value.sum"]}) {
				t.Errorf("row %d: CSV has %q, want %q", i, got, w)
			}
		}
	}
}

// Names of fields are as hard as labels, and bytes that are not UTF-8 do not make an answer unreadable.
func TestAggregate_HardNames(t *testing.T) {
	h := answering(t, row{Values: amounts("1"), Count: 1}, row{Values: amounts("1")})
	r := ask(t, h, `/cubes/croatia/aggregate?aggregates="executed:+cash".sum&order="executed:+cash".sum`)
	var body struct {
		Cells    []map[string]json.Number
		Order    [][]string
		Measures map[string]map[string]any
	}
	r.read(t, &body)
	if got := body.Cells[0][`"executed: cash".sum`]; got.String() != "1" || len(body.Measures["executed: cash"]) != 0 ||
		body.Order[0][0] != `"executed: cash".sum` {
		t.Error(r.body)
	}
	h = answering(t, row{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "\xff", "a\xffb\"", "", "0", ""))
	var bad struct{ Cells []map[string]any }
	ask(t, h, question).read(t, &bad)
	if got := bad.Cells[0]["admin1_label"]; got != "a\ufffdb\"" {
		t.Errorf("%q", got)
	}
}

func TestCSV(t *testing.T) {
	h := answering(t,
		row{Values: amounts("3", "3", "1"), Count: 2},
		keys(2016, "010", "a \"b\",\r\nc", "1.5", "2", "0.75"),
		row{Keys: make([]cube.Value, 2), Labels: make([]cube.Value, 2), Values: amounts("", "1", "")})
	r := ask(t, h, question+"&format=csv")
	want := "Year,admin1_code,admin1_label,approved_value.sum,_count,approved_value.avg\r\n" +
		"2016,010,\"a \"\"b\"\",\r\nc\",1.50,2,0.750000\r\n" +
		",,,,1,\r\n"
	if r.body != want {
		t.Errorf("got %q\nwant %q", r.body, want)
	}
	if got := r.header.Get("Content-Disposition"); got != "attachment; filename=croatia-aggregate-Year-admin1_code-approved_value.sum-_count-approved_value.avg-640e7792-v3.csv" {
		t.Errorf("Content-Disposition: %s", got)
	}
	head := send(t, h, http.MethodHead, question+"&format=csv")
	if head.status != http.StatusOK || head.body != "" || head.header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("HEAD gives %+v", head)
	}
}

func TestCSV_OneMissingValueIsNoBlankLine(t *testing.T) {
	h := answering(t, row{Values: amounts(""), Count: 1}, row{Values: amounts("")})
	r := ask(t, h, "/cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv")
	if want := [][]string{{"approved_value.sum"}, {""}}; !reflect.DeepEqual(readCSV(t, r.body), want) {
		t.Errorf("%q", r.body)
	}
}

func TestCSV_FileOfAnyCube(t *testing.T) {
	r := ask(t, handler(t, newFake(t)), "/cubes/own%3Ah%22r%20100%25%2F%C5%BE/aggregate?format=csv")
	if got := r.header.Get("Content-Disposition"); got != "attachment; filename=own-h-r-100-z-aggregate-c7ab2b16-v1.csv" {
		t.Errorf("Content-Disposition: %s", got)
	}
}

func TestCSV_StreamsMoreThanAPage(t *testing.T) {
	cells := []row{{Values: amounts("0"), Count: 25_000}}
	for range 25_000 {
		cells = append(cells, row{Values: amounts("12345678.90")})
	}
	r := ask(t, answering(t, cells...), "/cubes/croatia/aggregate?aggregates=approved_value.sum&format=csv")
	if n := len(readCSV(t, r.body)); n != 25_001 {
		t.Errorf("%d lines", n)
	}
}

func readCSV(t testing.TB, body string) [][]string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func BenchmarkAggregate(b *testing.B) {
	cells := []row{{Values: amounts("0", "0", "0"), Count: query.MaxPageSize}}
	for range query.MaxPageSize {
		cells = append(cells, keys(2016, "010", "Hrvatski sabor", "118405000.10", "6", "19734166.683300"))
	}
	h := answering(b, cells...)
	for _, format := range []string{"json", "csv", "ndjson", "xlsx", "parquet", "arrow"} {
		b.Run(format, func(b *testing.B) {
			b.SetBytes(int64(len(ask(b, h, question+"&pagesize=10000&format="+format).body)))
			request := httptest.NewRequest(http.MethodGet, question+"&pagesize=10000&format="+format, nil)
			for b.Loop() {
				h.ServeHTTP(httptest.NewRecorder(), request)
			}
		})
	}
}

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

// Links begin where callers reach the service, which no caller makes up.
func TestCite_WhereLinksBegin(t *testing.T) {
	for name, test := range map[string]struct {
		public    string
		trust     bool
		forwarded string
		secure    bool
		want      string
	}{
		"as asked":                     {"", false, "", false, "http://example.com/cubes/"},
		"over TLS":                     {"", false, "", true, "https://example.com/cubes/"},
		"a header of the caller's own": {"", false, "https", false, "http://example.com/cubes/"},
		"the header of a proxy":        {"", true, "https", false, "https://example.com/cubes/"},
		"no scheme":                    {"", true, "javascript", false, "http://example.com/cubes/"},
		"less than the connection":     {"", true, "http", true, "https://example.com/cubes/"},
		"as the operator says":         {"https://budgets.example.org/a/", true, "http", false, "https://budgets.example.org/a/cubes/"},
	} {
		h := api.New(newFake(t), api.Options{
			Document: documentBytes(t), Log: slog.New(slog.DiscardHandler), PublicURL: test.public, Limits: limits.Options{TrustProxy: test.trust},
		})
		request := httptest.NewRequest(http.MethodGet, anyQuestion+"&format=csv", nil)
		request.Header.Set("X-Forwarded-Proto", test.forwarded)
		if test.secure {
			request.TLS = &tls.ConnectionState{}
		}
		recorder := httptest.NewRecorder()
		h.ServeHTTP(recorder, request)
		if got := recorder.Header().Get("Link"); !strings.HasPrefix(got, "<"+test.want) {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// A citation is refused where it would be left out.
func TestCite_FormatsWithoutACitation(t *testing.T) {
	h := answering(t, nasty()...)
	for target, accept := range map[string]string{
		question + "&cite=1&format=csv": "", question + "&cite=true&format=ndjson": "", question + "&cite=1": "text/csv",
		strings.Replace(question, "/aggregate", "/explain", 1) + "&cite=1": "",
	} {
		r := ask(t, h, target, "Accept", accept)
		if p := r.problem(t); r.status != http.StatusBadRequest || p.Code != cube.CodeBadValue || *p.Context.Parameter != "cite" || p.Context.Hint == "" {
			t.Errorf("%s %s: %v", target, accept, p)
		}
	}
	if r := ask(t, h, question+"&cite=0&format=csv"); r.status != http.StatusOK {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// A workbook and a Parquet file carry the sentence, in the language that is asked for.
func TestCite_Files(t *testing.T) {
	f := newFake(t)
	f.run = yielding(nasty()...)
	f.cubes[0].Titles = cube.Titles{"en": "Croatia", "es": "Croacia"}
	h := handler(t, f)
	const asked = question + "&cite=1&lang=es"
	lines, err := workbook(t, ask(t, h, asked+"&format=xlsx").body).GetRows("About")
	if err != nil {
		t.Fatal(err)
	}
	says(t, fmt.Sprint(lines), "[title Croacia]", "[citation Approved: ", "Fuente: Ministry, «Croacia», versión 3, cargada el 2018-05-02. http://example.com/")
	body := ask(t, h, asked+"&format=parquet").body
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := file.Lookup("fiscube.citation")
	says(t, got, "Approved: ", "Fuente: Ministry, «Croacia», versión 3")
	if uncited := ask(t, h, question+"&lang=es&format=parquet").body; strings.Contains(uncited, "fiscube.citation") {
		t.Error("nobody asked for a citation")
	}
}

func TestCube_InALanguage(t *testing.T) {
	f := newFake(t)
	f.cubes[0].Titles = cube.Titles{"en": "Croatia", "es": "Croacia"}
	h := handler(t, f)
	for query, title := range map[string]string{"": "Croatia", "?lang=en": "Croatia", "?lang=es": "Croacia", "?version=3&lang=es": "Croacia"} {
		says(t, ask(t, h, "/cubes/croatia"+query).body, `"title":"`+title+`","country"`)
	}
	if p := ask(t, h, "/cubes/croatia?lang=tlh").problem(t); p.Code != cube.CodeBadValue {
		t.Errorf("%v", p)
	}
}
