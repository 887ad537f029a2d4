package e2e

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"database/sql"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"fiscube/internal/golden"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
	"fiscube/store/storetest"
)

type citation struct {
	Text, Link string
	Resources  []struct{ Name, Path, Hash string }
}

func (s *service) cite(t testing.TB, name, question string) citation {
	t.Helper()
	var answer struct{ Citation citation }
	s.read(t, "/cubes/"+name+"/aggregate?cite=1&"+question, &answer)
	return answer.Citation
}

// loadedOn gives the day, in UTC, on which the only version of a cube was loaded just now.
func (s *service) loadedOn(t testing.TB, name string) string {
	t.Helper()
	var list struct {
		Versions []struct {
			LoadedAt time.Time `json:"loaded_at"`
		}
	}
	s.read(t, "/cubes/"+name+"/versions", &list)
	if len(list.Versions) != 1 || time.Since(list.Versions[0].LoadedAt).Abs() > time.Hour {
		t.Fatalf("the versions are %+v", list.Versions)
	}
	return list.Versions[0].LoadedAt.UTC().Format(time.DateOnly)
}

// Citations say what a number is, in several languages.
func TestCitation_SaysWhatTheNumberIs(t *testing.T) {
	t.Parallel()
	for file, served := range map[string]*shared{"hand": hand, "seeds": seeded} {
		served.onEveryStore(t, func(t *testing.T, s *service) {
			golden.Answers(t, "e2e/testdata/citations_"+file+".txt", func(line string) string {
				name, question, _ := strings.Cut(line, " ")
				c := s.cite(t, name, question)
				return strings.NewReplacer(c.Link, "LINK", s.loadedOn(t, name), "DAY", "\u00a0", "␣").Replace(c.Text)
			})
		})
	}
}

// The link of a citation keeps giving its number, also when another version is served.
func TestCitation_ItsLinkKeepsTheNumber(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder := handFolder(t)
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		question := "aggregates=approved.sum&cut=" + url.QueryEscape(`area:1|unit:01`)
		link := s.cite(t, "hand", question).Link
		write(filepath.Join(folder, "late.csv"), []byte(handLate+"2022,1,Health and care,01,Hospitals,z,1000.00,\r\n"))
		must(t, "load", folder, "--db", db)
		s.servesWithin(t, patience, "hand", 2)
		var pinned answer
		s.read(t, strings.TrimPrefix(link, s.url), &pinned)
		if served := s.ask(t, "hand", question); fmt.Sprint(pinned.Summary, served.Summary) !=
			"map[approved.sum:140.00] map[approved.sum:1140.00]" {
			t.Errorf("the link gives %v, the served version %v", pinned.Summary, served.Summary)
		}
	})
}

// A tree has the citation of what its nodes add up to, and its link leads to the same nodes.
func TestCitation_OfATree(t *testing.T) {
	s := hand.onDuckDB(t)
	type tree struct {
		Nodes    []treeNode
		Summary  map[string]any
		Citation citation
	}
	var cited, linked tree
	s.read(t, "/cubes/hand/tree/entity?path=1&depth=2&cut=year:2021&aggregates=approved.sum&numbers=string&cite=1&lang=en", &cited)
	says(t, cited.Citation.Text, "60.00", "2021", cited.Citation.Link)
	says(t, cited.Citation.Link, "/cubes/hand/tree/entity?", "path=1", "depth=2", "version=1")
	s.read(t, strings.TrimPrefix(cited.Citation.Link, s.url), &linked)
	if len(linked.Nodes) == 0 || nodesText(linked.Nodes) != nodesText(cited.Nodes) || linked.Citation.Text != "" {
		t.Errorf("the link gives %+v, the tree is %+v", linked, cited)
	}
}

