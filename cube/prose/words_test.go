package prose

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

var verb = regexp.MustCompile(`%.`)

// verbs lists the formats in a value by where they stand, with their verbs.
func verbs(v reflect.Value, at string) []string {
	switch v.Kind() {
	case reflect.String:
		return []string{at + ": " + strings.Join(verb.FindAllString(v.String(), -1), " ")}
	case reflect.Struct:
		var list []string
		for i := range v.NumField() {
			list = append(list, verbs(v.Field(i), at+"."+v.Type().Field(i).Name)...)
		}
		return list
	case reflect.Map:
		var list []string
		for _, key := range v.MapKeys() {
			list = append(list, verbs(v.MapIndex(key), fmt.Sprintf("%s[%v]", at, key))...)
		}
		slices.Sort(list)
		return list
	case reflect.Array:
		var list []string
		for i := range v.Len() {
			list = append(list, verbs(v.Index(i), fmt.Sprintf("%s[%d]", at, i))...)
		}
		return list
	}
	return nil
}

// allTexts has every table of templates.
var allTexts = map[string]any{
	"amount": amountTexts, "page": pageTexts, "publish": publishTexts, "break": breakTexts, "citation": citationTexts, "compared": comparedTexts, "doubt": doubtTexts, "figure": figureTexts, "file": fileTexts, "mixed": mixedTexts, "readme": readmeTexts,
	"remainders of nodes": remaindersOfNodes, "same": sameTexts, "search": searchTexts, "sums of cells": sumsOfCells, "sums of kept": sumsOfKept,
	"telling": tellingTexts, "warning": warningTexts,
}

// Every text says the same in each language: what stands for something stands in each, in the same order.
func TestWords_OfEveryLanguageSayTheSame(t *testing.T) {
	for name, texts := range allTexts {
		table := reflect.ValueOf(texts)
		english := verbs(table.MapIndex(reflect.ValueOf(cube.English)), name)
		for _, language := range cube.Languages {
			own := table.MapIndex(reflect.ValueOf(language))
			if !own.IsValid() {
				t.Errorf("%s has nothing in %s", name, language)
			} else if got := verbs(own, name); !slices.Equal(english, got) || len(english) == 0 {
				t.Errorf("in en %q\nin %s %q", english, language, got)
			}
			for _, text := range written(own) {
				if text == "" {
					t.Errorf("%s has an empty text in %s", name, language)
				}
			}
		}
		if table.Len() != len(cube.Languages) {
			t.Errorf("%s has %d languages", name, table.Len())
		}
	}
}

// written lists the texts in a value, but those of a conjunction, which may have a single form.
func written(v reflect.Value) []string {
	var list []string
	switch {
	case v.Type() == reflect.TypeFor[conjunction]():
	case v.Kind() == reflect.String:
		list = append(list, v.String())
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			list = append(list, written(v.Field(i))...)
		}
	case v.Kind() == reflect.Map:
		for _, key := range v.MapKeys() {
			list = append(list, written(v.MapIndex(key))...)
		}
	case v.Kind() == reflect.Array:
		for i := range v.Len() {
			list = append(list, written(v.Index(i))...)
		}
	}
	return list
}

// People are told nothing in the words of programs and of those who write overlays.
func TestWords_ToPeopleAreTheirs(t *testing.T) {
	others := regexp.MustCompile(`(?i)\bcell|celda|ćelij|overlay|crosswalk|snapshot|\bnull|nulo|having|statement|declaraci|\bmember|miembro|[ (]član|dimensi`)
	for name, texts := range map[string]any{"telling": tellingTexts, "citation": citationTexts} {
		for _, language := range cube.Languages {
			for _, text := range written(reflect.ValueOf(texts).MapIndex(reflect.ValueOf(language))) {
				if found := others.FindString(text); found != "" {
					t.Errorf("%s in %s says %q: %s", name, language, found, text)
				}
			}
		}
	}
}

// A word after a number has as many forms as its language.
func TestWords_FormsAfterNumbers(t *testing.T) {
	forms := regexp.MustCompile(`\{[^{}]*\}`)
	for name, texts := range allTexts {
		for _, language := range cube.Languages {
			for _, text := range written(reflect.ValueOf(texts).MapIndex(reflect.ValueOf(language))) {
				want := 2
				if language == cube.Croatian {
					want = 3
				}
				for _, found := range forms.FindAllString(text, -1) {
					if got := strings.Count(found, "|") + 1; got != want || !strings.Contains(text, "%d "+found) {
						t.Errorf("%s in %s: %s", name, language, text)
					}
				}
			}
		}
	}
}

