package search

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/internal/fold"
)

// Figure is one of the amounts that a text may mean. An amount that is rounded to its digits is from Least to Most.
type Figure struct {
	Amount      decimal.Decimal
	Least, Most decimal.Decimal
}

// The bounds of figures.
const (
	mostDigits       = 30
	fewestDigits     = 5 // of a number without marks and words, and one less with marks: others are codes and years
	mostFigureLength = 80
)

// figureText matches a number with the signs and words around it.
var figureText = regexp.MustCompile(`^(?:([a-z]{3})\s+|[a-z]{0,3}(?:\$u|[$€£₡₲])\s*)?([-−]?)\s*(?:[a-z]{0,3}(?:\$u|[$€£₡₲])\s*)?(\d[\d.,'’\s]*?)\s*([a-z. ]*?)\s*(?:\$u|[$€£₡₲])?$`)

// scales are the names of powers of ten in English, Spanish and Croatian, folded. Some mean two: mil. is a thousand in Spanish and a
// million in Croatian.
var scales = map[string][]int32{
	"":  {0},
	"k": {3}, "thousand": {3}, "thousands": {3}, "tisuca": {3}, "tisuce": {3}, "tisucu": {3}, "tis": {3}, "tis.": {3}, "miles": {3}, "mil": {3, 6}, "mil.": {3, 6},
	"m": {6}, "mn": {6}, "mln": {6}, "mln.": {6}, "mio": {6}, "mio.": {6}, "million": {6}, "millions": {6}, "millon": {6}, "millones": {6}, "mill": {6}, "mill.": {6}, "mm": {6},
	"mdp": {6}, "milijun": {6}, "milijuna": {6}, "milijuni": {6},
	"b": {9}, "bn": {9}, "billion": {9}, "billions": {9}, "mil millones": {9}, "miles de millones": {9}, "mmdp": {9}, "millardo": {9}, "millardos": {9},
	"milijarda": {9}, "milijarde": {9}, "milijardi": {9}, "milijardu": {9}, "mlrd": {9}, "mlrd.": {9}, "mrd": {9}, "mrd.": {9}, "md": {9},
	"tn": {12}, "trn": {12}, "t": {12}, "trillion": {12}, "trillions": {12}, "billon": {12}, "billones": {12}, "bilijun": {12}, "bilijuna": {12}, "bilijuni": {12},
	"mil billones": {15}, "bilijarda": {15}, "bilijarde": {15}, "bilijardi": {15}, "quadrillion": {15},
	"trillon": {18}, "trillones": {18}, "trilijun": {18}, "trilijuna": {18},
}

// currencies are words and signs of currencies, folded, with the currencies that each may mean. A dollar sign alone means dollars or pesos.
var currencies = map[string][]string{
	"kuna": {"HRK"}, "kn": {"HRK"}, "kune": {"HRK"}, "hrk": {"HRK"}, "eur": {"EUR"}, "euro": {"EUR"}, "euros": {"EUR"}, "eura": {"EUR"}, "€": {"EUR"},
	"usd": {"USD"}, "us$": {"USD"}, "dollars": {"USD"}, "dolares": {"USD"}, "gbp": {"GBP"}, "£": {"GBP"},
	"pesos": pesos, "peso": pesos, "mxn": {"MXN"}, "mx$": {"MXN"}, "mex$": {"MXN"}, "uyu": {"UYU"}, "$u": {"UYU"}, "uy$": {"UYU"}, "dop": {"DOP"}, "rd$": {"DOP"},
	"ars": {"ARS"}, "clp": {"CLP"}, "cop": {"COP"}, "pen": {"PEN"}, "brl": {"BRL"}, "r$": {"BRL"},
	"guaranies": {"PYG"}, "gs": {"PYG"}, "pyg": {"PYG"}, "₲": {"PYG"}, "colones": {"CRC"}, "crc": {"CRC"}, "₡": {"CRC"},
}

var pesos = []string{"MXN", "UYU", "DOP", "ARS", "CLP", "COP"}

// isCurrency tells whether a word may be beside a figure: one of a currency, or between it and the figure.
func isCurrency(word string) bool { return word == "de" || word == "of" || currencies[word] != nil }

// currencySigns are the words and signs of a text that may be a currency.
var currencySigns = regexp.MustCompile(`[a-z]*\$u?|[€£₡₲]|[a-z]+`)

