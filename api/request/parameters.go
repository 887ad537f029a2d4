// Package request reads what a request asks: its parameters, the version, the format, and where callers reach the service.
package request

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// Parameter is one that a route takes.
type Parameter struct {
	Name      string
	Separator string    // joins the texts of a repeated one; "" where it is given once
	Twice     cube.Code // the mistake of repeating one without a separator
}

// Lang says the language of texts for people.
var Lang = Parameter{Name: "lang", Twice: cube.CodeBadValue}

// Read splits the raw query on & and nothing else, so that a bare ; or % never loses a part of the
// question, and refuses what is not among known. What trackers add to links is passed over.
func Read(raw string, known []Parameter) (map[string]string, error) {
	given := map[string]string{}
	for piece := range strings.SplitSeq(raw, "&") {
		name, text, assigned := strings.Cut(piece, "=")
		name = Unescape(name)
		if piece == "" || strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "_") {
			continue
		}
		i := slices.IndexFunc(known, func(p Parameter) bool { return p.Name == name })
		switch {
		case i < 0:
			return nil, unknownParameter(name, known)
		case !assigned:
			return nil, Mistake(cube.CodeBadSyntax, name, name+" has no value", "write "+name+"=…")
		}
		if err := known[i].add(given, Unescape(text)); err != nil {
			return nil, err
		}
	}
	return given, nil
}

// add joins the text to those already given.
func (p Parameter) add(given map[string]string, text string) error {
	before, again := given[p.Name]
	if again && p.Separator == "" {
		return Mistake(p.Twice, p.Name, p.Name+" is given more than once", "give it once")
	}
	if again {
		text = before + p.Separator + text
	}
	given[p.Name] = text
	return nil
}

func unknownParameter(name string, known []Parameter) error {
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.Name
	}
	hint := "the parameters are " + strings.Join(names, ", ") + "; write & inside a value as %26"
	switch near := cube.Nearest(name, names); {
	case name == "page" && slices.Contains(names, "after"):
		hint = "pages of facts have no numbers: after=NEXT asks for the page that next of an answer leads to"
	case near != "":
		hint = "did you mean " + near + "?"
	case len(known) == 0:
		hint = "this path takes no parameters"
	case len(known) == 1:
		hint = "the only parameter is " + names[0]
	}
	return Mistake(cube.CodeUnknownParameter, name, "no parameter "+strconv.Quote(name), hint)
}

// Mistake is an error at the beginning of a parameter.
func Mistake(code cube.Code, parameter, message, hint string) error {
	err := cube.Errorf(code, "%s", message)
	err.Position = &cube.Position{Parameter: parameter}
	err.Hint = hint
	return err
}

// Unescape decodes percent signs where two hexadecimal digits follow, leaves the others as they are, and reads
// + as a space.
func Unescape(text string) string {
	if !strings.ContainsAny(text, "%+") {
		return text
	}
	decoded := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		char := text[i]
		if char == '+' {
			char = ' '
		}
		if char == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				char = byte(n)
				i += 2
			}
		}
		decoded = append(decoded, char)
	}
	return string(decoded)
}

// ReadLeniently reads the parameters that are known, and warns of the others. Those that are given once count the
// first time.
func ReadLeniently(raw string, known []Parameter) (given map[string]string, ignored []cube.Warning) {
	given, ignored = map[string]string{}, []cube.Warning{}
	for piece := range strings.SplitSeq(raw, "&") {
		name, text, _ := strings.Cut(piece, "=")
		name = Unescape(name)
		if name == "page_size" {
			name = "pagesize"
		}
		i := slices.IndexFunc(known, func(p Parameter) bool { return p.Name == name })
		switch {
		case piece == "" || strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "_"):
		case i >= 0:
			_ = known[i].add(given, Unescape(text)) // fails only where the first one counts
		default:
			ignored = append(ignored, cube.Warning{Code: "parameter-ignored", Message: "there is no parameter " + strconv.Quote(name)})
		}
	}
	return given, ignored
}

// Flag tells whether the parameter is given and says yes.
func Flag(given map[string]string, name string) (bool, error) {
	text, ok := given[name]
	if !ok {
		return false, nil
	}
	return cube.ParseFlag(name, text)
}

// Language gives the language of texts for people.
func Language(given map[string]string) (cube.Language, error) {
	text, ok := given["lang"]
	if !ok {
		return cube.English, nil
	}
	return cube.ParseLanguage(text)
}

// A question that names its version is pinned: whoever follows its link gets the same numbers for as long as
// the version is kept, and is told when it is not.

// Pin is the parameter that names the version.
var Pin = Parameter{Name: "version", Twice: cube.CodeBadValue}

// Served stands for a question that is not pinned.
const Served = 0

// pinnedFor is how long an answer to a pinned question may be kept by its asker.
const pinnedFor = "max-age=86400"

// Version gives the number of the version asked for, or Served.
func Version(given map[string]string) (int, error) {
	text, ok := given[Pin.Name]
	if !ok {
		return Served, nil
	}
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 {
		return 0, Mistake(cube.CodeBadValue, Pin.Name, "version is "+strconv.Quote(text), "versions are numbered 1, 2, 3 …")
	}
	return number, nil
}

// Cube gives a version of the cube that the path names.
func Cube(c echo.Context, engine *cube.Engine, number int) (*cube.Cube, error) {
	if number == Served {
		return engine.Cube(c.Request().Context(), Path(c, "cube"))
	}
	c.Response().Header().Set(echo.HeaderCacheControl, pinnedFor)
	return engine.Version(c.Request().Context(), Path(c, "cube"), number)
}

// Bare refuses the parameters that a route without any is given.
func Bare(handle echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if _, err := Read(c.Request().URL.RawQuery, nil); err != nil {
			return err
		}
		return handle(c)
	}
}

// Path gives a parameter of the path. Echo hands it over as it stood in the URL where that differs from what Go
// would write, and decoded otherwise.
func Path(c echo.Context, name string) string {
	text := c.Param(name)
	if c.Request().URL.RawPath == "" {
		return text
	}
	if decoded, err := url.PathUnescape(text); err == nil {
		return decoded
	}
	return text
}

// baseKey is where a request keeps where callers reach the service.
const baseKey = "base"

// SetBase notes where callers reach the service: at the public URL, or else where this request does. Only a proxy that the
// operator has may say that the scheme is otherwise than the connection is.
func SetBase(c echo.Context, publicURL string, trustProxy bool) {
	base := strings.TrimSuffix(publicURL, "/")
	if base == "" {
		scheme := "http://"
		if c.IsTLS() || trustProxy && c.Request().Header.Get(echo.HeaderXForwardedProto) == "https" {
			scheme = "https://"
		}
		base = scheme + c.Request().Host
	}
	c.Set(baseKey, base)
}

// Base is where callers reach the service, without a slash at its end.
func Base(c echo.Context) string { return c.Get(baseKey).(string) }
