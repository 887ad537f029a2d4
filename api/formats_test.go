package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"
	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/api/encode"
	"fiscube/cube"
	"fiscube/cube/plan"
)

// nasty are cells with what formats trip over: quotes, line ends, separators, leading zeros, formulas, missing keys,
// and amounts that no floating point number holds.
func nasty() []row {
	cells := []row{
		{Values: amounts("0", "0", "0"), Count: 7},
		keys(2016, "0010", "a,\"b\"\n;|c\r\nd", "12345678901234567.89", "3", "-0.000001"),
		keys(-1, "=1+1", "@SUM(A1)", "-99999999999999999999999999999999999.99", "0", ""),
		keys(0, " outer ", "\ttab", "0.05", "9223372036854775807", "1"),
		keys(2016, "-5", "+5", "-118405000.1", "2", "0.1"),
		keys(2016, "ž 财 🏛", "'", "100000000000000.5", "1", "10"),
		keys(2016, "1e5", "NULL", "1.005", "", "99"),
	}
	return append(cells, row{Keys: make([]cube.Value, 2), Labels: make([]cube.Value, 2), Values: amounts("", "1", "")})
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

func TestFormats_HaveTheSameRows(t *testing.T) {
	h := answering(t, nasty()...)
	want := asJSON(t, h)
	for name, read := range map[string]func(*testing.T, string) table{
		"csv": fromCSV, "ndjson": fromNDJSON, "xlsx": fromXLSX, "parquet": fromParquet, "arrow": fromArrow,
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
	if err != nil || !reflect.DeepEqual(lines[1], nastyNames) {
		t.Fatalf("%v %v", err, lines)
	}
	var rows table
	for i, line := range lines[2:] {
		row := make([]any, len(nastyNames))
		for j, text := range line {
			cell, _ := excelize.CoordinatesToCellName(j+1, i+3)
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
	if by := file.Metadata().CreatedBy; by != "fiscube version devel (build unknown)" { // which a test is
		t.Errorf("the file says that it was written by %q", by)
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

func fromArrow(t *testing.T, body string) table {
	names, rows := readArrow(t, body)
	if !reflect.DeepEqual(names, nastyNames) {
		t.Fatalf("the columns are %q", names)
	}
	return rows
}

// readArrow reads a stream to its end, which has a mark of its own.
func readArrow(t *testing.T, body string) (names []string, rows table) {
	t.Helper()
	if !strings.HasSuffix(body, "\xff\xff\xff\xff\x00\x00\x00\x00") {
		t.Errorf("the stream ends in %q", body[max(0, len(body)-8):])
	}
	reader, err := ipc.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	for _, field := range reader.Schema().Fields() {
		names = append(names, field.Name)
	}
	for reader.Next() {
		batch := reader.RecordBatch()
		for i := range int(batch.NumRows()) {
			row := make([]any, batch.NumCols())
			for j, column := range batch.Columns() {
				if column.IsValid(i) {
					row[j] = column.ValueStr(i)
				}
				if amounts, ok := column.(*array.Decimal128); ok && column.IsValid(i) {
					scale := amounts.DataType().(*arrow.Decimal128Type).Scale
					row[j] = decimal.NewFromBigInt(amounts.Value(i).BigInt(), -scale).StringFixed(scale)
				}
			}
			rows = append(rows, row)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return names, rows
}

// An answer of many batches is read as one, and HEAD promises what GET sends.
func TestArrow_Batches(t *testing.T) {
	const most = 20_000
	cells := []row{{Values: amounts("0"), Count: most}}
	for i := range most {
		cells = append(cells, row{Values: amounts(fmt.Sprint(i) + ".50")})
	}
	f := newFake(t)
	f.run = yielding(cells...)
	r := ask(t, handler(t, f), someCells+"&format=arrow")
	names, rows := readArrow(t, r.body)
	if len(rows) != most || rows[most-1][len(names)-1] != "19999.50" {
		t.Errorf("%q: %d rows, the last of them %q", names, len(rows), rows[len(rows)-1])
	}
	h := answering(t)
	none, head := ask(t, h, question+"&format=arrow"), send(t, h, http.MethodHead, question+"&format=arrow")
	if _, rows := readArrow(t, none.body); len(rows) != 0 || none.status != http.StatusOK {
		t.Errorf("without a cell: %d, %q", none.status, rows)
	}
	if length := head.header.Get("Content-Length"); length != "" && length != fmt.Sprint(len(none.body)) {
		t.Errorf("HEAD promises %s bytes of %d", length, len(none.body))
	}
}

func TestFormats_ByAccept(t *testing.T) {
	const (
		xlsx   = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
		binary = "application/vnd.apache.parquet"
		ndjson = "application/x-ndjson"
		arrows = "application/vnd.apache.arrow.stream"
	)
	h := answering(t, nasty()...)
	for accept, want := range map[string]string{
		"application/*":                            "application/json",
		ndjson:                                     ndjson,
		xlsx + ", */*":                             xlsx,
		arrows:                                     arrows,
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
func TestFormats_WarningsAndLinks(t *testing.T) {
	f := newFake(t)
	f.facts = threeFacts()
	f.cubes[0].Notes = []cube.Titles{{"en": "Preliminary."}}
	f.members = named(t).members
	f.run = yielding(row{Count: 1, Values: amounts("3")}, row{Values: amounts("3")})
	h := handler(t, f)
	for target, want := range map[string][2]string{
		"/cubes/croatia/aggregate?drilldown=admin1_code&cut=Year:2016..2017|!unit:%22a/%C5%BE%22;&aggregates=_count&": {
			"croatia-aggregate-admin1_code-_count-not-a-z-2016-to-2017-f9f0e33c-v3.",
			"drilldown=admin1_code&cut=%21unit%3A%22%22%3B%22a%2F%C5%BE%22%7CYear%3A2016..2017&aggregates=_count&order=admin1_code%3Aasc",
		},
		"/cubes/croatia/facts?fields=Year&cut=Year:2014&": {"croatia-facts-2014-fields-Year-d8b3c233-v3.", "fields=Year&cut=Year%3A2014"},
		"/cubes/croatia/members/admin2_code?q=Dr%C5%BEavni+zavod&parent=010&": {
			"croatia-members-admin2_code-Drzavni-zavod-parent-010-6899e418-v3.", "q=Dr%C5%BEavni+zavod&parent=010",
		},
	} {
		path, _, _ := strings.Cut(target, "?")
		for _, format := range []string{"csv", "ndjson", "xlsx", "parquet", "arrow"} {
			r := ask(t, h, target+"format="+format)
			if got, file := r.header.Get("Content-Disposition"), "attachment; filename="+want[0]+strings.Replace(format, "arrow", "arrows", 1); got != file {
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

func TestFileName_HasTheSnapshots(t *testing.T) {
	h := handler(t, monthly(t))
	for question, want := range map[string]string{
		"": "monthly-aggregate-plan.sum-month-12-06-5b86f427-v1.csv", "&cut=year:2017": "monthly-aggregate-plan.sum-2017-month-12-4e4743f3-v1.csv",
		"&snapshots=all": "monthly-aggregate-plan.sum-snapshots-all-5fbd9790-v1.csv",
		"&cut=year:" + strings.TrimSuffix(strings.Repeat("2017;20180..;", 9), ";"): "monthly-aggregate-plan.sum-2017-",
	} {
		got := ask(t, h, monthlyQuestion+question+"&format=csv").header.Get("Content-Disposition")
		if !strings.HasPrefix(got, "attachment; filename="+want) || len(got) > 150 {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
}

// Parquet, Arrow and the second sheet of a workbook say what the rows are of.
func TestFormats_Metadata(t *testing.T) {
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
	stream, err := ipc.NewReader(strings.NewReader(ask(t, h, question+"&format=arrow").body))
	if err != nil {
		t.Fatal(err)
	}
	about := stream.Schema().Metadata()
	for name, want := range map[string]string{
		"fiscube.warnings": `[{"code":"note","weight":"background","message":"Preliminary."}]`, "fiscube.version": "3", "fiscube.cube": "croatia",
		"fiscube.measure": "approved_value, Approved, HRK, approved, expenditure",
	} {
		if got, _ := file.Lookup(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
		if got, _ := about.GetValue(name); got != want {
			t.Errorf("%s is %q in Arrow, want %q", name, got, want)
		}
	}
}

// Answers in real terms say with which series they are computed.
func TestFormats_NameTheSeries(t *testing.T) {
	f := newFake(t)
	f.run = yielding(row{Values: amounts("100", "100"), Count: 1},
		row{Keys: []cube.Value{cube.Integer(2016)}, Labels: make([]cube.Value, 1), Values: amounts("100", "100")})
	f.cubes[0].Coverage = &cube.YearCoverage{Years: []int64{2016, 2017}}
	h := handler(t, f)
	const real = "?drilldown=Year&cut=Year:2016&aggregates=real(approved_value.sum,2018)"
	const named = "Consumer prices, annual change, HRV, World Bank, FP.CPI.TOTL.ZG, from the data package datasets/cpi, 2025-07-01, ODC-PDDL-1.0"
	lines, err := workbook(t, ask(t, h, "/cubes/croatia/aggregate"+real+"&format=xlsx").body).GetRows("About")
	if err != nil {
		t.Fatal(err)
	}
	says(t, fmt.Sprint(lines), "[series "+named+"]")
	body := ask(t, h, "/cubes/croatia/aggregate"+real+"&format=parquet").body
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := file.Lookup("fiscube.series"); got != named {
		t.Errorf("a Parquet file names %q", got)
	}
	body = ask(t, h, "/cubes/croatia/package.zip"+real).body
	archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Fiscube struct{ Series []encode.Series }
	}
	descriptor, err := archive.Open("datapackage.json")
	if err == nil {
		err = json.NewDecoder(descriptor).Decode(&d)
	}
	var a struct{ Series []encode.Series }
	ask(t, h, "/cubes/croatia/aggregate"+real).read(t, &a)
	want := encode.Series{Name: "inflation", Title: "Consumer prices, annual change", Country: "HRV", Unit: cube.UnitAnnualPercent,
		Source: "World Bank, FP.CPI.TOTL.ZG, from the data package datasets/cpi", License: "ODC-PDDL-1.0", Updated: "2025-07-01", FirstYear: 2000, LastYear: 2023}
	if err != nil || !slices.Equal(d.Fiscube.Series, []encode.Series{want}) || !slices.Equal(a.Series, []encode.Series{want}) {
		t.Errorf("%v, the package names %v, the answer %v", err, d.Fiscube.Series, a.Series)
	}
}

func TestCSV_Excel(t *testing.T) {
	h := answering(t, nasty()...)
	r := ask(t, h, question+"&format=csv&excel=1")
	text, marked := strings.CutPrefix(r.body, "\ufeff")
	if !marked {
		t.Error("there is no byte-order mark")
	}
	says(t, text, "\r\n-1,'=1+1,'@SUM(A1),-99999999999999999999999999999999999.99,0,\r\n", "\r\n0, outer ,'\ttab,0.05,",
		"\r\n2016,'-5,'+5,-118405000.10,2,0.100000\r\n", "0010,\"a,\"\"b\"\"\n;|c\r\nd\",12345678901234567.89")
	for label, want := range map[string]string{
		" =a": "' =a", "\u00a0=a": "'\u00a0=a", "\u2003\u200b\ufeff+a": "'\u2003\u200b\ufeff+a", " \t a": " \t a", " a=b": " a=b", " ": " ",
		"x;=cmd|' /C calc'!A0;y": "x;'=cmd|' /C calc'!A0;y", "a\t=1+1": "a\t'=1+1", "a; \u00a0@b;\t-c": "a;' \u00a0@b;\t'-c",
		"a\n=2+2": "\"a\n'=2+2\"", "a\r\n=2+2\rb": "\"a\r\n'=2+2\rb\"", "=a;=b": "'=a;'=b", `x;"=1"`: `"x;'""=1"""`,
		"a,=b": `"a,=b"`, "a\nb,=c": "\"a\nb,'=c\"",
		"a;b": "a;b", "a; b-c;d=e;": "a; b-c;d=e;", "a\nb\n": "\"a\nb\n\"", "a\tb": "a\tb", "1;2": "1;2",
	} {
		guarded := ask(t, answering(t, row{Values: amounts("0", "0", "0"), Count: 1}, keys(1, label, "", "1", "1", "1")), question+"&format=csv&excel=1")
		says(t, guarded.body, "\r\n1,"+want+",,1.00,")
	}
	for _, query := range []string{"&excel=1", "&format=xlsx&excel=true", "&format=csv&excel=2"} {
		if p := ask(t, h, question+query).problem(t); p.Code != cube.CodeBadValue || *p.Context.Parameter != "excel" {
			t.Errorf("%s: %v", query, p)
		}
	}
	if plain := ask(t, h, question+"&format=csv&excel=0").body; strings.Contains(plain, "'=") {
		t.Error("nobody asked for guards")
	}
}

func TestNDJSON_NumbersAsStrings(t *testing.T) {
	r := ask(t, answering(t, nasty()...), question+"&format=ndjson&numbers=string")
	says(t, r.body, `"approved_value.sum":"12345678901234567.89","_count":3,"approved_value.avg":"-0.000001"}`+"\n")
}

// A workbook holds so many rows, columns and characters; more is said before anything is sent.
func TestXLSX_WhatDoesNotFit(t *testing.T) {
	long := strings.Repeat("🏛", 32_768/2)
	for name, tt := range map[string]struct {
		cells []row
		query string
		fits  bool
	}{
		"rows":         {[]row{{Values: amounts("0", "0", "0"), Count: 1 << 20}}, "", false},
		"cells":        {[]row{{Values: amounts("0", "0", "0"), Count: 1<<24/6 + 1}}, "", false},
		"a page":       {[]row{{Values: amounts("0", "0", "0"), Count: 1 << 20}}, "&pagesize=10", true},
		"a text":       {[]row{{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "a", long, "1", "1", "1")}, "", false},
		"a short text": {[]row{{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "a", long[4:], "1", "1", "1")}, "", true},
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
func TestFormats_FailureInTheMiddle(t *testing.T) {
	const most = 70_000 // more than a group of rows in Parquet
	f := many(t, 0)
	cells := []row{{Values: amounts("0"), Count: most}}
	for i := range most {
		cells = append(cells, row{Values: amounts(fmt.Sprint(i) + ".50")})
	}
	f.run = failing(errors.New("secret"), cells...)
	f.factsErr, f.membersErr = errors.New("secret"), errors.New("secret")
	for range most {
		f.facts = append(f.facts, threeFacts()[0])
		f.members = append(f.members, plan.MemberRow{Path: []cube.Value{cube.Text("010"), cube.Text(fmt.Sprint(len(f.members)))}})
	}
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	for _, target := range []string{someCells, threeFields, membersOf + "?complete=1", "/cubes/croatia/package.zip?aggregates=approved_value.sum"} {
		for _, format := range []string{"csv", "ndjson", "xlsx", "parquet", "arrow"} {
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

// What a workbook spools into files is gone with the answer, also where that is an error.
func TestXLSX_LeavesNoFiles(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	cells := []row{{Values: amounts("0", "0", "0"), Count: 1}}
	for range 20_000 {
		cells = append(cells, keys(2016, "010", strings.Repeat("x", 1000), "1", "1", "1"))
	}
	spooled := 0
	for _, err := range []error{nil, errors.New("secret")} {
		f := newFake(t)
		f.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
			return func(yield func(row, error) bool) {
				for cell, err := range failing(err, cells...)(ctx, s) {
					if !yield(cell, err) {
						return
					}
				}
				files, _ := os.ReadDir(folder)
				spooled += len(files)
			}
		}
		r := ask(t, handler(t, f), question+"&format=xlsx")
		if files, _ := os.ReadDir(folder); len(files) != 0 || (r.status == http.StatusOK) != (err == nil) {
			t.Errorf("%d, and %d files are left", r.status, len(files))
		}
	}
	if spooled == 0 {
		t.Error("nothing was spooled: the test shows nothing")
	}
}

// The decimals of facts have the digits that their column was found to have.
func TestFormats_DecimalsOfFacts(t *testing.T) {
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
		for format, read := range map[string]func(*testing.T, string) (value, kind string){"parquet": parquetDecimal, "arrow": arrowDecimal} {
			f := newFake(t)
			f.cubes[0] = withDigits(t, tt.digits)
			f.facts = threeFacts()[:1]
			f.facts[0].Values[1].Amount = amounts(tt.amount)[0]
			r := ask(t, handler(t, f), threeFields+"&format="+format)
			if tt.want == "" {
				if p := r.problem(t); p.Code != cube.CodeTooLarge {
					t.Errorf("%s: %s in %d digits: %v", format, tt.amount, tt.digits, p)
				}
				continue
			}
			if value, kind := read(t, r.body); value != tt.want || kind != tt.kind {
				t.Errorf("%s: %s in %d digits is %s of %s, want %s of %s", format, tt.amount, tt.digits, value, kind, tt.want, tt.kind)
			}
		}
	}
}

// parquetDecimal reads the second column of the only row, without its point.
func parquetDecimal(t *testing.T, body string) (value, kind string) {
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	row := make([]parquet.Row, 1)
	_, _ = parquet.NewGenericReader[any](file).ReadRows(row)
	return wholeOf(row[0][1]), file.Schema().Fields()[1].Type().String()
}

// arrowDecimal reads it of a stream.
func arrowDecimal(t *testing.T, body string) (value, kind string) {
	reader, err := ipc.NewReader(strings.NewReader(body))
	if err != nil || !reader.Next() {
		t.Fatal(err)
	}
	amount := reader.RecordBatch().Column(1).(*array.Decimal128)
	kind = strings.ToUpper(strings.ReplaceAll(amount.DataType().String(), " ", ""))
	return amount.Value(0).BigInt().String(), kind
}

// withDigits is budget with the digits of its amounts known.
func withDigits(t *testing.T, digits int) *cube.Cube {
	cb := budget(t)
	columns := append([]cube.Column{}, cb.Model.Columns()...)
	for i, c := range columns {
		if c.Name == "approved_value" {
			columns[i].Digits = digits
		}
	}
	cb.Model = newModel(t, columns, []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "Year"}}}}, nil)
	return cb
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

const inXLSX = question + "&format=xlsx"

// numbersOfManyDigits are sums and averages of 15 digits and more.
func numbersOfManyDigits(t *testing.T) http.Handler {
	return answering(t, row{Values: amounts("0", "0", "0"), Count: 4},
		keys(2016, "a", "A", "19328179465993.43", "3", "123456789012344.500000"),
		keys(2016, "b", "B", "1932817946599.34", "3", "-123456789012345.500000"),
		keys(2016, "c", "C", "12345678901234567.00", "3", "0.123456"),
		keys(2016, "d", "D", "1.00", "1234567890123456", "12345678901234567890.000000"))
}

// What a spreadsheet would not add up says so, where it is read and where it stands.
func TestXLSX_NumbersOfManyDigits(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"amounts-as-text: a spreadsheet keeps 15 digits", "SUM() and charts leave them out (approved_value.sum: 2 of 4 cells, _count: 1 of 4 cells); CSV has all of them",
			"quotients-rounded: averages, ratios and shares", "(approved_value.avg: 3 of 4 cells)"},
		"es": {"amounts-as-text: una hoja de cálculo", "SUMA() y los gráficos los omiten (approved_value.sum: 2 de 4 celdas, _count: 1 de 4 celdas)",
			"quotients-rounded: los promedios", "(approved_value.avg: 3 de 4 celdas)"},
	} {
		r := ask(t, numbersOfManyDigits(t), inXLSX+"&lang="+lang)
		says(t, r.header.Get("Fiscube-Warnings"), "amounts-as-text;message=", "quotients-rounded;message=")
		about, err := workbook(t, r.body).GetRows("About")
		if err != nil {
			t.Fatal(err)
		}
		says(t, fmt.Sprint(about), want...)
	}
}

func TestXLSX_NumbersThatFitHaveNoWarning(t *testing.T) {
	r := ask(t, answering(t, row{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "1234567890123456", "", "1234567890123.45", "1", "1")), inXLSX)
	if said := r.header.Get("Fiscube-Warnings"); said != "" {
		t.Error(said)
	}
}

func TestXLSX_CellsOfManyDigits(t *testing.T) {
	file := workbook(t, ask(t, numbersOfManyDigits(t), inXLSX).body)
	for cell, want := range map[string]string{
		"D3": "19328179465993.43", "D5": "12345678901234567.00", "E6": "1234567890123456", // text, to the last digit
		"D4": "1932817946599.34", "F3": "123456789012344", "F4": "-123456789012346", "F5": "0.123456", "F6": "12345678901234600000",
	} {
		kind, err := file.GetCellType("Data", cell)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := file.GetCellValue("Data", cell, excelize.Options{RawCellValue: true})
		style, _ := file.GetCellStyle("Data", cell)
		look, err := file.GetStyle(style)
		if err != nil {
			t.Fatal(err)
		}
		isText, isMarked := kind == excelize.CellTypeInlineString, len(look.Fill.Color) == 1 && look.Alignment.Horizontal == "right"
		wanted := slices.Contains([]string{"D3", "D5", "E6"}, cell)
		if !wanted {
			text, want = sameNumber(t, text), sameNumber(t, want)
		}
		if isText != wanted || isMarked != wanted || text != want {
			t.Errorf("%s is %s, text: %v, marked: %v", cell, text, isText, isMarked)
		}
	}
}

// People read what a column is, programs its name below, and both find the rows by it.
func TestXLSX_Head(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"Year", "admin1_code", "admin1_label", "Approved (HRK)", "rows", "average of Approved (HRK)"},
		"es": {"Year", "admin1_code", "admin1_label", "Approved (HRK)", "filas", "promedio de Approved (HRK)"},
	} {
		body := ask(t, numbersOfManyDigits(t), inXLSX+"&lang="+lang).body
		file := workbook(t, body)
		lines, err := file.GetRows("Data")
		if err != nil || !slices.Equal(lines[0], want) || !slices.Equal(lines[1], nastyNames) || len(lines) != 6 {
			t.Errorf("%s: %v %q", lang, err, lines)
		}
		panes, err := file.GetPanes("Data")
		if err != nil || !panes.Freeze || panes.YSplit != 2 || panes.TopLeftCell != "A3" {
			t.Errorf("%v: the panes are %+v", err, panes)
		}
		if sheet := unzip(t, body)["xl/worksheets/sheet1.xml"]; !strings.Contains(sheet, `<autoFilter ref="$A$2:$F$6">`) {
			t.Errorf("no filter: …%s", sheet[len(sheet)-300:])
		}
		for column, least := range map[string]float64{"A": 10, "C": 40, "D": 20} {
			if width, err := file.GetColWidth("Data", column); err != nil || width < least || width > 50 {
				t.Errorf("%v: %s is %v wide", err, column, width)
			}
		}
	}
}

// The columns of other tables, and those that are no fields, have titles too.
func TestXLSX_HeadsOfMembersAndFacts(t *testing.T) {
	f := newFake(t)
	f.members = named(t).members
	for path, heads := range map[string][]string{
		membersOf + "?format=xlsx":           {"admin1_code", "admin2_code", "admin2_label", "rows", "first year", "last year"},
		threeFields + "&format=xlsx":         {"Year", "Approved (HRK)", "admin1_label", "file", "line of the file"},
		membersOf + "?format=xlsx&lang=es":   {"admin1_code", "admin2_code", "admin2_label", "filas", "primer año", "último año"},
		threeFields + "&format=xlsx&lang=es": {"Year", "Approved (HRK)", "admin1_label", "archivo", "línea del archivo"},
		membersOf + "?format=xlsx&lang=hr":   {"admin1_code", "admin2_code", "admin2_label", "redci", "prva godina", "posljednja godina"},
	} {
		r := ask(t, handler(t, f), path)
		if r.status != http.StatusOK {
			t.Fatal(r.body)
		}
		lines, err := workbook(t, r.body).GetRows("Data")
		if err != nil || !slices.Equal(lines[0], heads) {
			t.Errorf("%s: %v %q, want %q", path, err, lines[:2], heads)
		}
	}
}

// sameNumber writes a number one way, however a workbook has it.
func sameNumber(t *testing.T, text string) string {
	t.Helper()
	var f float64
	if _, err := fmt.Sscan(text, &f); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(f)
}

// Readers that go row by row believe what a sheet says of its size.
func TestXLSX_SheetsHaveNoDimension(t *testing.T) {
	files := unzip(t, ask(t, numbersOfManyDigits(t), inXLSX).body)
	for _, name := range []string{"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"} {
		if text := files[name]; !strings.Contains(text, `<sheetData><row r="1"`) || strings.Contains(text, "<dimension") {
			t.Errorf("%s: %.300s", name, text)
		}
	}
}

// fileOf gives the name of the file that answers.
func fileOf(t *testing.T, h http.Handler, target string) string {
	t.Helper()
	r := ask(t, h, target)
	name, ok := strings.CutPrefix(r.header.Get("Content-Disposition"), "attachment; filename=")
	if r.status != http.StatusOK || !ok {
		t.Fatalf("%s: %d %v\n%s", target, r.status, r.header, r.body)
	}
	return name
}

// Files of two questions do not replace each other in a folder.
func TestFileName_TwoQuestions(t *testing.T) {
	h := handler(t, named(t))
	seen := map[string]string{}
	long := strings.Repeat("a", 60)
	for path, questions := range map[string][]string{
		"aggregate?format=csv": {
			"", "drilldown=Year", "drilldown=Year|unit", "cut=Year:2016", "cut=unit:2016", "cut=!unit:2016", "cut=unit:a;b", "cut=unit:a-b",
			"cut=unit:a|admin1_code:b", "aggregates=_count", "aggregates=approved_value.sum", "drilldown=unit&having=approved_value.sum>1",
			"drilldown=unit&having=approved_value.sum<1", "drilldown=Year|unit&top=3", "drilldown=Year|unit&top=4", "drilldown=Year|unit&rollup=1",
			"drilldown=unit&compare=Year:-1&cut=Year:2016", "page=2", "page=3", "pagesize=7", "drilldown=unit&order=unit:desc",
			"drilldown=unit&order=unit:asc", "cut=unit:ž", "cut=unit:z", "cut=unit:" + long + "1" + long, "cut=unit:" + long + "2" + long,
		},
		"facts?format=csv": {
			"", "fields=Year", "fields=unit", "cut=Year:2016", "cut=unit:2016", "order=Year", "order=Year:desc", "pagesize=2", "pagesize=1",
		},
		"members/admin2_code?format=csv": {"", "q=a", "q=b", "parent=a", "cut=Year:2016", "order=key:desc", "page=2", "pagesize=3"},
		"members/unit?format=csv":        {""},
		"resources/a?":                   {""},
		"resources/b?":                   {""},
	} {
		for _, question := range questions {
			name := fileOf(t, h, "/cubes/croatia/"+path+"&"+question)
			if other, ok := seen[name]; ok {
				t.Errorf("%s&%s is called like %s: %s", path, question, other, name)
			}
			if seen[name] = path + "&" + question; len(name) > 105 || !regexp.MustCompile(`^croatia-[A-Za-z0-9_.-]+-v3\.csv$`).MatchString(name) {
				t.Errorf("%s&%s is called %s", path, question, name)
			}
		}
	}
}

// No package has a name that a system refuses for a file.
func TestFileName_PackagesOfAnyName(t *testing.T) {
	for pkg, want := range map[string]string{
		"plain-1":                  `plain-1-aggregate-v1\.csv`,
		`a<b>c:d"e/f\g|h?i*j`:      `a-b-c-d-e-f-g-h-i-j-aggregate-[0-9a-f]{8}-v1\.csv`,
		"tab\tbell\a":              `tab-bell-aggregate-[0-9a-f]{8}-v1\.csv`,
		".hidden.":                 `hidden\.-aggregate-[0-9a-f]{8}-v1\.csv`,
		"con.2018":                 `_con\.2018-aggregate-v1\.csv`,
		"Lpt1.x":                   `_Lpt1\.x-aggregate-v1\.csv`,
		"бюджет":                   `aggregate-[0-9a-f]{8}-v1\.csv`,
		strings.Repeat("long", 50): `(long){20}-[0-9a-f]{8}-v1\.csv`,
	} {
		f := newFake(t)
		f.cubes = []*cube.Cube{bare(t)}
		f.cubes[0].Name = pkg
		name := fileOf(t, handler(t, f), "/cubes/"+url.PathEscape(pkg)+"/aggregate?format=csv")
		if !regexp.MustCompile("^" + want + "$").MatchString(name) {
			t.Errorf("%q is called %s", pkg, name)
		}
	}
}
