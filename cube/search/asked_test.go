package search

import (
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/internal/each"
)

// Words beside an amount say in which cubes and which year to look for it. Other words make it no amount.
func TestIndex_Figure(t *testing.T) {
	m := newMade()
	croatia, mexico := budget(t, 1, "croatia", "Croatia"), budget(t, 2, "mx", "Federal budget")
	mexico.Country, mexico.CountryNames = "MX", cube.Titles{"en": "Mexico", "es": "México"}
	m.serve(croatia, mexico)
	m.pay(croatia, "year", paid("38440000000.00", cube.Integer(2017)), paid("38440000001.00", cube.Integer(2018)))
	m.pay(mexico, "year", paid("38440000002.00", cube.Integer(2017)), paid("38440000003.00", cube.Integer(2018)))
	x := m.index()
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	cubes := []*cube.Cube{croatia, mexico}
	for text, want := range map[string]string{
		"38.44 billion pesos":                    "38.44 billion pesos [croatia mx] 0: 38440000000 38440000001 38440000003 38440000002",
		"38.44 billion pesos mexico":             "38.44 billion pesos [mx] 0: 38440000003 38440000002",
		"México: 38,44 mil millones":             "38,44 mil millones [mx] 0: 38440000003 38440000002",
		"mexico 38.44 billion in 2017":           "38.44 billion [mx] 2017: 38440000002",
		"how much is 38.44 billion 2018":         "38.44 billion [croatia mx] 2018: 38440000001 38440000003",
		"federal budget 2018 38440 million":      "38440 million [mx] 2018: 38440000003",
		"38440000009 mexico 2017":                "38440000009 [mx] 2017: near 38440000002",
		"38.44 billion mexico croatia":           "",
		"38.44 billion mexico 1999":              "",
		"38.44 billion mexico 2017 2018":         "",
		"38.44 billion health":                   "",
		"mexico 2017":                            "",
		strings.Repeat("1 ", 40) + "38440000009": "",
	} {
		var got string
		if asked, ok := x.Figure(text, cubes, cubes); ok {
			x.FindFigure(FigureAsked{Figures: asked.Figures, Cubes: cubes})
			if err := x.RefreshSums(t.Context()); err != nil {
				t.Fatal(err)
			}
			found := x.FindFigure(asked)
			values := each.Text(found.Equal, func(c Cell) string { return c.Value.String() })
			got = fmt.Sprint(asked.Text, " ", each.Text(asked.Cubes, func(c *cube.Cube) string { return c.Name }), " ", asked.Year, ": ", strings.Join(values, " "))
			for _, cell := range found.Nearest {
				got += "near " + cell.Value.String()
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
