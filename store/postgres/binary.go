package postgres

import (
	"encoding/binary"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// Facts are copied in COPY's binary format, which the server takes up faster than text: it looks for no ends of cells and
// parses no digits. (PostgreSQL, COPY, Binary Format; numeric_recv in numeric.c.)

// binaryStart begins the data: a signature, flags, and the length of an extension.
const binaryStart = "PGCOPY\n\xff\r\n\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00"

// binaryEnd is a row of -1 columns.
const binaryEnd = "\xff\xff"

// missing is the length of a NULL.
const missing = "\xff\xff\xff\xff"

// sentBytes is about how much is handed over to be sent at once.
const sentBytes = 64 << 10

// factRows writes rows in COPY's binary format.
func factRows(rows iter.Seq2[catalogue.Row, error], columns []cube.Column) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		data := []byte(binaryStart)
		for row, err := range rows {
			if err == nil {
				data, err = appendFact(data, row, columns)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if len(data) < sentBytes {
				continue
			}
			if !yield(data, nil) {
				return
			}
			data = data[:0]
		}
		yield(append(data, binaryEnd...), nil)
	}
}

func appendFact(data []byte, row catalogue.Row, columns []cube.Column) (_ []byte, err error) {
	data = binary.BigEndian.AppendUint16(data, uint16(len(columns)+2))
	for i, cell := range row.Cells {
		switch {
		case columns[i].Type == cube.TypeText:
			data = append(binary.BigEndian.AppendUint32(data, uint32(len(cell))), cell...)
		case cell == "":
			data = append(data, missing...)
		case columns[i].Type == cube.TypeInteger:
			n, wrong := strconv.ParseInt(cell, 10, 64)
			if wrong != nil {
				return nil, fmt.Errorf("column %s: %w", columns[i].Name, wrong)
			}
			data = appendBigint(data, n)
		default:
			data = appendNumeric(data, cell)
		}
	}
	data = binary.BigEndian.AppendUint32(data, 4)
	data = binary.BigEndian.AppendUint32(data, uint32(row.Resource))
	return appendBigint(data, row.Line), nil
}

func appendBigint(data []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(data, 8), uint64(n))
}

// appendNumeric writes canonical digits as a numeric: how many digits to the base 10,000 it has, which power of the base the
// first one has, the sign, the decimals, and the digits.
func appendNumeric(data []byte, digits string) []byte {
	const negative = 0x4000
	sign := uint16(0)
	if digits[0] == '-' {
		sign, digits = negative, digits[1:]
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	before, after := (len(whole)+3)/4, (len(fraction)+3)/4
	data = binary.BigEndian.AppendUint32(data, uint32(8+2*(before+after)))
	for _, n := range []uint16{uint16(before + after), uint16(before - 1), sign, uint16(len(fraction))} {
		data = binary.BigEndian.AppendUint16(data, n)
	}
	for i := range before {
		end := len(whole) - 4*(before-1-i)
		data = binary.BigEndian.AppendUint16(data, digitOf(whole[max(0, end-4):end]))
	}
	for i := range after {
		group := fraction[4*i : min(4*i+4, len(fraction))]
		n := digitOf(group)
		for range 4 - len(group) {
			n *= 10
		}
		data = binary.BigEndian.AppendUint16(data, n)
	}
	return data
}

// digitOf reads up to four digits.
func digitOf(digits string) uint16 {
	n := uint16(0)
	for i := range len(digits) {
		n = 10*n + uint16(digits[i]-'0')
	}
	return n
}
