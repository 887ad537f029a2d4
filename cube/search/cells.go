package search

import (
	"cmp"
	"math/big"
	"slices"
	"sort"

	"github.com/shopspring/decimal"

	"fiscube/cube"
)

// Cell is the sum of a measure of something in a fiscal year.
type Cell struct {
	Hit     // with its name in that year
	Sum     cube.Measure
	In      cube.Value // the fiscal year; Missing if it is no level
	Value   decimal.Decimal
	IsExact bool // equal, not only when rounded

	entry uint32
	apart decimal.Decimal // of the nearest: how far, relative to the amount that is looked for
}

// Cells are those that a figure is, or those that are nearest.
type Cells struct {
	Equal   []Cell // the best of Total: equal ones first, those of published cubes before made-up ones, then from the top levels down, the latest years first
	Total   int
	Nearest []Cell                  // if none is equal and none is pending, since what is nearest would then be of the others; of published cubes first
	Pending []*cube.Cube            // the cubes whose sums are not added up yet
	Left    map[string][]cube.Level // by cube: the levels that have too many members
}

// The bounds of what is listed.
const (
	mostCells   = 50
	mostNearest = 5
)

// FindFigure finds the sums of a fiscal year, or of any if it is 0, that a text may mean, in all ways in which it can be read. The first call for a version has its sums added
// up in the background.
func (x *Index) FindFigure(figures []Figure, cubes []*cube.Cube, year int64) Cells {
	found := Cells{Left: map[string][]cube.Level{}}
	known := *x.sums.Load()
	for _, c := range cubes {
		s, ok := known[c.ID]
		if !ok {
			x.want(c)
			found.Pending = append(found.Pending, c)
			continue
		}
		if len(s.left) > 0 {
			found.Left[c.Name] = s.left
		}
		for i := range s.measures {
			for _, f := range s.figures(i, figures) {
				found.add(c, s, i, f, year)
			}
		}
	}
	found.trim(mostCells)
	found.Nearest = slices.CompactFunc(found.Nearest, func(a, b Cell) bool { return a.same(b) })
	found.Nearest = found.Nearest[:min(len(found.Nearest), mostNearest)]
	if found.Total > 0 || len(found.Pending) > 0 {
		found.Nearest = nil
	}
	return found
}

// bounds are a figure in the last decimals of a measure, whose amounts are counted in units.
type bounds struct {
	figure      Figure
	unit        int64
	least, most wide
	at          wide // at or above the amount
}

// figures gives the bounds of figures among the sums of a measure. If its amounts are counted in thousands, say, a figure may be the
// number that is published and also what it stands for.
func (s *sums) figures(measure int, figures []Figure) []bounds {
	units := []int64{1}
	if unit := s.measures[measure].Unit; unit > 1 {
		units = append(units, unit)
	}
	scale := s.scales[measure]
	var list []bounds
	for _, f := range figures {
		for _, unit := range units {
			list = append(list, bounds{f, unit, newWide(ceiling(f.Least, scale, unit)), newWide(floor(f.Most, scale, unit)), newWide(ceiling(f.Amount, scale, unit))})
		}
	}
	return list
}

// floor divides an amount by a unit and gives the whole number of last decimals at or below it.
func floor(d decimal.Decimal, scale int32, unit int64) *big.Int {
	n, over := d.Coefficient(), big.NewInt(unit)
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(d.Exponent()+scale, -d.Exponent()-scale))), nil)
	if d.Exponent()+scale < 0 {
		over.Mul(over, power)
	} else {
		n.Mul(n, power)
	}
	return n.Div(n, over)
}

func ceiling(d decimal.Decimal, scale int32, unit int64) *big.Int {
	n := floor(d.Neg(), scale, unit)
	return n.Neg(n)
}

// add adds the sums of a measure that a figure is, and the nearest below and above it.
func (found *Cells) add(c *cube.Cube, s *sums, measure int, b bounds, year int64) {
	list := s.lists[measure]
	from := sort.Search(len(list), func(i int) bool { return list[i].amount.compare(b.least) >= 0 })
	to := sort.Search(len(list), func(i int) bool { return list[i].amount.compare(b.most) > 0 })
	for i := from; i < to; i++ {
		if !s.isIn(list[i], year) {
			continue
		}
		found.Total++
		found.Equal = append(found.Equal, s.cell(c, measure, list[i], b))
		if len(found.Equal) == 4*mostCells {
			found.trim(mostCells)
		}
	}
	if found.Total > 0 || len(list) == 0 {
		return
	}
	at := sort.Search(len(list), func(i int) bool { return list[i].amount.compare(b.at) >= 0 })
	for _, i := range s.around(list, at, year) {
		cell := s.cell(c, measure, list[i], b)
		difference := cell.Value.Mul(decimal.NewFromInt(b.unit)).Sub(b.figure.Amount).Abs()
		if b.figure.Amount.IsZero() {
			cell.apart = difference
		} else {
			cell.apart = difference.DivRound(b.figure.Amount.Abs(), 12)
		}
		found.Nearest = append(found.Nearest, cell)
	}
}

// isIn tells whether a sum is of a fiscal year; each is of 0.
func (s *sums) isIn(of sum, year int64) bool {
	in, _ := s.part.values[of.year].Int()
	return year == 0 || in == year
}

// around gives the indexes of the sums of a year next to one, on both sides.
func (s *sums) around(list []sum, at int, year int64) (near []int) {
	for i, left := at-1, mostNearest; i >= 0 && left > 0; i-- {
		if s.isIn(list[i], year) {
			near = append(near, i)
			left--
		}
	}
	slices.Reverse(near)
	for i, left := at, mostNearest; i < len(list) && left > 0; i++ {
		if s.isIn(list[i], year) {
			near = append(near, i)
			left--
		}
	}
	return near
}

// trim keeps the best cells.
func (found *Cells) trim(most int) {
	slices.SortStableFunc(found.Equal, func(a, b Cell) int {
		exact := 0
		if a.IsExact != b.IsExact {
			exact = 1
			if a.IsExact {
				exact = -1
			}
		}
		return cmp.Or(exact, publishedFirst(a, b), cmp.Compare(a.Cube.ID, b.Cube.ID), cmp.Compare(a.entry, b.entry), b.In.Compare(a.In))
	})
	found.Equal = found.Equal[:min(len(found.Equal), most)]
	slices.SortStableFunc(found.Nearest, func(a, b Cell) int {
		return cmp.Or(publishedFirst(a, b), a.apart.Cmp(b.apart), cmp.Compare(a.Cube.ID, b.Cube.ID), cmp.Compare(a.entry, b.entry))
	})
}

// publishedFirst compares by whether the cubes are published or made up.
func publishedFirst(a, b Cell) int {
	switch {
	case a.Cube.Synthetic == b.Cube.Synthetic:
		return 0
	case b.Cube.Synthetic:
		return -1
	}
	return 1
}

func (c Cell) same(other Cell) bool {
	return c.Cube == other.Cube && c.entry == other.entry && c.Sum.Ref == other.Sum.Ref && c.In.Compare(other.In) == 0
}

// cell describes a sum.
func (s *sums) cell(c *cube.Cube, measure int, found sum, b bounds) Cell {
	m, year := s.measures[measure], s.part.values[found.year]
	value := found.amount.decimal(s.scales[measure])
	return Cell{
		Hit: s.part.named(c, int(found.entry), year), Sum: m, In: year, Value: value, entry: found.entry,
		IsExact: value.Mul(decimal.NewFromInt(b.unit)).Equal(b.figure.Amount),
	}
}
