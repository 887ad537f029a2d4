package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// hits is what these tests read of the answer of /search.
type hits struct {
	Total      int `json:"total_hit_count"`
	Incomplete bool
	Hits       []hit
	Warnings   []struct{ Code, Message string }
}

type hit struct {
	Kind, Cube            string
	Version               int
	Synthetic             bool
	Level, Measure, Label *string
	Path                  *string
	Years                 []json.Number
	Rows                  int
	Amount                *hitAmount
	Href                  string
}

type hitAmount struct {
	Measure string
	Year    *json.Number
	Value   *json.Number
}

// search looks for a text once all that is served is read.
func (s *service) search(t testing.TB, text, more string) hits {
	t.Helper()
	var h hits
	eventually(t, "everything served can be searched", patience, func() bool {
		h = hits{}
		s.read(t, "/search?q="+url.QueryEscape(text)+more, &h)
		return !h.Incomplete
	})
	return h
}

// String is what most tests compare.
func (h hit) String() string {
	text := h.Kind
	if h.Level != nil {
		text += " " + *h.Level
	}
	if h.Path != nil {
		text += "/" + *h.Path
	}
	if h.Amount != nil && h.Amount.Value != nil {
		text += " " + h.Amount.Measure + "=" + h.Amount.Value.String()
	}
	if h.Amount != nil && h.Amount.Year != nil {
		text += " in " + h.Amount.Year.String()
	}
	return text
}

func (h hits) String() string {
	lines := make([]string, len(h.Hits))
	for i, hit := range h.Hits {
		lines[i] = hit.String()
	}
	return strings.Join(lines, "\n")
}

// searchedEarly and searchedLate have members without a key that have a name, and names that change.
const searchedEarly = handHeader +
	"2021,1,Health,01,Hospitals,a,20.00,10.00\r\n" +
	"2021,1,Health,,Not assigned,b,30.00,30.00\r\n" +
	"2021,2,Roads & rail,01,Bridges,a,40.00,10.00\r\n"

const searchedLate = handHeader +
	"2022,1,Salud pública,01,Hospitals,a,90.25,45.00\r\n" +
	"2022,3,Parks,01,Trees,,5.00,-1.00\r\n"

func TestSearch_OfAPackageWrittenByHand(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder := t.TempDir()
		for name, content := range map[string]string{
			"datapackage.json": handDescriptor, "early.csv": searchedEarly, "late.csv": searchedLate,
		} {
			write(filepath.Join(folder, name), []byte(content))
		}
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		for _, tt := range []struct{ query, want, href string }{
			{"hospitals", "member unit/1/01 approved=90.25 in 2022", `cut=area:"1"|unit:"01"&drilldown=item`},
			{"SALUD PUBLICA", "member area/1 approved=90.25 in 2022", `cut=area:"1"|year:2022&drilldown=unit`},
			{"health", "member area/1 approved=50.00 in 2021", `cut=area:"1"|year:2021&drilldown=unit`}, // it was called so in 2021
			{"brigdes", "member unit/2/01 approved=40.00 in 2021", `cut=area:"2"|unit:"01"&drilldown=item`},
			{"assigned not", "member unit/1/ approved=30.00 in 2021", `cut=area:"1"|unit:""&drilldown=item`},
			{"rail & roads", "member area/2 approved=40.00 in 2021", `cut=area:"2"&drilldown=unit`},
			{"2022", "member year/2022 approved=95.25 in 2022", `cut=year:2022`},
			{"added hand", "cube approved=95.25 in 2022", ""},
			{"executed", "measure executed=44.00 in 2022", "drilldown=year&aggregates=executed.sum"},
			{"area", "level area approved=95.25 in 2022", "drilldown=area"},
			{"entity", "dimension approved=95.25 in 2022", "drilldown=area"},
			{"nothing of the kind", "", ""},
		} {
			found := s.search(t, tt.query, "")
			if got := found.String(); got != tt.want {
				t.Errorf("%q finds\n%s\nwant\n%s", tt.query, got, tt.want)
			} else if len(found.Hits) > 0 {
				s.leadsTo(t, found.Hits[0], tt.href)
			}
		}
	})
}

