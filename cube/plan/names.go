package plan

import (
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// names resolves the names of a question in a model.
type names struct{ *cube.Model }

// level gives the level whose key or label field a ref names. If the ref names a dimension instead, isField is false and there
// is neither a level nor an error.
func (m names) level(ref query.Ref) (level cube.Level, isField bool, err error) {
	level, ok := m.Level(ref.Name)
	_, isDimension := m.Dimension(ref.Name)
	switch {
	case ok && (ref.Dimension == "" || ref.Dimension == level.Dimension):
		return level, true, nil
	case ok:
		return cube.Level{}, false, cube.Errorf(cube.CodeUnknownRef, "dimension %q has no field %q", ref.Dimension, ref.Name).
			At(ref.At).WithHint("did you mean " + query.QuoteName(level.Dimension) + "." + query.QuoteName(ref.Name) + "?")
	case ref.Dimension == "" && isDimension:
		return cube.Level{}, false, nil
	}
	return cube.Level{}, false, m.unknownRef(ref)
}

// onlyChain gives the chain of the dimension that ref names, if it has only one.
func (m names) onlyChain(ref query.Ref) ([]cube.Level, error) {
	dimension, _ := m.Dimension(ref.Name)
	chains := dimension.Chains()
	if len(chains) == 1 {
		return chains[0], nil
	}
	return nil, cube.Errorf(cube.CodeAmbiguousRef, "dimension %q has %d chains", ref.Name, len(chains)).
		At(ref.At).WithHint("name one of its levels: " + strings.Join(refsOf(dimension.Levels), ", "))
}

// chainOf gives the only chain of a dimension, or the chain that ends in a level.
func (m names) chainOf(ref query.Ref) ([]cube.Level, error) {
	level, isField, err := m.level(ref)
	switch {
	case err != nil:
		return nil, err
	case !isField:
		return m.onlyChain(ref)
	}
	dimension, _ := m.Dimension(level.Dimension)
	return dimension.ChainTo(level), nil
}

// unknownRef is the error for a ref that names no level, with a hint at what was meant.
func (m names) unknownRef(ref query.Ref) error {
	if _, ok := m.Measure(ref.Name); ok {
		return cube.Errorf(cube.CodeUnknownRef, "%q is a measure, not a level", ref.Name).At(ref.At).
			WithHint("measures go into aggregates, as " + query.QuoteName(ref.Name) + ".sum")
	}
	if _, ok := m.Column(ref.Name); ok {
		return cube.Errorf(cube.CodeUnknownRef, "the model makes field %q no level of a dimension", ref.Name).At(ref.At).
			Listing("levels", refsOf(m.Levels()))
	}
	return cube.Errorf(cube.CodeUnknownRef, "no field or dimension %q", ref.String()).At(ref.At).
		Listing("levels", refsOf(m.Levels())).Meaning(ref.Name, m.refs())
}

// refs lists every name that a ref may use.
func (m names) refs() []string {
	var names []string
	for _, d := range m.Dimensions() {
		for _, l := range d.Levels {
			names = append(names, l.Ref)
			if l.LabelRef != "" {
				names = append(names, l.LabelRef)
			}
		}
		names = append(names, d.Name)
	}
	return names
}

func refsOf(levels []cube.Level) []string {
	return each.Text(levels, func(l cube.Level) string { return l.Ref })
}

// columns gives the columns of fields, which must be those of the model.
func (m names) columns(fields []string) []cube.Column {
	columns := make([]cube.Column, len(fields))
	for i, field := range fields {
		columns[i], _ = m.Column(field)
	}
	return columns
}
