package cube

import (
	"cmp"
	"strings"
)

// What the names in a question mean in a model.

// levelOf resolves a ref that names a field, by its key or its label; false where it names a dimension.
func (m *Model) levelOf(ref Ref) (Level, bool, error) {
	level, ok := m.Level(ref.Name)
	_, isDimension := m.Dimension(ref.Name)
	switch {
	case ok && (ref.Dimension == "" || ref.Dimension == level.Dimension):
		return level, true, nil
	case ok:
		return Level{}, false, Errorf(CodeUnknownRef, "dimension %q has no field %q", ref.Dimension, ref.Name).
			at(ref.At).or("did you mean " + quoteName(level.Dimension) + "." + quoteName(ref.Name) + "?")
	case ref.Dimension == "" && isDimension:
		return Level{}, false, nil
	}
	return Level{}, false, m.unknownRef(ref)
}

// onlyChain gives the one chain of the dimension that ref names.
func (m *Model) onlyChain(ref Ref) ([]Level, error) {
	dimension, _ := m.Dimension(ref.Name)
	chains := dimension.Chains()
	if len(chains) == 1 {
		return chains[0], nil
	}
	return nil, Errorf(CodeAmbiguousRef, "dimension %q has %d chains", ref.Name, len(chains)).
		at(ref.At).or("name one of its levels: " + strings.Join(refsOf(dimension.Levels), ", "))
}

// chainOf gives the one chain of a dimension, or the chain that ends in a level.
func (m *Model) chainOf(ref Ref) ([]Level, error) {
	level, ok, err := m.levelOf(ref)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return m.onlyChain(ref)
	}
	dimension, _ := m.Dimension(level.Dimension)
	return dimension.chainTo(level), nil
}

// unknownRef says of a ref that names no level what it may have been meant to.
func (m *Model) unknownRef(ref Ref) error {
	if _, ok := m.Measure(ref.Name); ok {
		return Errorf(CodeUnknownRef, "%q is a measure, not a level", ref.Name).at(ref.At).
			or("measures go into aggregates, as " + quoteName(ref.Name) + ".sum")
	}
	if _, ok := m.Column(ref.Name); ok {
		return Errorf(CodeUnknownRef, "the model makes field %q no level of a dimension", ref.Name).at(ref.At).
			or(oneOf("levels", refsOf(m.Levels())))
	}
	return Errorf(CodeUnknownRef, "no field or dimension %q", ref.String()).at(ref.At).
		or(cmp.Or(didYouMean(ref.Name, m.refs()), oneOf("levels", refsOf(m.Levels()))))
}

// refs lists every name that a ref may use.
func (m *Model) refs() []string {
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

func refsOf(levels []Level) []string { return texts(levels, func(l Level) string { return l.Ref }) }

// columnsOf gives the columns of fields that the model is known to have.
func (m *Model) columnsOf(fields []string) []Column {
	columns := make([]Column, len(fields))
	for i, field := range fields {
		columns[i], _ = m.Column(field)
	}
	return columns
}
