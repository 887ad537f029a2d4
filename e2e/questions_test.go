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
	"fiscube/store/storetest"
)

// TestTheQuestionsAnswerOverHTTP asks the running program what storetest asks every store.
func TestTheQuestionsAnswerOverHTTP(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := servesQuestions(t, db)
		storetest.AskAll(t, false, s.answerLines)
	})
}

// TestExplanationsAndFilesWarnLikeTheAnswer asks for the explanation and the file of every question of storetest.
func TestExplanationsAndFilesWarnLikeTheAnswer(t *testing.T) {
	s := servesQuestions(t, freshDuckDB(t))
	codes := map[string]int{}
	storetest.AskAll(t, false, func(t testing.TB, name, question string) []string {
		lines := s.answerLines(t, name, question)
		if strings.HasPrefix(lines[0], "fail") {
			return lines
		}
		cube, query := "/cubes/"+url.PathEscape(name), "?"+storetest.URLQuery(question)
		var answered, explained warned
		s.read(t, cube+"/aggregate"+query, &answered)
		s.read(t, cube+"/explain"+query, &explained)
		if answered.String() != explained.String() {
			t.Errorf("%s %s\nthe explanation warns\n%s\nthe answer\n%s", name, question, explained, answered)
		}
		if got := s.fileWarnings(t, cube+"/aggregate"+query+"&format=csv"); got != answered.codes() {
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

// servesQuestions serves the packages that the questions are about.
func servesQuestions(t *testing.T, db string) *service {
	t.Helper()
	load := []string{"load", "--db", db}
	for i, files := range storetest.QuestionPackages(t) {
		folder := filepath.Join(t.TempDir(), strconv.Itoa(i))
		if err := os.CopyFS(folder, files); err != nil {
			t.Fatal(err)
		}
		load = append(load, folder)
	}
	must(t, load...)
	return serve(t, db)
}

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

// answerLines is a storetest.Asker. The plan is not told.
func (s *service) answerLines(t testing.TB, name, question string) []string {
	t.Helper()
	path := "/cubes/" + url.PathEscape(name) + "/aggregate?" + storetest.URLQuery(question)
	status, body := s.get(t, path)
	if status != http.StatusOK {
		return []string{failLine(t, status, body)}
	}
	var a struct {
		answer
		Attributes, Aggregates []string
		Warnings               []cube.Warning
	}
	s.read(t, path, &a)
	var lines []string
	columns := slices.Concat(a.Attributes, a.Aggregates)
	for _, cell := range a.Cells {
		lines = append(lines, storetest.RowLine("cell", append(fieldsOf(cell, columns), marksOf(cell)...)))
	}
	summary := append([]string{strconv.FormatInt(a.TotalCellCount, 10)}, fieldsOf(a.Summary, a.Aggregates)...)
	lines = append(lines, storetest.RowLine("summary", summary))
	for _, warning := range a.Warnings {
		lines = append(lines, "warn "+warning.Code)
	}
	return lines
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

// marksOf tells what kind of row it is.
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

// cubeError is the error that the answer tells.
func (m mistake) cubeError() *cube.Error {
	e := &cube.Error{Code: m.Code, Message: m.Message, Hint: m.Context.Hint}
	if m.Context.Parameter != nil {
		e.Position = &cube.Position{Parameter: *m.Context.Parameter, Offset: *m.Context.Position}
	}
	return e
}
