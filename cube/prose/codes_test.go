package prose_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/cubetest"
	"fiscube/cube/prose"
	"fiscube/cube/words"
)

// People read the codes that are published, with the years in which they hold, and no keys of editions.
func TestCodes_NameTheYearsOfEditions(t *testing.T) {
	c := cubetest.Renumbered(t)
	for cut, want := range map[string][3]string{
		"functional:2/3":                     {"2/3", "2/3", "2/3"},
		"functional:2/3@2008":                {"2/3 up to 2011", "2/3 hasta 2011", "2/3 do 2011."},
		"functional:2/3@2012/7":              {"2/3/7 from 2012", "2/3/7 desde 2012", "2/3/7 od 2012."},
		"function:3@2012;4;5":                {"4, 5, 3 from 2012", "4, 5, 3 desde 2012", "4, 5, 3 od 2012."},
		"function:3@2012;3@2008":             {"3 from 2012, 3 up to 2011", "3 desde 2012, 3 hasta 2011", "3 od 2012., 3 do 2011."},
		`functional:2/"3@2012"`:              {"2/3@2012", "2/3@2012", "2/3@2012"}, // which is a code
		"function:~1;~2;~3":                  {"1, 2, 3", "1, 2, 3", "1, 2, 3"},
		"year:2008..2012":                    {"2008, 2012", "2008, 2012", "2008, 2012"},
		`functional:2/3@2008|year:2010;2011`: {"2/3 up to 2011", "2/3 hasta 2011", "2/3 do 2011."},
	} {
		f := cubetest.Bind(t, c, "cut="+cut).FiltersAsked()[0]
		for i, l := range []cube.Language{cube.English, "es", "hr"} {
			var codes []string
			for item := range f.Echo {
				codes = append(codes, prose.Codes(f, item, l)...)
			}
			if got := strings.Join(codes, ", "); got != want[i] {
				t.Errorf("%s in %s: %s, want %s", cut, l, got, want[i])
			}
		}
	}
	function, _ := c.Model.Level("function")
	path := []cube.Value{cube.Text("2"), cube.Integer(2008), cube.Text("3")}
	if got, want := prose.CodesOfPath(c.Model.PathOf(function), path, cube.English), "2/3 up to 2011"; got != want {
		t.Errorf("the path is %s, want %s", got, want)
	}
}

// An edition between others has a first and a last year.
func TestCodes_OfAnEditionBetweenOthers(t *testing.T) {
	c := cubetest.Renumbered(t)
	column, _ := c.Model.Column("function_edition")
	column.From.Years = []int64{2008, 2012, 2016}
	f := cubetest.Bind(t, c, "cut=function:3@2012").FiltersAsked()[0]
	if got, want := prose.Codes(f, 0, cube.English)[0], "3 2012 to 2015"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A member that does not exist is told by its code.
func TestNoSuchMember_IsToldByItsCode(t *testing.T) {
	c := cubetest.Renumbered(t)
	p := cubetest.Bind(t, c, "cut=functional:2/9@2008")
	f := p.FiltersAsked()[0]
	list := caveat.Of(caveat.Evidence{Plan: p, Missing: []caveat.Missing{{Filter: f, Named: p.MembersNamed(f)}}})
	message, told := prose.Warnings(p, list, cube.English)[0].Message, prose.Tell(p, list[0], words.Locale{Language: cube.English})
	if want := "functional: there is nothing with the name or code 2/9 up to 2011."; told != want || !strings.Contains(message, `"2"/"9"@2008`) {
		t.Errorf("told %q, want %q; the message is %q", told, want, message)
	}
}
