package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"testing"
)

// export is a long answer that its reader has only begun to read.
type export struct {
	cells int64 // how many the whole answer has
	read  int64
	body  io.ReadCloser
}

// export asks for every row of a package of grow as CSV, and takes no more than the beginning.
func (s *service) export(t testing.TB, cube string) *export {
	t.Helper()
	e := &export{cells: s.ask(t, cube, everyRow+"&pagesize=0").TotalCellCount}
	response, err := http.Get(s.url + "/cubes/" + cube + "/aggregate?" + everyRow + "&format=csv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	e.body = response.Body
	if response.StatusCode != http.StatusOK {
		t.Fatalf("an export ended with %s", response.Status)
	}
	beginning := make([]byte, 1000)
	if _, err := io.ReadFull(e.body, beginning); err != nil {
		t.Fatal(err)
	}
	e.read = int64(bytes.Count(beginning, []byte("\r\n")))
	return e
}

// rest reads to the end, and gives how many rows came in all below the header.
func (e *export) rest() (rows int64, err error) {
	chunk := make([]byte, 1<<16)
	for {
		n, err := e.body.Read(chunk)
		e.read += int64(bytes.Count(chunk[:n], []byte("\n")))
		switch {
		case errors.Is(err, io.EOF):
			return e.read - 1, nil
		case err != nil:
			return e.read - 1, err
		}
	}
}
