package describe

import (
	"cmp"
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/repair"
	"fiscube/store/evidence"
)

// figures gives those of evidence.
func figures(a evidence.Agreement) cube.Titles { return say("rows", "Agree", a.Agree, "Rows", a.Rows) }

// linkLevels finds the labels, parents and contexts of the levels in the rows, where no person says them.
func linkLevels(ctx context.Context, p *profile, r *roles, levels []*level, parents map[string]string) ([]*level, error) {
	levels, err := pairLabels(ctx, p, r, levels)
	if err != nil {
		return nil, err
	}
	if levels, err = addBeginnings(ctx, p, r, levels); err != nil {
		return nil, err
	}
	if err := findParents(ctx, p, r, levels); err != nil {
		return nil, err
	}
	if err := place(levels, parents); err != nil {
		return nil, err
	}
	return levels, findContexts(ctx, p, r, levels)
}

// pairLabels pairs further codes with labels that stand beside them, by their cells: behind the code, else before it, else two columns behind,
// which must be labels of one code each, and counts for each pair in how many rows
// the code decides the label.
func pairLabels(ctx context.Context, p *profile, r *roles, levels []*level) ([]*level, error) {
	in := p.Count(r.year.column)
	type beside struct {
		code, label        *level
		decides, isDecided *evidence.Dependency
	}
	var candidates []beside
	for _, away := range []int{1, -1, 2} { // the nearest first
		for _, code := range levels {
			for _, label := range levels {
				if code.column.At+away == label.column.At && !r.named[code.column] && code.mayHaveLabel(label) {
					candidates = append(candidates, beside{code, label, in.Ask(label.column, code.column), in.Ask(code.column, label.column)})
				}
			}
		}
	}
	named, joins := map[*level]*evidence.Dependency{}, map[*level]*evidence.Share{}
	for _, l := range levels {
		if l.label == nil {
			continue
		}
		named[l] = in.Ask(l.label, l.column)
		if l.label.Joined*100 >= l.label.Cells*repair.JoinedShare && l.label.Cells > 0 {
			joins[l] = in.Join(l.column, l.label)
		}
	}
	if err := in.Run(ctx); err != nil {
		return nil, err
	}
	for l, j := range joins {
		if l.splitLabel = j.Same*100 >= j.Rows*repair.JoinedShare; l.splitLabel {
			l.labelWhy = together(l.labelWhy, say("joins-same", "Joined", j.Same, "Cells", j.Rows))
		}
	}
	for l, d := range named {
		if a := d.Of(); a.Rows > 0 {
			l.labelWhy = together(l.labelWhy, say("one-each", "Evidence", figures(a), "Level", shown(l.column.Name), "Other", shown(l.label.Name)))
		}
	}
	taken := map[*level]bool{}
	for _, b := range candidates {
		there, back := b.decides.Of(), b.isDecided.Of()
		next := b.code.column.At+1 == b.label.column.At
		if taken[b.code] || taken[b.label] || b.code.label != nil || b.label.label != nil || !there.Share(99) || !back.Share(90) || !next && !back.Share(99) || !there.Convinces() {
			continue
		}
		taken[b.label] = true
		b.code.label = b.label.column
		b.code.labelWhy = say("one-beside", "Evidence", figures(there), "Level", shown(b.code.column.Name), "Other", shown(b.label.column.Name))
		r.pair(b.code.column, b.label.column, nil)
	}
	return slices.DeleteFunc(levels, func(l *level) bool { return taken[l] }), nil
}

// mayHaveLabel tells whether the cells of a level look like codes, and those of another like their labels.
func (l *level) mayHaveLabel(label *level) bool {
	code, text := l.column, label.column
	plain := func(l *level) bool { return l.label == nil && !l.split && l.time == noTime && !l.column.Many }
	return plain(l) && plain(label) && code.Longest <= 12 && text.Letters*10 >= text.Cells*9 && text.Longest > code.Longest &&
		(code.Letters == 0 || code.Longest <= 6) && code.Different() > 1
}

func levelOf(levels []*level, c *column) *level {
	return levels[slices.IndexFunc(levels, func(l *level) bool { return l.column == c })]
}

