package fdp

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Problem is one thing wrong with a descriptor. Place is a JSON path such as resources[1].schema.fields[3].type,
// a line and column where the text is no JSON at all, or empty where the whole descriptor is meant.
type Problem struct {
	Place   string
	Message string
}

// String gives the place and the message as one line.
func (p Problem) String() string {
	if p.Place == "" {
		return p.Message
	}
	return p.Place + ": " + p.Message
}

// Problems is everything wrong with a descriptor, in the order it was met.
type Problems []Problem

// Error gives one line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// mostProblems bounds what a hostile descriptor can make us say; the rest is counted.
const mostProblems = 1000

// report collects problems while a descriptor is read.
type report struct {
	kept Problems
	seen map[Problem]bool
	more int
}

// add notes a problem. What the package declares once for all its resources is met once for each of them, but
// it is one problem.
func (r *report) add(place, format string, args ...any) {
	p := Problem{place, fmt.Sprintf(format, args...)}
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

// plainKey matches the keys that a place shows without brackets and quotes.
var plainKey = regexp.MustCompile(`^[\pL\pN_-]{1,80}$`)

// at gives the place of a key of the object at place.
func at(place, key string) string {
	switch {
	case !plainKey.MatchString(key):
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

// quote shows published text on one line and cuts it where it is long.
func quote(text string) string {
	const most = 80
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return strconv.Quote(text)
}
