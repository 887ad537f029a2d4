package files

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/xuri/excelize/v2"

	"fiscube/cube"
)

// book writes a workbook with what is put into its first sheet, which is called Sheet1.
func book(t *testing.T, put func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	put(f)
	var text bytes.Buffer
	if err := f.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// rowsOf puts rows into a sheet, from a row on.
func rowsOf(t *testing.T, f *excelize.File, sheet string, from int, rows ...[]any) {
	t.Helper()
	for i, row := range rows {
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", from+i), &row); err != nil {
			t.Fatal(err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// changed gives a workbook with some text of one of its parts changed.
func changed(t *testing.T, data []byte, part, from, to string) []byte {
	t.Helper()
	read, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(t, err)
	var text bytes.Buffer
	w := zip.NewWriter(&text)
	for _, entry := range read.File {
		r, err := entry.Open()
		must(t, err)
		content, err := io.ReadAll(r)
		must(t, err)
		if entry.Name == part {
			if !bytes.Contains(content, []byte(from)) {
				t.Fatalf("%s has no %s: %s", part, from, content)
			}
			content = bytes.Replace(content, []byte(from), []byte(to), 1)
		}
		out, err := w.Create(entry.Name)
		must(t, err)
		_, err = out.Write(content)
		must(t, err)
	}
	must(t, w.Close())
	return text.Bytes()
}

const firstSheet = "xl/worksheets/sheet1.xml"

func readBook(t *testing.T, data []byte, r cube.Resource) ([]string, *Table, error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	r.Path = "f.xlsx"
	rows, read, err := readFile(t, r, fstest.MapFS{"f.xlsx": {Data: data}})
	if err != nil && read == nil {
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
			t.Errorf("%d temporary files are left", len(left))
		}
	}
	return rows, read, err
}

func TestSheet_GivesWhatCellsHave(t *testing.T) {
	data := book(t, func(f *excelize.File) {
		rowsOf(t, f, "Sheet1", 1, []any{"code", "amount"})
		day := time.Date(2023, 3, 31, 0, 0, 0, 0, time.UTC)
		for i, value := range []any{1234.5600000000001, "1E5", 1.2e9, true, day, day.Add(90 * time.Minute), "007", 0.1 + 0.2, -1e-7, "a\nb", " x ", "#1", 60.0, 1e25, "_x0041_"} {
			must(t, f.SetCellValue("Sheet1", fmt.Sprintf("A%d", i+2), value))
			must(t, f.SetCellValue("Sheet1", fmt.Sprintf("B%d", i+2), i))
		}
		euros, accounting := `#,##0.0 [$€-407];[Red]-#,##0`, `_-* #,##0_ "d";@`
		style, err := f.NewStyle(&excelize.Style{CustomNumFmt: &euros})
		must(t, err)
		must(t, f.SetCellStyle("Sheet1", "A2", "A2", style))
		style, err = f.NewStyle(&excelize.Style{CustomNumFmt: &accounting})
		must(t, err)
		must(t, f.SetCellStyle("Sheet1", "A4", "A4", style))
		must(t, f.SetCellFormula("Sheet1", "B3", "SUM(B4:B5)")) // keeps the value that it had
	})
	want := []string{"2: 1234.56|0", "3: 1E5|1", "4: 1200000000|2", "5: true|3", "6: 2023-03-31|4", "7: 2023-03-31T01:30:00|5", "8: 007|6",
		"9: 0.3|7", "10: -0.0000001|8", "11: a\nb|9", "12:  x |10", "13: #1|11", "14: 60|12", "15: 10000000000000000000000000|13", "16: A|14"}
	rows, _, err := readBook(t, data, cube.Resource{})
	if err != nil {
		t.Fatal(mistakeText(err))
	}
	for i := range want {
		if i >= len(rows) || rows[i] != want[i] {
			t.Errorf("row %d is %q, want %q", i, rows[min(i, len(rows)-1)], want[i])
		}
	}
}

// What excelize does not write: values of formulas, errors, texts in cells, parts of texts, other numbers.
func TestSheet_GivesWhatOtherProgramsWrite(t *testing.T) {
	empty := book(t, func(f *excelize.File) { rowsOf(t, f, "Sheet1", 1, []any{"code", "amount"}) })
	tests := map[string]struct{ row, want string }{
		"formula":          {`<row r="3"><c r="A3" t="str"><f>A1&amp;"x"</f><v>codex</v></c><c r="B3"><f>1+1</f><v>2</v></c></row>`, "3: codex|2"},
		"errors":           {`<row r="3"><c r="A3" t="e"><v>#N/A</v></c><c r="B3" t="e"><f>A9</f><v>#REF!</v></c></row>`, "3: #N/A|#REF!"},
		"text in the cell": {`<row r="3"><c r="A3" t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r><rPh><t>c</t></rPh></is></c><c r="B3"><v>1</v></c></row>`, "3: a b|1"},
		"no places":        {`<row><c><v>1</v></c><c t="b"><v>0</v></c></row>`, "2: 1|false"},
		"long whole number": {`<row r="3"><c r="A3"><v>12345678901234567</v></c><c r="B3"><v>1234.5599999999999</v></c></row>`,
			"3: 12345678901234567|1234.56"},
		"a short row":            {`<row r="5"><c r="A5"><v>1</v></c></row>`, "5: 1|"},
		"empty cells behind":     {`<row r="3"><c r="A3"><v>1</v></c><c r="B3"><v>2</v></c><c r="D3" s="0"/></row>`, "3: 1|2"},
		"a cell behind":          {`<row r="3"><c r="A3"><v>1</v></c><c r="D3"><v>2</v></c></row>`, "3: the row has 4 cells, the schema 2 fields"},
		"a row of nothing":       {`<row r="3"><c r="A3" s="0"/></row><row r="4"><c r="A4"><v>1</v></c><c r="B4"><v>2.0</v></c></row>`, "4: 1|2"},
		"a day without time":     {`<row r="3"><c r="A3" t="d"><v>2023-03-31T00:00:00</v></c><c r="B3"><v>-0.0</v></c></row>`, "3: 2023-03-31|0"},
		"no number":              {`<row r="3"><c r="A3"><v>NaN</v></c><c r="B3"><v>1e</v></c></row>`, "3: NaN|1e"},
		"a giant number":         {`<row r="3"><c r="A3"><v>1.5E+25</v></c><c r="B3"><v>1.5E-7</v></c></row>`, "3: 1.5E+25|0.00000015"},
		"another name of spaces": {`<x:row xmlns:x="y" r="3"><x:c r="A3"><x:v>1</x:v></x:c></x:row>`, "3: 1|"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			rows, read, err := readBook(t, changed(t, empty, firstSheet, `</sheetData>`, test.row+`</sheetData>`), cube.Resource{})
			if got := strings.Join(rows, "; "); err != nil || got != test.want {
				t.Fatalf("rows %q, %s", got, mistakeText(err))
			}
			if read.Close(); read.file.bytes == 0 {
				t.Error("no bytes are counted")
			}
			if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
				t.Errorf("%d temporary files are left", len(left))
			}
		})
	}
}

func TestSheet_RefusesBrokenWorkbooks(t *testing.T) {
	good := book(t, func(f *excelize.File) { rowsOf(t, f, "Sheet1", 1, []any{"code", "amount"}, []any{"a", 1}) })
	var locked bytes.Buffer
	must(t, func() error {
		f := excelize.NewFile()
		rowsOf(t, f, "Sheet1", 1, []any{"code"})
		return f.Write(&locked, excelize.Options{Password: "x"})
	}())
	sheet := func(from, to string) []byte { return changed(t, good, firstSheet, from, to) }
	tests := map[string]struct {
		data []byte
		want string
	}{
		"garbage":           {[]byte("PK\x03\x04 and more"), "0: the workbook cannot be opened: it cannot be read: zip: not a valid zip file"},
		"nothing":           {nil, "0: the workbook cannot be opened: it cannot be read: zip: not a valid zip file"},
		"text":              {[]byte("code,amount\na,1\n"), "0: the workbook cannot be opened: it cannot be read: zip: not a valid zip file"},
		"password":          {locked.Bytes(), "0: the file is an old workbook (XLS), or has a password: save it as XLSX without one, or its sheet as CSV"},
		"another zip":       {partsOf(t, "a.csv", "x"), "0: the file is no XLSX workbook: it lacks xl/workbook.xml"},
		"ODS":               {partsOf(t, "content.xml", "x", "mimetype", "y"), "0: the file is an ODS workbook: save it as XLSX, or its sheet as CSV"},
		"a sheet cut off":   {sheet(`</sheetData>`, ``), "0: " + firstSheet + " of the workbook cannot be read: XML syntax error on line 2: element <sheetData> closed by </worksheet>"},
		"no XML":            {sheet(`<row r="2"`, "\x01<row r=\"2\""), "0: " + firstSheet + " of the workbook cannot be read: XML syntax error on line 2: illegal character code U+0001"},
		"rows backwards":    {sheet(`<row r="2"`, `<row r="1"`), `1: the row "1" follows row 1`},
		"cells backwards":   {sheet(`r="B2"`, `r="A2"`), `2: the cell "A2" is in no column of its own`},
		"no such text":      {sheet(`<v>2</v>`, `<v>99</v>`), `2: a cell has the text "99" of the workbook, which has 3`},
		"too far down":      {sheet(`<row r="2"`, `<row r="2000000000"`), `1: the sheet has more than 1048576 rows`},
		"too far right":     {sheet(`r="B2"`, `r="ZZZ2"`), `2: the cell "ZZZ2" is in no column of its own`},
		"too deep":          {sheet(`<row r="2"`, strings.Repeat("<a>", 100)+`<row r="2"`), "0: " + firstSheet + " is nested more than 64 deep"},
		"a text of a giant": {sheet(`<row r="2"`, "<!--"+strings.Repeat("x", 17<<20)+`--><row r="2"`), "0: " + firstSheet + " has a text of more than 16 MB"},
		"a bomb":            {sheet(`<row r="2"`, strings.Repeat(" ", 64<<20)+`<row r="2"`), "0: the workbook cannot be opened: its entry \"xl/worksheets/sheet1.xml\" unpacks to"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := readBook(t, test.data, cube.Resource{})
			if got := mistakeText(err); !strings.HasPrefix(got, test.want) || !strings.HasSuffix(got, "[bad-workbook]") {
				t.Errorf("got %s", got)
			}
		})
	}
}