// findParents finds which levels lie below which. A level lies below another of its group if its members decide that one's.
func findParents(ctx context.Context, p *profile, r *roles, levels []*level) error {
	in := p.Count(r.year.column)
	counts, codes := map[*level]*evidence.Kinds{}, map[*level][]string{}
	links := &linking{in: in, inOrder: !p.isAlphabetical(), nested: map[[2]*level]*evidence.Share{}}
	groups := map[string][]*level{}
	for _, l := range levels {
		if l.column.Many || l.time == fiscalYear || l.time == statement {
			continue
		}
		counts[l], codes[l] = in.Kinds(l.key()), l.codes()
		groups[l.group] = append(groups[l.group], l)
	}
	if len(levels) <= mostLinked {
		for _, below := range levels {
			for _, above := range levels {
				sameGroup := below != above && below.group == above.group
				if sameGroup || below.isKnown() && above.isUnknown() || below.mayDecide(above) {
					in.Ask(above.column, below.key()...)
				}
				if sameGroup && codes[above] != nil && codes[below] != nil {
					links.nested[[2]*level{above, below}] = in.Nest(above.column, below.column, codes[above], codes[below])
				}
			}
		}
	}
	if err := in.Run(ctx); err != nil {
		return err
	}
	for l, n := range counts {
		l.members = n.Number()
	}
	for _, group := range groups {
		links.linkGroup(group)
	}
	links.linkChains(levels)
	links.attachUnknown(levels)
	return nil
}

// mayDecide tells whether a level has more members than another of another group, both of them no time, so that it may lie below it.
func (l *level) mayDecide(above *level) bool {
	linked := func(l *level) bool { return l.isKnown() || l.isUnknown() }
	return linked(l) && linked(above) && above.column.Different() >= 2 && max(l.column.Different(), l.labels()) > above.column.Different()
}

// labels is how many different labels a level has.
func (l *level) labels() int {
	if l.label == nil {
		return 0
	}
	return l.label.Different()
}

// mostLinked is how many levels are compared with each other.
const mostLinked = 150

// isAlphabetical tells whether the columns of the first file are sorted by name, so that their order says nothing of what they are.
func (p *profile) isAlphabetical() bool { return slices.IsSorted(p.forms[0].header) }

// linking links levels by what the rows showed.
type linking struct {
	in      *evidence.Count
	inOrder bool // columns stand in an order that somebody chose
	nested  map[[2]*level]*evidence.Share
}

func (k *linking) decides(below, above *level) evidence.Agreement {
	return k.in.Ask(above.column, below.key()...).Of()
}

// nests tells whether the codes of a level begin with those of another in all rows.
func (k *linking) nests(above, below *level) bool {
	n := k.nested[[2]*level{above, below}]
	return n != nil && n.Rows > 0 && n.Same == n.Rows
}

// linkGroup puts each level of a group below the lowest of those that it may lie below.
func (k *linking) linkGroup(group []*level) {
	above := map[*level][]*level{}
	for _, l := range group {
		for _, other := range group {
			if other != l && k.mayBeAbove(other, l) {
				above[l] = append(above[l], other)
			}
		}
	}
	lower := func(a, b *level) int {
		return cmp.Or(cmp.Compare(len(above[a]), len(above[b])), cmp.Compare(a.members, b.members), k.compareNames(a, b), cmp.Compare(a.column.At, b.column.At))
	}
	for _, l := range group {
		candidates := slices.DeleteFunc(above[l], func(other *level) bool { return l.isAbove(other) })
		if len(candidates) > 0 && l.parent == nil {
			lowest := slices.MaxFunc(candidates, lower)
			k.setParent(l, lowest, k.decides(l, lowest))
		}
	}
}

// mayBeAbove tells whether the members of a level decide those of another. Where both decide each other, their names and codes say
// which is above; where names say the contrary of the cells, no row may disagree.
func (k *linking) mayBeAbove(above, below *level) bool {
	a, named := k.decides(below, above), k.compareNames(above, below)
	switch {
	case !a.Share(98) || k.decides(above, below).Share(98) && named >= 0:
		return false
	case named > 0:
		return a.Agree == a.Rows && a.Convinces()
	}
	return named < 0 || a.Convinces()
}

// setParent puts a level below another, with the evidence.
func (k *linking) setParent(below, above *level, a evidence.Agreement) {
	below.parent = above
	below.parentWhy = say("one-each", "Evidence", figures(a), "Level", shown(below.column.Name), "Other", shown(above.column.Name))
	if k.nests(above, below) {
		below.parentWhy = say("begins", "Evidence", below.parentWhy)
	} else if !a.Convinces() {
		below.parentWhy = say("little", "Evidence", below.parentWhy)
	}
}

