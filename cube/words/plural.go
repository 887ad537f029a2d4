package words

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// formOrVerb matches a verb of a template, with its index if it has one, and the forms of a word: {row|rows}.
var formOrVerb = regexp.MustCompile(`%%|%(?:\[(\d+)\])?[a-z]|\{([^{}]*)\}`)

// Fill writes a template. Of the forms of a word it takes the one for the number before them: "%d {row|rows}" has the forms
// for one and for others, "%d {redak|retka|redaka}" those of Croatian. Other texts are never read as a template.
func Fill(template string, args ...any) string {
	if strings.Contains(template, "{") {
		arg := -1
		template = formOrVerb.ReplaceAllStringFunc(template, func(found string) string {
			parts := formOrVerb.FindStringSubmatch(found)
			switch {
			case found[0] == '{':
				return formFor(args[arg], strings.Split(parts[2], "|"))
			case found == "%%":
			case parts[1] != "":
				arg, _ = strconv.Atoi(parts[1])
				arg--
			default:
				arg++
			}
			return found
		})
	}
	return fmt.Sprintf(template, args...)
}

// formFor picks the form of a word behind a whole number.
func formFor(number any, forms []string) string {
	digits := strings.TrimPrefix(fmt.Sprintf("%d", number), "-")
	if len(forms) == 3 {
		return forms[slavicForm(digits)]
	}
	if digits == "1" {
		return forms[0]
	}
	return forms[1]
}

// slavicForm says which form the digits of a whole number have in Croatian: 0 as after 1, 1 as after 2, 2 as after 5. The last
// digit decides, but for 11 to 14.
func slavicForm(digits string) int {
	last := digits[len(digits)-1]
	switch {
	case len(digits) > 1 && digits[len(digits)-2] == '1':
		return 2
	case last == '1':
		return 0
	case '2' <= last && last <= '4':
		return 1
	}
	return 2
}

// Fill writes a template of PageWords. Whole numbers among its arguments are written with their groups, so years are given as
// texts.
func (l Locale) Fill(template string, args ...any) string {
	written := make([]any, len(args))
	for i, arg := range args {
		switch n := arg.(type) {
		case int:
			written[i] = writtenNumber(l.Whole(int64(n)))
		case int64:
			written[i] = writtenNumber(l.Whole(n))
		default:
			written[i] = arg
		}
	}
	return Fill(template, written...)
}

// writtenNumber is a whole number with its groups, which templates write as such.
type writtenNumber string

// Format writes the number for any verb.
func (n writtenNumber) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, string(n)) }
