package main

import (
	"bytes"
	"encoding/json"
	"strings"
)

// An object is a JSON object that keeps the order of its keys: a descriptor is read by people, and the
// order of a model's dimensions and attributes means something.
type object []pair

type pair struct {
	key   string
	value any
}

// A list is a JSON array.
type list []any

// texts makes a list of strings.
func texts(items ...string) list {
	l := make(list, len(items))
	for i, item := range items {
		l[i] = item
	}
	return l
}

// encodeJSON writes v with one space of indentation, but what holds only scalars on one line: a field,
// a sample row, an attribute. So it can be read and compared, at half the size of one value per line.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	writeJSON(&b, v, "\n")
	b.WriteByte('\n')
	return b.Bytes()
}

// writeJSON writes v; newline is the line break with the indentation of the line v begins on.
func writeJSON(b *bytes.Buffer, v any, newline string) {
	switch v := v.(type) {
	case object:
		writeItems(b, "{}", values(v), newline, func(i int, inner string) {
			writeScalar(b, v[i].key)
			b.WriteByte(':')
			writeJSON(b, v[i].value, inner)
		})
	case list:
		writeItems(b, "[]", v, newline, func(i int, inner string) {
			writeJSON(b, v[i], inner)
		})
	default:
		writeScalar(b, v)
	}
}

// writeItems writes the items between the brackets, on one line if none of them holds anything itself.
func writeItems(b *bytes.Buffer, brackets string, items list, newline string, item func(int, string)) {
	inner := newline + " "
	if flat(items) {
		newline, inner = "", ""
	}
	b.WriteByte(brackets[0])
	for i := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inner)
		item(i, inner)
	}
	b.WriteString(newline)
	b.WriteByte(brackets[1])
}

// flat reports whether every item is a scalar or empty.
func flat(items list) bool {
	for _, item := range items {
		switch item := item.(type) {
		case object:
			if len(item) > 0 {
				return false
			}
		case list:
			if len(item) > 0 {
				return false
			}
		}
	}
	return true
}

func values(o object) list {
	l := make(list, len(o))
	for i, p := range o {
		l[i] = p.value
	}
	return l
}

// writeScalar writes a string, number or boolean; < > & stay as they are.
func writeScalar(b *bytes.Buffer, v any) {
	var s strings.Builder
	enc := json.NewEncoder(&s)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // a seed holds nothing but strings, numbers and booleans
	}
	b.WriteString(strings.TrimSuffix(s.String(), "\n"))
}
