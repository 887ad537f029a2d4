package api_test

import (
	"fmt"
	"html"
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
