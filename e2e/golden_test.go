package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/seeds"
	"fiscube/store/load"
)

// TestValidatePrintsTheModelAndEverythingFound holds, for every example, the chains, label pairs and measures
// that result, the control totals and every finding. -update writes the files anew; read the difference.
func TestValidatePrintsTheModelAndEverythingFound(t *testing.T) {
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			compareGolden(t, filepath.Join("e2e/testdata", "validate", seed.Name+".txt"), validated(t, filepath.Join("seeds", seed.Name)))
		})
	}
}

// TestTheRealPackagesHaveTheModelOfTheirDataset holds the same for the real packages, without their figures.
func TestTheRealPackagesHaveTheModelOfTheirDataset(t *testing.T) {
	for _, name := range []string{
		"D1-paraguay", "D2-croatia", "D3-dominicana-ingresos", "D5-costa-rica-ingresos", "D6-uruguay",
		"D7-mexico", "D7-mexico-2017-sample", "D8-costa-rica-egresos",
	} {
		t.Run(name, func(t *testing.T) {
			model, _, _ := strings.Cut(validated(t, realPackage(t, name)), "\n\n")
			compareGolden(t, filepath.Join("e2e/testdata", "model", name+".txt"), model+"\n")
		})
	}
}

// validated is what validate prints of the package in a folder.
func validated(t *testing.T, folder string) string {
	t.Helper()
	return must(t, "validate", folder)
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s says\n%s\ngot\n%s", path, want, got)
	}
}

// TestEveryExampleHasADescriptor keeps the two lists above from passing because there is nothing to compare.
func TestEveryExampleHasADescriptor(t *testing.T) {
	if all := seeds.All(); len(all) != 8 {
		t.Fatalf("%d examples, want one for each of the eight datasets", len(all))
	}
	for _, seed := range seeds.All() {
		if _, err := load.OpenFS(t.Context(), seed.FS, load.Options{Shipped: seeds.OverlayFor}); err != nil {
			t.Errorf("%s: %v", seed.Name, err)
		}
	}
}
