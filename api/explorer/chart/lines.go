package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/internal/each"
)

// Year is a position of a line. A line has one for each year from its first to its last, also for those without amounts.
type Year struct {
	Label      string
	Incomplete string // what is missing of it, such as "until June"; empty: nothing
	Gap        string // says that no line has an amount in it; empty: some has
}

// note is what stands below the name of the year.
func (y Year) note() string { return y.Incomplete + y.Gap }

// Series is a line: an amount for each year. The parts name their amounts; one without an amount has no mark.
type Series struct {
	Label  string
	Points []Point
}

// last is the position of the last amount; -1 if there is none.
func (s Series) last() int {
	for i, p := range slices.Backward(s.Points) {
		if !p.None {
			return i
		}
	}
	return -1
}

// Point is the amount of one year, which may be missing.
type Point struct {
	Part
	None  bool // there is no amount
	Other bool // it is of another thing than the point before, so no line leads to it
}

const mostSeries = 6

// Lines shows amounts over years, from zero. A year without an amount is a gap, as is the way to a point of another thing. The line to an incomplete year is dashed, and
// the year is named as such, as is one that is a gap in all lines. Axis writes the amounts beside the axis.
func Lines(f Frame, years []Year, lines []Series, axis func(decimal.Decimal) string) (Figure, *Refusal) {
	if len(lines) > mostSeries {
		return Figure{}, &Refusal{Reason: TooMany, Count: len(lines), Limit: mostSeries}
	}
	var values []decimal.Decimal
	var with []int // the years with an amount
	for _, s := range lines {
		for i, p := range s.Points {
			if !p.None {
				values, with = append(values, p.Value), append(with, i)
			}
		}
	}
	switch {
	case len(values) == 0:
		return Figure{}, &Refusal{Reason: Nothing}
	case slices.Min(with) == slices.Max(with):
		return Figure{}, &Refusal{Reason: OneYear, Label: years[with[0]].Label}
	}
	l := f.lineLayout(years, lines, values, axis)
	shapes := append(l.grid(axis), l.yearLabels()...)
	for i, s := range lines {
		shapes = append(shapes, l.line(s, series[i])...)
	}
	for i, s := range lines {
		shapes = append(shapes, l.marks(s, i)...)
	}
	switch {
	case len(lines) == 1:
		shapes = append(shapes, l.lastAmount(lines[0])...)
	case f.wide():
		shapes = append(shapes, l.namesBesideLines(lines)...)
	default:
		shapes = append(shapes, l.legend()...)
	}
	return f.figure(l.height, shapes), nil
}

// lineLayout is where the years and amounts of lines are.
type lineLayout struct {
	years         []Year
	ticks         []decimal.Decimal
	y             scale
	left, right   float64 // the first and the last year
	width, height float64
	names         [][]string // of the lines, as much as there is room for
	nameHeight    float64
}

const (
	small     = 12 // the size of texts beside axes
	lineStep  = 16 // from one line of text to the next
	nameStep  = 18
	endOfAxis = 14 // from the last year to what is beside it
	finger    = 24 // how wide a link must be
	leastPlot = 80 // how high what is drawn is at least
)

func (f Frame) lineLayout(years []Year, lines []Series, values []decimal.Decimal, axis func(decimal.Decimal) string) lineLayout {
	l := lineLayout{years: years, width: f.width()}
	plot, n := 220.0, 4
	if f.wide() {
		plot, n = min(math.Round(l.width*0.36), 420), 5
	}
	low, high := extent(values...)
	l.ticks = ticks(low, high, n)
	l.left = 14 + widest(small, false, each.Text(l.ticks, axis)...)
	l.right = l.width - max(endOfAxis, widest(small, false, years[len(years)-1].Label, years[len(years)-1].note())/2)
	top := 24.0
	if len(lines) > 1 {
		names := each.Text(lines, func(s Series) string { return s.Label })
		room := l.width - 20
		if f.wide() {
			room = min(widest(13, true, names...), l.width*0.36)
			l.right = l.width - endOfAxis - room
		}
		l.nameLines(names, room, f.wide())
		if !f.wide() {
			top += float64(len(lines)) * l.nameHeight
		}
	}
	below := 26.0
	if slices.ContainsFunc(years, func(y Year) bool { return y.note() != "" }) {
		below += lineStep
	}
	if f.Height > 0 {
		plot = max(leastPlot, float64(f.Height)-top-below)
	}
	l.y = scale{l.ticks[0], l.ticks[len(l.ticks)-1], top + plot, top}
	l.height = top + plot + below
	return l
}

