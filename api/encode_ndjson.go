package api

import "io"

// ndjsonEncoder writes one JSON object a line, as they stand in a JSON answer.
type ndjsonEncoder struct {
	out     io.Writer
	columns []column
	names   [][]byte
	quoted  bool
	line    []byte
}

func newNDJSON(out io.Writer, s *sheet) (encoder, error) {
	return &ndjsonEncoder{out: out, columns: s.columns, names: fieldNames(s.columns), quoted: s.quoted}, nil
}

func (e *ndjsonEncoder) row(row []datum) error {
	e.line = append(appendRow(e.line[:0], e.columns, e.names, row, e.quoted), '\n')
	_, err := e.out.Write(e.line)
	return err
}

func (e *ndjsonEncoder) end() error { return nil }

func (e *ndjsonEncoder) close() {}
