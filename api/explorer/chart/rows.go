package chart

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/internal/each"
)

// row is a line of a figure of horizontal bars: a part, and from where to where its bar goes.
type row struct {
	part     Part
	label    []string // the lines of that of the part, as much as there is room for
	from, to decimal.Decimal
	fill     colour
	change   bool // the bar points where it goes, and the next begins there
	whole    bool // it is no part, but a whole: a mark, since no bar is as long as it is
}

const gap = 16 // between columns

// rows draws bars below each other. Where the figure is wide, the texts are beside the bars, else above them.
func (f Frame) rows(rows []row) Figure {
	var values []decimal.Decimal
	for _, r := range rows {
		values = append(values, r.from, r.to)
	}
	low, high := extent(values...)
	width := f.width()
	widestOf := func(isBold bool, text func(row) string) float64 { return widest(14, isBold, each.Text(rows, text)...) }
	l := rowLayout{width: width, amount: widestOf(true, func(r row) string { return r.part.Amount }), share: widestOf(true, func(r row) string { return r.part.Share })}
	most := width*0.75 - gap - l.amount - gap - l.shareColumn() // what leaves the bars a quarter
	l.label = min(widestOf(rows[0].whole, func(r row) string { return r.part.Label }), max(width*0.38, most))
	left, right := l.label+gap, width-l.amount-gap-l.shareColumn()
	room := 0.0 // for half a mark
	if rows[0].whole {
		room = markSize
	}
	l.scale = scale{low, high, left + room, right - 2*room} // so that the last mark stays away from its amount
	if l.wide = f.wide() && right-left >= width*0.2; !l.wide {
		l.scale = scale{low, high, room, width - room}
	}
	for l.lines = 1; l.lines < mostLines && slices.ContainsFunc(rows, l.isCut); l.lines++ {
	}
	l.shorten(rows)
	l.more = float64(l.lines-1) * lineStep
	l.height, l.barTop, l.barHeight = 60+l.more, 40+l.more, 10
	if l.wide {
		spare := min(max(float64(f.Height)/float64(len(rows))-30-l.more, 0), mostSpare)
		l.more += spare
		l.height, l.barTop, l.barHeight = 30+l.more, 6+l.more/2-spare/4, 18+spare/2
	}
	var shapes []shape
	zero := min(max(l.scale.at(decimal.Zero), 0.5), width-0.5)
	height := float64(len(rows)) * l.height
	if l.wide {
		shapes = append(shapes, polyline(paint{stroke: axis, width: 1}, false, point{zero, 0}, point{zero, height}))
	}
	for i, r := range rows {
		top := float64(i)*l.height + l.barTop
		if !l.wide && zero > 0.5 { // else the edge is the axis
			shapes = append(shapes, rect{zero - 0.5, top - 3, 1, l.barHeight + 6, paint{fill: axis}})
		} else if l.wide && r.change {
			x := l.scale.at(r.to)
			shapes = append(shapes, polyline(paint{stroke: axis, width: 1, dash: 2}, false, point{x, top + l.barHeight}, point{x, top + l.height}))
		}
	}
	for i, r := range rows {
		shapes = append(shapes, l.draw(r, float64(i)*l.height))
	}
	return f.figure(height, shapes)
}

// rowLayout is where the columns of rows are.
type rowLayout struct {
	wide                 bool
	lines                int // of a label
	width                float64
	label, amount, share float64 // widths
	scale                scale

	height, barTop, barHeight float64 // of a row
	more                      float64 // by how much a row is higher than one of a label in one line
}

// mostSpare is by how much a row is higher at most where its frame has room.
const mostSpare = 30

// mostLines is how many lines a label has at most.
const mostLines = 2

// isCut tells whether a label of a row is longer than its lines.
func (l rowLayout) isCut(r row) bool {
	return isCut(r.part.Label, wrap(r.part.Label, 14, r.whole, l.labelRoom(), l.lines))
}

// labelRoom is how wide a label may be.
func (l rowLayout) labelRoom() float64 {
	if l.wide {
		return l.label
	}
	return l.width
}

// shorten fits the labels of rows into their room. Those that would be the same keep their ends, which tell them apart.
func (l rowLayout) shorten(rows []row) {
	same := map[string]int{}
	for i, r := range rows {
		rows[i].label = wrap(r.part.Label, 14, r.whole, l.labelRoom(), l.lines)
		same[strings.Join(rows[i].label, " ")]++
	}
	for i, r := range rows {
		if last := len(r.label) - 1; same[strings.Join(r.label, " ")] > 1 {
			rest := strings.TrimSpace(strings.TrimPrefix(r.part.Label, strings.Join(r.label[:max(last, 0)], " ")))
			rows[i].label = append(slices.Clone(r.label[:max(last, 0)]), cutWithin(rest, 14, r.whole, l.labelRoom()))
		}
	}
}

func (l rowLayout) draw(r row, y float64) mark {
	p := r.part
	shapes := []shape{rect{0, y, l.width, l.height, paint{}}, l.bar(r, y)}
	missing := l.more - float64(len(r.label)-1)*lineStep
	label := text{y: y + 16 + missing, size: 14, bold: r.whole, ink: inkText}
	amount := text{y: y + 33 + l.more, size: 13, bold: r.whole, ink: inkText, s: p.Amount}
	if l.wide {
		label.y = y + 20 + missing/2
		amount.x, amount.y, amount.size, amount.anchor = l.width-l.shareColumn(), y+20+l.more/2, 14, end
	}
	share := text{x: l.width, y: amount.y, size: amount.size, bold: r.whole, anchor: end, ink: inkSoft, s: p.Share}
	return p.mark(append(append(shapes, label.lines(r.label)...), amount, share)...)
}

// markSize is half as wide as a mark.
const markSize = 7

func (l rowLayout) shareColumn() float64 {
	if l.share > 0 {
		return l.share + gap
	}
	return 0
}

// bar draws the bar of a row: one that is not zero is at least a pixel wide.
func (l rowLayout) bar(r row, y float64) shape {
	x1, x2 := l.scale.at(r.from), l.scale.at(r.to)
	top, bottom := y+l.barTop, y+l.barTop+l.barHeight
	if !r.from.Equal(r.to) && x2-x1 < 1 && x1-x2 < 1 {
		x2 = x1 + 1
		if r.to.LessThan(r.from) {
			x2 = x1 - 1
		}
	}
	look := paint{fill: r.fill}
	switch r.part.Kind {
	case New, Gone:
		look = paint{fill: paper, stroke: r.fill, width: 1.5}
	case Missing, Incomparable:
		look = paint{fill: fillMissing, stroke: axis, width: 1, dash: 3}
	}
	if r.whole {
		at := point{x1, (top + bottom) / 2}
		return polyline(look, true, at.plus(0, -markSize), at.plus(markSize, 0), at.plus(0, markSize), at.plus(-markSize, 0))
	}
	if !r.change {
		return rect{min(x1, x2), top, max(x1, x2) - min(x1, x2), bottom - top, look}
	}
	tip := min(6, max(x1-x2, x2-x1))
	if x2 < x1 {
		tip = -tip
	}
	return polyline(look, true, point{x1, top}, point{x2 - tip, top}, point{x2, (top + bottom) / 2}, point{x2 - tip, bottom}, point{x1, bottom})
}
