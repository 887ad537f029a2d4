//go:build cgo

package duckdb

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"fiscube/store/sqlgen"
)

// endless is a statement that takes hours.
var endless = sqlgen.SQL{Text: "SELECT sum(a.range * b.range % 7) FROM range(1000000000) a, range(1000000000) b"}

// TestRows_EndWithTheirContext leaves a question that the engine works at: the engine stops, and takes the next.
func TestRows_EndWithTheirContext(t *testing.T) {
	s, err := Open(t.Context(), Memory, Options{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for range 3 {
		ctx, leave := context.WithTimeout(t.Context(), 200*time.Millisecond)
		start := time.Now()
		for _, err := range s.Ask(ctx, endless) {
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the question ended with %v", err)
			}
		}
		leave()
		if took := time.Since(start); took < 200*time.Millisecond || took > time.Minute {
			t.Errorf("the engine worked for %v", took)
		}
	}
	for row, err := range s.Ask(t.Context(), sqlgen.SQL{Text: "SELECT 1"}) {
		if err != nil || len(row) != 1 {
			t.Errorf("the next question got %v, %v", row, err)
		}
	}
}