// The list below the search box has the marks of the budget of a hit.
func TestSearchPage_TypingAheadMarksExcerpts(t *testing.T) {
	t.Parallel()
	folder, db := t.TempDir(), "duckdb:"+filepath.Join(t.TempDir(), "search.duckdb")
	for name, content := range map[string]string{
		"datapackage.json": handDescriptor, "early.csv": searchedEarly, "late.csv": searchedLate,
	} {
		write(filepath.Join(folder, name), []byte(content))
	}
	must(t, "load", folder, "--db", db)
	s := serve(t, db)
	s.search(t, "hospitals", "")
	j := &journalist{startChromium(t), "mouse"}
	j.screen(t, 1280, false)
	j.goTo(t, s.url+"/?lang=en")
	j.use(t, "#q")
	j.call(t, "Input.insertText", map[string]any{"text": "hospitals"}, nil)
	eventually(t, "the hit says that its budget may be an excerpt", patience, func() (so bool) {
		j.run(t, `document.querySelector("#ahead > li")?.innerText.includes("few rows: perhaps an excerpt") ?? false`, &so)
		return so
	})
}

// leadsTo checks where a link goes, and that there is an answer.
func (s *service) leadsTo(t testing.TB, h hit, want string) {
	t.Helper()
	_, query, _ := strings.Cut(h.Href, "?")
	question, err := url.QueryUnescape(query)
	if err != nil || question != want {
		t.Errorf("%s leads to %s, want %s (%v)", h, question, want, err)
	}
	if status, body := s.get(t, "/"+h.Href); status != http.StatusOK {
		t.Errorf("%s: %d %s", h.Href, status, body)
	}
}

// The amount of each hit is what its link answers for the year.
func TestSearch_AmountsAreThoseOfTheLinks(t *testing.T) {
	t.Parallel()
	seeded.onEveryStore(t, func(t *testing.T, s *service) {
		kinds := map[string]int{}
		for _, query := range []string{"e", "salud", "ministerio", "01", "presupuesto", "servcios", "2016"} {
			found := s.search(t, query, "&pagesize=25")
			for _, h := range found.Hits {
				if !h.Synthetic {
					t.Errorf("%s of %s is not marked as made up", h, h.Cube)
				}
				s.checkAmount(t, h)
				kinds[h.Kind+" of "+h.Cube]++
			}
		}
		if len(kinds) < 12 {
			t.Errorf("only these were found: %v", kinds)
		}
	})
}

func (s *service) checkAmount(t testing.TB, h hit) {
	t.Helper()
	if h.Amount == nil || h.Amount.Year == nil {
		t.Errorf("%s of %s has no amount", h, h.Cube)
		return
	}
	link, err := url.Parse(h.Href)
	if err != nil {
		t.Fatal(err)
	}
	cut := s.yearOf(t, h.Cube) + ":" + h.Amount.Year.String()
	if own := link.Query().Get("cut"); own != "" {
		cut += "|" + own
	}
	sum := h.Amount.Measure + ".sum"
	answer := s.ask(t, h.Cube, "pagesize=0&aggregates="+url.QueryEscape(sum)+"&cut="+url.QueryEscape(cut))
	want, _ := answer.Summary[sum].(json.Number)
	if got := h.Amount.Value; got == nil && want != "" || got != nil && *got != want {
		t.Errorf("%s of %s: its link says %s", h, h.Cube, want)
	}
}

// yearOf names the level that is the fiscal year of an example.
func (s *service) yearOf(t testing.TB, cube string) string {
	t.Helper()
	var model struct {
		Dimensions []struct {
			Type   string
			Chains [][]string
		}
	}
	s.read(t, "/cubes/"+cube+"/model", &model)
	for _, d := range model.Dimensions {
		if d.Type == "datetime" {
			return d.Chains[0][0]
		}
	}
	t.Fatalf("%s has no dimension of time", cube)
	return ""
}

func TestSearch_FollowsWhatIsServed(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		loadAll(t, db, editions(t, 2))
		s := serve(t, db)
		versions := func() []int {
			var h hits
			s.read(t, "/search?q=sabor", &h)
			var found []int
			for _, hit := range h.Hits {
				found = append(found, hit.Version)
			}
			return slices.Compact(found)
		}
		is := func(want ...int) func() bool { return func() bool { return slices.Equal(versions(), want) } }
		eventually(t, "the served version is found", patience, is(2))
		must(t, "rollback", "--db", db, "budget", "1")
		eventually(t, "the version rolled back is found no more", soon, func() bool { return !is(2)() })
		eventually(t, "the one rolled back to is found", patience, is(1))
		must(t, "load", "--db", db, handFolder(t))
		eventually(t, "a cube loaded beside the server is found", patience, func() bool {
			return s.search(t, "hospitals", "").Total == 1
		})
		must(t, "remove", "--db", db, "budget")
		eventually(t, "the removed one is found no more", soon, is())
	})
}

