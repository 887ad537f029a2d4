package fdp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/internal/each"
	"fiscube/internal/suggest"
)

// Problem is one thing wrong with a descriptor or an overlay. Place is a path such as
// resources[1].schema.fields[3].type, in an overlay with the line; a line where the text is no JSON or YAML at all;
// empty where the whole document is meant.
type Problem struct {
	Place   string
	Message string
	Line    int // from 1; 0 before Locate, and where the place is not in the document
}

// String gives the place and the message as one line.
func (p Problem) String() string {
	if p.Place == "" {
		return p.Message
	}
	return p.Place + ": " + p.Message
}

// Problems is everything wrong with a descriptor or an overlay, in the order it was met.
type Problems []Problem

// Error gives one line for each problem.
func (p Problems) Error() string {
	lines := each.Text(p, Problem.String)
	return strings.Join(lines, "\n")
}

// What a hostile document can make us do at most.
const (
	mostProblems = 1000 // are reported; the rest is counted
	mostHints    = 50   // names are compared with the known ones
)

// report collects problems while a document is read.
type report struct {
	kept Problems
	seen map[Problem]bool
	more int
}

// add notes a problem. What the package declares once for all its resources is met once for each of them, but
// it is one problem.
func (r *report) add(place, format string, args ...any) {
	p := Problem{Place: place, Message: fmt.Sprintf(format, args...)}
	switch {
	case r.seen[p]:
	case len(r.kept) == mostProblems:
		r.more++
	default:
		if r.seen == nil {
			r.seen = map[Problem]bool{}
		}
		r.seen[p] = true
		r.kept = append(r.kept, p)
	}
}

// has tells whether a problem was noted at a place.
func (r *report) has(place string) bool {
	return slices.ContainsFunc(r.kept, func(p Problem) bool { return p.Place == place })
}

// problems gives what was noted, or nil.
func (r *report) problems() Problems {
	if r.more == 0 {
		return r.kept
	}
	return append(r.kept, Problem{Message: fmt.Sprintf("and %d more", r.more)})
}

// near gives the known name nearest to one that is unknown, or "".
func (r *report) near(name string, known []string) string {
	if len(r.kept) >= mostHints || len(name) > mostNameRunes {
		return ""
	}
	return suggest.Nearest(name, known)
}

// didYouMean asks whether the nearest known name was meant, if there is one.
func (r *report) didYouMean(name string, known []string) string {
	if nearest := r.near(name, known); nearest != "" && len(name) > 1 { // every letter is near every other
		return "; did you mean " + nearest + "?"
	}
	return ""
}

// suggest asks whether the nearest known name was meant; where none is near it lists them all.
func (r *report) suggest(name string, known []string) string {
	if nearest := r.near(name, known); nearest != "" {
		return "did you mean " + nearest + "?"
	}
	last := len(known) - 1
	if last < 1 {
		return "write " + strings.Join(known, "")
	}
	return "write " + strings.Join(known[:last], ", ") + " or " + known[last]
}

// isPlain tells whether a key is written without brackets and quotes in a place. As a pattern it would take milliseconds of every start.
func isPlain(key string) bool {
	return key != "" && utf8.RuneCountInString(key) <= 80 && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
}

// at gives the place of a key of the object at place.
func at(place, key string) string {
	switch {
	case !isPlain(key):
		return place + "[" + quote(key) + "]"
	case place == "":
		return key
	}
	return place + "." + key
}

// nth gives the place of an item of the list at place.
func nth(place string, i int) string {
	return place + "[" + strconv.Itoa(i) + "]"
}

// quote writes published text on one line and cuts it where it is long.
func quote(text string) string {
	const most = 80
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return strconv.Quote(text)
}
