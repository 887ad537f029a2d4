package e2e

import (
	"archive/zip"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// These tests hand packages to a tool of others that reads and writes data packages, and take them from it.

// dataPackageTool is a folder with the tool.
func dataPackageTool(t *testing.T) string {
	t.Helper()
	for _, command := range []string{"node", "npm"} {
		if _, err := exec.LookPath(command); err != nil {
			testrequire.Skip(t, "clients", "there is no "+command+", which the tool of others needs")
		}
	}
	folder, err := os.MkdirTemp(scratch, "datapackage-")
	check(err)
	check(os.CopyFS(folder, os.DirFS("e2e/testdata/datapackage")))
	if _, err := runIn(t, folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"); err != nil {
		testrequire.Skip(t, "clients", "the tool of others cannot be installed: "+err.Error())
	}
	return folder
}

// A package that fiscube writes is a valid one to others, with the rows and types that fiscube answers.
func TestOpenAPI_ClientsOfPackages(t *testing.T) {
	onRequest(t)
	tool := dataPackageTool(t)
	for _, name := range []string{"example-croatia", "example-costa-rica-egresos"} {
		s := seeded.onDuckDB(t)
		folder := unzipped(t, s.wholeZip(t, name))
		said, err := runIn(t, tool, "node", "tables.js", "read", folder)
		if err != nil {
			t.Fatal(err)
		}
		s.hasTables(t, name, said)
	}
}

// otherTable is a resource as a tool of others reads it.
type otherTable struct {
	Name   string
	Fields []struct{ Name, Type string }
	Rows   []map[string]any
}

// hasTables compares the rows of tables with the facts of a cube.
func (s *service) hasTables(t *testing.T, name, said string) {
	t.Helper()
	var tables []otherTable
	if err := json.Unmarshal([]byte(said), &tables); err != nil {
		t.Fatalf("%v: %.300s", err, said)
	}
	facts := s.facts(t, name)
	for _, x := range tables {
		for _, row := range x.Rows {
			if len(facts) == 0 {
				t.Fatalf("%s: more rows than facts", name)
			}
			for _, f := range x.Fields {
				if want := facts[0][f.Name]; !reflect.DeepEqual(row[f.Name], want) && (row[f.Name] != nil || want != "") {
					t.Fatalf("%s, line %v: %s is %v to others, and %v", name, facts[0]["_line"], f.Name, row[f.Name], want)
				}
			}
			facts = facts[1:]
		}
	}
	if len(facts) > 0 {
		t.Errorf("%s: others read %d rows less", name, len(facts))
	}
}

// facts gives all rows of a cube, in the order of its files.
func (s *service) facts(t *testing.T, name string) []map[string]any {
	t.Helper()
	var facts []map[string]any
	for line := range strings.Lines(get(t, s.url+"/cubes/"+url.PathEscape(name)+"/facts?format=ndjson&snapshots=all")) {
		var fact map[string]any
		if err := json.Unmarshal([]byte(line), &fact); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		facts = append(facts, fact)
	}
	return facts
}

// unzipped unpacks a zip.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	folder := filepath.Join(t.TempDir(), "package")
	check(os.CopyFS(folder, archive))
	return folder
}
