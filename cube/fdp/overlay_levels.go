package fdp

import (
	"cmp"
	"maps"
	"slices"

	"fiscube/cube"
)

// knowDimensions gathers what is known of every dimension. One that loses its levels and gets others is still
// what it was, and stands where it stood.
func (a *applying) knowDimensions() {
	for _, d := range a.draft.Dimensions {
		d.Levels = nil
		a.dimensions = append(a.dimensions, d)
	}
	for _, said := range a.overlay.dimensions {
		a.know(said)
	}
	if a.overlay.snapshots.pattern != "" && a.known(snapshotDimension) == nil {
		a.dimensions = append(a.dimensions, cube.Dimension{Name: snapshotDimension, Type: "other"})
	}
}

func (a *applying) know(said dimensionOverlay) {
	d := a.known(said.name)
	if d == nil {
		a.dimensions = append(a.dimensions, cube.Dimension{Name: said.name, Type: "other"})
		d = a.known(said.name)
	}
	if said.classification != "" {
		d.Type, d.Classification = "classification", said.classification
	}
	if d.Type = cmp.Or(said.kind, d.Type); d.Type != "classification" {
		d.Classification = ""
	}
	if said.titles != nil {
		d.Titles = maps.Clone(said.titles)
	}
}

// known gives what is known of a dimension, or nil.
func (a *applying) known(name string) *cube.Dimension {
	i := slices.IndexFunc(a.dimensions, func(d cube.Dimension) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &a.dimensions[i]
}

// takeLabels takes the fields that the overlay makes labels out of the levels.
func (a *applying) takeLabels() {
	for _, l := range a.overlay.levels {
		field := l.label
		if field.name == "" || a.column(field) == nil {
			continue
		}
		isLevel := slices.ContainsFunc(a.overlay.levels, func(other levelOverlay) bool { return other.name == field.name })
		other, taken := a.labels[field.name]
		switch {
		case isLevel:
			a.add(field.place, "%s is a level of this overlay, so it cannot be a label", quote(field.name))
		case taken:
			a.add(field.place, "%s is the label of %s already", quote(field.name), quote(other.name))
		case a.isAmount(field.name):
			a.add(field.place, "%s is an amount, no label", quote(field.name))
		default:
			a.labels[field.name] = l.ref
			a.leaveLevels(field.name)
		}
	}
}

// placeLevels makes levels and moves them between dimensions.
func (a *applying) placeLevels() {
	for _, l := range a.overlay.levels {
		c := a.column(l.ref)
		switch {
		case c == nil:
		case a.isAmount(l.name):
			a.add(l.place, "%s is an amount, no level", quote(l.name))
		case l.kind.name != "" && c.FiscalYear:
			a.add(l.kind.place, "the fiscal year is a whole number")
		case l.dimension.name != "":
			c.Type = cmp.Or(cube.ColumnType(l.kind.name), c.Type)
			a.place(l)
		case a.draft.Level(l.name) == nil:
			a.add(l.place, "%s is no level yet: say its dimension", quote(l.name))
		default:
			c.Type = cmp.Or(cube.ColumnType(l.kind.name), c.Type)
		}
	}
}

// place puts a level last in its dimension, at the top.
func (a *applying) place(l levelOverlay) {
	if a.known(l.dimension.name) == nil {
		var names []string
		for _, d := range a.dimensions {
			names = append(names, d.Name)
		}
		a.unknown(l.dimension, "dimension of the package or of this overlay", names)
		return
	}
	level := cube.Level{Ref: l.name}
	if now := a.draft.Level(l.name); now != nil {
		level = *now
		level.Parent = ""
	}
	if from := a.draft.Dimension(l.dimension.name); from != nil && a.takeOut(from, l.name) {
		from.Levels = append(from.Levels, level) // its children stay below it
		return
	}
	a.leaveLevels(l.name)
	a.addLevel(l.dimension.name, level)
}

// takeOut takes a level out of the list of its dimension.
func (a *applying) takeOut(d *cube.Dimension, name string) bool {
	count := len(d.Levels)
	d.Levels = slices.DeleteFunc(d.Levels, func(l cube.Level) bool { return l.Ref == name })
	return len(d.Levels) < count
}

// addLevel puts a level last in a known dimension.
func (a *applying) addLevel(dimension string, l cube.Level) {
	if a.draft.Dimension(dimension) == nil {
		a.draft.Dimensions = append(a.draft.Dimensions, *a.known(dimension))
	}
	d := a.draft.Dimension(dimension)
	d.Levels = append(d.Levels, l)
}

// describeDimensions gives every dimension what is known of it, in the order of the package and the overlay.
func (a *applying) describeDimensions() {
	for _, said := range a.overlay.dimensions {
		if a.draft.Dimension(said.name) == nil {
			a.unknown(said.ref, "dimension with levels", a.dimensionNames())
		}
	}
	var ordered []cube.Dimension
	for _, known := range a.dimensions {
		if d := a.draft.Dimension(known.Name); d != nil {
			known.Levels = d.Levels
			ordered = append(ordered, known)
		}
	}
	a.draft.Dimensions = ordered
}

func (a *applying) dimensionNames() []string {
	var names []string
	for _, d := range a.draft.Dimensions {
		names = append(names, d.Name)
	}
	return names
}
