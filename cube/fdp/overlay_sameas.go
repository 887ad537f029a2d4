package fdp

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// sameAsOverlay lists members of a level that are the same thing as a member of an earlier edition.
type sameAsOverlay struct {
	ref
	members []sameMemberOverlay
}

// sameMemberOverlay names two members by their paths. Each path has a fiscal year, which may be any of its edition.
type sameMemberOverlay struct {
	path, sameAs ref
	keys, as     []query.Key // nil if they cannot be read
}

func readSameAsOverlay(v member) sameAsOverlay {
	s := sameAsOverlay{ref: v.key()}
	if v.kind() == isObject && len(v.object().keys) == 0 {
		v.problem("must not be empty")
	}
	s.members = readEach(v.node, func(v member) sameMemberOverlay {
		m := sameMemberOverlay{path: v.key(), sameAs: v.ref()}
		m.keys = v.readPath(m.path.name)
		if m.sameAs.name != "" {
			m.as = v.readPath(m.sameAs.name)
		}
		return m
	})
	return s
}

// readPath reads the path of a member, as questions write it.
func (n node) readPath(text string) []query.Key {
	keys, err := query.ParsePath(text)
	var mistake *cube.Error
	switch {
	case errors.As(err, &mistake):
		n.problem("%s is no path: %s", quote(text), mistake.Message)
		return nil
	case strings.ContainsRune(text, 0):
		n.problem("%s holds a NUL character", quote(text))
		return nil
	}
	return keys
}

// mapMembers gives the levels of the draft what is said of their members. The model has the paths of the levels.
func (a *applying) mapMembers(m *cube.Model) {
	for _, s := range a.overlay.sameAs {
		level := a.level(s.ref)
		if level == nil {
			continue
		}
		resolved, _ := m.LevelOfKey(s.name)
		path := m.PathOf(resolved)
		if resolved.Path[len(resolved.Path)-1] != s.name || !slices.ContainsFunc(path[:len(path)-1], cube.Column.IsEdition) {
			a.add(s.place, "%s has no editions, so its codes mean the same in all years: name its first years in editions", quote(s.name))
			continue
		}
		c := crosswalker{applying: a, path: path, same: map[string]ref{}, others: map[string]ref{}}
		for _, pair := range s.members {
			c.add(pair)
		}
		level.SameAs = c.list
	}
}

// crosswalker checks what an overlay says of the members of a level: each is the same as one member at most, of an earlier
// edition, and no other is the same as that one.
type crosswalker struct {
	*applying
	path         []cube.Column
	list         []cube.SameMember
	same, others map[string]ref // what names a member, and what the member is the same as, by their paths
}

func (c *crosswalker) add(pair sameMemberOverlay) {
	place := pair.path.place
	path, ok := c.member(c.path, place, pair.path.name, pair.keys)
	as, okToo := c.member(c.path, place, pair.sameAs.name, pair.as)
	if !ok || !okToo {
		return
	}
	id, other := strings.Join(path, "\x00"), strings.Join(as, "\x00")
	first, twice := c.same[id]
	taken, shared := c.others[other]
	switch {
	case twice:
		c.report.add(place, "%s and %s are one member, which is the same as one other: write it once", quote(first.name), quote(pair.path.name))
	case shared:
		c.report.add(place, "%s is the same as %s already: a member has one counterpart, so leave one out, or write of which of the two the other is the successor",
			quote(pair.sameAs.name), quote(taken.name))
	case !c.isEarlier(as, path):
		c.report.add(place, "%s is of no earlier edition than %s: write the later member first", quote(pair.sameAs.name), quote(pair.path.name))
	default:
		c.same[id], c.others[other] = pair.path, pair.path
		c.list = append(c.list, cube.SameMember{Path: path, SameAs: as})
	}
}

// member gives the keys of a path of some columns, with the editions to which its latest year belongs. In the path ramo@2008/unit@2012
// that is 2012, since the unit was numbered anew later.
func (a *applying) member(columns []cube.Column, place, text string, keys []query.Key) ([]string, bool) {
	own := query.KeyColumns(columns)
	if keys == nil {
		return nil, false
	}
	if len(keys) != len(own) {
		a.add(place, "%s does not have the keys of a member, %s", quote(text), strings.Join(each.Text(own, func(column cube.Column) string { return column.Name }), "/"))
		return nil, false
	}
	var year int64
	for _, key := range keys {
		if key.Edition != "" {
			n, _ := strconv.ParseInt(key.Edition[1:], 10, 64) // 0 of what is none
			year = max(year, n)
		}
	}
	if hasEditions := len(own) < len(columns); hasEditions && (year < 1 || year > 9999) {
		a.add(place, "%s has no year of its edition: write one after its key, as in 3@2012", quote(text))
		return nil, false
	}
	var path []string
	for _, column := range columns {
		if len(path) < len(columns)-1 && column.IsEdition() {
			path = append(path, strconv.FormatInt(editionOf(column, year), 10))
			continue
		}
		key, err := column.Value(keys[0].Text)
		var mistake *cube.Error
		if errors.As(err, &mistake) {
			a.add(place, "%s: %s", quote(text), mistake.Message)
			return nil, false
		}
		path, keys = append(path, key.String()), keys[1:]
	}
	return path, true
}

// editionOf gives the edition of a year, or the year before the first of the column, in whose edition it is: the load finds out
// when that begins.
func editionOf(column cube.Column, year int64) int64 {
	if first, ok := column.From.Edition(year); ok {
		return first
	}
	return column.From.Years[0] - 1
}

// isEarlier tells whether no edition of a path is later than in another, and one is earlier.
func (c *crosswalker) isEarlier(path, other []string) bool {
	earlier := false
	for i, column := range c.path[:len(c.path)-1] {
		if !column.IsEdition() {
			continue
		}
		order := cmp.Or(cmp.Compare(len(path[i]), len(other[i])), cmp.Compare(path[i], other[i]))
		if order > 0 {
			return false
		}
		earlier = earlier || order < 0
	}
	return earlier
}
