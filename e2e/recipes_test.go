package e2e

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// recipeLink finds the questions of the recipes, up to where a format is put behind them.
var recipeLink = regexp.MustCompile(`(?:http://127\.0\.0\.1:8080|https://budgets\.example\.org)(/[^"' \n]*)`)

// Every question in the recipes has an answer, with the columns that the recipes name.
func TestTheRecipesAnswer(t *testing.T) {
	recipes, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	server := seededServer(t)
	links := recipeLink.FindAllSubmatch(recipes, -1)
	if len(links) < 8 {
		t.Fatalf("the recipes have %d links", len(links))
	}
	for _, link := range links {
		path := strings.ReplaceAll(string(link[1]), "|", "%7C")
		response, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, response.Status)
		}
	}
	header, _, _ := strings.Cut(get(t, server.URL+"/cubes/example-croatia/aggregate?drilldown=Year%7Cadmin1_code&format=csv"), "\r\n")
	for _, name := range []string{"Year", "admin1_code", "admin1_label", "approved_value.sum"} {
		if !strings.Contains(","+header+",", ","+name+",") {
			t.Errorf("the columns are %s, without %s", header, name)
		}
	}
}
