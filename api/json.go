package api

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// marshal writes one of our own shapes, with < > & left readable.
func marshal(v any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err) // a shape that does not encode is a fault in this package
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// objectJSON is an object whose members have an order.
type objectJSON []namedJSON

type namedJSON struct {
	name  string
	value any
}

// MarshalJSON writes the members in their order.
func (o objectJSON) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(appendString(b, m.name), ':'), marshal(m.value)...)
	}
	return append(b, '}'), nil
}

// appendRow appends a row as an object. The names come with their colon, as fieldNames makes them.
func appendRow(b []byte, columns []column, names [][]byte, row []datum, quoted bool) []byte {
	b = append(b, '{')
	first := true
	for i, d := range row {
		if d.absent {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendDatum(append(b, names[i]...), columns[i], d, quoted)
	}
	return append(b, '}')
}

func appendDatum(b []byte, col column, d datum, quoted bool) []byte {
	if col.kind == kindAmount {
		return appendAmount(b, d.amount, col.scale, quoted)
	}
	return appendValue(b, d.value)
}

// fieldNames writes each name once for all rows.
func fieldNames(columns []column) [][]byte {
	names := make([][]byte, len(columns))
	for i, col := range columns {
		names[i] = append(appendString(nil, col.name), ':')
	}
	return names
}

func appendValue(b []byte, v cube.Value) []byte {
	if v.IsMissing() {
		return append(b, "null"...)
	}
	if n, ok := v.Int(); ok {
		return strconv.AppendInt(b, n, 10)
	}
	return appendString(b, v.String())
}

// appendAmount writes every digit of an amount: no float comes near it.
func appendAmount(b []byte, amount decimal.NullDecimal, scale int32, quoted bool) []byte {
	switch {
	case !amount.Valid:
		return append(b, "null"...)
	case quoted:
		return append(appendFixed(append(b, '"'), amount.Decimal, scale), '"')
	}
	return appendFixed(b, amount.Decimal, scale)
}

// appendString writes a JSON string. Only what JSON demands is escaped; bytes that are not UTF-8 become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	if utf8.ValidString(s) && !needsEscape(s) {
		return append(append(b, s...), '"')
	}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', '0'+byte(r>>4), "0123456789abcdef"[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}

func needsEscape(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' {
			return true
		}
	}
	return false
}
