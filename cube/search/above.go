package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// What stands above a member are the members that the keys of its path name, each of a level of its own, and the cube,
// which is the first entry of a part. Above all else stands the cube alone.

// link notes of each member which members stand above it. One level is looked up at a time: what finds its members by
// their path takes more memory than they do.
func (b *builder) link() {
	p := b.part
	p.above = make([]uint32, len(p.paths))
	for i, upper := range p.groups {
		var entryOf func(path []uint32) (int, bool)
		for j := i + 1; j < len(p.groups); j++ {
			if !p.groups[j].isBelow(upper) {
				continue
			}
			if entryOf == nil {
				entryOf = b.byPath(upper.from, p.end(i), len(upper.level.Path))
			}
			p.linkTo(upper, j, entryOf)
		}
	}
}

// isBelow tells whether the members of a group have those of another in their paths.
func (g group) isBelow(upper group) bool {
	outside := func(field string) bool { return !slices.Contains(g.level.Path, field) }
	return g.kind == KindMember && upper.kind == KindMember && !slices.ContainsFunc(upper.level.Path, outside)
}

// linkTo notes of each member of a group which one of another stands above it.
func (p *part) linkTo(upper group, lower int, entryOf func(path []uint32) (int, bool)) {
	path := make([]uint32, len(upper.level.Path))
	places := make([]int, len(path))
	for i, field := range upper.level.Path {
		places[i] = slices.Index(p.groups[lower].level.Path, field)
	}
	for i := p.groups[lower].from; i < p.end(lower); i++ {
		keys := p.entries[i].path
		for j, place := range places {
			path[j] = p.paths[int(keys)+place]
		}
		if entry, ok := entryOf(path); ok {
			p.above[int(keys)+places[len(places)-1]] = uint32(entry)
		}
	}
}

// byPath finds the entries from one to another by paths of so many keys.
func (b *builder) byPath(from, to, length int) func(path []uint32) (entry int, ok bool) {
	p := b.part
	entries, id := make(map[string]int, to-from), make([]byte, 0, 4*length)
	idOf := func(path []uint32) []byte {
		id = id[:0]
		for _, value := range path {
			id = binary.LittleEndian.AppendUint32(id, value)
		}
		return id
	}
	for i := from; i < to; i++ {
		entries[string(idOf(p.paths[p.entries[i].path:][:length]))] = i
	}
	return func(path []uint32) (entry int, ok bool) {
		entry, ok = entries[string(idOf(path))]
		return entry, ok
	}
}

// fromAbove gives the words of the query that what stands above an entry has, of those that each entry before it has. It
// is none where one of them has all: that is what is looked for then. The place of a member's own key leads to the cube.
func (p *part) fromAbove(i int, words []uint32, q Query) uint32 {
	var above uint32
	over := p.above[p.entries[i].path:p.entries[i+1].path]
	if len(over) == 0 { // it is no member
		over = []uint32{0}
	}
	for _, entry := range over {
		if words[entry]|q.small == q.all() {
			return 0
		}
		above |= words[entry]
	}
	return above
}

// rankBelow ranks an entry that has some of the words, with these marks, and the others from above: first by its slips,
// then by the number of those.
func (q Query) rankBelow(m mark) rank {
	own := m.begin | m.two
	slips := bits.OnesCount32(own&^m.begin) + bits.OnesCount32(own&^(m.begin|m.one))
	return withAbove + rank(slips*MostWords+bits.OnesCount32(q.all()&^own))
}
