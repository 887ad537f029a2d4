package cube

import "strings"

// Qualifiers are what an amount is beside its number, in the order in which the names of measures have them. Amounts that differ in one
// are never added: a measure is one combination of them.
var Qualifiers = []string{"phase", "direction", "currency", "kind"}

// QualifierOfType gives the qualifier that the cells of a column type of Fiscal Data Package are, or "".
func QualifierOfType(columnType string) string {
	switch first, _, _ := strings.Cut(columnType, ":"); first {
	case "phase", "direction":
		return first
	case "value-currency":
		return "currency"
	case "value-kind":
		return "kind"
	}
	return ""
}

// NoQualifier says in Package.Qualifiers that no field is the qualifier.
const NoQualifier = "none"

// Undeclared is a level that looks like a qualifier of amounts and that nobody has declared, so that answers may add up over it.
type Undeclared struct {
	Level     string   `json:"level"`
	Qualifier string   `json:"qualifier"`
	Members   []string `json:"members"`
}
