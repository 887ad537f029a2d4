package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/internal/testrequire"
)

// answers is how many random answers each property is tried with.
var answers = howMany()

func howMany() int {
	if testrequire.IsLong() {
		return 10_000
	}
	return 1000
}

func randomParts(r *rand.Rand, most int) []Part {
	var list []Part
	for range r.IntN(most) {
		v := decimal.New(r.Int64N(1_000_000), int32(r.IntN(12))-2)
		if r.IntN(400) == 0 {
			v = v.Neg()
		}
		p := Part{Value: v, Label: "member", Amount: v.String(), Kind: []Kind{Member, Member, Member, Missing}[r.IntN(4)]}
		list = append(list, p)
	}
	if r.IntN(3) == 0 {
		list = append(list, Part{Kind: Others, Members: 1 + r.IntN(30), Value: number64(r.Int64N(5000) + 1), Label: "others", Amount: "some"})
	}
	return list
}

// tryRandom tries a property with many random answers and frames, of which a third at least must be drawn.
func tryRandom(t *testing.T, seed uint64, try func(r *rand.Rand, f Frame) (isDrawn bool)) {
	t.Helper()
	r := rand.New(rand.NewPCG(12, seed))
	drawn := 0
	for range answers {
		f := frame([]int{320, 700, 1200}[r.IntN(3)])
		f.Others = func(kind Kind, members int, value decimal.Decimal) Part {
			if members < 2 {
				t.Errorf("%d member is called others", members)
			}
			return others(kind, members, value)
		}
		if try(r, f) {
			drawn++
		}
	}
	if drawn < answers/3 {
		t.Errorf("only %d of %d are drawn", drawn, answers)
	}
}

// isRefused tells whether a figure is refused, and checks why.
func isRefused(t *testing.T, refusal *Refusal, want Reason) bool {
	t.Helper()
	got := Reason("")
	if refusal != nil {
		got = refusal.Reason
	}
	if got != want {
		t.Fatalf("it is refused as %q, want %q", got, want)
	}
	return got != ""
}

// badParts is why random parts are refused; those with areas must be positive, and not too few.
func badParts(parts []Part, areas bool) Reason {
	isOne := func(p Part) bool { return p.Kind == Others && p.Members < 2 }
	isNegative := func(p Part) bool { return !p.Value.IsPositive() }
	switch {
	case areas && slices.ContainsFunc(parts, isNegative):
		return NotPositive
	case len(parts) == 0:
		return Nothing
	case areas && len(parts) < leastCells:
		return TooFew
	case slices.ContainsFunc(parts, isOne):
		return OthersOfOne
	}
	return ""
}

func TestTreemap_AreasAreTheSharesOfRandomAnswers(t *testing.T) {
	tryRandom(t, 1, func(r *rand.Rand, f Frame) bool {
		parts := randomParts(r, 60)
		figure, refusal := Treemap(f, parts)
		if isRefused(t, refusal, badParts(parts, true)) {
			return false
		}
		cells := rectsOf(figure.shapes)
		whole, area := sumOf(parts), figure.width*figure.height
		ranked, _ := f.ranked(parts, mostCells)
		if ranked = f.large(ranked, whole, area); len(ranked) != len(cells) || !sumOf(ranked).Equal(whole) {
			t.Fatalf("%d cells are of %s together, %d parts of %s", len(cells), sumOf(ranked), len(parts), whole)
		}
		for i, cell := range cells {
			if side := math.Sqrt(portion(ranked[i].Value, whole) * area); math.Abs(math.Sqrt(cell.w*cell.h)-side) > 0.5 {
				t.Fatalf("a part of %s has %v × %v, of %s and %v", ranked[i].Value, cell.w, cell.h, whole, area)
			}
			if cell.x < -0.01 || cell.y < -0.01 || cell.x+cell.w > figure.width+0.01 || cell.y+cell.h > figure.height+0.01 {
				t.Fatalf("%+v leaves %v × %v", cell, figure.width, figure.height)
			}
			for _, b := range cells[:i] {
				if min(cell.x+cell.w, b.x+b.w)-max(cell.x, b.x) > 0.01 && min(cell.y+cell.h, b.y+b.h)-max(cell.y, b.y) > 0.01 {
					t.Fatalf("%+v covers %+v", cell, b)
				}
			}
		}
		return true
	})
}

func TestBars_AreAsLongAsTheAmountsOfRandomAnswers(t *testing.T) {
	tryRandom(t, 2, func(r *rand.Rand, f Frame) bool {
		parts := randomParts(r, 60)
		figure, refusal := Bars(f, parts)
		if isRefused(t, refusal, badParts(parts, false)) {
			return false
		}
		ranked, _ := f.ranked(parts, mostBars)
		if !sumOf(ranked).Equal(sumOf(parts)) {
			t.Fatalf("the bars are %s together, the parts %s", sumOf(ranked), sumOf(parts))
		}
		bars := slices.DeleteFunc(rectsOf(figure.shapes), func(r rect) bool { return r.paint == (paint{}) })
		unit := 0.0 // pixels of the largest
		largest := decimal.Zero
		for i, p := range ranked {
			if p.Value.Abs().GreaterThan(largest) {
				largest, unit = p.Value.Abs(), bars[i].w
			}
		}
		for i, p := range ranked {
			if want := portion(p.Value.Abs(), largest) * unit; largest.IsPositive() && math.Abs(bars[i].w-want) > 1 {
				t.Fatalf("%s has %v pixels, want %v", p.Value, bars[i].w, want)
			}
		}
		return true
	})
}

