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

// Every text says the same in each language: what stands for something stands in each, in the same order.
func TestWords_OfEveryLanguageSayTheSame(t *testing.T) {
	for name, texts := range map[string]any{
		"citation": citationTexts, "warning": warningTexts, "compared": comparedTexts, "mixed": mixedTexts, "file": fileTexts, "search": searchTexts,
	} {
		table := reflect.ValueOf(texts)
		english := verbs(table.MapIndex(reflect.ValueOf(cube.English)), name)
		if spanish := verbs(table.MapIndex(reflect.ValueOf(cube.Spanish)), name); !slices.Equal(english, spanish) || len(english) == 0 {
			t.Errorf("in English %q\nin Spanish %q", english, spanish)
		}
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
		if got := strings.Join(yearSpans(years, citationTexts[cube.Spanish].to), "|"); got != want {
			t.Errorf("%v: %q, want %q", years, got, want)
		}
	}
}

func TestTitles_OfMeasuresAndLabels(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{MeasureTitle(cube.Measure{Ref: "m", Title: "Approved", Currency: "HRK"}, cube.English), "Approved (HRK)"},
		{MeasureTitle(cube.Measure{Ref: "m", Titles: cube.Titles{"es": "Aprobado"}, Currency: "CRC", Unit: 1000}, cube.Spanish), "Aprobado (× 1000 CRC)"},
		{MeasureTitle(cube.Measure{Ref: "m"}, cube.Spanish), "m"},
		{LabelTitle("Programa", cube.Spanish), "Programa: nombre"},
		{LabelTitle("Programme", cube.English), "Programme: name"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
