package sqlgen

import (
	"fmt"
	"strconv"
	"strings"
)

// literal writes a value into the text of a statement. Only what cannot have arguments needs it: the definition
// of a view and its comments.
func literal(v any) string {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return quoted(v)
	}
	panic(fmt.Sprintf("a literal of type %T", v))
}

// quoted writes a text as a literal. One with a backslash is an escape string, so that it means the same whatever
// standard_conforming_strings says. No text in a store holds a NUL character, which would end the statement.
func quoted(text string) string {
	escaped := strings.NewReplacer("\x00", "", "'", "''", `\`, `\\`).Replace(text)
	if strings.Contains(text, `\`) {
		return "E'" + escaped + "'"
	}
	return "'" + escaped + "'"
}
