package chart

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"fiscube/internal/tidy"
)

// The fonts of pictures, by which the texts of all figures are measured.
var (
	regular = sync.OnceValue(func() *typeface { return parse(goregular.TTF) })
	bold    = sync.OnceValue(func() *typeface { return parse(gobold.TTF) })
)

// typeface is a font and the advances of its usual characters, in em.
type typeface struct {
	*sfnt.Font
	advances [0x500]float64 // Latin, Greek and Cyrillic
}

func parse(ttf []byte) *typeface {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(err) // the font is part of the program
	}
	face := &typeface{Font: f}
	for r := range face.advances {
		face.advances[r] = face.measure(rune(r))
	}
	return face
}

func typefaceOf(isBold bool) *typeface {
	if isBold {
		return bold()
	}
	return regular()
}

func (t *typeface) advance(r rune) float64 {
	if int(r) < len(t.advances) {
		return t.advances[r]
	}
	return t.measure(r)
}

// measure says how wide a character is. One that is not in the font comes from another font, and is at most as wide as it is high.
func (t *typeface) measure(r rune) float64 {
	var buffer sfnt.Buffer
	glyph, err := t.GlyphIndex(&buffer, r)
	if err != nil || glyph == 0 {
		return 1
	}
	const em = 1000
	advance, err := t.GlyphAdvance(&buffer, glyph, fixed.I(em), font.HintingNone)
	if err != nil {
		return 1
	}
	return float64(advance) / 64 / em
}

// slack is by how much the fonts of readers may be wider than ours, such as DejaVu Sans.
func slack(isBold bool) float64 {
	if isBold {
		return 1.16
	}
	return 1.11
}

// widthOf says how wide a text is at most.
func widthOf(s string, size float64, isBold bool) float64 {
	face, width := typefaceOf(isBold), 0.0
	for _, r := range s {
		width += face.advance(r)
	}
	return width * size * slack(isBold)
}

func widest(size float64, isBold bool, texts ...string) float64 {
	width := 0.0
	for _, s := range texts {
		width = max(width, widthOf(s, size, isBold))
	}
	return width
}

const ellipsis = "…"

// cut shortens a text to a width. It is empty if not even a letter fits.
func cut(s string, size float64, isBold bool, width float64) string {
	if widthOf(s, size, isBold) <= width {
		return s
	}
	room := width - widthOf(ellipsis, size, isBold)
	face, fits := typefaceOf(isBold), 0
	for i, r := range s {
		// An accent of its own and what is joined to a letter stay with it.
		if !unicode.Is(unicode.M, r) && r != '\u200d' {
			fits = i
		}
		if room -= face.advance(r) * size * slack(isBold); room < 0 {
			break
		}
	}
	if short := strings.TrimRight(s[:fits], " \u00a0,;:.-–("); short != "" {
		return short + ellipsis
	}
	return ""
}

// cutWithin shortens a text to a width before its last words, of which it keeps those that fit in half of that.
func cutWithin(s string, size float64, isBold bool, width float64) string {
	if widthOf(s, size, isBold) <= width {
		return s
	}
	words, last := strings.Fields(s), ""
	for i := len(words) - 1; i > 0; i-- {
		longer := " " + strings.Join(words[i:], " ")
		if widthOf(longer, size, isBold) > width/2 {
			break
		}
		last = longer
	}
	return cut(s, size, isBold, width-widthOf(last, size, isBold)) + last
}

// wrap breaks a text into lines at its spaces, and cuts a word that is wider than a line, and the text where the lines do not suffice.
// Names that begin with one long word are told apart by what follows it.
func wrap(s string, size float64, isBold bool, width float64, lines int) []string {
	var list []string
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' })
	for len(words) > 0 && len(list) < lines {
		n := 1
		for n < len(words) && widthOf(strings.Join(words[:n+1], " "), size, isBold) <= width {
			n++
		}
		line := strings.Join(words[:n], " ")
		if len(list) == lines-1 {
			n, line = len(words), strings.Join(words, " ")
		}
		if line = cut(line, size, isBold, width); line == "" {
			break
		}
		list, words = append(list, line), words[n:]
	}
	return list
}

// clean is a text of one line without what is no character of a document, or not seen.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, tidy.Visible(s))
}

// isCut says whether lines lack a part of the text that was wrapped into them.
func isCut(s string, lines []string) bool {
	return len(lines) == 0 || strings.Join(strings.Fields(strings.Join(lines, " ")), " ") != strings.Join(strings.Fields(s), " ")
}
