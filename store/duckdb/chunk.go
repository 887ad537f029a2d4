//go:build cgo

package duckdb

import (
	"context"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/sync/errgroup"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Facts go into DuckDB a chunk of rows at a time, by the numbers of their texts: to hand over a text crosses from Go to C three
// times, and texts repeat. A chunk is in the memory of Go, and statements read it as two tables: chunk_rows() has numbers and
// amounts; chunk_texts() has one row, with a list of texts for each column. One statement puts them together. Rows of the base cuboid,
// which have no texts, go the same way.

const (
	// groupRows is how many rows a row group of the database has. Full ones are compressed and written while rows come in, each by one thread.
	groupRows = 30_720
	// chunkRows is a row group for each of two threads.
	chunkRows = 2 * groupRows
	// chunkBytes bounds the texts of a chunk, so that memory stays flat.
	chunkBytes = 32 << 20
)

// chunk is some rows on their way into a table.
type chunk struct {
	load    *load
	table   string
	columns []chunkColumn
	rows    int
	bytes   int // of texts
}

// chunkColumn is a column of a chunk. The rows have their cells in one of the slices, by its kind.
type chunkColumn struct {
	kind    columnKind
	scale   int      // of decimals
	texts   []string // those of the chunk, by number
	numbers []int32  // of the texts by the code of their cell; 0 where the chunk has none so far
	small   []int32  // of a text its number
	narrow  []int64
	wide    []*big.Int
	missing []bool // where cells may be
}

type columnKind int

const (
	ofTexts columnKind = iota
	ofSmall
	ofWhole
	ofNarrow // decimals of 64 bits
	ofWide   // of 128
)

// kindOf is how a chunk has the cells of a column of the model.
func kindOf(c cube.Column) columnKind {
	switch {
	case c.Type == cube.TypeText:
		return ofTexts
	case c.Type == cube.TypeInteger:
		return ofWhole
	case c.IsScaled():
		return ofNarrow
	}
	return ofWide
}

// number gives the number of the text of a cell, from 1.
func (c *chunkColumn) number(cell string, code uint32) (number int32, isNew bool) {
	if code != 0 {
		if int(code) >= len(c.numbers) {
			c.numbers = append(c.numbers, make([]int32, int(code)+1-len(c.numbers))...)
		}
		if number = c.numbers[code]; number != 0 {
			return number, false
		}
		c.numbers[code] = int32(len(c.texts) + 1)
	}
	c.texts = append(c.texts, strings.Clone(cell))
	return int32(len(c.texts)), true
}

// copyFacts streams the rows into the fact table and counts them.
func (l *load) copyFacts(ctx context.Context, columns []cube.Column) error {
	like := each.Of(columns, func(column cube.Column) chunkColumn { return chunkColumn{kind: kindOf(column), scale: column.Scale} })
	like = append(like, chunkColumn{kind: ofSmall}, chunkColumn{kind: ofWhole})
	return copyRows(ctx, l, sqlgen.FactTable(l.id), like, l.content.Rows(ctx), func(c *chunk, row catalogue.Row) error {
		for i, cell := range row.Cells {
			if err := c.addCell(&c.columns[i], cell, row.Codes[i]); err != nil {
				return err
			}
		}
		resource, line := &c.columns[len(columns)], &c.columns[len(columns)+1]
		resource.small = append(resource.small, int32(row.Resource))
		line.narrow, line.missing = append(line.narrow, row.Line), append(line.missing, false)
		l.rows++
		return nil
	}, func() { l.content.LabelHistory() }) // the members are listed
}

// copyBase streams the rows of the base cuboid into its table.
func (l *load) copyBase(ctx context.Context, table string, rows iter.Seq2[catalogue.NumberedRow, error]) error {
	var like []chunkColumn
	m := l.content.Package().Model
	for _, measure := range m.Measures() {
		column, _ := m.Column(measure.Ref)
		kind := ofWide
		if column.IsScaled() {
			kind = ofWhole
		}
		like = append(like, chunkColumn{kind: kind, scale: column.Scale})
	}
	for _, level := range m.Levels() {
		if level.Listed {
			like = append(like, chunkColumn{kind: ofSmall})
		}
	}
	return copyRows(ctx, l, table, like, rows, func(c *chunk, row catalogue.NumberedRow) error {
		for i, a := range row.Amounts {
			column := &c.columns[i]
			column.missing = append(column.missing, a.Missing)
			if column.kind == ofWhole {
				column.narrow = append(column.narrow, a.Scaled)
			} else if err := column.addWide(string(a.Decimal)); err != nil {
				return err
			}
		}
		for i, number := range row.Numbers {
			column := &c.columns[len(row.Amounts)+i]
			column.small = append(column.small, number)
		}
		return nil
	}, func() {})
}

// copyRows copies rows into a table by two chunks, whose columns are like the given ones: it fills one while the other is inserted. It calls afterwards
// while the last chunk is inserted.
func copyRows[T any](ctx context.Context, l *load, table string, like []chunkColumn, rows iter.Seq2[T, error], add func(*chunk, T) error,
	afterwards func()) error {
	group, ctx := errgroup.WithContext(ctx)
	full := make(chan *chunk) // is read when the chunk before is empty
	group.Go(func() error {
		for c := range full {
			if err := c.insert(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	handOver := func(c *chunk) error {
		select {
		case full <- c:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	group.Go(func() error {
		defer close(full)
		c, next := newChunk(l, table, like), newChunk(l, table, like)
		for row, err := range rows {
			if err == nil && (c.rows == chunkRows || c.bytes >= chunkBytes) {
				err = handOver(c)
				c, next = next, c
			}
			if err == nil {
				err = add(c, row)
			}
			if err != nil {
				return err
			}
			c.rows++
		}
		if c.rows > 0 {
			if err := handOver(c); err != nil {
				return err
			}
		}
		afterwards()
		return nil
	})
	return group.Wait()
}

// newChunk makes an empty chunk with columns like those, and room for as many rows as it may have.
func newChunk(l *load, table string, like []chunkColumn) *chunk {
	c := &chunk{load: l, table: table, columns: slices.Clone(like)}
	rows := int(min(chunkRows, l.content.RowCount()))
	for i := range c.columns {
		switch column := &c.columns[i]; column.kind {
		case ofTexts, ofSmall:
			column.small = make([]int32, 0, rows)
		case ofWide:
			column.wide, column.missing = make([]*big.Int, 0, rows), make([]bool, 0, rows)
		default:
			column.narrow, column.missing = make([]int64, 0, rows), make([]bool, 0, rows)
		}
	}
	return c
}

func (c *chunk) addCell(column *chunkColumn, cell string, code uint32) (err error) {
	if column.kind == ofTexts {
		number, isNew := column.number(cell, code)
		if isNew {
			c.bytes += len(cell) + textBytes
		}
		column.small = append(column.small, number)
		return nil
	}
	column.missing = append(column.missing, cell == "")
	var number int64
	switch {
	case column.kind == ofWide:
		return column.addWide(cell)
	case cell == "":
	case column.kind == ofWhole:
		number, err = strconv.ParseInt(cell, 10, 64)
	default:
		number, err = catalogue.Scaled(cell, column.scale)
	}
	column.narrow = append(column.narrow, number)
	return err
}

// addWide adds the digits of a decimal of 128 bits, "" for none.
func (c *chunkColumn) addWide(digits string) error {
	if digits == "" {
		c.wide = append(c.wide, nil)
		return nil
	}
	d, err := decimal.NewFromString(digits)
	if err != nil {
		return fmt.Errorf("read an amount: %w", err)
	}
	c.wide = append(c.wide, d.Shift(int32(c.scale)).BigInt())
	return nil
}

// textBytes are about what a text takes beside its bytes.
const textBytes = 48

// insert puts the rows of the chunk into the table, and empties the chunk.
func (c *chunk) insert(ctx context.Context) error {
	cells, from := make([]string, 0, len(c.columns)), " FROM chunk_rows() AS rows"
	for i := range c.columns {
		column := "c" + strconv.Itoa(i)
		if c.columns[i].kind == ofTexts {
			column, from = "texts."+column+"[rows."+column+"]", " FROM chunk_rows() AS rows, chunk_texts() AS texts"
		}
		cells = append(cells, column)
	}
	c.load.chunk.Store(c)
	defer c.load.chunk.Store(nil)
	if _, err := c.load.conn.ExecContext(ctx, "INSERT INTO "+c.table+" SELECT "+strings.Join(cells, ", ")+from); err != nil {
		return fmt.Errorf("copy rows into %s: %w", c.table, err)
	}
	c.empty()
	return nil
}

// empty makes room for the next chunk in the memory of this one.
func (c *chunk) empty() {
	for i := range c.columns {
		column := &c.columns[i]
		clear(column.numbers)
		clear(column.texts)
		column.texts, column.small = column.texts[:0], column.small[:0]
		column.narrow, column.wide, column.missing = column.narrow[:0], column.wide[:0], column.missing[:0]
	}
	c.rows, c.bytes = 0, 0
}
