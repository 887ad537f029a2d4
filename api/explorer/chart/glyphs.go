package chart

import (
	"slices"
	"sync"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"github.com/maypok86/otter/v2"
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

// shaper turns texts into glyphs: letters are joined, marks are put on letters, and what is written from right to left is ordered.
type shaper struct {
	sync.Mutex
	shaping.HarfbuzzShaper
	segmenter shaping.Segmenter
	order     bidi.Paragraph
}

var texts shaper

const (
	mostKept    = 100_000 // characters, each with some 40 bytes
	mostPrinted = 1_000   // characters: no figure has room for more
	em          = 1000
)

// styled is a text as a shaper shapes it.
type styled struct {
	s      string
	isBold bool
}

// kept has what was shaped, for measures ask for the same texts again and again.
var kept = sync.OnceValue(func() *otter.Cache[styled, glyphs] {
	characters := func(text styled, line glyphs) uint32 { return uint32(max(len(text.s), len(line.list))) }
	return otter.Must(&otter.Options[styled, glyphs]{MaximumWeight: mostKept, Weigher: characters})
})

// readable is what can be seen of a text in a figure.
func readable(s string) []rune {
	text := []rune(clean(s))
	return text[:min(len(text), mostPrinted)]
}

// glyphsOf gives the glyphs of a text of one line.
func glyphsOf(s string, isBold bool) glyphs {
	line, _ := kept().ComputeIfAbsent(styled{s, isBold}, func() (line glyphs, cancel bool) {
		texts.Lock()
		defer texts.Unlock()
		return texts.shape(readable(s), isBold), false
	})
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
