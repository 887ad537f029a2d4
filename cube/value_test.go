package cube_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"regexp"
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

func TestTidy(t *testing.T) {
	for label, want := range map[string]string{
		"":                               "",
		"Salud":                          "Salud",
		"  Salud  pública ":              "Salud pública",
		"\u00a0Salud\u00a0\u00a0pública": "Salud pública",
		"Salud\t\r\npública\u0085":       "Salud pública",
		"\x01Salud\x1f":                  "Salud",
		" \u2003\u3000 ":                 "",
		"zero\u200bwidth":                "zero\u200bwidth", // no space, though nothing is to be seen
		"8 - FORMACIÓN":                  "8 - FORMACIÓN",
		"cafe\u0301":                     "caf\u00e9",
	} {
		if got := cube.Tidy(label); got != want {
			t.Errorf("Tidy(%q) = %q, want %q", label, got, want)
		}
	}
}

func TestSplitJoined(t *testing.T) {
	for _, tt := range []struct {
		name, cell, code, label string
		ok                      bool
	}{
		{"a hyphen", "28-UNIVERSIDADES", "28", "UNIVERSIDADES", true},
		{"a hyphen between spaces", "1.1 - Ingresos", "1.1", "Ingresos", true},
		{"spaces alone", "100 GASTOS  CORRIENTES", "100", "GASTOS  CORRIENTES", true},
		{"leading space", "  7 Ñandú", "7", "Ñandú", true},
		{"a label that begins with a sign", "5 (otros)", "5", "(otros)", true},
		{"a date", "2016-01-31", "", "", false},
		{"a range of years", "2016 - 2017", "", "", false},
		{"a plain code", "1.1.2", "", "", false},
		{"a code with a letter", "12a", "", "", false},
		{"a label without a code", "Ingresos - 1", "", "", false},
		{"a number of things", "5 3 puntos", "", "", false},
		{"a code and a hyphen", "5 -", "", "", false},
		{"nothing", "", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code, label, ok := cube.SplitJoined(tt.cell)
			if code != tt.code || label != tt.label || ok != tt.ok {
				t.Errorf("got %q, %q, %v", code, label, ok)
			}
		})
	}
}

func TestSplitJoined_IsItsRegularExpression(t *testing.T) {
	joined := regexp.MustCompile(`^\s*(\d[\d.]*)(\s*-\s*|\s+)(\S*\p{L}.*)$`)
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		cell := make([]rune, r.IntN(9))
		for i := range cell {
			cell[i] = []rune("01.. --aé(\t")[r.IntN(11)]
		}
		code, label, ok := cube.SplitJoined(string(cell))
		m := joined.FindStringSubmatch(string(cell))
		if ok != (m != nil) || ok && (code != m[1] || label != m[3]) {
			t.Fatalf("%q splits into %q, %q, %v, and matches as %q", string(cell), code, label, ok, m)
		}
	}
}
