// Package numeric reads the amounts that cells are, and adds them up exactly: form.go in the form that is declared, noise.go without
// what only floating-point arithmetic leaves; sum.go adds them up, fixed.go compares them.
package numeric

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"fiscube/cube"
)

// Form is how the numbers of a field are written: the character before the decimals and the one between
// groups of three digits. It comes from field, dialect or overlay, never from looking at the cells: 1.234 is a
// thousand in one file and a little over one in the next.
type Form struct {
	decimal, group string // group is "" where nothing may be between digits
}

// plainForm is the form of fields that declare none: a point before the decimals, and nothing between digits. The
// comma of the published number fields is one that they declare.
var plainForm = Form{decimal: "."}

// FormOf gives the form that a field declares. Where its group character would be its decimal character
// too, as when decimalChar is a comma and nothing is said of groups, nothing may be between digits.
func FormOf(f cube.Field) Form {
	n := Form{decimal: cmp.Or(f.DecimalChar, plainForm.decimal), group: f.GroupChar}
	if n.group == n.decimal {
		n.group = ""
		if f.DecimalChar == "" {
			n = Form{group: f.GroupChar} // only whole numbers are certain
		}
	}
	return n
}

// Read gives the canonical digits of a number and how many of them are before and after the point; false
// where the cell is anything else. Outer space is trimmed, groups have three digits, in India two before the last three (1,23,45,678), and an exponent is
// expanded exactly. A canonical number has a digit before the point, no other zeros at its start, and no sign
// but the minus of a number below zero; its decimals are those of the cell.
func (n Form) Read(cell string) (canonical string, before, after int, ok bool) {
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
var otherForms = []Form{{decimal: ",", group: "."}, groupedByComma, {decimal: ",", group: " "}}

// groupedByComma is the form of numbers with commas between groups of digits.
var groupedByComma = Form{decimal: ".", group: ","}

// Commas tells whether the commas of a cell could be between groups of digits, and whether they can be nothing else.
func Commas(cell string) (grouped, certain bool) {
	_, _, _, ok := groupedByComma.Read(cell)
	n := strings.Count(cell, ",")
	return ok && n > 0, ok && (n > 1 || n > 0 && strings.Contains(cell, "."))
}

// MayGroup tells whether a number has one mark, before its last three digits and after one to three, so that it may separate thousands or decimals.
func MayGroup(cell, mark string) bool {
	whole, rest := CutDigits(strings.TrimLeft(strings.TrimSpace(cell), "-+"))
	group, end := CutDigits(strings.TrimPrefix(rest, mark))
	return whole != "" && len(whole) <= 3 && whole[0] != '0' && len(rest) == 4 && len(group) == 3 && end == ""
}

// Hint says which characters would have to be declared for a cell to be a number, or nothing. Where commas are known to be between
// groups of digits, they are not before decimals.
func Hint(cell string, grouping bool) string {
	for _, other := range otherForms {
		grouped, _ := Commas(cell)
		if _, _, _, ok := other.Read(cell); !ok || grouping && grouped && other.decimal == "," {
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

func (n Form) parse(s string) (p parsedNumber, ok bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		p.negative, s = s[0] == '-', s[1:]
	}
	whole, s, ok := n.cutWhole(s)
	if !ok {
		return p, false
	}
	p.whole = whole
	if n.decimal != "" && strings.HasPrefix(s, n.decimal) {
		p.fraction, s = CutDigits(s[len(n.decimal):])
	}
	if s != "" && (s[0] == 'E' || s[0] == 'e') {
		p.exponent, ok = readExponent(s[1:])
		s = ""
	}
	return p, ok && s == "" && len(p.whole)+len(p.fraction) > 0
}

// cutWhole takes the digits before the decimals, in groups or not. A first group that begins with zero is no
// group: 0,123 is a fraction in another form.
func (n Form) cutWhole(s string) (digits, rest string, ok bool) {
	digits, rest = CutDigits(s)
	if n.group == "" || !strings.HasPrefix(rest, n.group) {
		return digits, rest, true
	}
	if digits == "" || len(digits) > 3 || digits[0] == '0' {
		return "", "", false
	}
	twos, last := 0, 0 // groups of two digits, and the digits of the last group
	for strings.HasPrefix(rest, n.group) {
		var group string
		group, rest = CutDigits(rest[len(n.group):])
		if last == 2 {
			twos++
		}
		if last = len(group); last != 3 && last != 2 || last == 3 && twos > 0 && strings.HasPrefix(rest, n.group) {
			return "", "", false
		}
	}
	if last != 3 || twos > 0 && len(digits) > 2 {
		return "", "", false
	}
	return strings.ReplaceAll(s[:len(s)-len(rest)], n.group, ""), rest, true
}

// CutDigits takes the digits off that a text begins with.
func CutDigits(s string) (digits, rest string) {
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
	whole, rest := CutDigits(digits)
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
