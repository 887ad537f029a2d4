package chart

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"
)

// Flow is money of a member of one level that is of a member of another: positions in two lists of parts.
type Flow struct {
	From, To int
	Value    decimal.Decimal
}

// Flows are the same money by two levels.
type Flows struct {
	From, To []Part // the members of the two levels, each with the sum of its flows
	Flows    []Flow

	// Between writes the texts and the link of a flow.
	Between func(from, to Part, value decimal.Decimal) Part
}

const mostNodes = 10

// Sankey shows how the same money is divided on two levels: nodes are as high, and flows as thick, as their amounts. A side
// has ten nodes at most, of which one may be the others together.
func Sankey(f Frame, flows Flows) (Figure, *Refusal) {
	return f.fitted(mostNodes, func(most int) (Figure, *Refusal) { return f.sankey(flows, most) })
}

// sankey shows flows between at most so many nodes on each side.
func (f Frame) sankey(flows Flows, most int) (Figure, *Refusal) {
	left, fromLeft, leftRefusal := f.nodes(flows.From, most)
	right, toRight, rightRefusal := f.nodes(flows.To, most)
	if refusal := cmp.Or(f.notOneWhole(), flows.check(), leftRefusal, rightRefusal); refusal != nil {
		return Figure{}, refusal
	}
	sums := make([][]decimal.Decimal, len(left))
	for i := range sums {
		sums[i] = make([]decimal.Decimal, len(right))
	}
	for _, flow := range flows.Flows {
		i, j := fromLeft[flow.From], toRight[flow.To]
		sums[i][j] = sums[i][j].Add(flow.Value)
	}
	return f.drawFlows(left, right, sums, flows.Between), nil
}

// check refuses flows that are not positive, and members that have another amount than their flows.
func (s Flows) check() *Refusal {
	if len(s.Flows) == 0 {
		return &Refusal{Reason: Nothing}
	}
	from, to := make([]decimal.Decimal, len(s.From)), make([]decimal.Decimal, len(s.To))
	for _, flow := range s.Flows {
		if !flow.Value.IsPositive() {
			between := s.Between(s.From[flow.From], s.To[flow.To], flow.Value)
			return &Refusal{Reason: NotPositive, Label: between.Label, Amount: between.Amount}
		}
		from[flow.From] = from[flow.From].Add(flow.Value)
		to[flow.To] = to[flow.To].Add(flow.Value)
	}
	return cmp.Or(notPositive(s.From), notOf(from, s.From), notPositive(s.To), notOf(to, s.To))
}

// notOf refuses parts of which one has another amount than its sum.
func notOf(sums []decimal.Decimal, parts []Part) *Refusal {
	for i, p := range parts {
		if !p.Value.Equal(sums[i]) {
			return &Refusal{Reason: DoesNotAddUp, Label: p.Label, Amount: p.Amount}
		}
	}
	return nil
}

// nodes are the largest parts and the others together, and for each part the position of its node.
func (f Frame) nodes(parts []Part, most int) ([]Part, []int, *Refusal) {
	ranked, refusal := f.ranked(parts, most)
	if refusal != nil {
		return nil, nil, refusal
	}
	order := make([]int, len(parts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return byRank(parts[a], parts[b]) })
	nodes := make([]int, len(parts))
	for rank, i := range order {
		nodes[i] = min(rank, len(ranked)-1)
	}
	return ranked, nodes, nil
}

// sankeyLayout is where the nodes and their texts are.
type sankeyLayout struct {
	texts float64 // the width of the texts on each side
	node  float64 // the width of a node
	size  float64 // of the font
	unit  float64 // the height of all money
	whole decimal.Decimal
}

const nodeGap = 10

