package catalogue_test

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/store/catalogue"
)

func TestScaled(t *testing.T) {
	for _, tt := range []struct {
		cell  string
		scale int
		want  string
	}{
		{"0", 2, "0"},
		{"12.5", 2, "1250"},
		{"12.50", 2, "1250"},
		{"12", 0, "12"},
		{"-0.05", 2, "-5"},
		{"-12.5", 3, "-12500"},
		{"9223372036854775807", 0, "9223372036854775807"},
		{"-9223372036854775808", 0, "-9223372036854775808"},
		{"9223372036854775808", 0, "does not fit in 64 bits"},
		{"-9223372036854775809", 0, "does not fit in 64 bits"},
		{"92233720368547758070", 0, "does not fit in 64 bits"},
		{"922337203685477580", 2, "does not fit in 64 bits"},
		{"184467440737095516.17", 2, "does not fit in 64 bits"},
		{"1.234", 2, "does not fit in 64 bits"},
		{"1e3", 2, "does not fit in 64 bits"},
	} {
		t.Run(tt.cell, func(t *testing.T) {
			n, err := catalogue.Scaled(tt.cell, tt.scale)
			got := fmt.Sprint(n)
			if err != nil {
				got = err.Error()
			}
			if got != tt.want && (err == nil || !strings.Contains(got, tt.want)) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
