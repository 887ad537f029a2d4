package chart

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/vector"
)

// PNG writes the figure as an image, as it is in a light scheme.
func (f Figure) PNG(w io.Writer) error {
	r := raster{dots: f.scale(), image: image.NewRGBA(image.Rect(0, 0, f.Width(), f.Height()))}
	draw.Draw(r.image, r.image.Bounds(), image.NewUniform(light[paper]), image.Point{}, draw.Src)
	r.draw(f.shapes)
	return png.Encode(w, r.image)
}

// raster draws shapes into an image.
type raster struct {
	dots  float64
	image *image.RGBA
}

func (r *raster) draw(shapes []shape) {
	for _, s := range shapes {
		switch s := s.(type) {
		case rect:
			r.path(polyline(s.paint, true, point{s.x, s.y}, point{s.x + s.w, s.y}, point{s.x + s.w, s.y + s.h}, point{s.x, s.y + s.h}))
		case path:
			r.path(s)
		case text:
			r.text(s)
		case mark:
			r.draw(s.shapes)
		}
	}
}

func (r *raster) path(p path) {
	line := r.flatten(p)
	if p.fill != "" {
		ink := light[p.fill]
		if p.faint {
			ink.A = uint8(math.Round(255 * faintness))
		}
		r.fill(outline(line), ink)
	}
	if p.stroke != "" {
		if p.closed && len(line) > 0 {
			line = append(line, line[0])
		}
		var areas [][]point
		for _, part := range dashes(line, p.dash*r.dots) {
			areas = append(areas, stroke(part, p.width*r.dots/2)...)
		}
		r.fill(outline(areas...), light[p.stroke])
	}
}

// flatten is a path as straight lines, in dots.
func (r *raster) flatten(p path) []point {
	var line []point
	at := point{}
	for _, c := range p.curves {
		steps := 24
		if c.straight {
			steps = 1
		}
		for i := 1; i <= steps; i++ {
			t := float64(i) / float64(steps)
			a, b, d, e := (1-t)*(1-t)*(1-t), 3*(1-t)*(1-t)*t, 3*(1-t)*t*t, t*t*t
			line = append(line, point{(a*at.x + b*c.c1.x + d*c.c2.x + e*c.to.x) * r.dots, (a*at.y + b*c.c1.y + d*c.c2.y + e*c.to.y) * r.dots})
		}
		at = c.to
	}
	return line
}

// dashes cuts a line into dashes of a length, with gaps of the same length.
func dashes(line []point, length float64) [][]point {
	if length <= 0 || len(line) == 0 {
		return [][]point{line}
	}
	var list [][]point
	drawn, left, dash := true, length, []point{line[0]}
	for i := 1; i < len(line); i++ {
		from, to := line[i-1], line[i]
		for {
			rest := math.Hypot(to.x-from.x, to.y-from.y)
			if rest <= left {
				left -= rest
				dash = append(dash, to)
				break
			}
			t := left / rest
			from = point{from.x + (to.x-from.x)*t, from.y + (to.y-from.y)*t}
			if drawn {
				list = append(list, append(dash, from))
			}
			drawn, left, dash = !drawn, length, []point{from}
		}
	}
	if drawn {
		list = append(list, dash)
	}
	return list
}

// stroke is the outline of a line with round joins: areas that all go the same way round, so that where they overlap nothing
// is taken away.
func stroke(line []point, half float64) [][]point {
	var areas [][]point
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		nx, ny := -(b.y-a.y)/length*half, (b.x-a.x)/length*half
		areas = append(areas, []point{a.plus(nx, ny), a.plus(-nx, -ny), b.plus(-nx, -ny), b.plus(nx, ny)})
		if i > 1 && half > 0.75 {
			areas = append(areas, round(a, half))
		}
	}
	return areas
}

func round(at point, r float64) []point {
	const corners = 16
	var circle []point
	for i := range corners {
		angle := 2 * math.Pi * float64(i) / corners
		circle = append(circle, at.plus(r*math.Cos(angle), r*math.Sin(angle)))
	}
	return circle
}

// outline is the lines around areas.
func outline(areas ...[]point) []opentype.Segment {
	var list []opentype.Segment
	for _, area := range areas {
		for i, p := range area {
			line := opentype.Segment{Op: opentype.SegmentOpLineTo, Args: [3]opentype.SegmentPoint{{X: float32(p.x), Y: float32(p.y)}}}
			if i == 0 {
				line.Op = opentype.SegmentOpMoveTo
			}
			list = append(list, line)
		}
	}
	return list
}

// fill paints what is within an outline, in dots.
func (r *raster) fill(outline []opentype.Segment, ink color.NRGBA) {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for i := range outline {
		for _, p := range outline[i].ArgsSlice() {
			low = point{min(low.x, float64(p.X)), min(low.y, float64(p.Y))}
			high = point{max(high.x, float64(p.X)), max(high.y, float64(p.Y))}
		}
	}
	if low.x > high.x {
		return
	}
	box := image.Rect(int(low.x), int(low.y), int(high.x)+1, int(high.y)+1).Intersect(r.image.Bounds())
	if box.Empty() {
		return
	}
	z := vector.NewRasterizer(box.Dx(), box.Dy())
	x, y := float32(box.Min.X), float32(box.Min.Y)
	for _, to := range outline {
		a, b, c := to.Args[0], to.Args[1], to.Args[2]
		switch to.Op {
		case opentype.SegmentOpMoveTo:
			z.ClosePath()
			z.MoveTo(a.X-x, a.Y-y)
		case opentype.SegmentOpLineTo:
			z.LineTo(a.X-x, a.Y-y)
		case opentype.SegmentOpQuadTo:
			z.QuadTo(a.X-x, a.Y-y, b.X-x, b.Y-y)
		case opentype.SegmentOpCubeTo:
			z.CubeTo(a.X-x, a.Y-y, b.X-x, b.Y-y, c.X-x, c.Y-y)
		}
	}
	z.ClosePath()
	z.Draw(r.image, box, image.NewUniform(ink), image.Point{})
}

func (r *raster) text(t text) {
	line, size := glyphsOf(t.s, t.bold), t.size*r.dots
	x, y := t.x*r.dots, t.y*r.dots
	switch t.anchor {
	case middle:
		x -= line.width * size / 2
	case end:
		x -= line.width * size
	}
	var letters []opentype.Segment
	for _, g := range line.list {
		data, _ := g.face.GlyphDataOutline(g.id) // one that has none, such as a space, is not seen
		unit := float32(size) / float32(g.face.Upem())
		for _, line := range data.Segments {
			for i, p := range line.Args {
				line.Args[i] = opentype.SegmentPoint{X: float32(x) + g.x*float32(size) + p.X*unit, Y: float32(y) - g.y*float32(size) - p.Y*unit}
			}
			letters = append(letters, line)
		}
	}
	r.fill(letters, light[t.ink])
}
