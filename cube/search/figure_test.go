package search

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

func TestParseFigure(t *testing.T) {
	for text, want := range map[string]string{
		"1.696 billones":              "1696000000000±500000000 1696000000000000±500000000000",
		"1,696 billones":              "1696000000000±500000000 1696000000000000±500000000000",
		"175,132,659,815":             "175132659815±0.5",
		"175.132.659.815":             "175132659815±0.5",
		"175 132 659 815":             "175132659815±0.5",
		"175\u00a0132\u202f659'815":   "",
		"175'132'659'815":             "175132659815±0.5",
		"175132659815":                "175132659815±0.5",
		"175132659815.25":             "175132659815.25±0.005",
		"175.132.659.815,25":          "175132659815.25±0.005",
		"175,132,659,815.25":          "175132659815.25±0.005",
		"175.1 bn":                    "175100000000±50000000",
		"175.1bn":                     "175100000000±50000000",
		"$175.1bn":                    "175100000000±50000000",
		"MXN 175.1 billion":           "175100000000±50000000",
		"175.1 billion MXN":           "175100000000±50000000",
		"175,1 mil millones":          "175100000000±50000000",
		"175,1 mil millones de pesos": "175100000000±50000000",
		"12,3 milijardi":              "12300000000±50000000",
		"12,3 milijardi kuna":         "12300000000±50000000",
		"12,3 mlrd. kn":               "12300000000±50000000",
		"$U 1.000.000":                "1000000±0.5",
		"-$U1.000.000":                "-1000000±0.5",
		"1.000.000 $U":                "1000000±0.5",
		"3 mil":                       "3000±500 3000000±500000",
		"-1.5 m":                      "-1500000±50000",
		"−1,50 M€":                    "-1500000±5000",
		"1.696":                       "1.696±0.0005 1696±0.5",
		"12345":                       "12345±0.5",
		// not an amount
		"2011": "", "010": "", "0.5": "", "1,5": "", "1.2.3": "", "1.23.456": "", "12,34,567": "", "1,234.567,8": "", "1,2,3": "", "salud 2011": "", "12a": "", "": "", "bn": "",
		"1.696 salud": "", "..": "", "$": "", "1,234.567.890": "", "1''234": "",
		"1234567890123456789012345678901": "", "abc 12345": "",
	} {
		var got []string
		for _, f := range ParseFigure(text) {
			got = append(got, f.Amount.String()+"±"+f.Most.Sub(f.Amount).String())
			if !f.Amount.Sub(f.Least).Equal(f.Most.Sub(f.Amount)) {
				t.Errorf("%q is from %s to %s", text, f.Least, f.Most)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// A figure is near what was typed, however it was typed, and reading it takes few steps.
func FuzzParseFigure(f *testing.F) {
	for _, text := range []string{"1.696 billones", "175,132,659,815", "−1,50 M€", "1e999999999", "9999999999999999999999999999 trillones", "\x00\xff", "1'2", "mxn 5 . ,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := ParseFigure(text)
		if len(list) > 4 {
			t.Errorf("%q has %d readings", text, len(list))
		}
		for _, figure := range list {
			if !figure.Least.LessThan(figure.Amount) || !figure.Amount.LessThan(figure.Most) || len(figure.Amount.String()) > 2*mostDigits ||
				figure.Amount.Abs().GreaterThan(decimal.New(1, mostDigits+18)) {
				t.Errorf("%q is %s, from %s to %s", text, figure.Amount, figure.Least, figure.Most)
			}
		}
	})
}

// An amount among other words is found, which a search that finds nothing offers to look for.
func TestFigureAmong(t *testing.T) {
	for text, want := range map[string]string{
		"43.6 billion pesos army 2010": "43.6 billion pesos", "mexico 175,132,659,815": "175,132,659,815", "ejército 43,6 mil millones de pesos": "43,6 mil millones de pesos",
		"166,1 mlrd. kuna obrana": "166,1 mlrd. kuna", "police 2010": "", "": "", "2010 2011 2012": "",
	} {
		if got := FigureAmong(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
