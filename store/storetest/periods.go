package storetest

import (
	"io/fs"
	"testing"
)

// SQLTools loads packages whose rows are of days, quarters and years, and asks as SQL tools do when they begin, and of what they are.
func SQLTools(t *testing.T, load func(fs.FS), ask func(query string) string) {
	t.Helper()
	for _, name := range []string{"dated", "monthly"} {
		load(Package(name))
	}
	for query, want := range map[string]string{
		`string_agg(coalesce(CAST(_period AS text), 'none'), ' ' ORDER BY _line) FROM cube.dated`:                                                                                                          "2023-03-01 2024-07-01 2024-10-01 none 2024-05-06", // a year has no 29th of February: the day after the 28th
		`string_agg(DISTINCT CAST(_period AS text), ' ') FROM cube."monthly (all)" WHERE year = 2017`:                                                                                                      "2017-01-01",                                       // each month states the year again
		`string_agg(concat_ws('|', name, title, country, first_year, last_year, rows, version, CAST(synthetic AS text)), ', ' ORDER BY name) FROM cube._cubes WHERE loaded IS NOT NULL AND name = 'dated'`: "dated|Days, quarters and years, each missing in some rows|Nowhere|2023|2024|5|1|false",
	} {
		if got := ask("SELECT " + query); got != want {
			t.Errorf("%s is %s, want %s", query, got, want)
		}
	}
}
