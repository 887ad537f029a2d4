//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Facts go into DuckDB a chunk of rows at a time, by the numbers of their texts: the Appender crosses from Go to C three times for
// every text, and texts repeat. A chunk is two temporary tables: rows has numbers and amounts; texts has one row, with a list
// of texts for each column. One statement puts them together, on all cores.

const (
	// chunkRows is one of DuckDB's row groups. Full ones are compressed and written while the rows come in.
	chunkRows = 122_880
	// chunkBytes bounds the texts of a chunk, so that memory stays flat.
	chunkBytes = 32 << 20
)

// chunk is some rows on their way into the fact table.
type chunk struct {
	load     *load
	filler   *sql.Conn // fills the tables
	columns  []chunkColumn
	appender *duckdb.Appender // of the table of rows
	values   []driver.Value
	rows     int
	bytes    int // of texts
}

// chunkColumn is a column of a chunk.
type chunkColumn struct {
	cube.Column
	texts   []string // those of the chunk, by number; nil for numbers
	numbers []int32  // of the texts by the code of their cell; 0 where the chunk has none so far
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
func (l *load) copyFacts(ctx context.Context, columns []cube.Column) (err error) {
	c := &chunk{load: l, values: make([]driver.Value, len(columns)+2)}
	for _, column := range columns {
		c.columns = append(c.columns, chunkColumn{Column: column})
	}
	if c.filler, err = l.db.Conn(ctx); err != nil {
		return fmt.Errorf("open a connection: %w", err)
	}
	defer func() { err = errors.Join(err, c.close(context.WithoutCancel(ctx))) }()
	for row, err := range l.content.Rows(ctx) {
		if err == nil && c.rows == 0 {
			err = c.begin(ctx)
		}
		if err == nil {
			err = c.add(row)
		}
		if err == nil && (c.rows == chunkRows || c.bytes >= chunkBytes) {
			err = c.insert(ctx)
		}
		if err != nil {
			return err
		}
	}
	if c.rows == 0 {
		return nil
	}
	return c.insert(ctx)
}

// detach lets go of the chunk before.
const detach = "DETACH DATABASE IF EXISTS chunk"

// close ends the last chunk, which is not inserted where there was an error.
func (c *chunk) close(ctx context.Context) error {
	var err error
	if c.appender != nil {
		err = errors.Join(c.appender.Clear(), c.appender.Close())
	}
	return errors.Join(err, exec(ctx, c.filler, detach), c.filler.Close())
}

// begin makes the table of rows in a new database.
func (c *chunk) begin(ctx context.Context) (err error) {
	types := make([]string, 0, len(c.columns))
	for i := range c.columns {
		types = append(types, "c"+strconv.Itoa(i)+" "+c.columns[i].sqlType())
	}
	create := "CREATE TABLE chunk.rows (" + strings.Join(append(types, "resource INTEGER", "line BIGINT"), ", ") + ")"
	if err := exec(ctx, c.filler, detach+"; ATTACH ':memory:' AS chunk; "+create); err != nil {
		return err
	}
	c.appender, err = newAppender(c.filler, "chunk", "main", "rows")
	return err
}

func (c *chunkColumn) sqlType() string {
	switch c.Type {
	case cube.TypeText:
		return "INTEGER"
	case cube.TypeInteger:
		return "BIGINT"
	}
	return types{}.Decimal(c.Column)
}

// add adds a row.
func (c *chunk) add(row catalogue.Row) error {
	for i := range c.columns {
		value, err := c.value(i, row.Cells[i], row.Codes[i])
		if err != nil {
			return err
		}
		c.values[i] = value
	}
	c.values[len(c.columns)], c.values[len(c.columns)+1] = int32(row.Resource), row.Line
	c.rows++
	c.load.rows++
	return c.appender.AppendRow(c.values...)
}

// value is a cell as the table of rows holds it.
func (c *chunk) value(i int, cell string, code uint32) (driver.Value, error) {
	column := &c.columns[i]
	switch {
	case column.Type == cube.TypeText:
		number, isNew := column.number(cell, code)
		if isNew {
			c.bytes += len(cell) + textBytes
		}
		return number, nil
	case cell == "":
		return nil, nil
	case column.Type == cube.TypeInteger:
		return strconv.ParseInt(cell, 10, 64)
	case column.IsScaled():
		return catalogue.Scaled(cell, column.Scale)
	}
	d, err := decimal.NewFromString(cell)
	if err != nil {
		return nil, fmt.Errorf("read an amount: %w", err)
	}
	return d.Shift(int32(column.Scale)).BigInt(), nil
}

// textBytes are about what a text takes beside its bytes.
const textBytes = 48

// insert puts the rows of the chunk into the fact table, and empties the chunk.
func (c *chunk) insert(ctx context.Context) error {
	err := c.appender.Close()
	c.appender = nil
	if err != nil {
		return fmt.Errorf("append rows: %w", err)
	}
	from, err := c.makeTexts(ctx)
	if err != nil {
		return err
	}
	cells := make([]string, 0, len(c.columns))
	for i := range c.columns {
		column := "c" + strconv.Itoa(i)
		if c.columns[i].Type == cube.TypeText {
			column = "texts." + column + "[rows." + column + "]"
		}
		cells = append(cells, column)
	}
	if err := exec(ctx, c.load.conn, "INSERT INTO "+sqlgen.FactTable(c.load.id)+" SELECT "+strings.Join(append(cells, "resource", "line"), ", ")+from); err != nil {
		return err
	}
	for i := range c.columns {
		clear(c.columns[i].numbers)
		c.columns[i].texts = c.columns[i].texts[:0]
	}
	c.rows, c.bytes = 0, 0
	return nil
}

// makeTexts makes the table of texts, if the chunk has any, and gives the tables to select from.
func (c *chunk) makeTexts(ctx context.Context) (from string, err error) {
	var columns []string
	var lists []driver.Value
	for i := range c.columns {
		if c.columns[i].Type == cube.TypeText {
			columns = append(columns, "c"+strconv.Itoa(i)+" TEXT[]")
			lists = append(lists, c.columns[i].texts)
		}
	}
	if len(columns) == 0 {
		return " FROM chunk.rows", nil
	}
	if err := exec(ctx, c.filler, "CREATE TABLE chunk.texts ("+strings.Join(columns, ", ")+")"); err != nil {
		return "", err
	}
	appender, err := newAppender(c.filler, "chunk", "main", "texts")
	if err != nil {
		return "", err
	}
	return " FROM chunk.rows, chunk.texts", errors.Join(appender.AppendRow(lists...), appender.Close())
}

func exec(ctx context.Context, conn *sql.Conn, statement string) error {
	if _, err := conn.ExecContext(ctx, statement); err != nil {
		return fmt.Errorf("copy facts: %w", err)
	}
	return nil
}
