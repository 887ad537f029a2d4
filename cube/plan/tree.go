package plan

import (
	"fiscube/cube"
	"fiscube/cube/query"
)

// BindTree binds the question for a tree: the query, which has no drilldown, with a rollup over the levels of the chain
// below the path. Its conditions choose the nodes of the tree, not the cells that they add up.
func BindTree(c *cube.Cube, q query.Query, t query.Tree) (*Plan, error) {
	chain, err := names{c.Model}.chainOf(t.Ref)
	if err != nil {
		return nil, err
	}
	fields := names{c.Model}.columns(chain[len(chain)-1].Path)
	start := levelsCovered(c.Model, chain, len(t.Path))
	if len(t.Path) > len(query.KeyColumns(fields)) || start == len(chain) {
		return nil, cube.Errorf(cube.CodeBadValue, "nothing is under a path of %d keys: %s is the last level", len(t.Path),
			chain[len(chain)-1].Ref).At(cube.Position{Parameter: "path"}).WithHint("ask for a shorter path")
	}
	for i, key := range t.Path {
		at := cube.Position{Parameter: "path"}
		q.Cuts = append(q.Cuts, query.Cut{Ref: query.Ref{Name: query.KeyColumns(fields)[i].Name, At: at},
			Items: []query.Item{{Path: []query.Key{key}, At: at}}})
	}
	for _, level := range chain[start:min(len(chain), start+t.Depth)] {
		q.Drilldown = append(q.Drilldown, query.Ref{Name: level.Ref})
	}
	q.Rollup, q.Page, q.Nodes = true, query.Every, true
	return Bind(c, q)
}

// levelsCovered counts the levels of a chain that a path of that many keys names.
func levelsCovered(m *cube.Model, chain []cube.Level, keys int) int {
	n := 0
	for n < len(chain) && len(query.KeyColumns(names{m}.columns(chain[n].Path))) <= keys {
		n++
	}
	return n
}
