package api_test

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"image/png"
	"iter"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/cube/plan"
)

// drawn is a fake whose first cube has a few rows: Year, office with its label, unit with its label, unit, two codes, amounts.
func drawn(t testing.TB, lines ...string) *fake {
	t.Helper()
	store := newFake(t)
	cb := store.cubes[0]
	cb.Coverage = &cube.YearCoverage{Years: []int64{2016, 2017}}
	store.run = runOver(cubetest.NewStore(cb.Model, lines...))
	return store
}

// runOver runs statements over a store of a few rows.
func runOver(rows cubetest.Store) func(context.Context, *plan.Statement) iter.Seq2[row, error] {
	return func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		return func(yield func(row, error) bool) {
			found, err := rows.Cells(ctx, s)
			if err != nil {
				yield(row{}, err)
				return
			}
			more := yield(row{Values: found.Total, Count: found.Count}, nil)
			for g, err := range found.Groups {
				if !more {
					return
				}
				more = yield(row{Keys: g.Keys, Labels: g.Labels, Values: g.Parts}, err)
			}
		}
	}
}

var someBudget = []string{
	"2016 1 x 1 x u 1 1 100 10", "2016 2 x 1 x u 1 2 250.5 20", "2016 3 x 1 x u 2 1 30 5",
	"2017 1 x 1 x u 1 1 130 12", "2017 2 x 1 x u 1 2 200.25 20", "2017 4 x 1 x u 2 1 7 3", "2017 5 x 2 x u 2 3 1000000000000000000.01 1",
}

// smallFigure is the titles of the marks in the figure for phones, with their links.
func smallFigure(t testing.TB, page string) (list [][2]string) {
	t.Helper()
	_, page, _ = strings.Cut(page, `<div class="small">`)
	page, _, ok := strings.Cut(page, `<div class="large">`)
	if !ok {
		t.Fatalf("no figure: %s", page)
	}
	for _, match := range marks.FindAllStringSubmatch(page, -1) {
		list = append(list, [2]string{html.UnescapeString(match[2]), html.UnescapeString(match[1])})
	}
	return list
}

var marks = regexp.MustCompile(`<a href="([^"]*)"><title>([^<]*)</title>`)

func TestExplorer_Figures(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for address, want := range map[string]string{
		"?drilldown=fin_code&cut=Year:2016&_view=bars":               "2: 250.50 (65.8%)",
		"?drilldown=fin_code&cut=Year:2017&_view=treemap":            "1: 137.00 (< 0.1%)",
		"?drilldown=fin_code&cut=Year:2016&_view=line":               "Total, 2016: 380.50",
		"?drilldown=admin1_code&cut=Year:2017&_view=change":          "5: +1,000,000,000,000,000,000.01 (new)",
		"?drilldown=econ_code%7Cfin_code&cut=Year:2016&_view=sankey": "1 → 2: 250.50",
	} {
		r := ask(t, h, "/explore/croatia"+address)
		if r.status != http.StatusOK || !strings.Contains(r.body, "<title>"+html.EscapeString(want)+"</title>") || !strings.Contains(r.body, `<table class="cells stacks">`) {
			t.Errorf("%s: status %d: %s", address, r.status, r.body)
		}
	}
}

// A figure of areas says if one of them is almost all.
func TestExplorer_AlmostAll(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for year, want := range map[string]string{"2017": "5 is &gt; 99.9% of the whole, so the other areas can hardly be seen. Bars and the table show them. Areas too small for their names: 2 &lt; 0.1%, 2 others.", "2016": ""} {
		page := ask(t, h, "/explore/croatia?drilldown=admin1_code&cut=Year:"+year+"&_view=treemap&lang=en").body
		_, told, _ := strings.Cut(page, `<p class="told">`)
		if told, _, _ = strings.Cut(told, " </p>"); told != want || !strings.Contains(page, `<div class="large"><svg`) {
			t.Errorf("of %s it is said: %q", year, told)
		}
	}
}

// Where there is no figure, a sentence says why.
func TestExplorer_RefusedFigures(t *testing.T) {
	h := handler(t, drawn(t, append(someBudget, "2016 6 x 1 x u 1 3 -5 1")...))
	for address, want := range map[string]string{
		"/explore/croatia?drilldown=fin_code&cut=Year:2016&_view=treemap":                               "an amount of zero or below, and 3 has -5.00",
		"/explore/croatia?drilldown=fin_code&cut=Year:2016&aggregates=approved_value.avg&_view=treemap": "Averages, extremes and ratios",
		"/explore/croatia?drilldown=fin_code&top=1&_view=treemap&lang=es":                               "no suma",
		"/explore/croatia?drilldown=econ_code&cut=Year:2017&_view=treemap":                              "from 3 parts on",
		"/explore/croatia?cut=Year:2017&_view=bars":                                                     "Choose what to break",
		"/explore/croatia?drilldown=fin_code&_view=change":                                              "Choose a year",
		"/explore/croatia?drilldown=fin_code&cut=Year:2014&_view=change&lang=hr":                        "ne mogu se usporediti",
		"/explore/croatia?drilldown=fin_code&_view=sankey":                                              "Choose two",
		"/explore/own:h%22r%20100%25%2F%C5%BE?aggregates=_count&_view=line":                             "no fiscal years",
		"/explore/own:h%22r%20100%25%2F%C5%BE?aggregates=_count&_view=change":                           "no fiscal years",
	} {
		r := ask(t, h, address)
		_, sentence, _ := strings.Cut(r.body, `<p class="refused">`)
		sentence, _, _ = strings.Cut(sentence, "</p>")
		if r.status != http.StatusOK || !strings.Contains(sentence, want) {
			t.Errorf("%s: status %d: %q", address, r.status, sentence)
		}
	}
}

