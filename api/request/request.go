// Package request reads what a request asks: its parameters, the version, the format, and where callers reach the service.
package request

import (
	"cmp"
	"context"
	"mime"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/suggest"
)

// Parameter is one that a route takes.
type Parameter struct {
	Name      string
	Separator string    // joins the texts of a repeated one; "" where it is given once
	Twice     cube.Code // the mistake of repeating one without a separator
}

// Lang says the language of texts for people.
var Lang = Parameter{Name: "lang", Twice: cube.CodeBadValue}

// Line says which line of a file, counted from 1, which is the header.
var Line = Parameter{Name: "line", Twice: cube.CodeBadValue}

// Clauses are the clauses of a question.
func Clauses() []Parameter {
	return each.Of(query.Clauses(), func(clause query.Clause) Parameter {
		return Parameter{Name: clause.Name, Separator: clause.Separator, Twice: cube.CodeBadValue}
	})
}

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
			return nil, cube.Errorf(cube.CodeBadSyntax, "%s has no value", name).At(cube.Position{Parameter: name}).WithHintf("write %s=…", name)
		}
		before, again := given[name]
		switch separator := known[i].Separator; {
		case !again:
			given[name] = Unescape(text)
		case separator == "":
			return nil, cube.Errorf(known[i].Twice, "%s is given more than once", name).At(cube.Position{Parameter: name}).WithHint("give it once")
		default:
			given[name] = before + separator + Unescape(text)
		}
	}
	return given, nil
}

func unknownParameter(name string, known []Parameter) error {
	names := each.Text(known, func(p Parameter) string { return p.Name })
	mistake := cube.Errorf(cube.CodeUnknownParameter, "no parameter %q", name).At(cube.Position{Parameter: name})
	switch near := Meant(name, names); {
	case name == "page" && slices.Contains(names, "after"):
		return mistake.WithHint("pages of facts have no numbers: after=NEXT asks for the page that next of an answer leads to")
	case near != "":
		mistake.Asked, mistake.Meant = name, near
		return mistake.WithHintf("did you mean %s?", near)
	case len(known) == 0:
		return mistake.WithHint("this path takes no parameters")
	case len(known) == 1:
		return mistake.WithHintf("the only parameter is %s", names[0])
	}
	return mistake.WithHintf("the parameters are %s; write & inside a value as %%26", strings.Join(names, ", "))
}

// foreign are the names that other programs have for our parameters.
var foreign = map[string]string{
	"limit": "pagesize", "per_page": "pagesize", "offset": "page", "sort": "order", "order_by": "order", "sort_by": "order",
	"group_by": "drilldown", "groupby": "drilldown", "measures": "aggregates", "filter": "cut", "filters": "cut", "where": "cut",
}

// Meant gives the parameter that was probably meant: by the name that another program has for it, or else the nearest.
func Meant(name string, names []string) string {
	if ours := foreign[strings.ToLower(name)]; slices.Contains(names, ours) {
		return ours
	}
	return suggest.Nearest(name, names)
}

// Mistake is an error at the beginning of a parameter.
func Mistake(code cube.Code, parameter, message, hint string) error {
	return cube.Wrap(code, message, nil).At(cube.Position{Parameter: parameter}).WithHint(hint)
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

// Writing reads the parameters that say how to write an answer, and of the headers Accept.
func Writing(given map[string]string, accept []string) (encode.Writing, error) {
	w := encode.Writing{Format: encode.FormatJSON}
	var badFormat, badNumbers, badExcel error
	if text, ok := given["format"]; !ok {
		w.Format = preferred(accept)
	} else if i := slices.IndexFunc(encode.Formats, func(f *encode.Format) bool { return f.Name == text }); i >= 0 {
		w.Format = encode.Formats[i]
	} else {
		names := each.Text(encode.Formats, func(f *encode.Format) string { return f.Name })
		badFormat = Mistake(cube.CodeBadValue, "format", "no format "+strconv.Quote(text), "the formats are "+strings.Join(names, ", "))
	}
	if text, ok := given["numbers"]; ok && text != "string" {
		badNumbers = Mistake(cube.CodeBadValue, "numbers", "numbers is "+strconv.Quote(text), "the only choice is string")
	} else {
		w.Quoted = ok
	}
	w.Excel, badExcel = Flag(given, "excel")
	err := cmp.Or(badFormat, badNumbers, badExcel)
	if err == nil && w.Excel && w.Format != encode.FormatCSV {
		err = Mistake(cube.CodeBadValue, "excel", "excel says how CSV is written, and the answer is "+w.Format.Name, "add format=csv")
	}
	return w, err
}

// preferred gives the format that weighs most. Of formats of the same weight one that is named wins, and JSON where none is.
func preferred(accept []string) *encode.Format {
	best, most, named := encode.FormatJSON, 0.0, false
	for _, f := range encode.Formats {
		weight, byName := weigh(accept, f.Media)
		if weight > most || weight == most && weight > 0 && byName && !named {
			best, most, named = f, weight, byName
		}
	}
	return best
}

// PrefersPage tells whether pages are named, and weigh more than each format of data, as for browsers.
func PrefersPage(accept []string) bool {
	page, byName := weigh(accept, echo.MIMETextHTML)
	return byName && !slices.ContainsFunc(encode.Formats, func(f *encode.Format) bool {
		weight, _ := weigh(accept, f.Media)
		return weight >= page
	})
}

// MediaDetails is the media type of errors in the form of RFC 9457.
const MediaDetails = "application/problem+json"

// PrefersDetails tells whether errors are wanted in that form: it is named, and JSON weighs no more.
func PrefersDetails(accept []string) bool {
	details, byName := weigh(accept, MediaDetails)
	plain, _ := weigh(accept, echo.MIMEApplicationJSON)
	return byName && details > 0 && details >= plain
}

// weigh gives a media type the weight of the most exact range that admits it, and tells whether that names it.
func weigh(accept []string, media string) (weight float64, byName bool) {
	kind, _, _ := strings.Cut(media, "/")
	ranges := []string{"*/*", kind + "/*", media}
	exact := -1
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		asked, parameters, err := mime.ParseMediaType(strings.TrimSpace(item))
		i := slices.Index(ranges, asked)
		if err != nil || i <= exact {
			continue
		}
		weight, exact = 1, i
		if q, err := strconv.ParseFloat(parameters["q"], 64); err == nil {
			weight = q
		}
	}
	return weight, exact == 2
}

