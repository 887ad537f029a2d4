package chart_test

import (
	"strings"
	"testing"

	"fiscube/api/explorer/chart"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/words"
	"fiscube/internal/golden"
)

func TestReasons_HaveASentenceInEachLanguage(t *testing.T) {
	var said strings.Builder
	for _, reason := range []chart.Reason{chart.Nothing, chart.NotPositive, chart.TooFew, chart.TooMany, chart.OneYear, chart.OthersOfOne, chart.DoesNotAddUp,
		chart.NotASum, chart.SameMoneyTwice} {
		for _, language := range []cube.Language{cube.English, "es", "hr"} {
			r := prose.RefusedFigure{Reason: string(reason), Label: "Refunds", Amount: "−5", Count: 2417, Limit: 3518}
			said.WriteString(prose.NoFigure(r, words.Locale{Language: language}) + "\n")
		}
	}
	golden.File(t, "testdata/reasons.txt", said.String())
}