// What a change shows leads from the amount of the year before to that of the year.
func TestExplorer_ChangeAddsUp(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	shown := smallFigure(t, ask(t, h, "/explore/croatia?drilldown=admin1_code&cut=Year:2017&_view=change").body)
	amount := regexp.MustCompile(`: \+?(-?[\d,.]+)`)
	var amounts []decimal.Decimal
	for _, mark := range shown {
		match := amount.FindStringSubmatch(mark[0])
		amounts = append(amounts, decimal.RequireFromString(strings.ReplaceAll(match[1], ",", "")))
	}
	last := len(amounts) - 1
	sum := decimal.Zero
	for _, d := range amounts[:last] {
		sum = sum.Add(d)
	}
	if want := "1000000000000000337.26"; last != 6 || sum.String() != want || !amounts[last].Equal(sum) {
		t.Errorf("%v: %s", shown, sum)
	}
	// A contributor leads to what made it change on the level below.
	for _, mark := range shown {
		if name, _, _ := strings.Cut(mark[0], ":"); name == "2" && !(strings.Contains(mark[1], "drilldown=admin2_code") && strings.Contains(mark[1], "_view=change")) {
			t.Errorf("%v", mark)
		}
	}
}

// A change is since the last year before that has rows. Sentences tell what the figure shows, and the table has first what changed most.
func TestExplorer_ChangeTells(t *testing.T) {
	store := drawn(t, "2013 1 x 1 x u 1 1 100 10", "2013 2 x 1 x u 1 2 50.5 20", "2013 3 x 1 x u 1 2 7 20",
		"2016 1 x 1 x u 1 1 90 10", "2016 2 x 1 x u 1 2 15.5 20", "2016 3 x 1 x u 1 2 7 20", "2016 4 x 1 x u 1 2 17.25 20")
	store.cubes[0].Coverage.Years = []int64{2013, 2016}
	h := handler(t, store)
	const change = "/explore/croatia?drilldown=admin1_code&cut=Year:2016&_view=change"
	page := html.UnescapeString(ask(t, h, change+"&lang=en").body)
	for _, want := range []string{
		"From 2013 to 2016: -27.75 HRK (-17.6%), exactly -27.75. 2 shrank most: -35 HRK (-69.3%). ",
		` scope="col" class="number" aria-sort="other">`, "In 2013",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
	saying(t, store, `data-head="In 2013"`, map[string]int{"?drilldown=admin1_code&cut=Year:2016&lang=en": 5})
	saying(t, store, ">-17.6%<", map[string]int{"?drilldown=admin1_code&cut=Year:2016&lang=en": 1})
	const beside = "?drilldown=fin_code&cut=Year:2016%7Cadmin1_code:1&_with=admin1_code:2&lang=en"
	saying(t, store, "-69.3% on 2013", map[string]int{beside: 1})
	saying(t, store, "Change since 2013", map[string]int{beside: 2})
	var differences []string
	for _, cell := range regexp.MustCompile(`data-head="Difference">([^<]*)<`).FindAllStringSubmatch(page, -1) {
		differences = append(differences, cell[1])
	}
	if got := strings.Join(differences, " "); got != "-35.00 +17.25 -10.00 0.00 -27.75" {
		t.Errorf("the table has %s", got)
	}
}

// What had another meaning in the other year is not compared, but the change of the whole has it: the figure shows what is left for it.
// What was zero is new.
func TestExplorer_ChangeHasWhatIsNotCompared(t *testing.T) {
	store := drawn(t, "2016 1 x 1 x u 1 1 100 10", "2016 2 x 1 x u 1 2 50.5 20", "2016 3 x 1 x u 1 2 0 20",
		"2017 1 x 1 x u 1 1 90 10", "2017 2 x 1 x u 1 2 75 20", "2017 3 x 1 x u 1 2 7 20")
	store.cubes[0].LabelHistory = &cube.LabelHistory{Breaks: []cube.LabelBreak{
		{Level: "admin1_code", Path: []string{"2"}, Reused: true, Before: "Health", After: "Sport", Last: 2016, First: 2017},
	}}
	page := html.UnescapeString(ask(t, handler(t, store), "/explore/croatia?drilldown=admin1_code&cut=Year:2017&_view=change&lang=en").body)
	for _, want := range []string{"1 not comparable: 2: +24.50", `data-head="Change">not comparable<`, `data-head="Change">new<`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
}

// A table and a figure say of the same members that they are new or gone, and of none that has no amount in either year.
func TestExplorer_NewAndGone(t *testing.T) {
	h := handler(t, drawn(t, "2016 1 x 1 x u 1 1 100 10", "2016 2 x 1 x u 1 2 50.5 20", "2016 3 x 1 x u 1 2 0 20", "2016 6 x 1 x u 1 2 0 20",
		"2017 1 x 1 x u 1 1 90 10", "2017 3 x 1 x u 1 2 7 20", "2017 4 x 1 x u 1 2 8 20", "2017 5 x 1 x u 1 2 0 20"))
	const view = "/explore/croatia?drilldown=admin1_code&cut=Year:2017&lang=en"
	page := ask(t, h, view).body
	_, rows, _ := strings.Cut(page, "<tbody>")
	rows, _, _ = strings.Cut(rows, "</tbody>")
	changes := map[string]string{}
	for _, row := range strings.Split(rows, "</tr>") {
		name := regexp.MustCompile(`<th scope="row"><a [^>]*>([^<]*)<`).FindStringSubmatch(row)
		if change := regexp.MustCompile(`data-head="Change">([^<]*)<`).FindStringSubmatch(row); name != nil {
			changes[name[1]] = html.UnescapeString(change[1])
		}
	}
	if got, want := fmt.Sprint(changes), "map[1:-10.0% 2:gone 3:new 4:new 5: 6:]"; got != want {
		t.Errorf("the table has %s, want %s", got, want)
	}
	var drawn []string
	for _, mark := range smallFigure(t, ask(t, h, view+"&_view=change").body) {
		drawn = append(drawn, mark[0])
	}
	if got, want := strings.Join(drawn, "; "), "2016: 150.50; 4: +8.00 (new); 3: +7.00 (new); 2: -50.50 (gone); 1: -10.00 (-10.0%); 2017: 105.00"; got != want {
		t.Errorf("the figure has %s, want %s", got, want)
	}
}

// What is downloaded is what the page answers: with its order, its columns and a row for each member, also those that it adds up, unless who asks
// adds them up. Of JSON, which comes in pages, it is one page with all rows.
func TestExplorer_DownloadsWhatItAnswers(t *testing.T) {
	var lines []string
	for i := range 120 {
		lines = append(lines, fmt.Sprintf("2016 1 x 1 x u %d 1 5 1", 100+i), fmt.Sprintf("2017 1 x 1 x u %d 1 %d 1", 100+i, 1+i))
	}
	h := handler(t, drawn(t, lines...))
	const columns = "aggregates=approved_value.sum%7Cshare%28approved_value.sum%29"
	for question, want := range map[string]string{
		"drilldown=econ_code&cut=Year:2017": "drilldown=econ_code&cut=Year:2017&" + columns + "&order=approved_value.sum:desc&compare=Year:-1",
		"drilldown=econ_code&cut=Year:2017&_view=change": "drilldown=econ_code&cut=Year:2017&" + columns +
			"&order=approved_value.sum.size:desc&compare=Year:-1",
		"drilldown=econ_code&cut=Year:2017&page=2&pagesize=50": "drilldown=econ_code&cut=Year:2017&" + columns + "&order=approved_value.sum:desc&compare=Year:-1",
		"drilldown=econ_code&cut=Year:2017&top=3&remainder=1": "drilldown=econ_code&cut=Year:2017&" + columns +
			"&order=approved_value.sum:desc&top=3&remainder=1&compare=Year:-1",
	} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia?"+question+"&lang=en").body)
		data := `<a href="../cubes/croatia/aggregate?` + want
		for _, file := range []string{"&lang=en&format=csv", "&lang=en&format=csv&excel=1", "&lang=en&format=xlsx", "&lang=en&format=parquet"} {
			if !strings.Contains(page, data+file+`"`) {
				t.Errorf("%s: no %s%s: %s", question, data, file, page)
			}
		}
		whole := "&pagesize=10000"
		if strings.Contains(want, "top=") {
			whole = ""
		}
		if link := strings.Replace(data, "/aggregate", "/package.zip", 1) + `&lang=en"`; !strings.Contains(page, link) {
			t.Errorf("%s: no %s", question, link)
		}
		if link := data + whole + `&lang=en&format=json">this as JSON`; !strings.Contains(page, link) {
			t.Errorf("%s: no %s: %s", question, link, page)
		}
	}
}

// A code that means another thing in the other year is not compared in any part of a page, and each says why.
func TestExplorer_NothingComparesReusedCodes(t *testing.T) {
	store := drawn(t, "2016 1 x 1 x u 1 1 100 10", "2016 2 x 1 x u 1 2 50 20", "2017 1 x 1 x u 1 1 90 10", "2017 2 x 1 x u 1 2 75 20")
	store.cubes[0].LabelHistory = &cube.LabelHistory{Breaks: []cube.LabelBreak{
		{Level: "admin1_code", Path: []string{"2"}, Reused: true, Before: "Health", After: "Sport", Last: 2016, First: 2017},
	}}
	h := handler(t, store)
	const why, changed, withheld = "2 is “Health” to 2016 and “Sport” from 2017: different things are not compared.", "+50.0%", ">not comparable<"
	for address, want := range map[string]struct {
		why      int
		withheld int
	}{
		"/number?cut=admin1_code:2%7CYear:2017":                                           {1, 1},
		"/number?cut=admin1_code:2%7CYear:2016":                                           {1, 1},
		"/number?cut=admin1_code:2":                                                       {1, 1},
		"?cut=admin1_code:2%7CYear:2017":                                                  {1, 1},
		"?drilldown=fin_code&cut=admin1_code:2%7CYear:2017":                               {1, 1}, // in the picture: the table is without columns of a comparison that has nothing
		"?drilldown=fin_code&cut=admin1_code:2%7CYear:2016":                               {0, 0}, // there is no year before
		"?drilldown=fin_code&cut=admin1_code:2%7CYear:2017&compare=Year:-1":               {1, 2}, // in the picture, too
		"?drilldown=fin_code&cut=admin1_code:2%7CYear:2017&_view=change":                  {1, 1},
		"?cut=admin1_code:2&_view=line":                                                   {1, 0},
		"?drilldown=admin1_code&cut=Year:2017&_view=line":                                 {2, 1}, // the line of one of the members, and the table
		"?drilldown=econ_code&cut=admin1_code:2%7CYear:2017&_with=fin_code:2%7CYear:2016": {1, 2},
	} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia"+strings.Replace(address, "?", "?lang=en&", 1)).body)
		page = regexp.MustCompile(`(?s)<svg.*?</svg>`).ReplaceAllString(page, "")
		if got := [2]int{strings.Count(page, why), strings.Count(page, withheld)}; got != [2]int{want.why, want.withheld} || strings.Contains(page, changed) {
			t.Errorf("%s: %v times why and withheld, want %v: %s", address, got, want, page)
		}
	}
	for _, address := range []string{"/number?cut=admin1_code:1%7CYear:2017", "?drilldown=fin_code&cut=admin1_code:1%7CYear:2017", "?cut=admin1_code:1&_view=line"} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia"+strings.Replace(address, "?", "?lang=en&", 1)).body)
		if strings.Contains(page, why) || strings.Contains(page, withheld) || !strings.Contains(page, "-10.0%") && !strings.Contains(address, "line") {
			t.Errorf("%s: %s", address, page)
		}
	}
}

