package describe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"fiscube/cube"
	"fiscube/cube/words"
)

// say tells evidence, a doubt or a question in all languages, with pairs of the name of a parameter and its value. A value that is told in
// all languages itself is told in that of the sentence, and names are listed.
func say(code string, params ...any) cube.Titles {
	told := cube.Titles{}
	for _, l := range words.Languages() {
		in, own := words.Locale{Language: l}, slices.Clone(params)
		for i, value := range own {
			switch value := value.(type) {
			case cube.Titles:
				own[i] = value.In(l)
			case []string:
				own[i] = in.And(value)
			}
		}
		told[string(l)] = in.Say("evidence."+code, own...)
	}
	return told
}

// together joins evidence that stands side by side.
func together(parts ...cube.Titles) (all cube.Titles) {
	for _, part := range parts {
		switch {
		case len(all) == 0:
			all = part
		case len(part) > 0:
			all = say("together", "First", all, "Next", part)
		}
	}
	return all
}

// told is the evidence of what a person says.
func told() cube.Titles { return say("told") }

// english is evidence in a comment, a summary or an error.
func english(evidence cube.Titles) string { return evidence.In(cube.English) }

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
