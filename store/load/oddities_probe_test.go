package load_test

import "testing"

var semanticOddities, repeatedOddities, memberOddities, levelOddities, amountOddities, cellOddities []oddity

func TestProbe(t *testing.T) {
	k := take(t, published(t, "D1-paraguay"), bare)
	for _, f := range k.report.Findings { t.Log(f.String()) }
	for _, l := range k.pkg.Model.Levels() { t.Log(l.Dimension, l.Ref, l.LabelRef, l.Parent, l.Type, k.list(l.Ref)) }
	for _, m := range k.pkg.Model.Measures() { t.Log(m.Ref) }
	k = take(t, seed(t, "example-ciudad-de-mexico"), bare)
	for _, f := range k.report.Findings { t.Log(f.String()) }
	k = take(t, seed(t, "example-paraguay"), bare)
	for _, f := range k.report.Findings { t.Log(f.String()) }
	k = take(t, seed(t, "example-dominicana"), bare)
	for _, f := range k.report.Findings { t.Log(f.String()) }
	for _, l := range k.pkg.Model.Levels() { t.Log(l.Dimension, l.Ref, l.LabelRef, l.Parent, l.Type, k.list(l.Ref)) }
}
