package load

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
)

// smallDescriptor declares resources of two fields by their paths; each is named by its path.
func smallDescriptor(paths ...string) string {
	var list []string
	for _, path := range paths {
		list = append(list, `{"name": "`+path+`", "path": "`+path+`"}`)
	}
	return `{"name": "small", "schema": {"fields": [{"name": "code", "type": "string"}, {"name": "amount", "type": "number"}]},
		"model": {"measures": {"amount": {}}, "dimensions": {"c": {"primaryKey": ["code"]}}},
		"resources": [` + strings.Join(list, ",") + `]}`
}

// writeFolder writes files, by path, into a new folder.
func writeFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for path, text := range files {
		whole := filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(whole), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(whole, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func openWith(t *testing.T, path string, o Options) (*Source, error) {
	t.Helper()
	s, err := OpenWith(t.Context(), path, o)
	if err == nil {
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return s, err
}

// mustOpen opens a package that is sound.
func mustOpen(t *testing.T, path string, o Options) *Source {
	t.Helper()
	s, err := openWith(t, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// allRows reads every resource that is not left out.
func allRows(t *testing.T, s *Source) []string {
	t.Helper()
	var rows []string
	for i := range s.Package.Resources {
		r := &s.Package.Resources[i]
		if r.LeftOut != "" {
			continue
		}
		read, err := openTable(t.Context(), s.files, r, func(int) {})
		if err != nil {
			rows = append(rows, told(err))
			continue
		}
		defer read.close()
		if err := read.header(); err != nil {
			t.Fatal(told(err))
		}
		for record, err := range read.records() {
			if err != nil {
				t.Fatal(told(err))
			}
			rows = append(rows, strings.Join(record.cells, "|"))
		}
		if err := read.file.drain(); err != nil {
			t.Fatal(told(err))
		}
	}
	return rows
}

func zipOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for path, text := range files {
		f, err := w.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPlacesOfAPackage(t *testing.T) {
	files := map[string]string{DescriptorName: smallDescriptor("data/f.csv"), "data/f.csv": "code,amount\na,1\n"}
	below := map[string]string{"small/": ""}
	for path, text := range files {
		below["small/"+path] = text
	}
	junk := map[string]string{"__MACOSX/small/._datapackage.json": "x", "README": "x"}
	for path, text := range below {
		junk[path] = text
	}
	named := writeFolder(t, map[string]string{"spending.json": files[DescriptorName], "data/f.csv": files["data/f.csv"]})
	zips := writeFolder(t, map[string]string{
		"root.zip": string(zipOf(t, files)), "below.zip": string(zipOf(t, below)), "junk": string(zipOf(t, junk)),
	})
	folder := writeFolder(t, files)
	for name, path := range map[string]string{
		"a folder": folder, "a descriptor": filepath.Join(folder, DescriptorName), "one of another name": filepath.Join(named, "spending.json"),
		"a zip": zips + "/root.zip", "a zip of a folder": zips + "/below.zip", "a zip of more": zips + "/junk",
	} {
		t.Run(name, func(t *testing.T) {
			if rows := allRows(t, mustOpen(t, path, Options{})); !slices.Equal(rows, []string{"a|1"}) {
				t.Error(rows)
			}
		})
	}
}

func TestPlacesThatHoldNoPackage(t *testing.T) {
	folder := writeFolder(t, map[string]string{"a.csv": "x", "a.json": "x", "half.zip": "PK\x03\x04 and no more", "empty.zip": "", "none/b": "x"})
	for path, want := range map[string]string{
		"":             DescriptorName + " cannot be read: no such file or directory",
		"none":         "none: " + DescriptorName + " cannot be read: no such file or directory",
		"nowhere":      "nowhere cannot be read: no such file or directory",
		"a.csv":        "a.csv is neither a folder, a zip nor a descriptor: name the folder that holds " + DescriptorName,
		"empty.zip":    "empty.zip is neither a folder, a zip nor a descriptor: name the folder that holds " + DescriptorName,
		"nowhere.json": "nowhere.json cannot be read: no such file or directory",
		"a.json":       "a.json: line 1, column 1: invalid character 'x' looking for beginning of value",
		"half.zip":     "half.zip: the zip is refused: it cannot be read: zip: not a valid zip file",
	} {
		_, err := openWith(t, filepath.Join(folder, path), Options{})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	_, err := openWith(t, folder, Options{})
	if cube.CodeOf(err) != cube.CodeBadPackage {
		t.Errorf("%v is no mistake of the package", err)
	}
}

func TestOneResource(t *testing.T) {
	folder := writeFolder(t, map[string]string{
		DescriptorName: smallDescriptor("a.csv", "b.csv"), "a.csv": "code,amount\na,1\n", "b.csv": "code,amount\nb,2\n",
	})
	if rows := allRows(t, mustOpen(t, folder, Options{Resource: "b.csv"})); !slices.Equal(rows, []string{"b|2"}) {
		t.Error(rows)
	}
	_, err := openWith(t, folder, Options{Resource: "c.csv"})
	if err == nil || !strings.Contains(err.Error(), `resources: no resource is named "c.csv"; there are "a.csv, b.csv"`) {
		t.Error(err)
	}
}

func TestMissingFilesAreLeftOutWhereAllowed(t *testing.T) {
	folder := writeFolder(t, map[string]string{
		DescriptorName: smallDescriptor("a.csv", "b.csv", "c.csv"), "b.csv": "code,amount\nb,2\n", "c.csv.gz": string(gzipped(t, "code,amount\nc,3\n")),
	})
	s := mustOpen(t, folder, Options{AllowMissing: true})
	if rows := allRows(t, s); !slices.Equal(rows, []string{"b|2", "c|3"}) || s.Package.Resources[0].LeftOut != "its file is not there" {
		t.Error(rows, s.Package.Resources[0].LeftOut)
	}
	rows := allRows(t, mustOpen(t, folder, Options{}))
	if want := "0: a.csv cannot be read: no such file or directory [missing-file]"; rows[0] != want {
		t.Errorf("%s, want %s", rows[0], want)
	}
	_, err := openWith(t, folder, Options{AllowMissing: true, Resource: "a.csv"})
	if err == nil || !strings.HasSuffix(err.Error(), "none of its files is there") {
		t.Error(err)
	}
}

func TestEncodingByOption(t *testing.T) {
	folder := writeFolder(t, map[string]string{DescriptorName: smallDescriptor("a.csv"), "a.csv": "code,amount\na\xa4o,1\n"})
	if rows := allRows(t, mustOpen(t, folder, Options{Encoding: "IBM850"})); !slices.Equal(rows, []string{"año|1"}) {
		t.Error(rows)
	}
	if _, err := openWith(t, folder, Options{Encoding: "utf-7"}); cube.CodeOf(err) != cube.CodeBadPackage {
		t.Error(err)
	}
}

// TestNothingOutsideTheFolder: a link in a package does not lead out of it.
func TestNothingOutsideTheFolder(t *testing.T) {
	outside := writeFolder(t, map[string]string{"secret.csv": "code,amount\nsecret,1\n"})
	folder := writeFolder(t, map[string]string{DescriptorName: smallDescriptor("a.csv", "d/secret.csv")})
	if os.Symlink(outside+"/secret.csv", folder+"/a.csv") != nil || os.Symlink(outside, folder+"/d") != nil {
		t.Skip("no links here")
	}
	for _, row := range allRows(t, mustOpen(t, folder, Options{})) {
		if !strings.Contains(row, "[missing-file]") {
			t.Error(row)
		}
	}
}

func TestOpeningEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := writeFolder(t, map[string]string{DescriptorName: smallDescriptor("a.csv")})
	r := cube.Resource{Path: "a.csv", Schema: twoFields}
	s := mustOpen(t, folder, Options{})
	if _, err := openTable(ctx, s.files, &r, func(int) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestRealFilesVerify: sizes and hashes are as their publishers declare them, of D7 in its compressed form too.
func TestRealFilesVerify(t *testing.T) {
	for _, folder := range []string{"D2-croatia", "D7-mexico"} {
		path := "../../../shared/data/" + folder
		if _, err := os.Stat(path); err != nil {
			t.Skip("the real packages are not beside the checkout")
		}
		s := mustOpen(t, path, Options{})
		for i := range s.Package.Resources {
			r := &s.Package.Resources[i]
			read, err := openTable(t.Context(), s.files, r, func(int) {})
			if err != nil {
				t.Fatal(told(err))
			}
			defer read.close()
			if err := read.file.drain(); err != nil {
				t.Fatal(err)
			}
			if !read.isBytes(r.Bytes) || !read.isHash(r.Hash) || read.file.hashCopy() != r.HashCopy {
				t.Errorf("%s: %d bytes, hash %s, hashcopy %s", read.path, read.file.bytes, read.file.hash(), read.file.hashCopy())
			}
		}
	}
}
