package load

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/cube/series"
	"fiscube/store/load/files"
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

// A package has its own series in a folder beside its descriptor. They are part of its content.
func TestOpen_ReadsTheSeriesBesideTheDescriptor(t *testing.T) {
	const prices = "# title: Prices\n# source: us\n# licence: CC0-1.0\n# updated: 2025-07-01\ncountry,year,index\nHRV,2016,98.5\n"
	content := map[string]string{DescriptorName: smallDescriptor("a.csv"), "a.csv": "code,amount\nx,1\n", "series/notes.txt": "no series"}
	fingerprint := func() (string, []cube.Series) {
		source := mustOpen(t, writeFolder(t, content), Options{Allow: []string{findings.NoYear}})
		survey, err := Take(t.Context(), source, Silent{})
		if err != nil {
			t.Fatal(err)
		}
		return newContent(survey, Silent{}).Fingerprint(), survey.Package().Series
	}
	seen := map[string]bool{}
	for _, file := range []string{"", prices, strings.Replace(prices, "98.5", "98.6", 1), strings.Replace(prices, "us", "you", 1)} {
		if file != "" {
			content["series/prices.csv"] = file
		}
		sum, list := fingerprint()
		if seen[sum] || file != "" && (len(list) != 1 || list[0].Name != "prices" || list[0].Title != "Prices") {
			t.Errorf("%q: fingerprint %s, series %v", file, sum, list)
		}
		seen[sum] = true
	}
	for file, want := range map[string]string{
		strings.Replace(prices, "HRV,2016", "HRV,16", 1): `series/prices.csv: prices: line 6: "16" is no year`,
		prices + strings.Repeat("#", series.MostBytes):   "series/prices.csv has more than 1048576 bytes",
	} {
		content["series/prices.csv"] = file
		if _, err := openWith(t, writeFolder(t, content), Options{}); cube.CodeOf(err) != cube.CodeBadPackage || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
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
		read, err := files.OpenTable(t.Context(), s.files, r, func([]byte) {})
		if err != nil {
			rows = append(rows, textOf(err))
			continue
		}
		defer read.Close()
		if err := read.Header(); err != nil {
			t.Fatal(textOf(err))
		}
		for row, err := range read.Rows() {
			if err := errors.Join(err, row.Mistake); err != nil {
				t.Fatal(textOf(err))
			}
			rows = append(rows, strings.Join(row.Cells, "|"))
		}
		if err := read.Drain(); err != nil {
			t.Fatal(textOf(err))
		}
	}
	return rows
}

// textOf is a mistake in a file as one text.
func textOf(err error) string {
	var mistake *files.Mistake
	if errors.As(err, &mistake) {
		return fmt.Sprintf("%d: %s [%s]", mistake.Line, mistake.Message, mistake.Code)
	}
	return fmt.Sprint(err)
}

