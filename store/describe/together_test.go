package describe_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/store/describe"
	"fiscube/store/load"
)

const (
	someFacts = "year,office_code,amount\n2023,01,10.5\n2023,02,20\n2024,01,30\n"
	someCodes = "code,name,address\n01,Mayor,Main street\n02,Schools,High street\n03,Parks,\n"
)

// Files of one package are joined by what their columns are, and amounts of two directions are never added.
func TestRead_TakesFilesTogether(t *testing.T) {
	for _, test := range []struct {
		name         string
		files        map[string]string
		model, total string
		says         []string // in the summary
	}{
		{
			name: "names that differ in case, space and accents",
			files: map[string]string{
				"2023.csv": "Año,Área,Monto total\n2023,Salud,10.5\n2023,Obras,20\n", "2024.csv": "Monto_total;AREA;ano \n30.25;Salud;2024\n1.5;Obras;2024\n",
			},
			model: "date: Año\narea: Área\nmeasure Monto total", total: "2023 30.50, 2024 31.75",
		},
		{
			name: "signs that are more than space",
			files: map[string]string{
				"2023.csv": "year,office,amount\n2023,A,10.5\n2023,B,20\n", "2024.csv": "year,office,amount $\n2024,A,30.25\n2024,B,1.5\n",
			},
			model: "date: year\nadministrative-classification: office\nmeasure amount\nmeasure amount $", total: "2023 30.5, 2024 31.75",
			says: []string{"amount is an amount that 2024.csv lacks", "amount $ is an amount that 2023.csv lacks"},
		},
		{
			name: "revenue and expenditure in files of their own",
			files: map[string]string{
				"town-revenue-2023.csv": "office,amount\nA,100.5\nB,20\n", "town-expenditure-2023.csv": "office,amount\nA,1.5\nB,2\n",
			},
			model: "date: fiscal_year\ndirection: direction\nadministrative-classification: office\nmeasure amount_expenditure\nmeasure amount_revenue", total: "2023 3.5   120.5",
			says: []string{"the direction is from the names of the files, or the titles above their tables: expenditure and revenue"},
		},
		{
			name: "directions in titles, in German",
			files: map[string]string{
				"a.csv": "Einnahmen der Stadt 2023,,\nAmt,Titel,Betrag\nA,x,100.5\nB,y,20\n", "b.csv": "Ausgaben der Stadt 2023,,\nAmt,Titel,Betrag\nA,x,1.5\nB,y,2\n",
			},
			model: "date: fiscal_year\ndirection: direction\namt: Amt\ntitel: Titel\nmeasure Betrag_expenditure\nmeasure Betrag_revenue", total: "2023  120.5 3.5 ",
		},
		{
			name: "a year each, one in the name of the amount",
			files: map[string]string{
				"b2023.csv": "office,Budget 2023\nA,10.5\nB,20\n", "b2024.csv": "office,Budget 2024\nA,30.25\nB,1.5\n",
			},
			model: "date: fiscal_year\nadministrative-classification: office\nmeasure amount", total: "2023 30.50, 2024 31.75",
		},
		{
			name: "a year in a column, and in the name of a file",
			files: map[string]string{
				"town-a.csv": "year,office,amount\n2023,A,10.5\n2022,B,20\n", "town-2024.csv": "office,amount\nA,30.25\nB,1.5\n",
			},
			model: "date: year\nadministrative-classification: office\nmeasure amount", total: "2022 20.00, 2023 10.50, 2024 31.75",
			says: []string{"of town-2024.csv it is 2024, as its name or title says"},
		},
		{
			name: "a code list", files: map[string]string{"facts.csv": someFacts, "offices.csv": someCodes},
			model: "date: year\nadministrative-classification: office_code (name)\nmeasure amount", total: "2023 30.5, 2024 30.0",
			says: []string{"3 rows in 1 file", "offices.csv is a code list: 2 of 2 codes of office_code are in its column code, which has none twice"},
		},
		{
			name: "a code list with the names that the facts have",
			files: map[string]string{
				"facts.csv": "year,function,name,amount\n2024,F1,first,1.5\n2024,F2,second,2\n", "list.csv": "function;name\nF1;Schools\nF2;Parks\n",
			},
			model: "date: year\nfunctional-classification: function (function_name)\nname: name\nmeasure amount", total: "2024 3.5",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for path, text := range test.files {
				files[path] = &fstest.MapFile{Data: []byte(text)}
			}
			descriptor, overlay, err := describedFiles(t, files, describe.Options{})
			if err != nil {
				t.Fatal(err)
			}
			model, total := modelAndTotal(t, files, descriptor, overlay)
			if model != test.model || total != test.total {
				t.Errorf("the model is\n%s\nwant\n%s\nthe totals are %s\nwant %s\n%s\n%s", model, test.model, total, test.total, overlay, descriptor)
			}
			d, err := describe.Read(t.Context(), files, slices.Sorted(maps.Keys(test.files)), describe.Options{}, load.Silent{})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range test.says {
				if summary := strings.Join(d.Summary(), "\n"); !strings.Contains(summary, text) {
					t.Errorf("the summary does not say %q:\n%s", text, summary)
				}
			}
		})
	}
}

// Whatever is wrong with one of several files, the error names it.
func TestRead_NamesTheFileThatIsWrong(t *testing.T) {
	for _, test := range []struct {
		name, other, want string
	}{
		{"a code twice", strings.Replace(someCodes, "03,", "02,", 1), `other.csv: it has no amounts, and is no list of the codes in another file: its column code has "02" twice`},
		{"a code that is not listed", "code,name\n01,Mayor\n", "other.csv: it has no amounts, and is no list of the codes in another file: no column of another file"},
		{"no names", "code,office\n01,1\n02,2\n", "other.csv: it has no amounts, and is no list of the codes in another file: it has no column of names"},
		{"no year", "office_code,amount\n01,5.5\n", "other.csv: it has no column year, as other files have, and neither its name"},
		{"no header", "2023,01,10.5\n2023,02,20\n2024,01,30\n", "other.csv:1: no line has names of columns, as one of facts.csv has"},
		{"one column", "amount\n1\n", "other.csv:1: no character separates columns"},
		{"no text", "%PDF-1.7", "other.csv: the file is a PDF"},
	} {
		files := fstest.MapFS{"facts.csv": &fstest.MapFile{Data: []byte(someFacts)}, "other.csv": &fstest.MapFile{Data: []byte(test.other)}}
		if test.name == "a code twice" {
			files["other.csv"].Data = []byte(strings.Replace(string(files["other.csv"].Data), "code,", "office_code,", 1))
			test.want = strings.Replace(test.want, "column code", "column office_code", 1)
		}
		if _, _, err := describedFiles(t, files, describe.Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: it says\n%v\nwant\n%s", test.name, err, test.want)
		}
	}
	files := fstest.MapFS{}
	for i, name := range []string{"town-2023.csv", "town-2024.csv", "town.csv"} {
		files[name] = &fstest.MapFile{Data: fmt.Appendf(nil, "office,amount\nA,%d.5\nB,2\n", i)}
	}
	if _, _, err := describedFiles(t, files, describe.Options{}); err == nil || !strings.Contains(err.Error(), "town.csv: no column, no name of a column") {
		t.Errorf("the third file has no year, and it says %v", err)
	}
}