// compareNames puts two levels of a group in the order of their codes, where those of one begin with those of the other, else of
// their names: by sub, by a number, by the order of the columns where their names begin with one word, else by what words mean.
// It is 0 where nothing is said.
func (k *linking) compareNames(a, b *level) int {
	one, other := a.stem(), b.stem()
	switch {
	case isSubOf(other, one):
		return -1
	case isSubOf(one, other):
		return 1
	case k.nests(a, b):
		return -1
	case k.nests(b, a):
		return 1
	}
	first, second := numberIn(one), numberIn(other)
	if one[0] == other[0] && first > 0 && second > 0 {
		return cmp.Compare(first, second)
	}
	if one[0] == other[0] && k.inOrder && first+second == 0 {
		return cmp.Compare(a.column.At, b.column.At)
	}
	if first, second = rankOf(without(one, other)), rankOf(without(other, one)); first > 0 && second > 0 {
		return cmp.Compare(first, second)
	}
	return 0
}

// without gives the words that others do not have, or all of them where they have all.
func without(words, others []string) []string {
	left := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(others, word) })
	if len(left) == 0 {
		return words
	}
	return left
}

// isSubOf tells whether a name is another with sub before one of its words, as subprograma_codigo is of programa_codigo.
func isSubOf(sub, words []string) bool {
	if len(sub) != len(words) {
		return false
	}
	subs := 0
	for i := range sub {
		if sub[i] == "sub"+words[i] {
			subs++
		} else if sub[i] != words[i] {
			return false
		}
	}
	return subs == 1
}

// isKnown tells whether its name says what a level is about, and isUnknown that it does not.
func (l *level) isKnown() bool {
	return l.concept != concept{} && l.concept != fact && l.time == noTime && !l.column.Many
}

func (l *level) isUnknown() bool {
	return l.concept == concept{} && l.time == noTime && !l.column.Many
}

// attachUnknown puts levels whose names say nothing into the chain of one that decides them, if there is no doubt.
func (k *linking) attachUnknown(levels []*level) {
	for _, u := range levels {
		hasChild := slices.ContainsFunc(levels, func(l *level) bool { return l.parent == u })
		if !u.isUnknown() || hasChild || u.label == nil && !u.split && !u.column.HoldsWords() {
			continue
		}
		var nearest *level
		for _, below := range levels {
			a := k.decides(below, u)
			if below.isKnown() && below.parent == nil && below.members > u.members && u.members > 1 && a.Agree == a.Rows && a.Convinces() &&
				(nearest == nil || below.members < nearest.members) {
				nearest = below
			}
		}
		if nearest == nil {
			continue
		}
		k.setParent(nearest, u, k.decides(nearest, u))
		for at := u; at != nil; at = at.parent {
			at.group, at.concept = nearest.group, nearest.concept
			at.conceptWhy = say("above", "Level", shown(nearest.column.Name))
		}
	}
}

// findContexts finds the levels whose codes mean something only together with others: their labels differ where the path of the
// level is the same, and do not where the other codes are the same too.
func findContexts(ctx context.Context, p *profile, r *roles, levels []*level) (err error) {
	defer func() { err = cmp.Or(err, dropContexts(ctx, p, r, levels)) }()
	for range mostContexts {
		in := p.Count(r.year.column)
		var open []*level
		for _, l := range levels {
			if l.label != nil && !l.label.Many && !l.label.IsEmpty() && !l.column.Many && l.label.Different() > 1 {
				open = append(open, l)
				in.Ask(l.label, l.path()...)
			}
		}
		if err := in.Run(ctx); err != nil {
			return err
		}
		alone := map[*level]evidence.Agreement{}
		open = slices.DeleteFunc(open, func(l *level) bool {
			alone[l] = in.Ask(l.label, l.path()...).Of()
			return alone[l].Share(enough)
		})
		if len(open) == 0 {
			return nil
		}
		changed, err := addContexts(ctx, p, r, levels, open, alone)
		if err != nil || !changed {
			return err
		}
	}
	return nil
}

const (
	mostContexts = 3  // how many other levels a code may need
	enough       = 98 // of a hundred rows have the label that most rows of their code have
)

