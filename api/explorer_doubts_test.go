package api_test

import (
	"html"
	"strings"
	"testing"

	"fiscube/cube"
)

// saying tells how often each page has a sentence.
func saying(t testing.TB, store *fake, sentence string, pages map[string]int) {
	t.Helper()
	h := handler(t, store)
	for address, times := range pages {
		page := html.UnescapeString(ask(t, h, "/explore/croatia"+address).body)
		if n := strings.Count(page, sentence); n != times {
			t.Errorf("%s says %d times %q: %s", address, n, sentence, page)
		}
	}
}

// A budget of a few rows a year may be an excerpt, which its pages say. What is made up says so itself.
func TestExplorer_Excerpts(t *testing.T) {
	of := func(rows int64, years ...int64) *fake {
		store := drawn(t, someBudget...)
		store.cubes[0].Rows, store.cubes[0].Coverage.Years = rows, years
		return store
	}
	const view, number = "?drilldown=admin1_code&cut=Year:2017&lang=", "/number?cut=Year:2017&lang="
	saying(t, of(199, 2016, 2017), ">Only some 99 rows a year are published here;", map[string]int{"?lang=en": 1, view + "en": 1, number + "en": 1, view + "es": 0})
	saying(t, of(199, 2016, 2017), ">Aquí solo se publican unas 99 filas por año;", map[string]int{"?lang=es": 1, view + "es": 1, number + "es": 1})
	saying(t, of(199, 2016, 2017), ">Ovdje je objavljeno samo oko 99 redaka na godinu,", map[string]int{"?lang=hr": 1, view + "hr": 1, number + "hr": 1})
	saying(t, of(29, 2017), ">Only 29 rows are published here;", map[string]int{"?lang=en": 1, view + "en": 1})
	saying(t, of(200, 2016, 2017), "may be an excerpt", map[string]int{"?lang=en": 0, view + "en": 0, number + "en": 0})
	madeUp := of(29, 2017)
	madeUp.cubes[0].Synthetic = true
	saying(t, madeUp, "may be an excerpt", map[string]int{"?lang=en": 0, view + "en": 0, number + "en": 0})
}

// An amount of another order than that of the year before usually means that rows are missing.
func TestExplorer_Jumps(t *testing.T) {
	rows := func(amount string) []string {
		return []string{"2015 1 x 1 x u 1 1 100 10", "2016 1 x 1 x u 1 1 100 10", "2016 2 x 1 x u 1 1 100 10", "2017 1 x 1 x u 1 1 " + amount + " 10"}
	}
	store := func(amount string) *fake {
		store := drawn(t, rows(amount)...)
		store.cubes[0].Coverage.Years = []int64{2015, 2016, 2017}
		return store
	}
	const view, number = "?drilldown=admin1_code&cut=Year:2017&lang=en", "/number?cut=Year:2017&lang=en"
	everywhere := map[string]int{"?lang=en": 1, view: 1, number: 1, "?cut=Year:2017&lang=en": 1, "?drilldown=admin1_code&cut=Year:2016&lang=en": 0}
	saying(t, store("2000.01"), ">In 2017 the amount is more than ten times, or less than a tenth,", everywhere)
	saying(t, store("19.99"), ">In 2017 the amount is more than ten times, or less than a tenth,", everywhere)
	saying(t, store("19.99"), ">En 2017 el monto es más de diez veces", map[string]int{"?lang=es": 1})
	saying(t, store("19.99"), ">Za 2017. iznos je više od deset puta", map[string]int{"?lang=hr": 1})
	nowhere := map[string]int{"?lang=en": 0, view: 0, number: 0, "?cut=Year:2017&lang=en": 0}
	saying(t, store("2000"), "ten times", nowhere)
	saying(t, store("20"), "ten times", nowhere)
}

// The page of a budget shows its sum with the notes on it.
func TestExplorer_OverviewHasNotes(t *testing.T) {
	store := drawn(t, someBudget...)
	store.cubes[0].Notes = []cube.Titles{{"en": "Loans are no revenue.", "es": "Los préstamos no son ingresos."}}
	saying(t, store, "<li>Loans are no revenue.</li>", map[string]int{"?lang=en": 1})
	saying(t, store, "<li>Los préstamos no son ingresos.</li>", map[string]int{"?lang=es": 1})
}
