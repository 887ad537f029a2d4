package load

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"fiscube/cube"
)

func TestEncodingsAsPublished(t *testing.T) {
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
func checkPublished(t *testing.T, read *table, published string) {
	t.Helper()
	_, body, _ := strings.Cut(published, "\n")
	sum := func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
	if read.file.bytes != int64(len(published)) || read.file.hash() != sum(published) || read.file.hashCopy() != sum(body) {
		t.Errorf("%d bytes, hash %s, hashcopy %s", read.file.bytes, read.file.hash(), read.file.hashCopy())
	}
}

// TestWholeFilesAreDecoded: text longer than any buffer comes through unchanged.
func TestWholeFilesAreDecoded(t *testing.T) {
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

// TestASurveyedFileIsHashedOnce: the second reading only asks whether the file is the same still.
func TestASurveyedFileIsHashedOnce(t *testing.T) {
	_, read, err := readFile(t, cube.Resource{Found: cube.Found{Hash: "known"}}, oneFile("code,amount\na,1\n"))
	if err != nil || read.file.hashCopy() != "" || len(read.file.hash()) != 64 {
		t.Error(err, read.file.hashCopy(), read.file.hash())
	}
}