func TestSearch_RefusesMistakes(t *testing.T) {
	s := hand.onDuckDB(t)
	for _, tt := range []struct{ query, parameter, message string }{
		{"", "q", "nothing is asked for"},
		{"q=", "q", "nothing is asked for"},
		{"q=%ff", "q", "not UTF-8"},
		{"q=a&q=b", "q", "more than once"},
		{"q=" + strings.Repeat("x", 201), "q", "more than 200 characters"},
		{"q=a&cube=hnad", "cube", `no cube \"hnad\"`},
		{"q=a&cube=", "cube", "no cube"},
		{"q=a&pagesize=101", "pagesize", "at most 100 hits"},
		{"q=a&pagesize=x", "pagesize", "not a whole number"},
		{"q=a&page=0", "page", "not a whole number"},
		{"q=a&page=51", "page", "pages end at 1000 hits"},
		{"q=a&limit=1", "limit", "no parameter"},
		{"query=a", "query", "no parameter"},
	} {
		status, body := s.get(t, "/search?"+tt.query)
		if status != http.StatusBadRequest || !strings.Contains(string(body), tt.message) ||
			!strings.Contains(string(body), `"parameter":"`+tt.parameter+`"`) {
			t.Errorf("%s: %d %s", tt.query, status, body)
		}
	}
	if one, both := s.search(t, "hospitals", "&cube=hand"), s.search(t, "hospitals", "&cube=hand|hand&cube=hand"); one.Total != 1 || both.Total != 1 {
		t.Errorf("%d hits in a cube that is named, %d where it is named three times", one.Total, both.Total)
	}
}

// The amounts of hits count money once, as the default question does, though every month states the year again.
func TestSearch_AmountsCountMoneyOnce(t *testing.T) {
	folder := filepath.Join("store", "storetest", "testdata", "packages", "monthly")
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--overlay", filepath.Join(folder, "overlay.yaml"), "--db", db)
		s := serve(t, db)
		kinds := map[string]int{}
		for _, query := range []string{"monthly", "plan", "received", "fees", "unit", "month", "20", "1", "2", "a", "b"} {
			for _, h := range s.search(t, query, "").Hits {
				s.checkAmount(t, h)
				kinds[h.Kind]++
			}
		}
		if kinds["cube"] == 0 || kinds["measure"] < 3 || kinds["level"] == 0 || kinds["member"] < 3 {
			t.Errorf("only these were found: %v", kinds)
		}
	})
}

// Where rows have no year the amounts are of all rows.
func TestSearch_AmountsWithoutYears(t *testing.T) {
	descriptor := strings.NewReplacer(`, "columnType": "date:fiscal-year"`, "",
		`"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},`, "").Replace(handDescriptor)
	sideBySide(t, func(t *testing.T, db string) {
		folder := t.TempDir()
		for name, content := range map[string]string{
			"datapackage.json": descriptor, "early.csv": searchedEarly, "late.csv": searchedLate,
		} {
			write(filepath.Join(folder, name), []byte(content))
		}
		must(t, "load", folder, "--allow=no-year", "--db", db)
		s := serve(t, db)
		for query, want := range map[string]string{
			"hospitals": "member unit/1/01 approved=110.25", "added hand": "cube approved=185.25", "executed": "measure executed=94.00",
		} {
			if got := s.search(t, query, "").String(); got != want {
				t.Errorf("%q finds\n%s\nwant\n%s", query, got, want)
			}
		}
	})
}

