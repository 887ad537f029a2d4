package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/search"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/load"
)

var update = flag.Bool("update", false, "write the answers of the examples into README.md and docs/")

// examplePages are the pages whose commands are run, with how many commands each has at least.
var examplePages = map[string]int{"README.md": 5, "docs/query-language.md": 20}

// pageExample is a command of a page with the answer printed below it.
var pageExample = regexp.MustCompile("(?s)curl -s 'http://127\\.0\\.0\\.1:8080(/[^']*)'\n```\n```(json|csv)\n(.*?)\n```")

func TestExamplePages_CommandsAnswerWhatIsPrinted(t *testing.T) {
	server := seededServer(t)
	for page, least := range examplePages {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		examples := pageExample.FindAllSubmatch(content, -1)
		if len(examples) < least {
			t.Errorf("%s has %d commands with answers, not %d", page, len(examples), least)
		}
		text := string(content)
		for _, example := range examples {
			path, format, printed := string(example[1]), string(example[2]), string(example[3])
			answer := strings.TrimSpace(get(t, server.URL+path))
			if *update {
				text = strings.Replace(text, "```"+format+"\n"+printed+"\n", "```"+format+"\n"+pretty(answer, format)+"\n", 1)
			} else if !sameAnswer(t, format, printed, answer) {
				t.Errorf("%s answers\n%s\n%s prints\n%s", path, answer, page, printed)
			}
		}
		if *update {
			if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// packageFile is a block of docs/packages.md and its language.
var packageFile = regexp.MustCompile("(?s)```(json|csv|yaml|text)\n(.*?)```")

// The first four blocks of the page are the files of a package and what validate prints of it.
func TestPackagesDoc_SmallestPackageIsValid(t *testing.T) {
	page, err := os.ReadFile("docs/packages.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	names := map[string]string{"json": "datapackage.json", "csv": "data/budget-2024.csv", "yaml": "overlay.yaml"}
	for _, block := range packageFile.FindAllSubmatch(page, 4) {
		language, content := string(block[1]), string(block[2])
		if language == "text" {
			if got := must(t, "validate", folder); got != content {
				t.Errorf("validate prints\n%s\nthe page\n%s", got, content)
			}
			return
		}
		file := filepath.Join(folder, names[language])
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("the page has no package and what validate prints of it")
}

// seededStore has the example packages in memory.
func seededStore(t *testing.T) store.Store {
	t.Helper()
	ctx, log := context.Background(), slog.New(slog.DiscardHandler)
	s, err := store.Open(ctx, "duckdb::memory:", log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, seed := range seeds.All() {
		source := sure(load.OpenFS(ctx, seed.FS, load.Options{Shipped: seeds.OverlayFor}))
		_, err := load.Run(ctx, s, source, load.Silent{})
		if err = errors.Join(err, source.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// seededServer serves the example packages from memory.
func seededServer(t *testing.T) *httptest.Server {
	t.Helper()
	log, engine := slog.New(slog.DiscardHandler), cube.NewEngine(seededStore(t))
	index := search.New(engine, log)
	if err := index.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api.New(engine, api.Options{Document: sure(os.ReadFile(openapi)), Log: log, Search: index}))
	t.Cleanup(server.Close)
	return server
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// pretty breaks an answer of one line where its parts begin, one cell a line.
func pretty(answer, format string) string {
	if format == "csv" {
		return strings.ReplaceAll(answer, "\r\n", "\n")
	}
	for _, part := range []string{`"total_cell_count"`, `"total_fact_count"`, `"total_member_count"`, `"total_hit_count"`, `"next"`, `"summary"`, `"cell"`, `"attributes"`, `"measures"`, `"order"`, `"warnings"`, `"context"`} {
		answer = strings.ReplaceAll(answer, ","+part, ",\n "+part)
	}
	return strings.NewReplacer(`"cells":[{`, "\"cells\":[\n  {", `"facts":[{`, "\"facts\":[\n  {", `"members":[{`, "\"members\":[\n  {", `"hits":[{`, "\"hits\":[\n  {", "},{", "},\n  {").Replace(answer)
}

// sameAnswer compares JSON by value, digits included, and CSV by its lines.
func sameAnswer(t *testing.T, format, printed, answer string) bool {
	t.Helper()
	if format == "csv" {
		return printed == strings.ReplaceAll(answer, "\r\n", "\n")
	}
	return reflect.DeepEqual(decoded(t, printed), decoded(t, answer))
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, text)
	}
	return v
}
