package describe

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"fiscube/cube"
)

// count writes a count with a comma between groups of digits.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// mostShown is how much of a cell or name is shown.
const mostShown = 60

// shown writes text of a file for a comment or a message, on one line and not too long.
func shown(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, " "))
	if runes := []rune(text); len(runes) > mostShown {
		text = string(runes[:mostShown]) + "…"
	}
	return strings.TrimSpace(text)
}

// listed joins names by commas, the last by a word.
func listed(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	end := len(names) - 1
	return strings.Join(names[:end], ", ") + " " + last + " " + names[end]
}

// refusal is why no package can be made of a file; the line is 0 where it is the whole file.
func refusal(path string, line int64, format string, args ...any) error {
	place := shown(path)
	if line > 0 {
		place += ":" + strconv.FormatInt(line, 10)
	}
	return cube.Errorf(cube.CodeBadPackage, "%s: %s", place, fmt.Sprintf(format, args...))
}
