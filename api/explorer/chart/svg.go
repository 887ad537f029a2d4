package chart

import (
	"bufio"
	"html"
	"html/template"
	"io"
	"math"
	"net/url"
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
	s.put(`<svg`, attributes, ` font-size="`, number(usualSize), `" class="chart" role="`, role, `" aria-label="`, escape(f.title), `" width="`, number(f.width), `" height="`, number(f.height),
		`" viewBox="0 0 `, number(f.width), ` `, number(f.height), `">`)
	if f.desc != "" {
		s.put(`<desc>`, escape(f.desc), `</desc>`)
	}
	s.put("\n")
	s.shapes(f.shapes)
	s.put("</svg>\n")
}

func hasLinks(shapes []shape) bool {
	for _, s := range shapes {
		if m, ok := s.(mark); ok && safe(m.href) != "" {
			return true
		}
	}
	return false
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

// at writes a position. What is not written is zero.
func (s *svgWriter) at(x, y float64) {
	if of := number(x); of != "0" {
		s.put(` x="`, of, `"`)
	}
	if of := number(y); of != "0" {
		s.put(` y="`, of, `"`)
	}
}

// mark writes a link, or a group where it leads nowhere. Its title is its name: a name by aria-label would have to begin with
// the texts shown, which are cut. Its shapes are written from its corner, so that marks that look alike are written alike, which
// compresses well.
func (s *svgWriter) mark(m mark) {
	title := escape(m.title)
	if href := safe(m.href); href != "" {
		s.put(`<a href="`, escape(href), `">`)
		defer s.put("</a>\n")
	} else {
		s.put("<g>")
		defer s.put("</g>\n")
	}
	if title != "" {
		s.put("<title>", title, "</title>")
	}
	s.put("\n")
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
	if t.size != usualSize {
		s.put(` font-size="`, number(t.size), `"`)
	}
	if t.bold {
		s.put(` font-weight="bold"`)
	}
	if glyphsOf(t.s, t.bold).fromRight {
		s.put(` unicode-bidi="plaintext"`) // else what stands between brackets or after a number would go the other way than in a picture
	}
	if t.anchor != start {
		s.put(` text-anchor="`, string(t.anchor), `"`)
	}
	if !s.classes || t.ink != inkText { // else the style sheet says so
		s.colours(t.ink, "")
	}
	s.put(">", escape(t.s), "</text>\n")
}

// paint writes the attributes of a shape. One that is not painted is still a surface for the pointer.
func (s *svgWriter) paint(p paint) {
	s.colours(p.fill, p.stroke)
	if p == (paint{}) {
		s.put(` pointer-events="all"`)
	}
	if p.stroke != "" {
		s.put(` stroke-width="`, number(p.width), `"`)
	}
	if p.dash > 0 {
		s.put(` stroke-dasharray="`, number(p.dash), `"`)
	}
	if p.faint {
		s.put(` fill-opacity="`, number(faintness), `"`)
	}
}

// colours writes what fills a shape and what draws its outline: as classes in a page, as colours in a file.
func (s *svgWriter) colours(fill, stroke colour) {
	var classes []string
	for _, c := range []struct {
		attribute, class string
		colour
	}{{"fill", "fill-", fill}, {"stroke", "line-", stroke}} {
		switch {
		case c.colour == "" && c.attribute == "fill":
			s.put(` fill="none"`)
		case c.colour == "":
		case s.classes:
			classes = append(classes, c.class+string(c.colour))
		default:
			s.put(` `, c.attribute, `="`, hex(c.in(false)), `"`)
		}
	}
	if len(classes) > 0 {
		s.put(` class="`, strings.Join(classes, " "), `"`)
	}
}

// d is the path in the letters of SVG.
func (p path) d() string {
	var b strings.Builder
	put := func(letter string, points ...point) {
		b.WriteString(letter)
		for i, at := range points {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(number(at.x) + " " + number(at.y))
		}
	}
	for i, c := range p.curves {
		switch {
		case i == 0:
			put("M", c.to)
		case c.straight:
			put("L", c.to)
		default:
			put("C", c.c1, c.c2, c.to)
		}
	}
	if p.closed {
		b.WriteByte('Z')
	}
	return b.String()
}

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
