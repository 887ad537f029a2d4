package chart

import (
	"slices"

	"github.com/shopspring/decimal"
)

// Kind says what a part is.
type Kind int

// The kinds of parts.
const (
	Member       Kind = iota // one member
	Missing                  // the rows without a code
	Others                   // several members, added up
	New                      // what only the later of two years has: a member, or several added up
	Gone                     // what only the earlier of two years has
	Incomparable             // what has no difference of its own: members whose code means other things in the two years
)

// Part is a member of a level, or what is beside the members, with its amount. The texts are printed as they are, a number
// whole or not at all; only a label is cut where it does not fit.
type Part struct {
	Kind    Kind
	Members int             // how many members are added up; for one member 0 or 1
	Value   decimal.Decimal // of a change, the difference
	Label   string
	Amount  string // the value
	Short   string // the value in few digits, where areas have no room for all; "" for the same
	Share   string // its share of the whole, or the rate of a change
	Title   string // all of it in one line, for the tooltip and the screen reader
	Href    string // where its mark leads; empty: nowhere

	Division string // of COFOG, from 01 to 10, which gives its colour; or ""
}

// Frame is what all figures need to know.
type Frame struct {
	Width  int    // in CSS pixels
	Height int    // how high it is at most, as far as parts may be added up for that, and about how high; 0: as high as it happens to be
	Title  string // what the figure shows, for screen readers and above a picture
	Desc   string // what it says in a sentence or two, for screen readers

	// Others writes the part that stands for several members of a kind (Others, New, Gone or Incomparable), which are never one: its texts
	// and its link. It is nil where amounts do not add up, such as averages; then a figure with more parts is refused.
	Others func(kind Kind, members int, value decimal.Decimal) Part

	// NotOneWhole is why the parts are not parts of one whole, which only the caller knows: NotASum or SameMoneyTwice. It is
	// empty if they are.
	NotOneWhole Reason
}

const leastWidth, mostWidth = 240, 2400

func (f Frame) width() float64 { return float64(min(max(f.Width, leastWidth), mostWidth)) }

func (f Frame) wide() bool { return f.width() >= 560 }

// fitted draws with at most so many parts or, as far as others may be added up, with fewer, so that the figure is as high as the frame.
func (f Frame) fitted(most int, draw func(most int) (Figure, *Refusal)) (Figure, *Refusal) {
	if f.Height == 0 || f.Others == nil {
		return draw(most)
	}
	for most = min(most, f.Height/finger); ; most-- {
		if figure, refusal := draw(max(most, leastFitted)); refusal != nil || most <= leastFitted || figure.height <= float64(f.Height) {
			return figure, refusal
		}
	}
}

// leastFitted is how many parts a figure has at least, however low its frame.
const leastFitted = 2

// figure makes the figure of shapes that are as high as height.
func (f Frame) figure(height float64, shapes []shape) Figure {
	return Figure{title: f.Title, desc: f.Desc, width: f.width(), height: height, shapes: shapes}
}

// notOneWhole refuses parts that are not parts of one whole.
func (f Frame) notOneWhole() *Refusal {
	if f.NotOneWhole == "" {
		return nil
	}
	return &Refusal{Reason: f.NotOneWhole}
}

// ranked sorts parts by value, the largest first, what stands for several members last, and adds up those beyond the most
// that can be shown.
func (f Frame) ranked(parts []Part, most int) ([]Part, *Refusal) {
	if len(parts) == 0 {
		return nil, &Refusal{Reason: Nothing}
	}
	if refusal := othersOfOne(parts); refusal != nil {
		return nil, refusal
	}
	sorted := slices.Clone(parts)
	slices.SortStableFunc(sorted, byRank)
	if len(sorted) <= most {
		return sorted, nil
	}
	if f.Others == nil {
		return nil, &Refusal{Reason: TooMany, Count: len(sorted), Limit: most}
	}
	return append(sorted[:most-1:most-1], f.together(Others, sorted[most-1:])), nil
}

// byRank orders parts by value, the largest first, and what stands for several members last.
func byRank(a, b Part) int {
	if aLast, bLast := a.Kind == Others, b.Kind == Others; aLast != bLast {
		if aLast {
			return 1
		}
		return -1
	}
	return b.Value.Cmp(a.Value)
}

// othersOfOne refuses parts of which one is called others and stands for one member.
func othersOfOne(parts []Part) *Refusal {
	return refused(parts, OthersOfOne, func(p Part) bool { return p.Kind == Others && p.Members < 2 })
}

// notPositive refuses parts of which one is not above zero: it would have no area.
func notPositive(parts []Part) *Refusal {
	return refused(parts, NotPositive, func(p Part) bool { return !p.Value.IsPositive() })
}

// refused refuses parts for a reason that one of them gives.
func refused(parts []Part, reason Reason, gives func(Part) bool) *Refusal {
	i := slices.IndexFunc(parts, gives)
	if i < 0 {
		return nil
	}
	return &Refusal{Reason: reason, Label: parts[i].Label, Amount: parts[i].Amount}
}

// together adds up parts: one of them stays as it is.
func (f Frame) together(kind Kind, parts []Part) Part {
	if len(parts) == 1 {
		return parts[0]
	}
	members, sum := 0, sumOf(parts)
	for _, p := range parts {
		members += max(p.Members, 1)
	}
	others := f.Others(kind, members, sum)
	others.Kind, others.Members, others.Value = kind, members, sum
	return others
}

func sumOf(parts []Part) decimal.Decimal {
	sum := decimal.Zero
	for _, p := range parts {
		sum = sum.Add(p.Value)
	}
	return sum
}
