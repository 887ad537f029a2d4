package words_test

import (
	"testing"

	"fiscube/cube"
	"fiscube/cube/words"
)

func TestReadDecimal(t *testing.T) {
	english, croatian := words.Locale{Language: cube.English}, words.Locale{Language: "hr"}
	for _, tt := range []struct {
		in         words.Locale
		text, want string // "" for no number
	}{
		{english, "1,234,567.50", "1234567.5"}, {english, " -12 345 ", "-12345"}, {english, "1,5", "1.5"}, {english, "1,234", "1234"},
		{english, "12,34,567", ""}, {english, "1.234.567", ""}, {english, "1e9", ""}, {english, "", ""}, {english, "1234,567", ""},
		{croatian, "1.234.567,50", "1234567.5"}, {croatian, "1234.56", "1234.56"}, {croatian, "1.234", "1234"}, {croatian, "−1,0", "-1"},
		{words.Locale{Language: "es", Region: "CR"}, "1 234,5", "1234.5"}, {words.Locale{Language: "es", Region: "MX"}, "1,234.5", "1234.5"},
	} {
		got, ok := tt.in.ReadDecimal(tt.text)
		if ok != (tt.want != "") || ok && got.String() != tt.want {
			t.Errorf("%q in %s is %s, %v", tt.text, tt.in.Language, got, ok)
		}
	}
}
