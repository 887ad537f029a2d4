package cube

import "cmp"

// Cuboid is an aggregate of a version over the numbers of members (Member.Number). The base cuboid, a table of the store, has all listed levels
// and a row for each fact.
type Cuboid struct {
	Number int   `json:"number"` // names its table; 0 is the base cuboid
	Levels []int `json:"levels"` // indexes in Model.Levels, ascending. With a level come all levels whose path is a part of its own.
	Rows   int64 `json:"rows"`
}

// scaledDigits is how many digits always fit in 64 bits.
const scaledDigits = 18

// IsScaled tells whether cuboids have the amounts of a column as whole numbers of 64 bits, multiplied by 10^Scale.
// Otherwise they have them as they are in the facts.
func (c Column) IsScaled() bool { return c.Type == TypeInteger || c.Digits+c.Scale <= scaledDigits }

// HasNarrowSums tells whether the sums of a measure, by its index, fit in 64 bits, whichever of its amounts are added, and so do their
// differences.
func (p *Package) HasNarrowSums(measure int) bool {
	return measure < len(p.NarrowSums) && p.NarrowSums[measure]
}

// ComparePaths gives the order of the members of a level, which numbers them: key by key as answers order them. A field
// with a declared order of snapshots has that order first. Of paths that are not whole it compares the keys that both have.
func (m *Model) ComparePaths(l Level) func(a, b []Value) int {
	declared := make([]map[Value]int, len(l.Path))
	for i, field := range l.Path {
		declared[i] = map[Value]int{}
		for rank, v := range m.SnapshotOrder(field) {
			if _, twice := declared[i][v]; !twice && !v.IsMissing() {
				declared[i][v] = rank
			}
		}
	}
	return func(a, b []Value) int {
		for i, ranks := range declared[:min(len(a), len(b))] {
			if order := compareDeclared(ranks, a[i], b[i]); order != 0 {
				return order
			}
		}
		return 0
	}
}

// compareDeclared puts values with a rank before those without one.
func compareDeclared(ranks map[Value]int, a, b Value) int {
	if len(ranks) == 0 {
		return a.Compare(b)
	}
	rank := func(v Value) int {
		if r, ok := ranks[v]; ok {
			return r
		}
		return len(ranks)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), a.Compare(b))
}
