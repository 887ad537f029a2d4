package e2e

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/words"
	"fiscube/internal/testrequire"
	"fiscube/seeds"
)

// pagePolicy is what pages may load: nothing of other hosts, and nothing written into the page.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

var (
	// loaded matches what a page links, loads and sends forms to.
	loaded    = regexp.MustCompile(`<(a|link|script|img|form|iframe)\s[^>]*?(?:href|src|action)="([^"]*)"`)
	tableRow  = regexp.MustCompile(`(?s)<tr[^>]*>(.*?)</tr>`)
	tableHead = regexp.MustCompile(`(?s)<th[^>]* scope="col" class="number"[^>]*>(.*?)</th>`)
	tableCell = regexp.MustCompile(`(?s)<td class="number[^"]*"[^>]*>(.*?)</td>`)
	markup    = regexp.MustCompile(`(?s)<[^>]*>`)
	amounts   = map[bool]*regexp.Regexp{ // with points between thousands, or with commas
		true: regexp.MustCompile(`^[+-]?\d{1,3}(\.\d{3})*(,\d+)?$`), false: regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})*(\.\d+)?$`),
	}
)

// All pages near the start page of each seed answer, lead to no other host, and show tables whose rows add up to their total.
func TestExplorer_PagesAddUp(t *testing.T) {
	server := seeded.onDuckDB(t)
	most := testrequire.Share(10, 40) // those nearest to the start page first
	for _, seed := range seeds.All() {
		name := seed.Name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var model struct{ Snapshots struct{ By string } }
			server.read(t, "/cubes/"+name+"/model", &model)
			statements := cmp.Or(model.Snapshots.By, "none")
			seen, todo, sums := map[string]bool{}, []string{server.url + "/?lang=en"}, 0
			for len(todo) > 0 && len(seen) < most {
				address := todo[0]
				todo = todo[1:]
				if seen[address] {
					continue
				}
				seen[address] = true
				page, links := readPage(t, address)
				if drilled := sure(url.Parse(address)).Query().Get("drilldown"); slices.Contains(strings.Split(drilled, "|"), statements) {
					says(t, page, `<div class="noted"`) // the total counts the last statement alone
				} else {
					pictures, _ := picturesAddUp(t, address, page)
					sums += addsUpAsWritten(t, address, page) + pictures
				}
				for _, link := range links {
					if u, err := url.Parse(link); err == nil && (u.Path == "/explore/"+name || strings.HasPrefix(u.Path, "/explore/"+name+"/")) {
						u.Fragment = ""
						todo = append(todo, u.String())
					}
				}
			}
			if len(seen) < most || sums < most/3 {
				t.Errorf("%d pages with %d sums are few", len(seen), sums)
			}
		})
	}
}

var (
	strongExactly = regexp.MustCompile(`<span class="exactly">\S+ (?:<b>)?(\S+?)[ <]`)
	openedNumber  = regexp.MustCompile(`<a href="([^"]*/number\?[^"]*)" title="([^"]*)">[^<]*</a>`)
	proofOfNumber = regexp.MustCompile(`</span><a href="([^"]*/number\?[^"]*)">`)
	isPart        = regexp.MustCompile(`<ul class="choices pages">`) // of the rows
	barsOfYears   = regexp.MustCompile(`(?s)<figcaption data-of="(?:years|changed)">.*?(?:</ol>)`)
	barList       = regexp.MustCompile(`(?s)<ol class="bars">(.*?)</ol>(?:<p class="rest"><a href="([^"]*)">)?`)
)

// The members in each picture of the page of a budget add up to its number, with the rest that the picture leads to, and each number leads to
// its page.
func TestExplorer_OverviewsAddUp(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	for _, seed := range seeds.All() {
		for _, lang := range []string{"en", "es", "hr"} {
			address := server.url + "/explore/" + seed.Name + "?lang=" + lang
			page, _ := readPage(t, address)
			number, proof := strongExactly.FindStringSubmatch(page), proofOfNumber.FindStringSubmatch(page)
			if number == nil || proof == nil {
				t.Fatalf("%s has no number: %s", address, page)
			}
			opened := [][]string{{"", proof[1], number[1]}}
			pictures, amounts := picturesAddUp(t, address, page)
			opened = append(opened, amounts...)
			if pictures == 0 || len(opened) < 4 {
				t.Errorf("%s: %d pictures, and only %d numbers have a page", address, pictures, len(opened))
			}
			if lang != "en" {
				opened = opened[:min(3, len(opened))]
			}
			for _, link := range opened {
				shown, _ := readPage(t, sure(sure(url.Parse(address)).Parse(html.UnescapeString(link[1]))).String())
				if exactly := strongExactly.FindStringSubmatch(shown); exactly == nil || exactly[1] != link[2] {
					t.Errorf("%s: the page of %s shows %q", address, link[2], exactly)
				}
			}
		}
	}
}

