// Package site has what all pages for people have: the visit that asks for one and whom it asks, the frame around it, addresses and
// names, and the page of a mistake. It knows none of the other pages.
//
//	problem.go   the page of a mistake
//	page.go      what is around every page, and how it is sent
//	visit.go     a request for a page: what it asks of the service, and where its links lead
//	names.go     how cubes, levels and years are called
//	address.go   where a page is
//	reader.go    the language and the region of the reader
//	assets.go    styles and scripts
package site

import (
	"cmp"
	"context"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"regexp"

	"github.com/labstack/echo/v4"

	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube/series"
	"fiscube/cube/words"
	"fiscube/internal/tidy"
)

//go:embed *.html
var sources embed.FS

// Template joins what is around pages with the middle of one, which is in files.
func Template(middle fs.FS, files ...string) *template.Template {
	return joined("frame.html", middle, files)
}

// Embedded is Template for a page that other pages may frame.
func Embedded(middle fs.FS, files ...string) *template.Template {
	return joined("framed.html", middle, files)
}

func joined(around string, middle fs.FS, files []string) *template.Template {
	return template.Must(template.Must(template.ParseFS(sources, around, "parts.html")).ParseFS(middle, files...))
}

// Frame is what every page has, and in Main what only one has.
type Frame struct {
	Reader
	template  *template.Template
	status    int
	Root      string // leads to the root of the service
	HomeLink  string
	LangGiven string // the language that was chosen, which the search keeps
	Title     string
	Query     string // what was searched for
	SearchIn  string // the cube that the search looks in first, or ""
	Feed      string // leads to the feed of its versions, or of those of all
	MadeUp    bool
	Languages []Choice
	Assets    map[string]string
	Main      any
}

// Choice is one of several links, of which one is taken, or of the values in a form.
type Choice struct {
	Text, Link string
	Hint       string // says more than the text
	Value      string // in a form
	Lang       string // of the text, where it is not that of the page
	Taken      bool
}

// Handler makes a handler of what gives a page, which asks through the limiter.
func Handler(limiter *limits.Limiter, answer func(*Visit) (*Frame, error), known ...request.Parameter) echo.HandlerFunc {
	known = append(known, request.Lang)
	return func(c echo.Context) error {
		v := c.Get(visitKey).(*Visit)
		var badLang error
		given, err := request.Read(c.Request().URL.RawQuery, known)
		if v.Reader, badLang = readerOf(c, given); err != nil || badLang != nil {
			return cmp.Or(err, badLang)
		}
		v.Given, v.Limiter, v.Base = given, limiter, request.Base(c)
		if catalog, err := limiter.Catalog(c.Request().Context()); err == nil { // else the page says so, if it needs one
			v.titled = byTitle(catalog.Served(), v.Language)
			if cb, err := catalog.Cube(pictured.ReplaceAllString(request.Path(c, "cube"), "")); err == nil {
				v.Locale = v.Of(series.Country(cb.Package)) // numbers are written as in its country
			}
		}
		f, err := answer(v)
		if err != nil || f == nil { // nil: it sent something else than a page
			return err
		}
		return v.send(f)
	}
}

// pictured is the end of a name that asks for a picture.
var pictured = regexp.MustCompile(`\.(svg|png)$`)

// Frame begins a page, by its template.
func (v *Visit) Frame(template *template.Template, title string, main any) *Frame {
	return &Frame{
		Reader: v.Reader, template: template, status: http.StatusOK, Root: v.Root, HomeLink: v.home(), LangGiven: v.Given["lang"],
		SearchIn: request.Path(v.Context, "cube"), Feed: v.feed(request.Path(v.Context, "cube")), Title: title, Assets: sums, Main: main,
	}
}

// WithStatus gives a page another status than 200.
func (f *Frame) WithStatus(status int) *Frame {
	f.status = status
	return f
}

// send sends a page, unless the client has it.
func (v *Visit) send(f *Frame) error {
	for _, lang := range words.Languages() {
		f.Languages = append(f.Languages, Choice{Text: words.Locale{Language: lang}.Say("page.language-name"), Link: v.inLanguage(lang), Lang: string(lang), Taken: lang == f.Language})
	}
	ctx := v.Request().Context()
	if f.status != http.StatusOK {
		ctx = context.Background() // that there is no room for an answer is said in any case
	}
	body := limits.NewBuffer(ctx)
	if err := f.template.ExecuteTemplate(body, "frame", f); err != nil {
		return err
	}
	page := tidy.Visible(body.String()) // whatever is published on it
	if f.status == http.StatusOK && reply.Unchanged(v.Context, echo.MIMETextHTML, page) {
		return reply.SendNotModified(v.Context)
	}
	return reply.Send(v.Context, f.status, echo.MIMETextHTMLCharsetUTF8, []byte(page))
}
