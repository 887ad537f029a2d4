package seeds_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/seeds"
)

// descriptor is what these tests read of a datapackage.json.
type descriptor struct {
	Name, Title, Description string
	Synthetic                bool
	Image                    string
	YearsIncluded            []string `json:"years_included"`
	Website                  string   `json:"author_website"`
	Email                    string   `json:"author_email"`
	Disaggregation           []string
	Schema                   schema
	Sample                   [][]string
	Resources                []struct {
		Bytes                      int
		Hash, Hashcopy, Name, Path string
		Schema                     schema
		Sample                     [][]string
		Model                      struct {
			Dimensions map[string]struct{ PrimaryKey []string }
			Measures   map[string]any
		}
	}
}

type schema struct {
	Fields []struct{ Name, Type string }
}

// typeOf returns the declared type of a field.
func (s schema) typeOf(name string) string {
	for _, f := range s.Fields {
		if f.Name == name {
			return f.Type
		}
	}
	return ""
}

func (s schema) header() []string {
	var names []string
	for _, f := range s.Fields {
		names = append(names, f.Name)
	}
	return names
}

func read(t *testing.T, folder fs.FS, name string) []byte {
	t.Helper()
	b, err := fs.ReadFile(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func describe(t *testing.T, folder fs.FS) descriptor {
	t.Helper()
	var d descriptor
	if err := json.Unmarshal(read(t, folder, "datapackage.json"), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// cells parses a CSV file; every row has as many cells as the first.
func cells(t *testing.T, folder fs.FS, name string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(read(t, folder, name))).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return rows
}

func TestAllIsSorted(t *testing.T) {
	var names []string
	for _, s := range seeds.All() {
		names = append(names, s.Name)
	}
	want := []string{
		"example-ciudad-de-mexico", "example-costa-rica-egresos", "example-costa-rica-ingresos", "example-croatia",
		"example-dominicana", "example-mexico", "example-paraguay", "example-uruguay",
	}
	if !slices.Equal(names, want) {
		t.Fatalf("seeds are %q, want %q", names, want)
	}
}

func TestOpen(t *testing.T) {
	folder, ok := seeds.Open("example-croatia")
	if !ok || describe(t, folder).Name != "example-croatia" {
		t.Error("example-croatia is not there")
	}
	for _, name := range []string{"", ".", "..", "example", "example-croatia/data", "example-croatia/", "../seeds"} {
		if _, ok := seeds.Open(name); ok {
			t.Errorf("Open(%q) found something", name)
		}
	}
}

func TestSizeIsSmall(t *testing.T) {
	size := 0
	for _, s := range seeds.All() {
		err := fs.WalkDir(s.FS, ".", func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				size += len(read(t, s.FS, path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if size > 5_000_000 {
		t.Errorf("the seeds take %d bytes of every binary", size)
	}
}

func TestSaysItIsSynthetic(t *testing.T) {
	for _, s := range seeds.All() {
		d := describe(t, s.FS)
		if d.Name != s.Name || !d.Synthetic {
			t.Errorf("%s: name %q, synthetic %v", s.Name, d.Name, d.Synthetic)
		}
		if !strings.Contains(d.Title, "synthetic example") || !strings.Contains(d.Description, "synthetic") {
			t.Errorf("%s: title %q, description %q", s.Name, d.Title, d.Description)
		}
	}
}

func TestFilesAreAsDescribed(t *testing.T) {
	for _, s := range seeds.All() {
		for _, r := range describe(t, s.FS).Resources {
			content := read(t, s.FS, r.Path)
			_, body, _ := bytes.Cut(content, []byte("\n"))
			if r.Bytes != len(content) || r.Hash != hash(content) || r.Hashcopy != hash(body) {
				t.Errorf("%s: size or hashes differ", r.Path)
			}
			if bytes.Count(content, []byte("\n")) != bytes.Count(content, []byte("\r\n")) {
				t.Errorf("%s: a line does not end in CRLF", r.Path)
			}
			rows := cells(t, s.FS, r.Path)
			if !slices.Equal(rows[0], r.Schema.header()) || !reflect.DeepEqual(r.Sample, rows[:min(30, len(rows))]) {
				t.Errorf("%s: header or sample differs", r.Path)
			}
			if r.Path != "data/"+r.Name || !strings.HasSuffix(r.Name, ".csv") {
				t.Errorf("%s: name %q", r.Path, r.Name)
			}
		}
	}
}

func TestEveryFileIsDescribed(t *testing.T) {
	for _, s := range seeds.All() {
		found, err := fs.Glob(s.FS, "data/*")
		if err != nil {
			t.Fatal(err)
		}
		var described []string
		for _, r := range describe(t, s.FS).Resources {
			described = append(described, r.Path)
		}
		slices.Sort(described)
		if !slices.Equal(found, described) {
			t.Errorf("%s: files %q, described %q", s.Name, found, described)
		}
	}
}

// No file holds two rows of the same members.
func TestNoMembersTwice(t *testing.T) {
	for _, s := range seeds.All() {
		seen := map[string]bool{}
		for _, row := range load(t, s.Name) {
			key := row.members()
			if seen[key] {
				t.Errorf("%s: twice %s", s.Name, key)
			}
			seen[key] = true
		}
	}
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
