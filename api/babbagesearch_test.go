package api_test

import (
	"strings"
	"testing"
)

// A viewer's box for text looks in all that a package says of itself; sizes that are none are not there.
func TestBabbageSearchesText(t *testing.T) {
	h := handler(t, newFake(t))
	for query, want := range map[string]int{
		"": 2, "size=1": 1, "size=2": 2, "size=%221%22": 1, "size=-1": 0, "size=x": 2, "size=": 2,
		"q=%22CROATI%C3%81%22": 1, "q=ministry+budget": 1, "q=": 2, "q=%22%22": 2, "q=h%22r&size=5": 1, "unknown=1": 2,
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
