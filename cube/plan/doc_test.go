package plan_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// doc.go names every file of the package, and no other.
func TestDoc_NamesEveryFile(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := append(regexp.MustCompile(`\w+\.go`).FindAllString(string(doc), -1), "doc.go")
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(file string) bool { return strings.HasSuffix(file, "_test.go") })
	for _, file := range files {
		if !slices.Contains(named, file) {
			t.Errorf("doc.go has no %s", file)
		}
	}
	for _, name := range named {
		if !slices.Contains(files, name) {
			t.Errorf("there is no file %s", name)
		}
	}
}
