package explorer

import (
	"cmp"
	"html"
	"html/template"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/tidy"
)

// The size of a frame with a figure: how high it is where the figure is not drawn, how wide its edges are, and by how much the texts
// around it are higher than in a picture, in percent.
const (
	frameWidth  = 800
	frameHeight = 640
	frameEdges  = 24
	frameTexts  = 115
)

// sharing is how a view is shown elsewhere. Its addresses are whole.
type sharing struct {
	Frame          string // HTML to copy; "" where there is no figure
	SVG, PNG, Page string
	OEmbed         string
	Title, About   string
}

// shared gives the addresses of a view for other pages.
func (w *view) shared() *sharing { return w.sharing(w.cb, w.a, w.headingOf(w.pictured()), w.unit()) }

// sharedNumber gives the addresses of the page of a number for other pages, which show it over the years.
func (w *view) sharedNumber(page *numberPage) *sharing {
	s := w.shared()
	a := w.a.At(w.a.Path + "/number")
	a.Root, a.Lang = request.Base(w.Context)+"/", string(w.Language)
	s.Title, s.Page = w.title, a.String()
	if page.Exact != "" {
		s.About += ": " + page.InWords + ", " + w.Say("view.exactly") + " " + page.Exact
	}
	return s
}

// sharing gives the addresses of a page about a cube for other pages.
func (v *visit) sharing(cb *cube.Cube, a site.Address, title, about string) *sharing {
	base := request.Base(v.Context)
	a.Root, a.Lang = base+"/", string(v.Language)
	name := url.PathEscape(cb.Name)
	width := strconv.Itoa(pictureWidth)
	s := &sharing{
		Title: title, About: about, Page: a.String(),
		SVG: a.At("explore/"+name+".svg").Plus("_w", width), PNG: a.At("explore/"+name+".png").Plus("_w", width),
	}
	s.OEmbed = base + "/oembed?url=" + url.QueryEscape(s.Page)
	return s
}

// snippet is the HTML by which another page shows the figure of a view as high as it is, with its warnings and its source; "" where there
// is none. The figure is that which the view shows, unless it shows a table.
func (w *view) snippet(shown *figure) (string, error) {
	if shown == nil {
		var err error
		if shown, err = w.figureOf(w.pictured()); err != nil {
			return "", err
		}
	}
	if shown.Refused != "" {
		return "", nil
	}
	a := w.a.At("embed/" + url.PathEscape(w.cb.Name))
	a.Root, a.Lang = request.Base(w.Context)+"/", string(w.Language)
	texts := shown.drawn.WithCaption(w.caption()).Height() - shown.drawn.Height()
	height := shown.drawn.Height()*(frameWidth-frameEdges)/largeWidth + texts*frameTexts/100
	return frameOf(a.String(), w.headingOf(w.pictured()), frameWidth, height), nil
}

// frameOf is the HTML by which a page shows another one.
func frameOf(address, title string, width, height int) string {
	return `<iframe src="` + html.EscapeString(address) + `" title="` + html.EscapeString(title) + `" width="` + strconv.Itoa(width) +
		`" height="` + strconv.Itoa(height) + `" loading="lazy"></iframe>`
}

// embedPage is a figure with its caption alone.
type embedPage struct {
	site.Reader
	Title, Unit, Source, Link string
	Small, Large              template.HTML
	Refused                   string
	MadeUp                    bool
	Cautions                  []string
}

