package files

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/charmap"

	"fiscube/cube"
)

func gzipped(t *testing.T, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(part)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestGzip_IsReadAsThePlainFile(t *testing.T) {
	const text = "code,amount\na,1\n"
	data := gzipped(t, text)
	tests := map[string]struct{ path, file string }{
		"as declared":            {"f.csv.gz", "f.csv.gz"},
		"in capitals":            {"F.CSV.GZ", "F.CSV.GZ"},
		"D7-mexico in this repo": {"f.csv", "f.csv.gz"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			rows, read, err := readFile(t, cube.Resource{Path: test.path}, fstest.MapFS{test.file: {Data: data}})
			if err != nil || !slices.Equal(rows, []string{"2: a|1"}) {
				t.Fatal(rows, err)
			}
			checkPublished(t, read, text)
			if read.path != test.file || len(read.Notes()) > 0 != (test.path != test.file) {
				t.Errorf("%s was read, notes %v", read.path, read.Notes())
			}
			packedHash := fmt.Sprintf("%x", sha256.Sum256(data))
			if !read.IsBytes(int64(len(text))) || !read.IsBytes(int64(len(data))) || read.IsBytes(1) {
				t.Error("a declared size may be that of either form")
			}
			if !read.IsHash(read.file.hash()) || !read.IsHash(packedHash) || read.IsHash("") {
				t.Error("a declared hash may be that of either form")
			}
		})
	}
}

func TestGzip_GivesWayToThePlainFile(t *testing.T) {
	files := fstest.MapFS{"f.csv": {Data: []byte("code,amount\nplain,1\n")}, "f.csv.gz": {Data: gzipped(t, "code,amount\npacked,1\n")}}
	rows, read, err := readFile(t, cube.Resource{}, files)
	if err != nil || !slices.Equal(rows, []string{"2: plain|1"}) || read.path != "f.csv" {
		t.Error(rows, err)
	}
	if read.IsBytes(0) || read.packed != nil {
		t.Error("a plain file has no compressed form")
	}
}

func TestGzip_OfSeveralParts(t *testing.T) {
	rows, _, err := readFile(t, cube.Resource{}, fstest.MapFS{"f.csv.gz": {Data: gzipped(t, "code,amount\na", ",1\nb,2\n")}})
	if err != nil || !slices.Equal(rows, []string{"2: a|1", "3: b|2"}) {
		t.Error(rows, err)
	}
}

func TestGzip_InAnotherEncoding(t *testing.T) {
	published, _ := charmap.CodePage850.NewEncoder().String("code,amount\naño,1\n")
	rows, read, err := readFile(t, cube.Resource{Encoding: "cp850"}, fstest.MapFS{"f.csv.gz": {Data: gzipped(t, published)}})
	if err != nil || !slices.Equal(rows, []string{"2: año|1"}) {
		t.Error(rows, err)
	}
	checkPublished(t, read, published)
}

func TestGzip_RefusesHostileFiles(t *testing.T) {
	good := gzipped(t, "code,amount\na,1\n")
	flipped := bytes.Clone(good)
	flipped[len(flipped)-6] ^= 1
	bomb := append(gzipped(t, "code,amount\n"), bytes.Repeat(gzipped(t, strings.Repeat(strings.Repeat("a", 1022)+",1\n", 1<<10)), 256)...)
	tests := map[string]struct {
		data []byte
		want string
	}{
		"empty":            {nil, "0: it cannot be unpacked: EOF [bad-compression]"},
		"not compressed":   {[]byte("code,amount\na,1\n"), "0: it cannot be unpacked: gzip: invalid header [bad-compression]"},
		"cut off":          {good[:len(good)-9], "0: it cannot be unpacked: unexpected EOF [bad-compression]"},
		"changed":          {flipped, "0: it cannot be unpacked: gzip: invalid checksum [bad-compression]"},
		"something behind": {append(bytes.Clone(good), "x"...), "0: it cannot be unpacked: unexpected EOF [bad-compression]"},
		"bomb":             {bomb, "too many for its size [bad-compression]"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := readFile(t, cube.Resource{}, fstest.MapFS{"f.csv.gz": {Data: test.data}})
			if !strings.HasSuffix(mistakeText(err), test.want) {
				t.Errorf("it says %s, want %s", mistakeText(err), test.want)
			}
		})
	}
}

// TestGzip_AcceptsBlankRows: a table that is mostly blank rows, as one of the Dominican Republic, is no bomb.
func TestGzip_AcceptsBlankRows(t *testing.T) {
	var text strings.Builder
	text.WriteString("code,amount\n")
	for i := range 20_000 {
		fmt.Fprintf(&text, "Ministerio de Educación,%d\n", i*i*7919%1_000_003)
	}
	blank := gzipped(t, strings.Repeat(strings.Repeat(",", 99)+"\n", 10_000))
	data := append(gzipped(t, text.String()), bytes.Repeat(blank, 40)...)
	rows, read, err := readFile(t, cube.Resource{}, fstest.MapFS{"f.csv.gz": {Data: data}})
	if err != nil || len(rows) != 20_000 || read.blank != 400_000 {
		t.Error(len(rows), mistakeText(err))
	}
}

func TestGzip_BoundsTheUnpackedSize(t *testing.T) {
	p := newPacked(bytes.NewReader(gzipped(t, strings.Repeat("x", 5000))), 4999)
	n, err := p.Read(make([]byte, 10_000))
	for err == nil {
		n, err = p.Read(make([]byte, 10_000))
	}
	if n != 0 || !strings.Contains(mistakeText(err), "it unpacks to over") {
		t.Error(n, err)
	}
}
