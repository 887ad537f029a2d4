package fdp

import (
	"slices"
	"testing"
)

func TestParts(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{`[]`, nil},
		{"{ \t\r\n}", nil},
		{`[1, "a,]b" ,[2,3],{"c":[4]}, null]`, []string{`1`, `"a,]b"`, `[2,3]`, `{"c":[4]}`, `null`}},
		{`{"a:\"}" : {"b": [1]}, "": -1.5e3}`, []string{`"a:\"}"`, `{"b": [1]}`, `""`, `-1.5e3`}},
		{`["\\", "\\\"", 1]`, []string{`"\\"`, `"\\\""`, `1`}},
	} {
		var got []string
		for _, part := range parts([]byte(tt.text)) {
			got = append(got, string(part))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s has the parts %q, want %q", tt.text, got, tt.want)
		}
	}
}
