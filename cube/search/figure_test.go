package search

import (
	"cmp"
	"strconv"
	"strings"
	"testing"

	"fiscube/internal/each"
	"fiscube/internal/golden"

	"github.com/shopspring/decimal"
)

func TestParseFigure(t *testing.T) {
	golden.Answers(t, "testdata/figures.txt", func(quoted string) string {
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", quoted, err)
		}
		return cmp.Or(strings.Join(each.Text(ParseFigure(text), func(f Figure) string {
			if !f.Amount.Sub(f.Least).Equal(f.Most.Sub(f.Amount)) {
				t.Errorf("%q is from %s to %s", text, f.Least, f.Most)
			}
			return f.Amount.String() + "±" + f.Most.Sub(f.Amount).String()
		}), " "), "none")
	})
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
