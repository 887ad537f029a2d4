package babbage

import (
	"slices"
	"strings"

	"fiscube/cube"
)

// A ref may tell the hierarchy that a level is in: dim@hier, where dim is a level, and dim@hier:level, where it may be
// the dimension that the hierarchy leads down through. Our own grammar ends names at a colon, so the one inside such a
// ref is written as another @ before the text is parsed; every other place of the text stays where it was.
const hierarchySign = "@"

// prepared writes the text of a parameter as our own grammar reads it.
func (n *Names) prepared(text string, g grammar) string { return n.joined(g.tidy(text), g) }

// joined writes refs with a hierarchy as names.
func (n *Names) joined(text string, g grammar) string {
	if !strings.Contains(text, hierarchySign) {
		return text
	}
	runes, start, s := []rune(text), 0, g.scan()
	for i, r := range runes {
		behindRef := r == ':' && !s.quoted && !s.inValue
		s.next(r)
		switch {
		case behindRef && n.endsInHierarchy(string(runes[start:i])) && g.levelAhead(runes[i+1:]):
			runes[i], s.front, s.inValue = '@', false, false
		case s.front && !s.inValue:
			start = i + 1
		}
	}
	return string(runes)
}

// endsInHierarchy tells whether a ref does, and is not the name of a field that only looks so.
func (n *Names) endsInHierarchy(ref string) bool {
	ref = strings.TrimPrefix(ref, "!")
	_, named := n.named(refOf(ref))
	return !named && strings.Count(ref, hierarchySign) == 1 && !strings.Contains(ref, `"`)
}

// levelAhead tells whether a level of the hierarchy stands behind its colon. In a cut another colon has to follow it:
// what else stands there is a value.
func (g grammar) levelAhead(text []rune) bool {
	end := slices.IndexFunc(text, func(r rune) bool { return r != '.' && strings.ContainsRune(cube.NameEnds, r) })
	if end < 0 {
		return len(text) > 0 && !g.follows(string(text))
	}
	return end > 0 && (text[end] == ':' || !g.follows(string(text[:end])))
}

// refOf takes a ref apart at its point.
func refOf(text string) cube.Ref {
	if dimension, attribute, ok := strings.Cut(text, "."); ok {
		return cube.Ref{Dimension: dimension, Name: attribute}
	}
	return cube.Ref{Name: text}
}

// splitAtHierarchy takes a ref apart at its hierarchy.
func splitAtHierarchy(ref cube.Ref) []string {
	text := ref.Name
	if ref.Dimension != "" {
		text = ref.Dimension + "." + text
	}
	return strings.Split(text, hierarchySign)
}

// asAsked writes a ref as it was asked.
func asAsked(ref cube.Ref) string {
	if asked := splitAtHierarchy(ref); len(asked) == 3 {
		return asked[0] + hierarchySign + asked[1] + ":" + asked[2]
	}
	return ref.String()
}

// ofHierarchy finds what a ref with a hierarchy names, which has to be on the way down through that.
func (n *Names) ofHierarchy(ref cube.Ref) (resolved, bool) {
	asked := splitAtHierarchy(ref)
	if len(asked) < 2 || len(asked) > 3 {
		return resolved{}, false
	}
	h, known := n.hierarchy(strings.TrimSpace(asked[1]))
	found, named := n.named(refOf(asked[0]))
	whole := n.dimensionCalled(strings.TrimSpace(asked[0])) == h.dimension.Name
	if named && len(asked) == 3 {
		found, named = n.below(found, whole, refOf(asked[2]))
		whole = false
	}
	if !known || !named || !whole && !h.has(found.fields[0]) {
		return resolved{}, false
	}
	found.alias = ""
	return found, true
}

// below finds the level behind a hierarchy: any of a whole dimension, and of a level itself.
func (n *Names) below(above resolved, whole bool, ref cube.Ref) (resolved, bool) {
	found, named := n.named(ref)
	if !named || whole {
		return found, named
	}
	upper, isLevel := n.model.Level(above.fields[0])
	level, _ := n.model.Level(found.fields[0])
	return found, isLevel && upper.Ref == level.Ref
}

// hierarchy finds a hierarchy by its id, or the first of a dimension by that.
func (n *Names) hierarchy(name string) (hierarchy, bool) {
	i := slices.IndexFunc(n.hierarchies, func(h hierarchy) bool { return h.id == name })
	if i < 0 {
		i = slices.IndexFunc(n.hierarchies, func(h hierarchy) bool { return h.first && h.dimension.Name == name })
	}
	if i < 0 {
		return hierarchy{}, false
	}
	return n.hierarchies[i], true
}

// has tells whether a field is the key or the label of a level on the way down.
func (h hierarchy) has(field string) bool {
	return slices.ContainsFunc(h.chain, func(l cube.Level) bool { return l.Ref == field || l.LabelRef == field })
}

// inHierarchies lists the refs of levels with the hierarchies that lead through them.
func (n *Names) inHierarchies() []string {
	var list []string
	for _, h := range n.hierarchies {
		for _, l := range h.chain {
			list = append(list, n.ids[l.Ref]+hierarchySign+h.id)
		}
	}
	return list
}
