package e2e

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

var (
	askForm   = regexp.MustCompile(`(?s)<form class="ask" action="([^"]*)">(.*?)</form>`)
	askHidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	askSelect = regexp.MustCompile(`(?s)<select name="([^"]*)"[^>]*>(.*?)</select>`)
	askOption = regexp.MustCompile(`<option value="([^"]*)"( selected)?>`)
)

// Every prepared question of every seed, with each of its choices, leads to a view with rows. The ordinary run takes every ninth choice.
func TestExplorer_PreparedQuestionsOfSeeds(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	asked, every := 0, testrequire.Share(9, 1)
	for _, seed := range seeds.All() {
		overview := "/explore/" + url.PathEscape(seed.Name)
		for _, form := range askForm.FindAllStringSubmatch(s.pageAt(t, overview), -1) {
			question := url.Values{}
			for _, hidden := range askHidden.FindAllStringSubmatch(form[2], -1) {
				question.Set(html.UnescapeString(hidden[1]), html.UnescapeString(hidden[2]))
			}
			selects := askSelect.FindAllStringSubmatch(form[2], -1)
			for _, choice := range selects {
				for _, option := range askOption.FindAllStringSubmatch(choice[2], -1) {
					if option[2] != "" {
						question.Set(choice[1], html.UnescapeString(option[1]))
					}
				}
			}
			for _, choice := range selects {
				usual := question.Get(choice[1])
				for _, option := range askOption.FindAllStringSubmatch(choice[2], -1) {
					question.Set(choice[1], html.UnescapeString(option[1]))
					if asked++; asked%every > 0 {
						continue
					}
					page := s.pageAt(t, overview+"?"+question.Encode())
					if _, rows, ok := strings.Cut(page, "<tbody>"); !ok || !strings.HasPrefix(strings.TrimSpace(rows), "<tr") {
						t.Errorf("%s %s: no rows", seed.Name, question.Encode())
					}
					if !strings.Contains(page, `id="picture"`) {
						t.Errorf("%s %s: neither a figure nor a reason", seed.Name, question.Encode())
					}
				}
				question.Set(choice[1], usual)
			}
		}
	}
	if asked < 100 {
		t.Errorf("only %d questions", asked)
	}
}

// pageAt is a page that is there, whatever leads to it.
func (s *service) pageAt(t testing.TB, path string) string {
	t.Helper()
	response, err := http.Get(s.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v\n%s", path, response.StatusCode, err, body)
	}
	return string(body)
}

