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
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"fiscube/api/encode"
	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/figures"
	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/reading"
	"fiscube/api/explorer/selection"
	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
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
	Frame        string // HTML to copy; "" where there is no figure
	Pictures     []site.Choice
	Image, Page  string // Image is the first picture
	OEmbed       string
	Title, About string
}

// sharing gives the addresses of a page about a cube for other pages.
func (v *visit) sharing(cb *cube.Cube, a site.Address, title, about string) *sharing {
	a = v.whole(a)
	s := &sharing{Title: title, About: about, Page: a.String()}
	for _, file := range []struct{ end, size, field, value string }{
		{".png", "wide", "", ""}, {".png", "square", "_size", "square"}, {".png", "double", "_w", strconv.Itoa(2 * pictureWidth)}, {".svg", "wide", "", ""},
	} {
		link := a.At("explore/" + url.PathEscape(cb.Name) + file.end)
		to := link.String()
		if file.field != "" {
			to = link.Plus(file.field, file.value)
		}
		s.Pictures = append(s.Pictures, site.Choice{Text: strings.ToUpper(file.end[1:]) + ", " + v.Say("figure.size-"+file.size), Link: to})
	}
	s.Image = s.Pictures[0].Link
	s.OEmbed = v.Base + "/oembed?url=" + url.QueryEscape(s.Page)
	return s
}

// whole leads to a page from anywhere, in the language in which this one is read.
func (v *visit) whole(a site.Address) site.Address {
	a.Root, a.Lang = v.Base+"/", string(v.Language)
	return a
}

// share gives the addresses of a view for other pages, and the HTML by which they show its figure as high as it is, with its warnings and its
// source: none where there is no figure. A total that cannot be trusted is not shared.
func (v *visit) share(w *viewAsked, said layers.Sentence, shown *figures.Shown) *sharing {
	if !w.IsShared() {
		return nil
	}
	of := w.Reading
	if w.isShownDivided() {
		divided := w.areas.Page.Address
		divided.View = selection.AsTreemap
		of = w.areas.Page.Elsewhere(divided)
	}
	s := v.sharing(w.Cube, of.Address, of.HeadingOf(of.Pictured()), said.Text())
	s.Page = v.whole(w.Address).String()
	s.OEmbed = v.Base + "/oembed?url=" + url.QueryEscape(s.Page)
	if shown.Refused != "" {
		return s
	}
	a := v.whole(of.Address.At("embed/" + url.PathEscape(w.Cube.Name)))
	caption := captionOf(of)
	caption.Told = shown.Unnamed
	texts := caption.HeightOf(figures.LargeWidth)
	height := shown.Drawn.Height()*(frameWidth-frameEdges)/figures.LargeWidth + texts*frameTexts/100
	s.Frame = frameOf(a.String(), of.HeadingOf(of.Pictured()), frameWidth, height)
	return s
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
	Refused, Unnamed          string
	MadeUp                    bool
	Cautions                  []string
}

// showEmbed shows the figure of a view to readers of other pages. Its links lead out of their frame.
func showEmbed(v *visit) (*site.Frame, error) {
	cb, err := v.Cube()
	if err != nil {
		return nil, err
	}
	a, err := v.Address(cb)
	if err != nil {
		return nil, err
	}
	r, drawing, err := v.drawn(cb, a)
	if err != nil {
		return nil, err
	}
	made := drawing.InPage()
	main := embedPage{
		Reader: v.Reader, Source: r.Source(), Link: a.String(), Small: made.Small, Large: made.Large, Refused: made.Refused, Unnamed: made.Unnamed, MadeUp: cb.Synthetic,
		Cautions: reading.Cautions(r),
	}
	main.Title, main.Unit = titledAlone(r)
	return v.Frame(embedTemplate, r.HeadingOf(r.Pictured()), main), nil
}

