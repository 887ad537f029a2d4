package storetest

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/seeds"
)

// AskFunc answers a question about a loaded package, in the lines of a file of questions below ask. If its answers do not
// have the plan, it leaves out that line.
type AskFunc func(t testing.TB, name, question string) []string

// AskAll asks the questions of testdata/questions and compares the answers. Each file is one topic:
//
//	# comments and empty lines stay as they are
//	load ministries                        a folder of testdata/packages, or a seed
//	ask  drilldown=year&aggregates=approved.sum
//	plan drilldown=year&aggregates=…       the canonical question
//	cell 2016 | 370.50                     keys and labels, then amounts; a key that a row does not have is -
//	summary 3 | 1098.50                    how many cells there are in all, and their amounts
//	warn snapshot-default
//	fail unknown-ref drilldown at 0: …     instead of all that
//
// The packages are loaded already (QuestionPackages). With update the answers are written into the files: add up
// the rows by eye before they are kept.
func AskAll(t *testing.T, update bool, ask AskFunc) {
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
func answeredBy(t testing.TB, text string, update bool, ask AskFunc) string {
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

// Query reads a question written as Plan.String writes it: clauses joined by &, as in the query of a URL but
// without escapes.
func Query(question string) (query.Query, error) {
	given, every := map[string]string{}, false
	for _, clause := range clauses(question) {
		name, text, _ := strings.Cut(clause, "=")
		switch {
		case name == "_default": // what Bind adds by itself
		case !isClause(name):
			return query.Query{}, fmt.Errorf("no clause is named %q", name)
		case clause == everyPage:
			every = true
		default:
			given[name] = text
		}
	}
	q, err := query.Parse(given)
	if every {
		q.Page = query.Every
	}
	return q, err
}

// everyPage asks for all cells, which no request can.
const everyPage = "pagesize=-1"

func isClause(name string) bool {
	return name == "page" || name == "pagesize" ||
		slices.ContainsFunc(query.Clauses(), func(c query.Clause) bool { return c.Name == name })
}

// bind reads a question and binds it to a version of a package.
func bind(version *cube.Cube, question string) (*plan.Plan, error) {
	q, err := Query(question)
	if err != nil {
		return nil, err
	}
	return plan.Bind(version, q)
}

// beginsClause tells a clause from a value that holds a bare &.
func beginsClause(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && (name == "_default" || isClause(name))
}

// clauses splits a question at each & outside quotes that begins a clause.
func clauses(question string) []string {
	var all []string
	quoted, start := false, 0
	for i := 0; i < len(question); i++ {
		switch c := question[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '&' && !quoted && beginsClause(question[i+1:]):
			all = append(all, question[start:i])
			start = i + 1
		}
	}
	if question == "" {
		return nil
	}
	return append(all, question[start:])
}

// Questions asks a store the questions of testdata/questions, and every canonical question again.
func Questions(t *testing.T, fresh func(t testing.TB) Place, update bool) {
	collectSeldom()
	s := open(t, fresh(t))
	for _, files := range QuestionPackages(t) {
		s.load(files)
	}
	AskAll(t, update, s.answerLines)
}

func (s *subject) answerLines(t testing.TB, name, question string) []string {
	t.Helper()
	store := s.in(t.(*testing.T))
	version := store.cube(name)
	p, err := bind(version, question)
	if err != nil {
		return []string{FailLine(cube.CodeOf(err), err)}
	}
	if again, err := bind(version, p.String()); err != nil || again.String() != p.String() {
		t.Errorf("the canonical question asks something else: %v, %v", again, err)
	}
	lines := []string{"plan " + p.String()}
	result, err := store.run(store.context(), p)
	if err != nil {
		return append(lines, FailLine(cube.CodeOf(err), err))
	}
	for _, cell := range result.Cells {
		lines = append(lines, RowLine("cell", cellFields(p, cell)))
	}
	summary := append([]string{strconv.FormatInt(result.Summary.Count, 10)}, valueFields(p, result.Summary.Values)...)
	lines = append(lines, RowLine("summary", summary))
	for _, warning := range result.Warnings {
		lines = append(lines, "warn "+warning.Code)
	}
	return lines
}

// cellFields writes a cell: its keys with their labels, its values, and what kind of row it is.
func cellFields(p *plan.Plan, cell answer.Cell) []string {
	var fields []string
	for i, key := range p.Keys() {
		has := i < len(cell.Keys)
		fields = append(fields, keyField(has, func() cube.Value { return cell.Keys[i] }))
		if l := p.LabelOf(key); l >= 0 {
			fields = append(fields, keyField(has, func() cube.Value { return cell.Labels[l] }))
		}
	}
	fields = append(fields, valueFields(p, cell.Values)...)
	if cell.Level != "" {
		fields = append(fields, "level "+cell.Level)
	}
	if cell.Others > 0 {
		fields = append(fields, "others "+strconv.FormatInt(cell.Others, 10))
	}
	if cell.Change != "" {
		fields = append(fields, string(cell.Change))
	}
	return fields
}

// Absent and Null are written for a key that a row does not have, and for what is missing.
const (
	Absent = "-"
	Null   = "null"
)

func keyField(has bool, value func() cube.Value) string {
	switch {
	case !has:
		return Absent
	case value().IsMissing():
		return Null
	}
	return value().String()
}

func valueFields(p *plan.Plan, values []decimal.NullDecimal) []string {
	var fields []string
	for i, a := range p.Aggregates() {
		fields = append(fields, amountField(values[i], a.Scale))
	}
	return fields
}

func amountField(value decimal.NullDecimal, scale int32) string {
	if !value.Valid {
		return Null
	}
	return value.Decimal.StringFixed(scale)
}