// The members above stand under a name, in the same column, and rows can be sorted by them.
func TestExplorer_NamesStandOverThoseAbove(t *testing.T) {
	page := html.UnescapeString(ask(t, handler(t, drawn(t, someBudget...)), "/explore/croatia?drilldown=admin2_code&cut=Year:2017&order=admin1_label:asc&lang=en").body)
	_, table, _ := strings.Cut(page, "<thead>")
	head, rows, _ := strings.Cut(table, "</thead>")
	if strings.Count(head, `aria-sort="ascending"`) != 1 || !strings.Contains(head, `order=admin1_label:desc`) || strings.Count(head, `class="sorts"`) != 1 {
		t.Errorf("%s", head)
	}
	if row, _, _ := strings.Cut(rows, "</tr>"); strings.Count(row, "<th") != 1 || !strings.Contains(row, `<span class="above">`) {
		t.Errorf("%s", row)
	}
}

// What has no name in a column, such as others, is no head of a row there, and has no signs between names that it does not have.
func TestExplorer_RowsWithoutANameHaveNoHead(t *testing.T) {
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("2017 %d x %d x u %d 1 5 1", 1+i%2, i, i/2))
	}
	h := handler(t, drawn(t, lines...))
	for question, others := range map[string]int{
		"drilldown=admin2_code&cut=Year:2017": 1, "drilldown=admin1_code%7Cecon_code&cut=Year:2017&rollup=1": 0,
		"drilldown=admin1_code%7Cecon_code&cut=Year:2017&top=2&remainder=1": 2, "drilldown=econ_code%7Cadmin2_code&cut=Year:2017%7Cfin_code:1&_with=fin_code:2": 1,
	} {
		page := ask(t, h, "/explore/croatia?"+question+"&lang=en").body
		if n := strings.Count(page, `<tr class="others">`); n != others {
			t.Errorf("%s: %d rows of others: %s", question, n, page)
		}
		for _, empty := range []string{`<th scope="row"></th>`, `<span class="above"></span>`, `<span class="above"> ›`} {
			if strings.Contains(page, empty) {
				t.Errorf("%s: %s: %s", question, empty, page)
			}
		}
	}
}

