package encode

import (
	"io"
)

// ndjsonEncoder writes one JSON object a line, as in a JSON answer.
type ndjsonEncoder struct {
	out  io.Writer
	rows *rowWriter
	line []byte
}

func newNDJSON(out io.Writer, s *Sheet) (Encoder, error) {
	return &ndjsonEncoder{out: out, rows: newRowWriter(s.Columns, s.Quoted)}, nil
}

func (e *ndjsonEncoder) Row(row []Datum) error {
	e.line = append(e.rows.append(append(e.line[:0], '{'), row), "}\n"...)
	_, err := e.out.Write(e.line)
	return err
}

func (e *ndjsonEncoder) End() error { return nil }

func (e *ndjsonEncoder) Close() {}
