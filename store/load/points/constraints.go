package points

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/load/numeric"
)

// check gives the constraint that a cell breaks, or "" (Table Schema: constraints).
type check func(cell string) string

// mostUnique is how many different cells of a field that must be unique are remembered.
const mostUnique = 1_000_000

// checkOf makes the check of a field; nil where nothing is said of its cells.
func checkOf(f cube.Field, missing []string) check {
	c := f.Constraints
	if c == nil {
		return nil
	}
	pattern := regexp.MustCompile("^(?:" + c.Pattern + ")$") // it was read
	seen := map[string]bool{}
	return func(cell string) string {
		if cell == "" || slices.Contains(missing, cell) {
			if c.Required {
				return "required"
			}
			return ""
		}
		length := utf8.RuneCountInString(cell)
		switch {
		case c.Unique && seen[cell]:
			return "unique"
		case c.Pattern != "" && !pattern.MatchString(cell):
			return "pattern"
		case len(c.Enum) > 0 && !slices.Contains(c.Enum, cell):
			return "enum"
		case c.MinLength > 0 && length < c.MinLength:
			return "minLength"
		case c.MaxLength > 0 && length > c.MaxLength:
			return "maxLength"
		case c.Minimum != "" && compare(f, cell, c.Minimum) < 0:
			return "minimum"
		case c.Maximum != "" && compare(f, cell, c.Maximum) > 0:
			return "maximum"
		}
		if c.Unique && len(seen) < mostUnique {
			seen[strings.Clone(cell)] = true
		}
		return ""
	}
}

// compare compares a cell with a bound: as numbers where both are, else as texts, as dates in the form of ISO 8601 are.
func compare(f cube.Field, cell, bound string) int {
	form := numeric.FormOf(f)
	digits, _, _, ok := form.ReadAmount(cell)
	x, errCell := decimal.NewFromString(digits)
	y, errBound := decimal.NewFromString(bound)
	if !ok || errCell != nil || errBound != nil {
		return strings.Compare(cell, bound)
	}
	return x.Cmp(y)
}
