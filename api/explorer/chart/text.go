package chart

import (
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/segmenter"

	"fiscube/internal/tidy"
)

// slack is by how much the fonts of readers may be wider than ours, such as DejaVu Sans.
func slack(isBold bool) float64 {
	if isBold {
		return 1.16
	}
	return 1.11
}

// widthOf says how wide a text is at most.
func widthOf(s string, size float64, isBold bool) float64 {
	return glyphsOf(s, isBold).width * size * slack(isBold)
}

func widest(size float64, isBold bool, texts ...string) float64 {
	width := 0.0
	for _, s := range texts {
		width = max(width, widthOf(s, size, isBold))
	}
	return width
}

const ellipsis = "…"

// cut shortens a text to a width, between words, and within one only if not even the first fits. It is empty if not even a letter fits.
func cut(s string, size float64, isBold bool, width float64) string {
	p := paragraphOf(s, size, isBold)
	if p.widthOf(string(p.text)) <= width {
		return string(p.text)
	}
	shortened := func(end int) string {
		if short := strings.TrimRight(string(p.text[:end]), " \u00a0,;:.-–("); short != "" {
			return short + ellipsis
		}
		return ""
	}
	room := width - p.widthOf(ellipsis)
	if end := p.fitting(p.words, 0, room, width, shortened); shortened(end) != "" {
		return shortened(end)
	}
	return shortened(p.fitting(p.letters, 0, room, width, shortened))
}

// paragraph is a text with the places at which it can be broken.
type paragraph struct {
	text           []rune
	before         []float64 // how wide is what is before each character, in em
	em             float64   // in pixels, for readers' fonts
	words, letters []int     // where they end
	widthOf        func(string) float64
}

// paragraphOf says where lines of a text may end (UAX #14), and where its letters end, each with what is written on and joined to it (UAX #29).
// In scripts without spaces, whose words only a dictionary knows, lines end after letters.
func paragraphOf(s string, size float64, isBold bool) paragraph {
	p := paragraph{text: readable(s), before: glyphsOf(s, isBold).before, em: size * slack(isBold), widthOf: func(s string) float64 { return widthOf(s, size, isBold) }}
	var breaks segmenter.Segmenter
	breaks.Init(p.text)
	for lines := breaks.LineIterator(); lines.Next(); {
		p.words = append(p.words, lines.Line().Offset+len(lines.Line().Text))
	}
	for graphemes := breaks.GraphemeIterator(); graphemes.Next(); {
		letter := graphemes.Grapheme()
		end := letter.Offset + len(letter.Text)
		p.letters = append(p.letters, end)
		if unicode.In(letter.Text[0], unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !unicode.Is(unicode.Logical_Order_Exception, letter.Text[0]) {
			p.words = append(p.words, end)
		}
	}
	slices.Sort(p.words)
	p.words = slices.Compact(p.words)
	return p
}

// fitting is the last of the ends at which what is printed of a text fits into a width, of which the text itself has some room; else the begin.
func (p paragraph) fitting(ends []int, begin int, room, width float64, printed func(end int) string) int {
	i := sort.Search(len(ends), func(i int) bool { return (p.before[ends[i]]-p.before[begin])*p.em > room })
	// Letters may have another form at the end, and a space is not printed there.
	for i = min(i, len(ends)-1); i >= 0 && ends[i] > begin; i-- {
		if p.widthOf(printed(ends[i])) <= width {
			return ends[i]
		}
	}
	return begin
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

// wrap breaks a text into lines between its words, and cuts it where the lines do not suffice. A word that is wider than a line goes on in the next.
func wrap(s string, size float64, isBold bool, width float64, lines int) []string {
	p := paragraphOf(strings.Join(strings.FieldsFunc(clean(s), func(r rune) bool { return r == ' ' }), " "), size, isBold)
	var list []string
	for begin := 0; begin < len(p.text) && len(list) < lines; {
		printed := func(end int) string { return strings.TrimRight(string(p.text[begin:end]), " ") }
		end := p.fitting(p.words, begin, width, width, printed)
		if end == begin {
			end = p.fitting(p.letters, begin, width, width, printed)
		}
		line := printed(end)
		if end < len(p.text) && len(list) == lines-1 {
			line = cut(string(p.text[begin:]), size, isBold, width)
		}
		if line == "" {
			break
		}
		list, begin = append(list, line), end
	}
	return list
}

// hasRoom tells whether each word of a text fits into a width.
func hasRoom(s string, size float64, isBold bool, width float64) bool {
	p := paragraphOf(s, size, isBold)
	begin := 0
	for _, end := range p.words {
		if p.widthOf(strings.TrimSpace(string(p.text[begin:end]))) > width {
			return false
		}
		begin = end
	}
	return true
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
	letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
	return letters(strings.Join(lines, "")) != letters(clean(s))
}
