package catalogue

import (
	"iter"
	"math"
	"slices"
	"testing"

	"fiscube/cube"
)

func TestSums_AreNarrowUpToEighteenDigits(t *testing.T) {
	m, err := cube.NewModel([]cube.Column{
		{Name: "paid", Type: cube.TypeDecimal, Digits: 16, Scale: 2}, {Name: "debt", Type: cube.TypeDecimal, Digits: 30, Scale: 2},
	}, nil, []cube.Measure{{Ref: "paid"}, {Ref: "debt"}})
	if err != nil {
		t.Fatal(err)
	}
	const most = 999_999_999_999_999_999
	for _, tt := range []struct {
		name    string
		amounts []int64
		narrow  bool
	}{
		{"no amounts", nil, true},
		{"eighteen digits", []int64{most - 7, 7}, true},
		{"one more", []int64{most - 7, 8}, false},
		{"signs do not make it less", []int64{most, -1}, false},
		{"what was too much stays so", []int64{math.MaxInt64, 1, 1}, false},
		{"the least number", []int64{math.MinInt64}, false},
		{"the least and the highest", []int64{most, math.MinInt64, math.MaxInt64}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newSums(m)
			var rows iter.Seq2[NumberedRow, error] = func(yield func(NumberedRow, error) bool) {
				for _, a := range tt.amounts {
					yield(NumberedRow{Amounts: []Amount{{Scaled: a}, {Decimal: []byte("1")}}}, nil)
					yield(NumberedRow{Amounts: []Amount{{Missing: true, Scaled: a}, {Missing: true}}}, nil)
				}
			}
			for range s.of(rows) {
			}
			if want := []bool{tt.narrow, false}; !slices.Equal(s.narrow, want) || s.rows != int64(2*len(tt.amounts)) {
				t.Errorf("got %v, %d rows, want %v", s.narrow, s.rows, want)
			}
		})
	}
}
