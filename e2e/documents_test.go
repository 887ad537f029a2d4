package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"fiscube/internal/golden"
	"fiscube/seeds"
)

// examplePages are the pages whose commands are run, with how many commands each has at least.
var examplePages = map[string]int{"README.md": 5, "docs/query-language.md": 20, "docs/for-journalists.md": 1, "docs/for-developers.md": 2,
	"docs/for-publishers.md": 1, "docs/for-operators.md": 1}

// pageExample is a command of a page with the answer printed below it.
var pageExample = regexp.MustCompile("(?s)curl -s 'http://127\\.0\\.0\\.1:8080(/[^']*)'\n```\n```(json|csv)\n(.*?)\n```")

func TestExamplePages_CommandsAnswerWhatIsPrinted(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
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
			answer := strings.TrimSpace(get(t, server.url+path))
			if golden.Updating() {
				text = strings.Replace(text, "```"+format+"\n"+printed+"\n", "```"+format+"\n"+pretty(answer, format)+"\n", 1)
			} else if !sameAnswer(t, format, printed, answer) {
				t.Errorf("%s answers\n%s\n%s prints\n%s", path, answer, page, printed)
			}
		}
		if golden.Updating() {
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

// recipeLink finds the questions of the recipes, up to where a format is put behind them.
var recipeLink = regexp.MustCompile(`(?:http://127\.0\.0\.1:8080|https://budgets\.example\.org)(/[^"' \n]*)`)

// Every question in the recipes has an answer, with the columns that the recipes name.
func TestRecipes_Answer(t *testing.T) {
	recipes, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	server := seeded.onDuckDB(t)
	server.settles(t)
	links := recipeLink.FindAllSubmatch(recipes, -1)
	if len(links) < 8 {
		t.Fatalf("the recipes have %d links", len(links))
	}
	for _, link := range links {
		path := strings.ReplaceAll(string(link[1]), "|", "%7C")
		response, err := http.Get(server.url + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
	header, _, _ := strings.Cut(get(t, server.url+"/cubes/example-croatia/aggregate?drilldown=Year%7Cadmin1_code&format=csv"), "\r\n")
	for _, name := range []string{"Year", "admin1_code", "admin1_label", "approved_value.sum"} {
		if !strings.Contains(","+header+",", ","+name+",") {
			t.Errorf("the columns are %s, without %s", header, name)
		}
	}
}

const questionsFile = "docs/questions.md"

// docQuestion is a question of the page with the lines printed below it.
var docQuestion = regexp.MustCompile("(?s)curl -s(?:JO)? 'http://127\\.0\\.0\\.1:8080(/[^']*)'\n```\n```text\n(.*?)\n```")

func TestQuestionsDoc_PrintsTheAnswers(t *testing.T) {
	text := questionsText(t)
	server := seeded.onDuckDB(t)
	server.settles(t)
	for _, step := range docQuestion.FindAllStringSubmatch(text, -1) {
		path, printed := step[1], step[2]
		header, answer := answerOf(t, server.url+escaped(path))
		answer = strings.ReplaceAll(answer, server.url, "http://127.0.0.1:8080")
		lines := firstLines(header, answer)
		if isFile(header) {
			_, answer = answerOf(t, server.url+escaped(asJSON.Replace(path)))
		}
		if !hasRows(t, answer) {
			t.Errorf("%s: the answer is empty:\n%s", path, answer)
		}
		if golden.Updating() {
			below := path + "'\n```\n```text\n"
			text = strings.Replace(text, below+printed+"\n", below+lines+"\n", 1)
		} else if lines != printed {
			t.Errorf("%s answers\n%s\nthe page prints\n%s", path, lines, printed)
		}
	}
	if golden.Updating() {
		if err := os.WriteFile(questionsFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Each example cube has ten questions.
func TestQuestionsDoc_HasTenForEachCube(t *testing.T) {
	sections := strings.Split(questionsText(t), "\n## ")[1:]
	if len(sections) != len(seeds.All()) {
		t.Errorf("%d cubes have questions, of %d", len(sections), len(seeds.All()))
	}
	for _, seed := range seeds.All() {
		i := slices.IndexFunc(sections, func(s string) bool { return strings.Contains(s, "(`"+seed.Name+"`)\n") })
		if i < 0 {
			t.Errorf("%s has no questions", seed.Name)
			continue
		}
		if n := len(docQuestion.FindAllString(sections[i], -1)); n != 10 || strings.Count(sections[i], seed.Name) < 11 {
			t.Errorf("%s has %d questions", seed.Name, n)
		}
	}
}

// Every parameter of a question is in some question, but for the token of a next page of facts, which no one types.
func TestQuestionsDoc_CoversTheLanguage(t *testing.T) {
	text := questionsText(t)
	wanted := []string{"cut=!", ":~", "..", "/tree/", "/members/", "/facts?", "/package.zip", "/resources/", "/explain?", "/search?",
		"ratio(", "diff(", "share(", "share_of_parent(", "execution_rate", "_count", ".avg", ".max", "format=ndjson", "format=xlsx"}
	document := reference(t)
	for _, path := range []string{"aggregate", "members/{level}", "facts", "tree/{dimension}"} {
		for _, p := range document.Paths.Value("/cubes/{cube}/" + path).Get.Parameters {
			if p.Value.In == openapi3.ParameterInQuery && p.Value.Name != "after" {
				wanted = append(wanted, p.Value.Name+"=")
			}
		}
	}
	says(t, text, wanted...)
}

func questionsText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(questionsFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func answerOf(t *testing.T, address string) (http.Header, string) {
	t.Helper()
	response, err := http.Head(address)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	status, body := answerTo(t, address)
	if status != http.StatusOK || response.StatusCode != http.StatusOK {
		t.Errorf("%s: %d\n%s", address, status, body)
	}
	return response.Header, body
}

// isFile says whether an answer is one that nobody reads as text.
func isFile(header http.Header) bool {
	media := header.Get("Content-Type")
	return !strings.HasPrefix(media, "text/") && !strings.HasPrefix(media, "application/json") && media != "application/x-ndjson"
}

// asJSON makes of the path to a file that of the same answer in JSON.
var asJSON = strings.NewReplacer("&format=xlsx", "", "&format=parquet", "", "/package.zip?", "/aggregate?")

// hasRows says whether an answer has any: JSON counts them, CSV has lines below its header.
func hasRows(t *testing.T, answer string) bool {
	t.Helper()
	if !strings.HasPrefix(answer, `{"status"`) {
		return strings.Count(answer, "\n") > 1
	}
	var counts map[string]any
	if err := json.Unmarshal([]byte(answer), &counts); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"total_cell_count", "total_member_count", "total_fact_count", "total_hit_count", "cells"} {
		if count, ok := counts[name].(float64); ok {
			return count > 0
		}
	}
	return false
}

// The page prints this much of an answer.
const (
	mostRows  = 5   // lines of CSV and NDJSON
	mostLines = 12  // of JSON
	widest    = 240 // characters of a line
)

// firstLines gives what the page prints of an answer: of a file that no one reads as text, its name.
func firstLines(header http.Header, answer string) string {
	media, many := header.Get("Content-Type"), mostRows
	switch {
	case strings.HasPrefix(media, "application/json"):
		answer, many = pretty(settled(answer), "json"), mostLines
	case isFile(header):
		_, name, _ := strings.Cut(header.Get("Content-Disposition"), "filename=")
		return name
	}
	answer = strings.TrimPrefix(strings.ReplaceAll(answer, "\r\n", "\n"), "\ufeff")
	lines := strings.Split(strings.TrimSpace(answer), "\n")
	if len(lines) > many {
		lines = append(lines[:many], fmt.Sprintf("… %d more", len(lines)-many))
	}
	for i, line := range lines {
		if text := []rune(line); len(text) > widest {
			lines[i] = string(text[:widest]) + "…"
		}
	}
	return strings.Join(lines, "\n")
}

// What the same answer has otherwise after the next load, and the next time.
var (
	unsettled = regexp.MustCompile(`"(sql|timings|cuboid)":("(\\.|[^"])*"|\{[^}]*\}|\[[^\]]*\]|null)`)
	loadedOn  = regexp.MustCompile(`(loaded|cargada el) \d{4}-\d\d-\d\d`)
)

func settled(answer string) string {
	return loadedOn.ReplaceAllString(unsettled.ReplaceAllString(answer, `"$1":…`), "$1 …")
}

// block is a block of a page, with its language.
var block = regexp.MustCompile("(?s)```(sh|csv|yaml|text)\n(.*?)```")

// The commands of the page are run in a folder that holds its file, one after the other, and print what stands below them.
func TestFirstPackageDoc_CommandsPrintWhatIsPrinted(t *testing.T) {
	path := sure(filepath.Abs("docs/first-package.md"))
	page := string(sure(os.ReadFile(path)))
	db := freshDuckDB(t)
	t.Setenv("FISCUBE_DB", db)
	page, overlay := asReader(t, page, t.TempDir(), func(command string) string {
		args := strings.Fields(command)
		if len(args) == 2 && args[1] == "serve" {
			return serve(t, db).url
		}
		return must(t, args[1:]...)
	})
	for _, b := range block.FindAllStringSubmatch(page, -1) {
		if b[1] == "yaml" && strings.HasPrefix(b[2], "levels:") && !strings.Contains(overlay, b[2]) {
			t.Errorf("the overlay is\n%s\nthe page shows\n%s", overlay, b[2])
		}
	}
	if golden.Updating() {
		write(path, []byte(page))
	}
}

// asReader does what a page says in a folder, and gives the page with what was printed, and the overlay that init wrote.
func asReader(t *testing.T, page, folder string, fiscube func(command string) string) (done, overlay string) {
	t.Helper()
	t.Chdir(folder)
	printed, url, commands := "", "", 0
	for _, found := range block.FindAllStringSubmatch(page, -1) {
		language, content := found[1], found[2]
		switch {
		case language == "csv" && commands == 0:
			write("my-town.csv", []byte(content))
		case language == "yaml" && strings.HasPrefix(content, "measures:"):
			text := string(sure(os.ReadFile("overlay.yaml")))
			overlay = text
			before, rest, _ := strings.Cut(text, "measures:\n")
			_, after, _ := strings.Cut(rest, "\n\n")
			write("overlay.yaml", []byte(before+content+"\n"+after))
		case language == "sh":
			commands++
			command := strings.TrimSpace(content)
			if address, isQuestion := strings.CutPrefix(command, "curl -s '"); isQuestion {
				printed = strings.ReplaceAll(get(t, strings.ReplaceAll(strings.Replace(strings.TrimSuffix(address, "'"), "http://127.0.0.1:8080", url, 1), "|", "%7C")), "\r\n", "\n")
				continue
			}
			if printed = fiscube(command); strings.HasPrefix(printed, "http://") {
				url = printed
			}
		case (language == "text" || language == "csv") && printed != content:
			if golden.Updating() {
				page = strings.Replace(page, found[0], "```"+language+"\n"+printed+"```", 1)
			} else {
				t.Errorf("the page prints\n%s\nthe command\n%s", content, printed)
			}
		}
	}
	if commands < 6 {
		t.Errorf("the page has %d commands", commands)
	}
	return page, overlay
}
