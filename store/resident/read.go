package resident

import (
	"context"
	"math"
	"math/big"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// reader takes the values of a column of the base cuboid.
type reader interface{ read(v any) }

// errPutBack is what a store answers that is put back to another state while it is read: numbers that no member has.
func errPutBack() error {
	return cube.Errorf(cube.CodeUnavailable, "the store was put back to another state, and is read again")
}

// numberReader takes the numbers of members.
type numberReader interface {
	reader
	column() (column, error) // errPutBack: a number was none of a member
}

// narrowReader takes numbers of a width.
type narrowReader[T uint8 | uint16 | uint32] struct {
	list   numbers[T]
	size   int64
	beyond bool
}

// numberReader makes a reader of the numbers of a level's members in so many rows.
func (s *Store) numberReader(ctx context.Context, c *cube.Cube, level int, rows int64) (numberReader, error) {
	members, err := s.members.Members(ctx, c, c.Model.Levels()[level])
	if err != nil {
		return nil, err
	}
	return newNumberReader(members.Size, rows), nil
}

// newNumberReader takes numbers below size in the smallest width.
func newNumberReader(size int32, rows int64) numberReader {
	switch {
	case size <= math.MaxUint8+1:
		return newNarrowReader[uint8](size, rows)
	case size <= math.MaxUint16+1:
		return newNarrowReader[uint16](size, rows)
	}
	return newNarrowReader[uint32](size, rows)
}

func newNarrowReader[T uint8 | uint16 | uint32](size int32, rows int64) *narrowReader[T] {
	return &narrowReader[T]{list: make(numbers[T], 0, rows), size: int64(size)}
}

func (r *narrowReader[T]) read(v any) {
	number := wholeOf(v)
	r.beyond = r.beyond || number >= r.size
	r.list = append(r.list, T(number))
}

func (r *narrowReader[T]) column() (column, error) {
	if r.beyond {
		return nil, errPutBack()
	}
	return r.list, nil
}

// amountReader takes amounts, which may be missing.
type amountReader struct {
	values
	present numbers[uint8]
	missing bool // some are
}

func newAmountReader(c cube.Column, rows int64) *amountReader {
	r := &amountReader{present: make(numbers[uint8], 0, rows)}
	if c.IsScaled() {
		r.low = make([]int64, 0, rows)
	} else {
		r.big = make([]decimal.Decimal, 0, rows)
	}
	return r
}

func (r *amountReader) read(v any) {
	present := uint8(1)
	if v == nil {
		present, r.missing = 0, true
	}
	r.present = append(r.present, present)
	if r.low != nil {
		n, _ := v.(int64)
		r.low = append(r.low, n)
		return
	}
	d, _ := v.(decimal.Decimal)
	r.big = append(r.big, d)
}

func (r *amountReader) measure() measure {
	m := measure{sum: r.values, least: r.values, greatest: r.values}
	if r.missing {
		m.count = r.present
	}
	return m
}

// wholeOf reads a whole number, whose type in a store is the narrowest.
func wholeOf(v any) int64 {
	switch v := v.(type) {
	case int16:
		return int64(v)
	case int32:
		return int64(v)
	}
	return v.(int64)
}

// read takes the part of a group more as a store gives it; nil if it is null.
func (p *part) read(v any) {
	group := len(p.low) + len(p.big)
	if p.grow(group + 1); v == nil {
		return
	}
	if p.amounts != nil {
		p.amounts[group] = 1
	}
	switch v := v.(type) {
	case int64:
		if p.low[group] = v; p.high != nil {
			p.high[group] = v >> 63
		}
	case decimal.Decimal:
		if p.big != nil {
			p.big[group] = v
			return
		}
		whole := v.BigInt()
		p.low[group] = int64(new(big.Int).And(whole, new(big.Int).SetUint64(math.MaxUint64)).Uint64())
		p.high[group] = new(big.Int).Rsh(whole, 64).Int64()
	}
}
