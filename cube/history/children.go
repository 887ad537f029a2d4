package history

import "fiscube/cube"

// A code whose new name has nothing in common with the former one may still be that of the same thing: of a ministry that was renamed,
// its offices go on. So a member is known again by its children, the members of the next labelled level below it, if all of these hold:
//
//  1. It has at least two children in the last year before the break, and in the first one after it.
//  2. Of the children with one code in both years, at least two thirds have one name, too (sameName).
//  3. These are at least half of the children in each of the years.
//
// A child with a code and a name that a child of another member has too, such as "Salaries" in each ministry, is not counted.

// fewestChildren is how many children a member must have to be known by them.
const fewestChildren = 2

// children are the members below some of the members of a level, by the paths of these.
type children struct {
	of     map[string][]cube.Member
	common map[string]bool // the codes and names, as childText, of children of several members
}

// childrenOf finds the children of the members with changes that are taken for codes reused.
func childrenOf(changes []change, below []cube.Member) children {
	found := children{of: map[string][]cube.Member{}, common: map[string]bool{}}
	length := 0
	for _, c := range changes {
		if c.Reused {
			length, found.of[pathKey(c.Path)] = len(c.Path), nil
		}
	}
	if length == 0 {
		return found
	}
	codes := map[cube.Value]bool{}
	for _, m := range below {
		parent := pathKey(KeysOf(m)[:length])
		if list, asked := found.of[parent]; asked {
			found.of[parent], codes[ownKey(m)] = append(list, m), true
		}
	}
	parents := map[string]string{}
	for _, m := range below {
		if !codes[ownKey(m)] {
			continue
		}
		parent, last := pathKey(KeysOf(m)[:length]), ""
		for _, l := range m.Labels {
			if l.Text == "" || l.Text == last {
				continue
			}
			last = l.Text
			text := childText(m, l.Text)
			if other, known := parents[text]; known && other != parent {
				found.common[text] = true
			}
			parents[text] = parent
		}
	}
	return found
}

// childText is the same for children with one code and one name.
func childText(m cube.Member, label string) string {
	return ownKey(m).String() + "\x00" + nameOf(label).key()
}

// know tells whether a member is known again after a break by its children.
func (all children) know(b cube.LabelBreak) bool {
	var before, after, both, alike int
	for _, m := range all.of[pathKey(b.Path)] {
		if ownKey(m).IsMissing() {
			continue
		}
		was, is := all.nameIn(m, b.Last), all.nameIn(m, b.First)
		if was.isName() {
			before++
		}
		if is.isName() {
			after++
		}
		if was.isName() && is.isName() {
			both++
			if sameName(was, is) {
				alike++
			}
		}
	}
	return min(before, after) >= fewestChildren && 3*alike >= 2*both && 2*alike >= max(before, after)
}

// nameIn gives the name of a child in a year, unless it is one of children of several members.
func (all children) nameIn(m cube.Member, year int64) name {
	for _, l := range m.Labels[since(m, year+1):since(m, year)] {
		if l.Shown && !all.common[childText(m, l.Text)] {
			return nameOfMember(m, l.Text)
		}
	}
	return name{}
}