// picturesAddUp adds up the bars in the pictures of a page or, where those are not all, the members that each leads to, and gives how many pictures there are and the links to
// their numbers. The years of a budget are no parts of the number of one, and nor is what changed.
func picturesAddUp(t *testing.T, address, page string) (pictures int, opened [][]string) {
	t.Helper()
	number := strongExactly.FindStringSubmatch(page)
	if isPart.MatchString(page) || isRounded(address) {
		return 0, nil
	}
	for _, picture := range barList.FindAllStringSubmatch(barsOfYears.ReplaceAllString(page, ""), -1) {
		rows, sum := openedNumber.FindAllStringSubmatch(picture[1], -1), decimal.Zero
		for _, row := range rows {
			sum = sum.Add(amountOn(t, address, page, row[2]))
		}
		if picture[2] != "" {
			all := sure(sure(url.Parse(address)).Parse(html.UnescapeString(picture[2]))).String()
			allPage, _ := readPage(t, all)
			for _, row := range rows {
				says(t, allPage, row[2])
			}
			sum = sumsOfPages(t, all, allPage)[0]
		}
		if want := amountOn(t, address, page, number[1]); !sum.Equal(want) {
			t.Errorf("%s: %d bars, or all members, %s, add up to %s, the number is %s", address, len(rows), picture[2], sum, want)
		}
		pictures, opened = pictures+1, append(opened, rows...)
	}
	return pictures, opened
}

// Members of each seed side by side: what a view finds to compare its member with leads to rows that add up.
func TestExplorer_ComparisonsAddUp(t *testing.T) {
	server := seeded.onDuckDB(t)
	for _, seed := range seeds.All() {
		var model struct {
			View struct{ Level string } `json:"default_view"`
		}
		server.read(t, "/cubes/"+seed.Name+"/model", &model)
		var members struct{ Members []struct{ Path string } }
		server.read(t, "/cubes/"+seed.Name+"/members/"+model.View.Level+"?pagesize=2", &members)
		sums := 0
		for _, member := range members.Members {
			view := server.url + "/explore/" + seed.Name + "?lang=en&cut=" + url.QueryEscape(model.View.Level+":"+member.Path) + "&_beside=" + model.View.Level
			_, links := readPage(t, view)
			for _, link := range links {
				if !strings.Contains(link, "_with=") {
					continue
				}
				page, levels := readPage(t, link)
				_, sides, _ := strings.Cut(page, `<div class="sides">`)
				if sides, _, _ = strings.Cut(sides, "</div>"); strings.Count(sides, "/number?cut=") != 2 {
					t.Errorf("%s does not lead to both numbers: %s", link, sides)
				}
				if whole := slices.IndexFunc(levels, func(link string) bool {
					return strings.Contains(link, "_with=") && strings.Contains(link, ".sum&") && !isRounded(link) && !strings.Contains(link, ";")
				}); whole >= 0 {
					_, levels = readPage(t, levels[whole])
				}
				for _, level := range levels {
					if strings.Contains(level, "_with=") && strings.Contains(level, "drilldown=") && !ofStatements.MatchString(level) {
						page, _ := readPage(t, level)
						sums += addsUpAsWritten(t, level, page)
						break
					}
				}
			}
		}
		if sums < 3 && seed.Name != "example-dominicana" { // which has nothing but its statements to break a year down by
			t.Errorf("%s: %d sums are few", seed.Name, sums)
		}
	}
}

// ofStatements is a view of the seeds by statements, which repeat the same money.
var ofStatements = regexp.MustCompile(`drilldown=(mes|corte)&`)

// readPage gives a page and its links.
func readPage(t *testing.T, address string) (page string, links []string) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v\n%s", address, response.StatusCode, err, body)
	}
	if got := response.Header.Get("Content-Security-Policy"); got != pagePolicy {
		t.Errorf("%s has the policy %s", address, got)
	}
	base := response.Request.URL
	for _, match := range loaded.FindAllStringSubmatch(string(body), -1) {
		link, err := base.Parse(html.UnescapeString(match[2]))
		if err != nil || link.Host != base.Host {
			t.Errorf("%s leads to %s (%v)", address, match[2], err)
			continue
		}
		if match[1] == "a" {
			links = append(links, link.String())
		}
	}
	return string(body), links
}

// addsUpAsWritten adds up the columns of sums of a view that shows all its rows, and gives how many there are. Shares are rounded, and
// so is what is in prices of a year or per head.
func addsUpAsWritten(t *testing.T, address, page string) (sums int) {
	t.Helper()
	table, ok := tableOf(page)
	if !ok || isPart.MatchString(page) || isRounded(address) {
		return 0
	}
	for i, total := range table.totals {
		isUnknown := func(row []string) bool { return len(row) > i && row[i] == "" }
		isIncomparable := func(row []string) bool { return isUnknown(row) && (len(row) == i+1 || row[i+1] == "") } // a new one is called so
		head := table.heads[min(i, len(table.heads)-1)]
		if !isSum(total) || strings.HasPrefix(head, "Diff") && slices.ContainsFunc(table.rows, isUnknown) || // no difference without an amount in both years
			strings.HasPrefix(head, "In ") && slices.ContainsFunc(table.rows, isIncomparable) { // whose code is of another edition
			continue
		}
		sum := decimal.Zero
		for _, row := range table.rows {
			if len(row) > i {
				sum = sum.Add(amountOn(t, address, page, row[i]))
			}
		}
		if want := amountOn(t, address, page, total); !sum.Equal(want) {
			t.Errorf("%s: the rows of %s add up to %s, the total is %s", address, table.heads[i], sum, want)
		}
		sums++
	}
	return sums
}