// What a change shows adds up to it, on every seed and measure, and on the level below each contributor.
func TestExplorer_ChangesOfSeedsAddUp(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	checked := 0
	for _, address := range []string{
		"/explore/example-croatia?drilldown=func1_code&cut=Year:2019", "/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&aggregates=executed_value.sum",
		"/explore/example-mexico?drilldown=GPO_FUNCIONAL&cut=CICLO:2018", "/explore/example-mexico?drilldown=ID_RAMO&cut=CICLO:2013",
		"/explore/example-dominicana?drilldown=economica_titulo&cut=periodo:2021", "/explore/example-costa-rica-egresos?drilldown=titulo_codigo&cut=ejercicio:2020",
	} {
		page := s.pageAt(t, address+"&_view=change")
		marks := checkChange(t, address, page)
		for _, mark := range marks {
			if below := html.UnescapeString(mark[1]); strings.Contains(below, "_view=change") {
				if below := s.pageAt(t, strings.TrimPrefix(below, "..")); strings.Contains(below, `class="small"`) {
					checkChange(t, mark[1], below)
					checked++
				}
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d levels below", checked)
	}
}

var (
	changeMark   = regexp.MustCompile(`<a href="([^"]*)"><title>([^<]*)</title>`)
	changeAmount = regexp.MustCompile(`.*: \+?(−?[\d,.]+)( \(|$)`)
)

// checkChange adds up the marks of the figure for phones in a page, and gives them.
func checkChange(t testing.TB, address, page string) [][]string {
	t.Helper()
	_, figure, ok := strings.Cut(page, `<div class="small">`)
	figure, _, _ = strings.Cut(figure, "</svg>")
	marks := changeMark.FindAllStringSubmatch(figure, -1)
	if !ok || len(marks) < 3 {
		t.Errorf("%s: no change", address)
		return nil
	}
	sum := decimal.Zero
	for i, mark := range marks {
		match := changeAmount.FindStringSubmatch(html.UnescapeString(mark[2]))
		if match == nil {
			t.Fatalf("%s: %q", address, mark[2])
		}
		amount := decimal.RequireFromString(strings.NewReplacer(",", "", "−", "-").Replace(match[1]))
		if i == len(marks)-1 {
			amount = amount.Neg()
		}
		sum = sum.Add(amount)
	}
	if !sum.IsZero() {
		t.Errorf("%s: %s too much", address, sum)
	}
	return marks
}

// The sentences about execution have the numbers that the API answers with.
func TestExplorer_TellsTheNumbersOfTheAPI(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	for _, tt := range []struct{ page, question, sum, sentence string }{
		{"example-croatia?lang=en", "cut=Year:2019|!econ1_code:5", "executed_value", "<p>Of what was approved for 2019, 88.0% was spent according to these data: 250.0 billion kuna, exactly %s. <a "},
		{"example-costa-rica-ingresos?lang=en", "cut=ejercicio:2019", "de_monto", "97.5% was received according to these data: 1.70 trillion colones, exactly %s. <a "},
	} {
		var answer struct{ Summary map[string]string }
		name, _, _ := strings.Cut(tt.page, "?")
		s.read(t, "/cubes/"+name+"/aggregate?numbers=string&aggregates="+tt.sum+".sum&"+tt.question, &answer)
		marks := strings.NewReplacer(",", "", ".", "")
		page := marks.Replace(s.pageAt(t, "/explore/"+tt.page))
		if want := marks.Replace(strings.Replace(tt.sentence, "%s", answer.Summary[tt.sum+".sum"], 1)); !strings.Contains(page, want) {
			t.Errorf("%s does not say %s", tt.page, want)
		}
	}
}

// Scripts show a number above its view, copy, type ahead, and keep the old view where the new one is late or cannot be had.
func TestExplorer_Scripts(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	server.settles(t)
	j := &journalist{startChromium(t), "mouse"}
	j.screen(t, 1280, false)
	view := server.url + "/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&lang=en"
	j.goTo(t, view)
	is := func(what, expression string) {
		t.Helper()
		eventually(t, what, patience, func() (so bool) {
			j.run(t, "!!("+expression+")", &so)
			return so
		})
	}

	j.use(t, ".menu-split summary")
	is("a menu opens", `document.querySelector(".menu-split[open]")`)
	j.use(t, ".menu-ways summary")
	is("another takes its place", `document.querySelector(".menu-ways[open]") && !document.querySelector(".menu-split[open]")`)
	j.press(t, "Escape", 27, "")
	is("Escape closes it", `!document.querySelector(".menu[open]") && document.activeElement.closest(".menu-ways")`)
	is("what can be copied has a button, and nothing else",
		`document.querySelectorAll(".copy").length === 2 && document.querySelector("main textarea + .copy") && document.querySelector("main a[href*='version='] + .copy")`)
	j.run(t, `navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }; document.querySelector("main a[href*='version='] + .copy").click()`, nil)
	is("the permanent link is copied, and not followed", `window.copied === document.querySelector("main a[href*='version=']").href && location.href === "`+view+`"`)
	j.use(t, ".bars .amount a")
	is("a number opens above its view", `document.querySelector("dialog[open] h1") && location.pathname.endsWith("/number") && document.querySelector("main .bars")`)
	var links struct{ View, Dialog, Number string }
	j.run(t, `({view: document.querySelector("main .years a").href, dialog: document.querySelector("dialog a[href*=lines]").href, number: location.href})`, &links)
	for _, link := range []string{links.View, links.Dialog} {
		readPage(t, link)
	}
	j.run(t, `document.querySelector("dialog blockquote + .copy").focus()`, nil)
	j.press(t, "Enter", 13, "\r")
	is("the citation is copied", `document.querySelector("dialog blockquote + .copy").textContent === "Copied"`)
	j.run(t, `navigator.clipboard && (navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))); document.execCommand = () => false; document.querySelector("dialog blockquote + .copy").click()`, nil)
	is("a copy that is refused is said to be", `document.getElementById("status").textContent.startsWith("The browser does not allow copying") && getSelection().toString().includes("Source: ")`)
	const cite = `document.querySelector("#cite").getBoundingClientRect()`
	j.run(t, `document.querySelector("dialog").scrollTo(0, 0)`, nil)
	j.use(t, "dialog a[href$='#cite']")
	is("the citation comes into sight above the view", `document.querySelector("dialog[open]") && `+cite+`.top >= document.querySelector("dialog .closing").getBoundingClientRect().bottom && `+cite+`.bottom <= innerHeight`)
	j.press(t, "Escape", 27, "")
	is("Escape leads back to the view", `!document.querySelector("dialog") && location.href === "`+view+`" && document.activeElement.closest(".bars .amount")`)
	j.use(t, ".bars .amount a")
	is("it opens again", `document.querySelector("dialog[open]")`)
	j.back(t)
	is("Back closes it too", `!document.querySelector("dialog") && location.href === "`+view+`"`)

	j.goTo(t, links.Number)
	j.run(t, `document.querySelector("main").dataset.kept = "yes"`, nil)
	j.use(t, "main a[href$='#cite']")
	is("the citation comes into sight on a page of its own", `location.hash && `+cite+`.top >= 0 && `+cite+`.bottom <= innerHeight`)
	j.back(t)
	is("Back stays on it", `!location.hash && document.querySelector("main").dataset.kept`)

	for _, drawn := range []string{"bars", "treemap", "line", "change", "sankey"} {
		j.goTo(t, server.url+"/explore/example-croatia?drilldown=admin1_code|func1_code&cut=Year:2018&lang=en&_view="+drawn)
		j.use(t, "main a[href*='/number?']")
		is("a number opens above "+drawn, `document.querySelector("dialog[open] h1") && document.querySelector("main svg a")`)
		var link string
		j.run(t, `new URL(document.querySelector("main svg a").getAttribute("href"), location.href).href`, &link)
		readPage(t, link)
	}
	j.goTo(t, view)

	j.use(t, "#q")
	j.call(t, "Input.insertText", map[string]any{"text": "minist"}, nil)
	is("hits stand below the search box", `document.querySelectorAll("#ahead a[href*=explore]").length > 2`)
	is("each says what it is, and that it is made up", `Array.from(document.querySelectorAll("#ahead > li:not(:last-child)"), (hit) => hit.innerText).every((text) => /\n\S.* · .*made up/.test(text))`)
	is("the best hits come first, of whatever group", `Array.from(document.querySelectorAll("#ahead > li:not(:last-child)"), (hit) => hit.dataset.rank).join() === "1,2,3,4,5,6"`)
	is("it looks in the budget of the page", `document.querySelectorAll("#ahead a[href*='explore/example-croatia']").length === document.querySelectorAll("#ahead > li").length - 1`)
	var ahead struct{ Text, Link string }
	j.run(t, `(({ textContent, href }) => ({ text: textContent, link: href }))(document.querySelector("#ahead > li:last-child a"))`, &ahead)
	if found, _ := readPage(t, ahead.Link); !strings.Contains(ahead.Text, "hits for “minist”") || !strings.Contains(found, ahead.Text) {
		t.Errorf("the last hit, %q, leads to another page", ahead.Text)
	}
	j.press(t, "ArrowDown", 40, "")
	var hit string
	j.run(t, `document.activeElement.href`, &hit)
	readPage(t, hit)
	j.press(t, "Escape", 27, "")
	is("Escape leads back to the box", `!document.getElementById("ahead") && document.activeElement.id === "q"`)

	network := func(offline bool, latency int) {
		t.Helper()
		j.call(t, "Network.emulateNetworkConditions", map[string]any{"offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
	}
	network(false, 1500)
	j.use(t, ".years a[data-key=ArrowLeft]")
	is("a slow page is said to be loading above the old view", `document.documentElement.getAttribute("aria-busy") && document.getElementById("status").textContent.startsWith("Loading") && location.href === "`+view+`" && document.querySelector(".bars")`)
	is("and comes", `location.href.includes("Year:2017") && !document.documentElement.hasAttribute("aria-busy")`)
	j.staysWithin(t, server.url)

	network(true, 0)
	j.use(t, ".years a[data-key=ArrowLeft]")
	is("without a connection the view stays", `document.querySelector("#notice button") && document.querySelector(".bars") && location.href.includes("Year:2017")`)
	network(false, 0)
	is("what was asked comes with the connection", `!document.getElementById("notice") && location.href.includes("Year:2016")`)
}

// The arrows of the keyboard lead to the year before and after, unless a box for texts or a table that moves sideways has the focus.
func TestExplorer_ArrowKeysLeadToOtherYears(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	j := &journalist{startChromium(t), "keyboard"}
	j.goTo(t, server.url+"/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&lang=en")
	isOf := func(year string) {
		t.Helper()
		eventually(t, "the view of "+year, patience, func() (so bool) {
			j.run(t, `location.search.includes("Year:`+year+`") && document.querySelector(".years a[aria-current]").textContent === "`+year+`"`, &so)
			return so
		})
	}
	j.press(t, "ArrowLeft", 37, "")
	isOf("2017")
	j.press(t, "ArrowLeft", 37, "")
	isOf("2016")
	j.press(t, "ArrowLeft", 37, "") // there is no year before
	j.press(t, "ArrowRight", 39, "")
	isOf("2017")
	j.run(t, `document.querySelector(".folded").open = true`, nil)
	for _, within := range []string{"#q", ".scroll"} {
		j.run(t, `document.querySelector("`+within+`").focus()`, nil)
		j.press(t, "ArrowRight", 39, "")
	}
	j.run(t, `document.activeElement.blur()`, nil)
	isOf("2017")
	j.press(t, "ArrowRight", 39, "")
	isOf("2018")
}

// A page that was refused since too many came asks once more, when it may.
func TestExplorer_AsksAgainAfterWaiting(t *testing.T) {
	t.Parallel()
	server := serveCroatia(t, freshDuckDB(t), "--rate", "2")
	b := startChromium(t)
	b.goTo(t, server.url+"/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&lang=en")
	crowd, leave := context.WithCancel(t.Context())
	var gone sync.WaitGroup
	gone.Go(func() {
		for crowd.Err() == nil {
			if response, err := http.Get(server.url + "/cubes"); err == nil {
				_ = response.Body.Close()
			}
		}
	})
	defer gone.Wait()
	defer leave()
	eventually(t, "others use up what may be asked", patience, func() bool {
		status, _ := server.get(t, "/cubes")
		return status == http.StatusTooManyRequests
	})
	b.run(t, `document.querySelector(".years a[data-key=ArrowLeft]").click()`, nil)
	main := func() (text string) {
		b.run(t, `document.querySelector("main").textContent`, &text)
		return text
	}
	eventually(t, "the page counts down", patience, func() bool { return strings.Contains(main(), "Asks again in ") })
	leave()
	eventually(t, "the view comes by itself", patience, func() bool { return strings.Contains(main(), "Ministarstvo") })
}

// A slow phone: its processor is four times slower than this machine, and its network carries 1.6 Mbit/s, or hardly anything.
const (
	slowerBy       = 4
	bytesPerSecond = 1_600_000 / 8
	hardlyAnything = 100_000 / 8 // styles, scripts and pages come one after the other
)

// mostShift is by how much what is seen may move while a page comes (web.dev/cls).
const mostShift = 0.02

// What is seen on a slow phone comes at once and then stays in its place, also when a number or the next level is opened. How long it
// takes is told and not judged: it depends on what else the machine does.
func TestExplorer_SpeedOfASlowPhone(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	server := seeded.onDuckDB(t)
	server.settles(t)
	j := &journalist{startChromium(t), "mouse"}
	j.call(t, "Emulation.setCPUThrottlingRate", map[string]any{"rate": slowerBy}, nil)
	network := func(bytesPerSecond int) {
		j.call(t, "Network.emulateNetworkConditions", map[string]any{
			"offline": false, "latency": 0, "downloadThroughput": bytesPerSecond, "uploadThroughput": bytesPerSecond,
		}, nil)
	}
	const view = "/explore/example-croatia?drilldown=admin1_code&cut=Year:2018"
	for _, width := range []int{360, 1280} {
		j.screen(t, width, false)
		network(hardlyAnything)
		j.paints(t, server, view)
		network(bytesPerSecond)
		for _, path := range []string{"/", "/?q=salud", "/explore/example-croatia", view, view + "&_view=treemap", "/explore/example-croatia/number?cut=Year:2018"} {
			j.paints(t, server, path)
		}
		j.goTo(t, server.url+"/explore/example-mexico?drilldown=ID_RAMO&cut=CICLO:2018&lang=en")
		for _, step := range []string{".bars .name a", ".bars .name a", ".bars .amount a"} {
			j.run(t, watchStep, nil)
			j.follow(t, step)
			var seen struct{ Took, Shift float64 }
			eventually(t, step+" is painted", patience, func() bool {
				j.run(t, `window.step`, &seen)
				return seen.Took > 0
			})
			t.Logf("%d px, %s: %.0f ms, shift %.3f", width, step, seen.Took, seen.Shift)
			if seen.Shift > mostShift {
				t.Errorf("%d px, %s: shift %.3f", width, step, seen.Shift)
			}
		}
	}
}

// paints opens a page for the first time, and checks that nothing moves in it. Where the machine is so busy that a table is painted
// before all its rows are there, its columns may move: what has to move does so again.
func (j *journalist) paints(t *testing.T, server *service, path string) {
	t.Helper()
	var seen struct {
		Width, Paint, Shift float64
		Moved               []string
	}
	for range 3 {
		j.call(t, "Network.clearBrowserCache", nil, nil)
		j.goTo(t, server.url+withLanguage(path, "en"))
		j.run(t, paintAndShift, &seen)
		t.Logf("%.0f px, %s: largest paint after %.0f ms, shift %.3f", seen.Width, path, seen.Paint, seen.Shift)
		if seen.Paint > 0 && seen.Shift <= mostShift {
			return
		}
	}
	t.Errorf("%.0f px, %s: largest paint after %.0f ms, shift %.3f:\n%s", seen.Width, path, seen.Paint, seen.Shift, strings.Join(seen.Moved, "\n"))
}

// paintAndShift gives when the largest part of a page was painted, and by how much parts moved until a while later.
const paintAndShift = `new Promise((resolve) => {
  const seen = { width: innerWidth, paint: 0, shift: 0, moved: [] };
  const watch = (type, see) => new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  watch("largest-contentful-paint", (entry) => (seen.paint = entry.startTime));
  watch("layout-shift", (entry) => {
    seen.shift += entry.hadRecentInput ? 0 : entry.value;
    const place = ({ x, y, width, height }) => [x, y, width, height].join(" ");
    for (const { node, previousRect, currentRect } of entry.sources) seen.moved.push((node?.outerHTML || node?.textContent || "").slice(0, 80) + ": " + place(previousRect) + " to " + place(currentRect));
  });
  setTimeout(() => resolve(seen), 500);
})`

// watchStep measures from the next click until what it leads to is painted. The script is then in the page, which stays.
const watchStep = `(() => {
  const step = (window.step = { took: 0, shift: 0 });
  addEventListener("click", (event) => {
    const changed = new MutationObserver(() => {
      changed.disconnect();
      requestAnimationFrame(() => setTimeout(() => (step.took = performance.now() - event.timeStamp)));
    });
    changed.observe(document.body, { childList: true });
  }, { capture: true, once: true });
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => (step.shift += entry.hadRecentInput ? 0 : entry.value))).observe({ type: "layout-shift" });
})()`

// Who looks around quickly is not refused by a server with the limit that its manual has, and each step is one request.
func TestExplorer_ManyDrills(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	const drills = 40
	server := serveCroatia(t, freshDuckDB(t), "--rate", "10")
	j := &journalist{startChromium(t), "mouse"}
	j.screen(t, 1280, false)
	j.goTo(t, server.url+"/explore/example-croatia?drilldown=admin1_code&cut=Year:2018&lang=en")
	for range drills {
		j.use(t, ".menu-split summary")
		j.leaves(t, "a drill", func() { j.use(t, `.menu-split a[href*="?drilldown="]:not([aria-current])`) })
	}
	j.staysWithin(t, server.url) // a refusal would stand in the console
	j.mu.Lock()
	defer j.mu.Unlock()
	pages := len(slices.DeleteFunc(j.asked, func(address string) bool { return !strings.Contains(address, "/explore/") }))
	if pages != 1+drills {
		t.Errorf("%d drills took %d pages", drills, pages)
	}
}

// explorerPages are pages of each kind.
var explorerPages = []string{
	"/", "/?q=salud", "/?q=salud+2011", "/?q=no+such+thing", "/explore/example-mexico", "/explore/example-costa-rica-egresos", "/explore/example-mexico/report", "/explore/example-dominicana/report", "/functions", "/functions?in=growth", "/functions?in=per-person&year=2018",
	"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017",
	"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=treemap", "/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=bars",
	"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=line", "/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=change",
	"/explore/example-croatia?drilldown=admin1_code|func1_code&cut=Year:2017&_view=sankey", "/explore/example-croatia/number?cut=Year:2017", "/explore/example-croatia/number?cut=Year:2017&_from=21",
	"/explore/example-croatia?drilldown=econ1_code&cut=Year:2018|admin1_code:010&_with=admin1_code:020&_beside=admin1_code",
	"/explore/example-croatia?cut=func1_code:07|Year:2017", "/explore/example-croatia?cut=Year:1900", "/explore/nowhere",
	"/explore/example-mexico?drilldown=ID_PP&cut=CICLO:2010", "/explore/example-mexico?drilldown=ID_AI&cut=CICLO:2010&rollup=1", // levels in several columns
	"/embed/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=treemap", "/?q=109291570", "/explore/example-croatia?drilldown=admin1_cod",
}

// Readers who see little or nothing, or use no mouse, meet no obstacle on the pages, on narrow and wide screens, light and dark.
func TestExplorer_HasNoObstacles(t *testing.T) {
	t.Parallel()
	testrequire.Long(t)
	axe := sure(os.ReadFile(filepath.Join(withModules(t), "node_modules/axe-core/axe.min.js")))
	server := seeded.onDuckDB(t)
	server.settles(t)
	twice := serveCroatiaTwice(t)
	var pages []string
	for _, page := range append([]string{server.linesPage(t)}, explorerPages...) {
		pages = append(pages, server.url+page)
	}
	for _, pinned := range []string{"?drilldown=admin1_code&cut=Year:2019&version=1", "/number?cut=Year:2019|admin2_code:02005&version=1"} {
		pages = append(pages, twice.url+"/explore/example-croatia"+pinned)
	}
	for _, screen := range []struct {
		width int
		dark  bool
		langs []string // words are too long on phones first, and colours are those of every language
	}{{320, false, []string{"en", "es", "hr"}}, {1600, false, []string{"en"}}, {1600, true, []string{"en"}}} {
		t.Run(fmt.Sprintf("%d px, dark: %v", screen.width, screen.dark), func(t *testing.T) {
			t.Parallel()
			b := startChromium(t)
			b.screen(t, screen.width, screen.dark)
			for _, page := range pages {
				for _, lang := range screen.langs {
					b.hasNoObstacles(t, withLanguage(page, lang), string(axe), screen.width, screen.dark)
				}
			}
		})
	}
}

// hasNoObstacles lets axe look for obstacles on a page, which has to fit on the screen.
func (b *chromium) hasNoObstacles(t *testing.T, page, axe string, width int, dark bool) {
	t.Helper()
	b.goTo(t, page)
	b.run(t, axe+";0", nil)
	var found struct {
		Address    string
		Dark       bool
		Wide       int
		Passes     int
		Fewest     int
		Violations []string
	}
	b.run(t, lookForObstacles, &found)
	if found.Dark != dark || found.Passes < found.Fewest || !strings.HasSuffix(found.Address, page) {
		t.Errorf("%s: at %s dark is %v, %d rules are kept", page, found.Address, found.Dark, found.Passes)
	}
	if found.Wide > width {
		t.Errorf("%s: %d px wide on a screen of %d", page, found.Wide, width)
	}
	if len(found.Violations) > 0 {
		t.Errorf("%s:\n%s", page, strings.Join(found.Violations, "\n"))
	}
}

// lookForObstacles opens what is folded and runs axe with all its rules, also those for targets of 24 px. Dark pages differ from light ones by
// their colours, and those in another language by how long words are, so that only the rules about these are run there.
const lookForObstacles = `(async () => {
  for (const folded of document.querySelectorAll("details")) {
    if (innerWidth < 900) folded.removeAttribute("name"); // menus that lie beside each other, not above
    folded.open = true;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const only = dark ? ["color-contrast"] : document.documentElement.lang.startsWith("en") ? null : ["target-size"];
  const { violations, passes } = await axe.run({ resultTypes: ["violations"], ...(only ? { runOnly: only } : { rules: { "target-size": { enabled: true } } }) });
  return {
    fewest: only ? Number(dark) : 15,
    address: location.href,
    dark,
    wide: document.documentElement.scrollWidth,
    passes: passes.length,
    violations: violations.map(({ id, nodes }) => id + " " + nodes.length + ": " +
      nodes.slice(0, 3).map((n) => n.target.join() + ": " + [...n.any, ...n.all, ...n.none].map((c) => c.message).join("; ")).join("\n  ")),
  };
})()`

// On a phone the first amount of each row of a table is whole without moving the table sideways, and no short cell is broken in two. Each amount
// beside a bar is whole, in one line.
func TestExplorer_AmountsAreWholeOnPhones(t *testing.T) {
	server, b := onScreen(t, 320)
	for _, page := range []string{
		"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017", "/explore/example-costa-rica-ingresos?drilldown=titulo_codigo&cut=ejercicio:2019",
		"/explore/example-croatia/number?cut=Year:2017", server.linesPage(t),
	} {
		b.goTo(t, server.url+page)
		var found struct{ Rows, Cut, Broken, Bars, Short int }
		b.run(t, `(() => {
  for (const folded of document.querySelectorAll(".folded")) folded.open = true;
  const bars = Array.from(document.querySelectorAll(".bars .amount")).filter((amount) => amount.textContent !== "no data");
  const isWhole = (amount) => { const at = (amount.querySelector("a") ?? amount).getBoundingClientRect(); return at.width > 0 && at.right <= amount.parentElement.getBoundingClientRect().right + 1 && at.height < 40; };
  const rows = Array.from(document.querySelectorAll(".scroll tbody tr"));
  const right = document.querySelector(".scroll").getBoundingClientRect().right;
  return {
    rows: rows.length,
    bars: bars.filter(isWhole).length,
    short: bars.filter((amount) => !isWhole(amount)).length,
    cut: rows.filter((row) => row.querySelector("td.number")?.getBoundingClientRect().right > right + 1).length,
    broken: Array.from(document.querySelectorAll(".lines td, .lines tbody th")).filter((cell) => /^\S{1,8}$/.test(cell.textContent) &&
      Array.from((cell.querySelector("a") ?? cell).childNodes).some((text) => { const range = document.createRange(); range.selectNode(text); return range.getClientRects().length > 1; })).length,
  };
})()`, &found)
		if hasBars := !strings.Contains(page, "/lines/"); found.Rows == 0 || found.Cut > 0 || found.Broken > 0 || hasBars && found.Bars < 2 || found.Short > 0 {
			t.Errorf("%s: of %d rows %d have an amount that is cut off, and of %d bars %d; %d short cells are broken", page, found.Rows, found.Cut, found.Bars+found.Short, found.Short, found.Broken)
		}
	}
}

// On a screen of usual width no table has to be moved sideways, names take no more lines than two, and what is compared stands above what
// leads elsewhere.
func TestExplorer_TablesFitOnScreens(t *testing.T) {
	server, b := onScreen(t, 1200)
	for page, most := range map[string]int{
		"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017":                                      2,
		"/explore/example-croatia?drilldown=admin1_code&cut=Year:2017&_view=change":                         2,
		"/explore/example-uruguay?drilldown=UE_ID&cut=ANO:2019":                                             2,
		"/explore/example-croatia?drilldown=econ1_code&cut=Year:2018|admin1_code:080&_with=admin1_code:102": 2,
		"/explore/example-mexico?drilldown=ID_CAPITULO&cut=CICLO:2018|ID_RAMO:4&_with=ID_RAMO:9":            2,
	} {
		b.goTo(t, server.url+withLanguage(page, "en"))
		var found struct {
			Rows, Beyond int
			Lines        int
			First        bool
		}
		b.run(t, `(() => {
  for (const folded of document.querySelectorAll(".folded")) folded.open = true;
  const box = document.querySelector(".scroll"), controls = document.querySelector(".columns.one .controls");
  const names = Array.from(box.querySelectorAll("tbody th > a"));
  return {
    rows: names.length,
    beyond: box.scrollWidth - box.clientWidth,
    lines: Math.max(...names.map((name) => Math.round(name.getBoundingClientRect().height / parseFloat(getComputedStyle(name).lineHeight)))),
    first: !controls || box.getBoundingClientRect().bottom <= controls.getBoundingClientRect().top,
  };
})()`, &found)
		if found.Rows == 0 || found.Beyond > 0 || found.Lines == 0 || found.Lines > most || !found.First {
			t.Errorf("%s: %+v", page, found)
		}
	}
}

// On a phone the lines around a line move sideways beside their numbers, which stay, and lead to the fields of each.
func TestExplorer_LinesKeepTheirNumbersInSight(t *testing.T) {
	server, b := onScreen(t, 360)
	b.goTo(t, server.url+server.linesPage(t))
	var found struct {
		Moved          float64
		Lines, Covered int
		Linked, Widest int
	}
	b.run(t, `(() => {
  const box = document.querySelector(".scroll"), numbers = Array.from(document.querySelectorAll(".lines tr > :first-child"));
  box.scrollIntoView();
  box.scrollLeft = 500;
  const left = box.getBoundingClientRect().left;
  const isSeen = (cell) => { const at = cell.getBoundingClientRect(); return at.left - left < 1 && document.elementFromPoint(at.left + 3, at.top + 5)?.closest("th") === cell; };
  return {
    moved: box.scrollLeft,
    lines: numbers.length - 1,
    covered: numbers.filter((cell) => cell.getBoundingClientRect().top < innerHeight - 10 && !isSeen(cell)).length,
    linked: document.querySelectorAll(".lines tbody th a").length,
    widest: Math.max(...numbers.map((cell) => cell.offsetWidth)),
  };
})()`, &found)
	if found.Moved != 500 || found.Lines < 10 || found.Covered > 0 || found.Linked != found.Lines-1 || found.Widest > 80 {
		t.Errorf("%+v", found)
	}
}

// screens are a laptop's and a phone's: width and height.
var screens = map[int]float64{1200: 800, 390: 844}

// The first screen of the start page has a picture, on a laptop and on a phone. A card leads to its budget wherever it is clicked.
func TestExplorer_BeginsWithAPicture(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	b := startChromium(t)
	for width, height := range screens {
		b.screen(t, width, false)
		for _, lang := range []string{"en", "es", "fr", "hr", "pt"} {
			b.goTo(t, server.url+"/?lang="+lang)
			var seen struct {
				Ends  float64
				Leads bool
			}
			b.run(t, `(() => {
  const card = document.querySelector(".cards > li:has(.strip)"), strip = card.querySelector(".strip").getBoundingClientRect();
  return { ends: strip.bottom, leads: document.elementFromPoint(strip.x + 9, strip.y + 9) === card.querySelector("h3 a") };
})()`, &seen)
			if seen.Ends > height || !seen.Leads {
				t.Errorf("%d px, in %s: the first picture ends at %.0f px, and leads to its budget: %v", width, lang, seen.Ends, seen.Leads)
			}
		}
	}
	for _, seed := range seeds.All() {
		b.beginsWithAPicture(t, server.url+"/explore/"+seed.Name)
	}
}

// So has that of each budget as it was published.
func TestRealData_BudgetsBeginWithAPicture(t *testing.T) {
	t.Parallel()
	server := realCubes.onDuckDB(t)
	b := startChromium(t)
	var list struct{ Cubes []struct{ Name string } }
	server.read(t, "/cubes", &list)
	if len(list.Cubes) < 5 {
		t.Errorf("there are %d budgets", len(list.Cubes))
	}
	for _, cube := range list.Cubes {
		b.beginsWithAPicture(t, server.url+"/explore/"+cube.Name)
	}
}

// beginsWithAPicture checks that the first screen of a budget has 120 pixels of a picture, which are a bar with its name and amount, or the whole of a lower one.
func (b *chromium) beginsWithAPicture(t *testing.T, budget string) {
	t.Helper()
	for width, height := range screens {
		b.screen(t, width, false)
		b.goTo(t, budget)
		var picture struct{ Top, Bottom float64 }
		b.run(t, `(() => {
  const seen = Array.from(document.querySelectorAll("figure svg, figure .bars, figure .strip")).find((one) => one.getClientRects().length);
  const { top = innerHeight, bottom = innerHeight } = seen?.getBoundingClientRect() ?? {};
  return { top, bottom };
})()`, &picture)
		if min(picture.Bottom, height)-picture.Top < min(120, picture.Bottom-picture.Top) || picture.Bottom == picture.Top {
			t.Errorf("%s, %d px: the first picture is at %.0f to %.0f px of %.0f", budget, width, picture.Top, picture.Bottom, height)
		}
	}
}

// Hints in boxes are not cut off on phones.
func TestExplorer_HintsFitOnPhones(t *testing.T) {
	server, b := onScreen(t, 360)
	for _, lang := range []string{"en", "es", "hr"} {
		for page, boxes := range map[string][]string{
			"/": {"q"}, "/explore/example-croatia?drilldown=admin2_code&cut=admin1_code:020|Year:2017": {"q", "_find", "_like"},
		} {
			b.goTo(t, server.url+withLanguage(page, lang))
			var found struct{ Boxes, Cut []string }
			b.run(t, `(() => {
  for (const folded of document.querySelectorAll("details")) { folded.removeAttribute("name"); folded.open = true; }
  const boxes = Array.from(document.querySelectorAll("input[placeholder]"));
  const isCut = (box) => {
    const style = getComputedStyle(box), canvas = document.createElement("canvas").getContext("2d");
    canvas.font = style.font;
    return canvas.measureText(box.placeholder).width > box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  };
  return { boxes: boxes.map((box) => box.name), cut: boxes.filter(isCut).map((box) => box.placeholder) };
})()`, &found)
			if !slices.Equal(found.Boxes, boxes) || len(found.Cut) > 0 {
				t.Errorf("%s in %s: of the boxes %q, want %q, the hints are cut off: %q", page, lang, found.Boxes, boxes, found.Cut)
			}
		}
	}
}

// On phones the controls are closed, but not while they have what was looked for, which then is in sight.
func TestExplorer_WhatWasFoundIsInSightOnPhones(t *testing.T) {
	server, b := onScreen(t, 360)
	const found = `(() => {
  const list = document.querySelector("[data-found]"), box = list?.getBoundingClientRect();
  return { closed: !document.querySelector(".controls").open, links: list?.querySelectorAll("a").length ?? 0, seen: !!list && box.top >= 0 && box.top < innerHeight };
})()`
	for _, form := range []struct{ box, level, word string }{{"_like", "admin1_code", "ministarstvo"}, {"_find", "econ1_code", "rashodi"}} {
		b.goTo(t, server.url+"/explore/example-croatia?drilldown=admin2_code&cut=admin1_code:020|Year:2017&lang=en")
		var at struct {
			Closed, Seen bool
			Links        int
		}
		b.run(t, found, &at)
		if !at.Closed || at.Links > 0 {
			t.Errorf("before %s: %+v", form.box, at)
		}
		b.run(t, "document.querySelector('.controls').open = true; const box = document.querySelector('input[name="+form.box+"]'); box.value = '"+form.word+"'; box.form.querySelector('select').value = '"+form.level+"'; box.form.requestSubmit()", nil)
		eventually(t, "members are found", patience, func() (so bool) {
			b.run(t, `!!document.querySelector("[data-found]")`, &so)
			return so
		})
		b.run(t, found, &at)
		if at.Closed || at.Links == 0 || !at.Seen {
			t.Errorf("after %s: %+v", form.box, at)
		}
	}
}

// A long filter breaks between the words of its level and of its members, not within them.
func TestExplorer_FiltersKeepTheirWordsWhole(t *testing.T) {
	server, b := onScreen(t, 1200)
	b.goTo(t, server.url+"/explore/example-paraguay?cut=codigoNivel:12|codigoEntidad:3|codigoUnidadResponsable:2|anio:2017&lang=en")
	var found struct {
		Words  int
		Broken []string
	}
	b.run(t, `(() => {
  const broken = [];
  let words = 0;
  for (const level of document.querySelectorAll(".chips .level, .chips .members")) {
    for (const { 0: word, index } of level.textContent.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(level.firstChild, index);
      range.setEnd(level.firstChild, index + word.length);
      words++;
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return { words, broken };
})()`, &found)
	if found.Words < 6 || len(found.Broken) > 0 {
		t.Errorf("of %d words %q are broken", found.Words, found.Broken)
	}
}

// onScreen serves the seeds to a browser on a screen of so many pixels.
func onScreen(t *testing.T, width int) (*service, *chromium) {
	t.Parallel()
	b := startChromium(t)
	b.screen(t, width, false)
	return seeded.onDuckDB(t), b
}

// linesPage is a page of lines of a published file.
func (s *service) linesPage(t *testing.T) string {
	t.Helper()
	_, links := readPage(t, s.url+"/explore/example-croatia/number?cut=Year:2017")
	for _, link := range links {
		if strings.Contains(link, "/lines/") {
			return strings.TrimPrefix(link, s.url)
		}
	}
	t.Fatal("the number has no lines")
	return ""
}

// withLanguage asks for a page in a language.
func withLanguage(page, lang string) string {
	if strings.Contains(page, "?") {
		return page + "&lang=" + lang
	}
	return page + "?lang=" + lang
}

// A long table comes in pieces. Its columns of numbers are where they stay as soon as its head is there.
func TestExplorer_ColumnsStayWhereTheyAre(t *testing.T) {
	server, b := onScreen(t, 1280)
	for _, view := range []string{"example-mexico?drilldown=ID_RAMO&cut=CICLO:2018", "example-croatia?drilldown=activity3_code&cut=Year:2018", "example-croatia?drilldown=Year"} {
		b.goTo(t, server.url+"/explore/"+view+"&lang=en&_view=table")
		var moved struct {
			Rows   int
			Before []float64
			After  []float64
		}
		b.run(t, `(() => {
  const places = () => Array.from(document.querySelectorAll("table.cells thead th.number"), (head) => head.getBoundingClientRect().left);
  const rows = Array.from(document.querySelectorAll("table.cells tbody tr, table.cells tfoot tr"));
  const after = places();
  for (const row of rows.slice(1)) row.remove();
  return { rows: rows.length, before: places(), after };
})()`, &moved)
		if moved.Rows < 4 || len(moved.After) == 0 || slices.Max(moved.After) == 0 || !slices.Equal(moved.Before, moved.After) {
			t.Errorf("%s: of %d rows, the columns are at %v with the first one and at %v with all", view, moved.Rows, moved.Before, moved.After)
		}
	}
}