func TestCitation_NamesTheFilesItRestsOn(t *testing.T) {
	s := hand.onDuckDB(t)
	for question, want := range map[string]string{
		"": "early late", "cut=year:2021": "early", "cut=area:3": "late", "cut=area:9": "",
		"cut=year:2022&compare=year:-1": "early late",
	} {
		var names []string
		for _, r := range s.cite(t, "hand", question).Resources {
			names = append(names, r.Name)
			if len(r.Hash) != 64 || r.Path != r.Name+".csv" {
				t.Errorf("%s: %+v", question, r)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: rests on %q, want %q", question, got, want)
		}
	}
}

// The citation of a page, also in the forms for programs, has the numbers as the page writes them for its reader.
func TestCitation_WritesNumbersAsThePage(t *testing.T) {
	s := seeded.onDuckDB(t)
	for languages, want := range map[string]string{
		"es": "1.098.164.659.470", "es-MX": "1,098,164,659,470", "es-CR": "1\u00a0098\u00a0164\u00a0659\u00a0470", "hr": "1.098.164.659.470", "en": "1,098,164,659,470",
	} {
		request := sure(http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/explore/example-croatia/number?aggregates=approved_value.sum&_financing=in", http.NoBody))
		request.Header.Set("Accept-Language", languages)
		response := sure(http.DefaultClient.Do(request))
		page := string(sure(io.ReadAll(response.Body)))
		_ = response.Body.Close()
		if n := strings.Count(page, want+" HRK "); n != 3 { // the sentence, BibTeX and CSL-JSON
			t.Errorf("%s: the page has %s in %d citations", languages, want, n)
		}
		says(t, page, " <b>"+want+"</b> HRK</span>")
	}
}

// References to two numbers of a budget differ in key and title, and name who published it and when.
func TestCitation_ReferencesOfTwoNumbers(t *testing.T) {
	t.Parallel()
	s := hand.onDuckDB(t)
	keys := map[string]bool{}
	loaded := s.loadedOn(t, "hand")
	for question, title := range map[string]string{
		"cut=year:2021|area:1&aggregates=executed.sum": "executed (EUR) – Health, 2021",
		"cut=year:2021|area:1&aggregates=approved.sum": "approved (EUR) – Health, 2021",
		"cut=year:2021|area:2&aggregates=approved.sum": "approved (EUR) – Roads, 2021",
		"aggregates=approved.sum":                      "approved (EUR) – A budget added up by hand",
	} {
		page := html.UnescapeString(s.pageAt(t, "/explore/hand/number?"+question+"&lang=en"))
		found := referenceOnPage.FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("%s has no reference: %s", question, page)
		}
		keys[found[1]] = true
		says(t, page, "  title = {"+title+"},", `"id": "`+found[1]+`"`, `"title": "`+title+`"`, "  year = {"+loaded[:4]+"},", "  urldate = {"+loaded+"},")
	}
	if want := map[string]bool{"hand-executed-sum-2021-1-v1": true, "hand-approved-sum-2021-1-v1": true, "hand-approved-sum-2021-2-v1": true, "hand-approved-sum-v1": true}; !maps.Equal(keys, want) {
		t.Errorf("the keys are %v", keys)
	}
}

var referenceOnPage = regexp.MustCompile(`@misc\{([^,]+),\n`)

// A data package has the citation of the answer that it is of.
func TestCitation_OfADataPackage(t *testing.T) {
	s := hand.onDuckDB(t)
	question := "drilldown=area&aggregates=approved.sum&cut=year:2021&lang=es"
	_, body := s.get(t, "/cubes/hand/package.zip?cite=1&"+question)
	var d struct {
		Fiscube struct {
			Link     string
			Citation citation
		}
	}
	archive := sure(zip.NewReader(bytes.NewReader(body), int64(len(body))))
	if err := json.Unmarshal(sure(io.ReadAll(sure(archive.Open("datapackage.json")))), &d); err != nil {
		t.Fatal(err)
	}
	got, answer := d.Fiscube.Citation, s.cite(t, "hand", question)
	if sentence, ok := strings.CutSuffix(got.Text, got.Link); !ok || !strings.HasPrefix(answer.Text, sentence) ||
		!strings.HasPrefix(got.Text, "approved: 100,00 EUR – year: 2021. Fuente: ") {
		t.Errorf("%s\nthe answer has %s", got.Text, answer.Text)
	}
	if got.Link != d.Fiscube.Link || len(got.Resources) != 1 || got.Resources[0] != answer.Resources[0] {
		t.Errorf("%+v", got)
	}
}

func TestCitation_InAnUnknownLanguage(t *testing.T) {
	s := hand.onDuckDB(t)
	status, body := s.get(t, "/cubes/hand/aggregate?lang=tlh")
	if status != http.StatusBadRequest || !strings.Contains(string(body), "the languages are en, es, fr, hr, pt") {
		t.Errorf("%d %s", status, body)
	}
}

func TestExplain_GivesThePlanAndWhatItMatched(t *testing.T) {
	t.Parallel()
	hand.onEveryStore(t, func(t *testing.T, s *service) {
		var x struct {
			Plan       string
			Statements []struct {
				Purpose, SQL string
				Cuboid       struct {
					Levels   []string
					Rows     int64
					Resident bool
				}
			}
			Cuts []struct {
				Cut           string
				Members, Rows int
			}
			Rows, Cells int
			Timings     map[string]json.Number
		}
		s.read(t, "/cubes/hand/explain?drilldown=area&cut=year:2022|unit:01&aggregates=approved.sum&compare=year:-1", &x)
		if want := `drilldown=area&cut=unit:"01"|year:2022&aggregates=approved.sum&order=area:asc&compare=year:-1&page=1&pagesize=100`; x.Plan != want {
			t.Errorf("the plan is %s\nwant %s", x.Plan, want)
		}
		if len(x.Statements) != 2 || x.Statements[0].Purpose != "answer" || x.Statements[1].Purpose != "earlier" ||
			!x.Statements[0].Cuboid.Resident && !strings.Contains(x.Statements[0].SQL, " FROM cuboid.") {
			t.Errorf("the statements are %+v", x.Statements)
		}
		for _, level := range []string{"year", "unit", "area"} {
			if cuboid := x.Statements[0].Cuboid; !slices.Contains(cuboid.Levels, level) || cuboid.Rows == 0 {
				t.Errorf("the cuboid is %+v", cuboid)
			}
		}
		if len(x.Cuts) != 2 || x.Cuts[0].Members != 3 || x.Cuts[0].Rows != 5 || x.Cuts[1].Rows != 2 || x.Rows != 2 || x.Cells != 3 {
			t.Errorf("matched %+v: %d rows, %d cells", x.Cuts, x.Rows, x.Cells)
		}
		if _, timed := x.Timings["store"]; !timed {
			t.Errorf("the timings are %v", x.Timings)
		}
	})
}

// Timings are of one time: what explains a question is not kept, of a pinned version neither.
func TestExplain_IsNotCached(t *testing.T) {
	s := hand.onDuckDB(t)
	for _, query := range []string{"", "?version=1"} {
		r, err := client.Get(s.url + "/cubes/hand/explain" + query)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Body.Close()
		if kept := r.Header.Get("Cache-Control"); r.StatusCode != 200 || kept != "no-store" {
			t.Errorf("explain%s: %d, Cache-Control %q", query, r.StatusCode, kept)
		}
	}
}

var (
	commandOnPage = regexp.MustCompile(`(?s)<pre data-copy tabindex="0">duckdb -noheader -list &lt;&lt;&#39;SQL&#39;\n(.*?)\nSQL</pre>`)
	shellCommand  = regexp.MustCompile(`(?s)<pre data-copy tabindex="0">(duckdb .*?)</pre>`)
	reasonOnPage  = regexp.MustCompile(`(?s)<h2 id="check">[^<]*</h2></summary>\s*<p>([^<]+)</p>`)
	exactOnPage   = regexp.MustCompile(`>exactly <b>([^<]+)</b>`)
	numberLink    = regexp.MustCompile(`href="[^"]*?(/explore/[^"]*/number\?[^"]*)"`)
	fileInCommand = regexp.MustCompile(`'(data/[^']*)'`)
	linesOnPage   = regexp.MustCompile(`(?s)<table class="cells made stacks">\n<caption class="unseen">([\d,]+) .*?<tbody>(.*?)</tbody>`)
	moreLines     = regexp.MustCompile(`<a href="([^"]*)" rel="next">`)
	fileOnPage    = regexp.MustCompile(`<li><a href="[^"]*">(data/[^<]*)</a> \([^)]*\) · <a href="[^"]*">its rows, written anew as CSV</a><details><summary>SHA-256 as published</summary><span class="code">([0-9a-f]{64})</span></details></li>`)
)

// A number is what the lines on its page add up to, its files have the hashes that are shown, and its command prints it from these
// files alone.
func TestNumberPage_RestsOnItsFiles(t *testing.T) {
	server := seeded.onDuckDB(t)
	folder := sure(filepath.Abs("seeds"))
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			t.Parallel()
			numbers := testrequire.Share(3, 50)
			if commands := server.numbersRestOnFiles(t, seed.Name, filepath.Join(folder, seed.Name), numbers); 10*commands < 9*numbers {
				t.Errorf("only %d of %d numbers have a command", commands, numbers)
			}
		})
	}
}

