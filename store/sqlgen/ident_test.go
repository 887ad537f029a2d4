package sqlgen

import (
	"strings"
	"testing"
)

func TestIdent(t *testing.T) {
	for _, tt := range []struct{ name, given, want string }{
		{"a plain name", "Year", `"Year"`},
		{"no name", "", `""`},
		{"a quote is doubled", `a"b`, `"a""b"`},
		{"quotes at the ends", `"a"`, `"""a"""`},
		{"an end and a comment", `a" --`, `"a"" --"`},
		{"a backslash is itself", `a\"`, `"a\"""`},
		{"a NUL is left out", "a\x00\"\x00b", `"a""b"`},
		{"a placeholder is itself", "$1", `"$1"`},
		{"any script", "año 年", `"año 年"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ident(tt.given); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// FuzzIdent checks by scanning, as a store does, that a quoted name ends where its text ends, and that what
// the store reads is the name.
func FuzzIdent(f *testing.F) {
	for _, name := range []string{"", `"`, `""`, `a"b`, "\x00", "\"\x00\"", `\"`, "a\xff\"", "é", `'`, "--\n"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		quoted := ident(name)
		read, rest, ok := scanIdent(quoted + " ")
		if !ok || rest != " " {
			t.Fatalf("%q as %s ends before %q", name, quoted, rest)
		}
		if want := strings.ReplaceAll(name, "\x00", ""); read != want {
			t.Fatalf("%q is read as %q", name, read)
		}
	})
}

// scanIdent reads a quoted name at the beginning of text.
func scanIdent(text string) (name, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		return "", text, false
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == 0:
			return "", text[i:], false
		case text[i] != '"':
			b.WriteByte(text[i])
		case strings.HasPrefix(text[i:], `""`):
			b.WriteByte('"')
			i++
		default:
			return b.String(), text[i+1:], true
		}
	}
	return "", "", false
}