func partsOf(t *testing.T, files ...string) []byte {
	t.Helper()
	var text bytes.Buffer
	w := zip.NewWriter(&text)
	for i := 0; i < len(files); i += 2 {
		out, err := w.Create(files[i])
		must(t, err)
		_, _ = io.WriteString(out, files[i+1])
	}
	must(t, w.Close())
	return text.Bytes()
}

func TestSheet_IsTheOneThatIsMeant(t *testing.T) {
	data := book(t, func(f *excelize.File) {
		rowsOf(t, f, "Sheet1", 1, []any{"code", "amount"}, []any{"hidden", 1})
		for _, name := range []string{"Empty", "Budget", "Other"} {
			_, err := f.NewSheet(name)
			must(t, err)
		}
		rowsOf(t, f, "Budget", 3, []any{"code", "amount"}, []any{"a", 2}, []any{}, []any{"b", 3})
		rowsOf(t, f, "Other", 1, []any{"code", "amount"}, []any{"c", 4})
		f.SetActiveSheet(2)
		must(t, f.SetSheetVisible("Sheet1", false))
	})
	for name, test := range map[string]struct {
		dialect cube.Dialect
		want    string
	}{
		"first visible one with rows": {cube.Dialect{}, "4: a|2; 6: b|3"},
		"by name":                     {cube.Dialect{SheetName: "other"}, "2: c|4"},
		"by number, hidden":           {cube.Dialect{SheetNumber: 1}, "2: hidden|1"},
		"without header":              {cube.Dialect{SheetName: "Other", NoHeader: true}, "1: code|amount; 2: c|4"},
		"comments":                    {cube.Dialect{HeaderRows: []int{3}, CommentRows: []int{4}}, "6: b|3"},
		"empty":                       {cube.Dialect{SheetName: "Empty"}, `0: the sheet "Empty" has no rows [bad-workbook]`},
		"no such name":                {cube.Dialect{SheetName: "x"}, `0: the workbook has no sheet "x"; it has "Sheet1" (hidden), "Empty", "Budget", "Other" [bad-workbook]`},
		"no such number":              {cube.Dialect{SheetNumber: 5}, `0: the workbook has no sheet 5; it has "Sheet1" (hidden), "Empty", "Budget", "Other" [bad-workbook]`},
	} {
		t.Run(name, func(t *testing.T) {
			rows, read, err := readBook(t, data, cube.Resource{Dialect: test.dialect})
			got := strings.Join(rows, "; ")
			if err != nil {
				got = mistakeText(err)
			}
			if got != test.want {
				t.Errorf("got %s", got)
			}
			if test.dialect.SheetName+fmt.Sprint(test.dialect.SheetNumber, test.dialect.HeaderRows) == "0[]" && read.blank != 3 {
				t.Errorf("%d rows hold nothing", read.blank)
			}
		})
	}
}

