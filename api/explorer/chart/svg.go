package chart

import (
	"bufio"
	"html"
	"html/template"
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// HTML is the figure as a part of a page. Its colours are classes, which CSS defines; nothing in it needs the page's policy to
// admit more than its own style sheet.
func (f Figure) HTML() template.HTML {
	var b strings.Builder
	f.write(&svgWriter{w: &b, classes: true}, "")
	return template.HTML(b.String()) // every text in it is escaped, by attribute and content
}

// SVG writes the figure as a file of its own, with its colours and fonts, as it is in a light scheme.
func (f Figure) SVG(w io.Writer) error {
	b := bufio.NewWriter(w)
	f.shapes = append([]shape{rect{0, 0, f.width, f.height, paint{fill: paper}}}, f.shapes...)
	f.write(&svgWriter{w: b}, ` xmlns="http://www.w3.org/2000/svg" font-family="'Noto Sans', 'Helvetica Neue', Arial, sans-serif"`)
	return b.Flush()
}

// usualSize is the font size of texts that name no other.
const usualSize = 14

// svgWriter writes elements. Errors of w stay with w.
type svgWriter struct {
	w       io.StringWriter
	classes bool // colours are classes
}

func (f Figure) write(s *svgWriter, attributes string) {
	// What has links is no image for a screen reader, which would hide them.
	role := "img"
	if hasLinks(f.shapes) {
		role = "group"
	}
	s.put(`<svg`, attributes, ` font-size="`, number(usualSize), `" class="chart" role="`, role, `" aria-label="`, escape(f.title), `" width="`, number(f.width*f.scale()), `" height="`, number(f.height*f.scale()),
		`" viewBox="0 0 `, number(f.width), ` `, number(f.height), `">`)
	s.put(when(f.desc != "", `<desc>`+escape(f.desc)+`</desc>`), "\n")
	s.shapes(f.shapes)
	s.put("</svg>\n")
}

func hasLinks(shapes []shape) bool {
	return slices.ContainsFunc(shapes, func(s shape) bool {
		m, ok := s.(mark)
		return ok && safe(m.href) != ""
	})
}

func (s *svgWriter) put(texts ...string) {
	for _, t := range texts {
		_, _ = s.w.WriteString(t) // the buffer keeps the error
	}
}

func (s *svgWriter) shapes(shapes []shape) {
	for _, one := range shapes {
		switch one := one.(type) {
		case rect:
			s.put(`<rect`)
			s.at(one.x, one.y)
			s.put(` width="`, number(one.w), `" height="`, number(one.h), `"`)
			s.paint(one.paint)
			s.put("/>\n")
		case path:
			s.put(`<path d="`, one.d(), `"`)
			s.paint(one.paint)
			s.put("/>\n")
		case text:
			s.text(one)
		case mark:
			s.mark(one)
		}
	}
}

// when gives a text if something holds.
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}

// at writes a position. What is not written is zero.
func (s *svgWriter) at(x, y float64) {
	s.put(when(number(x) != "0", ` x="`+number(x)+`"`), when(number(y) != "0", ` y="`+number(y)+`"`))
}

// mark writes a link, or a group where it leads nowhere. Its title is its name: a name by aria-label would have to begin with
// the texts shown, which are cut. Its shapes are written from its corner, so that marks that look alike are written alike, which
// compresses well.
func (s *svgWriter) mark(m mark) {
	if href := safe(m.href); href != "" {
		s.put(`<a href="`, escape(href), `">`)
		defer s.put("</a>\n")
	} else {
		s.put("<g>")
		defer s.put("</g>\n")
	}
	s.put(when(m.title != "", "<title>"+escape(m.title)+"</title>"), "\n")
	corner, ok := m.shapes[0].(rect)
	if !ok || corner.x == 0 && corner.y == 0 {
		s.shapes(m.shapes)
		return
	}
	s.put(`<g transform="translate(`, number(corner.x), ` `, number(corner.y), `)">`, "\n")
	s.shapes(moved(m.shapes, -corner.x, -corner.y))
	s.put("</g>\n")
}

func (s *svgWriter) text(t text) {
	if t.s == "" {
		return
	}
	s.put(`<text`)
	s.at(t.x, t.y)
	s.put(when(t.size != usualSize, ` font-size="`+number(t.size)+`"`), when(t.bold, ` font-weight="bold"`))
	// Else what stands between brackets or after a number would go the other way than in a picture.
	s.put(when(glyphsOf(t.s, t.bold).fromRight, ` unicode-bidi="plaintext"`), when(t.anchor != start, ` text-anchor="`+string(t.anchor)+`"`))
	if !s.classes || t.ink != inkText { // else the style sheet says so
		s.colours(t.ink, "")
	}
	s.put(">", escape(t.s), "</text>\n")
}

// paint writes the attributes of a shape. One that is not painted is still a surface for the pointer.
func (s *svgWriter) paint(p paint) {
	s.colours(p.fill, p.stroke)
	s.put(when(p == (paint{}), ` pointer-events="all"`), when(p.stroke != "", ` stroke-width="`+number(p.width)+`"`),
		when(p.dash > 0, ` stroke-dasharray="`+number(p.dash)+`"`), when(p.faint, ` fill-opacity="`+number(faintness)+`"`))
}

// colours writes what fills a shape and what draws its outline: as classes in a page, as colours in a file.
func (s *svgWriter) colours(fill, stroke colour) {
	s.put(when(fill == "", ` fill="none"`))
	if !s.classes {
		s.put(when(fill != "", ` fill="`+hex(light[fill])+`"`), when(stroke != "", ` stroke="`+hex(light[stroke])+`"`))
		return
	}
	classes := strings.TrimSpace(when(fill != "", "fill-"+string(fill)) + when(stroke != "", " line-"+string(stroke)))
	s.put(when(classes != "", ` class="`+classes+`"`))
}

// d is the path in the letters of SVG.
func (p path) d() string {
	var b strings.Builder
	for i, c := range p.curves {
		switch {
		case i == 0:
			b.WriteString("M" + c.to.d())
		case c.straight:
			b.WriteString("L" + c.to.d())
		default:
			b.WriteString("C" + c.c1.d() + " " + c.c2.d() + " " + c.to.d())
		}
	}
	if p.closed {
		b.WriteByte('Z')
	}
	return b.String()
}

func (p point) d() string { return number(p.x) + " " + number(p.y) }

// number writes pixels, to a tenth.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64) // 0 is added since there is no -0
}

func escape(s string) string { return html.EscapeString(clean(s)) }

// safe is a link within the site or on the web; anything else, such as a script, is none.
func safe(href string) string {
	u, err := url.Parse(href)
	if err != nil || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return href
}
