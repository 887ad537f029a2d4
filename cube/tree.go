package cube

import "strconv"

// Tree is a question about the members of a chain: those under a path, so many levels down.
type Tree struct {
	Ref   Ref      // of a dimension with one chain, or of the level that a chain ends in
	Path  []string // keys from the top, as ParsePath reads them; none for the top itself
	Depth int      // how many levels; at least 1
}

// DefaultDepth is how many levels of a tree are told where nothing is said: who opens a member asks for those under it.
const DefaultDepth = 1

// ParsePath reads the text of the parameter path: values joined by slashes.
func ParsePath(text string) ([]string, error) { return parseKeys("path", text) }

// ParseDepth reads the text of the parameter depth.
func ParseDepth(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, Errorf(CodeBadValue, "depth is %q, not a whole number from 1", text).at(Position{Parameter: "depth"}).
			or("write depth=2")
	}
	return n, nil
}

// BindTree binds the question that answers a tree: a rollup over the levels of the chain below the path, of all that
// the query asks besides; having chooses among its rows. The query has no drilldown of its own.
func (c *Cube) BindTree(q Query, t Tree) (*Plan, error) {
	chain, err := c.Model.chainOf(t.Ref)
	if err != nil {
		return nil, err
	}
	fields := chain[len(chain)-1].Path
	start := levelsCovered(chain, len(t.Path))
	if len(t.Path) > len(fields) || start == len(chain) {
		return nil, Errorf(CodeBadValue, "nothing is under a path of %d keys: %s is the last level", len(t.Path),
			chain[len(chain)-1].Ref).at(Position{Parameter: "path"}).or("ask for a shorter path")
	}
	for i, key := range t.Path {
		at := Position{Parameter: "path"}
		q.Cuts = append(q.Cuts, Cut{Ref: Ref{Name: fields[i], At: at}, Items: []Item{{Path: []string{key}, At: at}}})
	}
	for _, level := range chain[start:min(len(chain), start+t.Depth)] {
		q.Drilldown = append(q.Drilldown, Ref{Name: level.Ref})
	}
	q.Rollup, q.Page, q.nodes = true, Every, true
	return c.Bind(q)
}

// levelsCovered counts the levels of a chain that the first keys of a path name.
func levelsCovered(chain []Level, keys int) int {
	n := 0
	for n < len(chain) && len(chain[n].Path) <= keys {
		n++
	}
	return n
}

// PathOf gives the path of a cell's member of the step that its last key is of, so that ParsePath reads it again.
func (p *Plan) PathOf(cell Cell) string {
	level, ok := p.levelOf(cell)
	if !ok {
		return ""
	}
	values := make([]Value, len(level.Path))
	for i, field := range level.Path {
		values[i] = cell.Keys[p.keyNamed(field)]
	}
	return PathText(values)
}