// A page of a number has its largest lines, so that what follows them is near, says which they are, and leads to more of them, to a file
// with all and to its budget. Fields that no line has are left out.
func TestNumberPage_BeginsWithFewLines(t *testing.T) {
	server := seeded.onDuckDB(t)
	page := server.pageAt(t, "/explore/example-mexico/number?cut=CICLO:2009&lang=en")
	says(t, page, `<a href="../../explore/example-mexico?lang=en">Mexico: federal budget, expenditure</a> › `)
	all := allLines.FindStringSubmatch(page)
	if all == nil {
		t.Fatal("no file has all lines")
	}
	if file := sure(csv.NewReader(strings.NewReader(server.pageAt(t, "/"+strings.TrimLeft(html.UnescapeString(all[1]), "./")))).ReadAll()); len(file) != 63 {
		t.Errorf("the file of all lines has %d", len(file))
	}
	var rows []int
	var shown [][]string
	var amounts []decimal.Decimal
	for page != "" {
		shown = append(shown, linesShown.FindStringSubmatch(page)[1:])
		table := linesOnPage.FindStringSubmatch(page)
		rows = append(rows, len(tableRow.FindAllString(table[2], -1)))
		for _, amount := range amountOfLine.FindAllStringSubmatch(table[2], -1) {
			amounts = append(amounts, decimal.RequireFromString(strings.ReplaceAll(amount[1], ",", "")))
		}
		filled := map[string]bool{}
		for _, cell := range fieldOfLine.FindAllStringSubmatch(table[2], -1) {
			filled[cell[1]] = filled[cell[1]] || cell[2] != ""
		}
		for field, is := range filled {
			if !is {
				t.Errorf("no line has %s", field)
			}
		}
		more := moreLines.FindStringSubmatch(page)
		if page = ""; more != nil {
			page = server.pageAt(t, "/"+strings.TrimLeft(html.UnescapeString(more[1]), "./"))
		}
	}
	if want := "[[1 10 62] [11 62 62]]"; !slices.Equal(rows, []int{10, 52}) || !slices.IsSortedFunc(amounts, func(a, b decimal.Decimal) int { return b.Cmp(a) }) || len(amounts) != 62 || fmt.Sprint(shown) != want {
		t.Errorf("%d lines on the pages, %v, with the amounts %v", rows, shown, amounts)
	}
	last := server.pageAt(t, "/explore/example-mexico/number?cut=CICLO:2009&lang=en&_from=62")
	number := `<a href="../../explore/example-mexico/number?cut=CICLO:2009&amp;aggregates=MONTO_GASTADO.sum&amp;lang=en`
	says(t, last, `<p class="madeup">`, "Lines 62 to 62 of 62", number+`">Back to the number</a>`, number+`">First lines</a>`, number+`&amp;_from=11" rel="prev">`)
	if strings.Contains(last, `rel="next"`) || strings.Contains(last, `id="cite"`) {
		t.Error("the last lines lead on, or the page has more than lines")
	}
	for _, from := range []string{"63", "0", "x", "99999999999999999999"} {
		says(t, server.pageAt(t, "/explore/example-mexico/number?cut=CICLO:2009&lang=en&_from="+from), "Lines 1 to 10 of 62")
	}
}

