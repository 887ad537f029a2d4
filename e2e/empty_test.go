package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"fiscube/cube"
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

func (w warned) codes() string {
	var list []string
	for _, one := range w.Warnings {
		list = append(list, one.Code)
	}
	return strings.Join(list, " ")
}

func TestAnEmptyAnswerSaysWhy(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := handService(t, db)
		for question, want := range map[string]string{
			"aggregate?cut=year:2030..2040":                            "nothing-matches: no row of the package has year:2030..2040",
			"aggregate?drilldown=area&cut=year:2030..":                 "nothing-matches: no row of the package has year:2030..",
			"aggregate?drilldown=area&cut=year:2030..&having=_count>0": "nothing-matches: no row of the package has year:2030..",
			"aggregate?cut=year:2021|area:3":                           "nothing-matches: no row has all that the cuts ask for, though each of them matches some",
			"facts?cut=year:2030..2040":                                "nothing-matches: no row of the package has year:2030..2040",
			"tree/entity?cut=year:2030..":                              "nothing-matches: no row of the package has year:2030..",
			"aggregate?cut=year:2021|unit:":                            "",
			"aggregate?cut=unit:|year:2021&aggregates=executed.sum":    "",
			"aggregate?cut=area:9":                                     `no-such-member: area: there is no member "9" (did you mean "1"?)`,
		} {
			var answer warned
			s.read(t, "/cubes/hand/"+question, &answer)
			if got := answer.String(); got != want {
				t.Errorf("%s\n got %s\nwant %s", question, got, want)
			}
		}
	})
}

// TestWhatIsInEarlierStatementsIsNotBlamedOnTheCuts asks for a line that the last statement of the year has no more.
func TestWhatIsInEarlierStatementsIsNotBlamedOnTheCuts(t *testing.T) {
	folder := filepath.Join("store", "storetest", "testdata", "packages", "withdrawn")
	const uncounted = "rows with all that the cuts ask for: 2, none of them in the statement that is counted " +
		"(2019: 03); cut month, or ask with snapshots=all, to see them"
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		for question, want := range map[string]string{
			"aggregate?cut=year:2019|line:museum":                 uncounted,
			"aggregate?cut=year:2019|line:museum&page=2":          uncounted,
			"explain?cut=year:2019|line:museum":                   uncounted,
			"facts?cut=year:2019|line:museum":                     uncounted,
			"tree/lines?cut=year:2019|line:museum":                uncounted,
			"aggregate?cut=year:2018|line:museum":                 "no row has all that the cuts ask for, though each of them matches some",
			"aggregate?cut=year:..2017":                           "no row of the package has year:..2017",
			"facts?cut=year:2019|line:museum&snapshots=all":       "",
			"aggregate?cut=year:2019|line:museum&having=_count>0": uncounted,
			"aggregate?cut=year:2019&having=_count>1000":          "",
		} {
			var answer warned
			s.read(t, "/cubes/withdrawn/"+question, &answer)
			got := ""
			for _, one := range answer.Warnings {
				if one.Code == cube.WarnNothingMatches {
					got += one.Message
				}
			}
			if got != want {
				t.Errorf("%s\n got %s\nwant %s", question, got, want)
			}
		}
	})
}
