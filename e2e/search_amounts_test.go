package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// The amounts of hits count money once, as the default question does, though every month states the year again.
func TestAmountsOfHitsCountMoneyOnce(t *testing.T) {
	folder := filepath.Join("store", "storetest", "testdata", "packages", "monthly")
	sideBySide(t, func(t *testing.T, db string) {
		must(t, "load", folder, "--overlay", filepath.Join(folder, "overlay.yaml"), "--db", db)
		s := serve(t, db)
		kinds := map[string]int{}
		for _, query := range []string{"monthly", "plan", "received", "fees", "unit", "month", "20", "1", "2", "a", "b"} {
			for _, h := range s.search(t, query, "").Hits {
				s.checkAmount(t, h)
				kinds[h.Kind]++
			}
		}
		if kinds["cube"] == 0 || kinds["measure"] < 3 || kinds["level"] == 0 || kinds["member"] < 3 {
			t.Errorf("only these were found: %v", kinds)
		}
	})
}

// Where rows have no year the amounts are of all rows.
func TestAmountsOfHitsWithoutYears(t *testing.T) {
	descriptor := strings.NewReplacer(`, "columnType": "date:fiscal-year"`, "",
		`"date": {"dimensionType": "datetime", "primaryKey": ["year"], "attributes": {"year": {}}},`, "").Replace(handDescriptor)
	sideBySide(t, func(t *testing.T, db string) {
		folder := t.TempDir()
		for name, content := range map[string]string{
			"datapackage.json": descriptor, "early.csv": searchedEarly, "late.csv": searchedLate,
		} {
			write(filepath.Join(folder, name), []byte(content))
		}
		must(t, "load", folder, "--db", db)
		s := serve(t, db)
		for query, want := range map[string]string{
			"hospitals": "member unit/1/01 approved=110.25", "added hand": "cube approved=185.25", "executed": "measure executed=94.00",
		} {
			if got := s.search(t, query, "").String(); got != want {
				t.Errorf("%q finds\n%s\nwant\n%s", query, got, want)
			}
		}
	})
}