var (
	allLines     = regexp.MustCompile(`<a href="([^"]*)" download>All lines as CSV</a>`)
	linesShown   = regexp.MustCompile(`>Lines (\d+) to (\d+) of (\d+), the largest first</p>`)
	amountOfLine = regexp.MustCompile(`<td class="number">([^<]*)</td>`)
)

// A line begins with what the number it was opened from is of, also where the file has nothing there, and leads back to the number.
func TestLinesPage_BeginsWithTheLine(t *testing.T) {
	t.Parallel()
	s := hand.onDuckDB(t)
	number := s.pageAt(t, "/explore/hand/number?cut=year:2021|area:1&aggregates=executed.sum&lang=en")
	opened := regexp.MustCompile(`<a href="([^"]*)">early<wbr><span class="line">:4</span></a></th><td class="number">([^<]*)</td>`).FindStringSubmatch(number)
	if opened == nil || opened[2] != "(not given)" {
		t.Fatalf("line 4 is %q", opened)
	}
	page := s.pageAt(t, "/"+strings.TrimLeft(html.UnescapeString(opened[1]), "./"))
	says(t, page, `<a href="../../../explore/hand/number?cut=year:2021%7Carea:1&amp;aggregates=executed.sum&amp;lang=en">Back to the number</a>`, `<h2>The lines around it</h2>`)
	var first []string
	for _, field := range fieldShown.FindAllStringSubmatch(page, -1) {
		first = append(first, strings.TrimSpace(field[1]+" "+field[2])+": "+field[3])
	}
	want := []string{
		"wanted executed: (not given)", "wanted area: 1", "wanted area_name: Health", "wanted year: 2021", "approved: 10.00",
		"unit: (not given)", "unit_name: (not given)", "item: c",
	}
	if !slices.Equal(first, want) {
		t.Errorf("the line is %q", first)
	}
	after := strings.Replace(html.UnescapeString(opened[1]), "line=4", "line=5", 1) // of another area
	other := s.pageAt(t, "/"+strings.TrimLeft(after, "./"))
	says(t, other, "Roads", ">Back to the number</a>", `<div><dt>`)
	if strings.Contains(other, `<div class="wanted">`) {
		t.Errorf("a line of another area is marked as one of the number: %s", other)
	}
	says(t, s.pageAt(t, "/explore/hand/lines/early?line=4&lang=en&_number=cut%3Dnowhere:1"), `<div><dt>`) // no such number is no obstacle
}

// A line behind the end of a file is said not to be there, with a link to the last one.
func TestLinesPage_BehindTheEnd(t *testing.T) {
	t.Parallel()
	s := hand.onDuckDB(t)
	for line, last := range map[string]string{"99999999": "5", "17": "5"} {
		page := s.pageAt(t, "/explore/hand/lines/early?line="+line+"&lang=en")
		written := strings.NewReplacer("99999999", "99,999,999").Replace(line)
		says(t, page, `<p><a href="../../../explore/hand/lines/early?lang=en&amp;line=`+last+`">The file has no line `+written+`: its last is line `+last+`.</a></p>`)
		if strings.Contains(page, "<table") {
			t.Errorf("there is a table of nothing: %s", page)
		}
	}
	says(t, s.pageAt(t, "/explore/hand/lines/early?line=99&lang=es"), "El archivo no tiene la línea 99: la última es la 5.")
	says(t, s.pageAt(t, "/explore/hand/lines/early?line=99&lang=hr"), "Datoteka nema redak 99: posljednji je redak 5.")
}

