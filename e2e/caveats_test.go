package e2e

import (
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/testrequire"
	"fiscube/store/storetest"
)

var (
	notesOnPage = regexp.MustCompile(`(?s)<details class="notes">(.*?)</details>`)
	notedOnPage = regexp.MustCompile(`(?s)<div class="noted" data-caveats="([^"]*)">(.*?)</div>`)
	jsonOfPage  = regexp.MustCompile(`<a href="([^"]*format=json[^"]*)"`)
	ofNumber    = regexp.MustCompile(`<a href="([^"]*/number\?[^"]*)"`)
	citedOnPage = regexp.MustCompile(`(?s)<blockquote data-copy>(.*?)</blockquote>`)
	numbers     = regexp.MustCompile(`\d+`)
	ofSomeRows  = regexp.MustCompile(`&page=|&pagesize=0`) // of the rows of a page, whose data are all rows
)

// TestCaveats_AreTheSameEverywhere asks the questions of the files, every twentieth in the ordinary run, as pages do: the page of the answer, the
// API, its file of CSV and an assistant have the same caveats with the same weights and parameters, and so does the citation of the number. Where
// the load found lines that are left behind, a page asks which of them the answer has, which an answer of the API does not.
func TestCaveats_AreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	s := asked.onDuckDB(t)
	helper := overHTTP(t, s)
	every, count, codes := testrequire.Share(20, 1), 0, map[string]bool{}
	storetest.AskAll(t, false, func(t testing.TB, name, question string) []string {
		lines, _ := s.answerWithLines(t, name, question)
		if count++; strings.HasPrefix(lines[0], "fail") || ofSomeRows.MatchString(question) || count%every > 0 {
			return lines
		}
		page := s.pageAt(t, "/explore/"+url.PathEscape(name)+"?"+storetest.URLQuery(question)+"&lang=en")
		noted, link := notedOnPage.FindStringSubmatch(page), jsonOfPage.FindStringSubmatch(page)
		if noted == nil || link == nil {
			t.Fatalf("%s %s: no caveats, or no data: %s", name, question, page)
		}
		address := "/" + strings.TrimLeft(html.UnescapeString(link[1]), "./")
		var answered struct{ Warnings []cube.Warning }
		s.read(t, address, &answered)
		shown := html.UnescapeString(noted[2] + notesOnPage.FindString(page))
		if got, want := withoutLines(html.UnescapeString(noted[1])), withoutLines(weighed(answered.Warnings)); got != want {
			t.Errorf("%s %s\nthe page has %s\nthe answer %s", name, question, got, want)
		}
		for _, w := range answered.Warnings {
			codes[w.Code] = true
			for _, number := range numbers.FindAllString(w.Message, -1) {
				if !saysOtherwise[w.Code] && !strings.Contains(strings.ReplaceAll(shown, ",", ""), number) {
					t.Errorf("%s %s: the page has no %s of %s: %s", name, question, number, w.Message, shown)
				}
			}
		}
		s.isToldByAssistants(t, helper, name, address, answered.Warnings)
		s.isCitedAlike(t, page)
		return lines
	})
	for _, code := range []string{cube.WarnExcerpt, cube.WarnSnapshotDefault, cube.WarnNote} {
		if !codes[code] {
			t.Errorf("no answer warns %s", code)
		}
	}
}

// saysOtherwise are the caveats that people are told with editions and titles in the place of cuts and formulas.
var saysOtherwise = map[string]bool{
	cube.WarnNoSuchMember: true, cube.WarnCodeReused: true, cube.WarnLabelChanged: true, cube.WarnYearsDiffer: true, cube.WarnSameAs: true, cube.WarnNotCompared: true,
	cube.WarnLinesLeft: true, cube.WarnFinancing: true, cube.WarnNothingMatches: true,
}

// weighed lists codes with weights, as a page has them.
func weighed(list []cube.Warning) string {
	return strings.Join(each.Text(list, func(w cube.Warning) string { return w.Code + "/" + string(w.Weight) }), " ")
}

// withoutLines leaves out lines that are left behind, and that the figures are made up, of which pages have a mark.
func withoutLines(codes string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(codes), func(c string) bool {
		return strings.HasPrefix(c, cube.WarnLinesLeft) || strings.HasPrefix(c, cube.WarnSynthetic)
	}), " ")
}

// isToldByAssistants asks an assistant what the API was asked.
func (s *service) isToldByAssistants(t testing.TB, helper assistant, name, address string, want []cube.Warning) {
	t.Helper()
	_, raw, _ := strings.Cut(address, "?")
	arguments := map[string]any{"cube": name, "pagesize": 0}
	for clause := range strings.SplitSeq(raw, "&") {
		key, value, _ := strings.Cut(clause, "=")
		if !slices.Contains([]string{"format", "page", "pagesize", "lang"}, key) {
			arguments[key] = sure(url.QueryUnescape(value))
		}
	}
	var told struct{ Warnings []cube.Warning }
	check(json.Unmarshal(sure(json.Marshal(helper.call(t, "ask", arguments)["answer"])), &told))
	ofAll := slices.DeleteFunc(slices.Clone(want), func(w cube.Warning) bool { return isOfRows(w.Code) })
	told.Warnings = slices.DeleteFunc(told.Warnings, func(w cube.Warning) bool { return isOfRows(w.Code) })
	if !slices.Equal(told.Warnings, ofAll) {
		t.Errorf("%s %s\nan assistant has %v\nthe answer %v", name, address, told.Warnings, ofAll)
	}
}

// isOfRows tells whether a code is of the rows of the page that was asked for: the assistant asked for none.
func isOfRows(code string) bool {
	return slices.Contains([]string{cube.WarnCodeReused, cube.WarnLabelChanged, cube.WarnNotCompared}, code)
}

// isCitedAlike compares the citation on the page of the number with that of the API, but for the amount of financing.
func (s *service) isCitedAlike(t testing.TB, view string) {
	t.Helper()
	link := ofNumber.FindStringSubmatch(view)
	if link == nil {
		return // it has no sum
	}
	page := s.pageAt(t, "/"+strings.TrimLeft(html.UnescapeString(link[1]), "./"))
	var answered struct{ Citation struct{ Text string } }
	s.read(t, "/"+strings.TrimLeft(html.UnescapeString(jsonOfPage.FindStringSubmatch(page)[1]), "./")+"&cite=1", &answered)
	sourceOf := func(text string) string { // the page says the rest in a sentence
		text, _, _ = strings.Cut(text, ". http")
		_, source, _ := strings.Cut(text, ". Source: ")
		return source
	}
	onPage, cited := sourceOf(html.UnescapeString(citedOnPage.FindStringSubmatch(page)[1])), sourceOf(answered.Citation.Text)
	isOwn := func(part string) bool {
		return strings.HasPrefix(part, "includes financing of ") || strings.HasPrefix(part, "not included: ") || part == "lines of earlier reports may be missing"
	}
	parts := func(text string) []string { return slices.DeleteFunc(strings.Split(text, "; "), isOwn) }
	if !slices.Equal(parts(onPage), parts(cited)) {
		t.Errorf("the page cites %s\nthe answer %s", onPage, cited)
	}
}
