package fdp

import (
	"cmp"
	"maps"
	"slices"

	"fiscube/cube"
	"fiscube/internal/each"
)

// snapshotDimension holds the level that is made of the names of the resources.
const snapshotDimension = "snapshot"

// gatherDimensions lists the dimensions that there can be, as the package or the overlay describes them. One that
// loses its levels and gets others keeps its description and its order.
func (a *applying) gatherDimensions() {
	for _, d := range a.draft.Dimensions {
		d.Levels = nil
		a.dimensions = append(a.dimensions, d)
	}
	for _, described := range a.overlay.dimensions {
		d := a.dimension(described.name)
		if d == nil {
			a.dimensions = append(a.dimensions, cube.Dimension{Name: described.name, Type: "other"})
			d = a.dimension(described.name)
		}
		if described.classification != "" {
			d.Type, d.Classification = "classification", described.classification
		}
		if d.Type = cmp.Or(described.kind, d.Type); d.Type != "classification" {
			d.Classification = ""
		}
		if described.titles != nil {
			d.Titles = maps.Clone(described.titles)
		}
	}
	if a.overlay.snapshots.pattern != "" && a.dimension(snapshotDimension) == nil {
		a.dimensions = append(a.dimensions, cube.Dimension{Name: snapshotDimension, Type: "other"})
	}
}

// dimension gives a dimension that there can be, or nil.
func (a *applying) dimension(name string) *cube.Dimension {
	i := slices.IndexFunc(a.dimensions, func(d cube.Dimension) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return &a.dimensions[i]
}

// level gives the level of a name, or nil where there is none, which is reported.
func (a *applying) level(r ref) *cube.Level {
	if l := a.draft.Level(r.name); l != nil {
		return l
	}
	var names []string
	for _, d := range a.draft.Dimensions {
		names = append(names, each.Text(d.Levels, func(l cube.Level) string { return l.Ref })...)
	}
	a.unknown(r, "level", names)
	return nil
}

// leaveLevels takes a field out of the levels and their labels.
func (a *applying) leaveLevels(field string) {
	a.draft.RemoveLevel(field)
	if l := a.draft.LevelOfLabel(field); l != nil {
		l.LabelRef = ""
	}
}

// addLevel puts a level last in a dimension that there can be.
func (a *applying) addLevel(dimension string, l cube.Level) {
	if a.draft.Dimension(dimension) == nil {
		a.draft.Dimensions = append(a.draft.Dimensions, *a.dimension(dimension))
	}
	d := a.draft.Dimension(dimension)
	d.Levels = append(d.Levels, l)
}

// makeSnapshotLevel makes a level of the names of the resources, if these tell the snapshots apart.
func (a *applying) makeSnapshotLevel() {
	s := a.overlay.snapshots
	if s.pattern == "" {
		return
	}
	made := a.addColumn(s.by.place, cube.Column{
		Name: s.by.name, Type: cube.TypeText, From: &cube.Derivation{Rule: cube.RuleResource, Pattern: s.pattern},
	})
	if made {
		a.addLevel(snapshotDimension, cube.Level{Ref: s.by.name})
	}
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

// moveLevels makes levels and moves them between dimensions.
func (a *applying) moveLevels() {
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
			a.moveLevel(l)
		case a.draft.Level(l.name) == nil:
			a.add(l.place, "%s is no level yet: say its dimension", quote(l.name))
		default:
			c.Type = cmp.Or(cube.ColumnType(l.kind.name), c.Type)
		}
	}
}

// moveLevel puts a level last in the dimension that the overlay names, at the top. In another dimension it is a new
// level; in its own its children stay below it.
func (a *applying) moveLevel(l levelOverlay) {
	if a.dimension(l.dimension.name) == nil {
		names := each.Text(a.dimensions, func(d cube.Dimension) string { return d.Name })
		a.unknown(l.dimension, "dimension of the package or of this overlay", names)
		return
	}
	level := cube.Level{Ref: l.name}
	if now := a.draft.Level(l.name); now != nil {
		level = *now
		level.Parent = ""
	}
	if a.dimensionOf(l.name) == l.dimension.name {
		d := a.draft.Dimension(l.dimension.name)
		d.Levels = append(slices.DeleteFunc(d.Levels, func(l cube.Level) bool { return l.Ref == level.Ref }), level)
		return
	}
	a.leaveLevels(l.name)
	a.addLevel(l.dimension.name, level)
}

// linkLevels gives the levels their parents, the fields they are within, labels and titles. It runs when all
// of them are in their dimensions.
func (a *applying) linkLevels() {
	for _, l := range a.overlay.levels {
		level := a.draft.Level(l.name)
		if level == nil {
			continue // reported
		}
		if l.parent.name != "" && a.level(l.parent) != nil {
			if own, other := a.dimensionOf(l.name), a.dimensionOf(l.parent.name); own != other {
				a.add(l.parent.place, "%s is a level of %s, not of %s", quote(l.parent.name), quote(other), quote(own))
			} else {
				level.Parent = l.parent.name
			}
		}
		if l.within != nil {
			level.Within = nil
		}
		for _, field := range l.within {
			switch {
			case a.level(field) == nil:
			case field.name == l.name:
				a.add(field.place, "%s cannot be within itself", quote(field.name))
			default:
				level.Within = append(level.Within, field.name)
			}
		}
		if l.split {
			level.LabelRef = l.name + "_label"
		} else if a.labels[l.label.name] == l.ref {
			level.LabelRef = l.label.name
		}
		if l.titles != nil {
			level.Titles = maps.Clone(l.titles)
		}
		if l.by != nil {
			level.By = maps.Clone(l.by)
		}
	}
}

// dimensionOf names the dimension of a level.
func (a *applying) dimensionOf(level string) string {
	for _, d := range a.draft.Dimensions {
		if slices.ContainsFunc(d.Levels, func(l cube.Level) bool { return l.Ref == level }) {
			return d.Name
		}
	}
	return ""
}

// checkRings reports levels that are their own ancestors through a parent of the overlay.
func (a *applying) checkRings() {
	parents := map[string]string{}
	for _, d := range a.draft.Dimensions {
		for _, l := range d.Levels {
			parents[l.Ref] = l.Parent
		}
	}
	for _, l := range a.overlay.levels {
		if l.parent.name == "" {
			continue
		}
		above := parents[l.name]
		for range len(parents) {
			if above == l.name {
				a.add(l.parent.place, "the parents of %s form a ring", quote(l.name))
				break
			}
			above = parents[above]
		}
	}
}

// describeDimensions gives every dimension its description, in the order of the package and the overlay.
func (a *applying) describeDimensions() {
	for _, described := range a.overlay.dimensions {
		if a.draft.Dimension(described.name) == nil {
			names := each.Text(a.draft.Dimensions, func(d cube.Dimension) string { return d.Name })
			a.unknown(described.ref, "dimension with levels", names)
		}
	}
	var ordered []cube.Dimension
	for _, d := range a.dimensions {
		if now := a.draft.Dimension(d.Name); now != nil {
			d.Levels = now.Levels
			ordered = append(ordered, d)
		}
	}
	a.draft.Dimensions = ordered
}
