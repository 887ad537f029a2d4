package api

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
	mostMessage = 240  // characters of one message: the first fits whatever its script
	mostHeader  = 3000 // bytes of the warnings and the links; the warnings that do not fit are counted
	mostLinks   = 2500 // bytes of the links; those that do not fit are left out
	mostLink    = 1500 // bytes of a link
)

// madeUp says that figures are, of an answer that has no place to say it.
var madeUp = cube.Warning{Code: "synthetic", Message: "the figures are made up, for trying fiscube out"}

// carried lists what an answer that is not JSON must say beside its rows: the warnings, and before them that
// figures are made up.
func carried(plan *cube.Plan) []cube.Warning {
	warnings := plan.Warnings()
	if plan.Cube().Synthetic {
		return append([]cube.Warning{madeUp}, warnings...)
	}
	return warnings
}

func warningsText(warnings []cube.Warning, room int) string {
	var b strings.Builder
	for i, w := range warnings {
		item := w.Code + ";message=" + displayString(clipped(w.Message))
		if i > 0 {
			item = ", " + item
		}
		if b.Len()+len(item) > room {
			fmt.Fprintf(&b, ", more;count=%d", len(warnings)-i)
			break
		}
		b.WriteString(item)
	}
	return b.String()
}

func clipped(message string) string {
	if utf8.RuneCountInString(message) <= mostMessage {
		return message
	}
	return string([]rune(message)[:mostMessage]) + "…"
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
