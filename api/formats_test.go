package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
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
