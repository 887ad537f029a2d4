// Package publish has the pages on which a person makes a cube of files: they are sent, what was read from them is shown and corrected,
// and the package that comes of it goes into the queue of loads. Each step is an address that needs no script.
//
//	publish.go   which handler answers which path, and what reads the files
//	session.go   who may come in: the token is shown once, and a cookie remembers that
//	draft.go     what a person sent and said, in a folder of its own that outlives the process
//	receive.go   files that are sent
//	reading.go   what was read from a draft, kept for the last few
//	save.go      what a form says
//	start.go     the page of all drafts        page.go   the page of one
//	data.go      both for programs, and the documents of a package
//
// What files hold is not trusted, nor are their names.
package publish

import (
	"context"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/explorer/site"
	"fiscube/api/jobs"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/findings"
)

// Describer reads the files of a draft.
type Describer interface {
	// Describe reads files under what a person said of them. What is wrong with them is a problem of what was read, not an error.
	Describe(ctx context.Context, files fs.FS, paths []string, said Said) (*Read, error)
	// Tables gives the tables of a zip that was sent.
	Tables(zip io.ReaderAt, size int64) (files fs.FS, paths []string, err error)
	// Fetch gives the file at an address, of so many bytes at most, and its name.
	Fetch(ctx context.Context, address string, most int64) (data io.ReadCloser, name string, err error)
}

// Said is what a person said of the files of a draft.
type Said struct {
	Name, Licence, Country, Start, End string
	Year, Sheet, Header                string
	Readings                           map[string]string // of columns, by the names of their fields
	Parents, Labels                    map[string]string `json:",omitempty"` // of levels, likewise
	Answers                            map[string]string // to questions, by their keys
}

// Read is what was read from files.
type Read struct {
	Name      string
	Columns   []Column
	Levels    []Level
	Readings  []string // that a column may have
	Questions []findings.Question
	Totals    []Total
	Problems  []Problem     // for which nothing can be published
	Doubts    []cube.Titles // what can be read in two ways
	Findings  []findings.Finding

	Descriptor, Overlay []byte // nil where there is no package
}

// Column is a column of the files with what it is taken for.
type Column struct {
	Name    string      `json:"name"`
	Cells   []string    `json:"cells"`
	Reading string      `json:"reading"`
	Why     cube.Titles `json:"-"`
	Of      string      `json:"label_of,omitempty"`
}

// Level is a level of the model with its place below another.
type Level struct {
	Field     string      `json:"field"`
	Label     string      `json:"label,omitempty"`
	Parent    string      `json:"parent,omitempty"`
	Dimension string      `json:"dimension"`
	Why       cube.Titles `json:"-"`
	IsFixed   bool        `json:"fixed,omitempty"` // nobody can choose its place
}

// Total is what the rows of a fiscal year add up to.
type Total struct{ Year, Measure, Sum string }

// Problem is why files cannot be published.
type Problem struct {
	Kind  Kind   `json:"kind"`
	About string `json:"about,omitempty"` // the column, the level, the key of the question, or the field of the form
	Text  string `json:"text,omitempty"`  // in English; "" where the kind says all
}

// Kind is what mends a problem.
type Kind string

// The kinds of problems.
const (
	NoYear     Kind = "year"
	NoHeader   Kind = "header"
	NoSheet    Kind = "sheet"
	NoAmounts  Kind = "amounts"
	BadColumn  Kind = "column"
	BadLevel   Kind = "level"
	BadAnswer  Kind = "answer"
	BadAbout   Kind = "about"
	BadFiles   Kind = "files"
	OtherKinds Kind = "other"
)

// Pages answer the paths below /publish.
type Pages struct {
	limiter  *limits.Limiter
	loads    *jobs.Queue
	drafts   *Drafts
	sessions sessions
}

