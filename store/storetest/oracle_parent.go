package storetest

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// parent is what shares of the parent of a row are of: the cells that have the same members of what is drilled before
// the row's level and, if nothing on the path of that level is drilled before, of the level above it. Statements of the
// same money have none, nor has what is left over of cells of different parents.
func (r *rows) parent(n *node) *node {
	if n == r.total || n == r.kept || len(r.keys) == 0 {
		return r.total
	}
	if len(n.left) > 0 {
		return r.parentOfAll(n.left)
	}
	fields := r.parentFields(n)
	var columns []cube.Column
	for _, field := range fields {
		column, _ := r.model.Column(field)
		columns = append(columns, column)
	}
	switch {
	case r.plan.SummaryPlan() != nil && len(r.keys) == len(r.plan.Keys()) && !r.statementsApart(columns):
		return nil
	case len(fields) == 0:
		return r.total
	}
	return r.alike(fields)[r.membersOf(n, fields)]
}

// parentOfAll is the parent of every one of the cells, if they have the same.
func (r *rows) parentOfAll(cells []*node) *node {
	parents := map[*node]bool{}
	for _, n := range cells {
		parents[r.parent(n)] = true
	}
	if len(parents) > 1 {
		return nil
	}
	return r.parent(cells[0])
}

// parentFields names the keys that the children of one parent have in common.
func (r *rows) parentFields(n *node) []string {
	steps := r.plan.Steps()
	at := slices.IndexFunc(steps, func(s cube.Step) bool { return s.Keys == len(n.Keys) })
	var before []string
	if at > 0 {
		for _, c := range r.keys[:steps[at-1].Keys] {
			before = append(before, c.Name)
		}
	}
	level, _ := r.model.Level(steps[at].Ref)
	if slices.ContainsFunc(level.Path, func(f string) bool { return slices.Contains(before, f) }) || level.Parent == "" {
		return before
	}
	above, _ := r.model.Level(level.Parent)
	return append(before, above.Path...)
}

func (r *rows) placeOfKey(field string) int {
	return slices.IndexFunc(r.keys, func(c cube.Column) bool { return c.Name == field })
}

// membersOf is one text for what a row has in some fields.
func (r *rows) membersOf(n *node, fields []string) string {
	var members []cube.Value
	for _, field := range fields {
		members = append(members, n.Keys[r.placeOfKey(field)])
	}
	return pathText(members)
}

// alike adds up the cells that have the same in some fields.
func (r *rows) alike(fields []string) map[string]*node {
	name := strings.Join(fields, "\x00")
	if r.kin[name] == nil {
		cells := map[string][]*node{}
		for _, n := range r.all {
			cells[r.membersOf(n, fields)] = append(cells[r.membersOf(n, fields)], n)
		}
		r.kin[name] = map[string]*node{}
		for id, list := range cells {
			r.kin[name][id] = r.sumBy(fields, list)
		}
	}
	return r.kin[name]
}
