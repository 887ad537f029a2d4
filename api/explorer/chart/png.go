package chart

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// PNG writes the figure as an image, of one or two dots for each pixel, as it is in a light scheme.
func (f Figure) PNG(w io.Writer, dots int) error { return f.png(w, min(max(dots, 1), 2), false) }

func (f Figure) png(w io.Writer, dots int, dark bool) error {
	r := raster{
		dots:  float64(dots),
		dark:  dark,
		image: image.NewRGBA(image.Rect(0, 0, int(math.Ceil(f.width))*dots, int(math.Ceil(f.height))*dots)),
		faces: map[style]font.Face{},
	}
	draw.Draw(r.image, r.image.Bounds(), image.NewUniform(paper.in(dark)), image.Point{}, draw.Src)
	if err := r.draw(f.shapes); err != nil {
		return err
	}
	return png.Encode(w, r.image)
}

// raster draws shapes into an image.
type raster struct {
	dots  float64
	dark  bool
	image *image.RGBA
	faces map[style]font.Face
}

type style struct {
	size float64
	bold bool
}

func (r *raster) draw(shapes []shape) error {
	for _, s := range shapes {
		switch s := s.(type) {
		case rect:
			r.path(polyline(s.paint, true, point{s.x, s.y}, point{s.x + s.w, s.y}, point{s.x + s.w, s.y + s.h}, point{s.x, s.y + s.h}))
		case path:
			r.path(s)
		case text:
			if err := r.text(s); err != nil {
				return err
			}
		case mark:
			if err := r.draw(s.shapes); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *raster) path(p path) {
	line := r.flatten(p)
	if p.fill != "" {
		ink := p.fill.in(r.dark)
		if p.faint {
			ink.A = uint8(math.Round(255 * faintness))
		}
		r.fill([][]point{line}, ink)
	}
	if p.stroke != "" {
		if p.closed && len(line) > 0 {
			line = append(line, line[0])
		}
		var outline [][]point
		for _, part := range dashes(line, p.dash*r.dots) {
			outline = append(outline, stroke(part, p.width*r.dots/2)...)
		}
		r.fill(outline, p.stroke.in(r.dark))
	}
}

// flatten is a path as straight lines, in dots.
func (r *raster) flatten(p path) []point {
	const steps = 24
	var line []point
	at := point{}
	for _, c := range p.curves {
		if c.straight {
			line = append(line, point{c.to.x * r.dots, c.to.y * r.dots})
		} else {
			for i := 1; i <= steps; i++ {
				t := float64(i) / steps
				a, b, d, e := (1-t)*(1-t)*(1-t), 3*(1-t)*(1-t)*t, 3*(1-t)*t*t, t*t*t
				line = append(line, point{
					(a*at.x + b*c.c1.x + d*c.c2.x + e*c.to.x) * r.dots,
					(a*at.y + b*c.c1.y + d*c.c2.y + e*c.to.y) * r.dots,
				})
			}
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

// fill paints areas, in dots.
func (r *raster) fill(areas [][]point, ink color.NRGBA) {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, area := range areas {
		for _, p := range area {
			low = point{min(low.x, p.x), min(low.y, p.y)}
			high = point{max(high.x, p.x), max(high.y, p.y)}
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
	x, y := float64(box.Min.X), float64(box.Min.Y)
	for _, area := range areas {
		for i, p := range area {
			if i == 0 {
				z.MoveTo(float32(p.x-x), float32(p.y-y))
			} else {
				z.LineTo(float32(p.x-x), float32(p.y-y))
			}
		}
		z.ClosePath()
	}
	z.Draw(r.image, box, image.NewUniform(ink), image.Point{})
}

func (r *raster) text(t text) error {
	key := style{t.size, t.bold}
	face, ok := r.faces[key]
	if !ok {
		var err error
		if face, err = opentype.NewFace(typefaceOf(t.bold).Font, &opentype.FaceOptions{Size: t.size * r.dots, DPI: 72}); err != nil {
			return err
		}
		r.faces[key] = face
	}
	s := clean(t.s)
	x := fixed.Int26_6(t.x * r.dots * 64)
	switch t.anchor {
	case middle:
		x -= font.MeasureString(face, s) / 2
	case end:
		x -= font.MeasureString(face, s)
	}
	d := font.Drawer{Dst: r.image, Src: image.NewUniform(t.ink.in(r.dark)), Face: face, Dot: fixed.Point26_6{X: x, Y: fixed.Int26_6(t.y * r.dots * 64)}}
	d.DrawString(s)
	return nil
}
