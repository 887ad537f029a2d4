package api_test

import (
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What is in real terms says whose prices it is in: a view, a comparison, a figure on another page and its file.
func TestExplorer_AdjustedAmountsNameTheirSeries(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	const named = "(version 3); prices: World Bank, FP.CPI.TOTL.ZG, from the data package datasets/cpi, 2025-07-01"
	for _, path := range []string{"/explore/croatia?_view=bars&", "/explore/croatia?", "/explore/croatia?_with=econ_code:2&", "/embed/croatia?", "/explore/croatia.svg?_w=400&"} {
		for aggregate, times := range map[string]int{"real(approved_value.sum,2016)": 1, "approved_value.sum": 0} {
			address := path + "drilldown=fin_code&cut=Year:2017|econ_code:1&lang=en&aggregates=" + aggregate
			if got := strings.Count(plainText(ask(t, h, address).body), named); got != times {
				t.Errorf("%s names the series %d times", address, got)
			}
		}
	}
}

// plainText is what a page or a drawing says, without its marks.
func plainText(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(page, " "))), " ")
}

// A figure of changes has the digits of its table, also in real terms, where each difference is rounded once.
func TestExplorer_ChangeHasTheDigitsOfItsTable(t *testing.T) {
	var lines []string
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("2016 %d x 1 x u 1 1 %d.37 1", i, 1000+317*i), fmt.Sprintf("2017 %d x 1 x u 1 1 %d.11 1", i, 900+411*i))
	}
	h := handler(t, drawn(t, lines...))
	page := ask(t, h, "/explore/croatia?drilldown=admin1_code&cut=Year:2017&aggregates=real(approved_value.sum,2018)&_view=change&lang=en").body
	shown := smallFigure(t, page)
	for _, mark := range shown[1 : len(shown)-1] {
		_, difference, _ := strings.Cut(mark[0], ": ")
		difference, rate, _ := strings.Cut(strings.TrimSuffix(difference, ")"), " (")
		if row := difference + "</td>"; !strings.Contains(html.UnescapeString(page), row) || !strings.Contains(html.UnescapeString(page), rate+"</td>") {
			t.Errorf("the table has no %s", mark[0])
		}
	}
	_, total, _ := strings.Cut(page, "<tfoot>")
	_, told, _ := strings.Cut(page, ", exactly ")
	if told, _, _ = strings.Cut(told, "."); len(shown) != 11 || !strings.Contains(total, ">"+told+".") {
		t.Errorf("%d marks, and it is told that the whole changed by %s: %s", len(shown), told, total)
	}
}

// The frame that a page offers is as high as its figure with all that is around it, and there is none where there is no figure. What a
// frame has beside the figure stays in sight where others make it lower.
func TestExplorer_FramesFitTheirFigures(t *testing.T) {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("2017 %d x 1 x u 1 1 %d 1", 100+i, 500+i))
	}
	h := handler(t, drawn(t, append(lines, "2017 9 x 1 x u 1 2 -7 1")...))
	frame := regexp.MustCompile(`width="800" height="(\d+)"`)
	heights := map[string]int{}
	for _, view := range []string{"drilldown=admin1_code", "drilldown=admin1_code&_view=bars", "drilldown=econ_code&_view=bars", "drilldown=fin_code&_view=treemap", "drilldown=fin_code&_view=sankey"} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia?cut=Year:2017&lang=en&"+view).body)
		if found := frame.FindStringSubmatch(page); found != nil {
			heights[view], _ = strconv.Atoi(found[1])
		} else if strings.Contains(page, "Share the figure") {
			t.Errorf("%s has a figure to share, but no frame", view)
		}
	}
	bars := svgHeight(t, ask(t, h, "/embed/croatia?drilldown=admin1_code&cut=Year:2017").body)
	high, low := heights["drilldown=admin1_code&_view=bars"], heights["drilldown=econ_code&_view=bars"]
	if high != heights["drilldown=admin1_code"] || high < bars+120 || high > bars+350 || low < 120 || low > 300 || len(heights) != 3 {
		t.Errorf("bars are %d high, and frames %v", bars, heights)
	}
	if page := ask(t, h, "/embed/croatia?drilldown=admin1_code&cut=Year:2017").body; !strings.Contains(page, `<div class="framed">`) {
		t.Errorf("%s", page)
	}
}

// svgHeight is how high the figure for screens is.
func svgHeight(t *testing.T, page string) (height int) {
	t.Helper()
	_, page, _ = strings.Cut(page, `<div class="large"><svg`)
	found := regexp.MustCompile(`viewBox="0 0 \d+ (\d+)`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no figure: %.300s", page)
	}
	height, _ = strconv.Atoi(found[1])
	return height
}

// Flows are between two levels: the link to them has a second one, and an address without it is offered pairs.
func TestExplorer_FlowsOfferTheirLevels(t *testing.T) {
	h := handler(t, drawn(t, someBudget...))
	const view = "/explore/croatia?lang=en&cut=Year:2016"
	const both = `<a href="../explore/croatia?drilldown=fin_code%7Cadmin1_code&cut=Year:2016&lang=en&_view=sankey">`
	if page := html.UnescapeString(ask(t, h, view+"&drilldown=fin_code").body); !strings.Contains(page, both) {
		t.Errorf("the link to the flows leads to no figure: %s", page)
	}
	for address, offered := range map[string]string{view + "&_view=sankey": `">fin_code → admin1_label</a>`, view + "&drilldown=fin_code&_view=sankey": both + "fin_code → admin1_label</a>"} {
		page := html.UnescapeString(ask(t, h, address).body)
		_, asked, _ := strings.Cut(page, `<p class="refused">`)
		if asked, _, _ = strings.Cut(asked, "</div>"); !strings.Contains(asked, offered) {
			t.Errorf("%s: %s", address, asked)
		}
	}
}

// Two selections of which nobody says the year are of the latest that is complete in both, and say so; all years are chosen by their names.
func TestExplorer_ComparesTheLatestCommonYear(t *testing.T) {
	store := drawn(t, append(someBudget, "2018 2 x 1 x u 1 2 4 4")...)
	store.cubes[0].Coverage.Years = []int64{2016, 2017, 2018}
	h := handler(t, store)
	const sides, said = "/explore/croatia?lang=en&_with=admin1_code:2&cut=admin1_code:1", "No year was chosen, so this is 2017, the latest that is complete in both. All years"
	page := plainText(ask(t, h, sides).body)
	for _, want := range []string{"1 and 2, 2017 ", said, "exactly 130.00", "exactly 200.25 "} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s: %s", want, page)
		}
	}
	all := regexp.MustCompile(`both\. <a href="\.\.(/explore/[^"]*)">`).FindStringSubmatch(ask(t, h, sides).body)
	if all == nil {
		t.Fatalf("nothing leads to all years: %s", page)
	}
	page = plainText(ask(t, h, html.UnescapeString(all[1])).body)
	for _, want := range []string{"1 and 2, 2016, 2017, 2018 ", "Approved (HRK), years 2016 to 2018 together 230 HRK", "exactly 454.75 "} {
		if !strings.Contains(page, want) || strings.Contains(page, "No year was chosen") {
			t.Errorf("no %s: %s", want, page)
		}
	}
	for _, other := range []string{sides + "|Year:2016", sides + "&drilldown=Year", strings.Replace(sides, "admin1_code:2", "admin1_code:5", 1)} {
		if page := plainText(ask(t, h, other).body); strings.Contains(page, "No year was chosen") != strings.HasSuffix(other, "admin1_code:1") {
			t.Errorf("%s: %s", other, page)
		}
	}
}
