package search

import (
	"context"
	"errors"
	"slices"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
	"fiscube/internal/each"
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

		"sabor y xylophone 2015, quién lo gasta y cómo cambió de 2014 a 2015": {{"sabor"}, {"xylophone"}},
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
		"minixtrsvo obrzovanja": {{"ministarstvo obrzovanja", 1, false}, {"ministarstvo", 2, false}, {"obrzovanja", 1, false}},
		"sabor xylophone":       {{"sabor", 1, false}},
		"sabor gov 02001":       {{"sabor 02001", 1, false}, {"sabor", 1, false}, {"gov", 1, false}, {"02001", 2, false}},
		"haelht":                {{"health", 2, false}},
		"xylophone":             nil,
		"99999":                 nil,
		"sabor 1999":            {{"sabor", 1, false}},

		"oab":                                   nil, // of three letters, as the made-up word "gov"
		"the xylophone":                         nil, // what is left is a small word
		"vat of the sabor":                      {{"sabor", 1, false}},
		"what did the sabor spend on xylophone": {{"sabor", 1, false}},
		"xylophone of the sabor":                {{"sabor", 1, false}},

		"el sabor y el xylophone en 02001, y quién lo gasta": {{"sabor 02001", 1, false}, {"sabor", 1, false}, {"02001", 2, false}},
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

// Texts that keep a country come first, before the others by the order of its words, and those that find only what is made up last.
func TestSuggest_KeepsWhatIsNamed(t *testing.T) {
	m := newMade()
	uruguay, rica, madeUp := budget(t, 1, "uy", "Uruguay: national plan"), budget(t, 2, "cr", "National plan"), budget(t, 3, "made", "Uruguay, made up")
	rica.Country, rica.CountryNames, madeUp.Synthetic = "CR", cube.Titles{"en": "Costa Rica"}, true
	m.serve(madeUp, rica, uruguay)
	m.put(uruguay, "area", row(1, []string{"1"}, "Educación"), row(1, []string{"2"}, "Agua"))
	m.put(rica, "area", row(1, []string{"3"}, "Educación"))
	m.put(madeUp, "area", row(9, []string{"4"}, "Escuela inicial"))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	cubes := []*cube.Cube{rica, uruguay, madeUp}
	for _, tt := range []struct {
		text  string
		named []string
		want  []Suggestion
	}{
		{"uruguay educación inicial", []string{"uy", "made"}, []Suggestion{
			{"uruguay educacion", 1, false}, {"uruguay", 2, false}, {"educacion", 2, false}, {"uruguay inicial", 1, true}, {"inicial", 1, true},
		}},
		{"agua uruguay costa rica 1999", []string{"cr", "uy", "made"}, nil},
		{"national plan of xylophone", []string{"cr", "uy"}, []Suggestion{{"national plan", 2, false}}},
		{"how much does the rica spend on 2016 agua", []string{"cr"}, nil},
		{"national plan of uruguay", []string{"uy"}, nil},
		{"escuela", nil, nil},
		{"national 2016", []string{"cr", "uy"}, nil},
		{"the costa rica", []string{"cr"}, []Suggestion{}},
	} {
		q, err := Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := each.Text(x.Named(q, cubes), func(c *cube.Cube) string { return c.Name }); !slices.Equal(got, tt.named) {
			t.Errorf("%q names %q, want %q", tt.text, got, tt.named)
		}
		if got, err := x.Suggest(t.Context(), q, cubes); tt.want != nil && (err != nil || !slices.Equal(got, tt.want)) {
			t.Errorf("%q suggests %v, want %v (%v)", tt.text, got, tt.want, err)
		}
	}
}

// A search for a caller who leaves ends at the next look, whichever query it tries and whichever word it is near.
func TestSuggest_EndsWithItsCaller(t *testing.T) {
	x := one(t)
	catalog, _ := x.store.Catalog(t.Context())
	q, err := Parse("minixtrsvo obrzovanja")
	if err != nil {
		t.Fatal(err)
	}
	for after := 0; ; after++ {
		ctx := &cubetest.Leaving{Context: context.Background(), After: after}
		_, err := x.Suggest(ctx, q, catalog.Served())
		if err == nil {
			if after < 10 {
				t.Errorf("it is looked %d times at the caller", after)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || ctx.Looks != after+1 {
			t.Fatalf("after %d looks: %v, and %d more", after, err, ctx.Looks-after-1)
		}
	}
}