// A figure is also a file, which says where it is from, and whose links are whole.
func TestExplorer_Pictures(t *testing.T) {
	store := drawn(t, someBudget...)
	store.cubes[0].Synthetic = true
	h := handler(t, store)
	r := ask(t, h, "/explore/croatia.svg?drilldown=fin_code&cut=Year:2016&_w=600")
	if got := r.header.Get("Content-Disposition"); !strings.HasPrefix(got, "inline; filename=croatia-bars-fin_code-2016-") || !strings.HasSuffix(got, "-v3.svg") {
		t.Errorf("it is saved as %s", got)
	}
	if other := ask(t, h, "/explore/croatia.svg?drilldown=fin_code&cut=Year:2016&_view=treemap").header; other.Get("Content-Disposition") == r.header.Get("Content-Disposition") {
		t.Error("two figures are saved as one file")
	}
	for _, want := range []string{">http://example.com/explore/croatia?drilldown=fin_code&amp;cut=Year:2016&amp;version=3<", ` width="600"`, "Croatia &lt;Budget&gt; &amp; More", "Approved (HRK)", "Source: Ministry", "Made-up", `<a href="http://`, "250.50"} {
		if r.status != http.StatusOK || r.header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(r.body, want) {
			t.Errorf("no %s: status %d\n%s", want, r.status, r.body)
		}
	}
	for address, width := range map[string]int{
		"/explore/croatia.png": 1200, "/explore/croatia.png?drilldown=fin_code&cut=Year:2016&_w=400": 400,
		"/explore/croatia.png?drilldown=econ_code&cut=Year:2016&_view=treemap": 1200, "/explore/croatia.png?_w=wide": 1200, "/explore/croatia.png?_w=999999999": 2432,
	} {
		r := ask(t, h, address)
		picture, err := png.Decode(strings.NewReader(r.body))
		if err != nil || picture.Bounds().Dx() != width || picture.Bounds().Dy() < 100 {
			t.Errorf("%s: status %d: %v", address, r.status, err)
		}
		if again := ask(t, h, address, "If-None-Match", r.header.Get("ETag")); again.status != http.StatusNotModified {
			t.Errorf("%s: status %d", address, again.status)
		}
	}
	refused := ask(t, h, "/explore/croatia.svg?drilldown=econ_code&cut=Year:2016&_view=treemap").body
	if !strings.Contains(refused, "from 3 parts on") {
		t.Errorf("%s", refused)
	}
	if r := ask(t, h, "/explore/nowhere.png"); r.status != http.StatusNotFound {
		t.Errorf("status %d", r.status)
	}
}

// The heading of a change names both years, on its page and in a picture.
func TestExplorer_ChangeNamesBothYears(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	for lang, between := range map[string]string{"en": "change 2016–2017", "es": "cambio 2016–2017", "hr": "promjena 2016.–2017."} {
		const question = "?drilldown=econ_code&cut=Year:2017|admin1_code:1&_view=change&lang="
		want := "1, " + between + " – "
		for _, address := range []string{"/explore/croatia" + question, "/explore/croatia.svg" + question} {
			if r := ask(t, h, address+lang); !strings.Contains(r.body, `aria-label="`+want) {
				t.Errorf("%s: no %s: %s", address+lang, want, r.body)
			}
		}
	}
}

// A link to a number has a preview, which says the number and shows it over the years.
func TestExplorer_NumbersHaveAPreview(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	page := html.UnescapeString(ask(t, h, "/explore/croatia/number?cut=Year:2017|admin1_code:2&lang=en").body)
	for _, want := range []string{
		`<meta property="og:title" content="2, 2017">`, `content="Approved (HRK): 200.3 HRK, exactly 200.25">`,
		`<meta property="og:url" content="http://example.com/explore/croatia/number?cut=Year:2017%7Cadmin1_code:2&aggregates=approved_value.sum&lang=en">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
	for _, link := range []string{`<meta property="og:image" content="http://example.com([^"]*)">`, `<link rel="alternate" type="application/json\+oembed" href="http://example.com([^"]*)"`} {
		found := regexp.MustCompile(link).FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("no %s: %s", link, page)
		}
		if r := ask(t, h, found[1]); r.status != http.StatusOK {
			t.Errorf("%s: status %d", found[1], r.status)
		}
	}
}