// A search may name what is above a member too: the package, the ministry, the unit.
func TestSearch_ByWhatIsAbove(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for query, want := range map[string]string{
		"poder legislativo camara":                "example-mexico ID_UR 1/100 Cámara Baja",
		"poder legilsativo cámara mexico":         "example-mexico ID_UR 1/100 Cámara Baja",
		"méxico gobernacion":                      "example-mexico ID_RAMO 4 Gobernación",
		"vlada ured za suradnju":                  "example-croatia admin2_code 020/02010 Ured za suradnju s udrugama",
		"example-croatia hrvatski sabor":          "example-croatia admin1_code 010 HRVATSKI SABOR",
		"gobernación de méxico":                   "example-mexico ID_RAMO 4 Gobernación",
		"example-mexico approved":                 "example-mexico   Approved",
		"poder legislativo suradnju s udrugama x": "",
	} {
		var found struct {
			Hits []struct{ Cube, Level, Path, Label string }
		}
		if err := json.Unmarshal([]byte(get(t, server.url+"/search?q="+url.QueryEscape(query))), &found); err != nil {
			t.Fatal(err)
		}
		best := ""
		if len(found.Hits) > 0 {
			h := found.Hits[0]
			best = h.Cube + " " + h.Level + " " + h.Path + " " + h.Label
		}
		if best != want {
			t.Errorf("%s finds %q, want %q", query, best, want)
		}
	}
	if page := get(t, server.url+"/?lang=en&q=hrvatski+sabor"); !strings.Contains(page, ` title="HRVATSKI SABOR">Hrvatski sabor</a>`) {
		t.Errorf("the page does not write a name in capitals as a sentence does:\n%s", page)
	}
}

// hitOnPage matches a hit, with its link, its name and its amount.
var hitOnPage = regexp.MustCompile(`(?s)<li[^>]*>\s*<p><a href="(explore/[^"]*)"[^>]*>([^<]*)</a>(?:[^<]|<[^/]|</[^l])*?(?:<p class="amount">([^<]*)</p>|</li>)`)

// shown is a hit on a page.
type shown struct{ label, amount string }

// results gives what a search page finds by its links, once everything is read.
func results(t *testing.T, address, text string) map[string]shown {
	t.Helper()
	var page string
	eventually(t, "everything can be searched", patience, func() bool {
		page = get(t, address+"/?lang=en&q="+url.QueryEscape(text))
		return !strings.Contains(page, "Still being added up") && !strings.Contains(page, "is still being read")
	})
	found := map[string]shown{}
	for _, hit := range hitOnPage.FindAllStringSubmatch(page, -1) {
		found[html.UnescapeString(hit[1])] = shown{html.UnescapeString(hit[2]), hit[3]}
	}
	return found
}

// The first five hits of a level are seen at once, the others after a click.
func TestSearchPage_FoldsLongLists(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	page := server.pageAt(t, "/?q=servicios&lang=en")
	lists := strings.Split(page, `<details class="more"><summary>`)
	for i, list := range lists[1:] {
		number, rest, _ := strings.Cut(list, " ")
		folded, _, _ := strings.Cut(rest, "</details>")
		first := lists[i][strings.LastIndex(lists[i], `<ul class="hits">`):]
		if strings.Count(folded, "data-rank") < 2 || fmt.Sprint(strings.Count(folded, "data-rank")) != number || strings.Count(first, "data-rank") != 5 {
			t.Errorf("5 and %s hits: %d and %d", number, strings.Count(first, "data-rank"), strings.Count(folded, "data-rank"))
		}
	}
	if len(lists) == 1 {
		t.Errorf("no list is folded: %s", page)
	}
}

// How much for health in Mexico in 2011? The words and the year lead to the view of that year, in each language.
func TestSearchPage_WordsAndAYear(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for _, text := range []string{"mexico salud 2011", "2011 mexico health", "zdravstvo mexico 2011"} {
		found := results(t, server.url, text)
		if len(found) == 0 {
			t.Fatalf("%q finds nothing", text)
		}
		ramo := false
		for link, hit := range found {
			label := hit.label
			if !strings.HasPrefix(link, "explore/example-mexico?") || !strings.Contains(link, ":2011") || !strings.Contains(strings.ToLower(label), "salud") {
				t.Errorf("%q finds %s: %s", text, label, link)
			}
			page := get(t, server.url+"/"+link)
			ramo = ramo || label == "Salud" && strings.Contains(page, ">spent by Salud in 2011<")
			if hit.amount == "" || !strings.Contains(page, "exactly <b>"+hit.amount+"</b>") {
				t.Errorf("%s: the amount is %q", link, hit.amount)
			}
			if strings.Contains(page, "No row of the budget") {
				t.Errorf("%s is empty", link)
			}
		}
		if !ramo {
			t.Errorf("%q: no view of Salud in 2011 among %v", text, found)
		}
	}
}

