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
	for _, tt := range []struct{ question, want string }{
		{"depth=1&having=plan.sum>=10", "n = 95\ns = 10\n2: 112"},
		{"depth=2&having=plan.sum>=10", "n = 95\nn a = 90\ns = 10\ns c = 30\n4: 112"},
		{"depth=3&having=plan.sum>=10", "n = 95\nn a = 90\nn a 1 = 50\nn a 2 = 40\ns = 10\ns c = 30\ns c 1 = 30\n7: 112"},
		{"depth=2&having=plan.sum>=20", "n = 95\nn a = 90\ns = 10\ns c = 30\n4: 112"},
		{"depth=1&having=plan.sum>=20", "n = 95\n1: 112"},
		{"depth=2&having=plan.sum<0", "s = 10\ns d = -20\n2: 112"},
		{"depth=2&path=n&having=plan.avg=45", "n a = 90\n1: 95"},
		{"depth=2&having=ratio(plan.sum,plan.max)<0.4", "s = 10\n1: 112"},
		{"depth=2&having=ratio(_count,plan.sum)<0|ratio(_count,plan.sum)>=-0.05", "s = 10\ns d = -20\n2: 112"},
		{"depth=1&having=ratio(plan.sum,diff(_count,plan.count))!=1", "0: 112"},
		{"depth=2&having=plan.sum>=1000", "0: 112"},
		{"depth=2&having=plan.sum<95&aggregates=share(plan.sum)|share_of_parent(plan.sum)",
			"e = 0.0625 0.0625\ne f = 0.0625 1\nn = 0.84821429 0.84821429\nn a = 0.80357143 0.94736842\nn b = 0.04464286 0.05263158\n" +
				"s = 0.08928571 0.08928571\ns c = 0.26785714 3\ns d = -0.17857143 -2\n8: 1 1"},
		{"depth=2&having=plan.sum<95&top=1&remainder=1", "n = 95\nn a = 90\nn = 5 others 1\ns = 10\ns c = 30\n" +
			"s = -20 others 1\ne = 7\ne f = 7\n8: 112"},
		{"depth=2&having=plan.sum>80&compare=year:-1", "n = 95 85 10 11.76470588\nn a = 90 25 65 260\n2: 112 85 27 31.76470588"},
		{"depth=3&having=plan.sum>45&compare=year:-1", "n = 95 85 10 11.76470588\nn a = 90 25 65 260\nn a 1 = 50 25 25 100\n3: 112 85 27 31.76470588"},
		{"depth=3&having=_count<1&compare=year:-1", "0: 112 85 27 31.76470588"},
	} {
		if got := treeOf(t, store, c, tt.question); got != tt.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", tt.question, got, tt.want)
		}
	}
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