// currencyIn gives the first word or sign of a currency in fields, as it is written there, and the currencies that it may mean.
func currencyIn(fields []string) (written string, codes []string) {
	for _, field := range fields {
		for _, word := range currencySigns.FindAllString(fold.Text(field), -1) {
			if codes := currencies[word]; codes != nil {
				return strings.Trim(field, "0123456789.,;:?"), codes
			}
		}
	}
	return "", nil
}

// ParseFigure reads a text in all ways in which it may be an amount: 1.696 billones, 175,132,659,815 or 175.1 bn. It gives none for other
// texts, and for numbers of few digits without marks and words, which are codes and years.
func ParseFigure(text string) []Figure {
	if len(text) > mostFigureLength {
		return nil
	}
	parts := figureText.FindStringSubmatch(strings.Join(strings.Fields(fold.Text(text)), " "))
	if parts == nil || parts[1] != "" && !isCurrency(parts[1]) {
		return nil
	}
	powers, ok := scales[scaleOf(parts[4])]
	number := strings.TrimRight(parts[3], " .,'’")
	if !ok || number != strings.TrimSpace(parts[3]) && strings.ContainsAny(parts[3], "'’") {
		return nil
	}
	if digits := len(withoutMarks(number)); powers[0] == 0 && (digits < 4 || digits < fewestDigits && digits == len(number)) {
		return nil
	}
	var list []Figure
	for _, plain := range readings(number) {
		for _, power := range powers {
			f, ok := newFigure(parts[2] != "", plain, power)
			if ok && !slices.ContainsFunc(list, func(other Figure) bool { return other.Amount.Equal(f.Amount) && other.Least.Equal(f.Least) }) {
				list = append(list, f)
			}
		}
	}
	return list
}

// FigureAmong gives the longest part of a text, in whole words, that may be an amount; "" if there is none.
func FigureAmong(text string) string {
	words := strings.Fields(text)
	for from, to := range runsOf(words) {
		if part := strings.Join(words[from:to], " "); len(ParseFigure(part)) > 0 {
			return part
		}
	}
	return ""
}

// mostFigureWords is how many words an amount has: 43,6 mil millones de pesos mexicanos has six.
const mostFigureWords = 12

// runsOf gives the places in a list of words where an amount may begin and end, the longest first.
func runsOf(words []string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for size := min(len(words), mostFigureWords); size > 0; size-- {
			for from := 0; from+size <= len(words); from++ {
				if !yield(from, from+size) {
					return
				}
			}
		}
	}
}

// scaleOf gives the words behind a number without those of a currency.
func scaleOf(words string) string {
	fields := strings.Fields(words)
	for len(fields) > 0 && isCurrency(fields[len(fields)-1]) {
		fields = fields[:len(fields)-1]
	}
	return strings.Join(fields, " ")
}

var (
	groups   = regexp.MustCompile(`^\d{1,3}(?:[.,'’ ]\d{3})+$`)
	fraction = regexp.MustCompile(`^\d+[.,]\d+$`)
)

// readings writes a number plainly in each way that its marks allow: 1.696 is 1696 or 1.696.
func readings(number string) []string {
	if strings.Trim(number, "0123456789") == "" {
		return []string{number}
	}
	var list []string
	if fraction.MatchString(number) {
		list = append(list, strings.Replace(number, ",", ".", 1))
	}
	if groups.MatchString(number) && marksOf(number) == 1 {
		list = append(list, withoutMarks(number))
	}
	if last := strings.LastIndexAny(number, ".,"); last > 0 && len(list) == 0 {
		whole, decimals := number[:last], number[last+1:]
		isGroups := groups.MatchString(whole) && marksOf(whole) == 1 && !strings.Contains(whole, number[last:last+1])
		if isGroups && decimals != "" && strings.Trim(decimals, "0123456789") == "" {
			list = append(list, withoutMarks(whole)+"."+decimals)
		}
	}
	return list
}

// marksOf counts the kinds of marks in a number.
func marksOf(number string) int {
	kinds := map[rune]bool{}
	for _, r := range number {
		if r < '0' || r > '9' {
			kinds[r] = true
		}
	}
	return len(kinds)
}

func withoutMarks(number string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number)
}

// newFigure makes an amount of so many powers of ten, or false if it has too many digits.
func newFigure(negative bool, plain string, power int32) (Figure, bool) {
	amount, err := decimal.NewFromString(plain)
	if err != nil || len(plain) > mostDigits {
		return Figure{}, false
	}
	half := decimal.New(5, amount.Exponent()+power-1)
	amount = amount.Shift(power)
	if negative {
		amount = amount.Neg()
	}
	return Figure{amount, amount.Sub(half), amount.Add(half)}, true
}
