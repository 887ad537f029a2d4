package fdp

import (
	"maps"

	"fiscube/cube"
)

// linkLevels gives the levels their parents, the fields they are within, labels and titles. It runs when all
// of them are in place.
func (a *applying) linkLevels() {
	for _, l := range a.overlay.levels {
		level := a.draft.Level(l.name)
		if level == nil {
			continue // reported
		}
		a.linkParent(level, l)
		a.linkWithin(level, l)
		if l.split {
			level.LabelRef = l.name + "_label"
		} else if a.labels[l.label.name] == l.ref {
			level.LabelRef = l.label.name
		}
		if l.titles != nil {
			level.Titles = maps.Clone(l.titles)
		}
	}
}

func (a *applying) linkParent(level *cube.Level, l levelOverlay) {
	if l.parent.name == "" || a.level(l.parent) == nil {
		return
	}
	if own, other := a.dimensionOf(l.name), a.dimensionOf(l.parent.name); own != other {
		a.add(l.parent.place, "%s is a level of %s, not of %s", quote(l.parent.name), quote(other), quote(own))
		return
	}
	level.Parent = l.parent.name
}

func (a *applying) linkWithin(level *cube.Level, l levelOverlay) {
	if l.within == nil {
		return
	}
	level.Within = nil
	for _, field := range l.within {
		if a.level(field) == nil {
			continue
		}
		if field.name == l.name {
			a.add(field.place, "%s cannot be within itself", quote(field.name))
			continue
		}
		level.Within = append(level.Within, field.name)
	}
}

// dimensionOf names the dimension of a level.
func (a *applying) dimensionOf(level string) string {
	for _, d := range a.draft.Dimensions {
		for _, l := range d.Levels {
			if l.Ref == level {
				return d.Name
			}
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