// The lines around one have the amount and the names first, with titles where there are some.
func TestLinesPage_HasAmountsAndNamesFirst(t *testing.T) {
	t.Parallel()
	page := seeded.onDuckDB(t).pageAt(t, "/explore/example-croatia/lines/example-croatia__2016.csv?line=16&lang=en")
	says(t, page, `How the data was loaded</a>`)
	if !regexp.MustCompile(`<th scope="col">Line</th><th scope="col" class="number">[^<]+<span class="code">approved_value</span></th><th scope="col">[^<]+<span class="code">[a-z0-9_]*label`).MatchString(page) {
		t.Errorf("the heads are others: %s", page)
	}
}

var fieldShown = regexp.MustCompile(`<div(?: class="(wanted)")?><dt>[^<]*<span class="code">([^<]*)</span></dt><dd>([^<]*)</dd></div>`)

var fieldOfLine = regexp.MustCompile(`<td data-head="([^"]*)">([^<]*)(?: <span class="code">([^<]*)</span>)?</td>`)

// manyLines is a package of 1,100 lines: of two years and of two ministries, whose units, objects and sources of money differ. The first
// 1,050 lines of a ministry are of its first unit.
func manyLines(t testing.TB) string {
	t.Helper()
	var file strings.Builder
	file.WriteString("year,ministry,ministry_name,unit,unit_name,function,function_name,object,object_name,source,source_name,empty,amount\n")
	row := func(year int, ministry, unit string, object, source int) {
		fmt.Fprintf(&file, "%d,%s,Ministry %s,%s,Unit %s,02,Defence,3%02d,Object %d,%d,Source %d,,10\n", year, ministry, ministry, unit, unit, object, object, source, source)
	}
	for i := range 1050 {
		row(2020, "A", "01", i%30, i%4)
	}
	for i := range 48 {
		row(2020, "A", "02", i, 9)
	}
	row(2021, "A", "01", 1, 1)
	row(2021, "B", "01", 1, 1)
	folder := t.TempDir()
	write(filepath.Join(folder, "budget.csv"), []byte(file.String()))
	write(filepath.Join(folder, "datapackage.json"), []byte(`{"name": "many", "resources": [{"name": "budget", "path": "budget.csv"}],
		"schema": {"fields": [
			{"name": "year", "type": "integer", "columnType": "date:fiscal-year"}, {"name": "ministry", "type": "string"}, {"name": "ministry_name", "type": "string"},
			{"name": "unit", "type": "string"}, {"name": "unit_name", "type": "string"}, {"name": "function", "type": "string"}, {"name": "function_name", "type": "string"},
			{"name": "object", "type": "string"}, {"name": "object_name", "type": "string"}, {"name": "source", "type": "string"}, {"name": "source_name", "type": "string"},
			{"name": "empty", "type": "string"}, {"name": "amount", "type": "number"}]},
		"model": {"measures": {"amount": {"currency": "HRK"}}, "dimensions": {
			"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},
			"function": {"dimensionType": "other", "primaryKey": ["function"], "attributes": {"function": {}, "function_name": {"labelfor": "function"}}},
			"source": {"dimensionType": "other", "primaryKey": ["source"], "attributes": {"source": {}, "source_name": {"labelfor": "source"}}},
			"object": {"dimensionType": "other", "primaryKey": ["object"], "attributes": {"object": {}, "object_name": {"labelfor": "object"}}},
			"empty": {"dimensionType": "other", "primaryKey": ["empty"], "attributes": {"empty": {}}},
			"body": {"dimensionType": "classification", "primaryKey": ["ministry", "unit"], "attributes": {
				"ministry": {}, "ministry_name": {"labelfor": "ministry"}, "unit": {"parent": "ministry"}, "unit_name": {"labelfor": "unit"}}}}}}`))
	return folder
}

