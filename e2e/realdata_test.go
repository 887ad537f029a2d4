package e2e

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// realData is where the published packages are, beside the checkout.
const realData = "../shared/data"

// questions are the drilldowns by which the real packages are added up, with the fields that identify a cell.
var questions = []struct {
	folder, cube string
	drilldowns   []string
	keys         [][]string
}{
	{"D2-croatia", "croatia-budget-spending", []string{"Year", "admin1_code"}, [][]string{{"Year"}, {"admin1_code"}}},
	{"D6-uruguay", "presupuesto-uy-desde-2011", []string{"ANO", "ORG_ID"}, [][]string{{"ANO"}, {"ORG_ID"}}},
	{"D7-mexico", "mexico", []string{"CICLO", "ID_RAMO", "ID_UR"}, [][]string{{"CICLO"}, {"ID_RAMO"}, {"ID_RAMO", "ID_UR"}}},
}

func TestTotalsOfTheRealPackagesAreThoseOfTheirFiles(t *testing.T) {
	t.Parallel()
	load := []string{"load"}
	want := map[string][]*sums{}
	for _, q := range questions {
		folder := realPackage(t, q.folder)
		load = append(load, folder)
		want[q.cube] = addUp(t, os.DirFS(folder), q.keys...)
	}
	onEveryStore(t, func(t *testing.T, db string) {
		must(t, append(load, "--db", db)...)
		s := serve(t, db)
		for _, q := range questions {
			for i, drilldown := range q.drilldowns {
				s.agree(t, q.cube, drilldown, want[q.cube][i])
			}
		}
		s.stop(t)
	})
}

// realPackage gives the folder of a real package, unpacked where it is packed.
func realPackage(t testing.TB, name string) string {
	t.Helper()
	folder := filepath.Join(realData, name)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		testrequire.Skip(t, "data", "the real packages are not there: no folder "+folder)
	}
	packed, _ := filepath.Glob(filepath.Join(folder, "data", "*.gz"))
	if packed == nil {
		return folder
	}
	unpacked := t.TempDir()
	descriptor, err := os.ReadFile(filepath.Join(folder, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(filepath.Join(unpacked, "datapackage.json"), descriptor)
	for _, path := range packed {
		target := filepath.Join(unpacked, "data", strings.TrimSuffix(filepath.Base(path), ".gz"))
		if err := unpack(path, target); err != nil {
			t.Fatalf("unpack %s: %v", path, err)
		}
	}
	return unpacked
}

func unpack(path, target string) error {
	packed, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = packed.Close() }()
	content, err := gzip.NewReader(packed)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	file, err := os.Create(target)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
