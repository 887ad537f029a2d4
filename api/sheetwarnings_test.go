package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"fiscube/cube"
)

const inXLSX = question + "&format=xlsx"

// numbersOfManyDigits are sums and averages of 15 digits and more.
func numbersOfManyDigits(t *testing.T) http.Handler {
	return answering(t, cube.Cell{Values: amounts("0", "0", "0"), Count: 4},
		keys(2016, "a", "A", "19328179465993.43", "3", "123456789012344.500000"),
		keys(2016, "b", "B", "1932817946599.34", "3", "-123456789012345.500000"),
		keys(2016, "c", "C", "12345678901234567.00", "3", "0.123456"),
		keys(2016, "d", "D", "1.00", "1234567890123456", "12345678901234567890.000000"))
}

// What a spreadsheet would not add up says so, where it is read and where it stands.
func TestNumbersOfManyDigitsInAWorkbook(t *testing.T) {
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

func TestNumbersThatFitSayNothing(t *testing.T) {
	r := ask(t, answering(t, cube.Cell{Values: amounts("0", "0", "0"), Count: 1}, keys(1, "1234567890123456", "", "1234567890123.45", "1", "1")), inXLSX)
	if said := r.header.Get("Fiscube-Warnings"); said != "" {
		t.Error(said)
	}
}

func TestCellsOfManyDigits(t *testing.T) {
	file := workbook(t, ask(t, numbersOfManyDigits(t), inXLSX).body)
	for cell, want := range map[string]string{
		"D2": "19328179465993.43", "D4": "12345678901234567.00", "E5": "1234567890123456", // text, to the last digit
		"D3": "1932817946599.34", "F2": "123456789012344", "F3": "-123456789012346", "F4": "0.123456", "F5": "12345678901234600000",
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
		wanted := slices.Contains([]string{"D2", "D4", "E5"}, cell)
		if !wanted {
			text, want = sameNumber(t, text), sameNumber(t, want)
		}
		if isText != wanted || isMarked != wanted || text != want {
			t.Errorf("%s is %s, text: %v, marked: %v", cell, text, isText, isMarked)
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
func TestSheetsDoNotSayHowFarTheyReach(t *testing.T) {
	files := unzip(t, ask(t, numbersOfManyDigits(t), inXLSX).body)
	for _, name := range []string{"xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"} {
		if text := files[name]; !strings.Contains(text, `<sheetData><row r="1">`) || strings.Contains(text, "<dimension") {
			t.Errorf("%s: %.300s", name, text)
		}
	}
}