// showEmbed shows the figure of a view to readers of other pages. Its links lead out of their frame.
func showEmbed(v *visit) (*site.Frame, error) {
	cb, err := v.Cube()
	if err != nil {
		return nil, err
	}
	a, err := v.asked(cb)
	if err != nil {
		return nil, err
	}
	w, err := v.view(cb, a)
	if err != nil {
		return nil, err
	}
	kind := w.pictured()
	w.a.View = kind
	made, err := w.figure()
	if err != nil {
		return nil, err
	}
	main := embedPage{
		Reader: v.Reader, Title: w.headingOf(kind), Unit: w.unit(), Source: w.source(), Link: a.String(),
		Small: made.Small, Large: made.Large, Refused: made.Refused, MadeUp: cb.Synthetic, Cautions: w.cautions(),
	}
	return v.Frame(embedTemplate, main.Title, main), nil
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
func oembed(limiter *limits.Limiter) echo.HandlerFunc {
	return func(c echo.Context) error {
		given, err := request.Read(c.Request().URL.RawQuery, oembedParameters)
		if err != nil {
			return err
		}
		if format, ok := given["format"]; ok && format != "json" {
			return request.Mistake(cube.CodeBadValue, "format", "format is "+strconv.Quote(query.Clip(format)), "the only format is json")
		}
		base := request.Base(c)
		rest, ok := strings.CutPrefix(given["url"], base+"/")
		name, question, _ := strings.Cut(rest, "?")
		question, _, _ = strings.Cut(question, "#")
		folder, name, _ := strings.Cut(strings.TrimSuffix(name, "/"), "/")
		if name, err = url.PathUnescape(name); err != nil || !ok || folder != "explore" && folder != "embed" {
			return echo.ErrNotFound
		}
		catalog, err := limiter.Catalog(c.Request().Context())
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
		lang, err := query.ParseLanguage(site.ParameterIn(question, "lang"))
		if err != nil {
			lang = cube.English // also without any
		}
		width, height := atMost(frameWidth, given["maxwidth"]), atMost(frameHeight, given["maxheight"])
		made := embedding{
			Type: "rich", Version: "1.0", Title: tidy.Visible(cmp.Or(cb.TitleIn(lang), cb.Name)), Provider: "fiscube", ProviderAddress: base + "/", Width: width, Height: height,
		}
		made.HTML = frameOf(address, made.Title, width, height)
		return reply.SendJSON(c, http.StatusOK, made)
	}
}

// atMost is a size, or a smaller one that is wanted.
func atMost(size int, wanted string) int {
	if most, err := strconv.Atoi(wanted); err == nil && most > 0 && most < size {
		return most
	}
	return size
}

// pictureWidth is how wide a picture is in pixels unless _w says so, as the previews of links are.
const pictureWidth = 1200

// bytesOfDot is what a dot of an image takes while it is drawn.
const bytesOfDot = 4

// pictureMargin is what a caption adds to the width of a figure.
const pictureMargin = 32

// pictures are the formats of figures as files, by the end of their names.
var pictures = map[string]struct {
	media string
	write func(chart.Figure, io.Writer) error
}{
	".svg": {"image/svg+xml", chart.Figure.SVG},
	".png": {"image/png", func(f chart.Figure, w io.Writer) error { return f.PNG(w, 1) }},
}

// named gives the cube that the path names and, if its end asks for a picture, this end.
func (v *visit) named() (cb *cube.Cube, end string, err error) {
	name := request.Path(v.Context, "cube")
	cb, err = request.Cube(v.Context, v.Limiter, name, v.Given)
	if end = path.Ext(name); cube.CodeOf(err) != cube.CodeUnknownCube || pictures[end].media == "" {
		return cb, "", err
	}
	cb, err = request.Cube(v.Context, v.Limiter, strings.TrimSuffix(name, end), v.Given)
	return cb, end, err
}

// picture sends the figure of a view as a file that can be alone: with its title, what it counts, its source, and whether the
// numbers are made up. Its links are whole.
func (v *visit) picture(cb *cube.Cube, a site.Address, end string) error {
	v.Root = request.Base(v.Context) + "/"
	a.Root = v.Root
	w, err := v.view(cb, a)
	if err != nil {
		return err
	}
	drawn, err := w.drawing(w.pictured())
	if err != nil {
		return err
	}
	width, err := strconv.Atoi(v.PageParameter("_w"))
	if err != nil {
		width = pictureWidth
	}
	made, refused := drawn.draw(width - pictureMargin)
	if refused != nil {
		made = chart.Sentence(chart.Frame{Width: width - pictureMargin, Title: w.headingOf(w.pictured())}, refused.text)
	}
	ctx := v.Request().Context()
	if end == ".png" {
		if err := limits.Hold(ctx, bytesOfDot*int64(made.Width())*int64(made.Height())); err != nil {
			return err
		}
	}
	body := limits.NewBuffer(ctx)
	if err := pictures[end].write(made.WithCaption(w.caption()), body); err != nil {
		return err
	}
	if reply.Unchanged(v.Context, pictures[end].media, body.String()) {
		return reply.SendNotModified(v.Context)
	}
	v.Response().Header().Set(echo.HeaderContentDisposition, mime.FormatMediaType("inline", map[string]string{"filename": w.pictureName() + end}))
	return reply.Send(v.Context, http.StatusOK, pictures[end].media, body.Bytes())
}

// pictureName names the file of a figure after its question, as other files are.
func (w *view) pictureName() string {
	asked := append(w.a.Query.Clauses(), [2]string{"_view", w.pictured()})
	return encode.FileName(w.cb, append([]string{w.pictured()}, encode.PlanWords(w.answer.Plan, asked[:len(asked)-1])...), asked)
}

// caption says what a figure needs where no page is around it. It is found at this version of the view, at the view, or at least in the budget.
func (w *view) caption() chart.Caption {
	c := chart.Caption{Subtitle: w.unit(), Source: w.source()}
	a := w.a
	a.Lang = ""
	pinned, whole := a, w.Explore(w.cb)
	pinned.Version, whole.Lang = strconv.Itoa(w.cb.Version), ""
	for _, found := range []site.Address{pinned, a, whole} {
		c.Links = append(c.Links, strings.TrimPrefix(found.String(), "https://"))
	}
	if w.cb.Synthetic {
		c.Notices = []string{w.Say("page.made-up")}
	}
	c.Notices = append(c.Notices, w.cautions()...)
	return c
}

// source names who published the numbers, the cube with its version, and whose prices and inhabitants are used.
func (w *view) source() string {
	names := slices.DeleteFunc([]string{w.cb.Publisher, w.TitleOfCube(w.cb)}, func(s string) bool { return s == "" })
	published := w.Say("figure.source", "Source", strings.Join(slices.Compact(names), ", ")) + " (" + strings.ToLower(w.Say("number.version")) + " " + strconv.Itoa(w.cb.Version) + ")"
	return strings.Join(append([]string{published}, prose.SeriesUsed(w.answer.Plan, w.Locale)...), "; ")
}

// adjusted is the source of amounts in real terms or per head; "" of others, which are those of the budget alone.
func (w *view) adjusted() string {
	if len(w.answer.Plan.Series()) == 0 {
		return ""
	}
	return w.source()
}
