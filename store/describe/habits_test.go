package describe_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/charmap"

	"fiscube/cube/findings"
	"fiscube/schemas"
	"fiscube/store/describe"
	"fiscube/store/load"
)

// rows writes lines below a header. Each office has its own name, each unit one office; amount n is what amount gives of n.
func rows(header string, n int, line func(n int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

var offices = []string{"Educación", "Salud", "Obras públicas"}

// plain is a file of the commonest habit; the others are variations on it.
func plain(mark string, amount func(n int) string) string {
	header := strings.Join([]string{"year", "office_code", "office_name", "unit_code", "unit_name", "approved"}, mark)
	return rows(header, 60, func(n int) string {
		office, unit := n%3, n%6
		return strings.Join([]string{fmt.Sprint(2022 + n/20), fmt.Sprintf("%02d", office+1), offices[office], fmt.Sprintf("%02d%d", office+1, unit),
			fmt.Sprintf("Unidad %c", 'A'+unit), amount(n)}, mark)
	})
}

func encoded(t *testing.T, text string, page *charmap.Charmap) []byte {
	t.Helper()
	data, err := page.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func zipped(text string) []byte {
	var data bytes.Buffer
	w := gzip.NewWriter(&data)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return data.Bytes()
}

func archived(files map[string]string) string {
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	for name, text := range files {
		f, _ := w.Create(name)
		_, _ = io.WriteString(f, text)
	}
	_ = w.Close()
	return data.String()
}

// plainModel is what every file of the commonest content gives, however it is written.
const plainModel = `date: year
administrative-classification: office_code (office_name) → unit_code (unit_name)
measure approved`

// Each file is described, and the package that comes of it is checked as validate does: its model, and the sum of its amounts. Files
// that are no table are refused with what to do.
func TestRead_ReadsFilesOfManyHabits(t *testing.T) {
	cents := func(decimal, group string) func(n int) string {
		return func(n int) string {
			return fmt.Sprintf("%d%s%03d%s%02d", n+1, group, n*7%1000, decimal, n*13%100)
		}
	}
	const centsTotal = "2022 211338.70, 2023 614140.70, 2024 1016939.70" // n+1 thousands, 7n units, 13n mod 100 cents
	for _, test := range []habit{
		{
			name: "commas and points", files: map[string]string{"a.csv": plain(",", cents(".", ""))},
			model: plainModel, total: centsTotal,
			says: []string{"60 of 60 rows: each unit_code has one office_code, and begins with it", "60 of 60 rows: each office_code has one office_name",
				"60 of 60 cells are years: 2022 to 2024", "60 of the first 60 rows have 6 cells between commas"},
		},
		{
			name: "semicolons and decimal commas", files: map[string]string{"a.csv": plain(";", cents(",", "."))},
			model: plainModel, total: centsTotal, says: []string{"a comma before decimals, points between groups of digits (60 of 60 amounts are read so)"},
		},
		{
			name: "Latin-1", files: map[string]string{"a.csv": string(encoded(t, plain(";", cents(",", "")), charmap.ISO8859_1))},
			model: plainModel, total: centsTotal, says: []string{"encoding windows-1252 (it is not UTF-8; 40 of 40 characters beyond ASCII are letters in"},
		},
		{
			name: "Croatian of Windows", files: map[string]string{"a.csv": string(encoded(t, strings.NewReplacer("Educación", "Školstvo i čuvanje", "Obras públicas", "Građenje").Replace(plain(";", cents(",", "."))), charmap.Windows1250))},
			model: plainModel, total: centsTotal, says: []string{"encoding windows-1250"},
		},
		{
			name: "DOS", files: map[string]string{"a.csv": string(encoded(t, plain("|", cents(".", "")), charmap.CodePage850))},
			model: plainModel, total: centsTotal, says: []string{"encoding cp850", "cells between vertical bars"},
		},
		{
			name:  "tabs, a byte-order mark and Windows line ends",
			files: map[string]string{"a.csv": "\ufeff" + strings.ReplaceAll(plain("\t", cents(".", "")), "\n", "\r\n")},
			model: plainModel, total: centsTotal, says: []string{"cells between tabs", "encoding utf-8 (all characters are UTF-8)"},
		},
		{
			name:  "quoted line breaks and quotes",
			files: map[string]string{"a.csv": strings.NewReplacer("Educación", "\"Educación,\n\"\"inicial\"\"\"", "unit_name", "\"unit\nname\"").Replace(plain(",", cents(".", "")))},
			model: strings.Replace(plainModel, "unit_name", "unit name", 1), total: centsTotal,
		},
		{
			name: "thousands between commas, no decimals", files: map[string]string{"a.csv": plain(";", func(n int) string { return fmt.Sprintf("%d,%03d", n+1, n*7%1000) })},
			model: plainModel, total: "2022 211330, 2023 614130, 2024 1016930",
			says: []string{"all 60 marks stand before three digits, so they separate thousands"},
		},
		{
			name: "thousands between no-break spaces", files: map[string]string{"a.csv": plain(";", cents(",", "\u00a0"))},
			model: plainModel, total: centsTotal, says: []string{"a comma before decimals, spaces between groups of digits"},
		},
		{
			name: "dashes for nothing", files: map[string]string{"a.csv": plain(",", func(n int) string {
				if n%5 == 0 {
					return "-"
				}
				return fmt.Sprint(n * 100)
			})},
			model: plainModel, total: "2022 16000, 2023 48000, 2024 80000", says: []string{`48 of 60 cells are numbers, the others are "-"`},
		},
		{
			name: "months as columns",
			files: map[string]string{"gasto.csv": rows("ejercicio,ramo,enero,febrero,marzo", 30, func(n int) string {
				return fmt.Sprintf("%d,%s,%d.50,%d,%d", 2023+n/15, offices[n%3], n, 2*n, 3*n)
			})},
			model: "date: ejercicio\nadministrative-classification: ramo\nmeasure enero\nmeasure febrero\nmeasure marzo",
			total: "2023 112.50 210 315, 2024 337.50 660 990",
			says:  []string{"The amounts of enero, febrero and marzo are of a month each, and so is each measure", "UNPIVOT"},
		},
		{
			name: "codes and names in one cell, and no code in another file",
			files: map[string]string{
				"data/gasto-2023.csv": rows("anio;programa;proyecto_id;monto", 40, func(n int) string {
					return fmt.Sprintf("2023;%d - %s;%d;%d", n%4+1, []string{"Becas", "Obras", "Salud", "Deuda"}[n%4], n%8, n)
				}),
				"data/gasto-2024.csv": rows("anio;programa;monto", 40, func(n int) string {
					return fmt.Sprintf("2024;%d - %s;%d", n%4+1, []string{"Becas", "Obras", "Salud", "Deuda"}[n%4], 2*n)
				}),
			},
			model: "date: anio\nactivity: programa (programa_label) → proyecto_id\nmeasure monto", total: "2023 780, 2024 1560",
			says: []string{"80 of 80 cells join a code and a label"},
		},
		{
			name: "months since January",
			files: map[string]string{"a.csv": rows("anio,mes,partida,ejecutado", 240, func(n int) string {
				return fmt.Sprintf("%d,%02d,P%02d,%d", 2023+n/120, n/10%12+1, n%10, (n/10%12+1)*(n%10+1))
			})},
			model: "date: anio\nmonth: mes\neconomic-classification: partida\nmeasure ejecutado\nthe last mes of each anio counts", total: "2023 4290, 2024 4290",
			says: []string{"amounts stay or grow from one mes to the next: ejecutado in 20 of 20 keys"},
		},
		{
			name: "months of their own",
			files: map[string]string{"a.csv": rows("anio,mes,partida,ejecutado", 240, func(n int) string {
				return fmt.Sprintf("%d,%02d,P%02d,%d", 2023+n/120, n/10%12+1, n%10, n*7919%1000)
			})},
			model: "date: anio\nmonth: mes\neconomic-classification: partida\nmeasure ejecutado", total: "2023 59660, 2024 60260",
			says: []string{"snapshots: none", "write snapshots: {by: mes, per: [anio]}"},
		},
		{
			name: "names in French",
			files: map[string]string{"a.csv": rows("exercice;chapitre;article;libelle chapitre;libellé article;montant", 54, func(n int) string {
				year, chapter, article := 2024+n/27, n/9%3+1, n/3%3+1
				return fmt.Sprintf("%d;%d;%d;Chapitre %c;Article %c%c;%d,50", year, chapter, article, 'A'+chapter, 'A'+chapter, 'A'+article, n)
			})},
			model: "date: exercice\nchapitre: chapitre (libelle chapitre) → article (libellé article)\nmeasure montant", total: "2024 364.50, 2025 1093.50",
			says: []string{"parent: chapitre # 54 of 54 rows: each article has one chapitre"},
		},
		{
			name: "a first amount with an exponent",
			files: map[string]string{"a.csv": rows("year,office,amount", 20, func(n int) string {
				return fmt.Sprintf("2024,%s,%s", offices[n%3], []string{"1.50E+06", "100.5"}[min(n, 1)])
			})},
			model: "date: year\nadministrative-classification: office\nmeasure amount", total: "2024 1501909.5",
		},
		{
			name: "compressed", files: map[string]string{"a.csv.gz": string(zipped(plain(",", cents(".", ""))))}, model: plainModel, total: centsTotal,
		},
		{
			name: "compressed without a name that says so", files: map[string]string{"a.csv": string(zipped(plain(",", cents(".", ""))))}, model: plainModel, total: centsTotal,
		},
		{
			name: "a zip with one file", files: map[string]string{"a.zip": archived(map[string]string{"sub/a.csv": plain("\t", cents(".", ""))})}, model: plainModel, total: centsTotal,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.check(t)
		})
	}
}

// habit is files and what is read from them.
type habit struct {
	name  string
	files map[string]string
	model string
	total string
	says  []string // in the overlay
}

func (h habit) check(t *testing.T) {
	t.Helper()
	files := fstest.MapFS{}
	for path, text := range h.files {
		files[path] = &fstest.MapFile{Data: []byte(text)}
	}
	descriptor, overlay, err := describedFiles(t, files, describe.Options{})
	if err != nil {
		t.Fatal(err)
	}
	model, total := modelAndTotal(t, files, descriptor, overlay)
	if model != h.model || total != h.total {
		t.Errorf("the model is\n%s\nwant\n%s\nthe totals are %s\nwant %s\n%s", model, h.model, total, h.total, overlay)
	}
	plain := strings.Join(strings.Fields(strings.ReplaceAll(string(overlay), "\n#", " ")), " ")
	for _, text := range h.says {
		if !strings.Contains(plain, text) {
			t.Errorf("the overlay does not say %q:\n%s", text, overlay)
		}
	}
}

func TestRead_RefusesWhatIsNoTable(t *testing.T) {
	text := plain(",", func(n int) string { return fmt.Sprint(n) })
	for _, test := range []struct {
		name, text, want string
	}{
		{"a workbook", "PK\x03\x04\x14\x00", "a.csv: the workbook cannot be opened"},
		{"an old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "the file is an old workbook (XLS), no text: open it in the program that made it, and save its table as XLSX or CSV"},
		{"an OpenDocument workbook", archived(map[string]string{"mimetype": "", "content.xml": "", "META-INF/manifest.xml": ""}), "a.csv: the file is an OpenDocument workbook (ODS): save it as XLSX, or its sheet as CSV"},
		{"a zip of several files", archived(map[string]string{"a.csv": text, "b.csv": text}), "a.csv: the file is a zip of 2 files: unpack it, and name its folder or its files"},
		{"a PDF", "%PDF-1.7\n", "the file is a PDF, no text"},
		{"one column", "amount\n1\n2\n", "no character separates columns"},
		{"empty", "", "no character separates columns"},
		{"no amounts", "year,office\n2024,a\n2024,b\n", "no column holds amounts"},
		{"amounts with words", rows("year,amount", 20, func(n int) string {
			return fmt.Sprintf("2024,%s", []string{"100.50", "2000", "30 apples", "40", "50"}[n%5])
		}), `amount: 4 of 20 cells are no numbers, such as "30 apples"`},
		{"amounts in several currencies", "year,office,amount\n2024,a,$5\n2024,b,5 €\n", `amount: its amounts are in several currencies ("$" and "€"), which are never added`},
		{"no year", "office,amount\nA,100.5\nB,20.5\n", "no column, no name of a column and no title says the fiscal year: name it, as in --year 2024. --allow no-year"},
		{"a row that is too long", text + "2024,01,A,B,C,5,6\n", "the row has 7 cells, the schema 6 fields"},
		{"a space behind a quote", "\"year\";\"office\";\"amount\" \n2024;a;5,5\n2024;b;6,5\n", "a.csv:1: a quote stands inside a cell, or a space behind the last one"},
		{"names among amounts, beside numbers of towns", rows("year,ID,town,01,011", 20, func(n int) string {
			return strings.Replace(fmt.Sprintf("2024,%d,t%d,%d.50,%d.25", 1000+n*97, n, n, n), ",10.50,10.25", ",Police,Health", 1)
		}), `01: 1 of 20 cells are no numbers, such as "Police"`},
		{"a quote in a cell", text + "2024,01,\"A\" b,010,C,5\n", "a quote stands inside a cell"},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte(test.text)}}
			_, _, err := describedFiles(t, files, describe.Options{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("it says\n%v\nwant\n%s", err, test.want)
			}
		})
	}
}

