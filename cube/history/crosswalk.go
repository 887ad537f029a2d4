package history

import (
	"slices"

	"fiscube/cube"
)

// Crosswalk finds the members of other editions that are the same as a member of a level (cube.Level.SameAs).
type Crosswalk struct {
	columns      []cube.Column // of the paths
	older, newer map[string][]string
}

// NewCrosswalk indexes what is said of the members of a level.
func NewCrosswalk(m *cube.Model, level cube.Level) *Crosswalk {
	w := &Crosswalk{m.PathOf(level), map[string][]string{}, map[string][]string{}}
	for _, s := range level.SameAs {
		w.older[pathKey(s.Path)], w.newer[pathKey(s.SameAs)] = s.SameAs, s.Path
	}
	return w
}

// Columns are those of the paths of the level, with their editions.
func (w *Crosswalk) Columns() []cube.Column { return w.columns }

// In gives the path in another year of the member that has a path in a year: the same one, if the codes have one edition in both years, else that
// of the member that is the same. It is false if the path is of no member of the year, or is not known to be the same as any.
func (w *Crosswalk) In(path []string, year, there int64) ([]string, bool) {
	switch {
	case !w.isOf(path, year):
		return nil, false
	case w.isOf(path, there):
		return path, true
	}
	return w.find(path, func(other []string) bool { return w.isOf(other, there) })
}

// isOf tells whether the editions in a path are those of a year.
func (w *Crosswalk) isOf(path []string, year int64) bool {
	for i, column := range w.columns {
		if column.IsEdition() && path[i] != EditionOf(column, year).String() {
			return false
		}
	}
	return true
}

// find gives the member that is wanted among those that are the same as the member of a path, in any number of steps. It ends,
// since each step leads to an earlier edition, or each to a later one.
func (w *Crosswalk) find(path []string, wanted func(path []string) bool) ([]string, bool) {
	for _, steps := range []map[string][]string{w.older, w.newer} {
		for other, ok := steps[pathKey(path)]; ok; other, ok = steps[pathKey(other)] {
			if wanted(other) {
				return other, true
			}
		}
	}
	return nil, false
}

// EditionOf gives the edition that a column of editions has in the rows of a year.
func EditionOf(column cube.Column, year int64) cube.Value {
	first, _ := column.From.Edition(year)
	return cube.Integer(first)
}

// InOneEdition tells whether a column of editions has the same one in two years.
func InOneEdition(column cube.Column, year, other int64) bool {
	return EditionOf(column, year) == EditionOf(column, other)
}

// Named are the members of a level that a question names by the keys of their paths, perhaps without editions.
type Named struct {
	*Crosswalk
	members []map[string]cube.Value // by field of the path
}

// AnyMember names all members of the level.
func (w *Crosswalk) AnyMember() Named { return Named{w, []map[string]cube.Value{{}}} }

// mostNamed bounds the members that are named together.
const mostNamed = 10_000

// Restrict leaves the members that have one of the values of each field in one of the alternatives. It is false, and leaves all, if these are too
// many.
func (n *Named) Restrict(alternatives []map[string][]cube.Value) bool {
	var left []map[string]cube.Value
	for _, admitted := range alternatives {
		for _, member := range n.members {
			list := []map[string]cube.Value{member}
			for _, column := range n.columns {
				if values, tested := admitted[column.Name]; tested {
					list = having(list, column.Name, values)
				}
			}
			if left = append(left, list...); len(left) > mostNamed {
				return false
			}
		}
	}
	n.members = left
	return true
}

// having gives each member with each value of a field that it may have.
func having(members []map[string]cube.Value, field string, values []cube.Value) (list []map[string]cube.Value) {
	for _, member := range members {
		known, ok := member[field]
		for _, v := range values {
			if ok && known != v {
				continue
			}
			next := map[string]cube.Value{field: v}
			for other, value := range member {
				next[other] = value
			}
			list = append(list, next)
		}
	}
	return list
}

// HaveKeys tells whether the members have all keys of their paths, but for editions.
func (n *Named) HaveKeys() bool {
	return !slices.ContainsFunc(n.members, func(member map[string]cube.Value) bool {
		return slices.ContainsFunc(n.columns, func(column cube.Column) bool {
			_, has := member[column.Name]
			return !has && !column.IsEdition()
		})
	})
}

// Of gives the paths of the members in a year, with its editions, each once.
func (n *Named) Of(year int64) (list [][]string) {
	seen := map[string]bool{}
	for _, member := range n.members {
		path := make([]string, len(n.columns))
		ok := true
		for i, column := range n.columns {
			value, known := member[column.Name]
			if column.IsEdition() {
				edition := EditionOf(column, year)
				ok = ok && (!known || value == edition)
				value = edition
			}
			path[i] = value.String()
		}
		if id := pathKey(path); ok && !seen[id] {
			seen[id] = true
			list = append(list, path)
		}
	}
	return list
}

// SameIn gives the paths of the members in a year, each with its path in another one, without those not known to be the same as any.
func (n *Named) SameIn(year, there int64) (list [][2][]string) {
	for _, path := range n.Of(year) {
		if other, ok := n.In(path, year, there); ok {
			list = append(list, [2][]string{path, other})
		}
	}
	return list
}
