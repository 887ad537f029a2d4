// Package cuboids prepares the cuboids of a load: it keeps the rows of the base cuboid while the files are read, and chooses
// which others are made of it.
package cuboids

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// Spool keeps the rows of a base cuboid in a temporary file until all members are known. Members get their numbers only
// then, so that a row is kept by the indexes that its members had when they were first seen.
type Spool struct {
	file     *os.File
	out      *bufio.Writer
	levels   int // how many are listed
	measures []measure
	row      []byte
	rows     int64
	sample   *sample
}

// measure is where a row has the amount of a measure, and how it is kept.
type measure struct {
	index  int // among the columns
	scaled bool
	scale  int
}

// NewSpool makes the file. Where the system lets go of a file that is open, it has no name from then on, so that nothing
// of it is left even by a process that is killed.
func NewSpool(m *cube.Model) (*Spool, error) {
	file, err := os.CreateTemp("", "fiscube-*.numbers")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	_ = os.Remove(file.Name())
	s := &Spool{file: file, out: bufio.NewWriterSize(file, 1<<16)}
	for _, l := range m.Levels() {
		if l.Listed {
			s.levels++
		}
	}
	s.sample = newSample(s.levels)
	for _, x := range m.Measures() {
		i := slices.IndexFunc(m.Columns(), func(c cube.Column) bool { return c.Name == x.Ref })
		c := m.Columns()[i]
		s.measures = append(s.measures, measure{i, c.IsScaled(), c.Scale})
	}
	return s, nil
}

// Close removes the file.
func (s *Spool) Close() error {
	err := s.file.Close()
	_ = os.Remove(s.file.Name()) // where it still has its name
	return err
}

// Add keeps a row: the index of its member in each listed level, and its cells, one for each column.
func (s *Spool) Add(members []int32, cells []string) error {
	s.row = s.row[:0]
	for _, index := range members {
		s.row = binary.AppendUvarint(s.row, uint64(index))
	}
	for _, m := range s.measures {
		switch cell := cells[m.index]; {
		case cell == "":
			s.row = append(s.row, missing)
		case m.scaled:
			amount, err := catalogue.Scaled(cell, m.scale)
			if err != nil {
				return err
			}
			s.row = binary.AppendVarint(append(s.row, present), amount)
		default:
			s.row = binary.AppendUvarint(append(s.row, present), uint64(len(cell)))
			s.row = append(s.row, cell...)
		}
	}
	s.rows++
	s.sample.add(members)
	if _, err := s.out.Write(s.row); err != nil {
		return fmt.Errorf("spool the numbers of a row: %w", err)
	}
	return nil
}

// Before an amount is a byte that says whether there is one.
const (
	missing byte = iota
	present
)

// Rows gives the rows that were kept. numbers has, for each listed level, the number of each member by the index that it was
// kept by. A row is valid until the next one.
func (s *Spool) Rows(ctx context.Context, numbers [][]int32) iter.Seq2[catalogue.NumberedRow, error] {
	return func(yield func(catalogue.NumberedRow, error) bool) {
		if err := s.rewind(); err != nil {
			yield(catalogue.NumberedRow{}, err)
			return
		}
		r := &reader{in: bufio.NewReaderSize(s.file, 1<<16), measures: s.measures, numbers: numbers, row: catalogue.NumberedRow{
			Numbers: make([]int32, s.levels), Amounts: make([]catalogue.Amount, len(s.measures)),
		}}
		for n := range s.rows {
			err := r.next()
			if n%1024 == 0 {
				err = errors.Join(err, ctx.Err())
			}
			if err != nil {
				yield(catalogue.NumberedRow{}, fmt.Errorf("read the numbers of the rows: %w", err))
				return
			}
			if !yield(r.row, nil) {
				return
			}
		}
	}
}

func (s *Spool) rewind() error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("spool the numbers of the rows: %w", err)
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return err
}

// reader reads rows of a spool.
type reader struct {
	in       *bufio.Reader
	measures []measure
	numbers  [][]int32
	row      catalogue.NumberedRow
}

func (r *reader) next() error {
	for i := range r.row.Numbers {
		index, err := binary.ReadUvarint(r.in)
		if err != nil {
			return err
		}
		r.row.Numbers[i] = r.numbers[i][index]
	}
	for i := range r.row.Amounts {
		if err := r.amount(&r.row.Amounts[i], r.measures[i].scaled); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) amount(a *catalogue.Amount, scaled bool) error {
	mark, err := r.in.ReadByte()
	a.Missing = mark == missing
	switch {
	case err != nil || a.Missing:
		return err
	case scaled:
		a.Scaled, err = binary.ReadVarint(r.in)
		return err
	}
	length, err := binary.ReadUvarint(r.in)
	if err != nil {
		return err
	}
	a.Decimal = slices.Grow(a.Decimal[:0], int(length))[:length]
	_, err = io.ReadFull(r.in, a.Decimal)
	return err
}
