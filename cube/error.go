package cube

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Code names a kind of mistake. Callers switch on it; the sentence beside it is for people.
type Code string

// The codes a caller may meet. Each belongs to one HTTP status (openapi.yaml, Error).
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
	CodeGone             Code = "gone"              // the version is kept no more
	CodeTooLarge         Code = "too-large"         // more than the service answers at once
	CodeUnavailable      Code = "unavailable"       // the store cannot be reached or took too long
	CodeUnreachable      Code = "unreachable"       // a store that cannot be opened, as its server is not there yet
	CodeBadPackage       Code = "bad-package"       // a package that was not loaded; Problems says why
	CodeConflict         Code = "conflict"          // what somebody else has made is in the way
	CodeInUse            Code = "in-use"            // an embedded file that another process owns
)

// Position is a place in the text of one request parameter. Offset counts characters from 0; where a
// parameter is repeated, the texts count as joined by the parameter's own separator.
type Position struct {
	Parameter string
	Offset    int
}

// Error is the only error whose text reaches a caller: what is wrong, where, and what to do instead.
type Error struct {
	Code     Code
	Message  string
	Position *Position // nil where the mistake has no place in a parameter
	Hint     string    // what to do; may be empty
	cause    error
}

// Error gives the message, its place and the hint as one line.
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

// Unwrap gives the cause inside, for the log; it is never shown to a caller.
func (e *Error) Unwrap() error { return e.cause }

// Errorf makes an Error without a place. A %w operand becomes its cause.
func Errorf(code Code, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{Code: code, Message: err.Error(), cause: errors.Unwrap(err)}
}

// Wrap makes an Error around a cause that the message does not show.
func Wrap(code Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, cause: cause}
}

// at returns e with its place.
func (e *Error) at(p Position) *Error {
	e.Position = &p
	return e
}

// or returns e with a hint in place of any before; an empty one says nothing.
func (e *Error) or(hint string) *Error {
	e.Hint = hint
	return e
}

// CodeOf gives the code of the *Error in err's chain, or "".
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// didYouMean hints at the known name nearest to the one asked, or says nothing when none is near.
func didYouMean(asked string, known []string) string {
	if name := Nearest(asked, known); name != "" {
		return "did you mean " + name + "?"
	}
	return ""
}

// shownNames bounds how many names a hint lists.
const shownNames = 12

// oneOf hints at the names that there are: the levels are a, b and 3 more.
func oneOf(what string, names []string) string {
	if len(names) == 0 {
		return "there are no " + what
	}
	shown := names[:min(len(names), shownNames)]
	hint := "the " + what + " are " + strings.Join(shown, ", ")
	if more := len(names) - len(shown); more > 0 {
		hint += fmt.Sprintf(" and %d more", more)
	}
	return hint
}

// Nearest gives the known name that was probably meant, ignoring case: the one with the fewest slips of the
// finger, at most one for each three letters; else one that begins with what was asked, or holds it. Ties go to
// the earlier name.
func Nearest(asked string, known []string) string {
	want := []rune(strings.ToLower(asked))
	best, least := "", max(1, len(want)/3)+1
	for _, name := range known {
		letters := []rune(strings.ToLower(name))
		if apart := len(want) - len(letters); max(apart, -apart) >= least { // each letter more is a slip
			continue
		}
		if d := distance(want, letters); d < least {
			best, least = name, d
		}
	}
	if best != "" || len(want) < leastPart {
		return best
	}
	return holding(string(want), known)
}

// leastPart is how many letters of a name say which one is meant.
const leastPart = 3

func holding(part string, known []string) string {
	for _, holds := range []func(s, part string) bool{strings.HasPrefix, strings.Contains} {
		i := slices.IndexFunc(known, func(name string) bool { return holds(strings.ToLower(name), part) })
		if i >= 0 {
			return known[i]
		}
	}
	return ""
}

// distance counts the slips between two texts: a letter left out, put in, replaced, or swapped with the next
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