func TestSheet_FillsMergedCellsOfHeaders(t *testing.T) {
	data := book(t, func(f *excelize.File) {
		rowsOf(t, f, "Sheet1", 1, []any{"Budget in thousands"}, []any{"code", 2023, nil, 2024}, []any{nil, "plan", "paid", "plan"}, []any{"a", 1.5, 2, 3})
		must(t, f.MergeCell("Sheet1", "B2", "C2"))
		must(t, f.MergeCell("Sheet1", "A2", "A3"))
		must(t, f.MergeCell("Sheet1", "A1", "D1"))
	})
	r := cube.Resource{Dialect: cube.Dialect{HeaderRows: []int{2, 3}, HeaderJoin: "/"}}
	for _, name := range []string{"code", "2023/plan", "2023/paid", "2024/plan"} {
		r.Schema.Fields = append(r.Schema.Fields, cube.Field{Name: name, DecimalChar: ","})
	}
	if rows, _, err := readBook(t, data, r); err != nil || !slices.Equal(rows, []string{"4: a|1,5|2|3"}) {
		t.Errorf("rows %q, %v", rows, err)
	}
}

func TestDateOf(t *testing.T) {
	for _, test := range []struct {
		days     float64
		format   numberFormat
		from1904 bool
		want     string
	}{
		{1, aDate, false, "1900-01-01"}, {59, aDate, false, "1900-02-28"}, {61, aDate, false, "1900-03-01"}, {45016, aDate, false, "2023-03-31"},
		{45016.75, aDate, false, "2023-03-31T18:00:00"}, {45016.999999999, aDate, false, "2023-04-01"}, {43554, aDate, true, "2023-03-31"},
		{0.5, aTime, false, "12:00:00"}, {1.5, aTime, false, ""}, {-1, aDate, false, ""}, {1e9, aDate, false, ""},
	} {
		if got := dateOf(test.days, test.format, test.from1904); got != test.want {
			t.Errorf("%v is %q, want %q", test.days, got, test.want)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for code, want := range map[string]numberFormat{
		"General": aNumber, "0.00E+00": aNumber, `#,##0\ "days"`: aNumber, "[Red]0": aNumber, "@": aNumber, "[h]:mm": aNumber, "h:mm AM/PM": aTime, "mm:ss.0": aTime,
		"yyyy-mm-dd": aDate, "dd/mm/yy;@": aDate, "mmm": aDate, "[$-409]d\\-mmm\\-yyyy h:mm": aDate, `_-* #,##0\ _k_č_-;\-* #,##0`: aNumber, "General;d": aNumber, "0;yyyy": aNumber,
	} {
		if got := formatOf(code); got != want {
			t.Errorf("%s is %d, want %d", code, got, want)
		}
	}
}

// The dates of a workbook from 1904 are counted so, and its bytes are those that are published.
func TestSheet_DatesFrom1904AndHash(t *testing.T) {
	data := book(t, func(f *excelize.File) {
		from := true
		must(t, f.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &from}))
		rowsOf(t, f, "Sheet1", 1, []any{"code", "amount"})
		must(t, f.SetCellValue("Sheet1", "A2", 43554))
		style, err := f.NewStyle(&excelize.Style{NumFmt: 14})
		must(t, err)
		must(t, f.SetCellStyle("Sheet1", "A2", "A2", style))
	})
	rows, read, err := readBook(t, data, cube.Resource{Encoding: "windows-1250"})
	if err != nil || !slices.Equal(rows, []string{"2: 2023-03-31|"}) {
		t.Fatalf("rows %q, %v", rows, err)
	}
	if size, hash, _ := read.Published(); size != int64(len(data)) || hash != fmt.Sprintf("%x", sha256.Sum256(data)) {
		t.Errorf("%d bytes, hash %s", size, hash)
	}
}

