package store_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2" // the yardstick: DuckDB's own reader

	"fiscube/cube"
	"fiscube/internal/testfolder"
	"fiscube/internal/testrequire"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
)

// BenchmarkLoad loads the real D7-mexico into each store, and beside it the same files by the
// store's own reader into a table of the same types, on PostgreSQL with the same index and statistics too. It prints MB/s and rows/s of the published CSV and, for fiscube, the
// peak of the process's memory. Run it with -benchtime 3x.
func BenchmarkLoad(b *testing.B) {
	folder := testfolder.Real(b, "D7-mexico")
	file := func() string { return "duckdb:" + filepath.Join(b.TempDir(), "bench.duckdb") }
	server := func() string { return postgrestest.DSN(b) }
	b.Run("duckdb/fiscube", func(b *testing.B) { benchFiscube(b, folder, mexicoRows, file) })
	b.Run("duckdb/read_csv", func(b *testing.B) { benchReadCSV(b, folder) })
	b.Run("postgres/fiscube", func(b *testing.B) { benchFiscube(b, folder, mexicoRows, server) })
	b.Run("postgres/copy", func(b *testing.B) { benchCopy(b, folder) })
}

// mexicoRows is how many rows the two files have.
const mexicoRows = 256_874

func benchFiscube(b *testing.B, folder string, rows int64, address func() string) {
	forgetPeak()
	var took time.Duration
	cpu := cpuTime()
	for b.Loop() {
		b.StopTimer()
		to := address()
		b.StartTimer()
		began := time.Now()
		s, loaded := loadInto(b, to, folder)
		if loaded.Rows != rows {
			b.Fatal(loaded.Rows)
		}
		_ = s.Close()
		took += time.Since(began)
	}
	report(b, folder, rows, took)
	b.ReportMetric((cpuTime()-cpu).Seconds()/float64(b.N), "cpu-s")
	b.ReportMetric(peakMB(), "peak-MB")
}

// loadInto loads a package into the store at an address and leaves that open.
func loadInto(b *testing.B, address, folder string) (store.Store, *cube.Cube) {
	b.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.ForLoads(address), postgres.Options{}, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	source, err := load.OpenWith(ctx, folder, load.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = source.Close() }()
	loaded, err := load.Run(ctx, s, source, load.Silent{})
	if err != nil {
		b.Fatal(err)
	}
	return s, loaded.Cube
}

func report(b *testing.B, folder string, rows int64, took time.Duration) {
	var bytes int64
	files, _ := filepath.Glob(filepath.Join(folder, "data", "*.csv"))
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			bytes += info.Size()
		}
	}
	seconds := took.Seconds() / float64(b.N)
	b.ReportMetric(float64(bytes)/1e6/seconds, "MB/s")
	b.ReportMetric(float64(rows)/seconds, "rows/s")
}

// typed lists the columns of a CSV file with the types that fiscube stores them by.
func typed(b *testing.B, folder, text, amount string) string {
	b.Helper()
	file, err := os.Open(filepath.Join(folder, "data", "presupuesto_mexico__2008.csv"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	line := make([]byte, 4096)
	n, _ := io.ReadFull(file, line)
	header, _, _ := strings.Cut(string(line[:n]), "\r\n")
	columns := strings.Split(header, ",")
	for i, name := range columns {
		kind := text
		if name == "CICLO" {
			kind = "bigint"
		} else if strings.HasPrefix(name, "MONTO_") {
			kind = amount
		}
		columns[i] = `"` + name + `" ` + kind
	}
	return strings.Join(columns, ", ")
}

func benchReadCSV(b *testing.B, folder string) {
	create := "CREATE TABLE t (" + typed(b, folder, "text", "DECIMAL(18,2)") + ")"
	copied := "COPY t FROM '" + filepath.Join(folder, "data", "*.csv") + "' (HEADER, DELIMITER ',', QUOTE '\"', ESCAPE '\"')"
	var took time.Duration
	cpu := cpuTime()
	for b.Loop() {
		db, err := sql.Open("duckdb", filepath.Join(b.TempDir(), "bench.duckdb"))
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		for _, statement := range []string{create, copied} {
			if _, err := db.Exec(statement); err != nil {
				b.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
		took += time.Since(began)
	}
	report(b, folder, mexicoRows, took)
	b.ReportMetric((cpuTime()-cpu).Seconds()/float64(b.N), "cpu-s")
}

// cpuTime is the time that the process has taken of all processors.
func cpuTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func benchCopy(b *testing.B, folder string) {
	if _, err := exec.LookPath("psql"); err != nil {
		testrequire.Skip(b, "postgres", "there is no psql on this machine")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "data", "*.csv"))
	script := "CREATE TABLE t (" + typed(b, folder, `text COLLATE "C"`, "numeric") + ");\n"
	for _, file := range files {
		script += `\copy t FROM '` + file + "' (FORMAT csv, HEADER)\n"
	}
	script += "CREATE INDEX ON t (\"CICLO\");\nANALYZE t;\n"
	var took time.Duration
	for b.Loop() {
		b.StopTimer()
		psql := exec.Command("psql", "-q", "-v", "ON_ERROR_STOP=1", postgrestest.DSN(b))
		psql.Stdin = strings.NewReader(script)
		b.StartTimer()
		began := time.Now()
		if out, err := psql.CombinedOutput(); err != nil {
			b.Fatal(err, string(out))
		}
		took += time.Since(began)
	}
	report(b, folder, mexicoRows, took)
}

// forgetPeak makes the kernel count the peak of memory anew (proc(5), clear_refs).
func forgetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMB is the most memory the process has held, in MB; 0 where the kernel does not say.
func peakMB() float64 {
	status, _ := os.ReadFile("/proc/self/status")
	found := peak.FindSubmatch(status)
	if found == nil {
		return 0
	}
	kilobytes, _ := strconv.ParseFloat(string(found[1]), 64)
	return kilobytes / 1000
}

// BenchmarkFullSize loads the shape that the real D7 has in full: 13 resources of a year each, 1.8 GB and 3.3
// million rows, made by repeating the two real years under other ones. It needs 4 GB of temporary space and a
// few minutes; run it with -benchtime 1x. The peak of memory is to be compared with BenchmarkLoad's, which
// reads a thirteenth.
func BenchmarkFullSize(b *testing.B) {
	folder := fullSize(b, testfolder.Real(b, "D7-mexico"))
	b.Run("duckdb", func(b *testing.B) {
		benchFiscube(b, folder, fullRows, func() string { return "duckdb:" + filepath.Join(b.TempDir(), "full.duckdb") + "?memory=128MB" })
	})
	b.Run("postgres", func(b *testing.B) {
		benchFiscube(b, folder, fullRows, func() string { return postgrestest.DSN(b) })
	})
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
