//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"iter"
	"log/slog"
	"path/filepath"
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

func (r rowsOnly) Rows(context.Context) iter.Seq2[catalogue.Row, error] { return r.rows }

// The chunks of a load take no more memory than one of them, although they go by in one transaction.
func TestCopyFacts_LetsGoOfChunks(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.duckdb"), Options{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	model, err := cube.NewModel([]cube.Column{
		{Name: "code", Type: cube.TypeText}, {Name: "number", Type: cube.TypeInteger}, {Name: "paid", Type: cube.TypeDecimal, Digits: 10, Scale: 2},
	}, []cube.Dimension{{Name: "unit", Levels: []cube.Level{{Ref: "code"}}}, {Name: "line", Levels: []cube.Level{{Ref: "number"}}}}, []cube.Measure{{Ref: "paid"}})
	if err != nil {
		t.Fatal(err)
	}
	var taken []int64 // in the middle of each chunk
	rows := func(yield func(catalogue.Row, error) bool) {
		for i := range 5 * chunkRows {
			if i%chunkRows == chunkRows/2 {
				var bytes int64
				if err := s.db.Load().QueryRow("SELECT sum(memory_usage_bytes)::bigint FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'").Scan(&bytes); err != nil {
					t.Fatal(err)
				}
				taken = append(taken, bytes)
			}
			code := uint32(i%1000 + 1)
			row := catalogue.Row{Line: int64(i + 2), Cells: []string{"code " + strconv.Itoa(int(code)), strconv.Itoa(i), "1.5"}, Codes: []uint32{code, 0, 0}}
			if !yield(row, nil) {
				return
			}
		}
	}
	_, err = s.inTx(t.Context(), func(ctx context.Context, conn *sql.Conn) (cube.Outcome, error) {
		l := &load{db: s.db.Load(), conn: conn, content: rowsOnly{rows: rows}, id: 1}
		if _, err := conn.ExecContext(ctx, sqlgen.CreateFacts(l.id, model, types{})); err != nil {
			return "", err
		}
		return "", l.copyFacts(ctx, model.Columns())
	})
	if err != nil {
		t.Fatal(err)
	}
	if second, last := taken[1], taken[len(taken)-1]; second == 0 || last > second*3/2 {
		t.Errorf("the chunks take %v bytes", taken)
	}
	var n, codes, attached int64
	const count = "SELECT count(*), count(DISTINCT code), (SELECT count(*) FROM duckdb_databases() WHERE database_name = 'chunk') FROM "
	if err := s.db.Load().QueryRow(count+sqlgen.FactTable(1)).Scan(&n, &codes, &attached); err != nil {
		t.Fatal(err)
	}
	if n != 5*chunkRows || codes != 1000 || attached != 0 {
		t.Errorf("%d rows, %d codes, %d chunks left", n, codes, attached)
	}
}
