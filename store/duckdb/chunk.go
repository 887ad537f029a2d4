//go:build cgo

package duckdb

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Facts go into DuckDB a chunk of rows at a time, by the numbers of their texts: to hand over a text crosses from Go to C three
// times, and texts repeat. A chunk is in the memory of Go, and statements read it as two tables: chunk_rows() has numbers and
// amounts; chunk_texts() has one row, with a list of texts for each column. One statement puts them together.

const (
	// chunkRows is one of DuckDB's row groups. Full ones are compressed and written while the rows come in.
	chunkRows = 122_880
	// chunkBytes bounds the texts of a chunk, so that memory stays flat.
	chunkBytes = 32 << 20
)

// chunk is some rows on their way into the fact table.
type chunk struct {
	load      *load
	columns   []chunkColumn
	resources []int32
	lines     []int64
	bytes     int // of texts
}

// chunkColumn is a column of a chunk. The rows have their cells in one of the slices, by the column's type.
type chunkColumn struct {
	cube.Column
	texts   []string // those of the chunk, by number
	numbers []int32  // of the texts by the code of their cell; 0 where the chunk has none so far
	texted  []int32  // the number of the text of each row
	narrow  []int64
	wide    []*big.Int
	missing []bool // where the column has no texts
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
	c := &chunk{load: l}
	for _, column := range columns {
		c.columns = append(c.columns, chunkColumn{Column: column})
	}
	for row, err := range l.content.Rows(ctx) {
		if err == nil {
			err = c.add(row)
		}
		if err == nil && (len(c.lines) == chunkRows || c.bytes >= chunkBytes) {
			err = c.insert(ctx)
		}
		if err != nil {
			return err
		}
	}
	if len(c.lines) == 0 {
		return nil
	}
	return c.insert(ctx)
}

// add adds a row.
func (c *chunk) add(row catalogue.Row) error {
	for i := range c.columns {
		if err := c.addCell(&c.columns[i], row.Cells[i], row.Codes[i]); err != nil {
			return err
		}
	}
	c.resources, c.lines = append(c.resources, int32(row.Resource)), append(c.lines, row.Line)
	c.load.rows++
	return nil
}

func (c *chunk) addCell(column *chunkColumn, cell string, code uint32) (err error) {
	if column.Type == cube.TypeText {
		number, isNew := column.number(cell, code)
		if isNew {
			c.bytes += len(cell) + textBytes
		}
		column.texted = append(column.texted, number)
		return nil
	}
	column.missing = append(column.missing, cell == "")
	if column.isWide() {
		amount, err := wideAmount(cell, column.Scale)
		column.wide = append(column.wide, amount)
		return err
	}
	var number int64
	switch {
	case cell == "":
	case column.Type == cube.TypeInteger:
		number, err = strconv.ParseInt(cell, 10, 64)
	default:
		number, err = catalogue.Scaled(cell, column.Scale)
	}
	column.narrow = append(column.narrow, number)
	return err
}

// isWide tells whether the column has decimals of 128 bits.
func (c *chunkColumn) isWide() bool { return c.Type == cube.TypeDecimal && !c.IsScaled() }

func wideAmount(cell string, scale int) (*big.Int, error) {
	if cell == "" {
		return nil, nil
	}
	d, err := decimal.NewFromString(cell)
	if err != nil {
		return nil, fmt.Errorf("read an amount: %w", err)
	}
	return d.Shift(int32(scale)).BigInt(), nil
}

// textBytes are about what a text takes beside its bytes.
const textBytes = 48

// insert puts the rows of the chunk into the fact table, and empties the chunk.
func (c *chunk) insert(ctx context.Context) error {
	cells, from := make([]string, 0, len(c.columns)), " FROM chunk_rows() AS rows"
	for i := range c.columns {
		column := "c" + strconv.Itoa(i)
		if c.columns[i].Type == cube.TypeText {
			column, from = "texts."+column+"[rows."+column+"]", " FROM chunk_rows() AS rows, chunk_texts() AS texts"
		}
		cells = append(cells, column)
	}
	c.load.chunk.Store(c)
	defer c.load.chunk.Store(nil)
	statement := "INSERT INTO " + sqlgen.FactTable(c.load.id) + " SELECT " + strings.Join(append(cells, "resource", "line"), ", ") + from
	if _, err := c.load.conn.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("copy facts: %w", err)
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
		column.texts, column.texted = column.texts[:0], column.texted[:0]
		column.narrow, column.wide, column.missing = column.narrow[:0], column.wide[:0], column.missing[:0]
	}
	c.resources, c.lines, c.bytes = c.resources[:0], c.lines[:0], 0
}
