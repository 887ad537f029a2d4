package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fiscube/internal/testrequire"
)

// hitOnPage matches a hit, with its link, its name and its amount.
var hitOnPage = regexp.MustCompile(`(?s)<li>\s*<p><a href="(explore/[^"]*)">([^<]*)</a>(?:[^<]|<[^/]|</[^l])*?(?:<p class="amount">([^<]*)</p>|</li>)`)

// shown is a hit on a page.
type shown struct{ label, amount string }

// results gives what a search page finds by its links, once everything is read.
func results(t *testing.T, address, text string) map[string]shown {
	t.Helper()
	var page string
	eventually(t, "everything can be searched", patience, func() bool {
		page = get(t, address+"/?lang=en&q="+url.QueryEscape(text))
		return !strings.Contains(page, "Still being added up") && !strings.Contains(page, "is still being read")
	})
	found := map[string]shown{}
	for _, hit := range hitOnPage.FindAllStringSubmatch(page, -1) {
		found[html.UnescapeString(hit[1])] = shown{html.UnescapeString(hit[2]), hit[3]}
	}
	return found
}

// How much for health in Mexico in 2011? The words and the year lead to the view of that year, in each language.
func TestSearchPage_WordsAndAYear(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	for _, text := range []string{"mexico salud 2011", "2011 mexico health", "zdravstvo mexico 2011"} {
		found := results(t, server.url, text)
		if len(found) == 0 {
			t.Fatalf("%q finds nothing", text)
		}
		ramo := false
		for link, hit := range found {
			label := hit.label
			if !strings.HasPrefix(link, "explore/example-mexico?") || !strings.Contains(link, ":2011") || !strings.Contains(strings.ToLower(label), "salud") {
				t.Errorf("%q finds %s: %s", text, label, link)
			}
			page := get(t, server.url+"/"+link)
			ramo = ramo || label == "Salud" && strings.Contains(page, "<h1>Salud, 2011")
			if hit.amount == "" || !strings.Contains(page, "exactly "+hit.amount+"<") {
				t.Errorf("%s: the amount is %q", link, hit.amount)
			}
			if strings.Contains(page, "No row of the budget") {
				t.Errorf("%s is empty", link)
			}
		}
		if !ramo {
			t.Errorf("%q: no view of Salud in 2011 among %v", text, found)
		}
	}
}

// Each sum is found by its number, however it is written, and its page shows it. The ordinary run looks for a few of each seed.
func TestSearchPage_FindsNumbers(t *testing.T) {
	server := seeded.onDuckDB(t)
	server.settles(t)
	r := rand.New(rand.NewPCG(7, 1))
	var list struct{ Cubes []struct{ Name string } }
	if err := json.Unmarshal([]byte(get(t, server.url+"/cubes")), &list); err != nil || len(list.Cubes) != 8 {
		t.Fatalf("%+v: %v", list, err)
	}
	for _, seed := range list.Cubes {
		name := seed.Name
		for range testrequire.Share(2, 10) {
			cut, value := randomSum(t, server.url, name, r)
			for _, text := range writtenForms(value) {
				found := results(t, server.url, text)
				exact := "exactly " + grouped(value, ",", ".") + "<"
				ok := false
				for link := range found {
					ok = ok || strings.HasPrefix(link, "explore/"+name+"/number?") && strings.Contains(get(t, server.url+"/"+link), exact)
				}
				if !ok {
					t.Errorf("%s, %s: %s as %q is not found: %v", name, cut, value, text, found)
				}
			}
		}
	}
}

// randomSum gives a sum of a random level in a random year, at least of five digits.
func randomSum(t *testing.T, address, name string, r *rand.Rand) (cell, value string) {
	t.Helper()
	var model struct {
		Dimensions []struct{ Name, Type string }
		Levels     []struct{ Ref, Dimension string }
		Measures   []struct{ Ref string }
	}
	if err := json.Unmarshal([]byte(get(t, address+"/cubes/"+name+"/model")), &model); err != nil {
		t.Fatal(err)
	}
	types := map[string]string{}
	for _, d := range model.Dimensions {
		types[d.Name] = d.Type
	}
	year := model.Levels[slices.IndexFunc(model.Levels, func(l struct{ Ref, Dimension string }) bool { return types[l.Dimension] == "datetime" })].Ref
	for range 100 {
		level, measure := model.Levels[r.IntN(len(model.Levels))], model.Measures[r.IntN(len(model.Measures))].Ref
		if types[level.Dimension] == "fact" || types[level.Dimension] == "datetime" || level.Dimension == "editions" {
			continue
		}
		drilled := fmt.Sprintf("%q|%q", level.Ref, year)
		var answer struct{ Cells []map[string]json.RawMessage }
		aggregate := fmt.Sprintf("%q.sum", measure)
		question := url.Values{"drilldown": {drilled}, "aggregates": {aggregate}, "pagesize": {"500"}}.Encode()
		if err := json.Unmarshal([]byte(get(t, address+"/cubes/"+name+"/aggregate?"+question)), &answer); err != nil {
			t.Fatal(err)
		}
		if len(answer.Cells) == 0 {
			continue
		}
		cell := answer.Cells[r.IntN(len(answer.Cells))]
		value := string(cell[measure+".sum"])
		if whole, _, _ := strings.Cut(value, "."); len(whole) >= 5 && value != "null" {
			return question, value
		}
	}
	t.Fatalf("%s has no sum", name)
	return "", ""
}

// writtenForms writes an amount as it is published, and as people write it in two languages.
func writtenForms(value string) []string {
	return slices.Compact([]string{value, grouped(value, ",", "."), grouped(value, ".", ",")})
}

// grouped writes an amount with marks between thousands and before the decimals.
func grouped(value, group, point string) string {
	sign := ""
	if strings.HasPrefix(value, "-") {
		sign, value = "-", value[1:]
	}
	whole, decimals, _ := strings.Cut(value, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if decimals != "" {
		whole += point + decimals
	}
	return sign + whole
}
