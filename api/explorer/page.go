package explorer

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/query"
)

// policy lets a page use the styles and scripts of the service and ask it, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

//go:embed pages/*.html
var sources embed.FS

// The templates of pages, and of those that other pages may frame, by name.
var (
	templates = parsed("frame", "home", "results", "overview", "view", "compare", "number", "lines", "report", "problem")
	embedded  = parsed("framed", "embed", "problem")
)

// parsed joins what is around some pages with the middle of each.
func parsed(around string, names ...string) map[string]*template.Template {
	frame := template.Must(template.New("").ParseFS(sources, "pages/"+around+".html", "pages/parts.html"))
	pages := map[string]*template.Template{}
	for _, name := range names {
		pages[name] = template.Must(template.Must(frame.Clone()).ParseFS(sources, "pages/"+name+".html"))
	}
	return pages
}

// frame is what every page has, and in Main what only one has.
type frame struct {
	reader
	name      string // of the template
	status    int
	Root      string // leads to the root of the service
	HomeLink  string
	LangGiven string // the language that was chosen, which the search keeps
	Title     string
	Query     string // what was searched for
	MadeUp    bool
	Languages []choice
	Assets    map[string]string
	Main      any
}

// choice is one of several links, of which one is taken, or of the values in a form.
type choice struct {
	Text, Link string
	Value      string // in a form
	Lang       string // of the text, where it is not that of the page
	Taken      bool
}

// visit is a request for a page.
type visit struct {
	echo.Context
	reader
	root    string
	framed  bool // other pages may frame the page
	given   map[string]string
	limiter *limits.Limiter
}

// visitKey is where a request for a page keeps its visit.
const visitKey = "visit"

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
		if reads && (path == "/" || framed || lost || strings.HasPrefix(path, "/explore/")) {
			v := &visit{Context: c, root: rootOf(c.Request().URL.EscapedPath()), framed: framed}
			c.Set(visitKey, v)
			c.Response().Header().Set(echo.HeaderContentSecurityPolicy, map[bool]string{false: policy, true: embedPolicy}[framed])
			reply.Vary(c.Response().Header(), "Accept-Language")
			reply.ShowProblems(c, func(problem *cube.Error) error { return v.send(v.problem(problem)) })
		}
		return next(c)
	}
}

// page makes a handler of what gives a page, which asks through the limiter.
func page(limiter *limits.Limiter, answer func(*visit) (*frame, error), known ...request.Parameter) echo.HandlerFunc {
	known = append(known, request.Lang)
	return func(c echo.Context) error {
		v := c.Get(visitKey).(*visit)
		var badLang error
		given, err := request.Read(c.Request().URL.RawQuery, known)
		if v.reader, badLang = readerOf(c, given); err != nil || badLang != nil {
			return cmp.Or(err, badLang)
		}
		v.given, v.limiter = given, limiter
		f, err := answer(v)
		if err != nil || f == nil { // nil: it sent something else than a page
			return err
		}
		return v.send(f)
	}
}

// rootOf leads from a path to the root.
func rootOf(path string) string { return strings.Repeat("../", strings.Count(path, "/")-1) }

// frame begins a page.
func (v *visit) frame(name, title string, main any) *frame {
	f := &frame{reader: v.reader, name: name, status: http.StatusOK, Root: v.root, HomeLink: v.home(), LangGiven: v.given["lang"], Title: title, Assets: sums, Main: main}
	return f
}

// send sends a page, unless the client has it.
func (v *visit) send(f *frame) error {
	for _, lang := range cube.Languages {
		f.Languages = append(f.Languages, choice{Text: prose.Page(lang).Language, Link: v.inLanguage(lang), Lang: string(lang), Taken: lang == f.Language})
	}
	from := templates
	if v.framed {
		from = embedded
	}
	var body bytes.Buffer
	if err := from[f.name].ExecuteTemplate(&body, "frame", f); err != nil {
		return err
	}
	if f.status == http.StatusOK && reply.Unchanged(v.Context, echo.MIMETextHTML, body.String()) {
		return reply.SendNotModified(v.Context)
	}
	return reply.Send(v.Context, f.status, echo.MIMETextHTMLCharsetUTF8, body.Bytes())
}

// inLanguage leads to the same page in another language.
func (v *visit) inLanguage(lang cube.Language) string {
	return v.without("lang", "lang="+string(lang))
}

// without leads to the same page without a parameter, and with others.
func (v *visit) without(name string, others ...string) string {
	var kept []string
	for pair := range strings.SplitSeq(v.Request().URL.RawQuery, "&") {
		if pair != "" && !strings.HasPrefix(pair, name+"=") {
			kept = append(kept, pair)
		}
	}
	return strings.TrimSuffix(v.here()+"?"+strings.Join(append(kept, others...), "&"), "?")
}

