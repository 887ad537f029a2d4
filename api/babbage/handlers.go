// Package babbage translates between a cube and the dialect that OpenSpending dashboards speak, that of the
// Babbage server (0.4). What a dashboard asks becomes a query.Query, which is answered as
// those of the other routes are, under the dashboard's names and in its shapes.
//
// A level is a dimension of the dialect, whose id is its key field, and whose attributes are the key field and the
// label field: admin1_code.admin1_code and admin1_code.admin1_label. A chain of levels is a hierarchy.
//
// What the dialect leaves open, or its server gets wrong, is read as our own grammar does: a value by the type of
// its field, ranges, inversions and paths, and a mistake is an error rather than dropped.
package babbage

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/kept"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/findings"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/fold"
)

// The routes below /api/3 answer as a Babbage server does, so that dashboards made for OpenSpending work unchanged
// when they are pointed at them. They only translate: questions are answered as those of the other routes are.

const (
	// Root is the path of all routes.
	Root           = "/api/3"
	dialectVersion = "0.4.0" // of the Babbage whose form this is
)

// handlers answer the routes.
type handlers struct {
	limiter *limits.Limiter
	kept    *kept.Answers
}

// Handlers gives what answers the paths below Root.
func Handlers(limiter *limits.Limiter, answers *kept.Answers) map[string]echo.HandlerFunc {
	h := handlers{limiter, answers}
	drilldown, aggregates := request.Parameter{Name: "drilldown", Separator: "|"}, request.Parameter{Name: "aggregates", Separator: "|"}
	fields, cut := request.Parameter{Name: "fields", Separator: ","}, request.Parameter{Name: "cut", Separator: "|"}
	order, format := request.Parameter{Name: "order", Separator: ","}, request.Parameter{Name: "format"}
	page, size := request.Parameter{Name: "page"}, request.Parameter{Name: "pagesize"}
	version := request.Parameter{Name: request.Pin.Name}
	return map[string]echo.HandlerFunc{
		"":                       h.dialect(home),
		"/cubes":                 h.dialect(h.cubes),
		"/cubes/:cube/model":     h.dialect(h.model, version),
		"/cubes/:cube/aggregate": h.dialect(h.aggregate, drilldown, cut, aggregates, order, page, size, format, version),
		// Dashboards send drilldown and aggregates along, which say nothing about facts.
		"/cubes/:cube/facts":          h.dialect(h.facts, fields, cut, order, page, size, version, drilldown, aggregates, format),
		"/cubes/:cube/members/:level": h.dialect(h.members, cut, order, page, size, version),
		"/info/:cube/package":         h.dialect(h.descriptor, version),
		"/search/package":             h.dialect(h.search, searchParameters...),
		"/package/stats":              h.dialect(h.stats),
		"/user/check":                 h.dialect(userCheck, request.Parameter{Name: "next"}, request.Parameter{Name: "jwt"}),
		"/user/lib":                   userScript,
	}
}

// call is a request of a dashboard.
type call struct {
	echo.Context
	given   map[string]string
	ignored []cube.Warning // of the parameters that there are not
}

// dialect makes a handler of what answers with JSON; nil says that it has answered already.
func (h handlers) dialect(answer func(call) ([]byte, error), known ...request.Parameter) echo.HandlerFunc {
	known = append(known, request.Parameter{Name: "callback"})
	return func(c echo.Context) error {
		given, ignored := readLeniently(c.Request().URL.RawQuery, known)
		callback, scripted := given["callback"]
		if scripted && !callbackName.MatchString(callback) {
			return request.Mistake(cube.CodeBadValue, "callback", strconv.Quote(callback)+" is no name of a function",
				"it has letters, digits, _, $ and points, and no digit or point in front")
		}
		body, err := answer(call{c, given, ignored})
		switch {
		case err != nil && scripted:
			return &reply.Scripted{Callback: callback, Mistake: err}
		case err != nil || body == nil:
			return err
		case scripted:
			return reply.SendScript(c, http.StatusOK, callback, body)
		}
		return h.kept.Send(c, kept.Answer{Body: body})
	}
}

var callbackName = regexp.MustCompile(`^[A-Za-z_$][\w$.]*$`)

