package words_test

import (
	"strings"
	"testing"

	"fiscube/cube/words"
)

func TestLists_ConjunctionsBeforeSounds(t *testing.T) {
	for _, tt := range []struct {
		join  func(words.Locale, []string) string
		in    string
		form  string
		nexts string
	}{
		{words.Locale.Or, "es", " u ", "8 80 83 800 8000 8/12 11 11/2 11000 11000000 ocho Once Oficina Óscar OEA hoja HOSPITAL «Obras»"},
		{words.Locale.Or, "es", " o ", "7 08 18 1 110 111 1100 1180 110000 2008 Educación Huila Hacienda Humanidades uno"},
		{words.Locale.And, "es", " e ", "Instituto Índice ingresos Hidalgo Híjar I Ypacaraí (Ingresos)"},
		{words.Locale.And, "es", " y ", "hielo hierro Hiato iones Yeso yute y 1 11 Educación Huila Justicia"},
		{words.Locale.Or, "en", " or ", "8 11 Oficina"},
		{words.Locale.And, "en", " and ", "Instituto Hidalgo"},
	} {
		for next := range strings.FieldsSeq(tt.nexts) {
			if got, want := tt.join(locale(tt.in), []string{"A", next}), "A"+tt.form+next; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}

func TestLists_InSentences(t *testing.T) {
	es := locale("es")
	for list, want := range map[string][2]string{
		"":             {"", ""},
		"7":            {"7", "7"},
		"7,8":          {"7 u 8", "7 y 8"},
		"A,Otros,I,10": {"A u Otros o I o 10", "A, Otros, I y 10"},
		"A,B,Ingresos": {"A o B o Ingresos", "A, B e Ingresos"},
	} {
		texts := strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
		if got := [2]string{es.Or(texts), es.And(texts)}; got != want {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
	}
}

// A plural form is chosen by the number as it is written, by the rules of Unicode CLDR.
func TestSay_PicksTheFormForANumber(t *testing.T) {
	hr := words.Locale{Language: "hr"}
	for want, numbers := range map[string][]int{
		"redak": {1, 21, 101, 1001, -1}, "retka": {2, 3, 4, 22, 104}, "redaka": {0, 5, 10, 11, 12, 14, 19, 20, 25, 111, 112, 1000000},
	} {
		for _, n := range numbers {
			if got := hr.Say("view.cells", "Count", n); got != hr.Whole(int64(n))+" "+want {
				t.Errorf("%d: %s", n, got)
			}
		}
	}
	if got := hr.Say("view.cells", "Count", words.Digits(1234)); got != "1234 retka" {
		t.Error(got)
	}
}

// A message that does not exist, or has other parameters, breaks the tests that say it.
func TestSay_PanicsInTests(t *testing.T) {
	for _, say := range []func(words.Locale) string{
		func(l words.Locale) string { return l.Say("no-such" + ".message") },
		func(l words.Locale) string { return l.Say("view.cells") },
		func(l words.Locale) string { return l.Say("view.total", "Total", 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("nothing happens")
				}
			}()
			_ = say(locale("es"))
		}()
	}
}
