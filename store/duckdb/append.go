//go:build cgo

package duckdb

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
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

func (types) Large() string { return "" }

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
func appendRows(conn *sql.Conn, table string, rows iter.Seq2[[]driver.Value, error]) error {
	schema, name, _ := strings.Cut(strings.ReplaceAll(table, `"`, ""), ".")
	appender, err := newAppender(conn, "", schema, name)
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err == nil {
			err = appender.AppendRow(row...)
		}
		if err != nil {
			return errors.Join(err, appender.Clear(), appender.Close())
		}
	}
	return appender.Close()
}

func newAppender(conn *sql.Conn, catalog, schema, table string) (appender *duckdb.Appender, err error) {
	return appender, conn.Raw(func(raw any) error {
		if appender, err = duckdb.NewAppender(raw.(driver.Conn), catalog, schema, table); err != nil {
			return fmt.Errorf("append to %s.%s: %w", schema, table, err)
		}
		return nil
	})
}

// memberValues lists the rows of a member table.
func memberValues(members iter.Seq[cube.Member], level cube.Level, model *cube.Model) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		for m := range members {
			first, last := m.Years()
			values := append(pathValues(m, level, model), m.Label, m.Fold, rankValue(m.Rank), m.Rows,
				keyValue(first, cube.TypeInteger), keyValue(last, cube.TypeInteger), m.Number)
			if !yield(values, nil) {
				return
			}
		}
	}
}

// labelValues lists the rows of a label table.
func labelValues(members iter.Seq[cube.Member], level cube.Level, model *cube.Model) iter.Seq2[[]driver.Value, error] {
	return func(yield func([]driver.Value, error) bool) {
		for m := range members {
			for _, label := range m.Labels {
				values := append(pathValues(m, level, model), keyValue(label.Year, cube.TypeInteger), label.Text,
					rankValue(label.Rank), label.Rows, label.Shown, label.Meaning, label.Fold, m.Number, label.Cell)
				if !yield(values, nil) {
					return
				}
			}
		}
	}
}

func pathValues(m cube.Member, level cube.Level, model *cube.Model) []driver.Value {
	values := make([]driver.Value, len(m.Path))
	for i, key := range m.Path {
		column, _ := model.Column(level.Path[i])
		values[i] = keyValue(key, column.Type)
	}
	return values
}

// keyValue is a key as its column holds it: a missing text is empty, a missing number NULL.
func keyValue(key cube.Value, kind cube.ColumnType) driver.Value {
	if n, ok := key.Int(); ok {
		return n
	}
	if kind == cube.TypeInteger {
		return nil
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
