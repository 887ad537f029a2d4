package e2e

import (
	"cmp"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

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
	tableHead = regexp.MustCompile(`(?s)<th scope="col" class="number"[^>]*>(.*?)</th>`)
	tableCell = regexp.MustCompile(`(?s)<td class="number[^"]*">(.*?)</td>`)
	markup    = regexp.MustCompile(`(?s)<[^>]*>`)
	amounts   = map[bool]*regexp.Regexp{ // with points between thousands, or with commas
		true: regexp.MustCompile(`^-?\d{1,3}(\.\d{3})*(,\d+)?$`), false: regexp.MustCompile(`^-?\d{1,3}(,\d{3})*(\.\d+)?$`),
	}
)

// All pages near the start page of each seed answer, lead to no other host, and show tables whose rows add up to their total.
func TestExplorer_PagesAddUp(t *testing.T) {
	server := seeded.onDuckDB(t)
	most := testrequire.Share(20, 60) // those nearest to the start page first
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
					says(t, page, `<ul class="warnings">`) // the total counts the last statement alone
				} else {
					sums += addsUpAsWritten(t, address, page)
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
				says(t, page, `<div class="sides">`)
				for _, level := range levels {
					if strings.Contains(level, "_with=") && strings.Contains(level, "drilldown=") {
						page, _ := readPage(t, level)
						sums += addsUpAsWritten(t, level, page)
						break
					}
				}
			}
		}
		if sums < 3 {
			t.Errorf("%s: %d sums are few", seed.Name, sums)
		}
	}
}

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

// addsUpAsWritten adds up the columns of sums of a view that shows all its rows, and gives how many there are. Shares are rounded.
func addsUpAsWritten(t *testing.T, address, page string) (sums int) {
	t.Helper()
	table, ok := tableOf(page)
	if !ok || strings.Contains(page, `<ul class="choices pages">`) {
		return 0
	}
	for i, total := range table.totals {
		if !isSum(total) {
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
	points := !strings.Contains(page, `<html lang="en">`) // other languages have 1.234,5
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
		for _, address := range []string{server.url + "/?lang=en", address, view} {
			page, _ := readPage(t, address)
			size, requests := weight(t, address), 1
			if address == view && size > followingOne {
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

// weight is how many bytes an answer has on the wire.
func weight(t *testing.T, address string) int {
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
	return len(body)
}

// The page of each seed says how it was loaded, that its control totals match, and leads to the report, which has the same line.
func TestExplorer_ReportsOfSeeds(t *testing.T) {
	t.Parallel()
	s := seeded.onDuckDB(t)
	quality := regexp.MustCompile(`<p class="quality">(?:<a href="[^"]*">)?([^<]*)`)
	for _, seed := range seeds.All() {
		for lang, match := range map[string]string{"en": "control totals match", "es": "los totales de control coinciden", "hr": "kontrolni zbrojevi se slažu"} {
			report := s.pageAt(t, "/explore/"+seed.Name+"/report?lang="+lang)
			said := quality.FindStringSubmatch(report)
			overview := quality.FindStringSubmatch(s.pageAt(t, "/explore/"+seed.Name+"?lang="+lang))
			if said == nil || overview == nil || said[1] != overview[1] || !strings.Contains(said[1], match) {
				t.Errorf("%s in %s: %q, %q", seed.Name, lang, said, overview)
			}
		}
		if size := weight(t, s.url+"/explore/"+seed.Name+"/report?lang=en"); size > followingOne {
			t.Errorf("%s: %d bytes, want at most %d", seed.Name, size, followingOne)
		}
	}
}
