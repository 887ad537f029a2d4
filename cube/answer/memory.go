package answer

import (
	"context"
	"slices"
	"strings"
	"sync"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// Remember gives the store with a cache of the members that cuts name. A version never changes, so an entry never expires.
// The cache is bounded; when it is full it is emptied.
func Remember(s Store) Store { return &remembering{Store: s} }

type remembering struct {
	Store
	mu    sync.Mutex
	known map[string]remembered // by plan.NamedMember.ID
	bytes int
}

// remembered is what a store answered for a member.
type remembered struct {
	exists bool
	near   plan.Near
}

// mostRemembered is about how many bytes the cache takes at most; bytesOfEntry is the size of an entry without its key.
const (
	mostRemembered = 4 << 20
	bytesOfEntry   = 128
)

// Unknown implements Store. It asks the store once, for the members that are not in the cache. A member of which it is not
// known what may have been meant is not put there.
func (r *remembering) Unknown(ctx context.Context, c *cube.Cube, named []plan.NamedMember, near int) ([]plan.UnknownMember, error) {
	list, others, indexes := r.recall(c, named)
	if len(others) == 0 {
		return list, nil
	}
	unknown, err := r.Store.Unknown(ctx, c, others, near)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, next := 0, 0; i < len(others); i++ {
		entry := remembered{exists: next == len(unknown) || unknown[next].Index != i}
		if !entry.exists {
			entry.near = unknown[next].Near
			list = append(list, plan.UnknownMember{Index: indexes[i], Near: entry.near})
			next++
		}
		if entry.exists || next <= near {
			r.put(others[i].ID(c.ID), entry)
		}
	}
	slices.SortFunc(list, func(x, y plan.UnknownMember) int { return x.Index - y.Index })
	return list, nil
}

// recall gives the unknown ones of the members in the cache, and the other members with their indexes.
func (r *remembering) recall(c *cube.Cube, named []plan.NamedMember) (unknown []plan.UnknownMember, others []plan.NamedMember, indexes []int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, m := range named {
		switch entry, ok := r.known[m.ID(c.ID)]; {
		case !ok:
			others, indexes = append(others, m), append(indexes, i)
		case !entry.exists:
			unknown = append(unknown, plan.UnknownMember{Index: i, Near: entry.near})
		}
	}
	return unknown, others, indexes
}

// put adds an entry, and empties a full cache before.
func (r *remembering) put(id string, entry remembered) {
	if r.known == nil || r.bytes > mostRemembered {
		r.known, r.bytes = map[string]remembered{}, 0
	}
	r.known[id] = entry
	r.bytes += bytesOfEntry*(1+len(entry.near.Names)) + len(id) + len(strings.Join(entry.near.Names, "")) + 8*len(entry.near.Years)
}
