package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// readers cut a text into pieces, as a disk or a network may.
var readers = map[string]func(io.Reader) io.Reader{
	"at once":         func(r io.Reader) io.Reader { return r },
	"byte by byte":    iotest.OneByteReader,
	"in halves":       iotest.HalfReader,
	"end with data":   iotest.DataErrReader,
	"one byte at end": func(r io.Reader) io.Reader { return iotest.DataErrReader(iotest.OneByteReader(r)) },
}

// TestFile_ReadsPiecesAsTheWhole: size, hashes, lines and text do not depend on how a file arrives.
func TestFile_ReadsPiecesAsTheWhole(t *testing.T) {
	for _, text := range []string{"", "a", "código,año\n1,Ž\r\n\U0001F600,2\n", "\ufeffcode\nñ", "\n\n\n", "code\r\n" + strings.Repeat("čćžšđ\n", 500)} {
		for name, cut := range readers {
			f := newFile(t.Context(), cut(strings.NewReader(text)), "", func([]byte) {})
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

// TestFile_BadBytesHaveTheirLine puts a byte that is no character, and a NUL, at every place of a text.
func TestFile_BadBytesHaveTheirLine(t *testing.T) {
	const text = "código,año\r\n1,Ž\n\n\U0001F600,ñ\nend"
	for place := range len(text) + 1 {
		for _, bad := range []string{"\xff", "\x00"} {
			broken := text[:place] + bad + text[place:]
			want := int64(strings.Count(text[:place], "\n")) + 1
			for name, cut := range readers {
				f := newFile(t.Context(), cut(strings.NewReader(broken)), "", func([]byte) {})
				_, err := io.ReadAll(f.text)
				var at *Mistake
				if !errors.As(err, &at) || at.Line != want {
					t.Fatalf("%s, %q at %d: %v, want one at line %d", name, bad, place, err, want)
				}
			}
		}
	}
}

func TestRowLength_RefusesARowThatNeverEnds(t *testing.T) {
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
				var bad *Mistake
				if code == "" && errors.As(row.check(buffer[:n], 0), &bad) {
					code = bad.Code
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

func TestTable_ReadsThePublishedEncodings(t *testing.T) {
	tests := map[string]struct {
		declared string
		encoder  encoding.Encoding
		cell     string
	}{
		"Croatia v2":           {"windows-1250", charmap.Windows1250, "Zavod za sigurnost – Škole i šume, čćđž"},
		"Mexico":               {"windows-1252", charmap.Windows1252, "Fiscalización “año” – €"},
		"Mexico, PEF 2016":     {"cp850", charmap.CodePage850, "Administración Pública Ñ ─"},
		"Latin-1":              {"iso-8859-1", charmap.ISO8859_1, "Ministério da Educação"},
		"Latin-1 with dashes":  {"latin1", charmap.Windows1252, "2016–2017 “sic”"},
		"Latin-2":              {"ISO_8859-2", charmap.ISO8859_2, "Škole i šume, čćđž"},
		"UTF-8":                {"utf_8", encoding.Nop, "Škole – 预算"},
		"a mark, Macedonia":    {"utf-8", encoding.Nop, "Буџет"},
		"nothing declared":     {"", encoding.Nop, "Ñeembucú"},
		"ASCII, which is less": {"us-ascii", encoding.Nop, "Ñeembucú"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := "code,amount\r\n\"" + test.cell + "\",1\r\n"
			published, err := test.encoder.NewEncoder().String(text)
			if err != nil {
				t.Fatal(err)
			}
			if name == "a mark, Macedonia" {
				published = "\ufeff" + published
			}
			rows, read, err := readFile(t, cube.Resource{Encoding: test.declared}, oneFile(published))
			if want := []string{"2: " + test.cell + "|1"}; err != nil || !slices.Equal(rows, want) {
				t.Fatalf("rows are %q, %v, want %q", rows, err, want)
			}
			checkPublished(t, read, published)
		})
	}
}

// checkPublished checks that sizes and hashes are those of the bytes as published.
func checkPublished(t *testing.T, read *Table, published string) {
	t.Helper()
	_, body, _ := strings.Cut(published, "\n")
	if read.file.bytes != int64(len(published)) || read.file.hash() != hexHash(published) || read.file.hashCopy() != hexHash(body) {
		t.Errorf("%d bytes, hash %s, hashcopy %s", read.file.bytes, read.file.hash(), read.file.hashCopy())
	}
}

// TestTable_DecodesWholeFiles: text longer than any buffer comes through unchanged.
func TestTable_DecodesWholeFiles(t *testing.T) {
	var text strings.Builder
	text.WriteString("code,amount\n")
	want := make([]string, 50_000)
	for i := range want {
		fmt.Fprintf(&text, "žđ%d,%d\n", i, i)
		want[i] = fmt.Sprintf("%d: žđ%d|%d", i+2, i, i)
	}
	published, _ := charmap.Windows1250.NewEncoder().String(text.String())
	rows, read, err := readFile(t, cube.Resource{Encoding: "cp1250"}, oneFile(published))
	if err != nil || !slices.Equal(rows, want) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	checkPublished(t, read, published)
}

func TestDecodeByte_KnowsTheLettersOfEachEncoding(t *testing.T) {
	for _, test := range []struct {
		encoding string
		b        byte
		want     rune
		ok       bool
	}{
		{fdp.Windows1252, 0xe8, 'è', true}, {fdp.Windows1250, 0xe8, 'č', true}, {fdp.CodePage850, 0xa4, 'ñ', true},
		{fdp.Latin2, 0xb9, 'š', true}, {fdp.Windows1252, 0x81, 0, false}, {"utf-8", 0x41, 0, false},
	} {
		if r, ok := DecodeByte(test.encoding, test.b); ok != test.ok || ok && r != test.want {
			t.Errorf("%#x in %s is %q, %v", test.b, test.encoding, r, ok)
		}
	}
}
