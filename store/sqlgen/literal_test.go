package sqlgen

import (
	"strings"
	"testing"
)

func TestLiteral(t *testing.T) {
	for _, tt := range []struct {
		name  string
		given any
		want  string
	}{
		{"a number", int64(-7), "-7"},
		{"no text", "", "''"},
		{"a plain text", "2016 ž", "'2016 ž'"},
		{"a quote is doubled", "it's", "'it''s'"},
		{"quotes at the ends", "''", "''''''"},
		{"a backslash is doubled in an escape string", `\`, `E'\\'`},
		{"a backslash before a quote", `\'; DROP TABLE x; --`, `E'\\''; DROP TABLE x; --'`},
		{"a NUL is left out", "\x00'\x00", "''''"},
		{"a placeholder is itself", "$1", "'$1'"},
		{"a double quote is itself", `"`, `'"'`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := literal(tt.given); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// FuzzQuoted checks by scanning, as a store does whatever its settings, that a literal ends where its text ends, and
// that what the store reads is the text.
func FuzzQuoted(f *testing.F) {
	for _, text := range []string{"", "'", `\`, `\'`, `'\`, `\\''`, "\x00'", "E'x'", "é", "\xff'", "--\n", "/*"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		literal := quoted(text)
		for _, conforming := range []bool{true, false} {
			read, rest, ok := scanLiteral(literal+" ", conforming)
			if !ok || rest != " " {
				t.Fatalf("%q as %s ends before %q", text, literal, rest)
			}
			if want := strings.ReplaceAll(text, "\x00", ""); read != want {
				t.Fatalf("%q is read as %q", text, read)
			}
		}
	})
}

// scanLiteral reads a literal at the beginning of text.
func scanLiteral(text string, conforming bool) (value, rest string, ok bool) {
	body, escapes := strings.CutPrefix(text, "E")
	escapes = escapes || !conforming
	if body == "" || body[0] != '\'' {
		return "", text, false
	}
	var b strings.Builder
	for i := 1; i < len(body); i++ {
		switch {
		case body[i] == 0:
			return "", body[i:], false
		case escapes && body[i] == '\\', strings.HasPrefix(body[i:], "''"):
			if i++; i < len(body) {
				b.WriteByte(body[i])
			}
		case body[i] == '\'':
			return b.String(), body[i+1:], true
		default:
			b.WriteByte(body[i])
		}
	}
	return "", "", false
}
