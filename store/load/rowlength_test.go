package load

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestARowThatNeverEndsIsRefused(t *testing.T) {
	long := strings.Repeat("x", mostRow)
	for name, test := range map[string]struct {
		text string
		want string
	}{
		"many rows":                  {strings.Repeat(strings.Repeat("x", 99)+"\n", mostRow/50), ""},
		"many cells with line ends":  {strings.Repeat("a,\"b\nc\"\n", mostRow/5), ""},
		"no line end":                {"a,b\n" + long + long, CodeRowTooLong},
		"a quote that is not closed": {"a,b\n\"" + strings.Repeat("x\n", mostRow), CodeRowTooLong},
	} {
		t.Run(name, func(t *testing.T) {
			var row rowLength
			reader, buffer, code := strings.NewReader(test.text), make([]byte, 1<<18), ""
			for {
				n, err := reader.Read(buffer)
				var bad *fileError
				if code == "" && errors.As(row.check(buffer[:n], 0), &bad) {
					code = bad.code
				}
				if errors.Is(err, io.EOF) {
					break
				}
			}
			if code != test.want {
				t.Errorf("found %q, want %q", code, test.want)
			}
		})
	}
}
