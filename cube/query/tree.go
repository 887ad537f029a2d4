package query

import (
	"strconv"

	"fiscube/cube"
)

// Tree is a question for the members of a chain under a path, Depth levels down.
type Tree struct {
	Ref   Ref   // a dimension with one chain, or the level that a chain ends in
	Path  []Key // keys from the top, as ParsePath reads them; empty for the top itself
	Depth int   // how many levels; at least 1
}

// DefaultDepth is the default number of levels of a tree: opening a member shows its children.
const DefaultDepth = 1

// ParsePath reads the text of the parameter path: values joined by slashes.
func ParsePath(text string) ([]Key, error) { return parseKeys("path", text) }

// ParseDepth reads the text of the parameter depth.
func ParseDepth(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, cube.Errorf(cube.CodeBadValue, "depth is %q, not a whole number from 1", text).At(cube.Position{Parameter: "depth"}).
			WithHint("write depth=2")
	}
	return n, nil
}
