package history

import (
	"maps"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/findings"
)

// A member's labels of consecutive years are compared, as they are shown; years without a label are passed over.
//
//  1. Labels that differ in spelling only (sameName) are no break, nor are two of which one year has both.
//  2. The code is reused if the new label was another member's before and is not any more, or if the two labels have no
//     word in common. It is not if the member is known again by its children (children.know).
//  3. The code is reused, too, if that of the parent is and the parent's level is numbered anew.
//  4. Else the label has changed. So has one that comes back in a later year, unless by rule 3 or the first half of rule 2.
//  5. A level is numbered anew in a year if the codes of many of its members are reused from then on.
//
// A code that is missing means nothing, so its labels are not compared.

// Breaks are the breaks of the members of a level.
type Breaks struct {
	list       []cube.LabelBreak // by member and year
	renumbered []cube.Renumbered
}

// change is a label of a member that differs from that of the year before.
type change struct {
	cube.LabelBreak
	member        int
	before, after name
	returns       bool // the member had the new label before, or has the former one again
	moved         bool // the new label was another member's
}

// FindBreaks finds the breaks in the labels of a level's members, and numbers the meanings of their codes. Those of the
// parent level have been found. Below are the members of the next labelled level below, if there is one.
func FindBreaks(level cube.Level, list []cube.Member, parent Breaks, below []cube.Member) Breaks {
	changes, followed := labelChanges(level, list)
	markMoved(changes, list)
	for i := range changes {
		c := &changes[i]
		c.Reused = c.moved || !c.returns && !sharesWord(c.before, c.after)
	}
	above, children := parent.reusedAnew(), childrenOf(changes, below)
	found, reused := Breaks{}, map[int64]int64{}
	for i := range changes {
		c := &changes[i]
		c.Reused = above.has(c.LabelBreak) || c.Reused && !children.know(c.LabelBreak)
		if c.Reused {
			reused[c.First]++
		}
		found.list = append(found.list, c.LabelBreak)
	}
	numberMeanings(list, changes)
	for _, year := range slices.Sorted(maps.Keys(reused)) {
		if isRenumbered(reused[year], followed[year]) {
			found.renumbered = append(found.renumbered, cube.Renumbered{Level: level.Ref, Year: year, Members: reused[year], Of: followed[year]})
		}
	}
	return found
}

// isRenumbered tells whether the reused codes are too many for single changes. In the budget of Mexico 20 of 21 functions and
// 42 of 43 subfunctions are reused when the classification is numbered anew, but 36 of 613 programmes from 2008 to 2010.
func isRenumbered(reused, of int64) bool { return reused >= 3 && 4*reused >= of }

// reusedPaths are the paths of members whose codes are reused in years in which their level is numbered anew.
type reusedPaths struct {
	length int // of the paths
	years  map[string][]int64
}

func (b Breaks) reusedAnew() reusedPaths {
	p, anew := reusedPaths{years: map[string][]int64{}}, map[int64]bool{}
	for _, r := range b.renumbered {
		anew[r.Year] = true
	}
	for _, found := range b.list {
		if found.Reused && anew[found.First] {
			key := pathKey(found.Path)
			p.length, p.years[key] = len(found.Path), append(p.years[key], found.First)
		}
	}
	return p
}

// has tells whether a break is in a year in which the code of the member's parent is reused.
func (p reusedPaths) has(b cube.LabelBreak) bool {
	return p.length > 0 && slices.Contains(p.years[pathKey(b.Path[:p.length])], b.First)
}

func pathKey(path []string) string { return strings.Join(path, "\x00") } // no cell holds a NUL

// numberMeanings numbers the meanings that the code of each member has, one for each year from which it is reused.
func numberMeanings(list []cube.Member, changes []change) {
	for len(changes) > 0 {
		labels, meaning := list[changes[0].member].Labels, int64(0)
		own := slices.IndexFunc(changes, func(c change) bool { return c.member != changes[0].member })
		if own < 0 {
			own = len(changes)
		}
		for i, next := len(labels)-1, 0; i >= 0; i-- { // the earliest year first
			year, dated := labels[i].Year.Int()
			for ; dated && next < own && changes[next].First <= year; next++ {
				if changes[next].Reused {
					meaning++
				}
			}
			labels[i].Meaning = meaning
		}
		if meaning > 0 {
			markUndated(labels)
		}
		changes = changes[own:]
	}
}

// markUndated marks the labels without a year as those of a code of which nobody knows what it means there.
func markUndated(labels []cube.Label) {
	for i, l := range labels {
		if l.Year.IsMissing() {
			labels[i].Meaning = -1
		}
	}
}

// labelChanges lists the labels that differ from those before them by more than spelling, and counts for each year the
// members that have a label in it and an earlier one.
func labelChanges(level cube.Level, list []cube.Member) (changes []change, followed map[int64]int64) {
	followed = map[int64]int64{}
	for i, m := range list {
		if ownKey(m).IsMissing() {
			continue
		}
		own := len(changes)
		var before cube.Label
		for _, after := range slices.Backward(m.Labels) { // the earliest year first
			year, dated := after.Year.Int()
			if !after.Shown || !dated || after.Text == "" {
				continue
			}
			last, had := before.Year.Int()
			if had {
				followed[year]++
			}
			if had && before.Text != after.Text {
				c := change{member: i, before: nameOfMember(m, before.Text), after: nameOfMember(m, after.Text)}
				if !c.after.isName() {
					continue
				}
				c.LabelBreak = cube.LabelBreak{Level: level.Ref, Path: KeysOf(m), Before: before.Text, After: after.Text, Last: last, First: year}
				if c.before.isName() && !sameName(c.before, c.after) && !haveInCommon(m, c) {
					changes = append(changes, c)
				}
			}
			before = after
		}
		markReturns(changes[own:])
	}
	return changes, followed
}

