package cube_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/cubetest"
)

func version(name string, number int, served bool) *cube.Cube {
	return &cube.Cube{Package: &cube.Package{Name: name}, Version: number, Served: served}
}

func listed(cubes []*cube.Cube) string {
	var list []string
	for _, c := range cubes {
		list = append(list, fmt.Sprintf("%s %d", c.Name, c.Version))
	}
	return strings.Join(list, ", ")
}

func TestCatalog_GivesTheServedVersions(t *testing.T) {
	given := []*cube.Cube{version("uruguay", 1, true), version("croatia", 10, false), version("croatia", 2, true),
		version("withdrawn", 1, false), version("croatia", 1, false)}
	catalog := cube.NewCatalog(given)
	if got := listed(catalog.Served()); got != "croatia 2, uruguay 1" {
		t.Errorf("served %s", got)
	}
	if got := listed(catalog.Versions("croatia")); got != "croatia 1, croatia 2, croatia 10" {
		t.Errorf("versions %s", got)
	}
	if got := catalog.Versions("planet"); got != nil {
		t.Errorf("versions of nothing %s", listed(got))
	}
	if c, err := catalog.Cube("croatia"); err != nil || c.Version != 2 {
		t.Errorf("the served version is %v, %v", c, err)
	}
	if got := listed(given); !strings.HasPrefix(got, "uruguay 1, croatia 10") {
		t.Errorf("the catalog sorted what it was given: %s", got)
	}
	for _, tt := range []struct{ name, want string }{
		{"planet", `no cube "planet" (the cubes are croatia, uruguay)`},
		{"Croatia", `no cube "Croatia" (did you mean croatia?)`},
		{"uruguai", `no cube "uruguai" (did you mean uruguay?)`},
		{"croatie", `no cube "croatie" (did you mean croatia?)`},
		{"withdrawn", `no cube "withdrawn" (the cubes are croatia, uruguay)`},
	} {
		_, err := catalog.Cube(tt.name)
		cubetest.WantError(t, err, cube.CodeUnknownCube, tt.want)
	}
}

func TestCube_Years(t *testing.T) {
	years := func(pairs ...int64) *cube.Cube {
		c := &cube.Cube{Package: &cube.Package{}}
		for i := 0; i < len(pairs); i += 2 {
			c.Resources = append(c.Resources, cube.Resource{Found: cube.Found{FirstYear: pairs[i], LastYear: pairs[i+1]}})
		}
		return c
	}
	for _, tt := range []struct {
		name        string
		cube        *cube.Cube
		first, last int64
		ok          bool
	}{
		{"no resource", years(), 0, 0, false},
		{"resources without years", years(0, 0, 0, 0), 0, 0, false},
		{"one resource", years(2016, 2018), 2016, 2018, true},
		{"the widest over all resources", years(2016, 2017, 0, 0, 2011, 2012, 2015, 2019), 2011, 2019, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			first, last, ok := tt.cube.Years()
			if first != tt.first || last != tt.last || ok != tt.ok {
				t.Errorf("got %d to %d, %v", first, last, ok)
			}
		})
	}
}

// What was stored before titles had languages has one title.
func TestPackage_TitleIn(t *testing.T) {
	for stored, want := range map[string][2]string{
		`{}`:                     {"", ""},
		`{"title": "Published"}`: {"Published", "Published"},
		`{"title": "Budget", "titles": {"en": "Budget", "es": "Presupuesto"}}`: {"Budget", "Presupuesto"},
		`{"title": "Orçamento", "titles": {"pt": "Orçamento"}}`:                {"Orçamento", "Orçamento"},
	} {
		p := &cube.Package{}
		if err := json.Unmarshal([]byte(stored), p); err != nil {
			t.Fatal(err)
		}
		if got := [2]string{p.TitleIn(cube.English), p.TitleIn("es")}; got != want {
			t.Errorf("%s: %q, want %q", stored, got, want)
		}
	}
}
