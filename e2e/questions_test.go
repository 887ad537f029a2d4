package e2e

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
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
	"fiscube/internal/golden"
	"fiscube/internal/testrequire"
	"fiscube/store/storetest"
)

// TestQuestions_AnswerOverHTTP asks the running program what storetest asks every store, and for the explanation and the file of
// each answer, in the ordinary run of every twelfth. It does so on one store, and in the long run on the other too, without these: what a store answers is checked by storetest.
func TestQuestions_AnswerOverHTTP(t *testing.T) {
	t.Parallel()
	asked.onDuckDB(t).explanationsAndFilesWarnLikeTheAnswer(t)
	if longRun {
		storetest.AskAll(t, false, asked.on(t, kinds[1]).answerLines)
	}
}

func (s *service) explanationsAndFilesWarnLikeTheAnswer(t *testing.T) {
	codes, asked, every := map[string]int{}, 0, testrequire.Share(12, 1)
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

var codeOfWarning = regexp.MustCompile(`(?:^|, )([a-z0-9-]+);message=`)

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
// says where the mistake is and what to write instead, and is never an answer to less than was asked. Most are refused before any store is
// asked: the ordinary run has one. -update writes the answers anew.
func TestMistakes_AreRefused(t *testing.T) {
	t.Parallel()
	for _, k := range kinds {
		if k.name != kinds[0].name && !longRun {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			requests := 0
			golden.Answers(t, "e2e/testdata/mistakes.txt", func(request string) string {
				requests++
				return asked.on(t, k).refusal(t, strings.TrimPrefix(request, "GET "))
			})
			if requests < 120 {
				t.Errorf("%d requests", requests)
			}
		})
	}
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

// treeNode is what these tests read of a node.
type treeNode struct {
	Path      string
	Key       any
	Label     any
	Drilldown string      `json:"_drilldown"`
	Others    int         `json:"_others"`
	Approved  json.Number `json:"approved.sum"`
	Children  []treeNode
}

func (n treeNode) String() string {
	text := n.Path + "=" + n.Approved.String()
	if n.Others > 0 {
		text = "others=" + n.Approved.String()
	}
	if len(n.Children) == 0 {
		return text
	}
	return text + nodesText(n.Children)
}

func nodesText(nodes []treeNode) string {
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		texts[i] = n.String()
	}
	return "[" + strings.Join(texts, " ") + "]"
}

