package cube

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestConjunctionsBeforeSounds(t *testing.T) {
	for _, tt := range []struct {
		kind  string
		joint conjunction
		form  string
		nexts string
	}{
		{"or", citationTexts[Spanish].or, " u ", "8 80 83 800 8000 8/12 11 11/2 11000 11000000 ocho Once Oficina Óscar OEA hoja HOSPITAL «Obras»"},
		{"or", citationTexts[Spanish].or, " o ", "7 08 18 1 110 111 1100 1180 110000 2008 Educación Huila Hacienda Humanidades uno"},
		{"and", citationTexts[Spanish].and, " e ", "Instituto Índice ingresos Hidalgo Híjar I Ypacaraí (Ingresos)"},
		{"and", citationTexts[Spanish].and, " y ", "hielo hierro Hiato iones Yeso yute y 1 11 Educación Huila Justicia"},
		{"or", citationTexts[English].or, " or ", "8 11 Oficina"},
		{"and", citationTexts[English].and, " and ", "Instituto Hidalgo"},
	} {
		for next := range strings.FieldsSeq(tt.nexts) {
			if got := tt.joint.form(next); got != tt.form {
				t.Errorf("%s before %q is %q, want %q", tt.kind, next, got, tt.form)
			}
		}
	}
}

func TestListsInSentences(t *testing.T) {
	or, and := citationTexts[Spanish].or, citationTexts[Spanish].and
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

func TestSpansOfYears(t *testing.T) {
	for want, years := range map[string][]int64{
		"": nil, "2016": {2016}, "2016 a 2017": {2016, 2017}, "2008 a 2010|2013": {2008, 2009, 2010, 2013},
		"2008|2010|2012": {2008, 2010, 2012},
	} {
		if got := strings.Join(yearSpans(years, citationTexts[Spanish].to), "|"); got != want {
			t.Errorf("%v: %q, want %q", years, got, want)
		}
	}
}

// What was stored before titles had languages has one title.
func TestTitlesOfAPackage(t *testing.T) {
	for stored, want := range map[string][2]string{
		`{}`:                     {"", ""},
		`{"title": "Published"}`: {"Published", "Published"},
		`{"title": "Budget", "titles": {"en": "Budget", "es": "Presupuesto"}}`: {"Budget", "Presupuesto"},
		`{"title": "Orçamento", "titles": {"pt": "Orçamento"}}`:                {"Orçamento", "Orçamento"},
	} {
		p := &Package{}
		if err := json.Unmarshal([]byte(stored), p); err != nil {
			t.Fatal(err)
		}
		if got := [2]string{p.TitleIn(English), p.TitleIn(Spanish)}; got != want {
			t.Errorf("%s: %q, want %q", stored, got, want)
		}
	}
}
