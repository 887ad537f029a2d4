package load_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"fiscube/cube/repair"
)

// A line of two years is left out if both are totals or without amounts. Else it is counted, and the report says so.
func TestTotals_OfLinesWithSeveralDataPoints(t *testing.T) {
	const descriptor = `{"name": "p", "resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "code", "type": "string", "columnType": "functional-classification:generic:code"},
		{"name": "F15", "type": "number", "normalize": {"year": 2015}}, {"name": "F16", "type": "number", "normalize": {"year": 2016}}],
		"extraFields": [{"name": "n", "type": "number", "columnType": "value", "normalizationTarget": true}, {"name": "year", "type": "integer", "columnType": "date:fiscal-year"}]}}]}`
	for rows, want := range map[string]string{
		"1,1,2\n2,4,8\nTotal,5,10\n": "[4] 4 false",
		"1,1,2\n2,4,8\nTotal,5,\n":   "[4] 4 false",
		"1,1,2\n2,4,8\nTotal,5,11\n": "[] 6 true",
		"1,1,\n2,4,\nTotal,5,11\n":   "[] 6 true",
		"1,1,2\n2,4,8\n,5,10\n":      "[4] 4 false",
		"1,1,2\n2,4,8\n,5,\n":        "[4] 4 false",
		"1,1,\n2,4,\n,5,11\n":        "[] 6 true",
	} {
		k := take(t, fstest.MapFS{"datapackage.json": {Data: []byte(descriptor)}, "a.csv": {Data: []byte("code,F15,F16\n" + rows)}}, bare)
		said := k.found(repair.LooksLikeTotal) != "" || k.found(repair.TotalsRow) != "" && len(k.pkg.Resources[0].SkipLines) == 0
		if got := fmt.Sprint(k.pkg.Resources[0].SkipLines, k.count, said); got != want {
			t.Errorf("%q: lines left out, rows loaded and whether a total is counted are %s, want %s", rows, got, want)
		}
	}
}