// isRounded tells whether the amounts of a page are per head or in prices of a year.
func isRounded(address string) bool {
	return strings.Contains(address, "per_head%28") || strings.Contains(address, "real%28")
}

// shownTable is the table of cells of a page, as it is written.
type shownTable struct {
	heads  []string
	rows   [][]string // the texts of the numbers
	totals []string
}

// tableOf gives the table of a page that has a total.
func tableOf(page string) (table shownTable, ok bool) {
	_, rest, _ := strings.Cut(page, `<table class="cells`)
	rows, total, ok := strings.Cut(rest, "<tfoot>")
	if !ok {
		return shownTable{}, false
	}
	total, _, _ = strings.Cut(total, "</tfoot>")
	for _, head := range tableHead.FindAllStringSubmatch(rows, -1) {
		table.heads = append(table.heads, markup.ReplaceAllString(head[1], ""))
	}
	for _, row := range tableRow.FindAllStringSubmatch(rows, -1) {
		table.rows = append(table.rows, cellsOf(row[1]))
	}
	table.totals = cellsOf(total)
	return table, true
}

// isSum tells whether the total of a column is what its rows add up to: it is no share and no rate.
func isSum(total string) bool { return total != "" && !strings.HasSuffix(total, "%") }

// amountOn reads an amount as it is written in the language of a page; nothing is 0.
func amountOn(t *testing.T, address, page, text string) decimal.Decimal {
	t.Helper()
	points := !strings.Contains(page, `<html lang="en">`) && // other languages have 1.234,5, but Spanish where it is written otherwise
		!(strings.Contains(page, `<html lang="es">`) && regexp.MustCompile(`mexico|dominicana`).MatchString(address))
	text = strings.NewReplacer("\u00a0", ".", "\u202f", ".", "−", "-").Replace(text) // or 1 234,5
	switch {
	case text == "":
		return decimal.Zero
	case !amounts[points].MatchString(text):
		t.Errorf("%s shows the amount %q", address, text)
		return decimal.Zero
	case points:
		text = strings.NewReplacer(".", "", ",", ".").Replace(text)
	}
	return decimal.RequireFromString(strings.ReplaceAll(text, ",", ""))
}

// cellsOf gives the texts of the numbers of a row.
func cellsOf(row string) (texts []string) {
	for _, cell := range tableCell.FindAllStringSubmatch(row, -1) {
		texts = append(texts, html.UnescapeString(markup.ReplaceAllString(cell[1], "")))
	}
	return texts
}

// What a first visit of a page costs, and what each following page costs, compressed.
const (
	firstView    = 60 << 10
	firstVisits  = 6 // requests
	followingOne = 15 << 10
)

func TestExplorer_Weight(t *testing.T) {
	server := seeded.onDuckDB(t)
	for _, seed := range seeds.All() {
		name := seed.Name
		address := server.url + "/explore/" + name + "?lang=en"
		_, overview := readPage(t, address)
		view := ""
		for _, link := range overview {
			if strings.Contains(link, "drilldown=") {
				view = link
				break
			}
		}
		report := server.url + "/explore/" + name + "/report?lang=en"
		for _, address := range []string{server.url + "/?lang=en", address, view, report} {
			page, _ := readPage(t, address)
			size, requests := weight(t, address), 1
			if (address == view || address == report) && size > followingOne {
				t.Errorf("%s: %d bytes, want at most %d", address, size, followingOne)
			}
			for _, part := range loaded.FindAllStringSubmatch(page, -1) {
				if part[1] != "a" && part[1] != "form" && !strings.Contains(part[0], `rel="alternate"`) {
					size += weight(t, sure(sure(url.Parse(address)).Parse(html.UnescapeString(part[2]))).String())
					requests++
				}
			}
			t.Logf("%s: %d bytes in %d requests", address, size, requests)
			if size > firstView || requests > firstVisits || requests < 3 {
				t.Errorf("%s: %d bytes in %d requests, want at most %d in %d", address, size, requests, firstView, firstVisits)
			}
		}
	}
}

// figuresOfViews are the values of _view.
var figuresOfViews = []string{"table", "bars", "treemap", "line", "change", "sankey"}

// Each level of each seed is light in each of its figures, in the language with the longest words. The ordinary run weighs every ninth view, the long one every second.
func TestExplorer_WeightOfAllViews(t *testing.T) {
	t.Parallel()
	server, every := seeded.onDuckDB(t), testrequire.Share(9, 2)
	for _, seed := range seeds.All() {
		server.isLight(t, seed.Name, every)
	}
}

// So is each level of budgets as they were published.
func TestRealData_WeightOfAllViews(t *testing.T) {
	t.Parallel()
	server := realCubes.onDuckDB(t)
	for _, name := range []string{"croatia-budget-spending", "presupuesto-uy-desde-2011", "mexico"} {
		server.isLight(t, name, testrequire.Share(3, 2))
	}
}