// The lines of a number are told apart by the fields in which they differ, also those that differ only behind the lines that are shown;
// what all have alike is said once, unless the title says it. It is so on each page of the lines.
func TestNumberPage_ShowsWhatTellsItsLinesApart(t *testing.T) {
	t.Parallel()
	db := freshDuckDB(t)
	must(t, "load", manyLines(t), "--db", db)
	s := serve(t, db)
	defer s.stop(t)
	for address, want := range map[string]struct {
		fields, alike string
		first         string // cells
	}{
		"?cut=year:2020|ministry:A":              {"object_name source_name unit_name", "function_name: Defence (02)", "Object 0 300|Source 0 0|Unit 01 01"},
		"?cut=year:2020|ministry:A&_from=21":     {"object_name source_name unit_name", "function_name: Defence (02)", "Object 20 320|Source 0 0|Unit 01 01"},
		"?cut=year:2020|ministry:A&_from=1021":   {"object_name source_name unit_name", "function_name: Defence (02)", "Object 0 300|Source 0 0|Unit 01 01"},
		"?cut=year:2020|ministry:A|unit:02":      {"object_name", "function_name: Defence (02); source_name: Source 9 (9)", "Object 0 300"},
		"?cut=year:2020|source:9|function:02":    {"object_name", "unit_name: Unit 02 (02)", "Object 0 300"},
		"?cut=year:2021":                         {"unit_name", "function_name: Defence (02); source_name: Source 1 (1); object_name: Object 1 (301)", "Unit 01 01"},
		"?cut=year:2021|ministry:B":              {"function_name source_name object_name unit_name", "", "Defence 02|Source 1 1|Object 1 301|Unit 01 01"}, // its one line
		"?cut=ministry:A|object:301|source:1":    {"year", "function_name: Defence (02); unit_name: Unit 01 (01)", "2020"},
		"?aggregates=amount.sum&cut=function:02": {"year object_name source_name unit_name", "", "2020|Object 0 300|Source 0 0|Unit 01 01"},
	} {
		page := s.pageAt(t, "/explore/many/number"+address+"&lang=en")
		table := linesOnPage.FindStringSubmatch(page)
		if table == nil {
			t.Fatalf("%s has no lines: %s", address, page)
		}
		row := tableRow.FindString(table[2])
		var fields, cells []string
		for _, cell := range fieldOfLine.FindAllStringSubmatch(row, -1) {
			fields, cells = append(fields, cell[1]), append(cells, strings.TrimSpace(cell[2]+" "+cell[3]))
		}
		alike := ""
		if found := allAlike.FindStringSubmatch(page); found != nil {
			alike = found[1]
		}
		if strings.Join(fields, " ") != want.fields || alike != want.alike || strings.Join(cells, "|") != want.first {
			t.Errorf("%s has the fields %q, of all %q, and begins with %q", address, fields, alike, cells)
		}
	}
}

var allAlike = regexp.MustCompile(`<p>The same in all lines: ([^<]*)</p>`)

// So is one of the real packages.
func TestRealData_NumbersRestOnTheirFiles(t *testing.T) {
	server := realCubes.onDuckDB(t)
	for _, q := range questions {
		t.Run(q.cube, func(t *testing.T) {
			t.Parallel()
			server.numbersRestOnFiles(t, q.cube, realPackage(t, q.folder), 10)
		})
	}
}

// A command names the files at the paths with the hashes that are shown, also where compressed copies were read, and adds up these too.
func TestNumberPage_ChecksCompressedFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	check(os.CopyFS(folder, storetest.Package("housing")))
	for _, path := range sure(filepath.Glob(filepath.Join(folder, "*.csv"))) {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		sure(w.Write(sure(os.ReadFile(path))))
		check(w.Close())
		write(path+".gz", packed.Bytes())
		check(os.Remove(path))
	}
	db := freshDuckDB(t)
	must(t, "load", folder, "--db", db)
	s := serve(t, db)
	defer s.stop(t)
	page := s.pageAt(t, "/explore/reform/number?lang=en")
	found := commandOnPage.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no command: %s", page)
	}
	if packed := len(regexp.MustCompile(`<li><a href="[^"]*">([^<]*\.csv)</a> \([^;]*; read from \S*?([^/ ]+\.csv\.gz)\)`).FindAllString(page, -1)); packed == 0 || packed != strings.Count(page, "SHA-256 as published") {
		t.Errorf("%d files say from where they were read: %s", packed, page)
	}
	duckdb := sure(sql.Open("duckdb", ""))
	defer func() { _ = duckdb.Close() }()
	says(t, page, "add .gz to its name in the command")
	published := t.TempDir()
	check(os.CopyFS(published, storetest.Package("housing")))
	command, read := strings.TrimSuffix(html.UnescapeString(found[1]), ";"), regexp.MustCompile(`'([^']*\.csv)'`)
	for _, command := range []string{
		read.ReplaceAllString(command, "'"+published+"/$1'"), read.ReplaceAllString(command, "'"+folder+"/$1.gz'"),
	} {
		var sum decimal.Decimal
		if err := duckdb.QueryRowContext(t.Context(), "SELECT printed::VARCHAR FROM ("+command+") AS command(printed)").Scan(&sum); err != nil {
			t.Fatalf("%v\n%s", err, command)
		}
		if exact := amountOn(t, "reform", page, exactOnPage.FindStringSubmatch(page)[1]); !sum.Equal(exact) {
			t.Errorf("the command prints %s, not %s", sum, exact)
		}
	}
}

// asDuckDB names the variable under which this test binary stands for the program duckdb, which no registry of packages has for every
// machine: it answers what a shell gives it to read with the engine of the same name.
const asDuckDB = "FISCUBE_TEST_AS_DUCKDB"

// duckDBInAShell prints the one value of the question that it reads, as duckdb -noheader -list does.
func duckDBInAShell() {
	question := strings.TrimSuffix(strings.TrimSpace(string(sure(io.ReadAll(os.Stdin)))), ";")
	var printed string
	check(sure(sql.Open("duckdb", "")).QueryRow("SELECT printed::VARCHAR FROM (" + question + ") AS command(printed)").Scan(&printed))
	fmt.Println(printed)
}

