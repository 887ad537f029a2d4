package reply

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fiscube/cube"
)

// headerWarnings carries the warnings of an answer that is not JSON: a list of RFC 9651, each item a code with a
// message as a Display String, which is ASCII whatever the language.
const headerWarnings = "Fiscube-Warnings"

// Proxies refuse answers whose headers are long: 4 KB for all of them is common.
const (
	maxMessage = 240  // characters of one message
	maxHeader  = 3000 // bytes of the warnings and the links; the warnings that do not fit are counted
	maxLinks   = 2500 // bytes of the links; those that do not fit are left out
	maxLink    = 1500 // bytes of a link
)

// warningsText lists the warnings that there is room for. The first has as much of its message as fits.
func warningsText(warnings []cube.Warning, room int) string {
	var b strings.Builder
	for i, w := range warnings {
		separator, most := ", ", maxMessage
		if i == 0 {
			separator, most = "", fitting(w, room)
		}
		item := separator + warningItem(w, most)
		if i > 0 && b.Len()+len(item) > room {
			fmt.Fprintf(&b, ", more;count=%d", len(warnings)-i)
			break
		}
		b.WriteString(item)
	}
	return b.String()
}

// fitting is how many characters of a message fit, to within a half.
func fitting(w cube.Warning, room int) int {
	most := maxMessage
	for most > 0 && len(warningItem(w, most)) > room {
		most /= 2
	}
	return most
}

// warningItem is a warning with so many characters of its message.
func warningItem(w cube.Warning, most int) string {
	return w.Code + ";message=" + displayString(clipped(w.Message, most))
}

func clipped(message string, most int) string {
	if utf8.RuneCountInString(message) <= most {
		return message
	}
	return string([]rune(message)[:most]) + "…"
}

// displayString writes a text as RFC 9651, section 3.3.8 says: what is not printable ASCII, and the two
// characters that end or escape, as percent signs with the bytes of its UTF-8.
func displayString(text string) string {
	var b strings.Builder
	b.WriteString(`%"`)
	for _, c := range []byte(strings.ToValidUTF8(text, "\ufffd")) {
		if c < ' ' || c > '~' || c == '%' || c == '"' {
			fmt.Fprintf(&b, "%%%02x", c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