func (s *service) isLight(t *testing.T, cube string, every int) {
	t.Helper()
	levels, year := s.levelsOf(t, cube)
	var model struct{ Snapshots struct{ By string } }
	s.read(t, "/cubes/"+cube+"/model", &model)
	heaviest, number, agreed := 0, 0, 0
	for _, level := range levels {
		for _, view := range figuresOfViews {
			if number++; number%every > 0 {
				continue
			}
			question := url.Values{"drilldown": {level}, "cut": {year}, "lang": {"es"}, "_view": {view}}
			address := s.url + "/explore/" + cube + "?" + question.Encode()
			size, page := compressed(t, address)
			if heaviest = max(heaviest, size); size > followingOne {
				t.Errorf("%s: %d bytes, want at most %d", address, size, followingOne)
			}
			if level != model.Snapshots.By { // whose parts are the same money
				agreed += agrees(t, address, page)
			}
		}
	}
	if 2*agreed < 3*number/every {
		t.Errorf("the numbers of %d views of %s were compared %d times", number/every, cube, agreed)
	}
	t.Logf("%s: of %d views the heaviest has %d bytes, and numbers were compared %d times", cube, number, heaviest, agreed)
}

// agrees compares the number in the sentence, the picture, the table and the proof of a view with one another, and gives how many of them it compared. One line of
// notes at most is in sight.
func agrees(t *testing.T, address, page string) (times int) {
	t.Helper()
	if notes := strings.Count(page, `<p class="note">`) + strings.Count(page, `<ul class="warnings">`) - strings.Count(page, `<details class="notes">`); notes > 1 {
		t.Errorf("%s has %d lines of notes in sight", address, notes)
	}
	exact := exactWithUnit.FindStringSubmatch(page)
	if exact == nil {
		return 0
	}
	times++
	number, spanish := amountOn(t, address, page, exact[1]), words.Locale{Language: cube.Language("es")}
	heading := html.UnescapeString(bigNumber.FindStringSubmatch(page)[1])
	alike := strings.NewReplacer(",", ".") // some countries write 1.5 in Spanish
	isAlike := func(text string) bool { return alike.Replace(text) == alike.Replace(heading) }
	if !isAlike(spanish.Brief(number, exact[2])) {
		t.Errorf("%s says %s of %s", address, heading, number)
	}
	if table, ok := tableOf(page); ok {
		if times++; table.totals[0] != exact[1] {
			t.Errorf("%s: the total of the table is %s, the number %s", address, table.totals[0], exact[1])
		}
	}
	pictures, _ := picturesAddUp(t, address, page)
	times += pictures
	if _, figure, ok := strings.Cut(page, `<div class="large">`); ok && parts.MatchString(address) {
		figure, _, _ = strings.Cut(figure, "</div>")
		sum := decimal.Zero
		for _, mark := range markOfPart.FindAllStringSubmatch(figure, -1) {
			sum = sum.Add(amountOn(t, address, page, mark[1]))
		}
		if times++; !sum.Equal(number) {
			t.Errorf("%s: the figure has %s, the number is %s", address, sum, number)
		}
	}
	return times
}

var (
	exactWithUnit = regexp.MustCompile(`<span class="exactly">\S+ <b>([^<]+)</b>(?: ([A-Z]{3}))?</span>`)
	bigNumber     = regexp.MustCompile(`<span class="big">([^<]*)</span>`)
	parts         = regexp.MustCompile(`_view=(bars|treemap)`)
	markOfPart    = regexp.MustCompile(`<title>[^<]*: (\S+?)(?: \([^<)]*\))?</title>`)
)

// weight is how many bytes an answer has on the wire.
func weight(t *testing.T, address string) int {
	size, _ := compressed(t, address)
	return size
}

// compressed gives an answer, and how many bytes it has on the wire.
func compressed(t *testing.T, address string) (size int, page string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	check(err)
	request.Header.Set("Accept-Encoding", "gzip") // by hand: the client leaves it compressed
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", address, response.StatusCode, err)
	}
	if response.Header.Get("Content-Encoding") != "gzip" {
		return len(body), string(body)
	}
	plain := sure(gzip.NewReader(bytes.NewReader(body)))
	return len(body), string(sure(io.ReadAll(plain)))
}

// renamedCroatia is the package of example-croatia with another name of a chapter in its last year, and another amount of it.
func renamedCroatia(t testing.TB) string {
	t.Helper()
	folder := unpacked(t, "example-croatia")
	file, descriptor := filepath.Join(folder, "data", "example-croatia__2019.csv"), filepath.Join(folder, "datapackage.json")
	was := sure(os.ReadFile(file))
	is := []byte(strings.NewReplacer(",02005,Vlada,", ",02005,Ured Vlade,", ",6372800,", ",6372900,").Replace(string(was)))
	write(file, is)
	_, wereRows, _ := bytes.Cut(was, []byte("\n"))
	_, areRows, _ := bytes.Cut(is, []byte("\n"))
	write(descriptor, []byte(strings.NewReplacer(
		digest(was), digest(is), digest(wereRows), digest(areRows), // with the head and without
		`"bytes":`+strconv.Itoa(len(was)), `"bytes":`+strconv.Itoa(len(is)),
	).Replace(string(sure(os.ReadFile(descriptor))))))
	return folder
}