// haveInCommon tells whether rows of the year before have the new label too, or rows of the new year the former one.
func haveInCommon(m cube.Member, c change) bool {
	others := func(year int64, n name) bool {
		return slices.ContainsFunc(m.Labels[since(m, year+1):since(m, year)], func(l cube.Label) bool {
			return !l.Shown && sameName(nameOf(l.Text), n)
		})
	}
	return others(c.Last, c.after) || others(c.First, c.before)
}

// since counts the labels of a year or a later one; they come before others.
func since(m cube.Member, year int64) int {
	i, _ := slices.BinarySearchFunc(m.Labels, year, func(l cube.Label, year int64) int {
		if y, dated := l.Year.Int(); dated && y >= year {
			return -1
		}
		return 1
	})
	return i
}

// markReturns marks the changes of a member to a label that it had before, and those from a label that it has again.
func markReturns(changes []change) {
	from := map[string][]int{} // the changes from a label that it does not have again so far
	for i := range changes {
		c := &changes[i]
		for _, j := range from[c.after.key()] {
			changes[j].returns, c.returns = true, true
		}
		delete(from, c.after.key())
		from[c.before.key()] = append(from[c.before.key()], i)
	}
}

// holder is a member with the first year in which it has a name.
type holder struct {
	member int
	year   int64
}

// mostHolders is how many members may have a name that says which of them is meant, unlike "Others".
const mostHolders = 3

// markMoved marks the changes to a label that another member had before and does not have from then on. A member with the
// same key under another parent is none other. Only the holders of the new labels are kept.
func markMoved(changes []change, list []cube.Member) {
	if len(changes) == 0 {
		return
	}
	holders := map[string][]holder{}
	for _, c := range changes {
		holders[c.after.key()] = nil
	}
	for i, m := range list {
		last := ""
		for _, l := range slices.Backward(m.Labels) {
			year, dated := l.Year.Int()
			if !l.Shown || !dated || l.Text == last {
				continue
			}
			last = l.Text
			key := nameOf(l.Text).key()
			if known, asked := holders[key]; asked && len(known) <= mostHolders && !isHeld(known, i) {
				holders[key] = append(known, holder{i, year})
			}
		}
	}
	for i := range changes {
		c := &changes[i]
		known := holders[c.after.key()]
		c.moved = len(known) <= mostHolders && !sameButForNumbers(c.before, c.after) && slices.ContainsFunc(known, func(h holder) bool {
			return h.year < c.First && ownKey(list[h.member]) != ownKey(list[c.member]) && !isCalled(list[h.member], c.after, c.First)
		})
	}
}

// isHeld tells whether a member, of which the last holder is one, is known.
func isHeld(known []holder, member int) bool {
	return len(known) > 0 && known[len(known)-1].member == member
}

// KeysOf gives the path of a member as texts.
func KeysOf(m cube.Member) []string {
	path := make([]string, len(m.Path))
	for i, key := range m.Path {
		path[i] = key.String()
	}
	return path
}

func ownKey(m cube.Member) cube.Value { return m.Path[len(m.Path)-1] }

// isCalled tells whether a member has a name in a year or, without a label in that year, in the next one that has a label.
func isCalled(m cube.Member, n name, year int64) bool {
	for _, l := range slices.Backward(m.Labels[:since(m, year)]) {
		if l.Shown && l.Text != "" {
			return sameName(nameOf(l.Text), n)
		}
	}
	return false
}

// Bounds of what the history keeps of a level, which is held in memory.
const (
	mostBreaks     = 10_000
	mostBreakBytes = 8 << 20 // of paths and labels
	longestLabel   = 300     // characters of a label, which goes on in …
)

// AddTo adds the breaks to a history.
func (b Breaks) AddTo(h *cube.LabelHistory) {
	h.Breaks = append(h.Breaks, b.Kept()...)
	h.Renumbered = append(h.Renumbered, b.renumbered...)
}

// All gives all breaks.
func (b Breaks) All() []cube.LabelBreak { return b.list }

// Renumbered gives the years in which the level is numbered anew.
func (b Breaks) Renumbered() []cube.Renumbered { return b.renumbered }

// Kept gives the breaks that there is room for, those of reused codes before others, with labels of a bounded length.
func (b Breaks) Kept() []cube.LabelBreak {
	kept, bytes := slices.Clone(b.list), 0
	for i := range kept {
		kept[i].Before, kept[i].After = findings.ClipTo(longestLabel, kept[i].Before), findings.ClipTo(longestLabel, kept[i].After)
		bytes += bytesOf(kept[i])
	}
	if len(kept) <= mostBreaks && bytes <= mostBreakBytes {
		return kept
	}
	slices.SortStableFunc(kept, func(a, b cube.LabelBreak) int { return compareBools(a.Reused, b.Reused) })
	bytes = 0
	for i := range kept {
		if bytes += bytesOf(kept[i]); i == mostBreaks || bytes > mostBreakBytes {
			return kept[:i]
		}
	}
	return kept
}

func bytesOf(b cube.LabelBreak) int {
	bytes := len(b.Before) + len(b.After)
	for _, key := range b.Path {
		bytes += len(key)
	}
	return bytes
}