// Register routes the pages. There are none without a queue that takes what is published.
func Register(e *echo.Echo, limiter *limits.Limiter, loads *jobs.Queue, drafts *Drafts) {
	p := &Pages{limiter: limiter, loads: loads, drafts: drafts}
	for _, slash := range []string{"", "/"} {
		for path, handle := range map[string]echo.HandlerFunc{
			"/publish":                         p.shown(p.startPage, p.startData),
			"/publish/:draft":                  p.shown(p.draftPage, p.draftData),
			"/publish/:draft/datapackage.json": p.open(request.Bare(p.descriptor)),
			"/publish/:draft/overlay.yaml":     p.open(request.Bare(p.overlay)),
		} {
			e.GET(path+slash, handle)
			e.HEAD(path+slash, handle)
		}
		e.POST("/publish/session"+slash, p.guarded(p.enter))
		e.POST("/publish"+slash, p.open(p.send))
		e.POST("/publish/:draft"+slash, p.open(p.save))
		e.POST("/publish/:draft/files"+slash, p.open(p.changeFiles))
	}
}

// shown makes a handler of a page that is data for programs.
func (p *Pages) shown(page func(*site.Visit) (*site.Frame, error), data echo.HandlerFunc) echo.HandlerFunc {
	asPage := site.Handler(p.limiter, func(v *site.Visit) (*site.Frame, error) {
		if !p.admits(v.Request()) {
			return p.tokenPage(v), nil
		}
		return page(v)
	})
	asData := p.open(func(c echo.Context) error {
		if _, err := request.Read(c.Request().URL.RawQuery, []request.Parameter{request.Lang}); err != nil {
			return err
		}
		return data(c)
	})
	return p.guarded(func(c echo.Context) error {
		reply.Vary(c.Response().Header(), echo.HeaderAccept)
		if request.PrefersPage(c.Request().Header.Values(echo.HeaderAccept)) {
			return asPage(c)
		}
		return asData(c)
	})
}

// open lets requests in that show the token or have a session.
func (p *Pages) open(next echo.HandlerFunc) echo.HandlerFunc {
	return p.guarded(func(c echo.Context) error {
		switch {
		case p.admits(c.Request()):
			return next(c)
		case request.PrefersPage(c.Request().Header.Values(echo.HeaderAccept)): // a form of a session that is over
			c.Response().Header().Set(echo.HeaderWWWAuthenticate, challenge)
			return cube.Errorf(reply.CodeUnauthorized, "the token was shown too long ago, or the server was started again since").
				WithHint("type it in another tab, at /publish, and reload this page: what you wrote is sent again")
		}
		return p.loads.Refuse(c)
	})
}

// challenge says what is to be shown.
const challenge = `Bearer realm="fiscube"`

// guarded keeps other sites out: their scripts read nothing here, and their forms change nothing. Browsers say where a form comes from
// only if they may name this page.
func (p *Pages) guarded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		header := c.Response().Header()
		header.Del(echo.HeaderAccessControlAllowOrigin)
		header.Del("Timing-Allow-Origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set(echo.HeaderReferrerPolicy, "same-origin")
		header.Set(echo.HeaderCacheControl, "no-store")
		if err := fromHere(c); err != nil {
			return err
		}
		if r := c.Request(); p.admits(r) {
			c.SetRequest(r.WithContext(limits.Trusting(r.Context())))
		}
		return next(c)
	}
}

// seeOther leads to a page after a form was taken, in the language of the form.
func seeOther(c echo.Context, below, place string) error {
	address := root(c) + "publish" + below
	if lang := site.ParameterIn(c.Request().URL.RawQuery, "lang"); lang != "" {
		address += "?lang=" + url.QueryEscape(lang)
	}
	return c.Redirect(http.StatusSeeOther, address+place)
}

// root leads from the path of a request to the root of the service: links are relative, so that they also hold below a path of another server.
func root(c echo.Context) string {
	return strings.Repeat("../", strings.Count(c.Request().URL.EscapedPath(), "/")-1)
}

//go:embed *.html
var sources embed.FS

var (
	tokenTemplate = site.Template(sources, "token.html")
	startTemplate = site.Template(sources, "start.html")
	draftTemplate = site.Template(sources, "draft.html", "columns.html")
)

// around is what all pages of this package have.
type around struct {
	site.Reader
	Address string // of the pages, relative to this one
	Query   string // of the language that was chosen
}

func newAround(v *site.Visit) around {
	a := around{Reader: v.Reader, Address: v.Root + "publish"}
	if lang := v.Given["lang"]; lang != "" {
		a.Query = "?lang=" + lang
	}
	return a
}