func TestRead_DoubtsWhatOnlyNamesTell(t *testing.T) {
	line := func(n int) string { return fmt.Sprintf("2024,\"office %d\",%d.5", n, n) }
	for name, test := range map[string]struct{ text, doubt string }{
		"revenue and expenditure in rows": {"year,line,amount\n2024,Receipts,100.5\n2024,Expenditure,90.5\n2024,Balance,10\n", `Rows of line such as "Receipts" and "Expenditure" are revenue`},
		"an office of revenue":            {"year,office,amount\n2024,Revenue Office,100.5\n2024,Expenditure Board,90.5\n2024,Zoo,10\n", ""},
		"amounts beside those of years":   {"office,budget_2023,budget_2024,capital cost\nA,10.5,20.5,7\nB,30.5,40.5,8\n", "capital cost has amounts, and is left out"},
		"a quote that is not closed":      {rows("year,office,amount", 30, line) + "2024,\"lost\n" + strings.Repeat("x,y\n", 25) + "\",5\n", "A cell of office at line 32 has 26 lines"},
		"a supplier of a name like parts": {"year,supplier,amount\n2024,Davonne Ltd,100.5\n2024,B,90.5\n", ""},
	} {
		d, err := describe.Read(t.Context(), fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte(test.text)}}, []string{"a.csv"}, describe.Options{}, load.Silent{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		said := ""
		for _, doubt := range d.Doubts() {
			said += doubt["en"] + "\n"
		}
		if unknown := strings.Contains(said, "No cell says"); !strings.Contains(said, test.doubt) || (test.doubt == "") != (said == "" || unknown) {
			t.Errorf("%s: the doubts are %q, want %q", name, said, test.doubt)
		}
	}
}

