package chart

import (
	"slices"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// glyphs is a text as it is drawn, from left to right, in em.
type glyphs struct {
	list      []glyph
	width     float64
	before    []float64 // how wide is what is read before each character
	fromRight bool      // the text goes from right to left
}

type glyph struct {
	face *font.Face
	id   font.GID
	x, y float32 // from where the text begins on its base line
}

// shaper turns texts into glyphs: letters are joined, marks are put on letters, and what is written from right to left is ordered. What it
// has shaped it keeps, so far as there is room, for measures ask for the same texts again and again.
type shaper struct {
	sync.Mutex
	shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
	order     bidi.Paragraph
	kept      map[styled]glyphs
	size      int // of what is kept, in characters
}

type styled struct {
	s      string
	isBold bool
}

var texts = shaper{kept: map[styled]glyphs{}}

const (
	mostKept    = 100_000 // characters, each with some 40 bytes
	longestKept = 2_000
	mostPrinted = 1_000 // characters: no figure has room for more
	em          = 1000
)

// readable is what can be seen of a text in a figure.
func readable(s string) []rune {
	text := []rune(clean(s))
	return text[:min(len(text), mostPrinted)]
}

// glyphsOf gives the glyphs of a text of one line.
func glyphsOf(s string, isBold bool) glyphs {
	texts.Lock()
	defer texts.Unlock()
	key := styled{s, isBold}
	line, ok := texts.kept[key]
	if ok {
		return line
	}
	line = texts.shape(readable(s), isBold)
	if size := max(len(s), len(line.list)); size < longestKept {
		if texts.size += size; texts.size > mostKept {
			texts.size = size
			clear(texts.kept)
		}
		texts.kept[key] = line
	}
	return line
}

func (s *shaper) shape(text []rune, isBold bool) glyphs {
	runs, fromRight := s.runs(text, fontsOf(text, isBold))
	line := glyphs{fromRight: fromRight, before: make([]float64, len(text)+1)}
	for _, r := range runs {
		run := s.ShapeNoExtents(r.Input)
		for _, g := range run.Glyphs {
			line.list = append(line.list, glyph{run.Face, g.GlyphID, float32(line.width) + inEm(g.XOffset), inEm(g.YOffset)})
			advance := float64(inEm(g.Advance))
			if g.GlyphID == 0 {
				advance = 1 // A reader may have a font with it, in which it is at most as wide as it is high.
			}
			line.width += advance
			line.before[g.TextIndex()+1] += advance
		}
	}
	for i := range text {
		line.before[i+1] += line.before[i]
	}
	return line
}

func inEm(v fixed.Int26_6) float32 { return float32(v) / 64 / em }

// run is a part of a text in one direction, script and font.
type run struct {
	shaping.Input
	level bidi.Level // by how many changes of direction it stands in the text
}

// runs gives the parts of a text from left to right (UAX #9). The text goes the way of its first letter.
func (s *shaper) runs(text []rune, faces shaping.Fontmap) (list []run, fromRight bool) {
	highest := bidi.Level(0)
	add := func(from, to int, level bidi.Level) {
		if from >= to {
			return
		}
		in := shaping.Input{Text: text, RunStart: from, RunEnd: to, Size: fixed.I(em), Direction: di.DirectionLTR}
		if level%2 != 0 {
			in.Direction = di.DirectionRTL
		}
		for _, part := range s.segmenter.Split(in, faces) {
			list = append(list, run{part, level})
		}
		highest = max(highest, level)
	}
	// A space at the end goes the way of the text.
	parts := s.order.Segment(append(slices.Clone(text), ' '), bidi.Neutral)
	fromRight = !parts.Run(parts.NumRuns() - 1).IsLeftToRight()
	for i := range parts.NumRuns() {
		part := parts.Run(i)
		end, number := min(part.End, len(text)), part.Start
		if part.Level == 2 && !fromRight {
			// The number belongs to the run before, what follows it does not, though both go the same way.
			number = endOfNumber(text, part.Start, end)
			add(part.Start, number, part.Level)
			part.Level = 0
		}
		add(number, end, part.Level)
	}
	for level := highest; level > 0; level-- {
		for i := 0; i < len(list); i++ {
			from := i
			for i < len(list) && list[i].level >= level {
				i++
			}
			slices.Reverse(list[from:i])
		}
	}
	return list, fromRight
}

// endOfNumber is where a number ends that begins a part of a text.
func endOfNumber(text []rune, from, to int) int {
	end := from
	for i := from; i < to && !unicode.IsLetter(text[i]) && !unicode.IsSpace(text[i]); i++ {
		if unicode.IsDigit(text[i]) || text[i] == '%' {
			end = i + 1
		}
	}
	return end
}
