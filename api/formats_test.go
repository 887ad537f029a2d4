package api_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/parquet-go/parquet-go"
	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

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
	for i := range int64(most) {
		f.facts = append(f.facts, plan.Fact{Line: 2, Values: []plan.FactValue{{Value: cube.Integer(i)}}})
		f.members = append(f.members, plan.MemberRow{Path: []cube.Value{cube.Text("010"), cube.Text(fmt.Sprint(len(f.members)))}})
	}
	server := httptest.NewServer(handler(t, f))
	defer server.Close()
	for _, target := range []string{someCells, "/cubes/croatia/facts?fields=Year", "/cubes/croatia/members/admin2_code?complete=1", "/cubes/croatia/package.zip?aggregates=approved_value.sum"} {
		for _, format := range []string{"csv", "ndjson", "xlsx", "parquet", "arrow", ""} { // of members all come in JSON too
			path := target
			if format == "" != strings.Contains(target, "package") && !strings.Contains(target, "complete") {
				continue
			} else if format != "" {
				path += "&format=" + format
			}
			response, err := http.Get(server.URL + path)
			if err != nil {
				continue
			}
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close()
			refused := response.StatusCode == http.StatusInternalServerError && bytes.Contains(body, []byte("internal error"))
			if refused != (format == "xlsx") || !refused && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: %d, %d bytes, %v", path, response.StatusCode, len(body), err)
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

// A workbook is easy to read for people, whose rows stand still and can be chosen, and for programs, which believe what a sheet says of its size.
func TestXLSX_Look(t *testing.T) {
	body := ask(t, handler(t, many(t, 4)), someCells+"&format=xlsx").body
	file := workbook(t, body)
	panes, err := file.GetPanes("Data")
	if err != nil || !panes.Freeze || panes.YSplit != 2 || panes.TopLeftCell != "A3" {
		t.Errorf("%v: the panes are %+v", err, panes)
	}
	if width, err := file.GetColWidth("Data", "A"); err != nil || width < 20 || width > 50 {
		t.Errorf("%v: amounts are %v wide", err, width)
	}
	archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, filter := range map[string]string{"xl/worksheets/sheet1.xml": `<autoFilter ref="$A$2:$A$6">`, "xl/worksheets/sheet2.xml": ""} {
		text, err := fs.ReadFile(archive, name)
		if sheet := string(text); err != nil || !strings.Contains(sheet, `<sheetData><row r="1"`) || strings.Contains(sheet, "<dimension") || !strings.Contains(sheet, filter) {
			t.Errorf("%s: %v %.300s", name, err, text)
		}
	}
}

// Files of two questions do not replace each other in a folder.
func TestFileName_TwoQuestions(t *testing.T) {
	h := handler(t, newFake(t))
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
		"resources/a/rows.csv?":          {""},
		"resources/b/rows.csv?":          {""},
	} {
		for _, question := range questions {
			r := ask(t, h, "/cubes/croatia/"+path+"&"+question)
			name := strings.TrimPrefix(r.header.Get("Content-Disposition"), "attachment; filename=")
			if other, ok := seen[name]; ok {
				t.Errorf("%s&%s is called like %s: %s", path, question, other, name)
			}
			if seen[name] = path + "&" + question; len(name) > 105 || !regexp.MustCompile(`^croatia-[A-Za-z0-9_.-]+-v3\.csv$`).MatchString(name) {
				t.Errorf("%s&%s is called %s", path, question, name)
			}
		}
	}
}

// read gives what files hold as lines: of tables the names of the columns, with their types where the format has any, and then the cells, texts in quotes.
var read = map[string]func(testing.TB, string) string{
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": workbookText,
	"application/vnd.apache.parquet":                                    parquetText,
	"application/vnd.apache.arrow.stream":                               arrowText,
	"application/zip":                                                   zipText,
}

// cellText writes a cell: a number with its decimals, any other text in quotes, and nothing as -.
func cellText(text string, isNumber bool) string {
	switch {
	case text == "":
		return "-"
	case isNumber:
		return text
	}
	return strconv.Quote(text)
}

func workbookText(t testing.TB, body string) string {
	file := workbook(t, body)
	var b strings.Builder
	for _, sheet := range file.GetSheetList() {
		rows, err := file.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("sheet " + sheet + "\n")
		for i, cells := range rows {
			for j, text := range cells {
				cell, _ := excelize.CoordinatesToCellName(j+1, i+1)
				kind, _ := file.GetCellType(sheet, cell)
				if formula, _ := file.GetCellFormula(sheet, cell); formula != "" {
					t.Errorf("%s is the formula %q", cell, formula)
				}
				number, err := decimal.NewFromString(text)
				isNumber := kind != excelize.CellTypeInlineString && kind != excelize.CellTypeSharedString && err == nil
				if isNumber {
					text = number.String()
				}
				cells[j] = cellText(text, isNumber)
				if style, _ := file.GetCellStyle(sheet, cell); style > 0 {
					if look, err := file.GetStyle(style); err == nil && look.Fill.Color != nil {
						cells[j] += " marked"
					}
				}
			}
			b.WriteString(strings.Join(cells, " | ") + "\n")
		}
	}
	return b.String()
}

func workbook(t testing.TB, body string) *excelize.File {
	t.Helper()
	file, err := excelize.OpenReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func parquetText(t testing.TB, body string) string {
	file, err := parquet.OpenFile(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, pair := range file.Metadata().KeyValueMetadata {
		b.WriteString(pair.Key + ": " + pair.Value + "\n")
	}
	fields := file.Schema().Fields()
	b.WriteString(strings.Join(each.Text(fields, func(f parquet.Field) string { return f.Name() + " " + f.Type().String() }), " | ") + "\n")
	rows := make([]parquet.Row, file.NumRows())
	if n, err := parquet.NewGenericReader[any](file).ReadRows(rows); n != len(rows) || err != nil && !errors.Is(err, io.EOF) {
		t.Fatalf("%d of %d rows: %v", n, len(rows), err)
	}
	for _, row := range rows {
		var cells []string
		for i, value := range row {
			var precision, scale int32
			digits, _ := fmt.Sscanf(fields[i].Type().String(), "DECIMAL(%d,%d)", &precision, &scale)
			switch {
			case value.IsNull():
				cells = append(cells, "-")
			case digits == 2:
				cells = append(cells, decimal.NewFromBigInt(unscaledOf(value), -scale).StringFixed(scale))
			default:
				cells = append(cells, cellText(value.String(), value.Kind() == parquet.Int64))
			}
		}
		b.WriteString(strings.Join(cells, " | ") + "\n")
	}
	return b.String()
}

func arrowText(t testing.TB, body string) string {
	if !strings.HasSuffix(body, "\xff\xff\xff\xff\x00\x00\x00\x00") {
		t.Errorf("the stream ends in %q", body[max(0, len(body)-8):])
	}
	reader, err := ipc.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Release()
	var b strings.Builder
	about := reader.Schema().Metadata()
	for i, key := range about.Keys() {
		b.WriteString(key + ": " + about.Values()[i] + "\n")
	}
	b.WriteString(strings.Join(each.Text(reader.Schema().Fields(), func(f arrow.Field) string { return f.Name + " " + f.Type.String() }), " | ") + "\n")
	for reader.Next() {
		batch := reader.RecordBatch()
		for i := range int(batch.NumRows()) {
			b.WriteString(strings.Join(each.Text(batch.Columns(), func(column arrow.Array) string {
				if amounts, ok := column.(*array.Decimal128); ok && column.IsValid(i) {
					scale := amounts.DataType().(*arrow.Decimal128Type).Scale
					return decimal.NewFromBigInt(amounts.Value(i).BigInt(), -scale).StringFixed(scale)
				}
				_, isText := column.(*array.String)
				return cellText(map[bool]string{true: column.ValueStr(i)}[column.IsValid(i)], !isText)
			}), " | ") + "\n")
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func zipText(t testing.TB, body string) string {
	archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, file := range archive.File {
		content, err := archive.Open(file.Name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("file " + visible(file.Name) + "\n")
		if json.Valid(text) {
			text = []byte(brokenJSON(string(text)) + "\n")
		}
		b.WriteString(visible(string(text)))
	}
	return b.String()
}

// unscaledOf gives a decimal without its point.
func unscaledOf(value parquet.Value) *big.Int {
	if value.Kind() != parquet.FixedLenByteArray {
		return big.NewInt(value.Int64())
	}
	n := new(big.Int).SetBytes(value.ByteArray())
	if value.ByteArray()[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return n
}
