package cube

import "slices"

// The parent of a cell, which Aggregates of ShareOfParent divide by, has the same keys of the levels that are drilled
// before the cell's own and, where no key of that level's path is among these, those of its parent level: of R/23/1
// drilled below R it is R, drilled alone it is R too, and below a year it is R in that year. A head of a rollup is so
// the parent of the rows below it, wherever their level has to do with it.

// parents tells of each step how many of the first keys of its cells are those of their parent.
func (b *binder) parents() []int {
	parents := make([]int, len(b.plan.steps))
	before := 0
	for i, step := range b.plan.steps {
		level, _ := b.model.LevelOfKey(step.Ref)
		parents[i] = before
		if !slices.ContainsFunc(level.Path, func(field string) bool { return b.isAmong(field, before) }) {
			above, _ := b.model.LevelOfKey(level.Parent) // none has no path
			parents[i] += len(above.Path)
		}
		before = step.Keys
	}
	return parents
}

// isAmong tells whether a field is one of the first keys.
func (b *binder) isAmong(field string, keys int) bool {
	return slices.ContainsFunc(b.plan.keys[:keys], func(c Column) bool { return c.Name == field })
}

// parentKeys is how many of its first keys tell the parent of a row.
func (a *assembly) parentKeys(e *entry) int {
	step := a.finish.stepOf(e.Cell)
	if step < 0 {
		return 0
	}
	return a.finish.parents[step]
}

// parentOf gives what a row is measured by; nil where there is no such thing: statements of the same money are never
// added.
func (a *assembly) parentOf(e *entry) *basis {
	if a.finish.parents == nil {
		return nil
	}
	n := a.parentKeys(e)
	if a.finish.by >= n {
		return nil
	}
	return a.parent(e, n)
}

// parentOfAll gives what the sum of rows is measured by; nil where they are members of several parents.
func (a *assembly) parentOfAll(rows []*entry) *basis {
	parent := a.parentOf(rows[0])
	if slices.ContainsFunc(rows, func(e *entry) bool { return a.parentOf(e) != parent }) {
		return nil
	}
	return parent
}
