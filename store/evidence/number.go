package evidence

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/qualifier"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
	"fiscube/store/load/numeric"
)

// Form is how amounts are written.
type Form struct{ Decimal, Group string }

// Read reads a cell as the survey does.
func (f Form) Read(cell string) (canonical string, decimals int, ok bool) {
	canonical, _, decimals, ok = numeric.FormOf(cube.Field{DecimalChar: f.Decimal, GroupChar: f.Group}).Read(cell)
	return canonical, decimals, ok
}

// Forms are the forms that are tried, the likelier first: of two that read all cells alike the first is taken.
var Forms = []Form{
	{".", ""}, {",", ""}, {".", ","}, {",", "."}, {",", " "}, {",", "\u00a0"}, {",", "\u202f"}, {",", "\u2009"}, {".", " "}, {".", "\u00a0"}, {".", "\u202f"}, {".", "\u2009"},
	{".", "'"}, {".", "’"},
}

const mostForms = 14

// String says a form in words.
func (f Form) String() string {
	text := map[string]string{".": "a point", ",": "a comma"}[f.Decimal] + " before decimals"
	switch f.Group {
	case "":
		return text
	case ".":
		return text + ", points between groups of digits"
	case ",":
		return text + ", commas between groups of digits"
	case "'", "’":
		return text + ", apostrophes between groups of digits"
	}
	return text + ", spaces between groups of digits"
}

// Numbers is what the cells of a column are as numbers.
type Numbers struct {
	Files     []FormCounts
	Negative  int64
	Zeros     int64
	Decimals  int64 // cells with a fraction, in any form
	Others    map[string]int64
	ManyOther bool
	Signs     []string     // that stand around amounts: currencies
	Percents  int64        // cells that end in a sign of percent
	Credits   int64        // cells that end in Cr
	Lengths   map[int]bool // of whole numbers
	Largest   int          // digits of the longest whole part
}

// FormCounts counts the cells of a file by how they can be read.
type FormCounts struct {
	Reads [mostForms]int64 // by form
	Alike [mostForms]int64 // of these, cells with one mark before three digits: decimals or thousands
	Marks int64            // cells with a mark between digits
	Cells int64

	Decorated int64            // cells with signs around their numbers
	Threes    [mostForms]int64 // by form: cells with three decimals and at most three digits before them
	Example   string           // of threes
}

// mostOthers is how many different cells that are no numbers are remembered.
const mostOthers = 4

func (n *Numbers) add(cell string, rows int64) {
	f := &n.Files[len(n.Files)-1]
	f.Cells += rows
	n.Percents += RowsIf(strings.HasSuffix(cell, "%"), rows)
	if digits := tidy.Digits(cell); digits != cell { // of another script, which is read as signs around numbers are
		cell = digits
		f.Decorated += rows
	}
	if number, sign, ok := Undecorated(cell); ok && n.addSign(sign) {
		n.Credits += RowsIf(strings.HasSuffix(strings.ToLower(strings.TrimRight(cell, ".")), "cr"), rows)
		cell = number
		f.Decorated += rows
	}
	marked := strings.ContainsAny(cell, ".,' \u00a0\u202f\u2009’")
	read := false
	for i, form := range Forms {
		digits, decimals, ok := form.Read(cell)
		if !ok {
			continue
		}
		if !read {
			n.Negative += RowsIf(strings.HasPrefix(digits, "-"), rows)
			n.Decimals += RowsIf(decimals > 0, rows)
			n.Zeros += RowsIf(strings.Trim(digits, "-0.") == "", rows)
			whole, _, _ := strings.Cut(strings.TrimPrefix(digits, "-"), ".")
			n.addLength(len(whole))
		}
		read = true
		f.Reads[i] += rows
		if whole, _, _ := strings.Cut(strings.TrimPrefix(digits, "-"), "."); decimals == 3 && len(whole) <= 3 && whole != "0" {
			f.Threes[i] += rows
			f.Example = strings.Clone(cell)
		}
		mark := "." // that may be of thousands or of decimals
		if form.Decimal == "," && form.Group == "" || form.Group == "," {
			mark = ","
		}
		f.Alike[i] += RowsIf(marked && numeric.MayGroup(cell, mark), rows)
	}
	if read {
		f.Marks += RowsIf(marked, rows)
		return
	}
	if n.Others == nil {
		n.Others = map[string]int64{}
	}
	if _, known := n.Others[cell]; !known && len(n.Others) >= mostOthers {
		n.ManyOther = true
		return
	}
	n.Others[cell] += rows
}

// mostSigns is how many signs are remembered.
const mostSigns = 3

// addSign notes a sign beside an amount; false where there are too many for signs of currencies.
func (n *Numbers) addSign(sign string) bool {
	switch {
	case sign == "" || slices.Contains(n.Signs, sign):
	case len(n.Signs) == mostSigns:
		return false
	default:
		n.Signs = append(n.Signs, sign)
	}
	return true
}

func (n *Numbers) addLength(digits int) {
	if n.Lengths == nil {
		n.Lengths = map[int]bool{}
	}
	n.Lengths[digits] = true
	n.Largest = max(n.Largest, digits)
}

// RowsIf gives the rows, or none.
func RowsIf(is bool, rows int64) int64 {
	if is {
		return rows
	}
	return 0
}

