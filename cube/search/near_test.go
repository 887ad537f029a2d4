package search

import (
	"slices"
	"testing"
)

func TestSuggest(t *testing.T) {
	x := one(t)
	catalog, _ := x.store.Catalog(t.Context())
	for text, want := range map[string][]Suggestion{
		"minixtrsvo obrzovanja": {{"ministarstvo obrzovanja", 1}, {"ministarstvo", 1}, {"obrzovanja", 1}},
		"sabor xylophone":       {{"sabor", 1}},
		"sabor gov 02001":       {{"sabor 02001", 1}, {"sabor", 1}, {"gov", 1}, {"02001", 2}},
		"haelht":                {{"health", 2}, {"healthy", 2}},
		"xylophone":             nil,
		"99999":                 nil,
		"sabor 1999":            {{"sabor", 1}},
	} {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := x.Suggest(t.Context(), q, catalog.Served())
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q suggests %v, want %v (%v)", text, got, want, err)
		}
	}
}
