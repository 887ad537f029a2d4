//go:build cgo

package duckdb

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"strconv"
	"strings"

	"github.com/duckdb/duckdb-go/v2"

	"fiscube/cube"
)

// types are DuckDB's.
type types struct{}

// narrow is how many digits a decimal of 64 bits holds, wide how many one of 128.
const (
	narrow = 18
	wide   = 38
)

func (types) Text() string { return "text" }

func (types) Decimal(c cube.Column) string {
	return fmt.Sprintf("DECIMAL(%d,%d)", width(c), c.Scale)
}

func width(c cube.Column) int {
	if c.Digits+c.Scale <= narrow {
		return narrow
	}
	return wide
}

// appendRows fills a table through the Appender, in the connection's transaction.
func appendRows(conn *sql.Conn, table string, rows iter.Seq2[[]driver.Value, error]) (n int64, err error) {
	schema, name, _ := strings.Cut(strings.ReplaceAll(table, `"`, ""), ".")
	err = conn.Raw(func(raw any) error {
		appender, err := duckdb.NewAppenderFromConn(raw.(driver.Conn), schema, name)
		if err != nil {
			return fmt.Errorf("append to %s: %w", table, err)
		}
		for row, err := range rows {
			if err == nil {
				err = appender.AppendRow(row...)
			}
			if err != nil {
				return errors.Join(err, appender.Clear(), appender.Close())
			}
			n++
		}
		return appender.Close()
	})
	return n, err
}

// factValues types the cells of rows. The slice is used again for each row.
func factValues(rows iter.Seq2[cube.Row, error], columns []cube.Column) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		values := make([]driver.Value, len(columns)+2)
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			for i, cell := range row.Cells {
				values[i] = cellValue(cell, columns[i])
			}
			values[len(columns)] = int32(row.Resource)
			values[len(columns)+1] = row.Line
			if !yield(values, nil) {
				return
			}
		}
	}
}

// cellValue reads a checked cell: nothing here can fail.
func cellValue(cell string, c cube.Column) driver.Value {
	switch {
	case c.Type == cube.TypeText:
		return cell
	case cell == "":
		return nil
	case c.Type == cube.TypeInteger:
		n, _ := strconv.ParseInt(cell, 10, 64)
		return n
	}
	return unscaled(cell, c)
}

// unscaled is the amount as a whole number of its last decimal, the form DuckDB keeps decimals in.
func unscaled(cell string, c cube.Column) driver.Value {
	whole, fraction, _ := strings.Cut(cell, ".")
	digits := whole + fraction + strings.Repeat("0", c.Scale-len(fraction))
	if width(c) == narrow {
		n, _ := strconv.ParseInt(digits, 10, 64)
		return n
	}
	n, _ := new(big.Int).SetString(digits, 10)
	return n
}

// memberValues lists the rows of a member table.
func memberValues(members iter.Seq[cube.Member]) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		for m := range members {
			var values []driver.Value
			for _, key := range m.Path {
				values = append(values, keyValue(key))
			}
			values = append(values, m.Label, m.Fold, rankValue(m.Rank), m.Rows)
			if !yield(values, nil) {
				return
			}
		}
	}
}

func keyValue(key cube.Value) driver.Value {
	if n, ok := key.Int(); ok {
		return n
	}
	return key.String()
}

// rankValue is NULL for a member that is missing and comes last in every order.
func rankValue(rank int64) driver.Value {
	if rank == 0 {
		return nil
	}
	return rank
}
