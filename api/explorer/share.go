package explorer

import (
	"cmp"
	"html"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/query"
)

// embedPolicy lets any page frame a figure, which uses the style sheet alone.
const embedPolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors *"

// The size of a frame with a figure.
const (
	frameWidth  = 800
	frameHeight = 640
)

// sharing is how a view is shown elsewhere. Its addresses are whole.
type sharing struct {
	Frame          string // HTML to copy
	SVG, PNG, Page string
	OEmbed         string
	Title, About   string
}

// shared gives the addresses of a view for other pages.
func (w *view) shared() *sharing { return w.sharing(w.cb, w.a, w.headingOf(w.pictured()), w.unit()) }

// sharing gives the addresses of a page about a cube for other pages.
func (v *visit) sharing(cb *cube.Cube, a address, title, about string) *sharing {
	base := request.Base(v.Context)
	a.root, a.lang = base+"/", string(v.Language)
	name := url.PathEscape(cb.Name)
	width := strconv.Itoa(pictureWidth)
	s := &sharing{
		Title: title, About: about, Page: a.String(),
		SVG: a.at("explore/"+name+".svg").plus("_w", width), PNG: a.at("explore/"+name+".png").plus("_w", width),
	}
	s.Frame = frameOf(a.at("embed/"+name).String(), s.Title, frameWidth, frameHeight)
	s.OEmbed = base + "/oembed?url=" + url.QueryEscape(s.Page)
	return s
}

// frameOf is the HTML by which a page shows another one.
func frameOf(address, title string, width, height int) string {
	return `<iframe src="` + html.EscapeString(address) + `" title="` + html.EscapeString(title) + `" width="` + strconv.Itoa(width) +
		`" height="` + strconv.Itoa(height) + `" loading="lazy"></iframe>`
}

// embedPage is a figure with its caption alone.
type embedPage struct {
	reader
	Title, Unit, Source, Link string
	Small, Large              template.HTML
	Refused                   string
}

// embed shows the figure of a view to readers of other pages. Its links lead out of their frame.
func (p *Pages) embed(v *visit) (*frame, error) {
	cb, err := p.cubeOf(v)
	if err != nil {
		return nil, err
	}
	a, err := v.asked(cb)
	if err != nil {
		return nil, err
	}
	w, err := p.view(v, cb, a)
	if err != nil {
		return nil, err
	}
	kind := w.pictured()
	w.a.view = kind
	made, err := p.figure(w)
	if err != nil {
		return nil, err
	}
	main := embedPage{
		reader: v.reader, Title: w.headingOf(kind), Unit: w.unit(), Source: w.source(), Link: a.String(),
		Small: made.Small, Large: made.Large, Refused: made.Refused,
	}
	f := v.frame("embed", main.Title, main)
	f.MadeUp = cb.Synthetic
	return f, nil
}

// embedding is an answer of the kind rich (oembed.com).
type embedding struct {
	Type            string `json:"type"`
	Version         string `json:"version"`
	Title           string `json:"title"`
	Provider        string `json:"provider_name"`
	ProviderAddress string `json:"provider_url"`
	HTML            string `json:"html"`
	Width           int    `json:"width"`
	Height          int    `json:"height"`
}

// oembedParameters are those of oEmbed.
var oembedParameters = []request.Parameter{
	{Name: "url", Twice: cube.CodeBadValue}, {Name: "maxwidth", Twice: cube.CodeBadValue}, {Name: "maxheight", Twice: cube.CodeBadValue},
	{Name: "format", Twice: cube.CodeBadValue},
}

// oembed says how other pages show a view, by its address.
func (p *Pages) oembed(c echo.Context) error {
	given, err := request.Read(c.Request().URL.RawQuery, oembedParameters)
	if err != nil {
		return err
	}
	if format, ok := given["format"]; ok && format != "json" {
		return request.Mistake(cube.CodeBadValue, "format", "format is "+strconv.Quote(cube.Clip(format)), "the only format is json")
	}
	base := request.Base(c)
	rest, ok := strings.CutPrefix(given["url"], base+"/")
	name, question, _ := strings.Cut(rest, "?")
	question, _, _ = strings.Cut(question, "#")
	folder, name, _ := strings.Cut(strings.TrimSuffix(name, "/"), "/")
	if name, err = url.PathUnescape(name); err != nil || !ok || folder != "explore" && folder != "embed" {
		return echo.ErrNotFound
	}
	catalog, err := p.limiter.Catalog(c.Request().Context())
	if err != nil {
		return err
	}
	cb, err := catalog.Cube(name)
	if err != nil {
		return err
	}
	address := base + "/embed/" + url.PathEscape(name)
	if question != "" {
		address += "?" + question
	}
	lang, err := query.ParseLanguage(parameterIn(question, "lang"))
	if err != nil {
		lang = cube.English // also without any
	}
	width, height := atMost(frameWidth, given["maxwidth"]), atMost(frameHeight, given["maxheight"])
	made := embedding{
		Type: "rich", Version: "1.0", Title: cmp.Or(cb.TitleIn(lang), cb.Name), Provider: "fiscube", ProviderAddress: base + "/", Width: width, Height: height,
	}
	made.HTML = frameOf(address, made.Title, width, height)
	return reply.SendJSON(c, http.StatusOK, made)
}

// atMost is a size, or a smaller one that is wanted.
func atMost(size int, wanted string) int {
	if most, err := strconv.Atoi(wanted); err == nil && most > 0 && most < size {
		return most
	}
	return size
}
