package cube

import (
	"cmp"
	"encoding/binary"
	"strconv"
	"unicode/utf8"
)

// Value is the key of a member or the cell of a fact: text, a whole number, or missing. The zero Value is
// missing. Empty text is missing, as in the specification, where the empty cell is the missing value.
type Value struct {
	kind   valueKind
	text   string
	number int64
}

type valueKind uint8

const (
	missing valueKind = iota
	text
	integer
)

// Missing is the value of an empty cell.
var Missing = Value{}

// Text makes a text value; the empty text is Missing.
func Text(s string) Value {
	if s == "" {
		return Missing
	}
	return Value{kind: text, text: s}
}

// Integer makes a whole number.
func Integer(n int64) Value { return Value{kind: integer, number: n} }

// IsMissing tells whether v is missing.
func (v Value) IsMissing() bool { return v.kind == missing }

// Int gives the whole number v holds, and whether it holds one.
func (v Value) Int() (int64, bool) { return v.number, v.kind == integer }

// String gives the text of v: the digits of a whole number, "" when missing.
func (v Value) String() string {
	if v.kind == integer {
		return strconv.FormatInt(v.number, 10)
	}
	return v.text
}

// AppendTo appends the text of v, as String gives it.
func (v Value) AppendTo(b []byte) []byte {
	if v.kind == integer {
		return strconv.AppendInt(b, v.number, 10)
	}
	return append(b, v.text...)
}

// Compare orders values as answers do: whole numbers by size, text by length and then by bytes (1, 2, 10),
// missing last. One column never holds both; across columns text comes first.
func (v Value) Compare(w Value) int {
	switch {
	case v.kind == missing || w.kind == missing:
		return cmp.Compare(boolRank(v.IsMissing()), boolRank(w.IsMissing()))
	case v.kind != w.kind:
		return cmp.Compare(v.kind, w.kind)
	case v.kind == integer:
		return cmp.Compare(v.number, w.number)
	}
	return cmp.Or(cmp.Compare(v.Length(), w.Length()), cmp.Compare(v.text, w.text))
}

// CompareBytes orders values as Compare does, but text by its bytes alone (1, 10, 2).
func (v Value) CompareBytes(w Value) int {
	if v.kind == text && w.kind == text {
		return cmp.Compare(v.text, w.text)
	}
	return v.Compare(w)
}

// Length counts the characters of a text.
func (v Value) Length() int { return utf8.RuneCountInString(v.text) }

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Shifted adds n to a whole number. It gives Missing and false if v is no whole number or the sum is too great.
func (v Value) Shifted(n int64) (Value, bool) {
	if sum := v.number + n; v.kind == integer && (sum > v.number) == (n > 0) {
		return Integer(sum), true
	}
	return Missing, false
}

// AppendID appends the kind of a key and its text, in front of which its length is written: lists of keys that differ are encoded
// differently.
func (v Value) AppendID(id []byte) []byte {
	id = append(id, byte(v.kind))
	if v.kind == integer {
		return binary.LittleEndian.AppendUint64(id, uint64(v.number))
	}
	return append(binary.AppendUvarint(id, uint64(len(v.text))), v.text...)
}