// Other pages may frame a figure, and nothing else.
func TestExplorer_Embed(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	r := ask(t, h, "/embed/croatia?drilldown=fin_code&cut=Year:2016")
	policy := r.header.Get("Content-Security-Policy")
	if r.status != http.StatusOK || !strings.HasSuffix(policy, "frame-ancestors *") || strings.Contains(policy, "script") || strings.Contains(r.body, "<script") {
		t.Errorf("status %d: %s", r.status, policy)
	}
	for _, want := range []string{"2: 250.50 (65.8%)", "Source: Ministry", `href="../explore/croatia?drilldown=fin_code&amp;cut=Year:2016"`, `<base target="_blank">`} {
		if !strings.Contains(r.body, want) {
			t.Errorf("no %s: %s", want, r.body)
		}
	}
	icon := regexp.MustCompile(`<link rel="icon" href="\.\.(/[^"]*)">`).FindStringSubmatch(r.body)
	if icon == nil || ask(t, h, icon[1]).status != http.StatusOK {
		t.Errorf("it has no icon, which browsers then look for elsewhere: %.600s", r.body)
	}
	for address, status := range map[string]int{"/embed/nowhere?lang=hr": 404, "/embed/croatia?drilldown=nothing&lang=hr": 400} {
		mistake := ask(t, h, address)
		if mistake.status != status || strings.Contains(mistake.body, "<script") || strings.Contains(mistake.body, "<form") ||
			!strings.Contains(mistake.body, `<html lang="hr" class="embed">`) || !strings.Contains(mistake.body, ">Početna stranica</a>") {
			t.Errorf("%s: status %d: %s", address, mistake.status, mistake.body)
		}
	}
	page := ask(t, h, "/explore/croatia?drilldown=fin_code&cut=Year:2016&_view=line")
	if policy := page.header.Get("Content-Security-Policy"); !strings.HasSuffix(policy, "frame-ancestors 'none'") {
		t.Errorf("%s", policy)
	}
	if overview := ask(t, h, "/explore/croatia").body; !strings.Contains(overview, `<meta property="og:image" content="http://example.com/explore/croatia.png?lang=en&amp;_w=1200">`) {
		t.Errorf("%s", overview)
	}
	snippet := regexp.MustCompile(`(?s)<textarea[^>]*>(.*?)</textarea>`).FindStringSubmatch(page.body)
	preview := regexp.MustCompile(`<meta property="og:image" content="([^"]*)">`).FindStringSubmatch(page.body)
	if snippet == nil || preview == nil {
		t.Fatalf("%s", page.body)
	}
	source := regexp.MustCompile(`src="http://[^/"]*(/embed/[^"]*)"`).FindStringSubmatch(html.UnescapeString(snippet[1]))
	if source == nil {
		t.Fatalf("%s", snippet[1])
	}
	if r := ask(t, h, html.UnescapeString(source[1])); r.status != http.StatusOK || !strings.Contains(r.body, "2, 2016: 250.50") {
		t.Errorf("status %d: %s", r.status, r.body)
	}
	picture := regexp.MustCompile(`^http://[^/]*(/.*)$`).FindStringSubmatch(html.UnescapeString(preview[1]))
	if picture == nil {
		t.Fatalf("%s", preview[1])
	}
	if r := ask(t, h, picture[1]); r.header.Get("Content-Type") != "image/png" {
		t.Errorf("status %d", r.status)
	}
}

func TestExplorer_OEmbed(t *testing.T) {
	f := newFake(t)
	f.cubes[0].Titles = cube.Titles{"en": f.cubes[0].Title, "hr": "Hrvatska"}
	h := handler(t, f)
	for address, want := range map[string]struct {
		status int
		text   string
	}{
		"/oembed?url=http://example.com/explore/croatia%3Fdrilldown=Year%26_view=line&maxwidth=300": {200, `src=\"http://example.com/embed/croatia?drilldown=Year&amp;_view=line\" title=\"Croatia &lt;Budget&gt; &amp; More\" width=\"300\"`},
		"/oembed?url=http://example.com/explore/croatia%3Flang=hr%26drilldown=Year":                 {200, `"title":"Hrvatska"`},
		"/oembed?url=http://example.com/explore/croatia%3Flang=xx":                                  {200, `"title":"Croatia <Budget`},
		"/oembed?url=http://example.com/explore/nowhere":                                            {404, "unknown-cube"},
		"/oembed?url=http://example.com.evil.org/explore/croatia":                                   {404, "unknown-route"},
		"/oembed?url=http://example.com/cubes/croatia":                                              {404, "unknown-route"},
		"/oembed": {404, "unknown-route"},
		"/oembed?url=http://example.com/explore/croatia&format=xml": {400, "format"},
	} {
		r := ask(t, h, address)
		if r.status != want.status || !strings.Contains(r.body, want.text) {
			t.Errorf("%s: status %d: %s", address, r.status, r.body)
		}
	}
}

