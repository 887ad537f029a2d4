package storetest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"fiscube/internal/testfolder"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
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
//	package dated                          or a package whose files follow, each below its name
//	-- datapackage.json --
//	{"name": "dated", …}
//	--
//	ask  drilldown=year&aggregates=approved.sum
//	plan drilldown=year&aggregates=…       the canonical question
//	cell 2016 | 370.50                     keys and labels, then amounts; a key that a row does not have is -
//	summary 3 | 1098.50                    how many cells there are in all, and their amounts
//	warn snapshot-default
//	fail unknown-ref drilldown at 0: …     instead of all that
//	list office?q=luz                      members, which stores alone are asked for
//	member 7 | Luz | 3 | 2015-2017 | Luz 2017, Água 2015    path, label, rows, years, and what it was called when
//	facts cut=year:2017                    facts, which stores alone are asked for
//	fact 2 | 2017 | 5                      line and cells
//	count 1                                how many members or facts there are in all
//
// The packages are loaded already (QuestionPackages). With update the answers are written into the files: add up
// the rows by eye before they are kept.
func AskAll(t *testing.T, update bool, ask AskFunc) {
	askAll(t, "questions", update, map[string]AskFunc{"ask": ask})
}

// askAll asks the questions of the files in a folder that begin with one of these words.
func askAll(t *testing.T, folder string, update bool, ask map[string]AskFunc) {
	for _, path := range questionFiles(t, folder) {
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

// QuestionPackages gives the packages that the questions of testdata/questions are about, each once.
func QuestionPackages(t testing.TB) []fs.FS { return packagesOf(t, "questions") }

func packagesOf(t testing.TB, folder string) (packages []fs.FS) {
	t.Helper()
	var names []string
	for _, path := range questionFiles(t, folder) {
		for lines := strings.Split(readText(t, path), "\n"); len(lines) > 0; lines = lines[1:] {
			word, name, _ := strings.Cut(lines[0], " ")
			switch {
			case word == "package":
				files, _ := filesIn(t, lines)
				packages = append(packages, files)
			case word == "load" && !slices.Contains(names, name):
				names, packages = append(names, name), append(packages, questionPackage(name))
			}
		}
	}
	return packages
}

func questionPackage(name string) fs.FS {
	if seed, ok := seeds.Open(name); ok {
		return seed
	}
	return Package(name)
}

// filesIn reads the files of a package below the line that names it, and tells how many lines these are with the -- that ends them.
// A name that ends with .gz compresses its text; one with .xlsx makes a workbook of lines of JSON.
func filesIn(t testing.TB, lines []string) (files fstest.MapFS, n int) {
	t.Helper()
	files = fstest.MapFS{}
	name, text := "", ""
	for n = 1; n < len(lines); n++ {
		next, isName := strings.CutPrefix(lines[n], "-- ")
		if lines[n] != "--" && !isName {
			text += lines[n] + "\n"
			continue
		}
		switch filepath.Ext(name) {
		case ".gz":
			text = packed(text)
		case ".xlsx":
			text = workbook(t, text)
		}
		if name != "" {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if name, text = strings.TrimSuffix(next, " --"), ""; !isName {
			return files, n
		}
	}
	t.Fatalf("the files of %s do not end with --", lines[0])
	return nil, 0
}

// packed compresses a text.
func packed(text string) string {
	var data bytes.Buffer
	w := gzip.NewWriter(&data)
	_, _ = w.Write([]byte(text)) // a buffer takes everything
	_ = w.Close()
	return data.String()
}

// workbook gives a workbook whose second sheet has rows; the first is hidden. A text that is a day becomes a date.
func workbook(t testing.TB, lines string) string {
	t.Helper()
	const sheet = "Budget"
	f := excelize.NewFile()
	_, err := f.NewSheet(sheet)
	f.SetActiveSheet(1)
	errs, n := []error{err, f.SetCellValue("Sheet1", "A1", "hidden"), f.SetSheetVisible("Sheet1", false)}, 0
	for line := range strings.Lines(lines) {
		var row []any
		errs = append(errs, json.Unmarshal([]byte(line), &row))
		for i, cell := range row {
			text, _ := cell.(string)
			if day, err := time.Parse(time.DateOnly, text); err == nil {
				row[i] = day
			}
		}
		n++
		errs = append(errs, f.SetSheetRow(sheet, "A"+strconv.Itoa(n), &row))
	}
	var text strings.Builder
	if err := errors.Join(append(errs, f.Write(&text))...); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// testdata is a path in this package's testdata: the tests of other packages run elsewhere.
func testdata(t testing.TB, names ...string) string {
	t.Helper()
	return filepath.Join(append([]string{testfolder.Checkout(t), "store", "storetest", "testdata"}, names...)...)
}

func questionFiles(t testing.TB, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(testdata(t, folder, "*.txt"))
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
func answeredBy(t testing.TB, text string, update bool, ask map[string]AskFunc) string {
	t.Helper()
	var out []string
	name := ""
	for lines := strings.Split(text, "\n"); len(lines) > 0; {
		word, rest, _ := strings.Cut(lines[0], " ")
		n := 1
		switch word {
		case "load":
			name = rest
		case "package":
			_, n = filesIn(t, lines)
			name = rest
		}
		line := lines[0]
		out, lines = append(out, lines[:n]...), lines[n:]
		if ask[word] == nil {
			continue
		}
		n = slices.IndexFunc(lines, func(l string) bool { return !isAnswer(l) })
		want, got := lines[:n], ask[word](t, name, strings.TrimSpace(rest))
		lines = lines[n:]
		if !update && !slices.Equal(expected(got, want), got) {
			t.Errorf("load %s\n%s\ngot\n%s\nwant\n%s", name, line, strings.Join(got, "\n"), strings.Join(want, "\n"))
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
	return slices.Contains([]string{"plan", "cell", "summary", "warn", "fail", "member", "fact", "count"}, word)
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

// Questions asks a store the questions of testdata/questions and testdata/stores, and every canonical question again.
func Questions(t *testing.T, fresh func(t testing.TB) Place, update bool) {
	collectSeldom()
	s := open(t, fresh(t))
	for _, folder := range []string{"questions", "stores"} {
		for _, files := range packagesOf(t, folder) {
			s.addsUpTo(s.load(files).Cube)
		}
		askAll(t, folder, update, map[string]AskFunc{"ask": s.answerLines, "list": s.memberLines, "facts": s.factLines})
	}
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

// addsUpTo checks that the sum of each measure of a version without snapshots is that of the control totals, which a load adds up
// without the store.
func (s *subject) addsUpTo(version *cube.Cube) {
	s.Helper()
	report, err := findings.Of(version)
	if err != nil {
		s.Fatal(err)
	}
	controlled, years := report.TotalsByYear()
	for _, measure := range version.Model.Measures() {
		var sum decimal.Decimal
		for _, year := range years {
			sum = sum.Add(year.Sums[measure.Ref].Decimal)
		}
		got := s.ask(version, "aggregates="+query.QuoteName(measure.Ref)+".sum").Summary.Values[0]
		factor, err := measure.Multiplier()
		hasSnapshots := version.Model.Snapshots() != nil // control totals add up the rows that state money again too
		if err != nil || !hasSnapshots && slices.Contains(controlled, measure.Ref) && !got.Decimal.Equal(sum.Mul(factor)) {
			s.Errorf("%s of %s is %s, its control total %s times %s", measure.Ref, version.Name, text(got), sum, factor)
		}
	}
}

// memberLines lists members: the level, and after a ? what is asked of it.
func (s *subject) memberLines(t testing.TB, name, question string) []string {
	t.Helper()
	store := s.in(t.(*testing.T))
	level, text, _ := strings.Cut(question, "?")
	q, err := query.ParseMembers(level, given(strings.Split(text, "&")))
	if err != nil {
		return []string{FailLine(cube.CodeOf(err), err)}
	}
	p, err := plan.BindMembers(store.cube(name), q)
	if err != nil {
		return []string{FailLine(cube.CodeOf(err), err)}
	}
	rows, count, err := store.membersOf(p)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, row := range rows {
		var labels []string
		for _, use := range row.Labels {
			labels = append(labels, strings.TrimSpace(use.Text+" "+strings.Trim(fmt.Sprint(use.Years), "[]")))
		}
		lines = append(lines, RowLine("member", []string{strings.Join(texts(row.Path), "/"), row.Label.String(), strconv.FormatInt(row.Rows, 10),
			row.First.String() + "-" + row.Last.String(), strings.Join(labels, ", ")}))
	}
	return append(lines, fmt.Sprint("count ", count))
}

// factLines lists facts, whose lines name the column too where they have one, and the measures for which answers count them.
func (s *subject) factLines(t testing.TB, name, question string) []string {
	t.Helper()
	store := s.in(t.(*testing.T))
	q, err := factQuery(question)
	if err != nil {
		return []string{FailLine(cube.CodeOf(err), err)}
	}
	p, err := plan.BindFacts(store.cube(name), q)
	if err != nil {
		return []string{FailLine(cube.CodeOf(err), err)}
	}
	page, err := answer.Facts(store.context(), store.Store, p, cube.English)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range page.Facts {
		fields := []string{strconv.FormatInt(f.Line, 10)}
		if p.HasColumn() {
			fields[0] += " " + p.ColumnOf(f).String()
		}
		for i, c := range p.Fields() {
			fields = append(fields, f.Values[i].Text(int32(c.Scale)))
		}
		if p.HasCounts() {
			fields = append(fields, "counts "+p.Counts(f).String())
		}
		lines = append(lines, RowLine("fact", fields))
	}
	return append(lines, fmt.Sprint("count ", page.Total))
}

// given are clauses by their names.
func given(list []string) map[string]string {
	given := map[string]string{}
	for _, clause := range slices.DeleteFunc(list, func(clause string) bool { return clause == "" }) {
		name, text, _ := strings.Cut(clause, "=")
		given[name] = text
	}
	return given
}

func factQuery(question string) (query.FactQuery, error) {
	return query.ParseFactQuery(given(clauses(question)))
}

// Absent and Null are written for a key that a row does not have, and for what is missing.
const (
	Absent = "-"
	Null   = "null"
)

// cellFields writes a cell: its keys with their labels, its values, and what kind of row it is.
func cellFields(p *plan.Plan, cell answer.Cell) []string {
	var fields []string
	for i, key := range p.Keys() {
		add := func(values []cube.Value, at int) {
			switch {
			case i >= len(cell.Keys):
				fields = append(fields, Absent)
			case values[at].IsMissing():
				fields = append(fields, Null)
			default:
				fields = append(fields, values[at].String())
			}
		}
		add(cell.Keys, i)
		if l := p.LabelOf(key); l >= 0 {
			add(cell.Labels, l)
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

func valueFields(p *plan.Plan, values []decimal.NullDecimal) []string {
	fields := slices.Repeat([]string{Null}, len(values))
	for i, a := range p.Aggregates() {
		if values[i].Valid {
			fields[i] = values[i].Decimal.StringFixed(a.Scale)
		}
	}
	return fields
}
