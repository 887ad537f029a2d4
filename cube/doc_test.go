package cube_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The map in doc.go has every file of the package, and no other.
func TestDocMapsTheFiles(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "# Files")
	text, _, _ = strings.Cut(text, "# Inner words")
	mapped := []string{"doc.go"}
	for line := range strings.Lines(text) {
		_, names, _ := strings.Cut(line, "  ") // behind what they are about
		for _, name := range strings.Fields(names) {
			files, err := filepath.Glob(name + ".go")
			if err != nil || len(files) == 0 {
				t.Errorf("there is no file %s", name)
			}
			mapped = append(mapped, files...)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") && !slices.Contains(mapped, file) {
			t.Errorf("the map in doc.go has no %s", file)
		}
	}
}