// nameLines breaks the names of lines into two lines each if one of them is longer than one.
func (l *lineLayout) nameLines(names []string, room float64, isBold bool) {
	l.nameHeight = nameStep
	most := 1
	if widest(13, isBold, names...) > room {
		l.nameHeight, most = nameStep+lineStep, mostLines
	}
	l.names = append(l.names, each.Of(names, func(name string) []string { return wrap(name, 13, isBold, room, most) })...)
}

// distance is the one between two years: some, also where labels leave no room.
func (l lineLayout) distance() float64 { return max(1, (l.right-l.left)/float64(len(l.years)-1)) }

func (l lineLayout) x(year int) float64 { return l.left + float64(year)*l.distance() }

func (l lineLayout) at(year int, p Point) point { return point{l.x(year), l.y.at(p.Value)} }

func (l lineLayout) grid(axisText func(decimal.Decimal) string) []shape {
	var shapes []shape
	for _, v := range l.ticks {
		y := math.Round(l.y.at(v)) + 0.5
		stroke := grid
		if v.IsZero() {
			stroke = axis
		}
		shapes = append(shapes,
			polyline(paint{stroke: stroke, width: 1}, false, point{l.left - 8, y}, point{l.right + 6, y}),
			text{x: l.left - 14, y: y + 4, size: small, anchor: end, ink: inkSoft, s: axisText(v)})
	}
	return shapes
}

// yearLabels names the years with a note, the last and the first, and of the others as many as there is room for.
func (l lineLayout) yearLabels() []shape {
	last := len(l.years) - 1
	var wanted []int
	for i, y := range l.years {
		if y.note() != "" {
			wanted = append(wanted, i)
		}
	}
	wanted = append(wanted, last, 0)
	labels := each.Text(l.years, func(y Year) string { return y.Label })
	step := int(math.Ceil((widest(small, false, labels...) + 10) / l.distance()))
	for i := last; i >= 0; i -= step {
		wanted = append(wanted, i)
	}
	var shapes []shape
	var taken []rect
	for _, i := range wanted {
		label, note := l.years[i].Label, l.years[i].note()
		width := widest(small, false, label, note)
		x := min(max(l.x(i), width/2), l.width-width/2)
		if slices.ContainsFunc(taken, func(r rect) bool { return x-width/2 < r.x+r.w+8 && r.x < x+width/2+8 }) {
			continue
		}
		taken = append(taken, rect{x: x - width/2, w: width})
		y := l.y.from + 20
		shapes = append(shapes, text{x: x, y: y, size: small, anchor: middle, ink: inkText, s: label})
		if note != "" {
			shapes = append(shapes, text{x: x, y: y + lineStep, size: small, anchor: middle, ink: inkSoft, s: cut(note, small, false, l.width)})
		}
	}
	return shapes
}

// line draws the line of a series, without a gap's years.
func (l lineLayout) line(s Series, ink colour) []shape {
	solid, dashed := paint{stroke: ink, width: 2.5}, paint{stroke: ink, width: 2.5, dash: min(5, l.distance()/6)}
	var shapes []shape
	var run []point
	flush := func() {
		if len(run) > 1 {
			shapes = append(shapes, polyline(solid, false, run...))
		}
		run = nil
	}
	for i, p := range s.Points {
		switch {
		case p.None:
			flush()
			continue
		case p.Other:
			flush()
		case i > 0 && !s.Points[i-1].None && (l.years[i].Incomplete != "" || l.years[i-1].Incomplete != ""):
			flush()
			shapes = append(shapes, polyline(dashed, false, l.at(i-1, s.Points[i-1]), l.at(i, p)))
		}
		run = append(run, l.at(i, p))
	}
	flush()
	return shapes
}

// marks draws the points of a series. Those of incomplete years are hollow. Where the years are nearer than a finger is wide,
// only some of the points are links.
func (l lineLayout) marks(s Series, number int) []shape {
	var shapes []shape
	step := int(math.Ceil(finger / l.distance()))
	for i, p := range s.Points {
		if p.None {
			continue
		}
		at := l.at(i, p)
		look := paint{fill: series[number], stroke: paper, width: 1.5 * l.symbolSize()}
		if l.years[i].Incomplete != "" {
			look = paint{fill: paper, stroke: series[number], width: 2}
		}
		one := p.mark(rect{at.x - finger/2, at.y - finger/2, finger, finger, paint{}}, symbol(number, at, l.symbolSize(), look))
		if (len(l.years)-1-i)%step != 0 {
			one.href = ""
		}
		shapes = append(shapes, one)
	}
	return shapes
}

