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

// notedFrame is a frame that checks what is called others, and notes how many members they are.
func notedFrame(t *testing.T, r *rand.Rand) Frame {
	f := frame([]int{320, 700, 1200}[r.IntN(3)])
	if r.IntN(2) == 0 {
		f.Most = 2 + r.IntN(12)
	}
	f.Others = func(kind Kind, members int, value decimal.Decimal) Part {
		if members < 2 {
			t.Errorf("%d member is called others", members)
		}
		return others(kind, members, value)
	}
	return f
}

func hasOthersOfOne(parts []Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return p.Kind == Others && p.Members < 2 })
}

func hasNotPositive(parts []Part) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return !p.Value.IsPositive() })
}

func TestTreemap_AreasAreTheSharesOfRandomAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	drawn := 0
	for range answers {
		parts, f := randomParts(r, 60), notedFrame(t, r)
		figure, refusal := Treemap(f, parts)
		var want Reason
		switch {
		case hasNotPositive(parts):
			want = NotPositive
		case len(parts) == 0:
			want = Nothing
		case len(parts) < leastCells:
			want = TooFew
		case hasOthersOfOne(parts):
			want = OthersOfOne
		}
		if refusal != nil || want != "" {
			if refusal == nil || refusal.Reason != want {
				t.Fatalf("%d parts are refused: %+v, want %q", len(parts), refusal, want)
			}
			continue
		}
		drawn++
		cells := rectsOf(figure.shapes)
		// What is drawn by name is the largest; its share of the area is that of the whole.
		sorted := slices.Clone(parts)
		slices.SortStableFunc(sorted, byRank)
		whole, area := sumOf(parts), figure.width*figure.height
		named := len(cells)
		if len(cells) < len(parts) {
			named--
		}
		rest := area
		for i, cell := range cells {
			rest -= cell.w * cell.h
			if i >= named {
				break
			}
			share := portion(sorted[i].Value, whole)
			if side := math.Sqrt(share * area); math.Abs(math.Sqrt(cell.w*cell.h)-side) > 0.5 {
				t.Fatalf("a part of %s has %v × %v, a share of %v of %v", sorted[i].Value, cell.w, cell.h, share, area)
			}
			if cell.x < -0.01 || cell.y < -0.01 || cell.x+cell.w > figure.width+0.01 || cell.y+cell.h > figure.height+0.01 {
				t.Fatalf("%+v leaves %v × %v", cell, figure.width, figure.height)
			}
		}
		if math.Abs(rest) > 0.5 {
			t.Fatalf("of %v square pixels %v are no cell", area, rest)
		}
		for i, a := range cells {
			for _, b := range cells[:i] {
				if min(a.x+a.w, b.x+b.w)-max(a.x, b.x) > 0.01 && min(a.y+a.h, b.y+b.h)-max(a.y, b.y) > 0.01 {
					t.Fatalf("%+v covers %+v", a, b)
				}
			}
		}
	}
	if drawn < answers/3 {
		t.Errorf("only %d of %d treemaps are drawn", drawn, answers)
	}
}

func TestBars_AreAsLongAsTheAmountsOfRandomAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 2))
	drawn := 0
	for range answers {
		parts, f := randomParts(r, 60), notedFrame(t, r)
		figure, refusal := Bars(f, parts)
		var want Reason
		switch {
		case len(parts) == 0:
			want = Nothing
		case hasOthersOfOne(parts):
			want = OthersOfOne
		}
		if refusal != nil || want != "" {
			if refusal == nil || refusal.Reason != want {
				t.Fatalf("%d parts are refused: %+v, want %q", len(parts), refusal, want)
			}
			continue
		}
		drawn++
		ranked, _ := f.ranked(parts, f.most(mostBars))
		if !sumOf(ranked).Equal(sumOf(parts)) {
			t.Fatalf("the bars are %s together, the parts %s", sumOf(ranked), sumOf(parts))
		}
		var bars []rect
		for _, cell := range rectsOf(figure.shapes) {
			if cell.paint != (paint{}) {
				bars = append(bars, cell)
			}
		}
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
	}
	if drawn < answers/3 {
		t.Errorf("only %d of %d rankings are drawn", drawn, answers)
	}
}