// serveCroatiaTwice serves two versions of example-croatia, of which the later has other names and amounts.
func serveCroatiaTwice(t testing.TB) *service {
	t.Helper()
	db := freshDuckDB(t)
	must(t, "load", "--db", db, "seeds/example-croatia")
	must(t, "load", "--db", db, renamedCroatia(t))
	return serve(t, db)
}

// A number has the names that its member had, also where what is above it is not said, and what it is in other versions.
func TestExplorer_NumberInOtherNamesAndVersions(t *testing.T) {
	server := serveCroatiaTwice(t)
	const number = "/explore/example-croatia/number?lang=en&aggregates=approved_value.sum&cut="
	for _, cut := range []string{"Year:2019|admin1_code:020|admin2_code:02005", "Year:2019|admin2_code:02005", "admin2_code:02005"} {
		page := server.pageAt(t, number+url.QueryEscape(cut))
		says(t, page, "<h2>Names it had</h2>", "<li>Body: Vlada (to 2018)</li>", "<li>Body: Ured Vlade (from 2019)</li>", "<h2>In other versions</h2>")
	}
	exactly := func(page string) string { return strongExactly.FindStringSubmatch(page)[1] }
	now := server.pageAt(t, number+"Year:2019%7Cadmin2_code:02005")
	other := regexp.MustCompile(`<li><a href="[./]*(/explore/[^"]*)">Version 1 \([\d-]+\)</a>: ([\d,]+)</li>`).FindStringSubmatch(now)
	if other == nil {
		t.Fatalf("no version 1: %s", now)
	}
	before := server.pageAt(t, html.UnescapeString(other[1]))
	if strings.Contains(before, "Names it had") || exactly(before) != other[2] ||
		!amountOn(t, "now", now, exactly(now)).Equal(amountOn(t, "before", before, other[2]).Add(decimal.NewFromInt(100))) {
		t.Errorf("now %s, version 1 %s as %s", exactly(now), exactly(before), other[2])
	}
	says(t, before, `<p class="pinned">This is version 1 of the data.`, "has 100 kuna more, exactly 100 ")
}

// The page of a version that is kept no more leads to the one that is served.
func TestExplorer_AVersionThatIsGone(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		folder := handFolder(t)
		must(t, "load", "--db", db, folder)
		write(filepath.Join(folder, "late.csv"), []byte(handLate+"2022,1,Health and care,01,Hospitals,z,1000.00,\r\n"))
		must(t, "load", "--db", db, folder)
		must(t, "prune", "--db", db, "hand", "--keep", "0")
		status, page := serve(t, db).get(t, "/explore/hand/number?cut=year:2022&version=1&lang=en")
		says(t, string(page), `<h1 class="said">This version of the data was removed</h1>`, `<a href="../../explore/hand/number?cut=year:2022&amp;lang=en">Open the version served now</a>`)
		if status != http.StatusGone {
			t.Errorf("status %d", status)
		}
	})
}

// Whatever is asked, the rows that are shown and the others add up to the total, to the last digit, and so do the parts of a figure.
// The total is that of the API, and the link of the others leads to what they are.
func TestExplorer_RandomQuestionsAddUp(t *testing.T) {
	server := seeded.onDuckDB(t)
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			t.Parallel()
			server.answersAddUp(t, seed.Name, testrequire.Share(5, 80))
		})
	}
}

// So do those of real packages, which have many more members.
func TestRealData_RandomQuestionsAddUp(t *testing.T) {
	server := realCubes.onDuckDB(t)
	for _, q := range questions {
		t.Run(q.cube, func(t *testing.T) {
			t.Parallel()
			server.answersAddUp(t, q.cube, 20)
		})
	}
}

func (s *service) answersAddUp(t *testing.T, cube string, count int) {
	t.Helper()
	a := &randomQuestions{service: s, cube: cube, random: rand.New(rand.NewPCG(6, uint64(count))), members: map[string][]string{}}
	s.read(t, "/cubes/"+cube+"/model", &a.model)
	for _, level := range a.model.Levels {
		if level.Members > 30 {
			a.long = append(a.long, level.Ref)
		}
	}
	for range count {
		a.ask(t)
	}
	t.Logf("%d columns, %d figures and %d rests of others add up; %d answers are empty", a.columns, a.figures, a.rests, a.empty)
	if a.columns == 0 || len(a.long) > 0 && count > 100 && a.rests == 0 {
		t.Error("these are few")
	}
}

// randomQuestions asks random questions of a cube.
type randomQuestions struct {
	*service
	cube   string
	random *rand.Rand
	model  struct {
		Levels []struct {
			Ref, Dimension, Parent string
			Members                int
		}
		Aggregates []string
		Snapshots  struct{ By string }
	}
	long    []string            // levels with more members than a view lists
	members map[string][]string // some of each level

	columns, figures, rests, empty int // what was seen
}