// zipText makes a zip of files, by path.
func zipText(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for path, text := range files {
		entry, err := w.Create(path)
		if err == nil {
			_, err = io.WriteString(entry, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// gzipText is a text compressed by gzip.
func gzipText(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOpenWith_FindsThePackage(t *testing.T) {
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
		"root.zip": string(zipText(t, files)), "below.zip": string(zipText(t, below)), "junk": string(zipText(t, junk)),
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

func TestOpenWith_SaysWhyThereIsNoPackage(t *testing.T) {
	folder := writeFolder(t, map[string]string{"a.csv": "x", "a.json": "x", "half.zip": "PK\x03\x04 and no more", "empty.zip": "", "none/b": "x",
		"folder/datapackage.json/b": "x"})
	for path, want := range map[string]string{
		"":             DescriptorName + " cannot be read: no such file or directory",
		"none":         "none: " + DescriptorName + " cannot be read: no such file or directory",
		"folder":       "folder: " + DescriptorName + " cannot be read: it is a folder",
		"nowhere":      "nowhere cannot be read: no such file or directory",
		"a.csv":        "a.csv is neither a folder, a zip nor a descriptor: name the folder that holds " + DescriptorName + "; fiscube init makes one for CSV files and workbooks",
		"empty.zip":    "empty.zip is neither a folder, a zip nor a descriptor: name the folder that holds " + DescriptorName,
		"nowhere.json": "nowhere.json cannot be read: no such file or directory",
		"a.json":       "a.json: line 1, column 1: invalid character 'x' looking for beginning of value",
		"half.zip":     "half.zip: the zip is refused: it cannot be read: zip: not a valid zip file",
	} {
		_, err := openWith(t, filepath.Join(folder, path), Options{})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
		var problems fdp.Problems
		if cube.CodeOf(err) != cube.CodeBadPackage && !errors.As(err, &problems) {
			t.Errorf("%v is no mistake of the package", err)
		}
	}
}

func TestOpenWith_OneResource(t *testing.T) {
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

func TestOpenWith_LeavesOutMissingFilesWhereAllowed(t *testing.T) {
	folder := writeFolder(t, map[string]string{
		DescriptorName: smallDescriptor("a.csv", "b.csv", "c.csv"), "b.csv": "code,amount\nb,2\n", "c.csv.gz": gzipText(t, "code,amount\nc,3\n"),
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

func TestOpenWith_EncodingByOption(t *testing.T) {
	folder := writeFolder(t, map[string]string{DescriptorName: smallDescriptor("a.csv"), "a.csv": "code,amount\na\xa4o,1\n"})
	if rows := allRows(t, mustOpen(t, folder, Options{Encoding: "IBM850"})); !slices.Equal(rows, []string{"año|1"}) {
		t.Error(rows)
	}
	if _, err := openWith(t, folder, Options{Encoding: "utf-7"}); cube.CodeOf(err) != cube.CodeBadPackage {
		t.Error(err)
	}
}

// TestOpenWith_ReadsNothingOutsideTheFolder: a link in a package does not lead out of it.
func TestOpenWith_ReadsNothingOutsideTheFolder(t *testing.T) {
	outside := writeFolder(t, map[string]string{"secret.csv": "code,amount\nsecret,1\n"})
	folder := writeFolder(t, map[string]string{
		DescriptorName: smallDescriptor("absolute.csv", "above.csv", "through.csv", "folder/secret.csv"), "data/x": "",
	})
	above := "../" + filepath.Base(outside) + "/secret.csv"
	if _, err := os.Stat(filepath.Join(folder, above)); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"absolute.csv": outside + "/secret.csv", "above.csv": above, "through.csv": "data/../" + above, "folder": outside,
	} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	rows := allRows(t, mustOpen(t, folder, Options{}))
	if len(rows) != 4 {
		t.Error(rows)
	}
	for _, row := range rows {
		if !strings.Contains(row, "[missing-file]") {
			t.Error(row)
		}
	}
}

func TestTable_OpeningEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	folder := writeFolder(t, map[string]string{DescriptorName: smallDescriptor("a.csv")})
	s := mustOpen(t, folder, Options{})
	if _, err := files.OpenTable(ctx, s.files, &s.Package.Resources[0], func([]byte) {}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestTable_VerifiesTheRealFiles: sizes and hashes are as their publishers declare them, of D7 in its compressed form too.
func TestTable_VerifiesTheRealFiles(t *testing.T) {
	for _, folder := range []string{"D2-croatia", "D7-mexico"} {
		path := "../../../shared/data/" + folder
		if _, err := os.Stat(path); err != nil {
			t.Skip("the real packages are not beside the checkout")
		}
		s := mustOpen(t, path, Options{})
		for i := range s.Package.Resources {
			r := &s.Package.Resources[i]
			read, err := files.OpenTable(t.Context(), s.files, r, func([]byte) {})
			if err != nil {
				t.Fatal(textOf(err))
			}
			defer read.Close()
			if err := read.Drain(); err != nil {
				t.Fatal(err)
			}
			bytes, hash, hashCopy := read.Published()
			if !read.IsBytes(r.Bytes) || !read.IsHash(r.Hash) || hashCopy != r.HashCopy {
				t.Errorf("%s: %d bytes, hash %s, hashcopy %s", r.Path, bytes, hash, hashCopy)
			}
		}
	}
}

// What was opened for a package that cannot be read is closed.
func TestOpen_ClosesAPackageThatCannotBeRead(t *testing.T) {
	for name, test := range map[string]struct {
		descriptor string
		err        error
		sound      bool
	}{
		"not found": {"", fs.ErrNotExist, false},
		"broken":    {"{", nil, false},
		"sound":     {smallDescriptor("a.csv"), nil, true},
	} {
		closed := false
		_, err := open(t.Context(), "", Options{}, func(s *Source) ([]byte, error) {
			s.files.Use(fstest.MapFS{})
			s.close = append(s.close, func() error { closed = true; return nil })
			return []byte(test.descriptor), test.err
		})
		if closed == test.sound || (err == nil) != test.sound {
			t.Errorf("%s: closed %t, error %v", name, closed, err)
		}
	}
}

func TestOpenFS_EndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := fstest.MapFS{DescriptorName: {Data: []byte(smallDescriptor("https://127.0.0.1:1/a.csv"))}}
	if _, err := OpenFS(ctx, files, Options{AllowPrivate: true, AllowMissing: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// The limits are those of the readers, which say more of a text just below.
func TestOpenWith_BoundsDescriptorAndOverlay(t *testing.T) {
	descriptor, overlay := smallDescriptor("a.csv"), "levels: {}\n"
	pad := func(text string, size int) string { return text + strings.Repeat("\n", size-len(text)) }
	for name, test := range map[string]struct{ descriptor, overlay, want string }{
		"as long as can be":   {pad(descriptor, fdp.MostDescriptorBytes), pad(overlay, fdp.MostOverlayBytes), ""},
		"a longer descriptor": {pad(descriptor, fdp.MostDescriptorBytes+1), overlay, DescriptorName + " has more than 16777216 bytes, the most that are read of it"},
		"a longer overlay":    {descriptor, pad(overlay, fdp.MostOverlayBytes+1), OverlayName + " has more than 262144 bytes, the most that are read of it"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := writeFolder(t, map[string]string{DescriptorName: test.descriptor, OverlayName: test.overlay})
			_, err := openWith(t, folder, Options{})
			if test.want == "" && err != nil || test.want != "" && (cube.CodeOf(err) != cube.CodeBadPackage || err.Error() != folder+": "+test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

// The error names the overlay once.
func TestOpenWith_NamesAnOverlayThatCannotBeRead(t *testing.T) {
	folder := writeFolder(t, map[string]string{
		DescriptorName: smallDescriptor("a.csv"), "long.yaml": strings.Repeat("#", fdp.MostOverlayBytes+1), "a/folder": "",
	})
	for name, want := range map[string]string{
		"long.yaml": "has more than 262144 bytes, the most that are read of it",
		"a":         "cannot be read: is a directory",
		"none.yaml": "cannot be read: no such file or directory",
	} {
		path := filepath.Join(folder, name)
		_, err := openWith(t, folder, Options{OverlayFile: path})
		if cube.CodeOf(err) != cube.CodeBadPackage || fmt.Sprint(err) != folder+": "+path+" "+want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