func TestRead_AllowsNoYear(t *testing.T) {
	files := fstest.MapFS{"a.csv": &fstest.MapFile{Data: []byte("office,amount\nA,100.5\nB,20.5\n")}}
	o := describe.Options{Load: load.Options{Allow: []string{findings.NoYear}}}
	if _, _, err := describedFiles(t, files, o); err != nil {
		t.Error(err)
	}
}

// Names and cells of a file stand in comments and in YAML: nothing in them ends a comment, and each is read back as it is.
func TestOverlay_HoldsNamesThatLookLikeYAML(t *testing.T) {
	names := []string{"year", "a: {b}", "# note measures: {x: {}}", "true", "- list", "\"quoted\"", "1e3", "~", "amount: x"}
	var header []string
	for _, name := range names {
		header = append(header, `"`+strings.ReplaceAll(name, `"`, `""`)+`"`)
	}
	text := rows(strings.Join(header, ","), 40, func(n int) string {
		return fmt.Sprintf(`2024,"a%d: # {",b%d,"c%d
levels: {}",d%d,e%d,f%d,g%d,%d.5`, n%2, n%3, n%4, n%5, n%6, n%7, n%8, n)
	})
	files := fstest.MapFS{"my: b #c.csv": &fstest.MapFile{Data: []byte(text)}}
	descriptor, overlay, err := describedFiles(t, files, describe.Options{Schemas: "http://127.0.0.1:8080/schemas"})
	if err != nil {
		t.Fatal(err)
	}
	model, _ := modelAndTotal(t, files, descriptor, overlay)
	for _, name := range names {
		if !strings.Contains(model, name) {
			t.Errorf("the model lacks %q:\n%s\n%s", name, model, overlay)
		}
	}
}