var (
	exactSum    = regexp.MustCompile(`<span class="exactly">\S+ <b>([^<]*)</b>`)
	nextPage    = regexp.MustCompile(`<li><a href="([^"]*)">(?:Next page|Página siguiente|Sljedeća stranica|Page suivante|Próxima página)</a>`)
	othersRow   = regexp.MustCompile(`(?s)<tr class="others">.*?<a href="([^"]*)".*?</tr>`)
	smallFigure = regexp.MustCompile(`(?s)<div class="small">(.*?)</svg>`)
	largeFigure = regexp.MustCompile(`(?s)<div class="large">(.*?)</svg>`)
	markAmount  = regexp.MustCompile(`(?s)<title>[^<]*: (−?[\d.,\x{a0}\x{202f}]+)(?: \([^<]*\))?</title>`)
)

// ask asks for any levels, members, sums and figure, in any order and for any reader.
func (a *randomQuestions) ask(t *testing.T) {
	t.Helper()
	drilled := a.some(t, 3, a.level)
	aggregate := a.aggregate()
	question := url.Values{"aggregates": {aggregate}}
	if len(drilled) > 0 {
		question.Set("drilldown", strings.Join(drilled, "|"))
		if a.random.IntN(4) == 0 {
			question.Set("order", drilled[0]+oneOf(a.random, ":asc", ":desc"))
		}
	}
	if cuts := a.some(t, 3, a.cut); len(cuts) > 0 {
		question.Set("cut", strings.Join(cuts, "|"))
	}
	var data struct {
		Cells   int `json:"total_cell_count"`
		Summary map[string]any
	}
	a.read(t, "/cubes/"+a.cube+"/aggregate?"+question.Encode(), &data)
	if len(drilled) == 2 || a.random.IntN(4) == 0 { // on a few pages
		question.Set("pagesize", strconv.Itoa(1+data.Cells/(1+a.random.IntN(4))))
	}
	view, lang := oneOf(a.random, "table", "bars", "treemap", "line", "change", "sankey"), oneOf(a.random, "en", "es", "hr")
	address := a.url + "/explore/" + a.cube + "?" + question.Encode() + "&lang=" + lang + "&_view=" + view + "&_financing=in" // as the API has it
	page, _ := readPage(t, address)
	total := decimal.NullDecimal{}
	if sum := exactSum.FindStringSubmatch(page); sum != nil {
		total = decimal.NewNullDecimal(amountOn(t, address, page, sum[1]))
	}
	if !equal(data.Summary[aggregate], total) {
		t.Errorf("%s: the page says %s, the API %v", address, show(total), data.Summary[aggregate])
	}
	switch {
	case len(drilled) == 0:
		return
	case slices.Contains(drilled, a.model.Snapshots.By):
		says(t, page, `<div class="noted"`) // the total counts the last statement alone
		return
	case !strings.Contains(page, `<table class="cells`):
		a.empty++
		return
	}
	a.addsUp(t, address, page)
	if strings.Contains(page, `id="picture"`) && !strings.Contains(page, `class="refused"`) && (view == "bars" || view == "treemap") {
		for _, figure := range []*regexp.Regexp{smallFigure, largeFigure} {
			sum := decimal.Zero
			for _, mark := range markAmount.FindAllStringSubmatch(figure.FindString(page), -1) {
				sum = sum.Add(amountOn(t, address, page, mark[1]))
			}
			if !sum.Equal(total.Decimal) {
				t.Errorf("%s: the figure has %s, the total is %s", address, sum, total.Decimal)
			}
		}
		a.figures++
	}
}

