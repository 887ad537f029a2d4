package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/cube"
)

// nasty are cells with what formats trip over: quotes, line ends, separators, leading zeros, formulas, missing keys,
// and amounts that no floating point number holds.
func nasty() []cube.Cell {
	cells := []cube.Cell{
		{Values: amounts("0", "0", "0"), Count: 7},
		keys(2016, "0010", "a,\"b\"\n;|c\r\nd", "12345678901234567.89", "3", "-0.000001"),
		keys(-1, "=1+1", "@SUM(A1)", "-99999999999999999999999999999999999.99", "0", ""),
		keys(0, " outer ", "\ttab", "0.05", "9223372036854775807", "1"),
		keys(2016, "-5", "+5", "-118405000.1", "2", "0.1"),
		keys(2016, "ž 财 🏛", "'", "100000000000000.5", "1", "10"),
		keys(2016, "1e5", "NULL", "1.005", "", "99"),
	}
	return append(cells, cube.Cell{Keys: make([]cube.Value, 2), Labels: make([]cube.Value, 2), Values: amounts("", "1", "")})
}

var (
	nastyNames = []string{"Year", "admin1_code", "admin1_label", "approved_value.sum", "_count", "approved_value.avg"}
	nastyText  = map[string]bool{"admin1_code": true, "admin1_label": true}
)

// table is an answer read back: a cell is a text, the digits of a number, or nil.
type table [][]any

// asJSON asks for the answer as JSON, which the others have to equal.
func asJSON(t *testing.T, h http.Handler) table {
	var body struct{ Cells []map[string]any }
	ask(t, h, question+"&pagesize=100").read(t, &body)
	return fromObjects(body.Cells)
}

func fromObjects(objects []map[string]any) table {
	var rows table
	for _, object := range objects {
		var row []any
		for _, name := range nastyNames {
			if number, ok := object[name].(json.Number); ok {
				object[name] = number.String()
			}
			row = append(row, object[name])
		}
		rows = append(rows, row)
	}
	return rows
}

