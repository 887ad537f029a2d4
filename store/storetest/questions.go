package storetest

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/seeds"
)

// Asker answers a question about a loaded package, in the lines of a file of questions below ask. Where its answers
// cannot tell the plan they leave out that line.
type Asker func(t testing.TB, name, question string) []string

// AskAll asks the questions of testdata/questions and compares the answers. Each file is one topic:
//
//	# comments and empty lines stay as they are
//	load ministries                        a folder of testdata/packages, or a seed
//	ask  drilldown=year&aggregates=approved.sum
//	plan drilldown=year&aggregates=…       the canonical question
//	cell 2016 | 370.50                     keys and labels, then amounts; a key that a row lacks is -
//	summary 3 | 1098.50                    how many cells there are in all, and their amounts
//	warn snapshot-default
//	fail unknown-ref drilldown at 0: …     instead of all that
//
// The packages are loaded already (QuestionPackages). With update the answers are written into the files: add up
// the rows by eye before they are kept.
func AskAll(t *testing.T, update bool, ask Asker) {
	for _, path := range questionFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			text := readText(t, path)
			got := answeredBy(t, text, update, ask)
			if !update || got == text {
				return
			}
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// QuestionPackages gives the packages that the questions are about, each once.
func QuestionPackages(t testing.TB) []fs.FS {
	t.Helper()
	var names []string
	var packages []fs.FS
	for _, path := range questionFiles(t) {
		for line := range strings.Lines(readText(t, path)) {
			name, ok := strings.CutPrefix(strings.TrimSpace(line), "load ")
			if ok && !slices.Contains(names, name) {
				names, packages = append(names, name), append(packages, questionPackage(t, name))
			}
		}
	}
	return packages
}

func questionPackage(t testing.TB, name string) fs.FS {
	t.Helper()
	if seed, ok := seeds.Open(name); ok {
		return seed
	}
	return os.DirFS(testdata(t, "packages", name))
}

// testdata is a path in this package's testdata: the tests of other packages run elsewhere.
func testdata(t testing.TB, names ...string) string {
	t.Helper()
	return filepath.Join(append([]string{projectRoot(t), "store", "storetest", "testdata"}, names...)...)
}

func questionFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(testdata(t, "questions", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files of questions: ", err)
	}
	return files
}

func readText(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answeredBy gives the text of a file with every question answered anew, and checks the answers it had.
func answeredBy(t testing.TB, text string, update bool, ask Asker) string {
	t.Helper()
	var out []string
	name := ""
	for lines := strings.Split(text, "\n"); len(lines) > 0; {
		line := lines[0]
		out, lines = append(out, line), lines[1:]
		if loaded, ok := strings.CutPrefix(line, "load "); ok {
			name = loaded
		}
		question, ok := strings.CutPrefix(line, "ask  ")
		if !ok {
			continue
		}
		n := slices.IndexFunc(lines, func(l string) bool { return !isAnswer(l) })
		want, got := lines[:n], ask(t, name, question)
		lines = lines[n:]
		if !update && !slices.Equal(expected(got, want), got) {
			t.Errorf("load %s\nask  %s\ngot\n%s\nwant\n%s", name, question, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		out = append(out, got...)
	}
	return strings.Join(out, "\n")
}

// expected leaves the plan out of what is wanted where the answer cannot tell it.
func expected(got, want []string) []string {
	isPlan := func(l string) bool { return strings.HasPrefix(l, "plan ") }
	if slices.ContainsFunc(got, isPlan) {
		return want
	}
	return slices.DeleteFunc(slices.Clone(want), isPlan)
}

func isAnswer(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return slices.Contains([]string{"plan", "cell", "summary", "warn", "fail"}, word)
}

// URLQuery writes a question of a file as the query of a URL.
func URLQuery(question string) string {
	var list []string
	for _, clause := range clauses(question) {
		name, text, _ := strings.Cut(clause, "=")
		list = append(list, url.QueryEscape(name)+"="+url.QueryEscape(text))
	}
	return strings.Join(list, "&")
}

// FailLine is the line of a mistake.
func FailLine(code cube.Code, err error) string { return "fail " + string(code) + " " + err.Error() }

// RowLine is the line of a cell or a summary.
func RowLine(word string, fields []string) string { return word + " " + strings.Join(fields, " | ") }
