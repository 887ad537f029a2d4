//go:build cgo

package duckdb

import (
	"context"
	"database/sql/driver"
	"fmt"
	"iter"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// makeBase makes the base cuboid of the version.
func (l *load) makeBase(ctx context.Context) error {
	return l.entry.MakeBase(ctx, l.id, types{}, func(_ context.Context, table string, rows iter.Seq2[catalogue.NumberedRow, error]) error {
		return appendRows(l.conn, table, numberedValues(rows, l.content.Package().Model))
	})
}

// numberedValues lists the rows of the base cuboid. A row is valid until the next one.
func numberedValues(rows iter.Seq2[catalogue.NumberedRow, error], m *cube.Model) iter.Seq2[[]driver.Value, error] {
	scales := make([]int, len(m.Measures()))
	for i, measure := range m.Measures() {
		column, _ := m.Column(measure.Ref)
		scales[i] = column.Scale
	}
	return func(yield func([]driver.Value, error) bool) {
		var values []driver.Value
		for row, err := range rows {
			values = values[:0]
			for i, a := range row.Amounts {
				value, wrong := amountValue(a, scales[i])
				if err == nil {
					err = wrong
				}
				values = append(values, value)
			}
			for _, number := range row.Numbers {
				values = append(values, number)
			}
			if !yield(values, err) || err != nil {
				return
			}
		}
	}
}

// amountValue is an amount as its column holds it; a decimal of 128 bits has so many decimals.
func amountValue(a catalogue.Amount, scale int) (driver.Value, error) {
	switch {
	case a.Missing:
		return nil, nil
	case a.Decimal == nil:
		return a.Scaled, nil
	}
	d, err := decimal.NewFromString(string(a.Decimal))
	if err != nil {
		return nil, fmt.Errorf("read an amount: %w", err)
	}
	return d.Shift(int32(scale)).BigInt(), nil
}
