package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// A viewer's box for text looks in all that a package says of itself; sizes that are none are not there.
func TestBabbageSearchesText(t *testing.T) {
	h := handler(t, newFake(t))
	for query, want := range map[string]int{
		"": 2, "size=1": 1, "size=2": 2, "size=%221%22": 1, "size=-1": 0, "size=x": 2, "size=": 2,
		"q=%22CROATI%C3%81%22": 1, "q=ministry+budget": 1, "q=": 2, "q=%22%22": 2, "q=null": 0, "q=%22null%22": 0, "q=h%22r&size=5": 1, "unknown=1": 2,
	} {
		var list []struct{ ID string }
		ask(t, h, "/api/3/search/package?"+query).read(t, &list)
		if len(list) != want {
			t.Errorf("%s: %d packages, want %d", query, len(list), want)
		}
	}
}

// What a path names wrongly is told by its place in it.
func TestBabbageMembersOfSeveralLevels(t *testing.T) {
	h := handler(t, newFake(t))
	for level, want := range map[string]string{
		"admin1_code,Year": `"parameter":"level","position":12,"hint":"for what there is of both ask …/aggregate?drilldown=admin1_code.admin1_code|Year.Year"`,
		"Year,nope":        `"parameter":"level","position":5`,
	} {
		if r := ask(t, h, asDashboard+"members/"+level); !strings.Contains(r.body, want) {
			t.Errorf("%s: %s, want %s", level, r.body, want)
		}
	}
}

func TestBabbageLists(t *testing.T) {
	h := handler(t, newFake(t))
	for path, want := range map[string]string{
		"/api/3/": `{"status":"ok","api":"babbage","message":"fiscube answers here as Babbage does; its own routes begin with /cubes",` +
			`"cubes_index_url":"http://example.com/api/3/cubes/","version":"0.4.0"}`,
		"/api/3/cubes/": `{"status":"ok","data":[{"name":"croatia"},{"name":"own:h\"r 100%/ž"}]}`,
		"/api/3/search/package?size=10000&jwt=x&package.owner=%22Ministry%22": `[{"id":"croatia","package":{"name":"croatia",` +
			`"title":"Croatia <Budget> & More","description":"","owner":"Ministry","author":"Ministry <>"},` +
			`"origin_url":"http://example.com/cubes/croatia/datapackage.json","loaded":true}]`,
		"/api/3/search/package?id=%22nope%22":             `[]`,
		"/api/3/search/package?q=%22nothing%20of%20it%22": `[]`,
		"/api/3/search/package?q=croatia+nope":            `[]`,
		"/api/3/search/package?size=0":                    `[]`,
	} {
		if r := ask(t, h, path); r.status != http.StatusOK || r.body != want {
			t.Errorf("%s: %d\ngot  %s\nwant %s", path, r.status, r.body, want)
		}
	}
	for _, path := range []string{"model/", "aggregate", "facts/"} {
		if r := ask(t, h, "/api/3/cubes/own%3Ah%22r%20100%25%2F%C5%BE/"+path); r.status != http.StatusOK {
			t.Errorf("a cube with an odd name: %s: %s", path, r.body)
		}
	}
}
