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
	least, most := boundOf(f, c.Minimum), boundOf(f, c.Maximum)
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
		case c.Minimum != "" && least.compare(cell) < 0:
			return "minimum"
		case c.Maximum != "" && most.compare(cell) > 0:
			return "maximum"
		}
		if c.Unique && len(seen) < mostUnique {
			seen[strings.Clone(cell)] = true
		}
		return ""
	}
}

// bound is the least or the greatest cell of a field.
type bound struct {
	text   string
	number decimal.NullDecimal // null for a text
	form   numeric.Form        // of the cells
}

func boundOf(f cube.Field, text string) bound {
	b := bound{text: text, form: numeric.FormOf(f)}
	number, err := decimal.NewFromString(text)
	b.number = decimal.NullDecimal{Decimal: number, Valid: err == nil}
	return b
}

// compare compares a cell with the bound: as numbers where both are, else as texts, as dates in the form of ISO 8601 are.
func (b bound) compare(cell string) int {
	digits, _, _, ok := b.form.ReadAmount(cell)
	number, err := decimal.NewFromString(digits)
	if !ok || err != nil || !b.number.Valid {
		return strings.Compare(cell, b.text)
	}
	return number.Cmp(b.number.Decimal)
}