func TestChange_OfRandomAnswersAddsUp(t *testing.T) {
	tryRandom(t, 3, func(r *rand.Rand, f Frame) bool {
		var parts []Part
		for range r.IntN(40) {
			v := decimal.New(r.Int64N(2_000_000)-1_000_000, int32(r.IntN(6))-2)
			parts = append(parts, Part{Kind: []Kind{Member, Member, Missing, New, Gone, Incomparable}[r.IntN(6)], Value: v, Label: "member", Amount: v.String()})
		}
		from := member("2018", r.Int64N(1_000_000))
		to := Part{Label: "2019", Value: from.Value.Add(sumOf(parts)), Amount: "the end"}
		bad := Reason("")
		if r.IntN(10) == 0 {
			to.Value, bad = to.Value.Add(decimal.New(1, -2)), DoesNotAddUp
		}
		if len(parts) == 0 {
			bad = Nothing
		}
		figure, refusal := Change(f, from, to, parts)
		if isRefused(t, refusal, bad) {
			return false
		}
		steps, _ := f.steps(parts, mostChanges)
		if !sumOf(steps).Equal(to.Value.Sub(from.Value)) {
			t.Fatalf("the steps are %s together, the change is %s", sumOf(steps), to.Value.Sub(from.Value))
		}
		// Each bar begins where the one before it ends, and so does the mark of the last value.
		var bars []path
		for _, s := range figure.shapes {
			if m, ok := s.(mark); ok {
				bars = append(bars, m.shapes[1].(path))
			}
		}
		end := bars[0].curves[0].to.x
		for _, b := range bars[1:] {
			if begin := b.curves[0].to.x; math.Abs(begin-end) > 1.01 && !hasShortSteps(steps) {
				t.Fatalf("a bar begins at %v, the one before it ends at %v", begin, end)
			}
			end = b.curves[2].to.x
		}
		return true
	})
}

// hasShortSteps says whether a step may be shorter than a pixel, as which it is not drawn.
func hasShortSteps(steps []Part) bool {
	largest := decimal.Zero
	for _, p := range steps {
		largest = decimal.Max(largest, p.Value.Abs())
	}
	return slices.ContainsFunc(steps, func(p Part) bool { return portion(p.Value.Abs(), largest) < 0.05 })
}

func TestSankey_SidesOfRandomAnswersAreEqual(t *testing.T) {
	tryRandom(t, 4, func(r *rand.Rand, f Frame) bool {
		flows, bad := randomFlows(r)
		figure, refusal := Sankey(f, flows)
		if isRefused(t, refusal, bad) {
			return false
		}
		var heights [2]float64 // of the nodes on the left and on the right
		var nodes [2]int
		for _, node := range rectsOf(figure.shapes) {
			if node.paint != (paint{}) {
				side := int(math.Round(node.x / figure.width))
				heights[side] += node.h
				nodes[side]++
			}
		}
		// A node of less than a pixel is drawn as one.
		if math.Abs(heights[0]-heights[1]) > float64(nodes[0]+nodes[1]) {
			t.Fatalf("the nodes have %v pixels", heights)
		}
		if max(nodes[0], nodes[1]) > mostNodes || min(nodes[0], nodes[1]) == 0 {
			t.Fatalf("there are %v nodes, want %d at most", nodes, mostNodes)
		}
		return true
	})
}

func randomFlows(r *rand.Rand) (Flows, Reason) {
	f := Flows{From: make([]Part, 1+r.IntN(25)), To: make([]Part, 1+r.IntN(25)), Between: func(from, to Part, v decimal.Decimal) Part {
		return Part{Label: from.Label + to.Label, Amount: v.String()}
	}}
	for i := range f.From {
		for j := range f.To {
			if r.IntN(4) == 0 || i == j%len(f.From) || j == i%len(f.To) {
				v := decimal.New(r.Int64N(1_000_000)+1, -2)
				f.Flows = append(f.Flows, Flow{i, j, v})
				f.From[i].Value, f.To[j].Value = f.From[i].Value.Add(v), f.To[j].Value.Add(v)
			}
		}
	}
	switch r.IntN(12) {
	case 0:
		f.Flows[r.IntN(len(f.Flows))].Value = decimal.Zero
		return f, NotPositive
	case 1:
		i := r.IntN(len(f.To))
		f.To[i].Value = f.To[i].Value.Add(decimal.New(1, -2))
		return f, DoesNotAddUp
	case 2:
		return Flows{}, Nothing
	}
	return f, ""
}
