package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"fiscube/seeds"
)

// Versions of the package "budget", made when they are first used.
var (
	small  = sync.OnceValue(func() string { return budget(1) })   // some 1,200 rows
	medium = sync.OnceValue(func() string { return budget(50) })  // some 60,000 rows, whose export no socket holds
	big    = sync.OnceValue(func() string { return budget(244) }) // some 300,000 rows
)

func budget(copies int) (folder string) {
	return grow(filepath.Join(scratch, "budget"+strconv.Itoa(copies)), "budget", copies)
}

// everyRow is the drilldown in which each row of such a package is a cell.
const everyRow = "drilldown=Year|admin2_code|activity3_code|func1_code|fin_source_code|econ3_code"

// grown writes the example package of Croatia under another name, with each row copied.
func grown(t testing.TB, name string, copies int) (folder string) {
	t.Helper()
	return grow(t.TempDir(), name, copies)
}

// grow writes a package into a folder: one file that holds the rows of example-croatia many times over. The activities of
// every copy have codes of their own, so that the members grow with the rows.
func grow(folder, name string, copies int) string {
	example, _ := seeds.Open("example-croatia")
	content := copyRows(example, copies)
	file := name + ".csv"
	write(filepath.Join(folder, "data", file), content)
	write(filepath.Join(folder, "datapackage.json"), describeFile(example, name, file, content))
	return folder
}

func copyRows(example fs.FS, copies int) []byte {
	paths := sure(fs.Glob(example, "data/*.csv"))
	var rows [][]string
	for _, path := range paths {
		records := sure(csv.NewReader(bytes.NewReader(sure(fs.ReadFile(example, path)))).ReadAll())
		if rows == nil {
			rows = records[:1]
		}
		rows = append(rows, records[1:]...)
	}
	var content bytes.Buffer
	w := csv.NewWriter(&content)
	w.UseCRLF = true
	_ = w.Write(rows[0]) // nothing fails in memory
	for i := range copies {
		for _, row := range rows[1:] {
			code := row[activity3]
			row[activity3] += "-" + strconv.Itoa(i)
			_ = w.Write(row)
			row[activity3] = code
		}
	}
	w.Flush()
	return content.Bytes()
}

// activity3 is the place of activity3_code among the fields of example-croatia.
const activity3 = 9

// describeFile makes the descriptor of example-croatia that of a package with one file.
func describeFile(example fs.FS, name, file string, content []byte) []byte {
	var descriptor map[string]any
	check(json.Unmarshal(sure(fs.ReadFile(example, "datapackage.json")), &descriptor))
	resource := descriptor["resources"].([]any)[0].(map[string]any)
	_, body, _ := bytes.Cut(content, []byte("\n"))
	resource["name"], resource["path"], resource["bytes"] = file, "data/"+file, len(content)
	resource["hash"], resource["hashcopy"] = digest(content), digest(body)
	delete(resource, "sample")
	delete(descriptor, "sample")
	descriptor["name"], descriptor["resources"] = name, []any{resource}
	return sure(json.Marshal(descriptor))
}

func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// unpacked writes a seed into a folder of the test's own.
func unpacked(t testing.TB, seed string) (folder string) {
	t.Helper()
	files, ok := seeds.Open(seed)
	if !ok {
		t.Fatalf("there is no seed %s", seed)
	}
	folder = t.TempDir()
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

func write(path string, content []byte) {
	check(os.MkdirAll(filepath.Dir(path), 0o755))
	check(os.WriteFile(path, content, 0o644))
}

// sure gives a value that can be had wherever tests run.
func sure[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
