package cube_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"fiscube/cube"
)

func TestValue(t *testing.T) {
	for _, tt := range []struct {
		name    string
		value   cube.Value
		text    string
		number  int64
		whole   bool
		missing bool
	}{
		{"the zero value is missing", cube.Value{}, "", 0, false, true},
		{"empty text is missing", cube.Text(""), "", 0, false, true},
		{"a space is text", cube.Text(" "), " ", 0, false, false},
		{"digits as text are text", cube.Text("020"), "020", 0, false, false},
		{"zero is a number", cube.Integer(0), "0", 0, true, false},
		{"the least number", cube.Integer(math.MinInt64), "-9223372036854775808", math.MinInt64, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, whole := tt.value.Int()
			if tt.value.String() != tt.text || n != tt.number || whole != tt.whole || tt.value.IsMissing() != tt.missing {
				t.Errorf("got %q, %d, %v, missing %v", tt.value, n, whole, tt.value.IsMissing())
			}
		})
	}
	if cube.Text("") != cube.Missing || cube.Text("1") == cube.Integer(1) {
		t.Error("== tells apart the wrong values")
	}
}

// inOrder lists values as Compare sorts them.
var inOrder = []cube.Value{
	cube.Text(" "), cube.Text("1"), cube.Text("2"), cube.Text("9"), cube.Text("A"), cube.Text("a"), cube.Text("z"),
	cube.Text("ž"), cube.Text("日"), cube.Text("💩"), cube.Text("-1"), cube.Text("01"), cube.Text("10"), cube.Text("zz"),
	cube.Text("čž"), cube.Text("010"), cube.Text("100"),
	cube.Integer(math.MinInt64), cube.Integer(-10), cube.Integer(-9), cube.Integer(0), cube.Integer(2), cube.Integer(10),
	cube.Integer(math.MaxInt64),
	cube.Missing,
}

func TestValue_CompareIsATotalOrder(t *testing.T) {
	for i, v := range inOrder {
		for j, w := range inOrder {
			if got, want := v.Compare(w), cmp.Compare(i, j); got != want {
				t.Errorf("%q (%d) and %q (%d) compare as %d, want %d", v, i, w, j, got, want)
			}
		}
	}
	shuffled := slices.Clone(inOrder)
	slices.Reverse(shuffled)
	slices.SortFunc(shuffled, cube.Value.Compare)
	if !slices.Equal(shuffled, inOrder) {
		t.Errorf("sorted %q", shuffled)
	}
}
