package chart

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Figure is a drawing: shapes in pixels, in colours that have a meaning and another value in a dark scheme.
type Figure struct {
	title, desc   string
	width, height float64
	zoom          float64 // how many pixels of a file its pixels are; 0: 1
	shapes        []shape
	Unnamed       []Part // that have no room for their whole names
}

// Width is how wide the figure is, in pixels.
func (f Figure) Width() int { return int(math.Round(f.width * f.scale())) }

// Height is how high the figure is, in pixels.
func (f Figure) Height() int { return int(math.Round(f.height * f.scale())) }

// Zoomed is the figure with all of it so much larger.
func (f Figure) Zoomed(zoom float64) Figure {
	f.zoom = zoom
	return f
}

func (f Figure) scale() float64 { return cmp.Or(f.zoom, 1) }

// shape is a rectangle, a path, a text or a mark.
type shape interface{ isShape() }

type rect struct {
	x, y, w, h float64
	paint
}

// path is a line or an area: curves from point to point.
type path struct {
	curves []curve
	closed bool
	paint
}

// curve leads to a point, on a straight line or on a cubic curve with two control points.
type curve struct {
	straight   bool
	c1, c2, to point
}

type point struct{ x, y float64 }

type text struct {
	x, y   float64 // of the base line
	size   float64
	bold   bool
	anchor anchor
	ink    colour
	s      string
}

// lines are the lines of a text, below each other.
func (t text) lines(list []string) (shapes []shape) {
	for i, s := range list {
		line := t
		line.s, line.y = s, t.y+float64(i)*lineStep
		shapes = append(shapes, line)
	}
	return shapes
}

// mark is what a part looks like: a link, if it leads somewhere, with the text that tells of it.
type mark struct {
	href, title string
	shapes      []shape
}

func (rect) isShape() {}
func (path) isShape() {}
func (text) isShape() {}
func (mark) isShape() {}

// paint says how a shape looks. A colour that is empty paints nothing.
type paint struct {
	fill, stroke colour
	width        float64 // of the stroke
	dash         float64 // the length of its dashes and of the gaps between them; 0: none
	faint        bool    // what is under it is seen through it
}

const faintness = 0.45

type anchor string

const (
	start  anchor = ""
	middle anchor = "middle"
	end    anchor = "end"
)

// polyline is a path of straight lines.
func polyline(p paint, closed bool, points ...point) path {
	line := path{paint: p, closed: closed}
	for _, to := range points {
		line.curves = append(line.curves, curve{straight: true, to: to})
	}
	return line
}

// mark is what a part looks like. It always has a name for screen readers.
func (p Part) mark(shapes ...shape) mark {
	title := p.Title
	if title == "" {
		title = strings.TrimSpace(p.Label + " " + p.Amount + " " + p.Share)
	}
	return mark{href: p.Href, title: title, shapes: shapes}
}

// Caption is what a picture says beside its figure, since it stands alone.
type Caption struct {
	Title    string   // in the place of that of the figure; "" for that
	Subtitle string   // below the title
	Source   string   // who published the numbers
	Links    []string // where they are found, the most telling first: one that fits into two lines is printed
	Notices  []string // what nobody may overlook, such as that the figures are made up
	Told     string   // what the figure has no room for
	Height   int      // of the picture, at least
}

// HeightOf is how high a picture is beside its figure of a width.
func (c Caption) HeightOf(width int) int {
	c.Height = 0
	return int(math.Ceil(Figure{width: float64(width)}.WithCaption(c).height))
}

const margin = 16

// Margins is by how much a picture is wider than its figure.
const Margins = 2 * margin

// mostCaptionLines is how many lines a text of a caption has at most: more than any needs, since no warning and no source may be cut.
const mostCaptionLines = 40

// WithCaption is the figure with its title and a caption, for pictures. Within a page these are text of the page.
func (f Figure) WithCaption(c Caption) Figure {
	width := f.width + Margins
	var shapes []shape
	y := float64(margin)
	write := func(s string, indent, size float64, bold bool, ink colour) {
		for _, line := range wrap(s, size, bold, f.width-2*indent, mostCaptionLines) {
			y += size * 1.3
			shapes = append(shapes, text{x: margin + indent, y: y - size*0.3, size: size, bold: bold, ink: ink, s: line})
		}
	}
	title, size := cmp.Or(c.Title, f.title), 20.0
	if f.width < 560 || isCut(title, wrap(title, size, true, f.width, mostLines)) {
		size = 16
	}
	write(title, 0, size, true, inkText)
	write(c.Subtitle, 0, 13, false, inkSoft)
	y += 12
	shapes = append(shapes, moved(f.shapes, margin, y)...)
	y += f.height + 10
	above := len(shapes)
	write(c.Told, 0, 12, false, inkSoft)
	if len(c.Notices) > 0 {
		under, top := len(shapes), y
		shapes = append(shapes, nil)
		y += 6
		for _, notice := range c.Notices {
			write(notice, 8, 13, true, onNotice)
		}
		y += 6
		shapes[under] = rect{x: margin, y: top, w: f.width, h: y - top, paint: paint{fill: fillNotice}}
		y += 4
	}
	write(c.Source, 0, 12, false, inkSoft)
	fits := func(link string) bool { return !isCut(link, wrap(link, 12, false, f.width, mostLines)) }
	if i := slices.IndexFunc(c.Links, fits); i >= 0 {
		write(c.Links[i], 0, 12, false, inkSoft)
	}
	height := max(y+margin, float64(c.Height))
	shapes = append(shapes[:above:above], moved(shapes[above:], 0, height-y-margin)...) // they stand at the foot
	return Figure{title: f.title, desc: f.desc, width: width, height: height, shapes: shapes}
}

// moved is shapes in another position.
func moved(shapes []shape, dx, dy float64) []shape {
	list := make([]shape, 0, len(shapes))
	for _, s := range shapes {
		switch s := s.(type) {
		case rect:
			s.x, s.y = s.x+dx, s.y+dy
			list = append(list, s)
		case text:
			s.x, s.y = s.x+dx, s.y+dy
			list = append(list, s)
		case path:
			curves := make([]curve, len(s.curves))
			for i, c := range s.curves {
				curves[i] = curve{c.straight, c.c1.plus(dx, dy), c.c2.plus(dx, dy), c.to.plus(dx, dy)}
			}
			s.curves = curves
			list = append(list, s)
		case mark:
			s.shapes = moved(s.shapes, dx, dy)
			list = append(list, s)
		}
	}
	return list
}

func (p point) plus(dx, dy float64) point { return point{p.x + dx, p.y + dy} }