// readLeniently reads the parameters that are known, and warns of the others. Those that are given once count the
// first time.
func readLeniently(raw string, known []request.Parameter) (given map[string]string, ignored []cube.Warning) {
	given, ignored = map[string]string{}, []cube.Warning{}
	for piece := range strings.SplitSeq(raw, "&") {
		name, text, _ := strings.Cut(piece, "=")
		name = request.Unescape(name)
		if name == "page_size" {
			name = "pagesize"
		}
		i := slices.IndexFunc(known, func(p request.Parameter) bool { return p.Name == name })
		switch {
		case piece == "" || strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "_"):
		case i >= 0:
			before, again := given[name]
			if separator := known[i].Separator; !again {
				given[name] = request.Unescape(text)
			} else if separator != "" {
				given[name] = before + separator + request.Unescape(text)
			}
		default:
			ignored = append(ignored, cube.Warning{Code: "parameter-ignored", Weight: cube.Note, Message: "there is no parameter " + strconv.Quote(name)})
		}
	}
	return given, ignored
}

// source says where an answer is from; it is ours.
type source struct {
	Cube      string `json:"cube"`
	Title     string `json:"title,omitempty"`
	Publisher string `json:"publisher,omitempty"`
	Version   int    `json:"version"`
	Synthetic bool   `json:"synthetic"`
	Link      string `json:"link"` // to our own route, pinned to the version
}

func sourceOf(cb *cube.Cube, link string) source {
	return source{cb.Name, cb.Title, cb.Publisher, cb.Version, cb.Synthetic, link}
}

func home(c call) ([]byte, error) {
	return encode.Marshal(struct {
		Status        string `json:"status"`
		API           string `json:"api"`
		Message       string `json:"message"`
		CubesIndexURL string `json:"cubes_index_url"`
		Version       string `json:"version"`
	}{
		"ok", "babbage", "fiscube answers here as Babbage does; its own routes begin with /cubes",
		request.Base(c) + Root + "/cubes/", dialectVersion,
	}), nil
}

func (h handlers) cubes(c call) ([]byte, error) {
	type named struct {
		Name string `json:"name"`
	}
	catalog, err := h.limiter.Catalog(c.Request().Context())
	if err != nil {
		return nil, err
	}
	list := each.Of(catalog.Served(), func(cb *cube.Cube) named { return named{cb.Name} })
	return encode.Marshal(struct {
		Status string  `json:"status"`
		Data   []named `json:"data"`
	}{"ok", list}), nil
}

// cube gives the cube that the path names. OpenSpending writes its owner before it, which says nothing here: owner:name.
func (h handlers) cube(c call) (*cube.Cube, error) {
	path := request.Path(c, "cube")
	cb, err := request.Cube(c, h.limiter, path, c.given)
	_, name, owned := strings.Cut(path, ":")
	if owned && cube.CodeOf(err) == cube.CodeUnknownCube {
		if without, known := request.Cube(c, h.limiter, name, c.given); known == nil {
			return without, nil
		}
	}
	return cb, err
}

func (h handlers) model(c call) ([]byte, error) {
	cb, err := h.cube(c)
	if err != nil {
		return nil, err
	}
	if reply.Unchanged(c, encode.FormatJSON.Media, cb.Key()) {
		return nil, reply.SendNotModified(c)
	}
	report, err := findings.Of(cb)
	if err != nil {
		return nil, err
	}
	return encode.Marshal(struct {
		Status string `json:"status"`
		Name   string `json:"name"`
		Model  *Model `json:"model"`
	}{"ok", cb.Name, NewModel(cb, report)}), nil
}

func (h handlers) descriptor(c call) ([]byte, error) {
	cb, err := h.cube(c)
	if err != nil {
		return nil, err
	}
	if reply.Unchanged(c, encode.FormatJSON.Media, cb.Key()) {
		return nil, reply.SendNotModified(c)
	}
	return Package(cb, origin(c, cb))
}

// origin is where the descriptor of a cube is published.
func origin(c call, cb *cube.Cube) string {
	return request.Base(c) + "/cubes/" + url.PathEscape(cb.Name) + "/datapackage.json"
}

// userCheck says who looks at a viewer, which asks it with cookies: then a browser takes no answer that is for
// every site. There are none of ours, and the answer is the same to all.
func userCheck(c call) ([]byte, error) {
	if origin := c.Request().Header.Get(echo.HeaderOrigin); origin != "" {
		header := c.Response().Header()
		header.Add(echo.HeaderVary, echo.HeaderOrigin)
		header.Set(echo.HeaderAccessControlAllowOrigin, origin)
		header.Set(echo.HeaderAccessControlAllowCredentials, "true")
	}
	return encode.Marshal(Nobody()), nil
}

func userScript(c echo.Context) error {
	return reply.Send(c, http.StatusOK, echo.MIMEApplicationJavaScript, UserScript)
}

// What the answers with pages have in common: how they are asked for, and what they end with.