// some gives up to so many different things, or none.
func (a *randomQuestions) some(t *testing.T, below int, one func(t *testing.T) string) (list []string) {
	t.Helper()
	for range a.random.IntN(below) {
		if text := one(t); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// level is any level, often one with so many members that a view does not list them all.
func (a *randomQuestions) level(*testing.T) string {
	if len(a.long) > 0 && a.random.IntN(4) == 0 {
		return oneOf(a.random, a.long...)
	}
	return oneOf(a.random, a.model.Levels...).Ref
}

// cut admits one or two members of a level, or all but one.
func (a *randomQuestions) cut(t *testing.T) string {
	t.Helper()
	level := oneOf(a.random, a.model.Levels...)
	if a.members[level.Ref] == nil {
		var answer struct{ Members []struct{ Path string } }
		a.read(t, "/cubes/"+a.cube+"/members/"+url.PathEscape(level.Ref)+"?pagesize=50", &answer)
		for _, member := range answer.Members {
			of := level.Ref
			if strings.Contains(member.Path, "/") {
				of = level.Dimension
			}
			a.members[level.Ref] = append(a.members[level.Ref], of+":"+member.Path)
		}
	}
	one, other := oneOf(a.random, a.members[level.Ref]...), oneOf(a.random, a.members[level.Ref]...)
	_, path, _ := strings.Cut(other, ":")
	return oneOf(a.random, one, one+";"+path, "!"+one)
}

// aggregate is one that adds up.
func (a *randomQuestions) aggregate() string {
	return oneOf(a.random, slices.DeleteFunc(slices.Clone(a.model.Aggregates), func(name string) bool {
		return name != "_count" && !strings.HasSuffix(name, ".sum") && !strings.HasSuffix(name, ".count")
	})...)
}

func oneOf[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// addsUp adds up the columns of a view over all its pages, and those of all rows, to which its others lead.
func (a *randomQuestions) addsUp(t *testing.T, address, page string) {
	t.Helper()
	table, _ := tableOf(page)
	sums := sumsOfPages(t, address, page)
	for i, text := range table.totals {
		if table.heads[i] == "Difference" && (strings.Contains(page, "different things are not compared") || nextPage.MatchString(page)) {
			continue // they have none, and are part of the whole; the page that they are on says so
		}
		if isSum(text) && !sums[i].Equal(amountOn(t, address, page, text)) {
			t.Errorf("%s: the rows of %s add up to %s, the total is %s", address, table.heads[i], sums[i], text)
		}
		a.columns++
	}
	inTable, _, _ := strings.Cut(page, "</tfoot>") // below it a view of one row is divided further
	others := othersRow.FindStringSubmatch(inTable)
	if others == nil {
		return
	}
	all := sure(sure(url.Parse(address)).Parse(html.UnescapeString(others[1]))).String()
	allPage, _ := readPage(t, all)
	allSums := sumsOfPages(t, all, allPage)
	for i, text := range table.totals {
		if isSum(text) && !allSums[i].Equal(amountOn(t, address, page, text)) {
			t.Errorf("%s: the total of %s is %s, all rows add up to %s", address, table.heads[i], text, allSums[i])
		}
	}
	a.rests++
}

// sumsOfPages adds up the columns of a view, over the pages from this one on.
func sumsOfPages(t *testing.T, address, page string) (sums []decimal.Decimal) {
	t.Helper()
	for {
		table, ok := tableOf(page)
		if !ok {
			t.Fatalf("%s has no table", address)
		}
		if sums == nil {
			sums = make([]decimal.Decimal, len(table.totals))
		}
		for _, row := range table.rows {
			for i, text := range row {
				if isSum(table.totals[i]) {
					sums[i] = sums[i].Add(amountOn(t, address, page, text))
				}
			}
		}
		next := nextPage.FindStringSubmatch(page)
		if next == nil {
			return sums
		}
		address = sure(sure(url.Parse(address)).Parse(html.UnescapeString(next[1]))).String()
		page, _ = readPage(t, address)
	}
}

// An amount of 21 digits is whole wherever it is shown: on pages of each kind, in figures, files and citations.
func TestExplorer_LongAmounts(t *testing.T) {
	const first, second, both = "123,456,789,012,345,678,901", "987,654,321,098,765,432,109", "1,111,111,110,111,111,111,010"
	plain := func(amount string) string { return strings.ReplaceAll(amount, ",", "") }
	sideBySide(t, func(t *testing.T, db string) {
		folder := handFolder(t)
		write(filepath.Join(folder, "early.csv"), []byte(handHeader+
			"2021,1,Health,01,Hospitals,a,"+plain(first)+",\n2021,2,Roads,01,Bridges,a,"+plain(second)+",\n"))
		write(filepath.Join(folder, "late.csv"), []byte(handHeader+"2022,1,Health,01,Hospitals,a,"+plain(second)+",\n"))
		must(t, "load", "--db", db, folder)
		s := serve(t, db)
		s.settles(t)
		for path, amounts := range map[string][]string{
			"/explore/hand?drilldown=area&cut=year:2021":                    {first + "</a>", second + "</a>", both},
			"/explore/hand?drilldown=area&cut=year:2021&_view=bars":         {">" + second + "</text>", ": " + first + " (", both},
			"/explore/hand?drilldown=area&cut=year:2022&_view=change":       {"+864,197,532,086,419,753,208", "−" + second, both},
			"/explore/hand?cut=area:1&_view=line":                           {"2021: " + first, "2022: " + second, both},
			"/explore/hand?drilldown=year|area&_view=sankey":                {"2021: " + both, ": " + first},
			"/explore/hand?drilldown=area&cut=year:2021&_with=year:2022":    {both, first, second},
			"/explore/hand/number?cut=year:2021":                            {first + "</td>", second + "</td>", "exactly " + both, "approved: " + both + " EUR"},
			"/explore/hand/report":                                          {both, second},
			"/explore/hand":                                                 {both, second},
			"/?q=" + plain(first):                                           {first + "</p>"},
			"/?q=roads":                                                     {second},
			"/embed/hand?drilldown=area&cut=year:2021":                      {": " + second},
			"/explore/hand.svg?drilldown=area&cut=year:2021":                {": " + second},
			"/explore/hand/lines/early?line=3":                              {second},
			"/cubes/hand/aggregate?drilldown=area&cut=year:2021":            {plain(both), plain(first)},
			"/cubes/hand/aggregate?drilldown=area&cut=year:2021&format=csv": {plain(second)},
		} {
			says(t, get(t, s.url+path), amounts...)
		}
	})
}

// Published text that turns around or hides what stands beside it is not what people get; data keep it.
func TestExplorer_PublishedTextTurnsNothingAround(t *testing.T) {
	const hostile = "\u202e\u2067\u200f\u200b\U000e0041"
	folder := filepath.Join(t.TempDir(), "bidi")
	check(os.Mkdir(folder, 0o755))
	write(filepath.Join(folder, "b.csv"), []byte("year,office_code,office_name,amount\n2019,01,Palace "+hostile+",7.00\n2020,01,Palace "+hostile+",8.00\n2020,02,Schools"+hostile+",40.00\n2020,03,Roads,4.00\n"))
	write(filepath.Join(folder, "datapackage.json"), []byte(strings.ReplaceAll(`{"name": "bidi", "title": "Budget!", "description": "What!", "pub_institutional_name": "Office!", "country": "Land!",
"resources": [{"name": "b", "path": "b.csv", "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
{"name": "office_code", "title": "Office!", "type": "string"}, {"name": "office_name", "type": "string"}, {"name": "amount", "title": "Amount!", "type": "number"}]},
"model": {"dimensions": {"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {"source": "year"}}},
"office": {"dimensionType": "classification", "primaryKey": ["office_code"], "attributes": {"office_code": {"source": "office_code"}, "office_name": {"source": "office_name", "labelfor": "office_code"}}}},
"measures": {"amount": {"source": "amount", "currency": "EUR"}}}}]}`, "!", hostile)))
	db := freshDuckDB(t)
	must(t, "load", "--db", db, folder)
	s := serve(t, db)
	s.settles(t)
	cut := "?cut=" + url.QueryEscape("year:2020|office_code:01") + "&lang=en"
	for _, path := range []string{
		"/", "/?q=palace", "/explore/bidi", "/explore/bidi?drilldown=office_code&cut=year:2020", "/explore/bidi/number" + cut, "/explore/bidi/report", "/explore/bidi/lines/b", "/search?q=palace", "/?q=palace",
		"/embed/bidi?drilldown=office_code", "/catalog.jsonld", "/oembed?url=" + url.QueryEscape(s.url+"/explore/bidi"),
		"/cubes/bidi/aggregate" + cut + "&cite=1", "/cubes/bidi/facts?format=csv", "/cubes/bidi/members/office_code",
	} {
		status, body := s.get(t, path)
		if status != http.StatusOK {
			t.Errorf("%s: %d", path, status)
		}
		text := string(body)
		if strings.HasPrefix(path, "/cubes/bidi/aggregate") {
			var answer struct{ Citation struct{ Text string } }
			check(json.Unmarshal(body, &answer))
			text = answer.Citation.Text
		}
		seen := strings.ContainsAny(text, hostile) || strings.Contains(strings.ToLower(text), `\u202e`)
		if data := strings.HasPrefix(path, "/cubes/bidi/facts") || strings.HasPrefix(path, "/cubes/bidi/members") || strings.HasPrefix(path, "/search"); seen != data {
			t.Errorf("%s has published signs that turn text around: %v", path, seen)
		}
	}
	if _, body := s.get(t, "/explore/bidi/number"+cut); !strings.Contains(string(body), "Palace") {
		t.Errorf("the number has no name: %s", body)
	}
}

// The pages of a cube whose first level has more members than an answer may be made of show the largest, and so does what they lead to.
func TestExplorer_ShowsAWideFirstLevel(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "wide")
	check(os.Mkdir(folder, 0o755))
	var rows strings.Builder
	rows.WriteString("year,supplier_code,supplier_name,amount\n")
	for i := range 30_000 {
		fmt.Fprintf(&rows, "%d,%d,Supplier %d,%d.50\n", 2020+i%2, i, i, i%1000)
	}
	write(filepath.Join(folder, "suppliers.csv"), []byte(rows.String()))
	must(t, "init", filepath.Join(folder, "suppliers.csv"))
	db := freshDuckDB(t)
	must(t, "load", "--db", db, folder)
	s := serve(t, db)
	seen := map[string]bool{}
	link := regexp.MustCompile(`href="(?:\.\./)*([^"#]*)"`)
	for _, path := range []string{"", "explore/suppliers", "explore/suppliers?drilldown=supplier_code&cut=year:2021", "embed/suppliers", "embed/suppliers?drilldown=supplier_code"} {
		status, body := s.get(t, "/"+path)
		if status != http.StatusOK {
			t.Errorf("/%s: %d", path, status)
		}
		for _, to := range link.FindAllStringSubmatch(string(body), -1) {
			if to := html.UnescapeString(to[1]); strings.HasPrefix(to, "explore/suppliers") || strings.HasPrefix(to, "embed/suppliers") {
				seen[to] = true
			}
		}
		if path == "explore/suppliers" {
			says(t, string(body), "Supplier 999", "999.50")
		}
	}
	for to := range seen {
		if status, _ := s.get(t, "/"+to); status != http.StatusOK {
			t.Errorf("a page leads to /%s: %d", to, status)
		}
	}
	if len(seen) < 10 {
		t.Errorf("the pages lead to %v alone", seen)
	}
}