func TestTree_IsWalkedThroughParents(t *testing.T) {
	t.Parallel()
	hand.onEveryStore(t, func(t *testing.T, s *service) {
		for _, tt := range []struct{ name, question, want string }{
			{"the top", "entity?", "[1=150.00 2=40.00 3=5.00]"},
			{"a missing middle level is a member", "entity?depth=2", "[1=150.00[1/01=140.00 1/=10.00] 2=40.00[2/01=40.00] 3=5.00[3/01=5.00]]"},
			{"to the leaves", "entity?depth=9&cut=year:2021&path=1", "[1/01=50.00[1/01/a=20.00 1/01/b=30.00] 1/=10.00[1//c=10.00]]"},
			{"under a missing member", "entity?path=1/", "[1//c=10.00]"},
			{"a missing leaf", "entity?path=3/01", "[3/01/=5.00]"},
			{"the largest first", "entity?order=approved.sum:desc&cut=year:2021", "[1=60.00 2=40.00]"},
			{"what is left out of each is said", "entity?depth=2&top=1&remainder=1", "[1=150.00[1/01=140.00 others=10.00] 2=40.00[2/01=40.00] 3=5.00[3/01=5.00]]"},
			{"having goes by a node's own total", "entity?having=approved.sum>20", "[1=150.00 2=40.00]"},
			{"which is the same however deep", "entity?depth=2&having=approved.sum>20", "[1=150.00[1/01=140.00] 2=40.00[2/01=40.00]]"},
			{"nodes above one that is shown", "entity?depth=3&having=approved.sum<10", "[3=5.00[3/01=5.00[3/01/=5.00]]]"},
			{"even those that do not meet it", "entity?depth=2&having=approved.sum=10", "[1=150.00[1/=10.00]]"},
			{"a chain that ends earlier", "unit?depth=9&cut=year:2022", "[1=90.00[1/01=90.00] 3=5.00[3/01=5.00]]"},
			{"nothing is there", "entity?cut=year:1999", "[]"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				var answer struct{ Nodes []treeNode }
				s.read(t, "/cubes/hand/tree/"+tt.question+"&aggregates=approved.sum", &answer)
				if got := nodesText(answer.Nodes); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		}
	})
}

func TestTree_SaysWhatIsBelow(t *testing.T) {
	s := hand.onDuckDB(t)
	var answer struct{ Nodes []treeNode }
	s.read(t, "/cubes/hand/tree/entity?depth=3&path=1", &answer)
	unit := answer.Nodes[0]
	if unit.Key != "01" || unit.Label != "Hospitals" || unit.Drilldown != "item" || unit.Children[0].Drilldown != "" {
		t.Errorf("got %+v", unit)
	}
}

func TestTree_RefusesMistakes(t *testing.T) {
	s := hand.onDuckDB(t)
	for path, want := range map[string]string{
		"entty": "did you mean entity?", "approved": "is a measure", "entity/": "",
	} {
		status, body := s.get(t, "/cubes/hand/tree/"+path)
		if want == "" && status != http.StatusOK || want != "" && status != http.StatusNotFound || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, tt := range []struct{ path, parameter, message string }{
		{"entity?path=1/01/a", "path", "nothing is under a path of 3 keys"},
		{"entity?path=1/01/a/b", "path", "nothing is under a path of 4 keys"},
		{"entity?path=1|2", "path", `found \"|\"`},
		{"date?path=soon", "path", "nothing is under"},
		{"entity?depth=0", "depth", "not a whole number"},
		{"entity?drilldown=area", "drilldown", "no parameter"},
		{"entity?page=2", "page", "no parameter"},
	} {
		status, body := s.get(t, "/cubes/hand/tree/"+tt.path)
		if status != http.StatusBadRequest || !strings.Contains(string(body), tt.message) ||
			!strings.Contains(string(body), `"parameter":"`+tt.parameter+`"`) {
			t.Errorf("%s: %d %s", tt.path, status, body)
		}
	}
}

// Whoever follows the links of every cell, down to the leaves, meets every row of the package.
func TestLinks_LeadDownToEveryRow(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		for cube, dimension := range map[string]string{
			"example-croatia": "administrative-classification", "example-mexico": "administrative-classification",
		} {
			rows := s.ask(t, cube, "aggregates=_count&snapshots=all").Summary["_count"]
			if got := s.follow(t, cube, dimension, ""); fmt.Sprint(got) != fmt.Sprint(rows) {
				t.Errorf("%s: %d rows are under the links of %s, %v in all", cube, got, dimension, rows)
			}
		}
	})
}

// follow counts the rows of the leaves below a cut.
func (s *service) follow(t testing.TB, cube, drilldown, cut string) int64 {
	t.Helper()
	question := "links=1&aggregates=_count&pagesize=10000&drilldown=" + url.QueryEscape(drilldown)
	if cut != "" {
		question += "&cut=" + url.QueryEscape(cut)
	}
	var rows int64
	for _, cell := range s.ask(t, cube, question).Cells {
		if below, ok := cell["_drilldown"].(string); ok {
			rows += s.follow(t, cube, below, cell["_cut"].(string))
			continue
		}
		count, _ := cell["_count"].(json.Number).Int64()
		rows += count
	}
	return rows
}

func TestLinks_KeepTheCutsOfTheQuestion(t *testing.T) {
	s := hand.onDuckDB(t)
	for _, tt := range []struct{ name, question, cut, below string }{
		{"a cut on another dimension stays", "drilldown=area&cut=year:2021", `year:2021|area:"1"`, "unit"},
		{"a cut that the key settles goes", "drilldown=area&cut=area:1;2", `area:"1"`, "unit"},
		{"one that asks more than the key stays", "drilldown=area&cut=entity:1/01;2", `entity:"1"/"01";"2"|area:"1"`, "unit"},
		{"ancestors are named", "drilldown=unit", `area:"1"|unit:"01"`, "item"},
		{"a leaf has nothing below", "drilldown=item", `area:"1"|unit:"01"|item:"a"`, ""},
		{"missing is an empty value", "drilldown=unit&cut=unit:", `area:"1"|unit:""`, "item"},
		{"a subtotal has the cut of its own keys", "drilldown=area|unit&rollup=1", `area:"1"`, "unit"},
		{"an axis has no parent", "drilldown=year", "year:2021", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cell := s.ask(t, "hand", "links=1&"+tt.question).Cells[0]
			below, _ := cell["_drilldown"].(string)
			if cell["_cut"] != tt.cut || below != tt.below {
				t.Errorf("cut %v below %q, want %s below %q", cell["_cut"], below, tt.cut, tt.below)
			}
		})
	}
}