func TestTexts_KeepThoseThatAreManyInAFile(t *testing.T) {
	texts := &texts{}
	want := func(i int) string { return strings.Repeat(string(rune('a'+i%26)), 1<<20+i) }
	for i := range 20 {
		must(t, texts.add(want(i)))
	}
	must(t, texts.end())
	for i := range 20 {
		if got, ok, err := texts.at(i); got != want(i) || !ok || err != nil {
			t.Errorf("text %d has %d characters, %v", i, len(got), err)
		}
	}
	must(t, texts.close())
}

func TestTable_SaysThatATextIsAWorkbook(t *testing.T) {
	for start, want := range map[string]string{zipMark: saidWorkbook, oldMark: saidOld} {
		_, _, err := readFile(t, cube.Resource{}, oneFile(start+strings.Repeat("\x00", 100)))
		if got := mistakeText(err); got != "0: "+want+" [bad-workbook]" {
			t.Errorf("got %s", got)
		}
	}
}

// Whatever a sheet holds, it is read to its end or refused with its place.
func FuzzSheet(f *testing.F) {
	const head = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	for _, rows := range []string{`<row r="1"><c r="A1"><v>1</v></c><c r="B1" t="s"><v>0</v></c></row><row r="3"><c t="inlineStr"><is><t>x</t></is></c></row></sheetData></worksheet>`,
		`<row r="1"><c r="XFD1"><v>1E+99</v></c></row></sheetData>`, `<row r="99999999"><c r="A1" t="b"><v>7</v></c></row></sheetData></worksheet>`, `<row><c s="77"><v>4`} {
		f.Add(head + rows)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var data bytes.Buffer
		w := zip.NewWriter(&data)
		for name, part := range map[string]string{"xl/worksheets/sheet1.xml": text,
			"xl/workbook.xml":            `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/sharedStrings.xml":       `<sst><si><t>code</t></si></sst>`} {
			entry, err := w.Create(name)
			must(t, err)
			_, err = io.WriteString(entry, part)
			must(t, err)
		}
		must(t, w.Close())
		all := New(Limits{Unpacked: 1 << 20})
		all.Use(fstest.MapFS{"a.xlsx": &fstest.MapFile{Data: data.Bytes()}})
		table, err := OpenTable(t.Context(), all, &cube.Resource{Name: "a", Path: "a.xlsx", Format: "xlsx"}, func([]byte) {})
		if err != nil {
			return
		}
		defer table.Close()
		for _, err := range table.Lines() {
			if err != nil {
				return
			}
		}
	})
}
