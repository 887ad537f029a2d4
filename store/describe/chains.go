package describe

import (
	"slices"

	"fiscube/store/evidence"
)

// linkChains links levels whose names share no word, such as Cabinet, Dept and Program, where the cells prove that one lies below another
// and nothing speaks against it. The upper stands before the lower, has fewer members, and at least one of the names says nothing of what
// its level is about; but programmes without codes may lie below offices without codes. No column decides the upper that has nothing to do
// with the lower: what several unrelated ones decide is no part of their chains. Then either
//   - in all rows the lower decides the upper, and they stand beside each other where one has codes;
//   - both are names without codes, and nearly all names stand below one, though no name above has most rows. Those that stand below several
//     are told apart by the level above, as the Administration of two departments is.
func (k *linking) linkChains(levels []*level) {
	if !k.inOrder {
		return
	}
	for _, below := range levels {
		var lowest *level
		var why evidence.Agreement
		for _, above := range levels {
			a := k.decides(below, above)
			if below.parent == nil && k.mayChain(above, below) && (proves(levels, above, below, a) || namesProve(above, below, a)) && !k.isCoincidence(levels, above, below) &&
				(lowest == nil || above.members >= lowest.members) {
				lowest, why = above, a
			}
		}
		if lowest == nil {
			continue
		}
		k.setParent(below, lowest, why)
		if why.Agree < why.Rows {
			below.parentWhy = together(below.parentWhy, say("below-one", "Names", why.Single, "All", why.Kinds))
		}
		joinChain(levels, lowest, below)
	}
}

// mayChain tells whether a level may lie below another by their order, names and members.
func (k *linking) mayChain(above, below *level) bool {
	bare := func(l *level) bool { return l.label == nil && !l.split && !l.column.HoldsWords() }
	programmes := above.concept == administrative && below.concept == activity && above.isNamed() && below.isNamed()
	series := isSeries(above, below)
	return above.column.At < below.column.At && !bare(above) && !bare(below) && !above.isAbove(below) && (above.group != below.group || series) &&
		(above.isUnknown() && (below.isUnknown() || below.isKnown()) || above.isKnown() && below.isUnknown() || programmes) &&
		above.members >= 2 && (below.members*2 >= above.members*3 || series && below.members > above.members)
}

// proves tells whether a level decides another in all rows.
func proves(levels []*level, above, below *level, a evidence.Agreement) bool {
	return a.Agree == a.Rows && a.Convinces() && (above.isNamed() && below.isNamed() || !above.hasBetween(levels, below))
}

// isCoincidence tells whether a column decides the upper of two levels that has nothing to do with the lower.
func (k *linking) isCoincidence(levels []*level, above, below *level) bool {
	return slices.ContainsFunc(levels, func(other *level) bool {
		decides := k.decides(other, above)
		return other != above && other != below && other.concept != fact && decides.Share(98) && decides.Convinces() &&
			!k.decides(other, below).Share(98) && !k.decides(below, other).Share(98)
	})
}

// namesProve tells whether nearly all names stand below one.
func namesProve(above, below *level, a evidence.Agreement) bool {
	var most int64
	for _, v := range above.column.Values {
		most = max(most, v.Rows)
	}
	few := a.Rows >= 3*a.Kinds && most*2 <= above.column.Cells && (a.Share(98) || a.Share(60) && a.Single*10 >= a.Kinds*9)
	if isSeries(above, below) {
		few = a.Rows >= 2*a.Kinds && a.Share(85)
	}
	return few && a.Varies && above.isNamed() && below.isNamed()
}

// isNamed tells whether a level has names alone.
func (l *level) isNamed() bool { return l.label == nil && !l.split && l.column.HoldsWords() }

// hasBetween tells whether a level stands between two others.
func (l *level) hasBetween(levels []*level, other *level) bool {
	return slices.ContainsFunc(levels, func(between *level) bool {
		return l.column.At < between.column.At && between.column.At < other.column.At
	})
}

// isSeries tells whether the names of two levels are alike but for a number, which goes up by one.
func isSeries(above, below *level) bool {
	first, second := numberIn(above.column.Words), numberIn(below.column.Words)
	differ := 0
	for i, word := range above.column.Words {
		if i >= len(below.column.Words) || word != below.column.Words[i] {
			differ++
		}
	}
	return first > 0 && second == first+1 && differ == 1 && len(above.column.Words) == len(below.column.Words)
}

// joinChain puts what hangs together with two levels into one dimension: the one that is known.
func joinChain(levels []*level, above, below *level) {
	known := above
	if !above.isKnown() && below.isKnown() {
		known = below
	}
	group, concept, why := known.group, known.concept, say("as", "Level", shown(known.column.Name))
	for _, l := range levels {
		if top := l.top(); top == above.top() {
			l.group, l.concept = group, concept
			if l.conceptWhy == nil && known.isKnown() {
				l.conceptWhy = why
			}
		}
	}
}

// top gives the highest level above a level, or itself.
func (l *level) top() *level {
	for range 100 {
		if l.parent == nil {
			break
		}
		l = l.parent
	}
	return l
}
