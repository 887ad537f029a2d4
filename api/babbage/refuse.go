package babbage

import "fiscube/cube"

// Refused is a mistake in a name, with the names there are.
type Refused struct {
	Mistake *cube.Error
	Allowed []string
}

// Error says what is wrong.
func (r *Refused) Error() string { return r.Mistake.Error() }

// Unwrap gives the mistake itself.
func (r *Refused) Unwrap() error { return r.Mistake }

// What a ref can be expected to name.
const (
	anAttribute = "dimension or attribute"
	anAggregate = "aggregate"
	aField      = "attribute or measure"
)

// refuse says that nothing has the name of a ref.
func (n *Names) refuse(ref cube.Ref, what string) error {
	err := cube.Errorf(cube.CodeUnknownRef, "no %s %q", what, told(ref))
	err.Position = &ref.At
	allowed := n.attributes()
	switch {
	case what == anAggregate:
		allowed = n.aggregateNames()
	case len(parts(ref)) > 1:
		allowed = n.inHierarchies()
	case what == aField:
		allowed = append(allowed, n.measures()...)
	}
	if near := cube.Nearest(told(ref), allowed); near != "" {
		err.Hint = "did you mean " + near + "?"
	}
	return &Refused{err, allowed}
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