// addContexts adds to each level the one that best tells its members apart.
func addContexts(ctx context.Context, p *profile, r *roles, levels, open []*level, alone map[*level]evidence.Agreement) (changed bool, err error) {
	in := p.Count(r.year.column)
	with := func(l, other *level) *evidence.Dependency {
		return in.Ask(l.label, joined(l.path(), other.path())...)
	}
	mayHelp := func(l, other *level) bool {
		return other != l && other.time == noTime && other.concept != fact && !other.column.Many && !slices.Contains(l.path(), other.column) && !l.isAbove(other) &&
			other.column.Different() > 1
	}
	for _, l := range open {
		for _, other := range levels {
			if mayHelp(l, other) && len(levels) <= mostLinked {
				with(l, other)
			}
		}
	}
	if err := in.Run(ctx); err != nil {
		return false, err
	}
	for _, l := range open {
		var best *level
		var of evidence.Agreement
		for _, other := range levels {
			if !mayHelp(l, other) || len(levels) > mostLinked {
				continue
			}
			a := with(l, other).Of()
			wrong, before := a.Rows-a.Agree, alone[l].Rows-alone[l].Agree
			if a.Rows == 0 || alone[l].Rows > 0 && wrong*2 > before || a.Kinds*2 > a.Rows {
				continue // it helps little, or so does any column of many cells
			}
			if best == nil || l.prefers(other, best, a, of) {
				best, of = other, a
			}
		}
		if best == nil {
			continue
		}
		l.add(levels, best, alone[l], of)
		changed = true
	}
	return changed, nil
}

// prefers tells whether one context is better than another: where both tell the labels apart the one of the level's own group, then
// one of offices, which number what is theirs, then the one with fewer codes.
func (l *level) prefers(other, best *level, a, of evidence.Agreement) bool {
	good, goodBest := a.Share(enough), of.Share(enough)
	own, ownBest := other.group == l.group, best.group == l.group
	office, officeBest := other.concept == administrative, best.concept == administrative
	switch {
	case good != goodBest:
		return good
	case !good:
		return a.Agree*of.Rows > of.Agree*a.Rows
	case own != ownBest:
		return own
	case own && rankOf(other.stem()) != rankOf(best.stem()):
		return rankOf(other.stem()) > rankOf(best.stem())
	case office != officeBest:
		return office
	}
	return a.Kinds < of.Kinds
}

// add puts a level below one of its group without a parent, or within another.
func (l *level) add(levels []*level, other *level, alone, with evidence.Agreement) {
	before := say("labels-differ")
	if alone.Rows > 0 {
		before = say("label-alone", "Rows", figures(alone), "Label", shown(l.label.Name))
	}
	why := say("label-with", "Evidence", before, "Level", shown(other.column.Name), "Rows", figures(with))
	rank, own := rankOf(other.stem()), rankOf(l.stem())
	if other.group == l.group && l.parent == nil && !l.placed && (other.members < l.members || rank > 0 && rank < own) {
		l.parent, l.parentWhy = other, why
		return
	}
	for _, c := range other.path() { // within names each code that is needed, also those above the other level
		if !slices.Contains(l.path(), c) {
			l.within = append(l.within, contextLevel{levelOf(levels, c), why})
		}
	}
}

// joined gives the columns of two paths in their order, each once.
func joined(path, other []*column) []*column {
	all := slices.Concat(path, other)
	slices.SortFunc(all, func(a, b *column) int { return a.At - b.At })
	return slices.Compact(all)
}

// dropContexts takes away contexts that those that were added later make needless.
func dropContexts(ctx context.Context, p *profile, r *roles, levels []*level) error {
	in := p.Count(r.year.column)
	without := func(l *level, w contextLevel) *evidence.Dependency {
		path := slices.DeleteFunc(l.path(), func(c *column) bool { return c == w.column })
		return in.Ask(l.label, path...)
	}
	for _, l := range levels {
		for _, w := range l.within {
			without(l, w)
		}
	}
	if err := in.Run(ctx); err != nil {
		return err
	}
	for _, l := range levels {
		for i := 0; i < len(l.within) && len(l.within) > 1; {
			if without(l, l.within[i]).Of().Share(enough) {
				l.within = slices.Delete(l.within, i, i+1)
				break
			}
			i++
		}
	}
	return nil
}