// duckDBOnPath gives a folder with the program duckdb, for the variable PATH, or "" where the machine has it.
func duckDBOnPath(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("duckdb"); err == nil {
		return ""
	}
	folder := t.TempDir()
	check(os.WriteFile(filepath.Join(folder, "duckdb"), []byte("#!/bin/sh\n[ \"$*\" = '-noheader -list' ] && "+asDuckDB+"=1 exec '"+sure(os.Executable())+"'\n"), 0o755))
	return folder
}

// The command of a number prints it in a shell, as it stands on the page, where the files are.
func TestNumberPage_CommandRunsInAShell(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	path := duckDBOnPath(t) + string(filepath.ListSeparator) + os.Getenv("PATH")
	for _, number := range []string{
		"example-croatia/number?cut=Year:2017|admin1_code:020", "example-mexico/number?cut=CICLO:2018|ID_RAMO:4", "example-uruguay/number?cut=ANO:2019",
		"example-costa-rica-egresos/number?cut=ejercicio:2019",
	} {
		page := server.pageAt(t, "/explore/"+strings.ReplaceAll(number, "|", "%7C")+"&lang=en")
		found := shellCommand.FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("%s has no command: %s", number, page)
		}
		name, _, _ := strings.Cut(number, "/")
		shell := exec.CommandContext(t.Context(), "bash", "-c", html.UnescapeString(found[1]))
		shell.Dir, shell.Env = filepath.Join("seeds", name), append(os.Environ(), "PATH="+path)
		var said bytes.Buffer
		shell.Stderr = &said
		printed, err := shell.Output()
		if err != nil {
			t.Fatalf("%s: %v: %s\n%s", number, err, said.String(), html.UnescapeString(found[1]))
		}
		exact := amountOn(t, number, page, exactOnPage.FindStringSubmatch(page)[1])
		if sum, err := decimal.NewFromString(strings.TrimSpace(string(printed))); err != nil || !sum.Equal(exact) {
			t.Errorf("%s: the shell prints %q, the page has %s", number, printed, exact)
		}
	}
}

// numbersRestOnFiles checks random numbers of a cube, and gives how many have a command.
func (s *service) numbersRestOnFiles(t *testing.T, cube, folder string, count int) (commands int) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	reasons, lines := map[string]int{}, 0
	for address, page := range s.numberPages(t, cube, count, rand.New(rand.NewPCG(12, 7))) {
		exact := amountOn(t, address, page, exactOnPage.FindStringSubmatch(page)[1])
		lines += s.linesAddUp(t, address, page, exact)
		files := fileOnPage.FindAllStringSubmatch(page, -1)
		for _, file := range files {
			if hash := sha256.Sum256(sure(os.ReadFile(filepath.Join(folder, file[1])))); file[2] != hex.EncodeToString(hash[:]) {
				t.Errorf("%s: the hash of %s is %x", address, file[1], hash)
			}
		}
		if len(files) == 0 {
			t.Errorf("%s shows no file", address)
		}
		found := commandOnPage.FindStringSubmatch(page)
		if found == nil {
			reason := reasonOnPage.FindStringSubmatch(page)
			if reason == nil || !strings.HasPrefix(reason[1], "No command is given") {
				t.Fatalf("%s has neither a command nor a reason", address)
			}
			reasons[reason[1]]++
			continue
		}
		commands++
		command := fileInCommand.ReplaceAllString(html.UnescapeString(found[1]), "'"+folder+"/$1'")
		var sum decimal.NullDecimal
		statement := "SELECT printed::VARCHAR FROM (" + strings.TrimSuffix(command, ";") + ") AS command(printed)"
		if err := db.QueryRowContext(t.Context(), statement).Scan(&sum); err != nil {
			t.Fatalf("%s: %v\n%s", address, err, command)
		}
		if !sum.Valid || !sum.Decimal.Equal(exact) {
			t.Errorf("%s: the command prints %s, not %s\n%s", address, show(sum), exact, command)
		}
	}
	t.Logf("%d commands, %d lines, %v", commands, lines, reasons)
	return commands
}

// numbersOfAView is how many numbers of a random view are opened.
const numbersOfAView = 5

// numberPages opens random numbers that are not missing, by their addresses.
func (s *service) numberPages(t *testing.T, cube string, count int, r *rand.Rand) map[string]string {
	t.Helper()
	var model struct {
		Levels   []struct{ Ref string }
		Measures []struct{ Ref string }
	}
	s.read(t, "/cubes/"+cube+"/model", &model)
	pages := map[string]string{}
	for tries := 0; len(pages) < count; tries++ {
		if tries > 20*count {
			t.Fatalf("%s has only %d numbers", cube, len(pages))
		}
		level, other := oneOf(r, model.Levels...).Ref, oneOf(r, model.Levels...).Ref
		question := url.Values{"drilldown": {fmt.Sprintf("%q|%q", level, other)}, "aggregates": {fmt.Sprintf("%q.sum", oneOf(r, model.Measures...).Ref)}}
		if level == other {
			question.Set("drilldown", fmt.Sprintf("%q", level))
		}
		links := numberLink.FindAllStringSubmatch(s.pageAt(t, "/explore/"+cube+"?"+question.Encode()), -1)
		for range min(len(links), numbersOfAView) {
			address := html.UnescapeString(oneOf(r, links...)[1]) + "&lang=en"
			if page := s.pageAt(t, address); len(pages) < count && exactOnPage.MatchString(page) {
				pages[address] = page
			}
		}
	}
	return pages
}

