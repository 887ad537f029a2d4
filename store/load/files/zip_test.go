package files

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/cube"
)

// descriptorName is the file that a zip of a package holds.
const descriptorName = "datapackage.json"

// openZipBytes opens a zip that may unpack to a gigabyte.
func openZipBytes(data []byte) (*archive, error) {
	return openZip(bytes.NewReader(data), int64(len(data)), 1<<30, descriptorName)
}

func refused(t *testing.T, data []byte, want string) {
	t.Helper()
	if _, err := openZipBytes(data); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("it says %v, want %s", err, want)
	}
}

// zipEntries makes a zip of an empty descriptor and the entries of these headers, each holding text.
func zipEntries(t *testing.T, text string, headers ...zip.FileHeader) []byte {
	t.Helper()
	return zipBy(t, func(w *zip.Writer) error {
		var errs []error
		for _, h := range append([]zip.FileHeader{{Name: descriptorName, Method: zip.Deflate}}, headers...) {
			entry, err := w.CreateHeader(&h)
			errs = append(errs, writeEntry(entry, err, text))
		}
		return errors.Join(errs...)
	})
}

func TestZip_RefusesEntriesThatEscape(t *testing.T) {
	for name, want := range map[string]string{
		"../evil.csv":         "leads out of a folder by ..",
		"data/../../evil.csv": "leads out of a folder by ..",
		"a/..":                "leads out of a folder by ..",
		"/etc/passwd":         "is no path in it",
		"C:/evil.csv":         "is no path in it",
		`data\evil.csv`:       "is no path in it",
		`..\evil.csv`:         "is no path in it",
		"a\x00.csv":           "is no path in it",
		"datapackage.json":    `two entries are named "datapackage.json"`,
		"./datapackage.json":  `two entries are named "datapackage.json"`,
		"x//../y":             "leads out of a folder by ..",
	} {
		t.Run(name, func(t *testing.T) { refused(t, zipEntries(t, "x", zip.FileHeader{Name: name}), want) })
	}
}

func TestZip_AcceptsDotsInAName(t *testing.T) {
	a, err := openZipBytes(zipEntries(t, "x", zip.FileHeader{Name: "data/a..b.csv"}, zip.FileHeader{Name: "./data/c.csv"}))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"data/a..b.csv", "data/c.csv"} {
		if data, err := fs.ReadFile(a, name); err != nil || string(data) != "x" {
			t.Error(name, data, err)
		}
	}
}

// TestZip_FollowsNoLinks: an entry that is a link is no file, whatever it points to.
func TestZip_FollowsNoLinks(t *testing.T) {
	link := zip.FileHeader{Name: "a.csv"}
	link.SetMode(fs.ModeSymlink | 0o777)
	a, err := openZipBytes(zipEntries(t, "/etc/passwd", link))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Open("a.csv"); err == nil {
		t.Error("the link was opened")
	}
}

func TestZip_RefusesEncryptedEntries(t *testing.T) {
	data := zipEntries(t, "x", zip.FileHeader{Name: "a.csv"})
	at := bytes.LastIndex(data, []byte("PK\x01\x02"))
	data[at+8] |= 1 // of the flags in the entry's record of the directory
	refused(t, data, `its entry "a.csv" is encrypted`)
}

func TestZip_NeedsOnePackage(t *testing.T) {
	inner := string(zipOf(t, map[string]string{descriptorName: "{}"}))
	refused(t, zipOf(t, map[string]string{"package.zip": inner}), "it holds no datapackage.json")
	refused(t, zipOf(t, map[string]string{"a/" + descriptorName: "{}", "b/" + descriptorName: "{}"}), "several of its folders hold datapackage.json")
}

// TestZip_TakesThePackageInTheFewestFolders: the package is the one in the fewest folders, and is taken from there.
func TestZip_TakesThePackageInTheFewestFolders(t *testing.T) {
	for top, files := range map[string][]string{
		"":       {"", "a/", "b/"},
		"a/":     {"a/", "a/old/", "b/c/"},
		"a/b/":   {"a/b/"},
		"a/b/c/": {"a/b/c/", "d/e/f/g/"},
	} {
		content := map[string]string{top + "x.csv": "x"}
		for _, folder := range files {
			content[folder+descriptorName] = folder
		}
		a, err := openZipBytes(zipOf(t, content))
		if err != nil {
			t.Errorf("%q: %v", files, err)
			continue
		}
		descriptor, err := fs.ReadFile(a, descriptorName)
		if _, beside := a.Open("x.csv"); string(descriptor) != top || err != nil || beside != nil {
			t.Errorf("of %q that in %q is taken: %v, %v", files, descriptor, err, beside)
		}
	}
	refused(t, zipOf(t, map[string]string{"a/b/" + descriptorName: "{}", "c/d/" + descriptorName: "{}", "c/d/e/" + descriptorName: "{}"}),
		"several of its folders hold datapackage.json")
}

func TestZip_BoundsItsFiles(t *testing.T) {
	headers := make([]zip.FileHeader, mostZipEntries)
	for i := range headers {
		headers[i].Name = fmt.Sprint(i)
	}
	refused(t, zipEntries(t, "", headers...), "it holds 20001 files; at most 20000 are read")
}

// TestZip_BoundsItsDirectory: the directory is not read into memory, however many entries it says it has.
func TestZip_BoundsItsDirectory(t *testing.T) {
	headers := make([]zip.FileHeader, mostZipDirectory/60_000+1)
	for i := range headers {
		headers[i].Name = fmt.Sprint(i)
		headers[i].Comment = strings.Repeat("x", 60_000)
	}
	refused(t, zipEntries(t, "", headers...), "its directory is too large")
}

