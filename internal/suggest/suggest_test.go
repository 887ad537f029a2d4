package suggest_test

import (
	"strings"
	"testing"

	"fiscube/internal/suggest"
)

func TestNearest(t *testing.T) {
	for _, tt := range []struct {
		name, asked string
		known       []string
		want        string
	}{
		{"nothing known", "year", nil, ""},
		{"the name itself", "year", []string{"month", "year"}, "year"},
		{"a letter wrong", "yeer", []string{"month", "year"}, "year"},
		{"a letter too many", "yearr", []string{"year"}, "year"},
		{"a letter too few", "yer", []string{"year"}, "year"},
		{"other case", "YEAR", []string{"Year"}, "Year"},
		{"case beyond ASCII", "AÑO", []string{"año"}, "año"},
		{"the nearest of several", "admin2_cod", []string{"admin1_code", "admin2_code"}, "admin2_code"},
		{"the first of two equally near", "admin_code", []string{"admin1_code", "admin2_code"}, "admin1_code"},
		{"as far as a third of the name", "abcdef", []string{"abcdxy"}, "abcdxy"},
		{"farther than a third", "abcdef", []string{"abcxyz"}, ""},
		{"as many letters too few as slips are allowed", "abcdef", []string{"abcd"}, "abcd"},
		{"as many letters too many", "abcdef", []string{"abcdefgh"}, "abcdefgh"},
		{"more letters too many", "abcdef", []string{"xbcdefghi"}, ""},
		{"a short name has one slip", "ab", []string{"ax"}, "ax"},
		{"and not two", "ab", []string{"xy"}, ""},
		{"two letters swapped are one slip", "yaer", []string{"year"}, "year"},
		{"letters that are two bytes are one slip", "funcion", []string{"función"}, "función"},
		{"the beginning of a name", "admin1", []string{"econ1_code", "admin1_code"}, "admin1_code"},
		{"a part of a name", "ejecutado", []string{"fecha", "monto_ejecutado"}, "monto_ejecutado"},
		{"two letters say too little", "ad", []string{"admin1_code"}, ""},
		{"nothing asked", "", []string{"year"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := suggest.Nearest(tt.asked, tt.known); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A name of a megabyte is not compared letter by letter with what is known.
func TestNearest_IsQuickOnLongNames(t *testing.T) {
	known := []string{"admin1_code", "admin2_code", "approved_value"}
	long := strings.Repeat("admin1_code", 1000)
	if allocations := testing.AllocsPerRun(1, func() { suggest.Nearest(long, known) }); allocations > 100 {
		t.Errorf("%.0f allocations", allocations)
	}
}
