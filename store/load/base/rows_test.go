package base

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"fiscube/cube"
	"fiscube/store/load/temporary"
)

// newRows makes rows of two levels, an amount of 64 bits and a longer one.
func newRows(t *testing.T) *Rows {
	t.Helper()
	m, err := cube.NewModel([]cube.Column{
		{Name: "year", Type: cube.TypeInteger}, {Name: "line", Type: cube.TypeText}, {Name: "code", Type: cube.TypeText},
		{Name: "paid", Type: cube.TypeDecimal, Digits: 10, Scale: 2}, {Name: "debt", Type: cube.TypeDecimal, Digits: 20, Scale: 2},
	}, []cube.Dimension{
		{Name: "date", Levels: []cube.Level{{Ref: "year"}}},
		{Name: "line", Type: cube.DimensionFact, Levels: []cube.Level{{Ref: "line"}}},
		{Name: "unit", Levels: []cube.Level{{Ref: "code"}}},
	}, []cube.Measure{{Ref: "paid"}, {Ref: "debt"}})
	if err != nil {
		t.Fatal(err)
	}
	file, err := temporary.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return NewRows(file, m)
}

func TestRows_GivesRowsByTheNumbersOfTheirMembers(t *testing.T) {
	s := newRows(t)
	for i, cells := range [][]string{
		{"2016", "a", "x", "-1.5", "12345678901234567890.25"}, {"2016", "b", "y", "", "7"}, {"2017", "c", "y", "0", ""},
	} {
		if err := s.Add([]int32{int32(i / 2), int32(min(i, 1))}, cells); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		got := ""
		for row, err := range s.All(t.Context(), [][]int32{{1, 0}, {300, 70000}}) {
			if err != nil {
				t.Fatal(err)
			}
			got += fmt.Sprint(row.Numbers)
			for _, a := range row.Amounts {
				got += fmt.Sprintf(" %d%s", a.Scaled, a.Decimal)
				if a.Missing {
					got += " missing"
				}
			}
			got += "\n"
		}
		if want := "[1 300] -150 012345678901234567890.25\n[1 70000] 0 missing 07\n[0 70000] 0 0 missing\n"; got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	}
}

func TestRows_EndsWithItsContext(t *testing.T) {
	s := newRows(t)
	if err := s.Add([]int32{0, 0}, []string{"2016", "a", "x", "1", "1"}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range s.All(ctx, [][]int32{{0}, {0}}) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}
