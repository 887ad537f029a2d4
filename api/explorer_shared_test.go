package api_test

import (
	"fmt"
	"html"
	"regexp"
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
		_, difference, _ := strings.Cut(strings.TrimSuffix(mark[0], ")"), ": ")
		difference, rate, _ := strings.Cut(difference, " (")
		says(t, html.UnescapeString(page), difference+"</td>", rate+"</td>")
	}
	_, total, _ := strings.Cut(page, "<tfoot>")
	told := regexp.MustCompile(`, exactly ([^ ]*)\. `).FindStringSubmatch(html.UnescapeString(page))
	if len(shown) != 11 || told == nil {
		t.Fatalf("%d marks; it is told: %q", len(shown), told)
	}
	says(t, html.UnescapeString(total), ">"+told[1]+"<")
}

// The frame that a page offers is as high as its figure with the texts around it, also of a table; there is none where there is no figure.
func TestExplorer_FramesFitTheirFigures(t *testing.T) {
	h := handler(t, drawn(t, append(someBudget, "2017 9 x 1 x u 1 9 -7 1")...))
	heights := map[string]string{}
	for _, view := range []string{"admin1_code", "admin1_code&_view=bars", "econ_code&_view=bars", "fin_code&_view=treemap", "fin_code&_view=sankey"} {
		page := html.UnescapeString(ask(t, h, "/explore/croatia?cut=Year:2017&lang=en&drilldown="+view).body)
		if found := regexp.MustCompile(`width="800" height="(\d+)"`).FindStringSubmatch(page); found != nil {
			heights[view] = found[1]
		} else if strings.Contains(page, "Share the figure") {
			t.Errorf("%s has no frame", view)
		}
	}
	if got, want := fmt.Sprint(heights), "map[admin1_code:300 admin1_code&_view=bars:300 econ_code&_view=bars:208]"; got != want {
		t.Errorf("frames are %s high, want %s", got, want)
	}
}

// Flows are between two levels: the link to them has a second one, and an address without it is offered pairs.
func TestExplorer_FlowsOfferTheirLevels(t *testing.T) {
	const both, view = `<a href="../explore/croatia?drilldown=fin_code%7Cadmin1_code&cut=Year:2016&lang=en&_view=sankey">`, "?lang=en&cut=Year:2016&drilldown=fin_code"
	saying(t, drawn(t, someBudget...), both+"Flows</a>", map[string]int{view: 1, view + "&_view=sankey": 0})
	saying(t, drawn(t, someBudget...), both+"fin_code → admin1_label</a>", map[string]int{view: 0, view + "&_view=sankey": 1})
}

// Two selections of which nobody says the year are of the latest that is complete in both, and say so; all years are chosen by their names.
func TestExplorer_ComparesTheLatestCommonYear(t *testing.T) {
	store := drawn(t, append(someBudget, "2018 2 x 1 x u 1 2 4 4")...)
	store.cubes[0].Coverage.Years = []int64{2016, 2017, 2018}
	h := handler(t, store)
	const sides, chosen = "/explore/croatia?lang=en&_with=admin1_code:2&cut=admin1_code:1", "No year was chosen, so this is 2017, the latest that is complete in both. All years"
	page := ask(t, h, sides).body
	says(t, plainText(page), "1 and 2, 2017 ", chosen, "exactly 130.00", "exactly 200.25 ")
	all := regexp.MustCompile(`both\.</p>\s*<ul class="choices"><li><a href="\.\.(/explore/[^"]*)">`).FindStringSubmatch(page)
	if all == nil {
		t.Fatalf("nothing leads to all years: %s", page)
	}
	says(t, plainText(ask(t, h, html.UnescapeString(all[1])).body), "1 and 2, 2016, 2017, 2018 ", "exactly 454.75 ")
	saying(t, store, "No year was chosen", map[string]int{
		"?lang=en&_with=admin1_code:2&cut=admin1_code:1": 1, "?lang=en&_with=admin1_code:2&cut=admin1_code:1%7CYear:2016": 0, "?lang=en&_with=admin1_code:2&cut=admin1_code:1&drilldown=Year": 0,
	})
}
