package postgres

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/postgres/postgrestest"
)

// The server reads what is written in COPY's binary format as it reads the same cells as text: each digit, and each zero at the
// end of a number.
func TestFactRows_AreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	amounts := []string{
		"", "0", "0.00", "-0.05", "7", "-12", "9999", "10000", "10000.0", "99999999", "100000000", "123456789012345678901234567890.12345678",
		"0.0001", "0.00001", "0.000010", "-1000000000000000000000", "1200.3400", "0.000000000000000001", "5000.5", "12345.6789",
	}
	texts := []string{"", "a\tb", "línea\nnueva", `back\slash`, `\N`, "'", strings.Repeat("ž", 5000)}
	var rows []catalogue.Row
	for i, amount := range amounts {
		year := "-7"
		if i%2 == 0 {
			year = ""
		}
		rows = append(rows, catalogue.Row{Resource: i, Line: int64(i) << 40, Cells: []string{texts[i%len(texts)], year, amount}})
	}
	conn, err := pgx.Connect(t.Context(), postgrestest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), "CREATE TABLE facts (name text, year bigint, amount numeric, resource integer, line bigint)"); err != nil {
		t.Fatal(err)
	}
	columns := []cube.Column{{Name: "name", Type: cube.TypeText}, {Name: "year", Type: cube.TypeInteger}, {Name: "amount", Type: cube.TypeDecimal}}
	var data bytes.Buffer
	for part, err := range factRows(func(yield func(catalogue.Row, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}, columns) {
		if err != nil {
			t.Fatal(err)
		}
		data.Write(part)
	}
	if _, err := conn.PgConn().CopyFrom(t.Context(), &data, "COPY facts FROM STDIN WITH (FORMAT binary)"); err != nil {
		t.Fatal(err)
	}
	found, _ := conn.Query(t.Context(), `SELECT name, coalesce(year::text, ''), coalesce(amount::text, ''), line FROM facts ORDER BY resource`)
	got, err := pgx.CollectRows(found, func(row pgx.CollectableRow) (r catalogue.Row, err error) {
		r.Cells = make([]string, 3)
		return r, row.Scan(&r.Cells[0], &r.Cells[1], &r.Cells[2], &r.Line)
	})
	if err != nil || len(got) != len(rows) {
		t.Fatalf("%d rows, %v", len(got), err)
	}
	for i, row := range rows {
		if got[i].Line != row.Line || !slices.Equal(got[i].Cells, row.Cells) {
			t.Errorf("got %d %.200q, want %d %.200q", got[i].Line, got[i].Cells, row.Line, row.Cells)
		}
	}
}
