// Package base keeps the rows of the base cuboid of a load while the files are read.
package base

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"slices"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/load/temporary"
)

// Rows keeps the rows of a base cuboid in a temporary file until all members are known. Members get their numbers only
// then, so that a row is kept by the indexes that its members had when they were first seen.
type Rows struct {
	file     *temporary.File
	blocks   []temporary.Block
	buffer   []byte // rows that are not in the file yet
	levels   int    // how many are listed
	measures []measure
}

// measure is where a row has the amount of a measure, and how it is kept.
type measure struct {
	index  int // among the columns
	scaled bool
	scale  int
}

// NewRows begins the rows, which are kept in a file.
func NewRows(file *temporary.File, m *cube.Model) *Rows {
	r := &Rows{file: file}
	for _, l := range m.Levels() {
		if l.Listed {
			r.levels++
		}
	}
	for _, x := range m.Measures() {
		i := slices.IndexFunc(m.Columns(), func(c cube.Column) bool { return c.Name == x.Ref })
		c := m.Columns()[i]
		r.measures = append(r.measures, measure{i, c.IsScaled(), c.Scale})
	}
	return r
}

// blockBytes is how much is written at once.
const blockBytes = 1 << 17

// Add keeps a row: the index of its member in each listed level, and its cells, one for each column.
func (r *Rows) Add(members []int32, cells []string) error {
	for _, index := range members {
		r.buffer = binary.AppendUvarint(r.buffer, uint64(index))
	}
	for _, m := range r.measures {
		switch cell := cells[m.index]; {
		case cell == "":
			r.buffer = append(r.buffer, missing)
		case m.scaled:
			amount, err := catalogue.Scaled(cell, m.scale)
			if err != nil {
				return err
			}
			r.buffer = binary.AppendVarint(append(r.buffer, present), amount)
		default:
			r.buffer = binary.AppendUvarint(append(r.buffer, present), uint64(len(cell)))
			r.buffer = append(r.buffer, cell...)
		}
	}
	if len(r.buffer) < blockBytes {
		return nil
	}
	return r.flush()
}

func (r *Rows) flush() error {
	if len(r.buffer) == 0 {
		return nil
	}
	b, err := r.file.Append(r.buffer)
	r.blocks, r.buffer = append(r.blocks, b), r.buffer[:0]
	return err
}

// Before an amount is a byte that says whether there is one.
const (
	missing byte = iota
	present
)

// All gives the rows that were kept, once all are. numbers has, for each listed level, the number of each member by the index
// that it was kept by. A row is valid until the next one.
func (r *Rows) All(ctx context.Context, numbers [][]int32) iter.Seq2[catalogue.NumberedRow, error] {
	return func(yield func(catalogue.NumberedRow, error) bool) {
		in := &reader{measures: r.measures, numbers: numbers, row: catalogue.NumberedRow{
			Numbers: make([]int32, r.levels), Amounts: make([]catalogue.Amount, len(r.measures)),
		}}
		err := r.flush()
		for _, b := range r.blocks {
			if err = errors.Join(err, ctx.Err()); err == nil {
				in.buffer, err = r.file.Read(b, in.buffer)
				in.rest = in.buffer
			}
			for err == nil && len(in.rest) > 0 {
				if err = in.next(); err == nil && !yield(in.row, nil) {
					return
				}
			}
			if err != nil {
				yield(catalogue.NumberedRow{}, fmt.Errorf("read the numbers of the rows: %w", err))
				return
			}
		}
	}
}

// reader reads rows.
type reader struct {
	buffer, rest []byte // of a block
	measures     []measure
	numbers      [][]int32
	row          catalogue.NumberedRow
}

func (r *reader) next() error {
	for i := range r.row.Numbers {
		index, n := binary.Uvarint(r.rest)
		if n <= 0 || index >= uint64(len(r.numbers[i])) {
			return errBroken
		}
		r.rest, r.row.Numbers[i] = r.rest[n:], r.numbers[i][index]
	}
	for i := range r.row.Amounts {
		if err := r.amount(&r.row.Amounts[i], r.measures[i].scaled); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) amount(a *catalogue.Amount, scaled bool) error {
	if len(r.rest) == 0 {
		return errBroken
	}
	*a = catalogue.Amount{Missing: r.rest[0] == missing} // nothing of the row before, whose digits may be gone
	if r.rest = r.rest[1:]; a.Missing {
		return nil
	}
	if scaled {
		amount, n := binary.Varint(r.rest)
		if n <= 0 {
			return errBroken
		}
		a.Scaled, r.rest = amount, r.rest[n:]
		return nil
	}
	length, n := binary.Uvarint(r.rest)
	if n <= 0 || length > uint64(len(r.rest)-n) {
		return errBroken
	}
	r.rest = r.rest[n:]
	a.Decimal, r.rest = r.rest[:length:length], r.rest[length:]
	return nil
}

var errBroken = errors.New("the temporary file was changed or is damaged: load the package again")