func TestChange_OfRandomAnswersAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 3))
	drawn := 0
	for range answers {
		f := notedFrame(t, r)
		var parts []Part
		for range r.IntN(40) {
			v := decimal.New(r.Int64N(2_000_000)-1_000_000, int32(r.IntN(6))-2)
			parts = append(parts, Part{Kind: []Kind{Member, Member, Missing, New, Gone, Incomparable}[r.IntN(6)], Value: v, Label: "member", Amount: v.String()})
		}
		from := member("2018", r.Int64N(1_000_000))
		to := Part{Label: "2019", Value: from.Value.Add(sumOf(parts)), Amount: "the end"}
		lost := r.IntN(10) == 0
		if lost {
			to.Value = to.Value.Add(decimal.New(1, -2))
		}
		figure, refusal := Change(f, from, to, parts)
		switch {
		case len(parts) == 0:
			if refusal == nil || refusal.Reason != Nothing {
				t.Fatalf("a change of nothing is refused: %+v", refusal)
			}
			continue
		case lost:
			if refusal == nil || refusal.Reason != DoesNotAddUp || refusal.Label != "2019" {
				t.Fatalf("a change that does not add up is refused: %+v", refusal)
			}
			continue
		case refusal != nil:
			t.Fatalf("a change is refused: %+v", *refusal)
		}
		drawn++
		steps, _ := f.steps(parts)
		if !sumOf(steps).Equal(to.Value.Sub(from.Value)) {
			t.Fatalf("the steps are %s together, the change is %s", sumOf(steps), to.Value.Sub(from.Value))
		}
		// Each bar begins where the one before it ends, and so does the mark of the last value.
		var at, last float64
		first := true
		for _, s := range figure.shapes {
			m, ok := s.(mark)
			if !ok {
				continue
			}
			b := m.shapes[1].(path)
			if first {
				first, at = false, b.curves[0].to.x
				continue
			}
			if last = b.curves[0].to.x; math.Abs(last-at) > 1.01 && !hasShortSteps(steps) {
				t.Fatalf("a bar begins at %v, the one before it ends at %v", last, at)
			}
			at = b.curves[2].to.x
		}
	}
	if drawn < answers/2 {
		t.Errorf("only %d of %d changes are drawn", drawn, answers)
	}
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
	r := rand.New(rand.NewPCG(12, 4))
	drawn := 0
	for range answers {
		f := notedFrame(t, r)
		flows, bad := randomFlows(r)
		figure, refusal := Sankey(f, flows)
		if refusal != nil || bad != "" {
			if refusal == nil || refusal.Reason != bad {
				t.Fatalf("flows are refused: %+v, want %q", refusal, bad)
			}
			continue
		}
		drawn++
		var left, right float64
		var leftNodes, rightNodes int
		for _, node := range rectsOf(figure.shapes) {
			switch {
			case node.paint == (paint{}):
			case node.x < figure.width/2:
				left += node.h
				leftNodes++
			default:
				right += node.h
				rightNodes++
			}
		}
		// A node of less than a pixel is drawn as one.
		if math.Abs(left-right) > float64(leftNodes+rightNodes) {
			t.Fatalf("the nodes on the left have %v pixels, those on the right %v", left, right)
		}
		if most := f.most(mostNodes); leftNodes > most || rightNodes > most || leftNodes == 0 || rightNodes == 0 {
			t.Fatalf("%d nodes on the left, %d on the right, want %d at most", leftNodes, rightNodes, most)
		}
	}
	if drawn < answers/2 {
		t.Errorf("only %d of %d flows are drawn", drawn, answers)
	}
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

func TestFigures_RefuseWhatIsNotOneWhole(t *testing.T) {
	for _, reason := range []Reason{NotASum, SameMoneyTwice} {
		f := frame(1200)
		f.NotOneWhole = reason
		for name, draw := range map[string]func() (Figure, *Refusal){
			"treemap": func() (Figure, *Refusal) { return Treemap(f, offices) },
			"change":  func() (Figure, *Refusal) { return Change(f, member("2018", 990), member("2019", 996), changes) },
			"sankey":  func() (Figure, *Refusal) { return Sankey(f, twoLevels()) },
		} {
			if _, refusal := draw(); refusal == nil || refusal.Reason != reason {
				t.Errorf("%s is refused: %+v, want %s", name, refusal, reason)
			}
		}
		if _, refusal := Bars(f, offices); refusal != nil {
			t.Errorf("bars are refused: %+v", *refusal)
		}
	}
}

func TestFigures_RefuseWhatTheyCannotShow(t *testing.T) {
	alone := frame(1200)
	alone.Others = nil
	for name, tt := range map[string]struct {
		draw func() (Figure, *Refusal)
		want Refusal
	}{
		"one year": {func() (Figure, *Refusal) {
			return Lines(alone, sixYears, []Series{{"Total", points(nil, 3)}}, axisText)
		},
			Refusal{Reason: OneYear, Label: "2015"}},
		"no amount": {func() (Figure, *Refusal) {
			return Lines(alone, sixYears, []Series{{"Total", points(nil, nil)}}, axisText)
		},
			Refusal{Reason: Nothing}},
		"seven lines": {func() (Figure, *Refusal) { return Lines(alone, sixYears, make([]Series, 7), axisText) },
			Refusal{Reason: TooMany, Count: 7, Limit: 6}},
		"bars that cannot be added up": {func() (Figure, *Refusal) { return Bars(alone, manyOffices(41)) },
			Refusal{Reason: TooMany, Count: 41, Limit: 40}},
		"changes that cannot be added up": {func() (Figure, *Refusal) {
			return Change(alone, member("2018", 0), Part{Value: sumOf(manyOffices(11))}, manyOffices(11))
		}, Refusal{Reason: TooMany, Count: 11, Limit: 10}},
		"a negative part": {func() (Figure, *Refusal) { return Treemap(alone, append(manyOffices(4), member("Refunds", -4))) },
			Refusal{Reason: NotPositive, Label: "Refunds", Amount: "-4"}},
		"two parts": {func() (Figure, *Refusal) { return Treemap(alone, manyOffices(2)) },
			Refusal{Reason: TooFew, Count: 2, Limit: 3}},
	} {
		if _, refusal := tt.draw(); refusal == nil || *refusal != tt.want {
			t.Errorf("%s: %+v, want %+v", name, refusal, tt.want)
		}
	}
}
