package describe

import (
	"slices"
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
		var why agreement
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
		if why.agree < why.rows {
			below.parentWhy = together(below.parentWhy, say("below-one", "Names", why.single, "All", why.kinds))
		}
		joinChain(levels, lowest, below)
	}
}

// mayChain tells whether a level may lie below another by their order, names and members.
func (k *linking) mayChain(above, below *level) bool {
	bare := func(l *level) bool { return l.label == nil && !l.split && !l.column.holdsWords() }
	programmes := above.concept == administrative && below.concept == activity && above.isNamed() && below.isNamed()
	series := isSeries(above, below)
	return above.column.at < below.column.at && !bare(above) && !bare(below) && !above.isAbove(below) && (above.group != below.group || series) &&
		(above.isUnknown() && (below.isUnknown() || below.isKnown()) || above.isKnown() && below.isUnknown() || programmes) &&
		above.members >= 2 && (below.members*2 >= above.members*3 || series && below.members > above.members)
}

// proves tells whether a level decides another in all rows.
func proves(levels []*level, above, below *level, a agreement) bool {
	return a.agree == a.rows && a.convinces() && (above.isNamed() && below.isNamed() || !above.hasBetween(levels, below))
}

// isCoincidence tells whether a column decides the upper of two levels that has nothing to do with the lower.
func (k *linking) isCoincidence(levels []*level, above, below *level) bool {
	return slices.ContainsFunc(levels, func(other *level) bool {
		decides := k.decides(other, above)
		return other != above && other != below && other.concept != fact && decides.share(98) && decides.convinces() &&
			!k.decides(other, below).share(98) && !k.decides(below, other).share(98)
	})
}

// namesProve tells whether nearly all names stand below one.
func namesProve(above, below *level, a agreement) bool {
	var most int64
	for _, v := range above.column.values {
		most = max(most, v.rows)
	}
	few := a.rows >= 3*a.kinds && most*2 <= above.column.cells && (a.share(98) || a.share(60) && a.single*10 >= a.kinds*9)
	if isSeries(above, below) {
		few = a.rows >= 2*a.kinds && a.share(85)
	}
	return few && a.varies && above.isNamed() && below.isNamed()
}

// isNamed tells whether a level has names alone.
func (l *level) isNamed() bool { return l.label == nil && !l.split && l.column.holdsWords() }

// hasBetween tells whether a level stands between two others.
func (l *level) hasBetween(levels []*level, other *level) bool {
	return slices.ContainsFunc(levels, func(between *level) bool {
		return l.column.at < between.column.at && between.column.at < other.column.at
	})
}

// isSeries tells whether the names of two levels are alike but for a number, which goes up by one.
func isSeries(above, below *level) bool {
	first, second := numberIn(above.column.words), numberIn(below.column.words)
	differ := 0
	for i, word := range above.column.words {
		if i >= len(below.column.words) || word != below.column.words[i] {
			differ++
		}
	}
	return first > 0 && second == first+1 && differ == 1 && len(above.column.words) == len(below.column.words)
}

// joinChain puts what hangs together with two levels into one dimension: the one that is known.
func joinChain(levels []*level, above, below *level) {
	known := above
	if !above.isKnown() && below.isKnown() {
		known = below
	}
	group, concept, why := known.group, known.concept, say("as", "Level", shown(known.column.name))
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
