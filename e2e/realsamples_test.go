package e2e

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/internal/testfolder"

	"fiscube/internal/each"
)

// sampleOfYears gives the path of a folder with a sample of the years 2008 and 2010 of the real budget of Mexico, and the part of
// 2017 that there is, as one package. Between the last two the functions are numbered anew. Without the files t is skipped.
func sampleOfYears(t testing.TB) string {
	t.Helper()
	target := t.TempDir()
	subfunctions, expenses := []string{"GPO_FUNCIONAL", "ID_FUNCION", "ID_SUBFUNCION"}, []string{"ID_TIPOGASTO"}
	joined := copySample(t, "D7-mexico", target, func(row int, cell func(string) string) bool { return row%10 == 0 }, subfunctions, expenses)
	part := copySample(t, "D7-mexico-2017-sample", target, func(int, func(string) string) bool { return true })
	joined["resources"] = append(joined["resources"].([]any), part["resources"].([]any)...)
	writeDescriptor(t, target, joined)
	return target
}

// sampleOfUnits gives the path of a folder with a sample of the real budget of Mexico that has each of its units, and all rows of one. Without
// the files t is skipped.
func sampleOfUnits(t testing.TB) string {
	t.Helper()
	target := t.TempDir()
	isUnit := func(_ int, cell func(string) string) bool { return cell("ID_RAMO") == "11" && cell("ID_UR") == "100" }
	writeDescriptor(t, target, copySample(t, "D7-mexico", target, isUnit, []string{"ID_RAMO", "ID_UR", "DESC_UR", "ID_CAPITULO"},
		[]string{"GPO_FUNCIONAL", "ID_FUNCION", "ID_SUBFUNCION"}))
	return target
}

// copySample copies the rows of each file of a real package that are to be kept, or are the first with their cells in some fields, and gives
// the descriptor of what was copied.
func copySample(t testing.TB, name, target string, keep func(row int, cell func(field string) string) bool, firsts ...[]string) (descriptor map[string]any) {
	t.Helper()
	source := testfolder.Real(t, name)
	text, err := os.ReadFile(filepath.Join(source, "datapackage.json"))
	if err := errors.Join(err, json.Unmarshal(text, &descriptor)); err != nil {
		t.Fatal(err)
	}
	for _, r := range descriptor["resources"].([]any) {
		resource := r.(map[string]any)
		for _, of := range []string{"hash", "hashcopy", "bytes"} { // of the file as it was published
			delete(resource, of)
		}
		path := filepath.FromSlash(resource["path"].(string))
		text, err := os.ReadFile(filepath.Join(source, path))
		rows, errRows := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err := errors.Join(err, errRows); err != nil {
			t.Fatal(err)
		}
		kept, seen := rows[:1:1], map[string]bool{}
		for i, row := range rows[1:] {
			cell := func(field string) string { return row[slices.Index(rows[0], field)] }
			isKept := keep(i, cell)
			for _, fields := range firsts {
				id := strings.Join(append(each.Text(fields, cell), fields...), "\x00")
				isKept, seen[id] = isKept || !seen[id], true
			}
			if isKept {
				kept = append(kept, row)
			}
		}
		var out bytes.Buffer
		_ = csv.NewWriter(&out).WriteAll(kept) // a buffer takes everything
		to := filepath.Join(target, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, out.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return descriptor
}

func writeDescriptor(t testing.TB, folder string, descriptor map[string]any) {
	t.Helper()
	text, err := json.Marshal(descriptor)
	if err := errors.Join(err, os.WriteFile(filepath.Join(folder, "datapackage.json"), text, 0o600)); err != nil {
		t.Fatal(err)
	}
}
