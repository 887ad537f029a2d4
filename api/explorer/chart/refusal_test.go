package chart_test

import (
	"strings"
	"testing"

	"fiscube/api/explorer/chart"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/words"
)

func TestReasons_HaveASentenceInEachLanguage(t *testing.T) {
	filled := map[chart.Reason][]string{
		chart.NotPositive: {"Refunds", "−5"}, chart.OthersOfOne: {"Refunds", "−5"}, chart.DoesNotAddUp: {"Refunds", "−5"}, chart.OneYear: {"Refunds"},
		chart.TooFew: {"2417", "3518"}, chart.TooMany: {"2417", "3518"},
	}
	said := map[string]bool{}
	for _, language := range []cube.Language{cube.English, "es", "hr"} {
		for _, reason := range chart.Reasons {
			r := chart.Refusal{Reason: reason, Label: "Refunds", Amount: "−5", Count: 2417, Limit: 3518}
			sentence := prose.NoFigure(prose.RefusedFigure{Reason: string(r.Reason), Label: r.Label, Amount: r.Amount, Count: r.Count, Limit: r.Limit}, words.Locale{Language: language})
			if !strings.HasSuffix(sentence, ".") || strings.Contains(sentence, "%!") || said[sentence] {
				t.Errorf("%s in %s: %q", reason, language, sentence)
			}
			for _, value := range filled[reason] {
				if !strings.Contains(sentence, value) {
					t.Errorf("%s in %s lacks %s: %q", reason, language, value, sentence)
				}
			}
			said[sentence] = true
		}
	}
}