// bombOf makes a zip whose entries say that each unpacks from 1,000 bytes to so many.
func bombOf(t *testing.T, entries int, unpacked uint64) []byte {
	t.Helper()
	return zipBy(t, func(w *zip.Writer) error {
		var errs []error
		for i := range entries {
			entry, err := w.CreateRaw(&zip.FileHeader{
				Name: fmt.Sprint(i), Method: zip.Deflate, CompressedSize64: 1000, UncompressedSize64: unpacked,
			})
			errs = append(errs, writeEntry(entry, err, strings.Repeat("\x00", 1000)))
		}
		return errors.Join(errs...)
	})
}

func TestZip_RefusesABomb(t *testing.T) {
	refused(t, bombOf(t, 1, looseBytes+1), `its entry "0" unpacks to 33554433 bytes, too many for its size`)
}

// TestZip_RefusesABombOfManyEntries: no entry is large, all together are.
func TestZip_RefusesABombOfManyEntries(t *testing.T) {
	refused(t, bombOf(t, 64, 1<<20), "it unpacks to 67108864 bytes, too many for its size")
}

func TestZip_BoundsItsSize(t *testing.T) {
	data := zipEntries(t, strings.Repeat("x", 1000))
	if _, err := openZip(bytes.NewReader(data), int64(len(data)), 999, descriptorName); err == nil || !strings.Contains(err.Error(), "more than 999 bytes") {
		t.Error(err)
	}
}

// lyingZip makes a zip whose only entry says that it unpacks to fewer bytes than it does.
func lyingZip(t *testing.T, text string, says uint32) []byte {
	t.Helper()
	data := zipEntries(t, text)
	for _, mark := range []string{"PK\x01\x02", "PK\x07\x08"} {
		at := bytes.LastIndex(data, []byte(mark))
		size := at + 24
		if mark == "PK\x07\x08" {
			size = at + 12
		}
		if at < 0 || binary.LittleEndian.Uint32(data[size:]) != uint32(len(text)) {
			t.Fatalf("no size after %q", mark)
		}
		binary.LittleEndian.PutUint32(data[size:], says)
	}
	return data
}

func TestZip_RefusesAFalseSize(t *testing.T) {
	a, err := openZipBytes(lyingZip(t, strings.Repeat("x", 100_000), 10))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(a, descriptorName); !strings.Contains(mistakeText(err), "it cannot be unpacked: zip: not a valid zip file [bad-compression]") {
		t.Error(mistakeText(err))
	}
}

func TestZip_ChecksItsSums(t *testing.T) {
	data := zipEntries(t, "unchanged", zip.FileHeader{Name: "a.csv"})
	sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte("unchanged")))
	if n := bytes.Count(data, sum); n == 0 {
		t.Fatal("no checksum")
	}
	data = bytes.ReplaceAll(data, sum, []byte("\x01\x02\x03\x04"))
	a, err := openZipBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fs.ReadFile(a, "a.csv"); !strings.Contains(mistakeText(err), "it cannot be unpacked: zip: checksum error [bad-compression]") {
		t.Error(mistakeText(err))
	}
}

// TestZip_OpensNoZipInIt: a zip in a zip is a file that is no table.
func TestZip_OpensNoZipInIt(t *testing.T) {
	inner := string(zipOf(t, map[string]string{"f.csv": "code,amount\na,1\n"}))
	data := zipOf(t, map[string]string{descriptorName: "{}", "f.zip": inner})
	all := New(Limits{Unpacked: 1 << 30})
	if err := all.UseZip(bytes.NewReader(data), int64(len(data)), descriptorName); err != nil {
		t.Fatal(err)
	}
	read, err := OpenTable(t.Context(), all, &cube.Resource{Path: "f.zip", Schema: twoFields}, func([]byte) {})
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if err := read.Header(); !strings.Contains(mistakeText(err), "[bad-workbook]") {
		t.Error(mistakeText(err))
	}
}

// FuzzZip: whatever the bytes, opening ends, and what is opened stays in the zip.
func FuzzZip(f *testing.F) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"p/" + descriptorName, "p/data/f.csv"} {
		if file, err := w.Create(name); err == nil {
			_, _ = file.Write([]byte("code,amount\n"))
		}
	}
	_ = w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := openZip(bytes.NewReader(data), int64(len(data)), 1<<20, descriptorName)
		if err != nil {
			return
		}
		for name := range a.entries {
			if !filepath.IsLocal(name) {
				t.Fatalf("an entry %q", name)
			}
			if text, err := fs.ReadFile(a, strings.TrimPrefix(name, a.top)); err == nil && len(text) > 1<<20 {
				t.Fatalf("%d bytes", len(text))
			}
		}
	})
}

// zipBy makes a zip of what is written into it.
func zipBy(t *testing.T, write func(*zip.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	if err := errors.Join(write(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// writeEntry writes an entry that was created.
func writeEntry(entry io.Writer, err error, text string) error {
	if err == nil {
		_, err = io.WriteString(entry, text)
	}
	return err
}

func zipOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	return zipBy(t, func(w *zip.Writer) error {
		var errs []error
		for path, text := range files {
			entry, err := w.Create(path)
			errs = append(errs, writeEntry(entry, err, text))
		}
		return errors.Join(errs...)
	})
}
