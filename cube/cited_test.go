package cube_test

import (
	"strings"
	"testing"

	"fiscube/cube"
)

// cited gives the citation of the answer to a question of the test model, which has no rows.
func cited(t *testing.T, question string, language cube.Language) string {
	t.Helper()
	plan := mustAsk(t, question)
	e := remember(plan.Cube().Model)
	result, err := e.Aggregate(t.Context(), plan)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	citation, err := e.Cite(t.Context(), result, language)
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return citation.Text
}

// What an answer is compared with is named by the place that the cuts admit, however they say so.
func TestACitationNamesThePlaceThatIsComparedWith(t *testing.T) {
	for cut, want := range map[string]string{
		"quarter:2":                     "Approved of quarter 1: ",
		"date:2016/2":                   "Approved of quarter 1: ",
		"date:2016/2|quarter:..4":       "Approved of quarter 1: ",
		"quarter:2;3&drilldown=quarter": "Approved where quarter is lower by 1: ",
		"date:/&drilldown=quarter":      "Approved where quarter is lower by 1: ",
	} {
		question := "cut=" + cut + "&aggregates=approved_value.sum&compare=quarter:-1"
		if got := cited(t, question, cube.English); !strings.Contains(got, "; "+want) {
			t.Errorf("%s: no %q in\n%s", cut, want, got)
		}
	}
}

func TestTextsOfALanguageThatThereAreNoneOfAreEnglish(t *testing.T) {
	question := "drilldown=quarter&cut=quarter:2&aggregates=share(approved_value.sum)&having=_count>1&compare=quarter:-1"
	if got, want := cited(t, question, "tlh"), cited(t, question, cube.English); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	plan := mustAsk(t, question)
	if got, want := warned(plan.In("tlh")), warned(plan); got != want || want == "" {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
