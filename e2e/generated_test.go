package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// What openapi.yaml says is enough for generators of clients, without any option: what they make compiles, and keeps every
// digit of an amount.

const wideAmounts = "year,code,paid\r\n2020,010,269948549110.00\r\n2020,020,1234567890123456789012.34\r\n2020,030,\r\n"

// wide serves a cube with an amount of 12 digits, and with one that no floating point number holds.
func wide(t *testing.T) *service {
	t.Helper()
	folder := t.TempDir()
	write(filepath.Join(folder, "datapackage.json"), []byte(`{"name": "wide", "resources": [{"name": "d", "path": "d.csv",
	 "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
	  {"name": "code", "type": "string"}, {"name": "paid", "type": "number"}]},
	 "model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"]},
	  "entity": {"dimensionType": "other", "primaryKey": ["code"]}}, "measures": {"paid": {}}}}]}`))
	write(filepath.Join(folder, "d.csv"), []byte(wideAmounts))
	db := freshDuckDB(t)
	must(t, "load", "--db", db, folder)
	return serve(t, db)
}

// generators gives a new folder with the clients' programs in it, beside the reference.
func generators(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp(scratch, "clients-")
	check(err)
	check(os.CopyFS(folder, os.DirFS("e2e/testdata/clients")))
	check(os.Symlink(openapi, filepath.Join(folder, "openapi.yaml")))
	return folder
}

// runIn runs a command in a folder, and gives what it wrote.
func runIn(t *testing.T, folder, name string, args ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = folder
	said, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", command, err, said)
	}
	return string(said), err
}

// onRequest skips t in the ordinary run: the first time, a machine takes minutes to build the generators.
func onRequest(t *testing.T) {
	t.Helper()
	t.Parallel()
	if !testrequire.Requires("clients") {
		t.Skip("make clients generates clients of openapi.yaml and builds them")
	}
}

func TestOpenAPI_ClientsInGo(t *testing.T) {
	onRequest(t)
	folder := generators(t)
	if _, err := runIn(t, folder, "go", "mod", "download"); err != nil {
		testrequire.Skip(t, "clients", "the generators cannot be installed: "+err.Error())
	}
	check(os.Mkdir(filepath.Join(folder, "oapi"), 0o755))
	for _, line := range []string{
		"tool oapi-codegen -package oapi -generate types,client -o oapi/client.go openapi.yaml",
		"tool ogen -package oas -target oas openapi.yaml",
		"build -trimpath -o ask .", // the same files in another folder are built once
	} {
		if _, err := runIn(t, folder, "go", strings.Fields(line)...); err != nil {
			t.Fatal(err)
		}
	}
	s := wide(t)
	for _, more := range []string{"", "strings"} {
		said, err := runIn(t, folder, "./ask", strings.Fields(s.url+" wide "+more)...)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(said)
		says(t, said, "oapi-codegen 010 269948549110.00\n", "oapi-codegen 020 1234567890123456789012.34\n", "ogen 010 269948549110", "ogen 020 1234567890123456789012.34\n")
	}
}

func TestOpenAPI_ClientInTypeScript(t *testing.T) {
	onRequest(t)
	for _, command := range []string{"node", "npm"} {
		if _, err := exec.LookPath(command); err != nil {
			testrequire.Skip(t, "clients", "there is no "+command+", which openapi-typescript needs")
		}
	}
	folder := generators(t)
	if _, err := runIn(t, folder, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"); err != nil {
		testrequire.Skip(t, "clients", "openapi-typescript cannot be installed: "+err.Error())
	}
	for _, line := range []string{"openapi-typescript openapi.yaml -o reference.d.ts", "tsc"} {
		name, args, _ := strings.Cut(line, " ")
		if _, err := runIn(t, folder, "./node_modules/.bin/"+name, strings.Fields(args)...); err != nil {
			t.Fatal(err)
		}
	}
	said, err := runIn(t, folder, "node", "out/ask.js", wide(t).url, "wide")
	if err != nil {
		t.Fatal(err)
	}
	says(t, said, "openapi-typescript 010 269948549110.00\n", "openapi-typescript 020 1234567890123456789012.34\n", "openapi-typescript 030 null\n")
}
