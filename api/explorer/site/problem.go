package site

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// policy lets a page use the styles and scripts of the service and ask it, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// embedPolicy lets any page frame a figure, which uses the style sheet alone.
const embedPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"

// Problems shows the mistakes of requests for pages as pages, also those that never come to a handler. It is outside of what may
// refuse a request.
func Problems(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		reads := c.Request().Method == http.MethodGet || c.Request().Method == http.MethodHead
		path := c.Path()
		framed := strings.HasPrefix(path, "/embed/")
		if path == "" { // no route: who looks for a page of people, or follows a link to one, sees one
			reply.Vary(c.Response().Header(), echo.HeaderAccept)
		}
		lost := path == "" && strings.Contains(c.Request().Header.Get(echo.HeaderAccept), echo.MIMETextHTML)
		if reads && (path == "/" || slices.Contains([]string{"/functions", "/docs"}, strings.TrimSuffix(path, "/")) || framed || lost || strings.HasPrefix(path, "/explore/")) || isForm(c) {
			v := &Visit{Context: c, Guest: &Guest{Root: rootOf(c.Request().URL.EscapedPath()), raw: c.Request().URL.RawQuery}, framed: framed}
			c.Set(visitKey, v)
			c.Response().Header().Set(echo.HeaderContentSecurityPolicy, map[bool]string{false: policy, true: embedPolicy}[framed])
			reply.Vary(c.Response().Header(), "Accept-Language")
			reply.ShowProblems(c, func(problem *cube.Error) error { return v.send(v.problem(problem)) })
		}
		return next(c)
	}
}

// isForm tells whether a browser asks for a page of publishers, or sends one of its forms.
func isForm(c echo.Context) bool {
	path := c.Path()
	return (path == "/publish" || strings.HasPrefix(path, "/publish/")) && request.PrefersPage(c.Request().Header.Values(echo.HeaderAccept))
}

// problemPage says what happened, and what to do.
type problemPage struct {
	Reader
	prose.Mistake
	Title, Do string
	Meant     string // where the hint leads
	Wait      string // for how many seconds, before it may be asked again
	Retry     string // leads to the page once more, or ""
	Links     []Choice
}

// problems are the kinds of mistakes by their status. Others are of the question.
var problems = map[int]string{
	http.StatusNotFound: "not-found", http.StatusGone: "gone-page", http.StatusTooManyRequests: "too-many",
	http.StatusServiceUnavailable: "unavailable", http.StatusInternalServerError: "broken", http.StatusInsufficientStorage: "broken",
}

var (
	problemTemplate  = Template(sources, "problem.html")
	embeddedTemplate = Embedded(sources, "problem.html")
)

// problem is the page of a mistake.
func (v *Visit) problem(mistake *cube.Error) *Frame {
	if v.Language == "" { // the request was not read yet
		v.Reader, _ = readerOf(v.Context, nil) // without parameters there is no mistake
	}
	status := reply.Statuses[mistake.Code]
	kind := "problem." + cmp.Or(problems[status], "mistake")
	main := problemPage{Reader: v.Reader, Mistake: prose.TellMistake(mistake, v.Language), Title: v.Say(kind), Do: v.Say(kind + "-do"), Meant: v.naming(mistake, mistake.Meant)}
	if mistake.Code == cube.CodeGone || mistake.Code == cube.CodeUnknownVersion {
		served := v.without(request.Pin.Name)
		if request.Path(v.Context, "before") != "" { // of two versions: the page of the cube
			served = Address{Root: v.Root, Path: "explore/" + url.PathEscape(request.Path(v.Context, "cube")), Lang: v.Given["lang"]}.String()
		}
		main.Links = append(main.Links, Choice{Text: v.Say("view.served-now"), Link: served})
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		main.Retry, main.Wait = v.Here()+"?"+v.Request().URL.RawQuery, v.Response().Header().Get(echo.HeaderRetryAfter)
	}
	if known := v.known(mistake); len(known) > 0 {
		main.Hint, main.Links = "", append(known, main.Links...)
	}
	main.Links = append(main.Links, Choice{Text: v.Say("page.home"), Link: v.home()})
	shown := problemTemplate
	if v.framed {
		shown = embeddedTemplate
	}
	f := v.Frame(shown, main.Title, main)
	f.status, f.SearchIn, f.Feed = status, "", v.feed("") // there may be no such cube
	return f
}

// mostKnown is how many names a page of a mistake leads to.
const mostKnown = 30

// known leads to the same page with each name that there is instead of the one that there is not, by their titles.
func (v *Visit) known(mistake *cube.Error) (list []Choice) {
	if v.Limiter == nil || mistake.Asked == "" {
		return nil
	}
	catalog, err := v.Limiter.Catalog(v.Request().Context())
	if err != nil {
		return nil
	}
	of, _ := v.Cube()
	for _, name := range mistake.Known[:min(len(mistake.Known), mostKnown)] {
		title := name
		if other, err := catalog.Cube(name); mistake.Position == nil && err == nil {
			if title = v.TitleOfCube(other); other.Synthetic {
				title += " (" + v.Say("page.made-up-short") + ")"
			}
		} else if of != nil {
			title = v.titleOf(of.Model, name)
		}
		if link := v.naming(mistake, name); link != "" {
			list = append(list, Choice{Text: title, Link: link})
		}
	}
	return list
}

// titleOf is what readers call a measure or a level.
func (v *Visit) titleOf(m *cube.Model, name string) string {
	if measure, ok := m.Measure(name); ok {
		return prose.MeasureTitle(measure, v.Language)
	}
	if level, ok := m.Level(name); ok {
		return v.LevelTitle(level)
	}
	return name
}

// naming leads to the same page with another name instead of the one that there is not, or is "".
func (v *Visit) naming(mistake *cube.Error, name string) string {
	path, pairs := strings.Split(v.Here(), "/"), strings.Split(v.Request().URL.RawQuery, "&")
	found := false
	switch {
	case name == "":
	case mistake.Position == nil: // the name is in the path
		for i, text := range path {
			if request.Unescape(text) == mistake.Asked {
				path[i], found = url.PathEscape(name), true
			}
		}
	default:
		for i, pair := range pairs {
			parameter, text, _ := strings.Cut(pair, "=")
			switch {
			case request.Unescape(parameter) != mistake.Position.Parameter:
			case mistake.Code == cube.CodeUnknownParameter:
				pairs[i], found = url.QueryEscape(name)+"="+text, true
			default:
				if text, ok := mended(request.Unescape(text), mistake, name); ok {
					pairs[i], found = parameter+"="+escape(text), true
				}
			}
		}
	}
	if !found {
		return ""
	}
	return strings.TrimSuffix(strings.Join(path, "/")+"?"+strings.Join(pairs, "&"), "?")
}

// mended replaces the name in a clause, from the place of the mistake on.
func mended(clause string, mistake *cube.Error, name string) (text string, ok bool) {
	runes := []rune(clause)
	if mistake.Position.Offset > len(runes) {
		return "", false
	}
	before, rest := string(runes[:mistake.Position.Offset]), string(runes[mistake.Position.Offset:])
	name, sum := strings.CutSuffix(name, ".sum")
	if name = query.QuoteName(name); sum {
		name += ".sum"
	}
	for _, asked := range []string{query.QuoteText(mistake.Asked), mistake.Asked} {
		if begin, end, found := strings.Cut(rest, asked); found {
			return before + begin + name + end, true
		}
	}
	return "", false
}