func (f Frame) drawFlows(left, right []Part, sums [][]decimal.Decimal, between func(from, to Part, value decimal.Decimal) Part) Figure {
	l := sankeyLayout{texts: f.width() * 0.32, node: 10, size: 11, unit: 360, whole: sumOf(left)}
	if f.wide() {
		l.texts, l.node, l.unit, l.size = min(f.width()*0.3, 300), 16, 400, small
	}
	if f.Height > 0 {
		l.unit = f.unit(l, left, right)
	}
	leftTops, leftEnd := l.stack(left)
	rightTops, rightEnd := l.stack(right)
	height := max(leftEnd, rightEnd)
	centre(leftTops, height-leftEnd)
	centre(rightTops, height-rightEnd)

	x1, x2 := l.texts+l.node, f.width()-l.texts-l.node
	var bands, shapes []shape
	leftAt, rightAt := slices.Clone(leftTops), slices.Clone(rightTops)
	for i, from := range left {
		for j, to := range right {
			if sums[i][j].IsZero() {
				continue
			}
			thick := portion(sums[i][j], l.whole) * l.unit
			band := between(from, to, sums[i][j])
			bands = append(bands, band.mark(ribbon(point{x1, leftAt[i]}, point{x2, rightAt[j]}, thick)))
			leftAt[i] += thick
			rightAt[j] += thick
		}
	}
	for i, p := range left {
		shapes = append(shapes, l.drawNode(p, point{l.texts, leftTops[i]}, true))
	}
	for j, p := range right {
		shapes = append(shapes, l.drawNode(p, point{x2, rightTops[j]}, false))
	}
	return f.figure(height, append(bands, shapes...))
}

// unit is how high all money is so that both sides fill the frame.
func (f Frame) unit(l sankeyLayout, left, right []Part) float64 {
	l.unit = leastPlot
	for step := 1024.0; step >= 1; step /= 2 {
		taller := l
		taller.unit += step
		_, leftEnd := taller.stack(left)
		if _, rightEnd := taller.stack(right); max(leftEnd, rightEnd) <= float64(f.Height) {
			l = taller
		}
	}
	return l.unit
}

// stack places nodes below each other, with room for their texts, and says where the last ends.
func (l sankeyLayout) stack(parts []Part) ([]float64, float64) {
	tops := make([]float64, len(parts))
	y := 0.0
	for i, p := range parts {
		height := l.height(p)
		room := max(height, float64(len(l.nodeTexts(p)))*lineStep)
		tops[i] = y + (room-height)/2
		y += room + nodeGap
	}
	return tops, y - nodeGap
}

func centre(tops []float64, rest float64) {
	for i := range tops {
		tops[i] += rest / 2
	}
}

func (l sankeyLayout) height(p Part) float64 { return portion(p.Value, l.whole) * l.unit }

func (l sankeyLayout) nodeTexts(p Part) []string {
	width := l.texts - 8
	lines := wrap(p.Label, l.size, false, width, 2)
	if p.Amount != "" && widthOf(p.Amount, l.size, false) <= width {
		lines = append(lines, p.Amount)
	}
	return lines
}

func (l sankeyLayout) drawNode(p Part, at point, left bool) mark {
	look := paint{fill: fillMember}
	switch p.Kind {
	case Others:
		look = paint{fill: fillOthers}
	case Missing:
		look = paint{fill: fillMissing, stroke: axis, width: 1, dash: 3}
	}
	height := l.height(p)
	lines := l.nodeTexts(p)
	y := at.y + height/2 - float64(len(lines))*lineStep/2
	x, side, area := at.x-8, end, 0.0
	if !left {
		x, side, area = at.x+l.node+8, start, at.x
	}
	room := max(height, float64(len(lines))*lineStep, 24)
	texts := text{x: x, y: y + 12, size: l.size, anchor: side, ink: inkText}.lines(lines)
	if last := len(lines) - 1; last >= 0 && lines[last] == p.Amount {
		amount := texts[last].(text)
		amount.ink = inkSoft
		texts[last] = amount
	}
	shapes := []shape{rect{area, at.y + height/2 - room/2, l.texts + l.node, room, paint{}}, rect{at.x, at.y, l.node, max(height, 1), look}}
	return p.mark(append(shapes, texts...)...)
}

// ribbon is a band of one thickness between two points, which are its upper corners.
func ribbon(from, to point, thick float64) path {
	half := (from.x + to.x) / 2
	return path{closed: true, paint: paint{fill: fillFlow, faint: true}, curves: []curve{
		{straight: true, to: from},
		{c1: point{half, from.y}, c2: point{half, to.y}, to: to},
		{straight: true, to: to.plus(0, thick)},
		{c1: point{half, to.y + thick}, c2: point{half, from.y + thick}, to: from.plus(0, thick)},
	}}
}