func describedFiles(t *testing.T, files fs.FS, o describe.Options) (descriptor, overlay []byte, err error) {
	t.Helper()
	var paths []string
	for path := range files.(fstest.MapFS) {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	d, err := describe.Read(t.Context(), files, paths, o, load.Silent{})
	if err != nil {
		return nil, nil, err
	}
	descriptor, err = d.Descriptor()
	return descriptor, d.Overlay(), err
}

// modelAndTotal surveys a package as validate does, by the JSON Schemas too.
func modelAndTotal(t *testing.T, files fs.FS, descriptor, overlay []byte) (model, total string) {
	t.Helper()
	for kind, text := range map[schemas.Kind][]byte{schemas.Descriptor: descriptor, schemas.Overlay: overlay} {
		if problems := schemas.Check(kind, text); problems != nil {
			t.Errorf("%s:\n%v\n%s", kind, problems, text)
		}
	}
	source, err := load.OpenMade(context.Background(), files, descriptor, overlay, load.Options{})
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, descriptor, overlay)
	}
	defer func() { _ = source.Close() }()
	survey, err := load.Take(t.Context(), source, load.Silent{})
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, descriptor, overlay)
	}
	var lines []string
	m := survey.Package().Model
	for _, d := range m.Dimensions() {
		for _, chain := range d.Chains() {
			var levels []string
			for _, l := range chain {
				text := l.Ref
				if l.LabelRef != "" {
					text += " (" + l.LabelRef + ")"
				}
				levels = append(levels, text)
			}
			lines = append(lines, d.Name+": "+strings.Join(levels, " → "))
		}
	}
	for _, measure := range m.Measures() {
		lines = append(lines, "measure "+measure.Ref)
	}
	if s := m.Snapshots(); s != nil {
		lines = append(lines, fmt.Sprintf("the last %s of each %s counts", s.By, strings.Join(s.Per, ", ")))
	}
	sums := map[string][]string{}
	for _, total := range survey.Report().Totals {
		sums[total.Year] = append(sums[total.Year], total.Sum)
	}
	var totals []string
	for _, year := range slices.Sorted(maps.Keys(sums)) {
		totals = append(totals, year+" "+strings.Join(sums[year], " "))
	}
	return strings.Join(lines, "\n"), strings.Join(totals, ", ")
}