// mostLinesAdded is of how many lines a number may be whose lines are added up.
const mostLinesAdded = 2000

// linesAddUp adds up the lines of a number, page after page, and gives how many there are.
func (s *service) linesAddUp(t *testing.T, address, page string, exact decimal.Decimal) (lines int) {
	t.Helper()
	said, sum := 0, decimal.Zero
	for {
		table := linesOnPage.FindStringSubmatch(page)
		if table == nil {
			t.Errorf("%s has no lines", address)
			return 0
		}
		if said = sure(strconv.Atoi(strings.ReplaceAll(table[1], ",", ""))); said > mostLinesAdded {
			return 0
		}
		for _, row := range tableRow.FindAllStringSubmatch(table[2], -1) {
			if amount := cellsOf(row[1])[0]; amount != "(not given)" {
				sum = sum.Add(amountOn(t, address, page, amount))
			}
			lines++
		}
		more := moreLines.FindStringSubmatch(page)
		if more == nil {
			break
		}
		page = s.pageAt(t, "/"+strings.TrimLeft(html.UnescapeString(more[1]), "./"))
	}
	if !sum.Equal(exact) || lines != said {
		t.Errorf("%s: %d of %d lines add up to %s, not %s", address, lines, said, sum, exact)
	}
	return lines
}

// workbookOf gives a workbook with the cells of a CSV file, below two rows of nothing.
func workbookOf(t *testing.T, text string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f := excelize.NewFile()
	for i, row := range rows {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+3), &row); err != nil {
			t.Fatal(err)
		}
	}
	var book strings.Builder
	if err := f.Write(&book); err != nil {
		t.Fatal(err)
	}
	return book.String()
}

// The line of a file that is a workbook is a row of its sheet.
func TestLinesPage_OfAWorkbook(t *testing.T) {
	t.Parallel()
	folder := handFolder(t)
	write(filepath.Join(folder, "datapackage.json"), []byte(strings.Replace(handDescriptor, `"path": "early.csv"`, `"path": "early.xlsx"`, 1)))
	write(filepath.Join(folder, "early.xlsx"), []byte(workbookOf(t, handEarly)))
	db := freshDuckDB(t)
	must(t, "load", "--db", db, folder)
	s := serve(t, db)
	first, _, _ := strings.Cut(strings.TrimPrefix(handEarly, handHeader), ",")
	page := s.pageAt(t, "/explore/hand/lines/early?line=4&lang=en")
	if !strings.Contains(page, "early.xlsx") || !strings.Contains(page, first) || !strings.Contains(page, ">4<") {
		t.Errorf("the page of row 4:\n%s", page)
	}
}

// Where no command is exact, the page says why.
func TestNumberPage_SaysWhyThereIsNoCommand(t *testing.T) {
	t.Parallel()
	load := func(descriptor, early string) *service {
		folder := handFolder(t)
		write(filepath.Join(folder, "datapackage.json"), []byte(descriptor))
		write(filepath.Join(folder, "early.csv"), []byte(early))
		db := freshDuckDB(t)
		must(t, "load", "--db", db, folder)
		return serve(t, db)
	}
	total := load(handDescriptor, handEarly+",,,,,,100.00,50.00\r\n")
	encoded := load(strings.ReplaceAll(handDescriptor, `"mediatype": "text/csv"`, `"mediatype": "text/csv", "encoding": "windows-1250"`), handEarly)
	sheet := load(strings.Replace(handDescriptor, `"path": "early.csv"`, `"path": "early.csv", "format": "xlsx"`, 1), workbookOf(t, handEarly))
	for _, tt := range []struct {
		server            *service
		question, because string
	}{
		{hand.onDuckDB(t), "hand/number?aggregates=approved.avg", "the number is not a plain sum of a published column."},
		{hand.onDuckDB(t), "hand/number?cut=area_name:Health", "none could repeat this selection exactly."},
		{total, "hand/number?cut=year:2021", "some rows of early.csv are totals of others and are left out."},
		{encoded, "hand/number?cut=year:2021", "early.csv is not UTF-8 but windows-1250."},
		{sheet, "hand/number?cut=year:2021", "early.csv is a workbook, and the command reads text."},
		{
			seeded.onDuckDB(t), "example-dominicana/number?cut=economica_grupo:" + url.QueryEscape("No Informado"),
			"the column economica_grupo was made of published cells, not published as it is.",
		},
	} {
		page := tt.server.pageAt(t, "/explore/"+tt.question+"&lang=en")
		reason := reasonOnPage.FindStringSubmatch(page)
		if want := "No command is given: " + tt.because; reason == nil || reason[1] != want || commandOnPage.MatchString(page) {
			t.Errorf("%s says %q, want %q", tt.question, reason, want)
		}
	}
}
