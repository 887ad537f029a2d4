package answer_test

import (
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/cubetest"
)

var planned = []string{ // year region town district plan
	"2017 n a 1 50", "2017 n a 2 40", "2017 n b 1 5", "2017 s c 1 30", "2017 s d 1 -20", "2017 e f 1 7",
	"2016 n a 1 25", "2016 n b 2 60",
}

func TestRun_ANodeOfATreeIsItsOwnTotal(t *testing.T) {
	c := cubetest.Places(t)
	store := cubetest.NewStore(c.Model, planned...)
	told(t, func(question string) string { return treeOf(t, store, c, question) })
}

// treeOf asks for a tree of the places of 2017.
func treeOf(t testing.TB, s answer.Store, c *cube.Cube, question string) string {
	t.Helper()
	return strings.NewReplacer(" region", "", " town", "", " district", "").Replace(answerText(run(t, s, cubetest.BindTree(t, c, question))))
}

// The warning of remainders is given only where there is one.
func TestRun_WarnsOfNoRemainderWhereThereIsNone(t *testing.T) {
	c := cubetest.Places(t)
	store := cubetest.NewStore(c.Model, planned...)
	for question, want := range map[string]bool{
		"depth=3&having=plan.sum>1&top=1&remainder=1": true, "depth=3&having=plan.sum>1&top=9&remainder=1": false,
		"depth=3&having=plan.sum>1000&top=1&remainder=1": false,
	} {
		a := run(t, store, cubetest.BindTree(t, c, question))
		if got := warningsText(a.Warnings); strings.Contains(got, "having-sums") != want {
			t.Errorf("%s: warns %q", question, got)
		}
	}
}
