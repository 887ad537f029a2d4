package search

import (
	"slices"
	"testing"
)

func TestUnderstood(t *testing.T) {
	x := one(t)
	catalog, _ := x.store.Catalog(t.Context())
	for text, want := range map[string][2][]string{
		"sabor xylophone 1999": {{"sabor"}, {"xylophone"}},
		"sabor gov":            {{"sabor", "gov"}, nil},
		"xyzzy":                {nil, {"xyzzy"}},
		"1999":                 {nil, {"1999"}},

		"how much is spent on sabor and xylophone": {{"sabor"}, {"xylophone"}},
		"la sabor de xylophone":                    {{"sabor"}, {"xylophone"}},
	} {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		words, unknown, err := x.Understood(t.Context(), q, catalog.Served())
		if err != nil || !slices.Equal(words, want[0]) || !slices.Equal(unknown, want[1]) {
			t.Errorf("%q: %q and %q, want %q (%v)", text, words, unknown, want, err)
		}
	}
}

func TestSuggest(t *testing.T) {
	x := one(t)
	catalog, _ := x.store.Catalog(t.Context())
	for text, want := range map[string][]Suggestion{
		"minixtrsvo obrzovanja": {{"ministarstvo obrzovanja", 1}, {"ministarstvo", 2}, {"obrzovanja", 1}},
		"sabor xylophone":       {{"sabor", 1}},
		"sabor gov 02001":       {{"sabor 02001", 1}, {"sabor", 1}, {"gov", 1}, {"02001", 2}},
		"haelht":                {{"health", 2}},
		"xylophone":             nil,
		"99999":                 nil,
		"sabor 1999":            {{"sabor", 1}},

		"oab":                                   nil, // of three letters, as the made-up word "gov"
		"the xylophone":                         nil, // what is left is a small word
		"vat of the sabor":                      {{"sabor", 1}},
		"what did the sabor spend on xylophone": {{"sabor", 1}},
		"xylophone of the sabor":                {{"sabor", 1}},
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