// Budgets of the same title have their names on their cards and pages, by which they can be told apart. One with a tenth of the rows of
// another may be an excerpt of it.
func TestExplorer_TellsBudgetsApart(t *testing.T) {
	store := drawn(t, someBudget...)
	title := store.cubes[0].TitleIn(cube.English)
	if page := ask(t, handler(t, store), "/?lang=en").body; strings.Contains(page, "(croatia)") {
		t.Errorf("a budget alone is named: %s", page)
	}
	other, sample := *store.cubes[0], *store.cubes[0].Package
	sample.Name = "croatia-sample"
	other.Package, other.ID = &sample, 99
	store.cubes[0].Rows, other.Rows = 22000, 2200
	store.cubes = append(store.cubes, &other)
	h := handler(t, store)
	for address, want := range map[string][]string{
		"/?lang=en":                {title + " (croatia) · ", title + " (croatia-sample) · "},
		"/explore/croatia?lang=en": {title + " (croatia)</a></nav>"},
		"/explore/croatia?cut=admin1_code:1&lang=en":               {title + " (croatia)</a>"},
		"/explore/croatia-sample/number?cut=admin1_code:1&lang=en": {title + " (croatia-sample)</a>"},
	} {
		page := html.UnescapeString(ask(t, h, address).body)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s lacks %q: %s", address, text, page)
			}
		}
		if strings.Contains(page, "xcerpt") {
			t.Errorf("%s takes a tenth for an excerpt", address)
		}
	}
	other.Rows = 2199
	h = searchable(t, store)
	for address, want := range map[string]string{
		"/?lang=en":                              "<h2>Excerpts: some rows of a budget</h2>",
		"/explore/croatia-sample?lang=en":        "a year are published here; the budget croatia has the same title and some ",
		"/explore/croatia-sample/number?lang=es": "el presupuesto croatia tiene el mismo título y unas ",
		"/?q=croatia-sample&lang=en":             "Croatia &lt;Budget&gt; &amp; More (croatia-sample)</a> <strong class=\"doubt\">few rows: perhaps an excerpt</strong></h2>",
		"/?q=zzzzz&lang=hr":                      "(croatia-sample)</a> <span class=\"soft\">2016–2017</span> <strong class=\"doubt\">malo redaka: možda izvadak</strong></li>",
	} {
		if page := ask(t, h, address).body; strings.Count(page, want) != 1 {
			t.Errorf("%s does not say once %q: %s", address, want, page)
		}
	}
	for lang, cited := range map[string]string{
		"en": "“" + title + " (croatia-sample)”, version 3, loaded 2018-05-02; perhaps an excerpt (some 1,099 rows a year)",
		"es": "(croatia-sample)», versión 3, cargada el 2018-05-02; quizá un extracto (unas 1.099 filas por año)",
		"hr": "(croatia-sample)“, verzija 3, učitano 2018-05-02; možda izvadak (oko 1.099 redaka na godinu)",
	} {
		if page := html.UnescapeString(ask(t, h, "/explore/croatia-sample/number?lang="+lang).body); !strings.Contains(page, cited) {
			t.Errorf("the citation lacks %q: %s", cited, page)
		}
	}
	if page := ask(t, h, "/explore/croatia?lang=en").body; strings.Contains(page, "excerpt") {
		t.Errorf("the whole budget is taken for an excerpt: %s", page)
	}
}

// Where amounts cannot be had, the cards are there without them, and a store that is away is not asked again for each.
func TestExplorer_HomeWithoutAmounts(t *testing.T) {
	store, asked := drawn(t, someBudget...), 0
	for i := range 50 {
		other, of := *store.cubes[0], *store.cubes[0].Package
		of.Name = fmt.Sprint("croatia-", i)
		other.Package = &of
		store.cubes = append(store.cubes, &other)
	}
	var mu sync.Mutex
	store.run = func(ctx context.Context, s *plan.Statement) iter.Seq2[row, error] {
		mu.Lock()
		defer mu.Unlock()
		asked++
		return failing(cube.Errorf(cube.CodeUnavailable, "the database is away"))(ctx, s)
	}
	r := ask(t, handler(t, store), "/?lang=en")
	if r.status != http.StatusOK || strings.Count(r.body, "More (croatia-") != 50 || strings.Contains(r.body, "<b>") || asked > 10 {
		t.Errorf("status %d after %d questions: %s", r.status, asked, r.body)
	}
}

