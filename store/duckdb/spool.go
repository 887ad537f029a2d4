//go:build cgo

package duckdb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Facts go into DuckDB through its own CSV reader, a chunk of rows at a time, in a file of checked cells. The
// Appender crosses from Go to C three times for every text: on the real D7 that took five times as long.

// chunkBytes is how much is spooled before DuckDB reads it: enough for all cores, little enough that memory and
// temporary space stay flat.
const chunkBytes = 64 << 20

// mostLine is the longest line that DuckDB's reader takes unless another limit is set.
const mostLine = 2 << 20

// spool is a temporary file of rows.
type spool struct {
	file    *os.File
	out     *bufio.Writer
	line    []byte
	size    int
	longest int // line
}

// newSpool makes the file. Beside a database it has one name, so that what a load leaves which is killed is no more than
// one file, and that of the next load; there is one load at a time.
func newSpool(database string) (*spool, error) {
	var file *os.File
	var err error
	if database == "" {
		file, err = os.CreateTemp("", "fiscube-*.csv")
	} else {
		file, err = os.OpenFile(database+".spool", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	return &spool{file: file, out: bufio.NewWriterSize(file, 1<<20)}, nil
}

func (s *spool) remove() error { return errors.Join(s.file.Close(), os.Remove(s.file.Name())) }

// add writes a row. Text is always quoted: an empty cell without quotes is a missing number.
func (s *spool) add(row catalogue.Row, columns []cube.Column) error {
	s.line = s.line[:0]
	for i, cell := range row.Cells {
		if columns[i].Type == cube.TypeText {
			s.line = appendQuoted(s.line, cell)
		} else {
			s.line = append(s.line, cell...)
		}
		s.line = append(s.line, ',')
	}
	s.line = append(strconv.AppendInt(s.line, int64(row.Resource), 10), ',')
	s.line = append(strconv.AppendInt(s.line, row.Line, 10), '\n')
	s.size += len(s.line)
	s.longest = max(s.longest, len(s.line))
	_, err := s.out.Write(s.line)
	return err
}

func appendQuoted(line []byte, cell string) []byte {
	line = append(line, '"')
	if strings.IndexByte(cell, '"') < 0 {
		line = append(line, cell...)
	} else {
		line = append(line, strings.ReplaceAll(cell, `"`, `""`)...)
	}
	return append(line, '"')
}

// restart empties the file for the next chunk.
func (s *spool) restart() error {
	s.size, s.longest = 0, 0
	if err := s.file.Truncate(0); err != nil {
		return err
	}
	_, err := s.file.Seek(0, 0)
	return err
}

// copyFacts streams the rows into the fact table and counts them.
func (l *load) copyFacts(ctx context.Context, columns []cube.Column) (err error) {
	s, err := newSpool(l.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.remove()) }()
	for row, err := range l.content.Rows(ctx) {
		if err != nil {
			return err
		}
		if err := s.add(row, columns); err != nil {
			return fmt.Errorf("spool a row: %w", err)
		}
		l.rows++
		if s.size >= chunkBytes {
			if err := l.copyChunk(ctx, s); err != nil {
				return err
			}
		}
	}
	return l.copyChunk(ctx, s)
}

// copyChunk has DuckDB read the file. Nothing is left for it to guess.
func (l *load) copyChunk(ctx context.Context, s *spool) error {
	if err := s.out.Flush(); err != nil {
		return fmt.Errorf("spool rows: %w", err)
	}
	lineSize := max(mostLine, s.longest+1)
	bufferSize := max(2*lineSize, min(16*mostLine, s.size)) // of which DuckDB clears all, however little it reads
	_, err := l.conn.ExecContext(ctx, "COPY "+sqlgen.FactTable(l.id)+" FROM '"+strings.ReplaceAll(s.file.Name(), "'", "''")+
		`' (FORMAT csv, AUTO_DETECT false, HEADER false, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR '',
		ALLOW_QUOTED_NULLS false, NEW_LINE '\n', MAX_LINE_SIZE `+strconv.Itoa(lineSize)+
		", BUFFER_SIZE "+strconv.Itoa(bufferSize)+")")
	if err != nil {
		return fmt.Errorf("copy into %s: %w", sqlgen.FactTable(l.id), err)
	}
	return s.restart()
}
