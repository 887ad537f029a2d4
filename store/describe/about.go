package describe

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"fiscube/cube"
)

// About is what a person says of a package that no table says. An empty text is left out of the descriptor.
type About struct {
	Licence    string // its name (CC-BY-4.0) or its address
	Country    string // in two letters (ISO 3166)
	Start, End string // the first and the last day of the fiscal period (ISO 8601)
}

type licence struct {
	Name string `json:"name,omitempty"`
	Path string `json:"path,omitempty"`
}

type period struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

var (
	licenceName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,60}$`)
	countryCode = regexp.MustCompile(`^[A-Za-z]{2}$`)
)

// CheckLicence refuses what is neither the name nor the address of a licence.
func (a About) CheckLicence() error {
	if a.Licence != "" && !licenceName.MatchString(a.Licence) && !isAddress(a.Licence) {
		return cube.Errorf(cube.CodeBadValue, "%q is neither the name of a licence, such as CC-BY-4.0, nor its https address", shown(a.Licence))
	}
	return nil
}

// CheckCountry refuses what is no code of a country.
func (a About) CheckCountry() error {
	if a.Country != "" && !countryCode.MatchString(a.Country) {
		return cube.Errorf(cube.CodeBadValue, "%q is no code of a country, such as UY", shown(a.Country))
	}
	return nil
}

// CheckPeriod refuses a fiscal period that is none.
func (a About) CheckPeriod() error {
	if a.Start == "" && a.End == "" {
		return nil
	}
	start, bad := time.Parse(time.DateOnly, a.Start)
	end, alsoBad := time.Parse(time.DateOnly, a.End)
	if cmp.Or(bad, alsoBad) != nil || end.Before(start) {
		return cube.Errorf(cube.CodeBadValue, "%q to %q is no period: write its first and its last day, as 2024-01-01", shown(a.Start), shown(a.End))
	}
	return nil
}

func isAddress(text string) bool {
	return strings.HasPrefix(text, "https://") && !strings.ContainsAny(text, " \"<>\\") && len(text) <= 300
}

// Tell takes what a person says of the package.
func (d *Description) Tell(a About) error {
	if err := cmp.Or(a.CheckLicence(), a.CheckCountry(), a.CheckPeriod()); err != nil {
		return err
	}
	d.about = a
	return nil
}

// tell writes what a person said into a descriptor.
func (a About) tell(document *descriptor) {
	switch {
	case isAddress(a.Licence):
		document.Licenses = []licence{{Path: a.Licence}}
	case a.Licence != "":
		document.Licenses = []licence{{Name: a.Licence}}
	}
	document.CountryCode = strings.ToUpper(a.Country)
	if a.Start != "" {
		document.FiscalPeriod = &period{a.Start, a.End}
	}
}