func TestEveryFormatHasTheSameRows(t *testing.T) {
	h := answering(t, nasty()...)
	want := asJSON(t, h)
	for name, read := range map[string]func(*testing.T, string) table{
		"csv": fromCSV, "ndjson": fromNDJSON, "xlsx": fromXLSX, "parquet": fromParquet,
	} {
		r := ask(t, h, question+"&format="+name)
		got := read(t, r.body)
		for i := range want {
			if i >= len(got) || !reflect.DeepEqual(got[i], want[i]) {
				t.Errorf("%s, row %d:\ngot  %q\nwant %q", name, i, got[min(i, len(got)-1)], want[i])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d rows, want %d", name, len(got), len(want))
		}
	}
}

// fromCSV reads cells where a text has no CR LF of its own: encoding/csv would rewrite it.
func fromCSV(t *testing.T, body string) table {
	const ends = "\x00"
	records := readCSV(t, strings.ReplaceAll(body, "c\r\nd", "c"+ends+"d"))
	if !reflect.DeepEqual(records[0], nastyNames) {
		t.Fatalf("the columns are %q", records[0])
	}
	var rows table
	for _, record := range records[1:] {
		row := make([]any, len(record))
		for i, text := range record {
			if text != "" {
				row[i] = strings.ReplaceAll(text, ends, "\r\n")
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func fromNDJSON(t *testing.T, body string) table {
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	var objects []map[string]any
	for decoder.More() {
		var object map[string]any
		if err := decoder.Decode(&object); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	if lines := strings.Count(body, "\n"); lines != len(objects) {
		t.Errorf("%d lines of %d objects", lines, len(objects))
	}
	return fromObjects(objects)
}

func workbook(t *testing.T, body string) *excelize.File {
	t.Helper()
	file, err := excelize.OpenReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func fromXLSX(t *testing.T, body string) table {
	file := workbook(t, body)
	lines, err := file.GetRows("Data", excelize.Options{RawCellValue: true})
	if err != nil || !reflect.DeepEqual(lines[0], nastyNames) {
		t.Fatalf("%v %v", err, lines)
	}
	var rows table
	for i, line := range lines[1:] {
		row := make([]any, len(nastyNames))
		for j, text := range line {
			cell, _ := excelize.CoordinatesToCellName(j+1, i+2)
			kind, err := file.GetCellType("Data", cell)
			formula, _ := file.GetCellFormula("Data", cell)
			if err != nil || formula != "" {
				t.Errorf("%s: %v, formula %q", cell, err, formula)
			}
			row[j] = fromSheetCell(t, nastyNames[j], kind, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// fromSheetCell checks that codes are typed as text and amounts as numbers while they fit.
func fromSheetCell(t *testing.T, name string, kind excelize.CellType, text string) any {
	switch {
	case text == "":
		return nil
	case nastyText[name]:
		if kind != excelize.CellTypeInlineString {
			t.Errorf("%s %q is typed %d", name, text, kind)
		}
		return text
	}
	digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(text), "0")
	if isText := kind == excelize.CellTypeInlineString; isText != (len(digits) > 15) {
		t.Errorf("%s %s is text: %v", name, text, isText)
	}
	return fixed(t, name, text)
}

// fixed writes a number with the decimals of its column.
func fixed(t *testing.T, name, text string) any {
	number, err := decimal.NewFromString(text)
	if err != nil {
		t.Fatal(err)
	}
	return number.StringFixed(map[string]int32{"approved_value.sum": 2, "approved_value.avg": 6}[name])
}

func fromParquet(t *testing.T, body string) table {
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, field := range file.Schema().Fields() {
		names = append(names, field.Name())
	}
	if !reflect.DeepEqual(names, nastyNames) {
		t.Fatalf("the columns are %q", names)
	}
	reader := parquet.NewGenericReader[any](file)
	buffer := make([]parquet.Row, file.NumRows())
	if n, err := reader.ReadRows(buffer); n != len(buffer) || err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("%d of %d rows: %v", n, len(buffer), err)
	}
	var rows table
	for _, line := range buffer {
		row := make([]any, len(nastyNames))
		for i, value := range line {
			row[i] = fromParquetValue(file.Schema().Fields()[i], value)
		}
		rows = append(rows, row)
	}
	return rows
}

func fromParquetValue(field parquet.Field, value parquet.Value) any {
	switch {
	case value.IsNull():
		return nil
	case value.Kind() == parquet.ByteArray:
		return string(value.ByteArray())
	case value.Kind() == parquet.Int64:
		return fmt.Sprint(value.Int64())
	}
	n := new(big.Int).SetBytes(value.ByteArray())
	if value.ByteArray()[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	scale := map[string]int32{"approved_value.sum": 2, "approved_value.avg": 6}[field.Name()]
	return decimal.NewFromBigInt(n, -scale).StringFixed(scale)
}

func TestFormatsByAccept(t *testing.T) {
	const (
		xlsx   = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
		binary = "application/vnd.apache.parquet"
		ndjson = "application/x-ndjson"
	)
	h := answering(t, nasty()...)
	for accept, want := range map[string]string{
		"application/*":                            "application/json",
		ndjson:                                     ndjson,
		xlsx + ", */*":                             xlsx,
		binary + ";q=0.4, " + ndjson + ";q=0.5":    ndjson,
		"text/csv;q=0.8, " + binary + ";q=0.9":     binary,
		"text/csv, " + ndjson:                      "text/csv; charset=utf-8",
		"application/json, " + ndjson:              "application/json",
		"application/*;q=0.5, " + xlsx + ";q=0.2":  "application/json",
		"application/json;q=0, " + "application/*": ndjson,
	} {
		if got := ask(t, h, question, "Accept", accept).header.Get("Content-Type"); got != want {
			t.Errorf("Accept: %s gives %s, want %s", accept, got, want)
		}
	}
}

// Each format names its file, links to its question, and says what is to be known of it.
func TestWhatFormatsCarry(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	f.cubes[0].Notes = []cube.Titles{{"en": "Preliminary."}}
	f.members = named(t).members
	h := handler(t, f)
	for target, want := range map[string][2]string{
		"/cubes/croatia/aggregate?drilldown=admin1_code&cut=Year:2016..2017|!unit:%22a/%C5%BE%22;&aggregates=_count&": {
			"croatia-aggregate-admin1_code-not-a-z-2016-to-2017-v3.",
			"drilldown=admin1_code&cut=%21unit%3A%22%22%3B%22a%2F%C5%BE%22%7CYear%3A2016..2017&aggregates=_count&order=admin1_code%3Aasc",
		},
		"/cubes/croatia/facts?fields=Year&cut=Year:2014&": {"croatia-facts-2014-v3.", "fields=Year&cut=Year%3A2014"},
		"/cubes/croatia/members/admin2_code?q=Dr%C5%BEavni+zavod&parent=010&": {
			"croatia-members-admin2_code-Drzavni-zavod-v3.", "q=Dr%C5%BEavni+zavod&parent=010",
		},
	} {
		path, _, _ := strings.Cut(target, "?")
		for _, format := range []string{"csv", "ndjson", "xlsx", "parquet"} {
			r := ask(t, h, target+"format="+format)
			if got, file := r.header.Get("Content-Disposition"), "attachment; filename="+want[0]+format; got != file {
				t.Errorf("%s: %s, want %s", format, got, file)
			}
			link := `<http://example.com` + path + "?" + want[1] + `&version=3>; rel="canonical"`
			if got := r.header.Get("Link"); got != link {
				t.Errorf("%s: Link %s\nwant %s", format, got, link)
			}
			if got := r.header.Get("Fiscube-Warnings"); got != `note;message=%"Preliminary."` {
				t.Errorf("%s: Fiscube-Warnings: %s", format, got)
			}
			if r.status != http.StatusOK || r.header.Get("Content-Encoding") != "" {
				t.Errorf("%s: %d %v", format, r.status, r.header)
			}
		}
	}
}

func TestStatementsAreInTheNameOfTheFile(t *testing.T) {
	h := handler(t, monthly(t))
	for question, want := range map[string]string{
		"": "monthly-aggregate-month-12-06-v1.csv", "&cut=year:2017": "monthly-aggregate-2017-month-12-v1.csv",
		"&snapshots=all": "monthly-aggregate-v1.csv",
		"&cut=year:" + strings.TrimSuffix(strings.Repeat("2017;20180..;", 9), ";"): "monthly-aggregate-",
	} {
		got := ask(t, h, monthlyQuestion+question+"&format=csv").header.Get("Content-Disposition")
		if !strings.HasPrefix(got, "attachment; filename="+want) || len(got) > 150 {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// Parquet and the second sheet of a workbook say what the rows are of.
func TestWhatFilesSayOfThemselves(t *testing.T) {
	f := newFake(t)
	f.run = yielding(nasty()...)
	f.cubes[0].Notes = []cube.Titles{{"en": "Preliminary."}}
	h := handler(t, f)
	lines, err := workbook(t, ask(t, h, question+"&format=xlsx").body).GetRows("About")
	if err != nil {
		t.Fatal(err)
	}
	says(t, fmt.Sprint(lines), "[question http://example.com/cubes/croatia/aggregate?drilldown=", "version=3] [cube croatia]",
		"[title Croatia <Budget> & More] [source Ministry] [version 3] [fingerprint f3] [loaded 2018-05-02] "+
			"[measure approved_value, Approved, HRK, approved, expenditure]", "[warning note: Preliminary.]")
	body := ask(t, h, question+"&format=parquet").body
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"fiscube.warnings": `[{"code":"note","message":"Preliminary."}]`, "fiscube.version": "3", "fiscube.cube": "croatia",
		"fiscube.measure": "approved_value, Approved, HRK, approved, expenditure",
	} {
		if got, _ := file.Lookup(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// The decimals of facts have the digits that their column was found to have.
func TestDecimalsOfFactsInParquet(t *testing.T) {
	for _, tt := range []struct {
		digits int
		amount string
		want   string // "" for a refusal
		kind   string
	}{
		{0, "12345678901234567890.10", "1234567890123456789010", "DECIMAL(38,2)"},
		{7, "-1234567.89", "-123456789", "DECIMAL(9,2)"}, {7, "12345678.00", "", ""},
		{16, "1234567890123456.78", "123456789012345678", "DECIMAL(18,2)"}, {16, "-10000000000000000", "", ""},
		{17, "-12345678901234567.89", "-1234567890123456789", "DECIMAL(19,2)"},
		{36, "1234567890123456789012345678901234567", "", ""},
	} {
		f := newFake(t)
		f.cubes[0] = withDigits(t, tt.digits)
		f.facts = threeFacts()[:1]
		f.facts[0].Values[1].Amount = amounts(tt.amount)[0]
		r := ask(t, handler(t, f), threeFields+"&format=parquet")
		if tt.want == "" {
			if p := r.problem(t); p.Code != cube.CodeTooLarge {
				t.Errorf("%s in %d digits: %v", tt.amount, tt.digits, p)
			}
			continue
		}
		file, err := parquet.OpenFile(strings.NewReader(r.body), int64(len(r.body)))
		if err != nil {
			t.Fatal(err)
		}
		row := make([]parquet.Row, 1)
		_, _ = parquet.NewGenericReader[any](file).ReadRows(row)
		field := file.Schema().Fields()[1]
		if got := wholeOf(row[0][1]); got != tt.want || field.Type().String() != tt.kind {
			t.Errorf("%s in %d digits is %s of %s, want %s of %s", tt.amount, tt.digits, got, field.Type(), tt.want, tt.kind)
		}
	}
}

// withDigits is budget with the digits of its amounts known.
func withDigits(t *testing.T, digits int) *cube.Cube {
	one := budget(t)
	columns := append([]cube.Column{}, one.Model.Columns()...)
	for i, c := range columns {
		if c.Name == "approved_value" {
			columns[i].Digits = digits
		}
	}
	one.Model = newModel(t, columns, []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "Year"}}}}, nil)
	return one
}

func wholeOf(value parquet.Value) string {
	if value.Kind() != parquet.FixedLenByteArray {
		return value.String()
	}
	n := new(big.Int).SetBytes(value.ByteArray())
	if value.ByteArray()[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return n.String()
}

func TestExcelCSV(t *testing.T) {
	h := answering(t, nasty()...)
	r := ask(t, h, question+"&format=csv&excel=1")
	text, marked := strings.CutPrefix(r.body, "\ufeff")
	if !marked {
		t.Error("there is no byte-order mark")
	}
	says(t, text, "\r\n-1,'=1+1,'@SUM(A1),-99999999999999999999999999999999999.99,0,\r\n", "\r\n0, outer ,'\ttab,0.05,",
		"\r\n2016,'-5,'+5,-118405000.10,2,0.100000\r\n", "0010,\"a,\"\"b\"\"\n;|c\r\nd\",12345678901234567.89")
	for _, query := range []string{"&excel=1", "&format=xlsx&excel=true", "&format=csv&excel=2"} {
		if p := ask(t, h, question+query).problem(t); p.Code != cube.CodeBadValue || *p.Context.Parameter != "excel" {
			t.Errorf("%s: %v", query, p)
		}
	}
	if plain := ask(t, h, question+"&format=csv&excel=0").body; strings.Contains(plain, "'=") {
		t.Error("nobody asked for guards")
	}
}

func TestNumbersAsStringsInNDJSON(t *testing.T) {
	r := ask(t, answering(t, nasty()...), question+"&format=ndjson&numbers=string")
	says(t, r.body, `"approved_value.sum":"12345678901234567.89","_count":3,"approved_value.avg":"-0.000001"}`+"\n")
}

// A workbook holds so many rows, columns and characters; more is said before anything is sent.
func TestWhatDoesNotFitIntoAWorkbook(t *testing.T) {
	long := strings.Repeat("🏛", 32_768/2)
	for name, tt := range map[string]struct {
		cells []cube.Cell
		query string
		fits  bool
	}{
		"rows":         {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1 << 20}}, "", false},
		"cells":        {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1<<24/6 + 1}}, "", false},
		"a page":       {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1 << 20}}, "&pagesize=10", true},
		"a text":       {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "a", long, "1", "1", "1")}, "", false},
		"a short text": {[]cube.Cell{{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "a", long[4:], "1", "1", "1")}, "", true},
	} {
		r := ask(t, answering(t, tt.cells...), question+"&format=xlsx"+tt.query)
		if (r.status == http.StatusOK) != tt.fits {
			t.Errorf("%s: %d", name, r.status)
		}
		if !tt.fits {
			if p := r.problem(t); p.Code != cube.CodeTooLarge || !strings.Contains(p.Context.Hint, "format=csv") || r.header.Get("Link") != "" {
				t.Errorf("%s: %v", name, p)
			}
		}
	}
	f := newFake(t)
	f.cubes[0].Rows, f.facts = 1<<20, threeFacts()
	if p := ask(t, handler(t, f), threeFields+"&format=xlsx").problem(t); p.Code != cube.CodeTooLarge {
		t.Errorf("facts: %v", p)
	}
}

// A store that fails after part of an answer: the connection is cut, or nothing was sent yet and an error is answered.
func TestFailureInTheMiddleOfEachFormat(t *testing.T) {
	f := many(t, 0)
	cells := []cube.Cell{{Values: amounts("0"), Count: 200_000}}
	for i := range 200_000 {
		cells = append(cells, cube.Cell{Values: amounts(fmt.Sprint(i) + ".50")})
	}
	f.run = failing(errors.New("secret"), cells...)
	f.factsErr, f.membersErr = errors.New("secret"), errors.New("secret")
	for range 200_000 {
		f.facts = append(f.facts, threeFacts()[0])
		f.members = append(f.members, cube.MemberRow{Path: []cube.Value{cube.Text("010"), cube.Text(fmt.Sprint(len(f.members)))}})
	}
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	for _, target := range []string{someCells, threeFields, membersOf + "?complete=1", "/cubes/croatia/package.zip?aggregates=approved_value.sum"} {
		for _, format := range []string{"csv", "ndjson", "xlsx", "parquet"} {
			if strings.Contains(target, "package") {
				if format != "csv" {
					continue
				}
			} else {
				target, _, _ = strings.Cut(target, "&format")
				target += "&format=" + format
			}
			response, err := http.Get(server.URL + target)
			if err != nil {
				continue
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			refused := response.StatusCode == http.StatusInternalServerError && bytes.Contains(body, []byte("internal error"))
			if refused != (format == "xlsx") || !refused && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: %d, %d bytes, %v", target, response.StatusCode, len(body), err)
			}
		}
	}
}
