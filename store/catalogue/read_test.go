package catalogue

import (
	"bytes"
	"context"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"time"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// TestReader_Catalog reads a version that this program knows already, one of the same id from another history of the
// database, and one that it cannot read.
func TestReader_Catalog(t *testing.T) {
	row := func(id int64, fingerprint, content string) []any {
		return []any{id, int32(id), fingerprint, time.Now(), int64(7), content, []byte("{}"), `{"text": "report"}`, true, int32(id), "", false}
	}
	answers := [][][]any{
		{row(1, "a", `{"name": "first"}`), row(2, "b", `{"name": "second"}`)},
		{{int64(1), int32(1), "a", time.Now(), int64(7), "", nil, "", false, int32(3), "token", true}, row(2, "c", `{"name": "other"}`), row(3, "d", `{"name": 3`)},
	}
	var asked []any
	var log bytes.Buffer
	reader := Reader{Log: slog.New(slog.NewTextHandler(&log, nil)), Ask: func(_ context.Context, s sqlgen.SQL) iter.Seq2[[]any, error] {
		if s.Text == selectSeries {
			return func(func([]any, error) bool) {}
		}
		asked = s.Args
		return func(yield func([]any, error) bool) {
			for _, row := range answers[0] {
				if !yield(row, nil) {
					return
				}
			}
			answers = answers[1:]
		}
	}}
	first, err := reader.Catalog(t.Context())
	if err != nil || len(asked[0].([]string)) != 0 {
		t.Fatal(err, asked)
	}
	second, err := reader.Catalog(t.Context())
	if err != nil || len(asked[0].([]string)) != 2 {
		t.Fatal(err, asked)
	}
	was, is := first.Versions("first"), second.Versions("first")
	if len(was) != 1 || len(is) != 1 || was[0].Package != is[0].Package || is[0].Report != was[0].Report || is[0].Served || is[0].Last != 3 || was[0].FilesKept || !is[0].FilesKept || is[0].Visibility != cube.WithToken {
		t.Errorf("a known version is %+v, was %+v", is, was)
	}
	if len(second.Versions("other")) != 1 || len(second.Versions("second")) != 0 {
		t.Error("a version is known by its id and fingerprint")
	}
	if !strings.Contains(log.String(), "a version is left out") {
		t.Errorf("the log says %s", log.String())
	}
}