// IsDigits tells whether a text is of digits alone.
func IsDigits(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

// HasLetter tells whether a text has a letter.
func HasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// Readable counts the cells that some form reads, the same in each file.
func (n *Numbers) Readable() int64 {
	var total int64
	for _, f := range n.Files {
		total += slices.Max(f.Reads[:])
	}
	return total
}

// MostNothing is how long a text may be that stands for a missing amount.
const MostNothing = 5

// nothingWords stand for a missing amount, however many there are.
var nothingWords = strings.Fields(fold.Text("- – — − -- … ... .. na n/a n.a. nfp nil null none n.d. s/d x . * missing value ref div/0 n/d"))

// IsNothing tells whether a text says that there is no amount.
func IsNothing(text string) bool {
	text = strings.ToLower(strings.Trim(text, "#!() "))
	return slices.Contains(nothingWords, text) || isNotInformed(text)
}

// mostWritten is how many ways of writing a missing amount a descriptor lists.
const mostWritten = 50

// WrittenForNothing gives the texts of MarksOfNothing as they are written, with the space around them.
func (c *Column) WrittenForNothing() []string {
	marks := c.MarksOfNothing()
	written := slices.Clone(marks)
	for _, v := range c.Values {
		if len(written) < mostWritten && !slices.Contains(written, v.Text) && slices.Contains(marks, strings.TrimSpace(v.Text)) {
			written = append(written, v.Text)
		}
	}
	return written
}

// MarksOfNothing gives the few texts that stand where an amount is missing, such as - or n/a, if the column holds amounts
// otherwise.
func (c *Column) MarksOfNothing() []string {
	var texts []string
	for text, rows := range c.Numbers.Others {
		if len([]rune(text)) > MostNothing && !IsNothing(text) || strings.ContainsAny(text, "0123456789") || rows*2 > c.Cells && !IsNothing(text) {
			return nil
		}
		texts = append(texts, text)
	}
	if c.Numbers.ManyOther {
		return nil
	}
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(-cmp.Compare(c.Numbers.Others[a], c.Numbers.Others[b]), cmp.Compare(a, b))
	})
	return texts
}

// isNotInformed tells whether a text stands for a member that nobody knows.
func isNotInformed(text string) bool {
	return slices.Contains(notInformed, plainText(text))
}

// notInformed are texts, folded, that stand for a member that nobody knows.
var notInformed = []string{"no informado", "sin informacion", "sin especificar", "sin dato", "sin datos", "no disponible", "no aplica",
	"not informed", "not specified", "no data", "keine angabe", "not available", "unknown", "nepoznato", "nije navedeno", "nao informado"}

// IsNumber tells whether a cell is an amount in one of the forms that are known.
func IsNumber(cell string) bool {
	if number, _, ok := Undecorated(cell); ok {
		cell = number
	}
	for _, form := range Forms {
		if _, _, ok := form.Read(cell); ok {
			return true
		}
	}
	return false
}

// HasDigit tells whether a text has a digit.
func HasDigit(text string) bool { return strings.ContainsFunc(text, unicode.IsDigit) }

// Amounts have signs around them in many files: a currency ($1,200, 5 €, EUR 5, kn), parentheses or a minus behind the number for what is below
// zero; in ledgers Dr and Cr say it, and in India 1,100/- is no less than 1,100. Table Schema says so by bareNumber: false.

// currencyWords are what stands for a currency beside amounts, in lower case, besides codes and what SignCurrencies has. Single letters are none:
// P01 is a code.
var currencyWords = strings.Fields(fold.Text("rp rm rs kr sfr us bs gs lps din дин грн руб ден лв tl dm dh fcfa cfa tk birr ksh tsh ush nrs euro euros dollars pesos"))

func isCurrency(word string) bool {
	word = strings.ToLower(word)
	return slices.Contains(currencyWords, word) || SignCurrencies[word] != "" || qualifier.MeaningOf("currency", word) != ""
}

// Undecorated takes the signs off an amount. It is false for a cell without signs, and for one that has words or percents beside its number.
func Undecorated(cell string) (number string, sign string, ok bool) {
	number, before, after := numeric.Bare(cell)
	if before == "" && after == "" {
		return "", "", false
	}
	below, signs := 0, []rune(nil)
	after = strings.TrimPrefix(after, "/-")
	if side := strings.ToLower(strings.Trim(after, " .")); side == "dr" || side == "cr" {
		after = ""
		below += int(RowsIf(side == "cr", 1))
	}
	for i, part := range []string{before, after} {
		var letters []rune
		for _, r := range part {
			switch {
			case r == '–' && (i == 0 || strings.HasPrefix(after, "–")): // a dash is a minus, but not that of 100.–
				below++
			case unicode.IsLetter(r):
				letters = append(letters, r)
			case unicode.Is(unicode.Sc, r):
				signs = append(signs, r)
			case r == '-' || r == '−' || r == '(':
				below++
			case r == ')' || r == '+' || r == '.' || r == '–' || unicode.IsSpace(r):
			default:
				return "", "", false
			}
		}
		if len(letters) > 0 && !isCurrency(string(letters)) {
			return "", "", false
		}
		signs = append(signs, letters...)
	}
	if below > 1 || strings.Contains(before, "(") != strings.Contains(after, ")") {
		return "", "", false
	}
	return number, string(signs), true
}

// SignCurrencies are the currencies that a sign means in one country alone.
var SignCurrencies = map[string]string{"€": "EUR", "£": "GBP", "₴": "UAH", "₹": "INR", "₽": "RUB", "₺": "TRY", "₪": "ILS", "₦": "NGN", "₫": "VND", "₩": "KRW", "฿": "THB",
	"₱": "PHP", "₲": "PYG", "kč": "CZK", "zł": "PLN", "kn": "HRK", "fr": "CHF", "lei": "RON", "ft": "HUF"}
