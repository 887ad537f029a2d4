package encode

import (
	"io"
)

// ndjsonEncoder writes one JSON object a line, as in a JSON answer.
type ndjsonEncoder struct {
	out     io.Writer
	columns []Column
	names   [][]byte
	quoted  bool
	line    []byte
}

func newNDJSON(out io.Writer, s *Sheet) (Encoder, error) {
	return &ndjsonEncoder{out: out, columns: s.Columns, names: fieldNames(s.Columns), quoted: s.Quoted}, nil
}

func (e *ndjsonEncoder) Row(row []Datum) error {
	e.line = append(appendRow(append(e.line[:0], '{'), e.columns, e.names, row, e.quoted), "}\n"...)
	_, err := e.out.Write(e.line)
	return err
}

func (e *ndjsonEncoder) End() error { return nil }

func (e *ndjsonEncoder) Close() {}