// readAndBind reads a question in the names of the cube that a dashboard asks, and binds it. The plan is nil where it has been
// answered already: what the dashboard has is unchanged.
func readAndBind[Q, P any](
	h handlers, c call, t *limits.Timing, read func(*Names) (Q, error), bind func(*cube.Cube, Q) (*P, error),
) (question Q, p *P, err error) {
	cb, err := h.cube(c)
	if err != nil {
		return question, nil, err
	}
	if question, err = read(NewNames(cb.Model)); err != nil {
		return question, nil, err
	}
	t.Done(limits.StageParse)
	if p, err = bind(cb, question); err != nil {
		return question, nil, err
	}
	t.Done(limits.StagePlan)
	if reply.Unchanged(c, encode.FormatJSON.Media, cb.Key()) {
		return question, nil, reply.SendNotModified(c)
	}
	return question, p, nil
}

// answerEnd is the end of an answer with pages.
type answerEnd struct {
	Page       int            `json:"page"`
	PageSize   int            `json:"page_size"`
	TotalPages int64          `json:"total_pages"`
	Links      pageLinks      `json:"links"`
	Warnings   []cube.Warning `json:"warnings"`
	Source     source         `json:"source"`
	Status     string         `json:"status"`
}

// end makes the end of an answer with so many rows on all pages, whose path among our own routes is given.
func (h handlers) end(
	c call, cb *cube.Cube, path string, page query.Page, rows int64, warnings []cube.Warning,
) answerEnd {
	end := answerEnd{
		Page: page.Number, PageSize: page.Size, Warnings: append(c.ignored, warnings...), Status: "ok",
		Source: sourceOf(cb, request.Base(c)+path),
	}
	if page.Size == 0 {
		return end
	}
	size, number := int64(page.Size), int64(page.Number)
	end.TotalPages = (rows + size - 1) / size
	link := func(to int64) string {
		if to < 1 || to > end.TotalPages {
			return ""
		}
		return reply.Reference(c.Request().URL, [2]string{"page", strconv.FormatInt(to, 10)}, [2]string{request.Pin.Name, strconv.Itoa(cb.Version)})
	}
	end.Links = pageLinks{First: link(1), Prev: link(min(number-1, end.TotalPages)), Next: link(number + 1), Last: link(end.TotalPages)}
	return end
}

// pageLinks lead to other pages of the same answer; they are relative, so that they hold below any path.
type pageLinks struct {
	First string `json:"first,omitempty"`
	Prev  string `json:"prev,omitempty"`
	Next  string `json:"next,omitempty"`
	Last  string `json:"last,omitempty"`
}

// searchParameters are what a viewer looks for packages by. The rest of what it sends is about users, whom there
// are none of.
var searchParameters = []request.Parameter{
	{Name: "id"}, {Name: "package.name"}, {Name: "package.title"}, {Name: "package.owner"}, {Name: "package.author"},
	{Name: "q"}, {Name: "size"}, {Name: "jwt"},
}

// search lists the packages that have all of the values, and say all of the words of q; the first of them where
// a size is given.
func (h handlers) search(c call) ([]byte, error) {
	catalog, err := h.limiter.Catalog(c.Request().Context())
	if err != nil {
		return nil, err
	}
	hits := []Entry{}
	for _, cb := range catalog.Served() {
		entry, err := NewEntry(cb, origin(c, cb))
		if err != nil {
			return nil, err
		}
		if entry.Matches(c.given) && mentions(entry.Package, Unquoted(c.given["q"])) {
			hits = append(hits, entry)
		}
	}
	if size, err := strconv.Atoi(Unquoted(c.given["size"])); err == nil {
		hits = hits[:min(max(size, 0), len(hits))]
	}
	return encode.Marshal(hits), nil
}

// stats counts what is served, for the start page of a viewer.
func (h handlers) stats(c call) ([]byte, error) {
	catalog, err := h.limiter.Catalog(c.Request().Context())
	if err != nil {
		return nil, err
	}
	var stats struct {
		Packages  int   `json:"num_packages"`
		Countries int   `json:"num_countries"`
		Records   int64 `json:"num_records"`
	}
	countries := map[string]bool{}
	for _, cb := range catalog.Served() {
		stats.Packages++
		stats.Records += cb.Rows
		if cb.Country != "" {
			countries[cb.Country] = true
		}
	}
	stats.Countries = len(countries)
	return encode.Marshal(stats), nil
}

// mentions reports whether a package says all words of a text, in any order, without regard to case and accents.
func mentions(p EntryPackage, text string) bool {
	said := fold.Text(strings.Join([]string{p.Name, p.Title, p.Description, p.Owner, p.Author}, " "))
	for word := range strings.FieldsSeq(fold.Text(text)) {
		if !strings.Contains(said, word) {
			return false
		}
	}
	return true
}