// The page of a budget ranks the members of its first level in the last complete year. Its numbers lead to their pages, and a year
// without rows is named.
func TestExplorer_Overview(t *testing.T) {
	lines := []string{"2014 1 x 1 x u 1 1 70 1"}
	for i := range 12 {
		lines = append(lines, fmt.Sprintf("2016 %d x 1 x u 1 1 %d 1", i, 10*i+5))
	}
	store := drawn(t, lines...)
	store.cubes[0].Coverage.Years = []int64{2014, 2016}
	h := handler(t, store)
	page := html.UnescapeString(ask(t, h, "/explore/croatia?lang=es").body)
	const in2016 = "?cut=Year:2016&lang=es"
	for _, want := range []string{
		`<dd>2014, 2016</dd>`, `<span class="big">720 kunas</span>`, `aprobado para Croatia <Budget> & More en 2016`, `exactamente <b>720,00</b> HRK</span><a href="../explore/croatia/number` + in2016 + `">`,
		`<a href="../explore/croatia?drilldown=admin1_code&cut=Year:2016&lang=es">Por admin1_label</a>`,
		`<a href="../explore/croatia/number?cut=Year:2016%7Cadmin1_code:11&lang=es" title="115,00">115</a>`,
		`<th scope="row">2015 <span class="soft">sin datos</span></th>`, `<a href="../explore/croatia/number?cut=Year:2014&lang=es">70,00</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
}

// A sum that is broken down by nothing is ranked by the first level that it may be, and beside its other years.
func TestExplorer_LooksIntoASum(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	page := html.UnescapeString(ask(t, h, "/explore/croatia?cut=fin_code:1%7CYear:2017&aggregates=%22executed:%20cash%22.sum&lang=en").body)
	const cash = "&aggregates=%22executed:+cash%22.sum&lang=en"
	for _, want := range []string{
		`<a href="../explore/croatia?drilldown=admin1_code&cut=fin_code:1%7CYear:2017` + cash + `">By admin1_label`,
		`<a href="../explore/croatia/number?cut=Year:2017%7Cfin_code:1%7Cadmin1_code:4` + cash + `">3</a>`,
		`<a href="../explore/croatia?drilldown=admin1_code&cut=fin_code:1%7CYear:2017` + cash + `&_view=change">Change</a>`,
		`<a href="../explore/croatia?cut=fin_code:1%7CYear:2017` + cash + `&_view=line">Over the years</a>`,
		`<a href="../explore/croatia?cut=fin_code:1%7CYear:2017` + cash + `" aria-current="true">Table</a>`,
		`<a href="../explore/croatia?cut=fin_code:1%7CYear:2016` + cash + `">2016</a>`, `<td class="number" data-head="Change">0.0%</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
	if strings.Contains(page, "Share the figure") {
		t.Error("there is no figure to share")
	}
	page = html.UnescapeString(ask(t, h, "/explore/croatia?cut=fin_code:1%7CYear:2017&lang=en").body)
	if !strings.Contains(page, `/number?cut=fin_code:1%7CYear:2016&lang=en">130.00</a>`) || !strings.Contains(page, `<td class="number" data-head="Change">+5.4%</td>`) {
		t.Errorf("the measure that nobody asked for: %s", page)
	}
	if page := ask(t, h, "/explore/croatia?cut=fin_code:1%7CYear:2014&lang=en").body; strings.Contains(page, "byyear") {
		t.Errorf("a year without rows has years: %s", page)
	}
}

// A budget of one year is asked nothing that takes two.
func TestExplorer_OneYear(t *testing.T) {
	store := drawn(t, "2017 1 x 1 x u 1 1 100 10", "2017 2 x 1 x u 1 2 250.5 20")
	cb := store.cubes[0]
	cb.Resources, cb.Coverage.Years = cb.Resources[1:], []int64{2017}
	h := handler(t, store)
	for _, address := range []string{"/?lang=en", "/explore/croatia?lang=en", "/explore/croatia?drilldown=admin1_code&cut=Year:2017&lang=en"} {
		page := ask(t, h, address).body
		for _, offer := range []string{"Over the years", "_view=change", "_view=line", "develop", "grew"} {
			if strings.Contains(page, offer) {
				t.Errorf("%s offers %s: %s", address, offer, page)
			}
		}
		if !strings.Contains(page, "By admin1_label") && !strings.Contains(page, "How was the budget of 2017 divided by admin1_label?") {
			t.Errorf("%s offers nothing: %s", address, page)
		}
	}
	if page := ask(t, h, "/explore/croatia?drilldown=admin1_code&cut=Year:2017&_view=line&lang=en").body; !strings.Contains(page, "Only 2017 has an amount") ||
		!strings.Contains(page, `aria-current="true">Over the years</a>`) {
		t.Errorf("what is asked all the same: %s", page)
	}
}

// A year without amounts between others is named in lines and in tables of years.
func TestExplorer_NamesGaps(t *testing.T) {
	store := drawn(t, "2013 1 x 1 x u 1 1 100 10", "2017 1 x 1 x u 1 2 250.5 20")
	store.cubes[0].Coverage.Years = []int64{2013, 2017}
	h := handler(t, store)
	for address, want := range map[string]string{
		"?drilldown=Year&lang=en":                     "<caption>2 rows. No data for 2014 to 2016.</caption>",
		"?drilldown=admin1_code&_view=line&lang=es":   ">sin datos</text>",
		"?drilldown=Year&lang=hr":                     "<caption>2 retka. Bez podataka za 2014. – 2016.</caption>",
		"/number?cut=Year:2013|admin1_code:1&lang=hr": `<span class="name">2015 <span class="mark">bez podataka</span></span>`,
		"/number?cut=Year:2013&lang=en":               `<span class="change">&#43;150.5% from 2013</span>`,
	} {
		if page := ask(t, h, "/explore/croatia"+address).body; !strings.Contains(page, want) {
			t.Errorf("%s: no %s: %s", address, want, page)
		}
	}
}

// Croatian writes a year with a point, also in headings and at the heads of columns. A list of years has them as they are published.
func TestExplorer_CroatianYearsHaveAPoint(t *testing.T) {
	store := drawn(t, someBudget...)
	store.cubes[0].Coverage = &cube.YearCoverage{Years: []int64{2014, 2016, 2017}}
	h := handler(t, store)
	said := regexp.MustCompile(`(?s)<(h1|h2|p|caption|thead)\b[^>]*>(.*?)</(?:h1|h2|p|caption|thead)>`)
	bare := regexp.MustCompile(`\b20[0-9]{2}\b(?:[^.0-9]|$)`)
	tags := regexp.MustCompile(`<[^>]*>`)
	for address, want := range map[string][]string{
		"?lang=hr": {" 2017.</span></h1>"},
		"?drilldown=fin_code&cut=Year:2017&lang=hr":                                   {">U 2016.</a>", `2017.</span></h1>`},
		"?drilldown=fin_code&cut=Year:2017&_view=change&lang=hr":                      {"Od 2016. do 2017.: "},
		"?drilldown=fin_code&_view=line&cut=Year:2017&lang=hr":                        {"2017.</span></h1>"},
		"?cut=Year:2017|admin1_code:1&_with=admin1_code:2&lang=hr":                    {"prema 2016."},
		"?cut=Year:2017|admin1_code:1&_with=admin1_code:2&drilldown=fin_code&lang=hr": {"Promjena od 2016."},
		"/number?cut=Year:2017|admin1_code:1&lang=hr":                                 {"2017.</span></h1>"},
	} {
		page := ask(t, h, "/explore/croatia"+address).body
		for _, part := range want {
			if !strings.Contains(page, part) {
				t.Errorf("%s: no %q: %s", address, part, page)
			}
		}
		for _, text := range said.FindAllStringSubmatch(page, -1) {
			if words := tags.ReplaceAllString(text[2], ""); bare.MatchString(words) {
				t.Errorf("%s: a year without a point in %s: %q", address, text[1], words)
			}
		}
	}
	if page := ask(t, handler(t, spent(t, "2017 a 100 120 90")), "/explore/croatia?cut=Year:2017&lang=hr").body; !strings.Contains(page, "od odobrenog za 2017. potrošeno je 90,0") {
		t.Error(page)
	}
}

// A prepared question leads to the address of its view.
func TestExplorer_PreparedQuestions(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	overview := ask(t, h, "/explore/croatia?lang=hr").body
	if strings.Count(overview, `<form class="ask" action="../explore/croatia">`) != 3 || !strings.Contains(overview, `<option value="2017" selected>2017.</option>`) ||
		!strings.Contains(overview, `<input type="hidden" name="lang" value="hr">`) {
		t.Errorf("%s", overview)
	}
	for lang, want := range map[string]string{
		"en": "What grew most … from … to … ?", "es": "¿Qué creció más … de … a … ?", "hr": "Što je … najviše poraslo od … do … ?",
	} {
		_, form, _ := strings.Cut(ask(t, h, "/explore/croatia?lang="+lang).body, `<form class="ask"`)
		form, _, _ = strings.Cut(form, "<button>")
		var words []string
		for _, piece := range regexp.MustCompile(`<span>(.*?)</span>|<select `).FindAllStringSubmatch(form, -1) {
			words = append(words, cmp.Or(html.UnescapeString(piece[1]), "…"))
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("in %s it asks %q, want %q", lang, got, want)
		}
	}
	for question, want := range map[string]string{
		"_ask=growth&_level=admin1_code&_from=2016&_to=2017": "drilldown=admin1_code&cut=Year:2017&_view=change",
		"_ask=growth&_level=admin1_code&_from=2017&_to=2014": "drilldown=admin1_code&cut=Year:2017&compare=Year:-3&_view=change",
		"_ask=parts&_level=fin_code&_to=2016&lang=es":        "drilldown=fin_code&cut=Year:2016&lang=es&_view=bars",
		"_ask=years&_level=fin_code":                         "drilldown=fin_code&cut=Year:2017&_view=line",
		"_ask=parts&_level=fin_code&_to=2014":                "drilldown=fin_code&cut=Year:2014&_view=bars",
	} {
		r := ask(t, h, "/explore/croatia?"+question)
		if got := r.header.Get("Location"); r.status != http.StatusSeeOther || got != "../explore/croatia?"+want {
			t.Errorf("%s: status %d: %s", question, r.status, got)
		} else if r := ask(t, h, "/explore/croatia?"+want); r.status != http.StatusOK || !strings.Contains(r.body, `id="picture"`) {
			t.Errorf("%s: status %d", want, r.status)
		}
	}
	for question, want := range map[string]string{"_ask=growth&_level=fin_code&_to=now": "_to is", "_ask=parts": "_level"} {
		if r := ask(t, h, "/explore/croatia?"+question); r.status != http.StatusBadRequest || !strings.Contains(r.body, want) {
			t.Errorf("%s: status %d", question, r.status)
		}
	}
}

// Members of one name have their codes in a figure, and so has one that is called as the sum of the others is.
func TestExplorer_NamesThatCollideHaveTheirCodes(t *testing.T) {
	var lines []string
	for i, code := range []string{"road", "others", "roAD", "ostalo"} { // a member is called by its code in capitals
		lines = append(lines, fmt.Sprintf("2017 %s x 1 x u 1 1 %d 1", code, 500-i))
	}
	h := handler(t, drawn(t, lines...))
	const view = "/explore/croatia?cut=Year:2017&lang=en&drilldown=admin1_code"
	for address, want := range map[string]string{
		view + "&_view=bars": "ROAD (road) OTHERS (others) ROAD (roAD) OSTALO", view + "%7Cfin_code&_view=sankey": "ROAD (road) OTHERS ROAD (roAD) OSTALO 1",
	} {
		var names []string
		for _, mark := range smallFigure(t, ask(t, h, address).body) {
			name, _, _ := strings.Cut(mark[0], ":")
			names = append(names, name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s has %s, want %s", address, got, want)
		}
	}
}

// Among more members than a table has rows for, those that are gone stand apart from the others, whose rate is theirs alone.
func TestExplorer_GoneMembersAreNoOthers(t *testing.T) {
	rowsBelow := func(kept int, lost ...string) string {
		lines := lost
		for i := range kept {
			lines = append(lines, fmt.Sprintf("2016 m%02d x 1 x u 1 1 %d 1", i, 900-10*i), fmt.Sprintf("2017 m%02d x 1 x u 1 1 %d 1", i, 1000-10*i))
		}
		page := ask(t, handler(t, drawn(t, lines...)), "/explore/croatia?drilldown=admin1_code&cut=Year:2017&lang=en").body
		_, body, _ := strings.Cut(page, "<tbody>")
		body, _, _ = strings.Cut(body, "</tbody>")
		var list []string
		for _, row := range strings.Split(body, "</tr>")[30:] {
			list = append(list, plainText(row))
		}
		return strings.Join(append(list, plainText(page[strings.Index(page, "<caption>"):strings.Index(page, "</caption>")])), "|")
	}
	for want, got := range map[string]string{
		"3 others 2,070.00 7.5% 1,770.00 +16.9%|2 gone 57.50 gone||35 rows": rowsBelow(33, "2016 x1 x 1 x u 1 1 50 1", "2016 x2 x 1 x u 1 1 7.5 1"),
		"3 others 2,070.00 7.5% 1,770.00 +16.9%|X1 x1 50.00 gone||34 rows":  rowsBelow(33, "2016 x1 x 1 x u 1 1 50 1"),
		"3 others 2,070.00 7.5% 1,770.00 +16.9%||33 rows":                   rowsBelow(33),
		"M30 m30 700.00 2.7% 600.00 +16.7%|2 gone 57.50 gone||33 rows":      rowsBelow(31, "2016 x1 x 1 x u 1 1 50 1", "2016 x2 x 1 x u 1 1 7.5 1"),
		"2 gone 57.50 gone||32 rows":                                        rowsBelow(30, "2016 x1 x 1 x u 1 1 50 1", "2016 x2 x 1 x u 1 1 7.5 1"),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
