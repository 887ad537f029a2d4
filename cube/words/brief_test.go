package words_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/words"
)

func TestBrief(t *testing.T) {
	for _, tt := range []struct {
		language                cube.Language
		amount, currency        string
		wantBrief, wantInFigure string
	}{
		{"en", "12370883936.76", "HRK", "12.4 billion kuna", "12.4 bn"},
		{"en", "4644000000", "XTS", "4.64 billion XTS", "4.64 bn"},
		{"en", "884900000", "", "884.9 million", "884.9 m"},
		{"en", "999960000", "", "1.00 billion", "1.00 bn"},
		{"en", "9996000", "", "10.0 million", "10.0 m"},
		{"en", "-30926.4", "EUR", "−30,926 euros", "−30,926"},
		{"en", "3.456", "", "3.46", "3.46"},
		{"en", "0", "HRK", "0 kuna", "0"},
		{"en", "1000000000", "HRK", "1 billion kuna", "1 bn"},
		{"es", "-1000000000", "HRK", "−mil millones de kunas", "−1 mil M"},
		{"hr", "21000000000", "HRK", "21 milijarda kuna", "21 mlrd."},
		{"hr", "3000000000000000", "", "3 bilijarde", "3 bilijardi"},
		{"en", "1234567890123456789012345678", "", "1,234,567.9 sextillion", "1,234,567.9 sextillion"},
		{"hr", "166100000000", "HRK", "166,1 milijarda kuna", "166,1 mlrd."},
		{"hr", "39320000000", "HRK", "39,3 milijarde kuna", "39,3 mlrd."},
		{"hr", "63293", "HRK", "63.293 kune", "63.293"},
		{"hr", "30921", "EUR", "30.921 euro", "30.921"},
		{"fr", "81000000001", "MXN", "81,0 milliards de pesos", "81,0 Md"},
		{"fr", "81000000000", "EUR", "81 milliards d’euros", "81 Md"},
		{"en", "1", "MXN", "1 peso", "1"},
		{"es", "12370883936.76", "MXN", "12,4 mil millones de pesos", "12,4 mil M"},
	} {
		l, amount := words.Locale{Language: tt.language}, decimal.RequireFromString(tt.amount)
		if got := l.Brief(amount, tt.currency); got != tt.wantBrief {
			t.Errorf("%s: %s is %q, want %q", tt.language, tt.amount, got, tt.wantBrief)
		}
		if got := l.Short(amount); got != tt.wantInFigure {
			t.Errorf("%s: %s is %q in figures, want %q", tt.language, tt.amount, got, tt.wantInFigure)
		}
	}
}
