package e2e

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
)

// export is a long answer that its reader has only begun to read.
type export struct {
	server *service
	id     string // of its request
	rows   int64  // how many the whole answer has
	read   int64
	body   io.ReadCloser
}

// plain asks for answers as they are: in gzip, the rows of a package of grow would fit into a socket.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// export asks for every fact of a package of grow as CSV, and takes no more than the beginning. Facts begin to come at
// once, where the first of many cells waits for the last fact.
func (s *service) export(t testing.TB, cube string) *export {
	t.Helper()
	var whole struct{ Rows int64 }
	s.read(t, "/cubes/"+cube, &whole)
	response, err := plain.Get(s.url + "/cubes/" + cube + "/facts?format=csv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	e := &export{server: s, id: response.Header.Get("X-Request-Id"), rows: whole.Rows, body: response.Body}
	if response.StatusCode != http.StatusOK || e.id == "" {
		t.Fatalf("an export ended with %s", response.Status)
	}
	beginning := make([]byte, 1000)
	if _, err := io.ReadFull(e.body, beginning); err != nil {
		t.Fatal(err)
	}
	e.read = int64(bytes.Count(beginning, []byte("\n")))
	return e
}

// rest reads to the end, and gives how many rows came in all below the header. Whatever the test did since the beginning
// has to have happened while the server was still at work: it logs a request when it is done with it.
func (e *export) rest(t testing.TB) (rows int64, err error) {
	t.Helper()
	if strings.Contains(e.server.err.String(), e.id) {
		t.Errorf("the server was done with the export before it was read")
	}
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
