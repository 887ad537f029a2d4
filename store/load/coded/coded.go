// Package coded keeps the rows of files in a temporary one, so that a load reads no text twice. Cells of a field repeat: a
// cell is written where it is first met, and from then on by its code.
//
// A code stands for a cell of one field of one file. Codes begin with 1. A cell without a code has the code 0, and is written
// whenever it is met: where a field has hardly two cells alike, or there is no room to remember more.
package coded

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"strings"

	"fiscube/store/load/temporary"
)

// Row is a row of a file. What it has is valid until the next one.
type Row struct {
	Line  int64
	Cells []string
	Codes []uint32 // one for each cell
}

// blockBytes is how much is written at once.
const blockBytes = 1 << 17

// Rows are the rows of one file: first they are added, then they are read, as often as they are needed.
type Rows struct {
	file   *temporary.File
	blocks []temporary.Block
	fields []field // while rows are added
	width  int
	left   int // bytes of cells that may still be remembered
	codes  []uint32
	buffer []byte
	rows   int64
	line   int64 // of the last row
}

// Bounds of the cells of a file that are remembered.
const (
	mostBytes  = 32 << 20
	entryBytes = 128 // that a cell takes beside its text, with what is known of it
)

// NewRows begins the rows of a file with so many fields, which are kept in a temporary one.
func NewRows(kept *temporary.File, fields int) *Rows {
	r := &Rows{file: kept, width: fields, fields: make([]field, fields), left: mostBytes, codes: make([]uint32, fields)}
	for i := range r.fields {
		r.fields[i].codes = map[string]uint32{}
	}
	return r
}

// Add adds a row and gives the codes of its cells, which are valid until the next one.
func (r *Rows) Add(line int64, cells []string) ([]uint32, error) {
	r.buffer = binary.AppendVarint(r.buffer, line-r.line)
	r.line = line
	r.rows++
	if r.rows%examinedRows == 0 {
		r.examine()
	}
	for i, cell := range cells {
		code, met := r.fields[i].code(cell, &r.left)
		r.codes[i] = code
		r.buffer = binary.AppendUvarint(r.buffer, uint64(code))
		if !met {
			r.buffer = binary.AppendUvarint(r.buffer, uint64(len(cell)))
			r.buffer = append(r.buffer, cell...)
		}
	}
	if len(r.buffer) < blockBytes {
		return r.codes, nil
	}
	return r.codes, r.flush()
}

func (r *Rows) flush() error {
	b, err := r.file.Append(r.buffer)
	r.blocks, r.buffer = append(r.blocks, b), r.buffer[:0]
	return err
}

// End ends the adding of rows.
func (r *Rows) End() error {
	r.fields, r.codes = nil, nil
	if len(r.buffer) == 0 {
		return nil
	}
	err := r.flush()
	r.buffer = nil
	return err
}

// field has the codes of the cells that were met.
type field struct {
	codes map[string]uint32
	texts []string // by code, from 1
	last  uint32   // the code of the last cell
	met   int      // how many were met when the field was last examined
	full  bool     // no more cells get codes
}

// examinedRows is after how many rows the fields are examined. One of which more than half of the cells were new meanwhile gets
// no more codes.
const examinedRows = 4096

func (r *Rows) examine() {
	for i := range r.fields {
		f := &r.fields[i]
		f.full = f.full || len(f.texts)-f.met > examinedRows/2
		f.met = len(f.texts)
	}
}

// code gives the code of a cell, and whether its text was written before.
func (f *field) code(cell string, left *int) (code uint32, met bool) {
	if f.last != 0 && f.texts[f.last-1] == cell {
		return f.last, true
	}
	if f.last, met = f.codes[cell]; met {
		return f.last, true
	}
	if f.full || *left < len(cell)+entryBytes {
		return 0, false
	}
	*left -= len(cell) + entryBytes
	cell = strings.Clone(cell)
	f.texts = append(f.texts, cell)
	f.last = uint32(len(f.texts))
	f.codes[cell] = f.last
	return f.last, false
}

// All gives the rows in order.
func (r *Rows) All(ctx context.Context) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		in := &reader{texts: make([][]string, r.width), row: Row{Cells: make([]string, r.width), Codes: make([]uint32, r.width)}}
		for _, b := range r.blocks {
			err := ctx.Err()
			if err == nil {
				in.buffer, err = r.file.Read(b, in.buffer)
				in.rest = in.buffer
			}
			for err == nil && len(in.rest) > 0 {
				if err = in.next(); err == nil && !yield(in.row, nil) {
					return
				}
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
		}
	}
}

// reader reads the rows of a file.
type reader struct {
	texts  [][]string // of each field, by code, from 1
	row    Row
	buffer []byte
	rest   []byte // of the block
}

func (r *reader) next() error {
	ahead, n := binary.Varint(r.rest)
	if n <= 0 {
		return errBroken
	}
	r.rest, r.row.Line = r.rest[n:], r.row.Line+ahead
	for i := range r.row.Cells {
		if err := r.cell(i); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) cell(i int) error {
	code, err := r.number()
	if err != nil {
		return err
	}
	texts := r.texts[i]
	r.row.Codes[i] = uint32(code)
	if code > 0 && code <= uint64(len(texts)) {
		r.row.Cells[i] = texts[code-1]
		return nil
	}
	length, err := r.number()
	if err != nil || length > uint64(len(r.rest)) {
		return errBroken
	}
	text := string(r.rest[:length])
	r.rest, r.row.Cells[i] = r.rest[length:], text
	if code > 0 {
		r.texts[i] = append(texts, text)
	}
	return nil
}

func (r *reader) number() (uint64, error) {
	if len(r.rest) > 0 && r.rest[0] < 0x80 {
		n := uint64(r.rest[0])
		r.rest = r.rest[1:]
		return n, nil
	}
	n, length := binary.Uvarint(r.rest)
	if length <= 0 {
		return 0, errBroken
	}
	r.rest = r.rest[length:]
	return n, nil
}

var errBroken = errors.New("the temporary file of rows was changed or is damaged: load the package again")
