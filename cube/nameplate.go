package cube

import "slices"

// nameplates knows what the cells of an answer call their members, for the rows that the store did not answer.
type nameplates struct {
	plan  *Plan
	cells []Cell
	paths [][]int                // by level: the places of its path among the keys
	known []map[string]nameplate // by level and path; nil until a row is to be named
}

// nameplate is the label of a member, and its rank.
type nameplate struct{ label, rank Value }

func newNameplates(plan *Plan, cells []Cell) *nameplates {
	n := &nameplates{plan: plan, cells: cells, paths: make([][]int, len(plan.levels))}
	for i, level := range plan.levels {
		for _, field := range level.Path {
			n.paths[i] = append(n.paths[i], slices.IndexFunc(plan.keys, func(c Column) bool { return c.Name == field }))
		}
	}
	return n
}

// read learns what all members are called, which most answers need not know.
func (n *nameplates) read() {
	n.known = make([]map[string]nameplate, len(n.paths))
	for i := range n.paths {
		n.known[i] = map[string]nameplate{}
		for _, cell := range n.cells {
			n.known[i][n.id(i, cell.Keys)] = nameplate{cell.Labels[i], cell.Ranks[i]}
		}
	}
}

// id is one text for one member of a level.
func (n *nameplates) id(level int, keys []Value) string {
	path := make([]Value, len(n.paths[level]))
	for i, place := range n.paths[level] {
		path[i] = keys[place]
	}
	return idOf(path)
}

// rename names the members of a row of which a key has been moved, -1 for none. Those that no cell has are called as
// they were, or where the moved key is of their path by their own key: nothing is known of them.
func (n *nameplates) rename(e *entry, moved int) {
	if n.known == nil {
		n.read()
	}
	e.Labels, e.Ranks = slices.Clone(e.Labels), slices.Clone(e.Ranks)
	for i, level := range n.plan.levels {
		plate, known := n.known[i][n.id(i, e.Keys)]
		switch {
		case known:
			e.Labels[i], e.Ranks[i] = plate.label, plate.rank
		case level.LabelRef != "" && slices.Contains(n.paths[i], moved):
			e.Labels[i], e.Ranks[i] = Text(e.Keys[n.paths[i][len(level.Path)-1]].String()), Missing
		}
	}
}

// depth is how many of the first keys it takes to name a member of a level.
func (n *nameplates) depth(level int) int { return slices.Max(n.paths[level]) + 1 }

// cropped are the labels of the members that the first keys name.
func (n *nameplates) cropped(labels []Value, keys int) []Value {
	labels = slices.Clone(labels)
	for i := range labels {
		if n.depth(i) > keys {
			labels[i] = Missing
		}
	}
	return labels
}
