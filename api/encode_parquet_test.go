package api_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"fiscube/cube"
)

// The decimals of facts have the digits that their column was found to have.
func TestDecimalsOfFactsInParquet(t *testing.T) {
	for _, tt := range []struct {
		digits int
		amount string
		want   string // "" for a refusal
		kind   string
	}{
		{0, "12345678901234567890.10", "1234567890123456789010", "DECIMAL(38,2)"},
		{7, "-1234567.89", "-123456789", "DECIMAL(9,2)"}, {7, "12345678.00", "", ""},
		{16, "1234567890123456.78", "123456789012345678", "DECIMAL(18,2)"}, {16, "-10000000000000000", "", ""},
		{17, "-12345678901234567.89", "-1234567890123456789", "DECIMAL(19,2)"},
		{36, "1234567890123456789012345678901234567", "", ""},
	} {
		f := newFake(t)
		f.cubes[0] = withDigits(t, tt.digits)
		f.facts = threeFacts()[:1]
		f.facts[0].Values[1].Amount = amounts(tt.amount)[0]
		r := ask(t, handler(t, f), threeFields+"&format=parquet")
		if tt.want == "" {
			if p := r.problem(t); p.Code != cube.CodeTooLarge {
				t.Errorf("%s in %d digits: %v", tt.amount, tt.digits, p)
			}
			continue
		}
		file, err := parquet.OpenFile(strings.NewReader(r.body), int64(len(r.body)))
		if err != nil {
			t.Fatal(err)
		}
		row := make([]parquet.Row, 1)
		_, _ = parquet.NewGenericReader[any](file).ReadRows(row)
		field := file.Schema().Fields()[1]
		if got := wholeOf(row[0][1]); got != tt.want || field.Type().String() != tt.kind {
			t.Errorf("%s in %d digits is %s of %s, want %s of %s", tt.amount, tt.digits, got, field.Type(), tt.want, tt.kind)
		}
	}
}

// withDigits is budget with the digits of its amounts known.
func withDigits(t *testing.T, digits int) *cube.Cube {
	cb := budget(t)
	columns := append([]cube.Column{}, cb.Model.Columns()...)
	for i, c := range columns {
		if c.Name == "approved_value" {
			columns[i].Digits = digits
		}
	}
	cb.Model = newModel(t, columns, []cube.Dimension{{Name: "date", Levels: []cube.Level{{Ref: "Year"}}}}, nil)
	return cb
}

func wholeOf(value parquet.Value) string {
	if value.Kind() != parquet.FixedLenByteArray {
		return value.String()
	}
	n := new(big.Int).SetBytes(value.ByteArray())
	if value.ByteArray()[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	return n.String()
}