// warned are the warnings of an answer.
type warned struct {
	Warnings []struct{ Code, Message string }
}

func (w warned) String() string {
	var list []string
	for _, one := range w.Warnings {
		list = append(list, one.Code+": "+one.Message)
	}
	return strings.Join(list, "\n")
}

func (w warned) codes() string {
	var list []string
	for _, one := range w.Warnings {
		list = append(list, one.Code)
	}
	return strings.Join(list, " ")
}

func TestWarnings_AnEmptyAnswerSaysWhy(t *testing.T) {
	t.Parallel()
	hand.onEveryStore(t, func(t *testing.T, s *service) {
		const few = "excerpt: Only some 3 rows a year are published here; a whole budget usually has hundreds or thousands. This may be an excerpt: check the total before you cite it"
		for question, want := range map[string]string{
			"aggregate?cut=year:2030..2040":                            "nothing-matches: no row of the package has year:2030..2040",
			"aggregate?drilldown=area&cut=year:2030..":                 "nothing-matches: no row of the package has year:2030..",
			"aggregate?drilldown=area&cut=year:2030..&having=_count>0": "nothing-matches: no row of the package has year:2030..",
			"aggregate?cut=year:2021|area:3":                           "nothing-matches: no row has all that the cuts ask for, though each of them matches some",
			"facts?cut=year:2030..2040":                                "nothing-matches: no row of the package has year:2030..2040",
			"tree/entity?cut=year:2030..":                              "nothing-matches: no row of the package has year:2030..",
			"aggregate?cut=year:2021|unit:":                            few,
			"aggregate?cut=unit:|year:2021&aggregates=executed.sum":    "",
			"aggregate?cut=area:9":                                     `no-such-member: area: there is no member "9" (did you mean "1"?)`,
		} {
			var answer warned
			s.read(t, "/cubes/hand/"+question, &answer)
			if got := answer.String(); got != want {
				t.Errorf("%s\n got %s\nwant %s", question, got, want)
			}
		}
	})
}

// TestWarnings_RowsOfEarlierSnapshotsAreNotBlamedOnTheCuts asks for a line that the last statement of the year has no more.
func TestWarnings_RowsOfEarlierSnapshotsAreNotBlamedOnTheCuts(t *testing.T) {
	folder := filepath.Join("store", "storetest", "testdata", "packages", "withdrawn")
	const uncounted = "rows with all that the cuts ask for: 2, none of them in the statement that is counted " +
		"(2019: 03); cut month, or ask with snapshots=all, to see them"
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		for question, want := range map[string]string{
			"aggregate?cut=year:2019|line:museum":                 uncounted,
			"aggregate?cut=year:2019|line:museum&page=2":          uncounted,
			"explain?cut=year:2019|line:museum":                   uncounted,
			"facts?cut=year:2019|line:museum":                     uncounted,
			"tree/lines?cut=year:2019|line:museum":                uncounted,
			"aggregate?cut=year:2018|line:museum":                 "no row has all that the cuts ask for, though each of them matches some",
			"aggregate?cut=year:..2017":                           "no row of the package has year:..2017",
			"facts?cut=year:2019|line:museum&snapshots=all":       "",
			"aggregate?cut=year:2019|line:museum&having=_count>0": uncounted,
			"aggregate?cut=year:2019&having=_count>1000":          "",
		} {
			var answer warned
			s.read(t, "/cubes/withdrawn/"+question, &answer)
			got := ""
			for _, one := range answer.Warnings {
				if one.Code == cube.WarnNothingMatches {
					got += one.Message
				}
			}
			if got != want {
				t.Errorf("%s\n got %s\nwant %s", question, got, want)
			}
		}
	})
}

// renamed is a package whose ministry 1 has another name every year, whose ministry 2 lost its name, and whose
// cells hold line breaks.
const renamed = `year,code,name,amount
2008,1,Finance,1
2008,2,Works,2
2010,1,Finance and
Planning,3
2010,2,,4
2009,1,Treasury,5
2011,3,"The ""Agency""

",6
2011,1,Finance and  Planning,7
`

