package plan_test

import (
	"fmt"
	"testing"

	"fiscube/cube/cubetest"
)

func TestBind_ListsThePassesThatTheQuestionNeeds(t *testing.T) {
	for question, want := range map[string]string{
		"":                         "[total page warn]",
		"drilldown=town":           "[total page warn]",
		"drilldown=town&rollup=1":  "[total rank page warn]",
		"drilldown=town&top=3":     "[total rank page warn]",
		"drilldown=year&fill=zero": "[fill total rank page warn]",
		"drilldown=year&fill=zero&compare=year:-1":                             "[pair fill compare total rank page warn]",
		"drilldown=town&aggregates=plan.avg&order=plan.avg:desc":               "[total rank page warn]", // no store sorts by quotients exactly
		"drilldown=town&having=share(plan.sum)>0.1":                            "[filter total rank page warn]",
		"drilldown=town|year&compare=year:-1&having=share(plan.sum)>0.1&top=2": "[pair compare filter total rank page warn]",
	} {
		if got := fmt.Sprint(cubetest.Bind(t, cubetest.Spending(t), question).Passes()); got != want {
			t.Errorf("%s: %s, want %s", question, got, want)
		}
	}
	if got := fmt.Sprint(cubetest.Bind(t, cubetest.YearToDate(t, nil), "drilldown=mes").Passes()); got != "[total page summarize warn]" {
		t.Errorf("of snapshots of the same money: %s", got)
	}
	if got := fmt.Sprint(cubetest.BindTree(t, cubetest.Places(t), "depth=2").Passes()); got != "[total rank page warn]" {
		t.Errorf("of a tree: %s", got)
	}
}
