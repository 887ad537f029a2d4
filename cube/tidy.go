package cube

import (
	"strings"
	"unicode"
)

// Tidy is a label as it is displayed, and a text as it is looked for: no-break spaces, doubled and outer spaces and
// control characters become single spaces or nothing. The fact keeps the cell.
func Tidy(label string) string {
	return strings.Join(strings.FieldsFunc(label, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