// renamedPackage writes it into a folder.
func renamedPackage(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	content := []byte(strings.Replace(renamed, "Finance and\nPlanning", "\"Finance and\nPlanning\"", 1))
	_, body, _ := bytes.Cut(content, []byte("\n"))
	write(filepath.Join(folder, "data", "a.csv"), content)
	write(filepath.Join(folder, "datapackage.json"), []byte(fmt.Sprintf(`{"name": "names", "resources": [
		{"name": "Ministries", "path": "data/a.csv", "hash": "%s", "hashcopy": "%s"}],
		"schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "code", "type": "string"},
			{"name": "name", "type": "string"}, {"name": "amount", "type": "number"}]},
		"model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},
			"ministry": {"dimensionType": "classification", "primaryKey": ["code"],
				"attributes": {"code": {}, "name": {"labelfor": "code"}}}}, "measures": {"amount": {}}}}`, digest(content), digest(body))))
	return folder
}

func TestLabels_AreThoseOfTheYearsAsked(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", "--db", db, renamedPackage(t))
		s := serve(t, db)
		for question, want := range map[string]string{
			"":                                   "1 Finance and Planning, 2 Works, 3 The \"Agency\"",
			"&cut=year:2008":                     "1 Finance, 2 Works",
			"&cut=year:2009":                     "1 Treasury",
			"&cut=year:2010":                     "1 Finance and Planning, 2 2",
			"&cut=year:2008;2009":                "1 Treasury, 2 Works",
			"&cut=year:2009;2008&order=name":     "1 Treasury, 2 Works",
			"&cut=year:2008..2010":               "1 Finance and Planning, 2 Works",
			"&cut=!year:2010;2011":               "1 Treasury, 2 Works",
			"&cut=year:2010&order=name":          "2 2, 1 Finance and Planning",
			"&cut=year:2010&order=name:desc":     "1 Finance and Planning, 2 2",
			"&cut=year:2008&order=name:desc":     "2 Works, 1 Finance",
			"&cut=year:2008|year:2008..2011":     "1 Finance, 2 Works",
			"&cut=year:2007":                     "",
			"&cut=year:2010..&order=name&page=2": "",
		} {
			var got []string
			for _, cell := range s.ask(t, "names", "drilldown=code"+question).Cells {
				got = append(got, fmt.Sprint(cell["code"], " ", cell["name"]))
			}
			if text := strings.Join(got, ", "); text != want {
				t.Errorf("%s: %s, want %s", question, text, want)
			}
		}
		s.stop(t)
	})
}

// Every number leads back to the line it stood in: the cube names file and hash, the fact resource and line.
func TestFacts_LeadBackToTheirLines(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder := renamedPackage(t)
		must(t, "load", "--db", db, folder)
		s := serve(t, db)
		var described struct {
			Resources []struct{ Name, Path, Hash, URL string }
		}
		s.read(t, "/cubes/names", &described)
		content := sure(os.ReadFile(filepath.Join(folder, "data", "a.csv")))
		if len(described.Resources) != 1 || described.Resources[0].Name != "Ministries" || described.Resources[0].Path != "data/a.csv" ||
			described.Resources[0].Hash != digest(content) {
			t.Errorf("the cube says %+v", described)
		}
		s.stop(t)
		lines, facts := strings.Split(string(content), "\n"), factsOf(t, db)
		if len(facts) != 7 {
			t.Errorf("%d facts", len(facts))
		}
		for _, fact := range facts {
			record, err := csv.NewReader(strings.NewReader(strings.Join(lines[fact.line-1:], "\n"))).Read()
			if fact.resource != 0 || err != nil && err != io.EOF || record[0] != fact.year || record[2] != fact.name || record[3] != fact.amount {
				t.Errorf("line %d of resource %d holds %q, the fact is %+v", fact.line, fact.resource, record, fact)
			}
		}
	})
}

type fact struct {
	year, name, amount string
	resource, line     int
}

// factsOf reads the only fact table of a store that no process has open.
func factsOf(t *testing.T, db string) (facts []fact) {
	t.Helper()
	connection, err := connect(db)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	rows, err := connection.Query(`SELECT CAST(year AS text), name, CAST(amount AS text), _resource, _line FROM fact.f1`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one fact
		if err := rows.Scan(&one.year, &one.name, &one.amount, &one.resource, &one.line); err != nil {
			t.Fatal(err)
		}
		facts = append(facts, one)
	}
	return facts
}
