package cube

import (
	"errors"
	"fmt"

	"fiscube/internal/suggest"
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
	CodeNotKept          Code = "not-kept"          // a file of which nobody kept the bytes as they were published
	CodeUnknownRoute     Code = "unknown-route"     // no such path
	CodeNoSeries         Code = "no-series"         // no prices or inhabitants are known of the country of a package
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
	Known    []string  // those that there are, where none of them is near
	Said     Phrase    // the message, for other languages
	Advised  Phrase    // the hint, for other languages
	cause    error
}

// Phrase is a sentence in English and what fills its verbs, so that it can be told in another language.
type Phrase struct {
	Format string
	Args   []any
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
	return &Error{Code: code, Message: err.Error(), Said: Phrase{format, args}, cause: errors.Unwrap(err)}
}

// Wrap makes an Error with a cause that the message does not repeat.
func Wrap(code Code, message string, cause error) *Error {
	return &Error{Code: code, Message: message, Said: Phrase{Format: message}, cause: cause}
}

// Because sets a cause that the message does not repeat, and returns e.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// At sets the position and returns e.
func (e *Error) At(p Position) *Error {
	e.Position = &p
	return e
}

// WithHint sets the hint and returns e. An empty hint removes it.
func (e *Error) WithHint(hint string) *Error {
	e.Hint, e.Advised = hint, Phrase{Format: hint}
	return e
}

// WithHintf sets the hint by a format and returns e.
func (e *Error) WithHintf(format string, args ...any) *Error {
	e.Hint, e.Advised = fmt.Sprintf(format, args...), Phrase{format, args}
	return e
}

// Listing sets the hint that lists what there is, as the levels of a cube, and returns e.
func (e *Error) Listing(what string, names []string) *Error {
	listed, more := suggest.FirstOf(names)
	if e.Known = names; len(e.Said.Args) > 0 {
		e.Asked, _ = e.Said.Args[0].(string)
	}
	switch {
	case len(names) == 0:
		return e.WithHint("there are no " + what)
	case more > 0:
		return e.WithHintf("the "+what+" are %s and %d more", listed, more)
	}
	return e.WithHintf("the "+what+" are %s", listed)
}

// Meaning sets the hint that the known name nearest to the one asked was meant, if one is near, and returns e.
func (e *Error) Meaning(asked string, known []string) *Error {
	if near := suggest.Nearest(asked, known); near != "" {
		e.Asked, e.Meant, e.Known = asked, near, nil
		return e.WithHintf("did you mean %s?", near)
	}
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
