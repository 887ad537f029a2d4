//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"iter"
	"log/slog"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// rowsOnly is a package of which only the rows are asked for.
type rowsOnly struct {
	catalogue.Content
	rows iter.Seq2[catalogue.Row, error]
}

func (r rowsOnly) Files() []catalogue.File { return nil }

func (r rowsOnly) RowCount() int64 { return chunkRows }

func (r rowsOnly) LabelHistory() *cube.LabelHistory { return nil }

func (r rowsOnly) Rows(context.Context) iter.Seq2[catalogue.Row, error] { return r.rows }

// Every row of every chunk comes into the fact table, once. The chunks take no more memory than one of them, although they go by
// in one transaction.
func TestCopyFacts_ManyChunks(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.duckdb"), Options{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	model, err := cube.NewModel([]cube.Column{
		{Name: "code", Type: cube.TypeText}, {Name: "number", Type: cube.TypeInteger},
		{Name: "paid", Type: cube.TypeDecimal, Digits: 10, Scale: 2}, {Name: "owed", Type: cube.TypeDecimal, Digits: 30, Scale: 2},
	}, []cube.Dimension{{Name: "unit", Levels: []cube.Level{{Ref: "code"}}}, {Name: "line", Levels: []cube.Level{{Ref: "number"}}}},
		[]cube.Measure{{Ref: "paid"}, {Ref: "owed"}})
	if err != nil {
		t.Fatal(err)
	}
	var taken []int64 // in the middle of each chunk
	const count = 16*chunkRows + 7
	rows := func(yield func(catalogue.Row, error) bool) {
		for i := range count {
			if i%chunkRows == chunkRows/2 {
				var bytes int64
				if err := s.db.Load().QueryRow("SELECT sum(memory_usage_bytes)::bigint FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'").Scan(&bytes); err != nil {
					t.Fatal(err)
				}
				taken = append(taken, bytes)
			}
			code, owed := i%1000+i/chunkRows, "" // each chunk has other codes
			if i%2 == 0 {
				owed = "1000000000000000000000.25"
			}
			row := catalogue.Row{Resource: i % 2, Line: int64(i + 2), Cells: []string{"code " + strconv.Itoa(code), strconv.Itoa(i), "1.5", owed},
				Codes: []uint32{uint32(code + 1), 0, 0, 0}}
			if !yield(row, nil) {
				return
			}
		}
	}
	err = s.inTx(t.Context(), func(ctx context.Context, conn *sql.Conn) error {
		l := &load{chunk: &s.chunk, conn: conn, content: rowsOnly{rows: rows}, id: 1}
		if _, err := conn.ExecContext(ctx, sqlgen.CreateFacts(l.id, model, types{})); err != nil {
			return err
		}
		return l.copyFacts(ctx, model.Columns())
	})
	if err != nil {
		t.Fatal(err)
	}
	// What has been written stays in memory for a moment, so that there are one or two chunks; if all stayed, there were 16 after 4.
	if first, rest := slices.Max(taken[:4]), slices.Max(taken[4:]); first == 0 || rest > first*3 {
		t.Errorf("the chunks take %v bytes", taken)
	}
	var got [5]int64
	var paid, owed string
	ask := `SELECT count(*), count(DISTINCT number), sum((number + 2 <> _line)::int), sum((_resource <> number % 2)::int),
		sum((code <> 'code ' || (number % 1000 + number // ` + strconv.Itoa(chunkRows) + `))::int), sum(paid)::text, sum(owed)::text FROM `
	if err := s.db.Load().QueryRow(ask+sqlgen.FactTable(1)).Scan(&got[0], &got[1], &got[2], &got[3], &got[4], &paid, &owed); err != nil {
		t.Fatal(err)
	}
	if want := [5]int64{count, count, 0, 0, 0}; got != want || paid != "1474570.50" || owed != "491524000000000000000122881.00" {
		t.Errorf("rows, numbers, and wrong lines, files and codes are %v, not %v; the sums %s and %s", got, want, paid, owed)
	}
}
