package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spoil changes a file of a package.
func spoil(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	changed := change(content)
	if bytes.Equal(content, changed) {
		t.Fatalf("%s would stay as it is", path)
	}
	write(path, changed)
}

// spoilLine puts another text in place of one in a line of a file, the first being 1.
func spoilLine(t *testing.T, path string, line int, from, to string) {
	t.Helper()
	spoil(t, path, func(content []byte) []byte {
		lines := strings.SplitAfter(string(content), "\n")
		lines[line-1] = strings.Replace(lines[line-1], from, to, 1)
		return []byte(strings.Join(lines, ""))
	})
}

// spoiled is example-croatia with something wrong in each of its files.
func spoiled(t *testing.T) (folder string) {
	t.Helper()
	folder = unpacked(t, "example-croatia")
	file := func(year string) string { return filepath.Join(folder, "data", "example-croatia__"+year+".csv") }
	spoilLine(t, file("2016"), 3, "2016,", "MMXVI,")
	spoilLine(t, file("2016"), 5, "\r\n", ",one more\r\n")
	spoilLine(t, file("2017"), 1, "admin1_code", "admin_code")
	spoilLine(t, file("2018"), 7, "SABOR", "S\xe1BOR")
	if err := os.Remove(file("2019")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// problems are what is wrong in spoiled, each with its file and line.
var problems = []string{
	`example-croatia__2016.csv:3: field Year: "MMXVI" is no whole number [bad-cell]`,
	`example-croatia__2016.csv:5: the row has 24 cells, the schema 23 fields [cell-count]`,
	`example-croatia__2016.csv: the file's SHA-256 is `,
	`example-croatia__2017.csv:1: column 2 is "admin_code", in the schema "admin1_code" [header-differs]`,
	`example-croatia__2018.csv:7: the file is not UTF-8`,
	`data/example-croatia__2019.csv cannot be read: no such file or directory [missing-file]`,
}

func TestABadPackageIsRefusedWithEveryProblem(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, unpacked(t, "example-croatia"))
		before := tables(t, db)
		fails(t, exitRefused, []string{"load", "--db", db, spoiled(t)}, problems...)
		says(t, must(t, "versions", "--db", db, "example-croatia"), "example-croatia  1        yes ")
		if after := tables(t, db); len(after) != len(before) {
			t.Errorf("tables %q, before %q", after, before)
		}
	})
}

func TestABadPackageIsValidatedWithEveryProblem(t *testing.T) {
	r := fiscube(t, "validate", spoiled(t))
	says(t, r.err, problems...)
	says(t, r.out, "example-croatia: ", "admin1_code (admin1_label) → admin2_code")
	if r.code != exitRefused {
		t.Errorf("exit code %d, want %d", r.code, exitRefused)
	}
}

func TestABadDescriptorIsRefusedWithEveryProblem(t *testing.T) {
	folder := unpacked(t, "example-croatia")
	spoil(t, filepath.Join(folder, "datapackage.json"), func(content []byte) []byte {
		content = bytes.Replace(content, []byte(`"path":"data/example-croatia__2016.csv"`), []byte(`"path":"../secret.csv"`), 1)
		return bytes.Replace(content, []byte(`"name":"example-croatia__2017.csv"`), []byte(`"name":""`), 1)
	})
	fails(t, exitRefused, []string{"load", "--db", freshDuckDB(t), folder},
		`resources[0].path: "../secret.csv" leads out of a folder by ..`, `resources[1].name: a resource needs a name`)
}

func TestAFolderWithoutAPackageIsRefused(t *testing.T) {
	db, folder := freshDuckDB(t), t.TempDir()
	fails(t, exitRefused, []string{"load", "--db", db, folder}, folder, "datapackage.json cannot be read")
	fails(t, exitRefused, []string{"load", "--db", db, folder + "/none"}, folder+"/none cannot be read")
}

// One package that is refused stops no other, and is told of once.
func TestABadPackageAmongGoodOnes(t *testing.T) {
	onEveryStore(t, func(t *testing.T, db string) {
		bad := filepath.Join(t.TempDir(), "none")
		r := fiscube(t, "load", "--db", db, bad, small(), unpacked(t, "example-uruguay"))
		says(t, r.out, "budget: version 1, ", "example-uruguay: version 1, ")
		if told := strings.Count(r.err, bad+" cannot be read"); r.code != exitRefused || told != 1 {
			t.Errorf("exit code %d, and %d times it says why:\n%s", r.code, told, r.err)
		}
	})
}
