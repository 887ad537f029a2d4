package catalogue

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// CheckName refuses the name of a package that differs from another's in case alone, or whose views would have
// the name of another's: those of a package "budget" are "budget" and "budget (all)".
func CheckName(name string, others []string) error {
	own := takenNames(name)
	for _, other := range others {
		if slices.ContainsFunc(takenNames(other), func(taken string) bool { return slices.Contains(own, taken) }) {
			err := cube.Errorf(cube.CodeConflict, "the package %q cannot be loaded beside the package %q: their names are too alike", name, other)
			err.Hint = "names of packages differ in more than case and than an added (all); rename this one, or remove the other"
			return err
		}
	}
	return nil
}

// takenNames are the names that a package takes, without regard to case.
func takenNames(name string) []string {
	names := append(sqlgen.ViewNames(name), name)
	for i := range names {
		names[i] = strings.ToLower(names[i])
	}
	return names
}