func (l lineLayout) symbolSize() float64 {
	return min(1, max(0.7, l.distance()/40))
}

// symbol is the sign of a line, by which it is known without its colour.
func symbol(number int, at point, size float64, look paint) shape {
	corners := [][]point{
		1: {{-4.5, -4.5}, {4.5, -4.5}, {4.5, 4.5}, {-4.5, 4.5}},
		2: {{0, -6}, {6, 5}, {-6, 5}},
		3: {{0, -6.5}, {6.5, 0}, {0, 6.5}, {-6.5, 0}},
		4: {{0, 6}, {6, -5}, {-6, -5}},
		5: {{-2, -6}, {2, -6}, {2, -2}, {6, -2}, {6, 2}, {2, 2}, {2, 6}, {-2, 6}, {-2, 2}, {-6, 2}, {-6, -2}, {-2, -2}},
	}[number]
	if len(corners) == 0 {
		return circle(at, 5*size, look)
	}
	moved := each.Of(corners, func(c point) point { return at.plus(c.x*size, c.y*size) })
	return polyline(look, true, moved...)
}

// circle is four curves, each nearly a quarter of a circle.
func circle(at point, r float64, look paint) path {
	k := 0.5523 * r
	return path{closed: true, paint: look, curves: []curve{
		{straight: true, to: at.plus(r, 0)},
		{c1: at.plus(r, k), c2: at.plus(k, r), to: at.plus(0, r)},
		{c1: at.plus(-k, r), c2: at.plus(-r, k), to: at.plus(-r, 0)},
		{c1: at.plus(-r, -k), c2: at.plus(-k, -r), to: at.plus(0, -r)},
		{c1: at.plus(k, -r), c2: at.plus(r, -k), to: at.plus(r, 0)},
	}}
}

// lastAmount prints the last amount of the only line, on the side that the line does not come from.
func (l lineLayout) lastAmount(s Series) []shape {
	i := s.last()
	p := s.Points[i]
	width := widthOf(p.Amount, 14, true)
	if width > l.width {
		return nil
	}
	at := l.at(i, p)
	y := at.y - 12
	if i > 0 && !s.Points[i-1].None && s.Points[i-1].Value.GreaterThan(p.Value) && at.y+22 < l.y.from-4 {
		y = at.y + 22
	}
	x, side, behind := at.x, middle, at.x-width/2
	if at.x+width/2 > l.width {
		x, side, behind = l.width, end, l.width-width
	}
	return []shape{rect{behind, y - 13, width, 17, paint{fill: paper}}, text{x: x, y: y, size: 14, bold: true, anchor: side, ink: inkText, s: p.Amount}}
}

// namesBesideLines prints the name of each line beside its last point, one below the other.
func (l lineLayout) namesBesideLines(lines []Series) []shape {
	type name struct {
		number int
		y      float64
	}
	var names []name
	for number, s := range lines {
		if i := s.last(); i >= 0 {
			names = append(names, name{number, l.y.at(s.Points[i].Value)})
		}
	}
	slices.SortStableFunc(names, func(a, b name) int { return cmp.Compare(a.y, b.y) })
	for i := 1; i < len(names); i++ {
		names[i].y = max(names[i].y, names[i-1].y+l.nameHeight)
	}
	for i, limit := len(names)-1, l.y.from-(l.nameHeight-nameStep); i >= 0; i, limit = i-1, names[i].y-l.nameHeight {
		names[i].y = min(names[i].y, limit)
	}
	var shapes []shape
	for _, n := range names {
		y := n.y + 4.5 - float64(len(l.names[n.number])-1)*lineStep/2
		shapes = append(shapes, text{x: l.right + endOfAxis, y: y, size: 13, bold: true, ink: series[n.number]}.lines(l.names[n.number])...)
	}
	return shapes
}

// legend names the lines above them, each with its sign.
func (l lineLayout) legend() []shape {
	var shapes []shape
	for number, name := range l.names {
		y := float64(number)*l.nameHeight + 8
		shapes = append(shapes, symbol(number, point{7, y}, 1, paint{fill: series[number]}))
		shapes = append(shapes, text{x: 20, y: y + 4.5, size: 13, ink: inkText}.lines(name)...)
	}
	return shapes
}
