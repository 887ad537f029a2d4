package history

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// Crossed is a break that rows cross, and how.
type Crossed struct {
	*cube.LabelBreak
	Sums     bool // a sum is over years on both sides
	Compares bool // a year is compared with one on the other side
	Names    bool // a row of the years before has the name of the years after
}

// Span is what an answer does with the fiscal years.
type Span struct {
	Years    []int64 // that its cuts admit, in their order
	Compared bool    // each year is compared with the one at Offset from it, if that is among Covered
	Offset   int64
	Covered  []int64 // the years that have rows
}

// Crosses says how a row that adds up some years, in their order, crosses a break; false if it does not. Labelled is a row that has the label of
// the member, which is that of the latest year of the answer.
func (s Span) Crosses(b *cube.LabelBreak, years []int64, labelled bool) (Crossed, bool) {
	if len(years) == 0 {
		return Crossed{}, false
	}
	c := Crossed{LabelBreak: b, Sums: b.Divides(years[0], years[len(years)-1]), Compares: s.Compares(b, years)}
	c.Names = labelled && years[0] <= b.Last && s.Years[len(s.Years)-1] >= b.First
	return c, c.Sums || c.Compares || c.Names
}

// Compares tells whether one of the years is compared with a year on the other side of a break.
func (s Span) Compares(b *cube.LabelBreak, years []int64) bool {
	return s.Compared && slices.ContainsFunc(years, func(year int64) bool {
		there := year + s.Offset
		return slices.Contains(s.Covered, there) && b.Divides(year, there)
	})
}

// Distinct joins the entries of one break of a history: the ways in which any of them crosses it.
func Distinct(all []Crossed) (list []Crossed) {
	indexes := make(map[*cube.LabelBreak]int, len(all))
	for _, c := range all {
		i, known := indexes[c.LabelBreak]
		if !known {
			i = len(list)
			indexes[c.LabelBreak] = i
			list = append(list, c)
		}
		list[i].Sums, list[i].Compares, list[i].Names = list[i].Sums || c.Sums, list[i].Compares || c.Compares, list[i].Names || c.Names
	}
	return list
}

// ID tells members apart, by level and path.
func ID(level string, path []string) string { return level + "\x00" + strings.Join(path, "\x00") }

// HasKeys tells whether a break is of a member of a level with a path that has some keys, named by their fields.
func HasKeys(b *cube.LabelBreak, path []string, keys map[string]string) bool {
	for i, field := range path {
		if key, isNamed := keys[field]; isNamed && key != b.Path[i] {
			return false
		}
	}
	return true
}
