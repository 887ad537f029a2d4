package describe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/internal/tidy"
	"fiscube/store/load/numeric"
)

// numberForm is how amounts are written.
type numberForm struct{ decimal, group string }

// read reads a cell as the survey does.
func (f numberForm) read(cell string) (canonical string, decimals int, ok bool) {
	canonical, _, decimals, ok = numeric.FormOf(cube.Field{DecimalChar: f.decimal, GroupChar: f.group}).Read(cell)
	return canonical, decimals, ok
}

// plain is the form that needs no declaration.
const plain = 0

// numberForms are the forms that are tried, the likelier first: of two that read all cells alike the first is taken.
var numberForms = []numberForm{
	{".", ""}, {",", ""}, {".", ","}, {",", "."}, {",", " "}, {",", "\u00a0"}, {",", "\u202f"}, {",", "\u2009"}, {".", " "}, {".", "\u00a0"}, {".", "\u202f"}, {".", "\u2009"},
	{".", "'"}, {".", "’"},
}

const mostForms = 14

// String says a form in words.
func (f numberForm) String() string {
	text := map[string]string{".": "a point", ",": "a comma"}[f.decimal] + " before decimals"
	switch f.group {
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

// numbers is what the cells of a column are as numbers.
type numbers struct {
	files     []formCounts
	negative  int64
	zeros     int64
	decimals  int64 // cells with a fraction, in any form
	others    map[string]int64
	manyOther bool
	signs     []string     // that stand around amounts: currencies
	percents  int64        // cells that end in a sign of percent
	credits   int64        // cells that end in Cr
	lengths   map[int]bool // of whole numbers
	largest   int          // digits of the longest whole part
}

// formCounts counts the cells of a file by how they can be read.
type formCounts struct {
	reads [mostForms]int64 // by form
	alike [mostForms]int64 // of these, cells with one mark before three digits: decimals or thousands
	marks int64            // cells with a mark between digits
	cells int64

	decorated int64            // cells with signs around their numbers
	threes    [mostForms]int64 // by form: cells with three decimals and at most three digits before them
	example   string           // of threes
}

func (n *numbers) begin() { n.files = append(n.files, formCounts{}) }

// mostOthers is how many different cells that are no numbers are remembered.
const mostOthers = 4

func (n *numbers) add(cell string, rows int64) {
	f := &n.files[len(n.files)-1]
	f.cells += rows
	n.percents += boolRows(strings.HasSuffix(cell, "%"), rows)
	if digits := tidy.Digits(cell); digits != cell { // of another script, which is read as signs around numbers are
		cell = digits
		f.decorated += rows
	}
	if number, sign, ok := undecorated(cell); ok && n.addSign(sign) {
		n.credits += boolRows(strings.HasSuffix(strings.ToLower(strings.TrimRight(cell, ".")), "cr"), rows)
		cell = number
		f.decorated += rows
	}
	marked := strings.ContainsAny(cell, ".,' \u00a0\u202f\u2009’")
	read := false
	for i, form := range numberForms {
		digits, decimals, ok := form.read(cell)
		if !ok {
			continue
		}
		if !read {
			n.negative += boolRows(strings.HasPrefix(digits, "-"), rows)
			n.decimals += boolRows(decimals > 0, rows)
			n.zeros += boolRows(strings.Trim(digits, "-0.") == "", rows)
			whole, _, _ := strings.Cut(strings.TrimPrefix(digits, "-"), ".")
			n.addLength(len(whole))
		}
		read = true
		f.reads[i] += rows
		if whole, _, _ := strings.Cut(strings.TrimPrefix(digits, "-"), "."); decimals == 3 && len(whole) <= 3 && whole != "0" {
			f.threes[i] += rows
			f.example = strings.Clone(cell)
		}
		if marked && isAlike(cell, form) {
			f.alike[i] += rows
		}
	}
	if read {
		f.marks += boolRows(marked, rows)
		return
	}
	if n.others == nil {
		n.others = map[string]int64{}
	}
	if _, known := n.others[cell]; !known && len(n.others) >= mostOthers {
		n.manyOther = true
		return
	}
	n.others[cell] += rows
}

// mostSigns is how many signs are remembered.
const mostSigns = 3

// addSign notes a sign beside an amount; false where there are too many for signs of currencies.
func (n *numbers) addSign(sign string) bool {
	switch {
	case sign == "" || slices.Contains(n.signs, sign):
	case len(n.signs) == mostSigns:
		return false
	default:
		n.signs = append(n.signs, sign)
	}
	return true
}

func (n *numbers) addLength(digits int) {
	if n.lengths == nil {
		n.lengths = map[int]bool{}
	}
	n.lengths[digits] = true
	n.largest = max(n.largest, digits)
}

func boolRows(is bool, rows int64) int64 {
	if is {
		return rows
	}
	return 0
}

// isAlike tells whether a number has one point or comma, before its last three digits and after one to three, so that it may
// separate thousands or decimals.
func isAlike(cell string, form numberForm) bool {
	mark := "."
	if form.decimal == "," && form.group == "" || form.group == "," {
		mark = ","
	}
	whole, rest, one := strings.Cut(strings.TrimLeft(strings.TrimSpace(cell), "-+"), mark)
	return one && len(rest) == 3 && isDigits(rest) && len(whole) > 0 && len(whole) <= 3 && isDigits(whole) && whole[0] != '0'
}

func isDigits(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
}

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// readable counts the cells that some form reads, the same in each file.
func (n *numbers) readable() int64 {
	var total int64
	for _, f := range n.files {
		total += slices.Max(f.reads[:])
	}
	return total
}

// formOf gives the form in which the amounts of columns are written in a file, whether other marks could be meant, and the
// evidence: how many of their cells it reads.
func formOf(columns []*column, file int) (form int, alike bool, evidence string) {
	var all formCounts
	for _, c := range columns {
		f := c.numbers.files[file]
		for i := range all.reads {
			all.reads[i] += f.reads[i]
			all.alike[i] += f.alike[i]
		}
		all.marks, all.cells = all.marks+f.marks, all.cells+f.cells
	}
	form = slices.IndexFunc(all.reads[:], func(n int64) bool { return n == slices.Max(all.reads[:]) })
	if all.marks > 0 && all.alike[form] == all.marks { // all could be thousands, and hardly all have three decimals
		alike = true
		form = slices.Index(numberForms, numberForm{map[string]string{".": ",", ",": "."}[numberForms[form].decimal], numberForms[form].decimal})
	}
	evidence = fmt.Sprintf("%s of %s amounts are read so", count(all.reads[form]), count(all.cells))
	if alike {
		evidence += fmt.Sprintf("; all %s marks stand before three digits, so they separate thousands", count(all.marks))
	}
	return form, alike, evidence
}

// amountForms says how the amounts of each file are written.
type amountForms struct {
	files  []fileForm
	fields map[[2]int]int // by file and column: the form of amounts that are written otherwise
}

type fileForm struct {
	form  int
	alike bool // points or commas could be meant otherwise
	why   string
}

func settleForms(p *profile, r *roles) *amountForms {
	a := &amountForms{fields: map[[2]int]int{}}
	for file := range p.forms {
		var columns []*column
		for _, c := range r.amounts {
			if slices.Contains(p.index[file], c.at) {
				columns = append(columns, c)
			}
		}
		form, alike, why := formOf(columns, file)
		a.files = append(a.files, fileForm{form, alike, why})
		for _, c := range columns {
			if own := c.numbers.files[file]; own.reads[form] < slices.Max(own.reads[:]) {
				a.fields[[2]int{file, c.at}], _, _ = formOf([]*column{c}, file)
			}
		}
	}
	return a
}

// of gives the form of a column in a file.
func (a *amountForms) of(file int, c *column) numberForm { return numberForms[a.index(file, c)] }

func (a *amountForms) index(file int, c *column) int {
	if form, own := a.fields[[2]int{file, c.at}]; own {
		return form
	}
	return a.files[file].form
}

// mostNothing is how long a text may be that stands for a missing amount.
const mostNothing = 5

// nothingWords stand for a missing amount, however many there are.
var nothingWords = set("- – — − -- … ... .. na n/a n.a. nfp nil null none n.d. s/d x . * missing value ref div/0 n/d")

// isNothing tells whether a text says that there is no amount.
func isNothing(text string) bool {
	text = strings.ToLower(strings.Trim(text, "#!() "))
	return nothingWords[text] || isNotInformed(text)
}

// mostWritten is how many ways of writing a missing amount a descriptor lists.
const mostWritten = 50

// writtenForNothing gives the texts of marksOfNothing as they are written, with the space around them.
func (c *column) writtenForNothing() []string {
	marks := c.marksOfNothing()
	written := slices.Clone(marks)
	for _, v := range c.values {
		if len(written) < mostWritten && v.text != "" && slices.Contains(marks, strings.TrimSpace(v.text)) {
			written = appendNew(written, v.text)
		}
	}
	return written
}

// marksOfNothing gives the few texts that stand where an amount is missing, such as - or n/a, if the column holds amounts
// otherwise.
func (c *column) marksOfNothing() []string {
	var texts []string
	for text, rows := range c.numbers.others {
		if len([]rune(text)) > mostNothing && !isNothing(text) || strings.ContainsAny(text, "0123456789") || rows*2 > c.cells && !isNothing(text) {
			return nil
		}
		texts = append(texts, text)
	}
	if c.numbers.manyOther {
		return nil
	}
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(-cmp.Compare(c.numbers.others[a], c.numbers.others[b]), cmp.Compare(a, b))
	})
	return texts
}
