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
	apart decimal.Decimal // of the nearest: how far from the amount that is looked for
	of    decimal.Decimal // that amount without its sign, or 1
}

// Cells are those that a figure is, or those that are nearest.
type Cells struct {
	Equal   []Cell // the best of Total: equal ones first, those of published cubes before made-up ones, then from the top levels down, the latest years first
	Total   int
	Exact   int                     // how many of Total are equal, not only when rounded
	Nearest []Cell                  // if none is equal and none is pending, since what is nearest would then be of the others; of published cubes first
	Pending []*cube.Cube            // the cubes whose sums are not added up yet
	Left    map[string][]cube.Level // by cube: the levels that have too many members
}

// The bounds of what is listed.
const (
	mostCells   = 50
	mostNearest = 5
)

// FindFigure finds the sums that are asked for, in all ways in which their text can be read. The first call for a version has its sums added
// up in the background.
func (x *Index) FindFigure(asked FigureAsked) Cells {
	found := Cells{Left: map[string][]cube.Level{}}
	known := *x.sums.Load()
	for _, c := range asked.Cubes {
		s, ok := known[c.ID]
		if !ok {
			x.want(c)
			found.Pending = append(found.Pending, c)
			continue
		}
		if len(s.left) > 0 {
			found.Left[c.Name] = s.left
		}
		for i, m := range s.measures {
			if len(asked.Currencies) > 0 && m.Currency != "" && !slices.Contains(asked.Currencies, m.Currency) {
				continue
			}
			for _, f := range s.figures(i, asked.Figures) {
				found.add(c, s, i, f, asked.Year)
			}
		}
	}
	found.trim(mostCells)
	found.Nearest = ofFirstSums(slices.CompactFunc(found.Nearest, func(a, b Cell) bool { return a.same(b) }))
	if found.Total > 0 || len(found.Pending) > 0 {
		found.Nearest = nil
	}
	return found
}

// ofFirstSums gives the cells that are one of the first few different sums.
func ofFirstSums(cells []Cell) (list []Cell) {
	var sums []Cell
	for _, cell := range cells {
		if !slices.ContainsFunc(sums, cell.IsSumOf) {
			if len(sums) == mostNearest {
				continue
			}
			sums = append(sums, cell)
		}
		if len(list) < mostCells {
			list = append(list, cell)
		}
	}
	return list
}

// IsSumOf tells whether another cell is of the same amount, budget and year: as a rule they are sums of the same rows.
func (c Cell) IsSumOf(other Cell) bool {
	return c.Cube == other.Cube && c.In.Compare(other.In) == 0 && c.Value.Equal(other.Value)
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
		cell := s.cell(c, measure, list[i], b)
		if found.Total++; cell.IsExact {
			found.Exact++
		}
		found.Equal = append(found.Equal, cell)
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
		cell.apart = cell.Value.Mul(decimal.NewFromInt(b.unit)).Sub(b.figure.Amount).Abs()
		if cell.of = b.figure.Amount.Abs(); cell.of.IsZero() {
			cell.of = decimal.NewFromInt(1)
		}
		found.Nearest = append(found.Nearest, cell)
	}
}

// isIn tells whether a sum is of a fiscal year; each is of 0.
func (s *sums) isIn(of sum, year int64) bool {
	in, _ := s.part.values[of.year].Int()
	return year == 0 || in == year
}

// around gives the indexes of the sums of a year next to one, on both sides: of a few different amounts, and of each not too many.
func (s *sums) around(list []sum, at int, year int64) (near []int) {
	for _, step := range []int{-1, 1} {
		different, found := 0, 0
		for i := at + min(step, 0); i >= 0 && i < len(list) && found < mostCells; i += step {
			if !s.isIn(list[i], year) {
				continue
			}
			if found == 0 || list[near[len(near)-1]].amount != list[i].amount {
				different++
			}
			if different > mostNearest {
				break
			}
			near = append(near, i)
			found++
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
		return cmp.Or(publishedFirst(a, b), a.apart.Mul(b.of).Cmp(b.apart.Mul(a.of)), cmp.Compare(a.Cube.ID, b.Cube.ID), cmp.Compare(a.entry, b.entry))
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
