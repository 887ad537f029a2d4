package load_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"fiscube/store/load"
)

// described is a package of one table, whose schema and package say more.
func described(schema, more string) fstest.MapFS {
	return fstest.MapFS{"a.csv": {Data: []byte("year,code,n\n2015,1,2\n")}, "datapackage.json": {Data: []byte(
		`{"name": "p", ` + more + `"resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "year", "type": "integer", "columnType": "date:fiscal-year"},
		 {"name": "code", "type": "string", "columnType": "street:code"}, {"name": "n", "type": "number", "columnType": "value"}]` + schema + `}}]}`)}}
}

func TestTake_TellsColumnTypesThatAreNotFetched(t *testing.T) {
	k := take(t, described("", `"columnTypes": ["https://example.org/types.json"], `), bare)
	if got := k.found(load.CodeTypesElsewhere); !strings.Contains(got, "its columnTypes name https://example.org/types.json, which is not fetched") {
		t.Error(got)
	}
}

func TestTake_RefusesConstantsOfOtherTypes(t *testing.T) {
	got := refused(t, described(`, "extraFields": [{"name": "day", "type": "date", "constant": "31.31.2015"}]`, ""))
	want := `a: field day: the descriptor gives the field, by constant or normalize, the value "31.31.2015", which is no date: write one, or another type [bad-constant]`
	if !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}
