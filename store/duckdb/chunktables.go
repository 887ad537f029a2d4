//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/duckdb/duckdb-go/v2"
)

// makeChunkTables makes the table functions chunk_rows and chunk_texts, which read the chunk that is being inserted. Tables of
// DuckDB would not do: a transaction keeps what it has read until it ends, so that a load would hold all its chunks at once, and
// it takes an attached database for the one that had the same name before.
func makeChunkTables(ctx context.Context, db *sql.DB, at *atomic.Pointer[chunk]) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open a connection: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	for name, table := range map[string]func(*chunk) duckdb.ParallelChunkTableSource{
		"chunk_rows":  func(c *chunk) duckdb.ParallelChunkTableSource { return &chunkRowTable{chunk: c} },
		"chunk_texts": func(c *chunk) duckdb.ParallelChunkTableSource { return &chunkTextTable{chunk: c} },
	} {
		function := duckdb.ParallelChunkTableFunction{BindArguments: func(map[string]any, ...any) (duckdb.ParallelChunkTableSource, error) {
			if c := at.Load(); c != nil {
				return table(c), nil
			}
			return nil, errors.New("no chunk of rows is being inserted")
		}}
		if err := duckdb.RegisterTableUDF(conn, name, function); err != nil {
			return fmt.Errorf("make the table %s: %w", name, err)
		}
	}
	return nil
}

// chunkRowTable is chunk_rows: the columns c0 …, a row for each of the chunk. Several threads read it, each some rows that follow each other.
type chunkRowTable struct {
	chunk *chunk
	taken atomic.Int64 // rows
}

// takenRows are the rows that a thread has taken and not given yet.
type takenRows struct{ from, to int }

func (t *chunkRowTable) Init() duckdb.ParallelTableSourceInfo {
	return duckdb.ParallelTableSourceInfo{MaxThreads: chunkRows / groupRows}
}

func (t *chunkRowTable) NewLocalState() any { return &takenRows{} }

func (t *chunkRowTable) Cardinality() *duckdb.CardinalityInfo { return rowCount(t.chunk.rows) }

func (t *chunkRowTable) ColumnInfos() []duckdb.ColumnInfo {
	infos := make([]duckdb.ColumnInfo, 0, len(t.chunk.columns))
	for i := range t.chunk.columns {
		infos = append(infos, duckdb.ColumnInfo{Name: "c" + strconv.Itoa(i), T: t.chunk.columns[i].info()})
	}
	return infos
}

// FillChunk gives the next rows.
func (t *chunkRowTable) FillChunk(state any, out duckdb.DataChunk) error {
	own := state.(*takenRows)
	if own.from == own.to {
		end := int(t.taken.Add(groupRows))
		own.from, own.to = min(end-groupRows, t.chunk.rows), min(end, t.chunk.rows)
	}
	from := own.from
	own.from = min(from+duckdb.GetDataChunkCapacity(), own.to)
	for i := range t.chunk.columns {
		if err := t.chunk.columns[i].fill(out, i, from, own.from); err != nil {
			return fmt.Errorf("hand over column %d: %w", i, err)
		}
	}
	return out.SetSize(own.from - from)
}

// fill gives the cells of some rows to a column of DuckDB.
func (c *chunkColumn) fill(out duckdb.DataChunk, column, from, to int) error {
	switch c.kind {
	case ofTexts, ofSmall:
		return fill(out, column, c.small[from:to], nil)
	case ofWide:
		return fill(out, column, c.wide[from:to], c.missing[from:to])
	}
	return fill(out, column, c.narrow[from:to], c.missing[from:to])
}

func fill[T any](out duckdb.DataChunk, column int, cells []T, missing []bool) (err error) {
	for row, cell := range cells {
		if missing != nil && missing[row] {
			err = out.SetValue(column, row, nil)
		} else {
			err = duckdb.SetChunkValue(out, column, row, cell)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// info is the type of the column in chunk_rows.
func (c *chunkColumn) info() duckdb.TypeInfo {
	digits := narrow
	switch c.kind {
	case ofTexts, ofSmall:
		return info(duckdb.TYPE_INTEGER)
	case ofWhole:
		return info(duckdb.TYPE_BIGINT)
	case ofWide:
		digits = wide
	}
	decimals, err := duckdb.NewDecimalInfo(uint8(digits), uint8(c.scale))
	if err != nil {
		return nil // which DuckDB refuses
	}
	return decimals
}

// chunkTextTable is chunk_texts: the columns with texts, in one row.
type chunkTextTable struct {
	chunk  *chunk
	isRead bool
}

func (t *chunkTextTable) Init() duckdb.ParallelTableSourceInfo {
	return duckdb.ParallelTableSourceInfo{MaxThreads: 1}
}

func (t *chunkTextTable) NewLocalState() any { return nil }

func (t *chunkTextTable) Cardinality() *duckdb.CardinalityInfo { return rowCount(1) }

func (t *chunkTextTable) ColumnInfos() []duckdb.ColumnInfo {
	var infos []duckdb.ColumnInfo
	for i := range t.chunk.columns {
		if t.chunk.columns[i].kind == ofTexts {
			list, err := duckdb.NewListInfo(info(duckdb.TYPE_VARCHAR))
			if err != nil {
				list = nil // which DuckDB refuses
			}
			infos = append(infos, duckdb.ColumnInfo{Name: "c" + strconv.Itoa(i), T: list})
		}
	}
	return infos
}

// FillChunk gives the row.
func (t *chunkTextTable) FillChunk(_ any, out duckdb.DataChunk) error {
	if t.isRead {
		return out.SetSize(0)
	}
	t.isRead = true
	column := 0
	for i := range t.chunk.columns {
		if t.chunk.columns[i].kind != ofTexts {
			continue
		}
		if err := out.SetValue(column, 0, t.chunk.columns[i].texts); err != nil {
			return fmt.Errorf("hand over texts: %w", err)
		}
		column++
	}
	return out.SetSize(1)
}

func rowCount(n int) *duckdb.CardinalityInfo {
	return &duckdb.CardinalityInfo{Cardinality: uint(n), Exact: true}
}

func info(kind duckdb.Type) duckdb.TypeInfo {
	known, err := duckdb.NewTypeInfo(kind)
	if err != nil {
		return nil // which DuckDB refuses
	}
	return known
}
