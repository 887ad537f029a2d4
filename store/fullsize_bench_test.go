package store_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fiscube/store/load"
	"fiscube/store/postgres/postgrestest"
)

// BenchmarkFullSize loads the shape that the real D7 has in full: 13 resources of a year each, 1.8 GB and 3.3
// million rows, made by repeating the two real years under other ones. It needs 4 GB of temporary space and a
// few minutes; run it with -benchtime 1x. The peak of memory is to be compared with BenchmarkLoad's, which
// reads a thirteenth.
func BenchmarkFullSize(b *testing.B) {
	folder := fullSize(b, mexico(b))
	for _, store := range []struct {
		name    string
		address func() string
	}{
		{"duckdb", func() string { return "duckdb:" + filepath.Join(b.TempDir(), "full.duckdb") }},
		{"postgres", func() string { return postgrestest.DSN(b) }},
	} {
		b.Run(store.name, func(b *testing.B) {
			forgetPeak()
			var took time.Duration
			for b.Loop() {
				b.StopTimer()
				to := store.address()
				b.StartTimer()
				began := time.Now()
				loadOnce(b, to, folder, fullRows)
				took += time.Since(began)
			}
			report(b, folder, fullRows, took)
			b.ReportMetric(peakMB(), "peak-MB")
		})
	}
}

const (
	fullYears = 13
	fullRows  = fullYears * mexicoRows
)

// fullSize writes the package: each year holds both files of the source with their year replaced.
func fullSize(b *testing.B, source string) string {
	b.Helper()
	folder := b.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "data"), 0o755); err != nil {
		b.Fatal(err)
	}
	var descriptor map[string]any
	readJSON(b, filepath.Join(source, load.DescriptorName), &descriptor)
	resources := descriptor["resources"].([]any)
	first := resources[0].(map[string]any)
	delete(first, "sample")
	delete(first, "hashcopy")
	var all []any
	for year := range fullYears {
		all = append(all, oneYear(b, source, folder, first, 2008+year))
	}
	descriptor["resources"] = all
	text, err := json.Marshal(descriptor)
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, load.DescriptorName), text, 0o644); err != nil {
		b.Fatal(err)
	}
	return folder
}

func readJSON(b *testing.B, path string, target any) {
	b.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, target)
	}
	if err != nil {
		b.Fatal(err)
	}
}

// oneYear writes the file of a year and gives its resource, which is the first's under another name.
func oneYear(b *testing.B, source, folder string, first map[string]any, year int) map[string]any {
	b.Helper()
	name := fmt.Sprintf("full__%d.csv", year)
	file, err := os.Create(filepath.Join(folder, "data", name))
	if err != nil {
		b.Fatal(err)
	}
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<20)
	for i, of := range []string{"2008", "2010"} {
		copyYear(b, out, filepath.Join(source, "data", "presupuesto_mexico__"+of+".csv"), year, i == 0)
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	size, _ := file.Seek(0, io.SeekCurrent)
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	resource := map[string]any{}
	for key, value := range first {
		resource[key] = value
	}
	resource["name"], resource["path"] = name, "data/"+name
	resource["bytes"], resource["hash"] = size, hex.EncodeToString(sum.Sum(nil))
	return resource
}

// copyYear copies the rows of a file with their year replaced; no cell of these files has a line break.
func copyYear(b *testing.B, out io.Writer, path string, year int, withHeader bool) {
	b.Helper()
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); n++ {
		line := lines.Bytes()
		if n > 0 {
			_, rest, _ := bytes.Cut(line, []byte(","))
			_, err = fmt.Fprintf(out, "%d,%s\r\n", year, bytes.TrimSuffix(rest, []byte("\r")))
		} else if withHeader {
			_, err = fmt.Fprintf(out, "%s\r\n", bytes.TrimSuffix(line, []byte("\r")))
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		b.Fatal(err)
	}
}
