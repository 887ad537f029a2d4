package babbage

import (
	"strconv"
	"strings"

	"fiscube/api/reply"
	"fiscube/cube"
)

// What a ref can be expected to name.
const (
	anAttribute = "dimension or attribute"
	anAggregate = "aggregate"
	aField      = "attribute or measure"
)

// refuse says that nothing has the name of a ref.
func (n *Names) refuse(ref cube.Ref, what string) error {
	err := cube.Errorf(cube.CodeUnknownRef, "no %s %q", what, asAsked(ref))
	err.Position = &ref.At
	allowed := n.attributes()
	switch {
	case what == anAggregate:
		allowed = n.aggregateNames()
	case len(splitAtHierarchy(ref)) > 1:
		allowed = n.inHierarchies()
	case what == aField:
		allowed = append(allowed, n.measures()...)
	}
	err.Hint = hint(asAsked(ref), allowed)
	return &reply.Refused{Mistake: err, Allowed: allowed}
}

// mostHinted is how many names a hint lists.
const mostHinted = 3

// hint tells the name that was probably meant, else a few of those there are.
func hint(asked string, allowed []string) string {
	if near := cube.Nearest(asked, allowed); near != "" {
		return "did you mean " + near + "?"
	}
	few := strings.Join(allowed[:min(len(allowed), mostHinted)], ", ")
	switch more := len(allowed) - mostHinted; {
	case few == "":
		return ""
	case more > 0:
		return "name one of them: " + few + " and " + strconv.Itoa(more) + " more"
	}
	return "name one of them: " + few
}

// attributes lists the refs that can be drilled and cut.
func (n *Names) attributes() []string {
	var refs []string
	for _, l := range n.model.Levels() {
		for _, field := range attributesOf(l) {
			refs = append(refs, n.Field(field))
		}
	}
	return refs
}

// measures lists the ids of the measures.
func (n *Names) measures() []string {
	var ids []string
	for _, m := range n.model.Measures() {
		ids = append(ids, n.ids[m.Ref])
	}
	return ids
}

// aggregateNames lists what an answer has where nothing else is asked.
func (n *Names) aggregateNames() []string {
	names := []string{string(cube.Rows)}
	for _, id := range n.measures() {
		names = append(names, sumOf(id))
	}
	return names
}

func sumOf(measure string) string { return measure + "." + string(cube.Sum) }