// Hits of several dimensions are of the same money, which a line above them says.
func TestSearchPage_SaysThatDimensionsOverlap(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for address, times := range map[string]int{
		"/?q=obrana+croatia&lang=en": 1, "/?q=impuesto+sobre+la+renta+costa+rica&lang=en": 0, "/?q=croatia&cube=example-croatia&lang=en": 0,
	} {
		page := server.pageAt(t, address)
		if got := strings.Count(page, "Each heading divides the same money in its own way"); got != times {
			t.Errorf("%s says so %d times: %s", address, got, page)
		}
	}
	says(t, server.pageAt(t, "/?q=obrana&lang=es"), "Cada apartado divide el mismo dinero")
	says(t, server.pageAt(t, "/?q=obrana&lang=hr"), "Svaki naslov dijeli isti novac")
}

// The level to break down by is left out where nothing is called so, and is what the view is broken down by.
func TestSearchPage_ALevelToBreakDownBy(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for text, link := range map[string]string{
		"uruguay educación 2014 por inciso": "explore/example-uruguay?drilldown=ORG_ID&cut=AP_ID:8%7CANO:2014", "uruguay inciso 2014 educación": "explore/example-uruguay?drilldown=PROGRAMA_ID&cut=AP_ID:8%7CANO:2014",
	} {
		found := results(t, server.url, text)
		if hit := found[link+"&lang=en"]; hit.label != "Educación" {
			t.Errorf("%q finds %v, not %s", text, found, link)
		}
	}
}

// A budget without the year is a link beside hits of the year, and is searched in its latest year where nothing is of the year.
func TestSearchPage_AYearThatIsNotThere(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for path, text := range map[string]string{
		"/?q=mexico+salud+2011&lang=en":    `<h2>In other years, not in 2011</h2>`,
		"/?q=mexico+salud+2011&lang=es":    `">Salud – Ciudad de México: egresos</a> <span class="soft">2018–2020</span>`,
		"/?q=uruguay+policía+2020&lang=en": `2020 is not in “Uruguay: national budget, expenditure · made up”, which has 2011 to 2019: hits there are of their latest year.`,
		"/?q=uruguay+policía+2020&lang=hr": "gdje su 2011. – 2019.: pogoci su ondje iz svoje posljednje godine.",
		"/?q=policía+uruguay+2020&lang=en": `%7CANO:2019&amp;lang=en">Policía</a>`,
	} {
		if page := get(t, server.url+path); !strings.Contains(page, text) {
			t.Errorf("%s: without %s:\n%s", path, text, page)
		}
	}
}

// A page without hits lists the budgets with their years, and marks those that are made up.
func TestSearchPage_WithoutHits(t *testing.T) {
	server := seeded.onDuckDB(t)
	page := get(t, server.url+"/?q=xylophone&lang=en")
	if want := `expenditure</a> <span class="soft">2011–2019</span> <span class="madeup">made up</span></li>`; !strings.Contains(page, want) {
		t.Errorf("without %s:\n%s", want, page)
	}
	says(t, seeded.onDuckDB(t).pageAt(t, "/?lang=en&q=24.35+million+xylophones"), `<a href="./?lang=en&amp;q=24.35&#43;million">Look for the amount “24.35 million”</a>`)
}

// What was spent? The amount and its view are of the phase that is asked for.
func TestSearchPage_APhase(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for text, measure := range map[string]string{
		"what did uruguay spend on policía in 2015": "", "policía uruguay 2015": "", "policía uruguay 2015 aprobado": "MONTO_APROBADO", "uruguay policía vigente": "MONTO_VIGENTE",
		"how much did paraguay spend in 2017": "montoEjecutado", "cuánto gastó paraguay en 2017": "montoEjecutado", "koliko je potrošeno paraguay 2017": "montoEjecutado",
	} {
		found := results(t, server.url, text)
		if len(found) == 0 {
			t.Errorf("%q finds nothing", text)
		}
		for link, hit := range found {
			if asked := strings.Contains(link, "aggregates="); asked != (measure != "") || asked && !strings.Contains(link, "aggregates="+measure+".sum") {
				t.Errorf("%q: %s", text, link)
			}
			if page := get(t, server.url+"/"+link); hit.amount == "" || !strings.Contains(page, "exactly <b>"+hit.amount+"</b>") {
				t.Errorf("%s: the amount is %q", link, hit.amount)
			}
		}
	}
}

