package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"fiscube/seeds"
)

const questionsFile = "docs/questions.md"

// docQuestion is a question of the page with the lines printed below it.
var docQuestion = regexp.MustCompile("(?s)curl -s(?:JO)? 'http://127\\.0\\.0\\.1:8080(/[^']*)'\n```\n```text\n(.*?)\n```")

func TestTheQuestionsOfTheDocsAnswerWhatTheyPrint(t *testing.T) {
	text := questionsText(t)
	server := seededServer(t)
	for _, step := range docQuestion.FindAllStringSubmatch(text, -1) {
		path, printed := step[1], step[2]
		header, answer := answerOf(t, server.URL+escaped(path))
		answer = strings.ReplaceAll(answer, server.URL, "http://127.0.0.1:8080")
		lines := firstLines(header, answer)
		if isFile(header) {
			_, answer = answerOf(t, server.URL+escaped(asJSON.Replace(path)))
		}
		if !tells(t, answer) {
			t.Errorf("%s: the answer is empty:\n%s", path, answer)
		}
		if *update {
			below := path + "'\n```\n```text\n"
			text = strings.Replace(text, below+printed+"\n", below+lines+"\n", 1)
		} else if lines != printed {
			t.Errorf("%s answers\n%s\nthe page prints\n%s", path, lines, printed)
		}
	}
	if *update {
		if err := os.WriteFile(questionsFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Each example cube has ten questions.
func TestTheQuestionsOfTheDocsAreTenForEachCube(t *testing.T) {
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
func TestTheQuestionsOfTheDocsCoverTheLanguage(t *testing.T) {
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

// isFile tells whether an answer is nothing that people read as text.
func isFile(header http.Header) bool {
	media := header.Get("Content-Type")
	return !strings.HasPrefix(media, "text/") && !strings.HasPrefix(media, "application/json") && media != "application/x-ndjson"
}

// asJSON makes of the path to a file that of the same answer in JSON.
var asJSON = strings.NewReplacer("&format=xlsx", "", "&format=parquet", "", "/package.zip?", "/aggregate?")

// tells finds out whether anything is in an answer: JSON counts it, CSV has lines below its header.
func tells(t *testing.T, answer string) bool {
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
	unsettled = regexp.MustCompile(`"(sql|timings)":("(\\.|[^"])*"|\{[^}]*\})`)
	loadedOn  = regexp.MustCompile(`(loaded|cargada el) \d{4}-\d\d-\d\d`)
)

func settled(answer string) string {
	return loadedOn.ReplaceAllString(unsettled.ReplaceAllString(answer, `"$1":…`), "$1 …")
}
