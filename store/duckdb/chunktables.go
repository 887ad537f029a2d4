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

	"fiscube/cube"
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
	for name, table := range map[string]func(*chunk) duckdb.ChunkTableSource{
		"chunk_rows":  func(c *chunk) duckdb.ChunkTableSource { return &chunkRowTable{chunk: c} },
		"chunk_texts": func(c *chunk) duckdb.ChunkTableSource { return &chunkTextTable{chunk: c} },
	} {
		function := duckdb.ChunkTableFunction{BindArguments: func(map[string]any, ...any) (duckdb.ChunkTableSource, error) {
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

// chunkRowTable is chunk_rows: the columns c0 …, resource and line, a row for each of the chunk.
type chunkRowTable struct {
	chunk *chunk
	read  int // rows
}

func (t *chunkRowTable) Init() {}

func (t *chunkRowTable) Cardinality() *duckdb.CardinalityInfo { return rowCount(len(t.chunk.lines)) }

func (t *chunkRowTable) ColumnInfos() []duckdb.ColumnInfo {
	infos := make([]duckdb.ColumnInfo, 0, len(t.chunk.columns)+2)
	for i := range t.chunk.columns {
		infos = append(infos, duckdb.ColumnInfo{Name: "c" + strconv.Itoa(i), T: t.chunk.columns[i].info()})
	}
	return append(infos, duckdb.ColumnInfo{Name: "resource", T: info(duckdb.TYPE_INTEGER)},
		duckdb.ColumnInfo{Name: "line", T: info(duckdb.TYPE_BIGINT)})
}

// FillChunk gives the next rows.
func (t *chunkRowTable) FillChunk(out duckdb.DataChunk) error {
	from, columns := t.read, len(t.chunk.columns)
	t.read = min(from+duckdb.GetDataChunkCapacity(), len(t.chunk.lines))
	for i := range t.chunk.columns {
		if err := t.chunk.columns[i].fill(out, i, from, t.read); err != nil {
			return err
		}
	}
	err := errors.Join(fill(out, columns, t.chunk.resources[from:t.read], nil), fill(out, columns+1, t.chunk.lines[from:t.read], nil),
		out.SetSize(t.read-from))
	if err != nil {
		return fmt.Errorf("hand over rows: %w", err)
	}
	return nil
}

// fill gives the cells of some rows to a column of DuckDB.
func (c *chunkColumn) fill(out duckdb.DataChunk, column, from, to int) error {
	switch {
	case c.Type == cube.TypeText:
		return fill(out, column, c.texted[from:to], nil)
	case c.isWide():
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
			return fmt.Errorf("hand over column %d: %w", column, err)
		}
	}
	return nil
}

// info is the type of the column in chunk_rows.
func (c *chunkColumn) info() duckdb.TypeInfo {
	switch c.Type {
	case cube.TypeText:
		return info(duckdb.TYPE_INTEGER)
	case cube.TypeInteger:
		return info(duckdb.TYPE_BIGINT)
	}
	decimals, err := duckdb.NewDecimalInfo(uint8(width(c.Column)), uint8(c.Scale))
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

func (t *chunkTextTable) Init() {}

func (t *chunkTextTable) Cardinality() *duckdb.CardinalityInfo { return rowCount(1) }

func (t *chunkTextTable) ColumnInfos() []duckdb.ColumnInfo {
	var infos []duckdb.ColumnInfo
	for i := range t.chunk.columns {
		if t.chunk.columns[i].Type == cube.TypeText {
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
func (t *chunkTextTable) FillChunk(out duckdb.DataChunk) error {
	if t.isRead {
		return out.SetSize(0)
	}
	t.isRead = true
	column := 0
	for i := range t.chunk.columns {
		if t.chunk.columns[i].Type != cube.TypeText {
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
