package chart

import (
	"cmp"
	"math"

	"github.com/shopspring/decimal"

	"fiscube/internal/each"
)

const leastCells, mostCells = 3, 40

// Treemap divides an area among the parts of one whole: each has the share of the area that it has of the whole.
func Treemap(f Frame, parts []Part) (Figure, *Refusal) {
	var tooFew *Refusal
	if 0 < len(parts) && len(parts) < leastCells {
		tooFew = &Refusal{Reason: TooFew, Count: len(parts), Limit: leastCells}
	}
	ranked, refusal := f.ranked(parts, mostCells)
	if refusal = cmp.Or(f.notOneWhole(), notPositive(parts), tooFew, refusal); refusal != nil {
		return Figure{}, refusal
	}
	height := math.Round(f.width() * 0.6)
	switch {
	case f.Height > 0:
		height = float64(f.Height)
	case !f.wide():
		height = math.Round(f.width() * 1.4)
	}
	whole := sumOf(ranked)
	ranked = f.large(ranked, whole, f.width()*height)
	areas := each.Of(ranked, func(p Part) float64 { return portion(p.Value, whole) * f.width() * height })
	var shapes []shape
	var unnamed []Part
	for i, cell := range squarify(areas, rect{w: f.width(), h: height}) {
		drawn, isNamed := drawCell(ranked[i], cell)
		if shapes = append(shapes, drawn); !isNamed {
			unnamed = append(unnamed, ranked[i])
		}
	}
	made := f.figure(height, shapes)
	made.Unnamed = unnamed
	return made, nil
}

// large adds up the parts, from the smallest, whose areas would be too small for a finger, as far as others may be added up.
func (f Frame) large(ranked []Part, whole decimal.Decimal, area float64) []Part {
	most := len(ranked)
	for most > leastCells && portion(ranked[most-1].Value, whole)*area < finger*finger {
		most--
	}
	if most == len(ranked) || f.Others == nil {
		return ranked
	}
	large, _ := f.ranked(ranked, most)
	return large
}

// squarify divides a rectangle into rectangles of given areas, of which the large come first, and which are as near to squares
// as rows along the shorter side allow (Bruls, Huizing and van Wijk 2000).
func squarify(areas []float64, room rect) []rect {
	var cells []rect
	for len(areas) > 0 {
		side := min(room.w, room.h)
		n := 1
		for n < len(areas) && longest(areas[:n+1], side) <= longest(areas[:n], side) {
			n++
		}
		sum, depth := total(areas[:n]), 0.0
		if side > 0 {
			depth = sum / side
		}
		at := 0.0
		for _, area := range areas[:n] {
			length := area / sum * side
			cell := rect{x: room.x, y: room.y + at, w: depth, h: length}
			if room.w < room.h {
				cell = rect{x: room.x + at, y: room.y, w: length, h: depth}
			}
			cells = append(cells, cell)
			at += length
		}
		if room.w >= room.h {
			room.x, room.w = room.x+depth, room.w-depth
		} else {
			room.y, room.h = room.y+depth, room.h-depth
		}
		areas = areas[n:]
	}
	return cells
}

func total(areas []float64) (sum float64) {
	for _, area := range areas {
		sum += area
	}
	return sum
}

// longest is the greatest ratio of the sides of the cells of a row.
func longest(areas []float64, side float64) float64 {
	sum, ratio := total(areas), 0.0
	for _, area := range areas {
		ratio = max(ratio, side*side*area/(sum*sum), sum*sum/(side*side*area))
	}
	return ratio
}

// drawCell draws a cell, and tells whether it has its whole name.
func drawCell(p Part, cell rect) (drawn mark, isNamed bool) {
	fill, ink := p.fill()
	if p.Kind == Missing {
		fill, ink = fillMissing, inkText
	}
	cell.paint = paint{fill: fill, stroke: paper, width: 1.5}
	texts, isNamed := cellTexts(p, cell, ink)
	return p.mark(append([]shape{cell}, texts...)...), isNamed
}

// cellTexts prints in a cell what fits there: the label, whole if a font size allows it, then amount and share. A word is divided between lines
// only if it is very long.
func cellTexts(p Part, cell rect, ink colour) (shapes []shape, isNamed bool) {
	const least, greatest, pad, longWord = 11, 18, 7, 110
	width, height := cell.w-2*pad, cell.h-2*pad
	if height < least*1.2 {
		return nil, false
	}
	size := math.Floor(min(greatest, least+math.Sqrt(cell.w*cell.h)/24))
	lines := wrap(p.Label, size, true, width, int(height/(size*1.2)))
	for size > least && (isCut(p.Label, lines) || !hasRoom(p.Label, size, true, width)) {
		size--
		lines = wrap(p.Label, size, true, width, int(height/(size*1.2)))
	}
	cut := isCut(p.Label, lines)
	if len(lines) == 0 || cut && len([]rune(lines[0])) < 5 || (cut || width < longWord) && !hasRoom(p.Label, size, true, width) {
		return nil, false
	}
	y := cell.y + pad
	write := func(s string, size float64, bold bool) {
		y += size * 1.2
		shapes = append(shapes, text{x: cell.x + pad, y: y - size*0.25, size: size, bold: bold, ink: ink, s: s})
	}
	for _, line := range lines {
		write(line, size, true)
	}
	small := max(least, size-3)
	for _, s := range []string{p.Share, cmp.Or(p.Short, p.Amount)} {
		if s != "" && y+small*1.2 <= cell.y+pad+height && widthOf(s, small, false) <= width {
			write(s, small, false)
		}
	}
	return shapes, !cut
}
