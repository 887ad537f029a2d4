package seeds_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"fiscube/seeds"
)

func TestAll_IsSorted(t *testing.T) {
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

func TestOpen_FindsOnlySeeds(t *testing.T) {
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

func TestPackages_AreSmall(t *testing.T) {
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

func TestPackages_SayThatTheyAreSynthetic(t *testing.T) {
	for _, s := range seeds.All() {
		d := describe(t, s.FS)
		if d.Name != s.Name || !d.Synthetic || d.Publisher != "fiscube (synthetic example)" {
			t.Errorf("%s: name %q, synthetic %v, publisher %q", s.Name, d.Name, d.Synthetic, d.Publisher)
		}
		if !strings.HasSuffix(d.Title, "(synthetic example)") ||
			!strings.HasSuffix(d.Description, ": this package is synthetic, none of its amounts is real.") {
			t.Errorf("%s: title %q, description %q", s.Name, d.Title, d.Description)
		}
	}
}

func TestPackages_DescribeEveryFile(t *testing.T) {
	for _, s := range seeds.All() {
		found, err := fs.Glob(s.FS, "data/*")
		if err != nil {
			t.Fatal(err)
		}
		var described []string
		for _, r := range describe(t, s.FS).Resources {
			described = append(described, r.Path)
			if r.Path != "data/"+r.Name || !strings.HasSuffix(r.Name, ".csv") {
				t.Errorf("%s: name %q", r.Path, r.Name)
			}
		}
		slices.Sort(described)
		if !slices.Equal(found, described) {
			t.Errorf("%s: files %q, described %q", s.Name, found, described)
		}
	}
}

// Whoever edits a file by hand reads here what its descriptor must say.
func TestPackages_DescribeTheFilesAsTheyAre(t *testing.T) {
	for _, s := range seeds.All() {
		for _, r := range describe(t, s.FS).Resources {
			checkFile(t, s.FS, r)
			rows := cells(t, s.FS, r.Path)
			if !slices.Equal(rows[0], r.Schema.header()) {
				t.Errorf("%s: the header is %q, the fields are %q", r.Path, rows[0], r.Schema.header())
			}
			if !reflect.DeepEqual(r.Sample, rows[:min(30, len(rows))]) {
				t.Errorf("%s: the sample is not the first 30 lines", r.Path)
			}
		}
	}
}

// The hashes and the way of writing are those of a published file.
func TestPackages_DescribeFilesLikeARealOne(t *testing.T) {
	published := parse[descriptor](t, realDescriptor(t, "D2-croatia"))
	checkFile(t, os.DirFS(filepath.Join(realData, "D2-croatia")), published.Resources[0])
}

// checkFile compares a file with its bytes and hashes in the descriptor, and with the way in which files are written.
func checkFile(t *testing.T, folder fs.FS, r resource) {
	t.Helper()
	content := read(t, folder, r.Path)
	_, body, _ := bytes.Cut(content, []byte("\n")) // hashcopy leaves out the header line
	if r.Bytes != len(content) || r.Hash != hash(content) || r.Hashcopy != hash(body) {
		t.Errorf(`%s: the file has "bytes":%d, "hash":%q, "hashcopy":%q`, r.Path, len(content), hash(content), hash(body))
	}
	if !bytes.Equal(content, encode(cells(t, folder, r.Path))) {
		t.Errorf("%s: a line does not end in CRLF, or a cell has quotes that it does not need", r.Path)
	}
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// encode writes rows as the published files are written: lines end in CRLF, and quotes are only where RFC 4180
// asks for them. encoding/csv also quotes a cell that begins with a space, which the published files do not.
func encode(rows [][]string) []byte {
	var b bytes.Buffer
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if strings.ContainsAny(cell, ",\"\r\n") {
				cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
			}
			b.WriteString(cell)
		}
		b.WriteString("\r\n")
	}
	return b.Bytes()
}

func read(t *testing.T, folder fs.FS, name string) []byte {
	t.Helper()
	b, err := fs.ReadFile(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t *testing.T, name string) fs.FS {
	t.Helper()
	folder, ok := seeds.Open(name)
	if !ok {
		t.Fatalf("no seed %s", name)
	}
	return folder
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
