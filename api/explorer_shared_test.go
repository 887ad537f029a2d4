package api_test

import (
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
