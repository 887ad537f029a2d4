package coded_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fiscube/store/load/coded"
	"fiscube/store/load/temporary"
)

func newFile(t *testing.T) *temporary.File {
	t.Helper()
	file, err := temporary.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

// The rows of two files come back as they were added, as often as they are read, however often their cells repeat.
func TestRows_ComeBack(t *testing.T) {
	file := newFile(t)
	random := rand.New(rand.NewPCG(1, 2))
	var files []*coded.Rows
	var want [2][]string
	for range want {
		files = append(files, coded.NewRows(file, 4))
	}
	unnumbered := 0
	for n := range int64(30_000) {
		at := random.IntN(2)
		cells := []string{
			"", fmt.Sprint("código\n", random.IntN(300)), fmt.Sprint(n), strings.Repeat("x", random.IntN(3)*int(n%7)),
		}
		line := n*2 - random.Int64N(2)
		codes, err := files[at].Add(line, cells)
		if err != nil {
			t.Fatal(err)
		}
		if codes[0] != 1 || codes[1] == 0 || codes[3] == 0 {
			t.Fatalf("row %d has the codes %d", n, codes)
		}
		if codes[2] == 0 {
			unnumbered++
		}
		want[at] = append(want[at], fmt.Sprint(line, cells, codes))
	}
	if unnumbered < 10_000 {
		t.Errorf("%d of 30,000 different cells have no code", unnumbered)
	}
	for i, f := range files {
		if err := f.End(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var got []string
			for row, err := range f.All(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, fmt.Sprint(row.Line, row.Cells, row.Codes))
			}
			if !slices.Equal(got, want[i]) {
				t.Errorf("file %d: %d rows came back, %d were added, or they differ", i, len(got), len(want[i]))
			}
		}
	}
}

// Reading ends when the load does.
func TestRows_End(t *testing.T) {
	file := newFile(t)
	rows := coded.NewRows(file, 1)
	for n := range int64(100_000) {
		if _, err := rows.Add(n, []string{fmt.Sprint(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.End(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ended error
	for row, err := range rows.All(ctx) {
		if ended = err; row.Line == 10 {
			cancel()
		}
	}
	if !errors.Is(ended, context.Canceled) {
		t.Errorf("reading ends with %v", ended)
	}
}