// here leads to the path of the page itself. It has a slash: the templates take a link with a colon and no slash before it for one
// to another scheme.
func (v *visit) here() string {
	return cmp.Or(v.root, "./") + strings.TrimPrefix(v.Request().URL.EscapedPath(), "/")
}

// home leads to the start page.
func (v *visit) home() string {
	return address{root: v.root, lang: v.given["lang"]}.String()
}

// problemPage says what is wrong, and what to do.
type problemPage struct {
	reader
	Title, Message, Hint string
	Retry, Home          string // links, or ""
	Meant                string // where the hint leads
	Served               string // leads to the version that is served
	Wait                 string // for how many seconds, before it may be asked again
}

// problem is the page of a mistake.
func (v *visit) problem(mistake *cube.Error) *frame {
	if v.Language == "" { // the request was not read yet
		v.reader, _ = readerOf(v.Context, nil) // without parameters there is no mistake
	}
	status := reply.Statuses[mistake.Code]
	main := problemPage{reader: v.reader, Message: mistake.Message, Hint: mistake.Hint, Home: v.home(), Meant: v.meant(mistake), Wait: v.Response().Header().Get(echo.HeaderRetryAfter)}
	switch status {
	case http.StatusNotFound:
		main.Title = v.Words.NotFound
	case http.StatusGone:
		main.Title = v.Words.GonePage
	case http.StatusTooManyRequests:
		main.Title, main.Retry = v.Words.TooMany, v.here()+"?"+v.Request().URL.RawQuery
	case http.StatusServiceUnavailable:
		main.Title, main.Retry = v.Words.Unavailable, v.here()+"?"+v.Request().URL.RawQuery
	case http.StatusInternalServerError, http.StatusInsufficientStorage:
		main.Title = v.Words.Broken
	default:
		main.Title = v.Words.Mistake
	}
	if mistake.Code == cube.CodeGone || mistake.Code == cube.CodeUnknownVersion {
		main.Served = v.without(request.Pin.Name)
	}
	f := v.frame("problem", main.Title, main)
	f.status = status
	return f
}

// meant leads to the same page with the name that was probably meant instead of the one that there is not, or is "".
func (v *visit) meant(mistake *cube.Error) string {
	path, pairs := strings.Split(v.here(), "/"), strings.Split(v.Request().URL.RawQuery, "&")
	found := false
	switch {
	case mistake.Meant == "":
	case mistake.Position == nil: // the name is in the path
		for i, text := range path {
			if request.Unescape(text) == mistake.Asked {
				path[i], found = url.PathEscape(mistake.Meant), true
			}
		}
	default:
		for i, pair := range pairs {
			name, text, _ := strings.Cut(pair, "=")
			switch {
			case request.Unescape(name) != mistake.Position.Parameter:
			case mistake.Code == cube.CodeUnknownParameter:
				pairs[i], found = url.QueryEscape(mistake.Meant)+"="+text, true
			default:
				if text, ok := mended(request.Unescape(text), mistake); ok {
					pairs[i], found = name+"="+escape(text), true
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
func mended(clause string, mistake *cube.Error) (text string, ok bool) {
	runes := []rune(clause)
	if mistake.Position.Offset > len(runes) {
		return "", false
	}
	before, rest := string(runes[:mistake.Position.Offset]), string(runes[mistake.Position.Offset:])
	name, sum := strings.CutSuffix(mistake.Meant, ".sum")
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

// embedPolicy lets any page frame a figure, which uses the style sheet alone.
const embedPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"

// explore leads to the overview of a cube.
func (v *visit) explore(cb *cube.Cube) address {
	return address{root: v.root, path: "explore/" + url.PathEscape(cb.Name), version: v.given["version"], lang: v.given["lang"]}
}

// linesOf leads to the lines of a file.
func (v *visit) linesOf(cb *cube.Cube, r cube.Resource) address {
	a := v.explore(cb)
	return a.at(a.path + "/lines/" + url.PathEscape(r.Name))
}

// searching leads to what a text finds.
func (v *visit) searching(text string) string {
	return address{root: v.root, lang: v.given["lang"]}.plus("q", text)
}

// pageParameter gives a parameter that only pages know.
func (v *visit) pageParameter(name string) string { return parameterIn(v.Request().URL.RawQuery, name) }

// parameterIn gives a parameter of a raw query, or "".
func parameterIn(raw, name string) string {
	for pair := range strings.SplitSeq(raw, "&") {
		if key, text, _ := strings.Cut(pair, "="); key == name {
			return request.Unescape(text)
		}
	}
	return ""
}
