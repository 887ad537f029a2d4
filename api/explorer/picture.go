package explorer

import (
	"bytes"
	"cmp"
	"io"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/explorer/chart"
	"fiscube/api/reply"
	"fiscube/api/request"
	"fiscube/cube"
)

// pictureWidth is how wide a picture is in pixels unless _w says so, as the previews of links are.
const pictureWidth = 1200

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
func (p *Pages) named(v *visit) (cb *cube.Cube, end string, err error) {
	name := request.Path(v.Context, "cube")
	cb, err = request.Cube(v.Context, p.limiter, name, v.given)
	if end = path.Ext(name); cube.CodeOf(err) != cube.CodeUnknownCube || pictures[end].media == "" {
		return cb, "", err
	}
	cb, err = request.Cube(v.Context, p.limiter, strings.TrimSuffix(name, end), v.given)
	return cb, end, err
}

// picture sends the figure of a view as a file that can be alone: with its title, what it counts, its source, and whether the
// numbers are made up. Its links are whole.
func (p *Pages) picture(v *visit, cb *cube.Cube, a address, end string) error {
	v.root = request.Base(v.Context) + "/"
	a.root = v.root
	w, err := p.view(v, cb, a)
	if err != nil {
		return err
	}
	draw, err := p.drawing(w, w.pictured())
	if err != nil {
		return err
	}
	width, err := strconv.Atoi(v.pageParameter("_w"))
	if err != nil {
		width = pictureWidth
	}
	made, refused := draw(width - pictureMargin)
	if refused != nil {
		made = chart.Sentence(chart.Frame{Width: width - pictureMargin, Title: w.headingOf(w.pictured())}, refused.text)
	}
	var body bytes.Buffer
	if err := pictures[end].write(made.WithCaption(w.caption()), &body); err != nil {
		return err
	}
	if reply.Unchanged(v.Context, pictures[end].media, body.String()) {
		return reply.SendNotModified(v.Context)
	}
	return reply.Send(v.Context, http.StatusOK, pictures[end].media, body.Bytes())
}

// pictured is the figure of a picture: that of the view. A table is shown as bars or, where nothing is ranked, as a line.
func (w *view) pictured() string {
	switch kind := w.kind(); {
	case kind != asTable:
		return kind
	case len(w.drilled()) > 0 && !drillsTime(w.cb.Model, w.a.q):
		return asBars
	}
	return asLine
}

// caption says what a figure needs where no page is around it.
func (w *view) caption() chart.Caption {
	c := chart.Caption{Subtitle: w.unit(), Source: w.source() + " · " + strings.TrimPrefix(request.Base(w.Context), "https://") + "/explore/" + w.cb.Name}
	if w.cb.Synthetic {
		c.Notice = w.Words.MadeUp
	}
	return c
}

// source names who published the numbers, and the cube with its version.
func (w *view) source() string {
	names := slices.DeleteFunc([]string{w.cb.Publisher, w.titleOfCube(w.cb)}, func(s string) bool { return s == "" })
	return w.Fill(w.Words.Source, strings.Join(slices.Compact(names), ", ")) + " (" + strings.ToLower(w.Words.Version) + " " + strconv.Itoa(w.cb.Version) + ")"
}

// headingOf says what a figure is about: a line is of all years.
func (w *view) headingOf(kind string) string {
	title := w.title
	if year, ok := w.yearCut(); ok && kind == asLine {
		title = cmp.Or(strings.TrimSuffix(title, ", "+strconv.FormatInt(year, 10)), title)
	}
	return strings.TrimSuffix(title+" – "+w.subtitle(), " – ")
}