// What is wider than a word says so, on the page and in the answer, and comes after what the word means.
func TestSearchPage_Broader(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for lang, mark := range map[string]string{"en": "wider than “itbis”", "es": "más amplio que «itbis»", "hr": "šire od „itbis“"} {
		page := get(t, server.url+"/?q=itbis&lang="+lang)
		if want := `>Impuestos sobre los bienes y servicios</a> <span class="soft">`; strings.Count(page, mark+"</span></p>") != 2 || strings.Count(page, want) != 1 {
			t.Errorf("%s without %s: %s", lang, mark, page)
		}
	}
	var found struct {
		Hits []struct {
			Label          string
			Meant, Broader []string
		}
	}
	if err := json.Unmarshal([]byte(get(t, server.url+"/search?q=itbis&pagesize=100")), &found); err != nil {
		t.Fatal(err)
	}
	for _, hit := range found.Hits {
		isWider := strings.Contains(hit.Label, "bienes y servicios")
		if wider := slices.Equal(hit.Broader, []string{"itbis"}); wider != isWider || hit.Broader == nil || wider && !slices.Equal(hit.Meant, hit.Broader) {
			t.Errorf("%+v", hit)
		}
	}
}

// A measure that is put together from others has their amount, which is shown once.
func TestSearchPage_MeasuresOfOneAmount(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	measures := get(t, server.url+"/?q=mexico+spent&lang=en&cube=example-mexico")
	says(t, measures, `<p class="amount">956,152,741,760.32</p><p class="soft unit">Spent (MXN) 2018</p>`,
		`Spent, from 2013 (MXN)</a> <span class="soft">2008–2020 · the same amount as “Spent (MXN)”</span></p>`, `<p class="soft unit">Spent, to 2012 (MXN) 2012</p>`)
	if times := strings.Count(measures, "956,152,741,760.32"); times != 1 {
		t.Errorf("the amount is shown %d times: %s", times, measures)
	}
	results(t, server.url, "956152741760.32") // once all is added up
	sums := get(t, server.url+"/?q=956152741760.32&lang=en")
	whole, part := strings.Index(sums, "Spent (MXN) 2018<"), strings.Index(sums, "Spent, from 2013 (MXN) 2018<")
	if whole < 0 || part < whole {
		t.Errorf("Spent does not come before what it is made of: %s", sums)
	}
}

// Each sum is found by its number, however it is written, and its page shows it. The ordinary run looks for a few of each seed.
func TestSearchPage_FindsNumbers(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	r := rand.New(rand.NewPCG(7, 1))
	var list struct{ Cubes []struct{ Name string } }
	if err := json.Unmarshal([]byte(get(t, server.url+"/cubes")), &list); err != nil || len(list.Cubes) != 8 {
		t.Fatalf("%+v: %v", list, err)
	}
	for _, seed := range list.Cubes {
		name := seed.Name
		for range testrequire.Share(2, 10) {
			cut, value := randomSum(t, server.url, name, r)
			for _, text := range writtenForms(value) {
				found := results(t, server.url, text)
				exact := "exactly <b>" + grouped(value, ",", ".") + "<"
				ok := false
				for link := range found {
					ok = ok || strings.HasPrefix(link, "explore/"+name+"/number?") && strings.Contains(get(t, server.url+"/"+link), exact)
				}
				if !ok {
					t.Errorf("%s, %s: %s as %q is not found: %v", name, cut, value, text, found)
				}
			}
		}
	}
}

// randomSum gives a sum of a random level in a random year, at least of five digits.
func randomSum(t *testing.T, address, name string, r *rand.Rand) (cell, value string) {
	t.Helper()
	var model struct {
		Dimensions []struct{ Name, Type string }
		Levels     []struct{ Ref, Dimension string }
		Measures   []struct{ Ref string }
	}
	if err := json.Unmarshal([]byte(get(t, address+"/cubes/"+name+"/model")), &model); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for _, d := range model.Dimensions {
		types[d.Name] = d.Type
	}
	year := model.Levels[slices.IndexFunc(model.Levels, func(l struct{ Ref, Dimension string }) bool { return types[l.Dimension] == "datetime" })].Ref
	for range 100 {
		level, measure := model.Levels[r.IntN(len(model.Levels))], model.Measures[r.IntN(len(model.Measures))].Ref
		if types[level.Dimension] == "fact" || types[level.Dimension] == "datetime" || level.Dimension == "editions" {
			continue
		}
		drilled := fmt.Sprintf("%q|%q", level.Ref, year)
		var answer struct{ Cells []map[string]json.RawMessage }
		aggregate := fmt.Sprintf("%q.sum", measure)
		question := url.Values{"drilldown": {drilled}, "aggregates": {aggregate}, "pagesize": {"500"}}.Encode()
		if err := json.Unmarshal([]byte(get(t, address+"/cubes/"+name+"/aggregate?"+question)), &answer); err != nil {
			t.Fatal(err)
		}
		if len(answer.Cells) == 0 {
			continue
		}
		cell := answer.Cells[r.IntN(len(answer.Cells))]
		value := string(cell[measure+".sum"])
		if whole, _, _ := strings.Cut(value, "."); len(whole) >= 5 && value != "null" {
			return question, value
		}
	}
	t.Fatalf("%s has no sum", name)
	return "", ""
}

