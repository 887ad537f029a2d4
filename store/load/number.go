package load

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// numberForm is how the numbers of a field are written: the character before the decimals and the one between
// groups of three digits. It comes from field, dialect or overlay, never from looking at the cells: 1.234 is a
// thousand in one file and a little over one in the next.
type numberForm struct {
	decimal, group string // group is "" where nothing may be between digits
}

// plainForm is the form of fields that declare none: a point before the decimals, and nothing between digits. The
// comma of the published number fields is one that they declare.
var plainForm = numberForm{decimal: "."}

// newNumberForm gives the form that a field declares. Where its group character would be its decimal character
// too, as when decimalChar is a comma and nothing is said of groups, nothing may be between digits.
func newNumberForm(f cube.Field) numberForm {
	n := numberForm{decimal: cmp.Or(f.DecimalChar, plainForm.decimal), group: f.GroupChar}
	if n.group == n.decimal {
		n.group = ""
		if f.DecimalChar == "" {
			n = numberForm{group: f.GroupChar} // only whole numbers are certain
		}
	}
	return n
}

// read gives the canonical digits of a number and how many of them are before and after the point; false
// where the cell is anything else. Outer space is trimmed, groups have three digits, and an exponent is
// expanded exactly. A canonical number has a digit before the point, no other zeros at its start, and no sign
// but the minus of a number below zero; its decimals are those of the cell.
func (n numberForm) read(cell string) (canonical string, before, after int, ok bool) {
	if n.decimal == "." {
		if before, after, ok = canonicalDigits(cell); ok {
			return cell, before, after, true
		}
	}
	number, ok := n.parse(strings.TrimSpace(cell))
	if !ok {
		return "", 0, 0, false
	}
	canonical = number.canonical()
	before, after, ok = canonicalDigits(strings.TrimPrefix(canonical, "-"))
	return canonical, before, after, ok
}

// canonicalDigits counts the digits of a cell that is canonical already, as nearly all are. Of those that
// begin with -0 it does not know.
func canonicalDigits(cell string) (before, after int, ok bool) {
	start, point := 0, -1
	if cell != "" && cell[0] == '-' {
		start = 1
	}
	for i := start; i < len(cell); i++ {
		if c := cell[i]; c == '.' && point < 0 {
			point = i
		} else if c < '0' || c > '9' {
			return 0, 0, false
		}
	}
	end := len(cell)
	if point >= 0 {
		end, after = point, len(cell)-point-1
	}
	before = end - start
	zero := before > 0 && cell[start] == '0' && (before > 1 || start > 0)
	return before, after, before > 0 && !zero && (after > 0 || point < 0)
}

// otherForms are the forms that publishers write numbers in without saying so.
var otherForms = []numberForm{{decimal: ",", group: "."}, groupedByComma, {decimal: ",", group: " "}}

// groupedByComma is the form of numbers with commas between groups of digits.
var groupedByComma = numberForm{decimal: ".", group: ","}

// commas tells whether the commas of a cell could be between groups of digits, and whether they can be nothing else.
func commas(cell string) (grouped, certain bool) {
	_, _, _, ok := groupedByComma.read(cell)
	n := strings.Count(cell, ",")
	return ok && n > 0, ok && (n > 1 || n > 0 && strings.Contains(cell, "."))
}

// hint says how a cell would be a number, if its characters were declared.
func (f *fieldStats) hint(cell string) string {
	if f.commaGrouped == f.notNumber.total() && !f.commaCertain {
		return `; if it is one, declare groupChar "," where the comma separates thousands, or decimalChar "," where decimals follow it,` +
			" for the field or its dialect, or group or decimal for the measure in the overlay"
	}
	for _, other := range otherForms {
		grouped, _ := commas(cell)
		if _, _, _, ok := other.read(cell); !ok || f.commaCertain && grouped && other.decimal == "," {
			continue
		}
		var keys []string
		if strings.Contains(cell, other.decimal) || other.group == "." { // a point is before decimals unless another is declared
			keys = append(keys, fmt.Sprintf("decimalChar %q", other.decimal))
		}
		if strings.Contains(strings.TrimSpace(cell), other.group) {
			keys = append(keys, fmt.Sprintf("groupChar %q", other.group))
		}
		return "; if it is one, declare " + strings.Join(keys, " and ") +
			" for the field or its dialect, or decimal and group for the measure in the overlay"
	}
	return ""
}

// parsedNumber is a number in its parts.
type parsedNumber struct {
	negative        bool
	whole, fraction string // digits
	exponent        int
}

func (n numberForm) parse(s string) (p parsedNumber, ok bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		p.negative, s = s[0] == '-', s[1:]
	}
	whole, s, ok := n.cutWhole(s)
	if !ok {
		return p, false
	}
	p.whole = whole
	if n.decimal != "" && strings.HasPrefix(s, n.decimal) {
		p.fraction, s = cutDigits(s[len(n.decimal):])
	}
	if s != "" && (s[0] == 'E' || s[0] == 'e') {
		p.exponent, ok = readExponent(s[1:])
		s = ""
	}
	return p, ok && s == "" && len(p.whole)+len(p.fraction) > 0
}

// cutWhole takes the digits before the decimals, in groups or not. A first group that begins with zero is no
// group: 0,123 is a fraction in another form.
func (n numberForm) cutWhole(s string) (digits, rest string, ok bool) {
	digits, rest = cutDigits(s)
	if n.group == "" || !strings.HasPrefix(rest, n.group) {
		return digits, rest, true
	}
	if digits == "" || len(digits) > 3 || digits[0] == '0' {
		return "", "", false
	}
	for strings.HasPrefix(rest, n.group) {
		var group string
		if group, rest = cutDigits(rest[len(n.group):]); len(group) != 3 {
			return "", "", false
		}
	}
	return strings.ReplaceAll(s[:len(s)-len(rest)], n.group, ""), rest, true
}

