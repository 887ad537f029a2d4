package sqlgen

import (
	"fmt"
	"strconv"
	"strings"
)

// literal writes a value into the SQL text. Only a text without arguments needs it: the definition of a view.
func literal(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return quoted(v)
	}
	panic(fmt.Sprintf("a literal of type %T", v))
}

// quoted writes a text as a literal. A text with a backslash becomes an escape string, which does not depend on
// standard_conforming_strings. NUL characters are left out, since they would end the SQL text.
func quoted(text string) string {
	escaped := strings.NewReplacer("\x00", "", "'", "''", `\`, `\\`).Replace(text)
	if strings.Contains(text, `\`) {
		return "E'" + escaped + "'"
	}
	return "'" + escaped + "'"
}