// Flag reports whether the parameter is given and says yes.
func Flag(given map[string]string, name string) (bool, error) {
	text, ok := given[name]
	if !ok {
		return false, nil
	}
	return query.ParseFlag(name, text)
}

// ReadLanguage reads a URL that may have these parameters, of which one is the language.
func ReadLanguage(c echo.Context, known ...Parameter) (given map[string]string, lang cube.Language, err error) {
	if given, err = Read(c.Request().URL.RawQuery, known); err == nil {
		lang, err = Language(given)
	}
	return given, lang, err
}

// Language gives the language of texts for people.
func Language(given map[string]string) (cube.Language, error) {
	text, ok := given["lang"]
	if !ok {
		return cube.English, nil
	}
	return query.ParseLanguage(text)
}

// LineNumber reads the text of the parameter Line.
func LineNumber(text string) (int64, error) {
	line, err := strconv.ParseInt(text, 10, 64)
	if err != nil || line < 1 {
		return 0, cube.Errorf(cube.CodeBadValue, "line is %q", query.Clip(text)).At(cube.Position{Parameter: Line.Name}).
			WithHint("lines are numbered from 1, which is the header")
	}
	return line, nil
}

// Pin is the parameter that names the version. A link with it gives the same numbers for as long as the
// version is kept, and then the error "gone".
var Pin = Parameter{Name: "version", Twice: cube.CodeBadValue}

// pinnedFor is how long an answer to a pinned question may be kept by its client.
const pinnedFor = "max-age=86400"

// Catalogue has what is loaded.
type Catalogue interface {
	Catalog(ctx context.Context) (*cube.Catalog, error)
}

// Cube gives the version of a cube that is asked for: the served one, unless another is pinned.
func Cube(c echo.Context, loaded Catalogue, name string, given map[string]string) (*cube.Cube, error) {
	catalog, err := loaded.Catalog(c.Request().Context())
	if err != nil {
		return nil, err
	}
	cb, err := versionOf(c, catalog, name, given)
	if err == nil && cb.Visibility == cube.Unlisted {
		c.Response().Header().Set("X-Robots-Tag", "noindex")
	}
	return cb, err
}

func versionOf(c echo.Context, catalog *cube.Catalog, name string, given map[string]string) (*cube.Cube, error) {
	text, pinned := given[Pin.Name]
	if !pinned {
		return catalog.Cube(name)
	}
	number, bad := cube.VersionNumber(text)
	if bad != nil {
		return nil, bad.At(cube.Position{Parameter: Pin.Name})
	}
	c.Set(pinnedKey, true)
	c.Response().Header().Set(echo.HeaderCacheControl, pinnedFor)
	return catalog.Version(name, number)
}

// pinnedKey is where a request keeps that it names a version.
const pinnedKey = "pinned"

// IsPinned tells whether a request has asked for a version of a cube by its number.
func IsPinned(c echo.Context) bool { return c.Get(pinnedKey) == true }

// Versions gives the two versions that the path names. What is said of them holds for as long as both are kept.
func Versions(c echo.Context, loaded Catalogue) (before, after *cube.Cube, err error) {
	catalog, err := loaded.Catalog(c.Request().Context())
	if err != nil {
		return nil, nil, err
	}
	var versions [2]*cube.Cube
	for i, name := range []string{"before", "after"} {
		number, bad := cube.VersionNumber(Path(c, name))
		if bad != nil {
			return nil, nil, bad
		}
		if versions[i], err = catalog.Version(Path(c, "cube"), number); err != nil {
			return nil, nil, err
		}
	}
	c.Response().Header().Set(echo.HeaderCacheControl, pinnedFor)
	return versions[0], versions[1], nil
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

// Path gives a parameter of the path. Echo gives it as the URL has it where that differs from what Go
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
