package tidy_test

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"fiscube/internal/tidy"
)

func TestLabel(t *testing.T) {
	for label, want := range map[string]string{
		"":                               "",
		"Salud":                          "Salud",
		"  Salud  pública ":              "Salud pública",
		"\u00a0Salud\u00a0\u00a0pública": "Salud pública",
		"Salud\t\r\npública\u0085":       "Salud pública",
		"\x01Salud\x1f":                  "Salud",
		" \u2003\u3000 ":                 "",
		"zero\u200bwidth":                "zero\u200bwidth", // no space, though nothing is to be seen
		"8 - FORMACIÓN":                  "8 - FORMACIÓN",
		"cafe\u0301":                     "caf\u00e9",
	} {
		if got := tidy.Label(label); got != want {
			t.Errorf("Label(%q) = %q, want %q", label, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name, cell, code, label string
		ok                      bool
	}{
		{"a hyphen", "28-UNIVERSIDADES", "28", "UNIVERSIDADES", true},
		{"a hyphen between spaces", "1.1 - Ingresos", "1.1", "Ingresos", true},
		{"spaces alone", "100 GASTOS  CORRIENTES", "100", "GASTOS  CORRIENTES", true},
		{"leading space", "  7 Ñandú", "7", "Ñandú", true},
		{"a label that begins with a sign", "5 (otros)", "5", "(otros)", true},
		{"a date", "2016-01-31", "", "", false},
		{"a range of years", "2016 - 2017", "", "", false},
		{"a plain code", "1.1.2", "", "", false},
		{"a code with a letter", "12a", "", "", false},
		{"a label without a code", "Ingresos - 1", "", "", false},
		{"a number of things", "5 3 puntos", "", "", false},
		{"a code and a hyphen", "5 -", "", "", false},
		{"nothing", "", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, label, ok := tidy.Split(tt.cell)
			if code != tt.code || label != tt.label || ok != tt.ok {
				t.Errorf("got %q, %q, %v", code, label, ok)
			}
		})
	}
}

func TestSplit_IsItsRegularExpression(t *testing.T) {
	joined := regexp.MustCompile(`^\s*(\d[\d.]*)(\s*-\s*|\s+)(\S*\p{L}.*)$`)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		cell := make([]rune, r.IntN(9))
		for i := range cell {
			cell[i] = []rune("01.. --aé(\t")[r.IntN(11)]
		}
		code, label, ok := tidy.Split(string(cell))
		m := joined.FindStringSubmatch(string(cell))
		if ok != (m != nil) || ok && (code != m[1] || label != m[3]) {
			t.Fatalf("%q splits into %q, %q, %v, and matches as %q", string(cell), code, label, ok, m)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"Palace \u202e": "Palace ", "\u2066a\u2069\u200e\u061c": "a", "a\x00b\x7f\ufeff": "ab", "a\U000e0041": "a", "one\ttwo\nthree": "one\ttwo\nthree",
		"می\u200cخواهم": "می\u200cخواهم", "👩\u200d🚒": "👩\u200d🚒", "Čakovec": "Čakovec", "a\xff": "a\ufffd",
	} {
		if got := tidy.Visible(text); got != want {
			t.Errorf("of %q %q is seen, want %q", text, got, want)
		}
	}
}

func TestDigits(t *testing.T) {
	for text, want := range map[string]string{"1,2": "1,2", "١٬٢٣٤٫٥": "1,234.5", "०९": "09", "２０": "20", "é": "é", "٩": "9"} {
		if got := tidy.Digits(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
