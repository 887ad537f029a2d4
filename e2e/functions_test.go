package e2e

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// numberByFunction matches the cells of the page: the amount that they are of, and the view that they lead to.
var numberByFunction = regexp.MustCompile(`<td class="number[^>]*><a href="explore/([^?"]*)\?([^"]*)" title="([^" ]*) ([A-Z]{3})">([^<]*)</a>`)

// Each number of budgets side by side leads to a view that adds up to it, and what is not compared is said in every language.
func TestFunctions_Page(t *testing.T) {
	t.Parallel()
	server := seeded.onDuckDB(t)
	page := func(question string) string {
		status, body := server.get(t, "/functions?"+question)
		if status != http.StatusOK {
			t.Fatalf("%s: %d", question, status)
		}
		return html.UnescapeString(string(body))
	}
	numbers := numberByFunction.FindAllStringSubmatch(page("lang=en&in=shares"), -1)
	if len(numbers) < 30 {
		t.Fatalf("the page has %d numbers", len(numbers))
	}
	for _, n := range numbers {
		a := server.ask(t, n[1], strings.Replace(n[2], "&lang=en", "", 1))
		measure := n[2][strings.Index(n[2], "aggregates=")+len("aggregates="):]
		measure, _, _ = strings.Cut(measure, "&")
		if want := decimal.NewNullDecimal(decimal.RequireFromString(strings.ReplaceAll(n[3], ",", ""))); !equal(a.Summary[measure], want) {
			t.Errorf("%s is %s, its view adds up to %s", n[0], want.Decimal, a.Summary[measure])
		}
	}
	for question, sentences := range map[string][]string{
		"lang=en": {`“Paraguay: national budget, expenditure”: it has amounts of Month 1 of 2017 alone.`, `The budgets have no year in common`,
			`“Costa Rica: revenue of the central government”: it is not of expenditure`, `“Mexico City: expenditure” is not the budget of a whole country`, `: without financing`},
		"lang=es&year=2012":                      {`«Costa Rica: egresos del gobierno central»: ese año no está; tiene 2017 y 2019.`, `gastado en 2012`},
		"lang=hr&in=growth&year=2016":            {`„Hrvatska: proračun i rashodi središnje države“: nema iznosa za cijelu godinu prije 2016.`, `promjena u odnosu na prethodnu godinu`},
		"lang=en&in=per-person&year=2018":        {`: amounts in other currencies are no amounts in MXN.`, `“Mexico City: expenditure”: by how many inhabitants`, `per person, in prices of 2018, MXN`},
		"lang=en&cubes=example-paraguay":         {`No budget that is loaded can be shown by function here.`},
		"lang=en&cubes=example-mexico&year=2020": {`“Mexico: federal budget, expenditure”: what was approved for 2020, since what was spent is not known.`, `approved for 2020`},
	} {
		text := page(question)
		for _, sentence := range sentences {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s does not say %q", question, sentence)
			}
		}
	}
	for question, want := range map[string]int{"in=sums": 400, "year=abc": 400, "year=0": 400, "cubes=nowhere": 404, "in=growth&in=shares": 400, "cub=a": 400} {
		if status, _ := server.get(t, "/functions?"+question); status != want {
			t.Errorf("%s: status %d, want %d", question, status, want)
		}
	}
}