func cutDigits(s string) (digits, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// readExponent reads an exponent of at most three digits: more would only make long rows of zeros.
func readExponent(s string) (exponent int, ok bool) {
	digits := s
	if digits != "" && (digits[0] == '-' || digits[0] == '+') {
		digits = digits[1:]
	}
	whole, rest := cutDigits(digits)
	if whole == "" || rest != "" || len(whole) > 3 {
		return 0, false
	}
	exponent, err := strconv.Atoi(s)
	return exponent, err == nil
}

func (p parsedNumber) canonical() string {
	digits, point := p.whole+p.fraction, len(p.whole)+p.exponent
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	text := cmp.Or(strings.TrimLeft(digits[:point], "0"), "0")
	if point < len(digits) {
		text += "." + digits[point:]
	}
	if p.negative && strings.Trim(digits, "0") != "" {
		text = "-" + text
	}
	return text
}

// exactSum adds amounts exactly. Most amounts fit 64 bits: they are added by their number of decimals, and
// only when such a sum grows large is it moved into a decimal.
type exactSum struct {
	small [maxSmallScale + 1]int64
	large decimal.Decimal
	long  map[computed]*longSum
	cells int64
}

// longSum adds computed amounts that are alike: as they are, and rounded. Which of the two counts is known when the
// whole field was read.
type longSum struct{ exact, rounded decimal.Decimal }

const (
	maxSmallScale  = 10
	maxSmallDigits = 17
	mostSmall      = int64(1) << 61
)

// smallAmount is an amount that fits 64 bits, without its point.
type smallAmount struct {
	is       bool
	decimals uint8
	units    int64
}

func smallAmountOf(cell string, form numberForm) smallAmount {
	digits, before, after, ok := form.readAmount(cell)
	if !ok || before+after > maxSmallDigits || after > maxSmallScale {
		return smallAmount{}
	}
	return smallAmount{true, uint8(after), unscaled(digits)}
}

// add adds a cell; one that is no number is left out, as it is a finding of its own.
func (s *exactSum) add(cell string, form numberForm) {
	if small := smallAmountOf(cell, form); small.is {
		s.addSmall(small)
		return
	}
	digits, _, after, ok := form.readAmount(cell)
	if !ok {
		return
	}
	s.cells++
	if after > noiseDecimals {
		s.addLong(digits)
		return
	}
	if d, err := decimal.NewFromString(digits); err == nil {
		s.large = s.large.Add(d)
	}
}

func (s *exactSum) addSmall(a smallAmount) {
	s.cells++
	s.small[a.decimals] += a.units
	if sum := s.small[a.decimals]; sum > mostSmall || sum < -mostSmall {
		s.large = s.large.Add(decimal.New(sum, -int32(a.decimals)))
		s.small[a.decimals] = 0
	}
}

// unscaled reads the digits of a number without its point.
func unscaled(digits string) int64 {
	var n int64
	for i := range len(digits) {
		if c := digits[i]; c >= '0' && c <= '9' {
			n = n*10 + int64(c-'0')
		}
	}
	if strings.HasPrefix(digits, "-") {
		return -n
	}
	return n
}

func (s *exactSum) addLong(digits string) {
	amount, err := decimal.NewFromString(digits)
	if err != nil {
		return
	}
	if s.long == nil {
		s.long = map[computed]*longSum{}
	}
	c := describe(digits)
	sum, ok := s.long[c]
	if !ok {
		sum = &longSum{}
		s.long[c] = sum
	}
	sum.exact = sum.exact.Add(amount)
	if c.clean <= noiseDecimals {
		sum.rounded = sum.rounded.Add(amount.RoundBank(int32(c.clean)))
	}
}

// total is the sum of the cells as they are stored.
func (s *exactSum) total(rule noiseRule) decimal.Decimal {
	total := s.large
	for c, sum := range s.long {
		switch {
		case rule.isResidue(c):
		case rule.isNoise(c):
			total = total.Add(sum.rounded)
		default:
			total = total.Add(sum.exact)
		}
	}
	for scale, n := range s.small {
		if n != 0 {
			total = total.Add(decimal.New(n, -int32(scale)))
		}
	}
	return total
}

// noAmount is the value of a missing amount.
const noAmount = math.MinInt64

// fixedDecimals are the decimals of fixed.
const fixedDecimals = 4

// fixed gives a canonical number with four decimals, cut off: enough to compare amounts. What has too many
// digits is as large as can be.
func fixed(canonical string) int64 {
	if canonical == "" {
		return noAmount
	}
	whole, fraction, _ := strings.Cut(canonical, ".")
	n, err := strconv.ParseInt(whole+(fraction + "0000")[:fixedDecimals], 10, 64)
	if err != nil && strings.HasPrefix(canonical, "-") {
		return -math.MaxInt64
	}
	if err != nil {
		return math.MaxInt64
	}
	return n
}

// plusFixed adds two amounts of fixed; what grows too large stays as large as can be.
func plusFixed(a, b int64) int64 {
	const room = math.MaxInt64 / 2
	switch {
	case a == noAmount:
		return b
	case b == noAmount:
		return a
	case max(a, b) > room || min(a, b) < -room:
		return math.MaxInt64
	}
	return a + b
}
