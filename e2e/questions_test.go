package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/internal/testrequire"
	"fiscube/store/storetest"
)

// TestQuestions_AnswerOverHTTP asks the running program what storetest asks every store, and for the explanation and the file of
// each answer, in the ordinary run of every fourth. It does so on one store, and in the long run on the other too, without these: what a store answers is checked by storetest.
func TestQuestions_AnswerOverHTTP(t *testing.T) {
	t.Parallel()
	asked.onDuckDB(t).explanationsAndFilesWarnLikeTheAnswer(t)
	if longRun {
		storetest.AskAll(t, false, asked.on(t, kinds[1]).answerLines)
	}
}

func (s *service) explanationsAndFilesWarnLikeTheAnswer(t *testing.T) {
	codes, asked, every := map[string]int{}, 0, testrequire.Share(4, 1)
	storetest.AskAll(t, false, func(t testing.TB, name, question string) []string {
		lines, body := s.answerWithLines(t, name, question)
		if strings.HasPrefix(lines[0], "fail") {
			return lines
		}
		if asked++; asked%every > 0 {
			return lines
		}
		cube, query := "/cubes/"+url.PathEscape(name), "?"+storetest.URLQuery(question)
		var answered, explained warned
		check(json.Unmarshal(body, &answered))
		s.read(t, cube+"/explain"+query, &explained)
		if answered.String() != explained.String() {
			t.Errorf("%s %s\nthe explanation warns\n%s\nthe answer\n%s", name, question, explained, answered)
		}
		if got := s.fileWarnings(t, cube+"/aggregate"+query+"&format=csv"); !warnLikeTheAnswer(got, answered.codes()) {
			t.Errorf("%s %s\nthe file warns %s\nthe answer %s", name, question, got, answered.codes())
		}
		for _, one := range explained.Warnings {
			codes[one.Code]++
		}
		return lines
	})
	for _, code := range []string{cube.WarnNothingMatches, cube.WarnNoSuchMember, cube.WarnSnapshotDefault} {
		if codes[code] == 0 {
			t.Errorf("no explanation warns %s", code)
		}
	}
}

// warnLikeTheAnswer tells whether a file has the warnings of an answer. It may also warn of names that change, since it knows
// its members only after its head is sent.
func warnLikeTheAnswer(file, answer string) bool {
	inFile, inAnswer := strings.Fields(file), strings.Fields(answer)
	ofNames := func(code string) bool { return code == cube.WarnCodeReused || code == cube.WarnLabelChanged }
	for _, code := range inAnswer {
		if !slices.Contains(inFile, code) {
			return false
		}
	}
	return slices.Equal(slices.DeleteFunc(inFile, ofNames), slices.DeleteFunc(inAnswer, ofNames))
}

var codeOfWarning = regexp.MustCompile(`(?:^|, )([a-z-]+);message=`)

// fileWarnings gives the codes of what the header of a file warns of, but that its figures are made up.
func (s *service) fileWarnings(t testing.TB, path string) string {
	t.Helper()
	response, err := client.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	var codes []string
	for _, found := range codeOfWarning.FindAllStringSubmatch(response.Header.Get("Fiscube-Warnings"), -1) {
		if found[1] != "synthetic" {
			codes = append(codes, found[1])
		}
	}
	return strings.Join(codes, " ")
}

// asked serves the packages that the questions are about.
var asked = &shared{load: func(t testing.TB) (folders []string) {
	for i, files := range storetest.QuestionPackages(t) {
		folder := filepath.Join(t.TempDir(), strconv.Itoa(i))
		check(os.CopyFS(folder, files))
		folders = append(folders, folder)
	}
	return folders
}}

// mistake is an answer that is an error.
type mistake struct {
	Code    cube.Code
	Message string
	Context struct {
		Parameter *string
		Position  *int
		Hint      string
	}
}

// answerLines is a storetest.AskFunc. Over HTTP an answer has no plan.
func (s *service) answerLines(t testing.TB, name, question string) []string {
	t.Helper()
	lines, _ := s.answerWithLines(t, name, question)
	return lines
}

