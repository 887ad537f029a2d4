package files

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTables_AreThoseOfAZipWithoutADescriptor(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  string
	}{
		{[]string{"b.CSV", "sub/a.csv.gz", "read.me", ".hidden.csv", "__MACOSX/b.csv"}, "[b.CSV sub/a.csv.gz]"},
		{[]string{"a.csv", "sub/datapackage.json"}, "it holds sub/datapackage.json, which names the cube"},
		{[]string{"c.TSV", "b.xlsx", "a.xls.gz", "a.txt", "a.pdf", "datapackage.yaml"}, "[a.xls.gz b.xlsx c.TSV]"},
		{[]string{"a.txt"}, "it holds no tables"},
		{[]string{"../a.csv"}, "leads out of a folder"},
	} {
		var packed bytes.Buffer
		w := zip.NewWriter(&packed)
		for _, name := range test.names {
			if _, err := w.Create(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, paths, err := Tables(bytes.NewReader(packed.Bytes()), int64(packed.Len()), 1<<20, "datapackage.json")
		if got := strings.ReplaceAll(fmt.Sprint(paths, err), `"`, ""); !strings.Contains(got, test.want) {
			t.Errorf("%v gives %s, want %s", test.names, got, test.want)
		}
	}
	if _, _, err := Tables(strings.NewReader("a,b"), 3, 1<<20, "datapackage.json"); err == nil {
		t.Error("text is a zip")
	}
}

func TestTablesIn_TakesTextsWithColumnsAndNothingHidden(t *testing.T) {
	folder := fstest.MapFS{}
	for name, text := range map[string]string{
		"b.csv": "", "sub/a.tsv.gz": "", "a.txt": "year\tamount\n", "utf-16.txt": "y\x00;\x00\n\x00", "readme.txt": "Tables; below.",
		"licence.txt": "Free, for all.\na;b\n", ".git/c.csv": "", "__MACOSX/c.csv": "", "sub/.~lock.b.xlsx": "", "b.pdf": "",
	} {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	paths, err := TablesIn(folder)
	if got := fmt.Sprint(paths); got != "[a.txt b.csv readme.txt sub/a.tsv.gz utf-16.txt]" || err != nil { // a first line with a mark is a header
		t.Errorf("it has %s: %v", got, err)
	}
}

func TestOneFile_HoldsNothingElse(t *testing.T) {
	folder := OneFile("a.csv", strings.NewReader("a,b\n1,2\nmore"), 8)
	text, err := fs.ReadFile(folder, "a.csv")
	if string(text) != "a,b\n1,2\n" || err != nil {
		t.Errorf("it holds %q: %v", text, err)
	}
	if _, err := folder.Open("b.csv"); err == nil {
		t.Error("it holds another file")
	}
	for range 2 { // it is read as often as it is opened
		f, err := folder.Open("a.csv")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, f); n != 8 || err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
