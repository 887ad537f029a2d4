package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestAlphabet: letters decide first, then accents, then case, as in the root of the Unicode collation. So a
// reader of any language finds a label near where it is expected.
func TestAlphabet(t *testing.T) {
	for language, want := range map[string][]string{
		"Croatian": {"Bjelovar", "čaj", "Čakovec", "ćup", "cvijet", "đak", "dvor", "Sisak", "šuma", "Zagreb", "Žepče", "zrak"},
		"Spanish":  {"ano", "año", "anual", "Educación", "EDUCACIÓN", "Ñandú", "ñu", "nube", "organismo", "Órgano"},
		"numbers":  {"- none", "1 one", "10 ten", "2 two", "a"},
	} {
		t.Run(language, func(t *testing.T) {
			ranks := map[string]int64{"": 0}
			for _, text := range want {
				ranks[text] = 0
			}
			numberTexts(ranks)
			got := slices.SortedFunc(maps.Keys(ranks), func(a, b string) int { return cmp.Compare(ranks[a], ranks[b]) })
			if !slices.Equal(got, want) {
				t.Errorf("the order is %q, want %q", got, want)
			}
		})
	}
	ranks := map[string]int64{"a\u0301": 0, "á": 0, "a": 0}
	numberTexts(ranks)
	if ranks["á"] != ranks["a\u0301"] || ranks["a"] >= ranks["á"] {
		t.Errorf("one letter in two spellings has the ranks %v", ranks)
	}
}

// readers cut a text into pieces, as a disk or a network may.
var readers = map[string]func(io.Reader) io.Reader{
	"at once":         func(r io.Reader) io.Reader { return r },
	"byte by byte":    iotest.OneByteReader,
	"in halves":       iotest.HalfReader,
	"end with data":   iotest.DataErrReader,
	"one byte at end": func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
}

// TestPiecesMakeNoDifference: size, hashes, lines and text do not depend on how a file arrives.
func TestPiecesMakeNoDifference(t *testing.T) {
	for _, text := range []string{"", "a", "código,año\n1,Ž\r\n\U0001F600,2\n", "\ufeffcode\nñ", "\n\n\n", "code\r\n" + strings.Repeat("čćžšđ\n", 500)} {
		for name, cut := range readers {
			f := newFile(t.Context(), cut(strings.NewReader(text)), "", func(int) {})
			got, err := io.ReadAll(f.text)
			if err != nil || string(got) != text {
				t.Errorf("%s, %.20q: read %.20q, %v", name, text, got, err)
			}
			_, body, _ := strings.Cut(text, "\n")
			lines := int64(strings.Count(text, "\n"))
			if text != "" && !strings.HasSuffix(text, "\n") {
				lines++
			}
			if f.bytes != int64(len(text)) || f.lines() != lines || f.hash() != hexHash(text) || f.hashCopy() != hexHash(body) {
				t.Errorf("%s, %.20q: %d bytes, %d lines", name, text, f.bytes, f.lines())
			}
		}
	}
}

func hexHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// TestBadBytesKnowTheirLine puts a byte that is no character, and a NUL, at every place of a text.
func TestBadBytesKnowTheirLine(t *testing.T) {
	const text = "código,año\r\n1,Ž\n\n\U0001F600,ñ\nend"
	for place := range len(text) + 1 {
		for _, bad := range []string{"\xff", "\x00"} {
			broken := text[:place] + bad + text[place:]
			want := int64(strings.Count(text[:place], "\n")) + 1
			for name, cut := range readers {
				f := newFile(t.Context(), cut(strings.NewReader(broken)), "", func(int) {})
				_, err := io.ReadAll(f.text)
				var at *fileError
				if !errors.As(err, &at) || at.line != want {
					t.Fatalf("%s, %q at %d: %v, want one at line %d", name, bad, place, err, want)
				}
			}
		}
	}
}