// drawn answers an address, and draws the figure that stands for it elsewhere.
func (v *visit) drawn(cb *cube.Cube, a site.Address) (*reading.Reading, figures.Drawing, error) {
	r, _, err := v.Read(cb, a)
	if err != nil {
		return nil, figures.Drawing{}, err
	}
	var asked figures.Asked
	err = v.Figure(&asked, r, r.Pictured())()
	return r, figures.Of(asked), err
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

// The size of a picture in pixels, as the previews of links have it, unless _w, _h and _size say another.
const (
	pictureWidth  = 1200
	pictureHeight = 675
	leastPicture  = 300
	mostPicture   = 2400
)

// pictureSize is the size that is asked for a picture.
func (v *visit) pictureSize() (width, height int) {
	given := func(name string, usual int) int {
		if size, err := strconv.Atoi(v.PageParameter(name)); err == nil {
			return min(max(size, leastPicture), mostPicture)
		}
		return usual
	}
	width = given("_w", pictureWidth)
	if height = width; v.PageParameter("_size") != "square" {
		height = width * pictureHeight / pictureWidth
	}
	return width, given("_h", height)
}

// bytesOfDot is what a dot of an image takes while it is drawn.
const bytesOfDot = 4

// pictures are the formats of figures as files, by the end of their names.
var pictures = map[string]struct {
	media string
	write func(chart.Figure, io.Writer) error
}{
	".svg": {"image/svg+xml", chart.Figure.SVG},
	".png": {"image/png", chart.Figure.PNG},
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
	v.Root = v.Base + "/"
	a.Root = v.Root
	r, drawing, err := v.drawn(cb, a)
	if err != nil {
		return err
	}
	width, height := v.pictureSize()
	made := drawing.Picture(captionOf(r), r.HeadingOf(r.Pictured()), width, height)
	ctx := v.Request().Context()
	if end == ".png" {
		if err := limits.Hold(ctx, bytesOfDot*int64(made.Width())*int64(made.Height())); err != nil {
			return err
		}
	}
	body := limits.NewBuffer(ctx)
	if err := pictures[end].write(made, body); err != nil {
		return err
	}
	if reply.Unchanged(v.Context, pictures[end].media, body.String()) {
		return reply.SendNotModified(v.Context)
	}
	v.Response().Header().Set(echo.HeaderContentDisposition, mime.FormatMediaType("inline", map[string]string{"filename": pictureName(r) + end}))
	return reply.Send(v.Context, http.StatusOK, pictures[end].media, body.Bytes())
}

// pictureName names the file of a figure after its question, as other files are.
func pictureName(r *reading.Reading) string {
	asked := append(r.Address.Query.Clauses(), [2]string{"_view", r.Pictured()})
	return encode.FileName(r.Cube, append([]string{r.Pictured()}, encode.PlanWords(r.Plan, asked[:len(asked)-1])...), asked)
}

// titledAlone is the title and the unit of a figure where no page is around it, whose note says which financing is left out.
func titledAlone(r *reading.Reading) (title, unit string) {
	title, unit = r.Titled(r.HeadingOf(r.Pictured()))
	if names := r.NamesOfFinancing(r.Cube.Financing); names != "" {
		unit += ", " + r.Say("view.without", "Filter", names)
	}
	return title, unit
}

// captionOf says what a figure needs where no page is around it. It is found at this version of the view, at the view, or at least in the budget.
func captionOf(r *reading.Reading) chart.Caption {
	c := chart.Caption{Source: r.Source()}
	c.Title, c.Subtitle = titledAlone(r)
	a := r.Address
	a.Lang = ""
	pinned, whole := a, r.Explore(r.Cube)
	pinned.Version, whole.Lang = strconv.Itoa(r.Cube.Version), ""
	for _, found := range []site.Address{pinned, a, whole} {
		c.Links = append(c.Links, strings.TrimPrefix(found.String(), "https://"))
	}
	if r.Cube.Synthetic {
		c.Notices = []string{r.Say("page.made-up")}
	}
	c.Notices = append(c.Notices, reading.Cautions(r)...)
	return c
}