func TestFill_PicksTheFormForANumber(t *testing.T) {
	for want, numbers := range map[string][]int{
		"redak": {1, 21, 101, 1001, -1}, "retka": {2, 3, 4, 22, 104}, "redaka": {0, 5, 10, 11, 12, 14, 19, 20, 25, 111, 112, 1000000},
	} {
		for _, n := range numbers {
			if got := fill("%s: %d {redak|retka|redaka}, 100%%", "{a|b} 2 {c|d}", n); got != fmt.Sprintf("{a|b} 2 {c|d}: %d %s, 100%%", n, want) {
				t.Errorf("%d: %s", n, got)
			}
		}
	}
	for n, want := range map[int64]string{0: "0 rows", 1: "1 row", 2: "2 rows", 21: "21 rows", -1: "-1 row"} {
		if got := fill("%d {row|rows}", n); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got, want := fill("%[2]d {row|rows} of %[1]d {file|files}", 1, 2), "2 rows of 1 file"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWords_SpansOfYearsInCroatian(t *testing.T) {
	if got, want := strings.Join(citationTexts[cube.Croatian].yearSpans([]int64{2008, 2009, 2010, 2013}), "|"), "od 2008. do 2010.|2013."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := warningTexts[cube.Croatian].years([]int64{2008, 2009, 2010, 2012, 2013}), "2008. – 2010., 2012., 2013."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWords_ConjunctionsBeforeSounds(t *testing.T) {
	for _, tt := range []struct {
		kind  string
		joint conjunction
		form  string
		nexts string
	}{
		{"or", citationTexts[cube.Spanish].or, " u ", "8 80 83 800 8000 8/12 11 11/2 11000 11000000 ocho Once Oficina Óscar OEA hoja HOSPITAL «Obras»"},
		{"or", citationTexts[cube.Spanish].or, " o ", "7 08 18 1 110 111 1100 1180 110000 2008 Educación Huila Hacienda Humanidades uno"},
		{"and", citationTexts[cube.Spanish].and, " e ", "Instituto Índice ingresos Hidalgo Híjar I Ypacaraí (Ingresos)"},
		{"and", citationTexts[cube.Spanish].and, " y ", "hielo hierro Hiato iones Yeso yute y 1 11 Educación Huila Justicia"},
		{"or", citationTexts[cube.English].or, " or ", "8 11 Oficina"},
		{"and", citationTexts[cube.English].and, " and ", "Instituto Hidalgo"},
	} {
		for next := range strings.FieldsSeq(tt.nexts) {
			if got := tt.joint.form(next); got != tt.form {
				t.Errorf("%s before %q is %q, want %q", tt.kind, next, got, tt.form)
			}
		}
	}
}

func TestWords_ListsInSentences(t *testing.T) {
	or, and := citationTexts[cube.Spanish].or, citationTexts[cube.Spanish].and
	for list, want := range map[string][2]string{
		"7":            {"7", "7"},
		"7,8":          {"7 u 8", "7 y 8"},
		"A,Otros,I,10": {"A u Otros o I o 10", "A, Otros, I y 10"},
		"A,B,Ingresos": {"A o B o Ingresos", "A, B e Ingresos"},
	} {
		texts := strings.Split(list, ",")
		if got := [2]string{or.between(texts), and.last(texts)}; got != want {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
	}
	if got := and.last(nil); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

func TestWords_SpansOfYears(t *testing.T) {
	for want, years := range map[string][]int64{
		"": nil, "2016": {2016}, "2016 a 2017": {2016, 2017}, "2008 a 2010|2013": {2008, 2009, 2010, 2013},
		"2008|2010|2012": {2008, 2010, 2012},
	} {
		if got := strings.Join(citationTexts[cube.Spanish].yearSpans(years), "|"); got != want {
			t.Errorf("%v: %q, want %q", years, got, want)
		}
	}
}

func TestTitles_OfMeasuresAndLabels(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{MeasureTitle(cube.Measure{Ref: "m", Title: "Approved", Currency: "HRK"}, cube.English), "Approved (HRK)"},
		{MeasureTitle(cube.Measure{Ref: "m", Titles: cube.Titles{"es": "Aprobado"}, Currency: "CRC", Unit: 1000}, cube.Spanish), "Aprobado (× 1000 CRC)"},
		{MeasureTitle(cube.Measure{Ref: "m"}, cube.Spanish), "m"},
		{labelTitle("Programa", cube.Spanish), "Programa: nombre"},
		{labelTitle("Programme", cube.English), "Programme: name"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// Croatian pages speak to one reader alike, as do those for a stranger: none of their words is an order to a friend.
func TestPage_CroatianIsPolite(t *testing.T) {
	familiar := regexp.MustCompile(`(?i)(^|\PL)(preuzmi|pitaj|traži|kopiraj|zatvori|dodaj|ukloni|nađi|otvori|usporedi|poredaj|pokušaj|raščlani|prikaži|vidiš)(\PL|$)`)
	words := reflect.ValueOf(Page(cube.Croatian))
	for i := range words.NumField() {
		if text := words.Field(i); text.Kind() == reflect.String && familiar.MatchString(text.String()) {
			t.Errorf("%s: %s", words.Type().Field(i).Name, text)
		}
	}
}

// Texts have the quotation marks of their language.
func TestPage_QuotesAsTheLanguageDoes(t *testing.T) {
	foreign := map[cube.Language]string{cube.English: "«»„", cube.Spanish: "“”„", cube.Croatian: "”«»"}
	for _, l := range cube.Languages {
		for _, words := range []any{Page(l), Doubts(l)} {
			all := reflect.ValueOf(words)
			for i := range all.NumField() {
				if text := all.Field(i); text.Kind() == reflect.String && strings.ContainsAny(text.String(), foreign[l]) {
					t.Errorf("%s in %s: %s", all.Type().Field(i).Name, l, text)
				}
			}
		}
	}
}