// answerWithLines gives the answer too, as it was sent.
func (s *service) answerWithLines(t testing.TB, name, question string) (lines []string, body []byte) {
	t.Helper()
	path := "/cubes/" + url.PathEscape(name) + "/aggregate?" + storetest.URLQuery(question)
	status, body := s.get(t, path)
	if status != http.StatusOK {
		return []string{failLine(t, status, body)}, body
	}
	var a struct {
		answer
		Attributes, Aggregates []string
		Warnings               []cube.Warning
	}
	readJSON(t, body, &a)
	columns := slices.Concat(a.Attributes, a.Aggregates)
	for _, cell := range a.Cells {
		lines = append(lines, storetest.RowLine("cell", append(fieldsOf(cell, columns), marksOf(cell)...)))
	}
	summary := append([]string{strconv.FormatInt(a.TotalCellCount, 10)}, fieldsOf(a.Summary, a.Aggregates)...)
	lines = append(lines, storetest.RowLine("summary", summary))
	for _, warning := range a.Warnings {
		lines = append(lines, "warn "+warning.Code)
	}
	return lines, body
}

// fieldsOf writes the columns of a row.
func fieldsOf(row map[string]any, columns []string) []string {
	fields := make([]string, len(columns))
	for i, column := range columns {
		switch value, has := row[column]; {
		case !has:
			fields[i] = storetest.Absent
		case value == nil:
			fields[i] = storetest.Null
		default:
			fields[i] = fmt.Sprint(value)
		}
	}
	return fields
}

// marksOf names the kind of a row.
func marksOf(row map[string]any) []string {
	var marks []string
	if level, ok := row["_level"]; ok {
		marks = append(marks, fmt.Sprint("level ", level))
	}
	if others, ok := row["_others"]; ok {
		marks = append(marks, fmt.Sprint("others ", others))
	}
	if change, ok := row["_change"]; ok {
		marks = append(marks, fmt.Sprint(change))
	}
	return marks
}

func failLine(t testing.TB, status int, body []byte) string {
	t.Helper()
	var m mistake
	if err := json.Unmarshal(body, &m); err != nil || status >= http.StatusInternalServerError {
		t.Fatalf("%d %s", status, strings.TrimSpace(string(body)))
	}
	return storetest.FailLine(m.Code, m.cubeError())
}

// cubeError is the error in the answer.
func (m mistake) cubeError() *cube.Error {
	e := &cube.Error{Code: m.Code, Message: m.Message, Hint: m.Context.Hint}
	if m.Context.Parameter != nil {
		e.Position = &cube.Position{Parameter: *m.Context.Parameter, Offset: *m.Context.Position}
	}
	return e
}

// TestMistakes_AreRefused asks the running program everything that testdata/mistakes.txt holds. Each is refused: the answer
// says where the mistake is and what to write instead, and is never an answer to less than was asked. Most are refused before any store is asked: the ordinary run has one. -update writes the
// answers anew.
func TestMistakes_AreRefused(t *testing.T) {
	const path = "e2e/testdata/mistakes.txt"
	t.Parallel()
	for _, k := range kinds {
		if k.name != kinds[0].name && !longRun {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			text := string(sure(os.ReadFile(path)))
			got := asked.on(t, k).refusals(t, text)
			if *update && k.name == kinds[0].name {
				write(path, []byte(got))
			} else {
				compareLines(t, got, text)
			}
		})
	}
}

// refusals gives the text with the answer below each request.
func (s *service) refusals(t *testing.T, text string) string {
	t.Helper()
	var out []string
	requests := 0
	for line := range strings.SplitSeq(text, "\n") {
		target, ok := strings.CutPrefix(line, "GET ")
		if !ok {
			if line == "" || strings.HasPrefix(line, "#") {
				out = append(out, line)
			}
			continue
		}
		requests++
		out = append(out, line, s.refusal(t, target))
	}
	if requests < 120 {
		t.Errorf("%d requests", requests)
	}
	return strings.Join(out, "\n")
}

// refusal asks what must be refused.
func (s *service) refusal(t *testing.T, target string) string {
	t.Helper()
	status, body := s.get(t, target)
	var m mistake
	refused := []int{http.StatusBadRequest, http.StatusNotFound, http.StatusGone, http.StatusRequestEntityTooLarge}
	if err := json.Unmarshal(body, &m); err != nil || !slices.Contains(refused, status) || m.Code == "" || m.Message == "" {
		t.Errorf("GET %s: %d %s", target, status, body)
	}
	if status == http.StatusBadRequest && (m.Context.Parameter == nil || m.Context.Position == nil || m.Context.Hint == "") {
		t.Errorf("GET %s does not say where, and what to write instead: %s", target, body)
	}
	line := fmt.Sprintf("%d %s %s", status, m.Code, m.cubeError())
	return strings.ReplaceAll(line, "\x00", `\0`)
}

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("line %d: the answer is\n%s\nwant\n%s", i+1, strings.Join(g[i:min(i+1, len(g))], ""), strings.Join(w[i:min(i+1, len(w))], ""))
		}
	}
}