// writtenForms writes an amount as it is published, and as people write it in two languages.
func writtenForms(value string) []string {
	return slices.Compact([]string{value, grouped(value, ",", "."), grouped(value, ".", ",")})
}

// grouped writes an amount with marks between thousands and before the decimals.
func grouped(value, group, point string) string {
	sign := ""
	if strings.HasPrefix(value, "-") {
		sign, value = "-", value[1:]
	}
	whole, decimals, _ := strings.Cut(value, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if decimals != "" {
		whole += point + decimals
	}
	return sign + whole
}

// A hit of a year that a question names has the amount of that year and of the phase that it names, as the cube answers, whatever year
// the index keeps.
func TestSearch_AmountsAreOfTheYearAsked(t *testing.T) {
	s := seeded.onDuckDB(t)
	s.settles(t)
	type hit struct {
		Cube, Kind, Level, Path, Dimension string
		Year                               int64
		Amount                             *struct{ Measure, Value string }
	}
	var found struct {
		Hits     []hit
		Warnings []struct{ Code, Message string }
	}
	compared := 0
	for _, words := range []string{"croatia vlada", "croatia salud gastado", "health executed", "mexico poder legislativo", "educación", "uruguay"} {
		for year := int64(2008); year <= 2020; year += 2 {
			_, body := answerTo(t, s.url+"/search?numbers=string&q="+url.QueryEscape(fmt.Sprint(words, " ", year)))
			found.Hits = nil
			check(json.Unmarshal([]byte(body), &found))
			for _, h := range found.Hits {
				if h.Kind != "member" || h.Year != year || h.Amount == nil {
					continue
				}
				_, body := answerTo(t, s.url+"/cubes/"+h.Cube+"/model")
				var model struct {
					Dimensions []struct {
						Type   string
						Chains [][]string
					}
				}
				check(json.Unmarshal([]byte(body), &model))
				yearLevel := ""
				for _, d := range model.Dimensions {
					if d.Type == "datetime" && yearLevel == "" {
						yearLevel = d.Chains[0][0]
					}
				}
				cut := fmt.Sprintf("%s:%s|%s:%d", h.Dimension, h.Path, yearLevel, year)
				if h.Level == yearLevel {
					cut = fmt.Sprintf("%s:%d", yearLevel, year)
				}
				status, body := answerTo(t, s.url+"/cubes/"+h.Cube+"/aggregate?numbers=string&pagesize=0&aggregates="+h.Amount.Measure+".sum&cut="+url.QueryEscape(cut))
				if status != http.StatusOK {
					continue // the dimension has several chains
				}
				var answer struct{ Summary map[string]string }
				check(json.Unmarshal([]byte(body), &answer))
				if compared++; answer.Summary[h.Amount.Measure+".sum"] != h.Amount.Value {
					t.Errorf("%s %d: %+v has %s, and the cube answers %v", words, year, h, h.Amount.Value, answer.Summary)
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d amounts were compared", compared)
	}
	_, body := answerTo(t, s.url+"/search?q=croatia+vlada+2031")
	check(json.Unmarshal([]byte(body), &found))
	if len(found.Hits) == 0 || found.Hits[0].Amount != nil || len(found.Warnings) == 0 || found.Warnings[0].Code != "year-not-covered" {
		t.Errorf("a year that the cube lacks: %s", body)
	}
	says(t, found.Warnings[0].Message, "example-croatia has no rows of 2031, but of 2016 to 2019")
}
