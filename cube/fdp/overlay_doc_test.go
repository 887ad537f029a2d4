package fdp_test

import (
	"os"
	"strings"
	"testing"
)

// TestExampleOfThePackageDoc reads the overlay that the package doc shows.
func TestExampleOfThePackageDoc(t *testing.T) {
	source, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var example strings.Builder
	for line := range strings.Lines(string(source)) {
		if text, ok := strings.CutPrefix(line, "//\t"); ok {
			example.WriteString(text)
		}
	}
	readOverlay(t, example.String())
	for _, key := range []string{"applies", "title", "measures", "derived", "dimensions", "levels", "not_informed", "snapshots", "notes", "repairs"} {
		if !strings.Contains("\n"+example.String(), "\n"+key+":") {
			t.Errorf("the package doc has no example of %s", key)
		}
	}
}
