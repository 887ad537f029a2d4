package cube

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Code names a kind of mistake. Clients switch on it; the message is for people.
type Code string

// The codes that a client may get. Each belongs to one HTTP status (openapi.yaml, Error).
const (
	CodeBadSyntax        Code = "bad-syntax"        // text outside the grammar
	CodeBadValue         Code = "bad-value"         // a value that its field cannot hold
	CodeBadPage          Code = "bad-page"          // page or pagesize outside its bounds
	CodeUnknownParameter Code = "unknown-parameter" // a parameter that the route does not have
	CodeUnknownRef       Code = "unknown-ref"       // no such field, dimension, measure or aggregate
	CodeUnknownCube      Code = "unknown-cube"      // no package of that name is loaded
	CodeUnknownLevel     Code = "unknown-level"     // the cube has no level of the name in the path
	CodeUnknownVersion   Code = "unknown-version"   // a number that no version of the package ever had
	CodeUnknownResource  Code = "unknown-resource"  // no such file in the package, or one that is not loaded
	CodeUnknownRoute     Code = "unknown-route"     // no such path
	CodeAmbiguousRef     Code = "ambiguous-ref"     // a dimension of several chains
	CodeGone             Code = "gone"              // the version was removed
	CodeTooLarge         Code = "too-large"         // more than the service answers at once
	CodeUnavailable      Code = "unavailable"       // the store cannot be reached or took too long
	CodeUnreachable      Code = "unreachable"       // a store that cannot be opened, as its server is not there yet
	CodeBadPackage       Code = "bad-package"       // a package that was not loaded; Problems says why
	CodeConflict         Code = "conflict"          // something that exists already is in the way
	CodeNoSpace          Code = "no-space"          // the disk is full
	CodeDamaged          Code = "damaged"           // what the store reads is not what it wrote
	CodeInUse            Code = "in-use"            // an embedded file that another process owns
)

// Position locates a character in the text of a request parameter. Offset counts characters from 0. If a parameter is
// repeated, its texts are joined by its separator first.
type Position struct {
	Parameter string
	Offset    int
}

// Error is the only error whose text reaches a client: what is wrong, where, and what to do instead.
type Error struct {
	Code     Code
	Message  string
	Position *Position // nil if the mistake is not in a parameter
	Hint     string    // what to do; may be empty
	Asked    string    // a name that there is not, of which the hint says that
	Meant    string    // this one was probably meant; both may be empty
	cause    error
}

// Error gives the position, the message and the hint as one line.
func (e *Error) Error() string {
	text := e.Message
	if e.Position != nil {
		text = fmt.Sprintf("%s at %d: %s", e.Position.Parameter, e.Position.Offset, text)
	}
	if e.Hint != "" {
		text += " (" + e.Hint + ")"
	}
	return text
}

// Unwrap gives the cause, which is for the log and never for a client.
func (e *Error) Unwrap() error { return e.cause }

// Errorf makes an Error without a position. A %w operand becomes its cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Wrap makes an Error with a cause that the message does not repeat.
func Wrap(code Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, cause: cause}
}

// At sets the position and returns e.
func (e *Error) At(p Position) *Error {
	e.Position = &p
	return e
}

// WithHint sets the hint and returns e. An empty hint removes it.
func (e *Error) WithHint(hint string) *Error {
	e.Hint = hint
	return e
}

// Meaning sets the hint that the known name nearest to the one asked was meant, or another hint if none is near, and returns e.
func (e *Error) Meaning(asked string, known []string, otherwise string) *Error {
	if near := Nearest(asked, known); near != "" {
		e.Asked, e.Meant, otherwise = asked, near, DidYouMean(asked, known)
	}
	return e.WithHint(otherwise)
}

// CodeOf gives the code of the *Error in err's chain, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// DidYouMean gives a hint with the known name that is nearest to the one asked, or "" if none is near.
func DidYouMean(asked string, known []string) string {
	if name := Nearest(asked, known); name != "" {
		return "did you mean " + name + "?"
	}
	return ""
}

// mostNames bounds how many names a hint lists.
const mostNames = 12

// OneOf gives a hint with the known names: the levels are a, b and 3 more.
func OneOf(what string, names []string) string {
	if len(names) == 0 {
		return "there are no " + what
	}
	listed := names[:min(len(names), mostNames)]
	hint := "the " + what + " are " + strings.Join(listed, ", ")
	if more := len(names) - len(listed); more > 0 {
		hint += fmt.Sprintf(" and %d more", more)
	}
	return hint
}

// Nearest gives the known name that was probably meant, ignoring case: the one with the fewest typing errors, at most
// one for every three letters; else one that begins with what was asked, or contains it. Of equals the first is given.
func Nearest(asked string, known []string) string {
	want := []rune(strings.ToLower(asked))
	best, least := "", max(1, len(want)/3)+1
	for _, name := range known {
		letters := []rune(strings.ToLower(name))
		if apart := len(want) - len(letters); max(apart, -apart) >= least { // each letter more is an error
			continue
		}
		if d := distance(want, letters); d < least {
			best, least = name, d
		}
	}
	if best != "" || len(want) < leastPart {
		return best
	}
	return containing(string(want), known)
}

// leastPart is the least number of letters by which a longer name is recognized.
const leastPart = 3

// containing gives the first name that begins with the part, else the first that contains it.
func containing(part string, known []string) string {
	for _, matches := range []func(s, part string) bool{strings.HasPrefix, strings.Contains} {
		i := slices.IndexFunc(known, func(name string) bool { return matches(strings.ToLower(name), part) })
		if i >= 0 {
			return known[i]
		}
	}
	return ""
}

// distance counts the typing errors between two texts: a letter left out, put in, replaced, or swapped with the next
// (the optimal string alignment distance).
func distance(a, b []rune) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range b {
			next[j+1] = min(row[j]+unequal(a[i], b[j]), row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

func unequal(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}

// mostRepeated is how many characters of a text a message repeats.
const mostRepeated = 60

// Clip shortens a text that a message repeats.
func Clip(text string) string {
	if runes := []rune(text); len(runes) > mostRepeated {
		return string(runes[:mostRepeated]) + "…"
	}
	return text
}
