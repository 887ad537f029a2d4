package main

import (
	"strings"
	"testing"
)

// warned are the warnings of an answer.
type warned struct {
	Warnings []struct{ Code, Message string }
}

func (w warned) String() string {
	var list []string
	for _, one := range w.Warnings {
		list = append(list, one.Code+": "+one.Message)
	}
	return strings.Join(list, "\n")
}

func TestAnEmptyAnswerSaysWhy(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := handService(t, db)
		for question, want := range map[string]string{
			"aggregate?cut=year:2030..2040":                         "nothing-matches: no row of the package has year:2030..2040",
			"aggregate?drilldown=area&cut=year:2030..":              "nothing-matches: no row of the package has year:2030..",
			"aggregate?cut=year:2021|area:3":                        "nothing-matches: no row has all that the cuts ask for, though each of them matches some",
			"facts?cut=year:2030..2040":                             "nothing-matches: no row of the package has year:2030..2040",
			"tree/entity?cut=year:2030..":                           "nothing-matches: no row of the package has year:2030..",
			"aggregate?cut=year:2021|unit:":                         "",
			"aggregate?cut=unit:|year:2021&aggregates=executed.sum": "",
			"aggregate?cut=area:9":                                  `no-such-member: area: there is no member "9" (did you mean "1"?)`,
		} {
			var answer warned
			s.read(t, "/cubes/hand/"+question, &answer)
			if got := answer.String(); got != want {
				t.Errorf("%s\n got %s\nwant %s", question, got, want)
			}
		}
	})
}
