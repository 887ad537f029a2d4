package series

import (
	"embed"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"sync"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

//go:embed built/*.csv
var built embed.FS

// Built lists the series that are part of the program, by name and country.
var Built = sync.OnceValue(func() []cube.Series {
	var list []cube.Series
	files, _ := built.ReadDir("built") // it is embedded
	for _, f := range files {
		data, _ := built.ReadFile("built/" + f.Name())
		read, err := Read(strings.TrimSuffix(f.Name(), path.Ext(f.Name())), data)
		if err != nil {
			panic(err) // the test of this package reads them
		}
		list = append(list, read...)
	}
	return list
})

// countries has the codes (ISO 3166-1) of the countries of Built, and the names that packages call them by.
var countries = [][]string{
	{"AUS", "AU", "Australia"},
	{"CRI", "CR", "Costa Rica"},
	{"DOM", "DO", "Dominican Republic", "República Dominicana"},
	{"ESP", "ES", "Spain", "España"},
	{"GBR", "GB", "UK", "United Kingdom", "Great Britain"},
	{"HRV", "HR", "Croatia", "Hrvatska", "Republic of Croatia", "Republika Hrvatska"},
	{"MEX", "MX", "Mexico", "México"},
	{"MKD", "MK", "North Macedonia", "Macedonia", "Северна Македонија"},
	{"PRY", "PY", "Paraguay"},
	{"URY", "UY", "Uruguay"},
	{"ZAF", "ZA", "South Africa"},
}

// placeOf gives the place in countries of a code or name, without regard to case and accents.
var placeOf = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, names := range countries {
		for _, name := range names {
			places[fold.Text(name)] = i
		}
	}
	return places
})

// sameCountry tells whether two texts name the same country, without regard to case and accents.
func sameCountry(a, b string) bool {
	a, b = fold.Text(a), fold.Text(b)
	i, isKnown := placeOf()[a]
	j, isOther := placeOf()[b]
	return a == b || isKnown && isOther && i == j
}

// Countries lists what a descriptor says that the country of a package is: its name or code, as country or countryCode. If it says
// nothing, they are those of the package's own series.
func Countries(p *cube.Package) []string {
	var codes []string
	if json.Unmarshal(p.Extra["countryCode"], &codes) != nil {
		codes = make([]string, 1)
		_ = json.Unmarshal(p.Extra["countryCode"], &codes[0]) // descriptors put anything there
	}
	names := slices.DeleteFunc(append([]string{p.Country}, codes...), func(name string) bool { return strings.TrimSpace(name) == "" })
	if len(names) > 0 {
		return names
	}
	return each.Once(names, each.Text(p.Series, func(s cube.Series) string { return s.Country })...)
}

// Country gives the code (ISO 3166-1) of the country of a package, or what the package says of it.
func Country(p *cube.Package) string {
	names := Countries(p)
	if len(names) == 0 {
		return ""
	}
	if i := slices.IndexFunc(countries, func(c []string) bool { return sameCountry(names[0], c[0]) }); i >= 0 {
		return countries[i][0]
	}
	return names[0]
}

// Of gives the series of prices and of inhabitants for the country of a package, as far as there are any: its own before those that an
// operator added, and these before those that are part of the program. Of series that are not its own only prices are those of a town.
func Of(c *cube.Cube) []cube.Series {
	p := c.Package
	all := slices.Clone(p.Series)
	if c.Added != nil {
		all = append(all, c.Added.Series...)
	}
	all = append(all, Built()...)
	var found []cube.Series
	for _, prices := range []bool{true, false} {
		i := slices.IndexFunc(all, func(s cube.Series) bool { return s.IsOfPrices() == prices && isOf(s, p) })
		if i >= 0 && (prices || i < len(p.Series) || IsNational(p)) {
			found = append(found, all[i])
		}
	}
	return found
}

// IsNational tells whether a descriptor says that its budget is of a whole country. One that says nothing may be of a town.
func IsNational(p *cube.Package) bool {
	level := fold.Text(strings.TrimSpace(p.GovtLevel))
	return slices.ContainsFunc([]string{"national", "nacional", "central", "federal"}, func(word string) bool {
		return slices.Contains(strings.Fields(level), word)
	})
}

func isOf(s cube.Series, p *cube.Package) bool {
	return slices.ContainsFunc(Countries(p), func(name string) bool { return sameCountry(name, s.Country) })
}
