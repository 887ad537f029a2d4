package evidence_test

import (
	"context"
	"iter"
	"testing"

	"fiscube/store/evidence"
)

// tableOf makes a table of one file, and counts how often its rows are read.
func tableOf(t *testing.T, names []string, rows [][]string) (table *evidence.Table, readings *int) {
	t.Helper()
	readings = new(int)
	table, err := evidence.Read(t.Context(), [][]string{names}, func(*evidence.Column) {}, func(string) bool { return false }, func(context.Context, int) iter.Seq2[evidence.Row, error] {
		*readings++
		return func(yield func(evidence.Row, error) bool) {
			for i, cells := range rows {
				if !yield(evidence.Row{Line: int64(i + 2), Cells: cells, Codes: make([]uint32, len(cells))}, nil) {
					return
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return table, readings
}

func TestCount_CountsADependencyOnce(t *testing.T) {
	table, readings := tableOf(t, []string{"code", "label"}, [][]string{{"1", "Health"}, {"1", "Health"}, {"2", "Schools"}, {"2", "Police"}, {"", "None"}})
	code, label := table.Columns[0], table.Columns[1]
	ask := func() evidence.Agreement {
		in := table.Count(nil)
		d := in.Ask(label, code)
		if err := in.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if in.Ask(code, label) != nil {
			t.Error("what was not asked is known")
		}
		return d.Of()
	}
	want := evidence.Agreement{Agree: 3, Rows: 4, Kinds: 2, Single: 1, Varies: true}
	for range 2 {
		if got := ask(); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if *readings != 2 { // for the cells, and for the dependency
		t.Errorf("the rows were read %d times", *readings)
	}
}
