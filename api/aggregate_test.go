package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

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
	for range 510 * len(hardTexts) { // more than a page
		code, label, amount := change("admin1_code", hardTexts), change("admin1_label", hardTexts), change("approved_value.sum", exactAmounts)
		cells, want = append(cells, keys(2016, code, label, strings.TrimRight(amount, "0"), "1", "1")), append(want, maps.Clone(last))
	}
	h := answering(t, cells...)
	records := readCSV(t, ask(t, h, question+"&format=csv").body)
	_, inArrow, _ := strings.Cut(arrowText(t, ask(t, h, question+"&format=arrow").body), "approved_value.avg decimal")
	_, inParquet, _ := strings.Cut(parquetText(t, ask(t, h, question+"&format=parquet").body), "approved_value.avg DECIMAL")
	if rows := strings.SplitAfter(inArrow, "\n")[1:]; len(rows) != len(want)+1 || strings.Join(rows, "") != strings.Join(strings.SplitAfter(inParquet, "\n")[1:], "") {
		t.Errorf("Arrow has %d rows, which Parquet has not", len(rows)-1)
	}
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

// Bytes that are not UTF-8 do not make an answer unreadable.
func TestAggregate_HardBytes(t *testing.T) {
	r := ask(t, answering(t, row{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "\xff", "a\xffb\"", "", "0", "")), question)
	says(t, r.body, "\"admin1_code\":\"\ufffd\",\"admin1_label\":\"a\ufffdb\\\"\"")
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
