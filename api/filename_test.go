package api_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"fiscube/cube"
)

// fileOf gives the name of the file that answers.
func fileOf(t *testing.T, h http.Handler, target string) string {
	t.Helper()
	r := ask(t, h, target)
	name, ok := strings.CutPrefix(r.header.Get("Content-Disposition"), "attachment; filename=")
	if r.status != http.StatusOK || !ok {
		t.Fatalf("%s: %d %v\n%s", target, r.status, r.header, r.body)
	}
	return name
}

// Files of two questions do not replace each other in a folder.
func TestFileName_TwoQuestions(t *testing.T) {
	h := handler(t, named(t))
	seen := map[string]string{}
	long := strings.Repeat("a", 60)
	for path, questions := range map[string][]string{
		"aggregate?format=csv": {
			"", "drilldown=Year", "drilldown=Year|unit", "cut=Year:2016", "cut=unit:2016", "cut=!unit:2016", "cut=unit:a;b", "cut=unit:a-b",
			"cut=unit:a|admin1_code:b", "aggregates=_count", "aggregates=approved_value.sum", "drilldown=unit&having=approved_value.sum>1",
			"drilldown=unit&having=approved_value.sum<1", "drilldown=Year|unit&top=3", "drilldown=Year|unit&top=4", "drilldown=Year|unit&rollup=1",
			"drilldown=unit&compare=Year:-1&cut=Year:2016", "page=2", "page=3", "pagesize=7", "drilldown=unit&order=unit:desc",
			"drilldown=unit&order=unit:asc", "cut=unit:ž", "cut=unit:z", "cut=unit:" + long + "1" + long, "cut=unit:" + long + "2" + long,
		},
		"facts?format=csv": {
			"", "fields=Year", "fields=unit", "cut=Year:2016", "cut=unit:2016", "order=Year", "order=Year:desc", "pagesize=2", "pagesize=1",
		},
		"members/admin2_code?format=csv": {"", "q=a", "q=b", "parent=a", "cut=Year:2016", "order=key:desc", "page=2", "pagesize=3"},
		"members/unit?format=csv":        {""},
		"resources/a?":                   {""},
		"resources/b?":                   {""},
	} {
		for _, question := range questions {
			name := fileOf(t, h, "/cubes/croatia/"+path+"&"+question)
			if other, ok := seen[name]; ok {
				t.Errorf("%s&%s is called like %s: %s", path, question, other, name)
			}
			if seen[name] = path + "&" + question; len(name) > 105 || !regexp.MustCompile(`^croatia-[A-Za-z0-9_.-]+-v3\.csv$`).MatchString(name) {
				t.Errorf("%s&%s is called %s", path, question, name)
			}
		}
	}
}

// No package has a name that a system refuses for a file.
func TestFileName_PackagesOfAnyName(t *testing.T) {
	for pkg, want := range map[string]string{
		"plain-1":                  `plain-1-aggregate-v1\.csv`,
		`a<b>c:d"e/f\g|h?i*j`:      `a-b-c-d-e-f-g-h-i-j-aggregate-[0-9a-f]{8}-v1\.csv`,
		"tab\tbell\a":              `tab-bell-aggregate-[0-9a-f]{8}-v1\.csv`,
		".hidden.":                 `hidden\.-aggregate-[0-9a-f]{8}-v1\.csv`,
		"con.2018":                 `_con\.2018-aggregate-v1\.csv`,
		"Lpt1.x":                   `_Lpt1\.x-aggregate-v1\.csv`,
		"бюджет":                   `aggregate-[0-9a-f]{8}-v1\.csv`,
		strings.Repeat("long", 50): `(long){20}-[0-9a-f]{8}-v1\.csv`,
	} {
		f := newFake(t)
		f.cubes = []*cube.Cube{bare(t)}
		f.cubes[0].Name = pkg
		name := fileOf(t, handler(t, f), "/cubes/"+url.PathEscape(pkg)+"/aggregate?format=csv")
		if !regexp.MustCompile("^" + want + "$").MatchString(name) {
			t.Errorf("%q is called %s", pkg, name)
		}
	}
}
