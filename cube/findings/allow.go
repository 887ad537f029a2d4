package findings

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// The codes of packages that are loaded only if a person allows it: most of their questions have no answer, or a wrong one.
const (
	NoLevels   = "no-levels"
	NoMeasures = "no-measures"
	NoYear     = "no-year"
	NoRows     = "no-rows"
)

// Allowable lists what a person can allow.
var Allowable = []string{NoLevels, NoMeasures, NoYear, NoRows}

// CheckAllowed refuses what nobody can allow.
func CheckAllowed(codes []string) error {
	for _, code := range codes {
		if !slices.Contains(Allowable, code) {
			err := cube.Errorf(cube.CodeBadValue, "%q is nothing that can be allowed", code)
			err.Hint = "what can be is " + strings.Join(Allowable, ", ")
			return err
		}
	}
	return nil
}
