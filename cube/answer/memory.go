package answer

import (
	"context"
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
	found cache[bool]
	near  cache[plan.Near]
}

// Find implements Store.
func (r *remembering) Find(ctx context.Context, c *cube.Cube, named []plan.NamedMember) ([]bool, error) {
	return r.found.ask(ctx, c, named, r.Store.Find, func(bool) int { return 0 })
}

// Near implements Store.
func (r *remembering) Near(ctx context.Context, c *cube.Cube, named []plan.NamedMember) ([]plan.Near, error) {
	return r.near.ask(ctx, c, named, r.Store.Near, func(n plan.Near) int {
		return bytesOfEntry*len(n.Names) + len(strings.Join(n.Names, "")) + 8*len(n.Years)
	})
}

// cache has what a store answered for named members.
type cache[T any] struct {
	mu    sync.Mutex
	known map[string]T
	bytes int
}

// mostRemembered is about how many bytes a cache takes at most; bytesOfEntry is the size of an entry without its key.
const (
	mostRemembered = 4 << 20
	bytesOfEntry   = 128
)

// ask gives the answer for each member. It asks the store once, for the members that are not in the cache. Size gives the
// bytes of an answer beside its entry.
func (m *cache[T]) ask(
	ctx context.Context, c *cube.Cube, named []plan.NamedMember, store func(context.Context, *cube.Cube, []plan.NamedMember) ([]T, error),
	size func(T) int,
) ([]T, error) {
	list := make([]T, len(named))
	var unknown []plan.NamedMember
	var indexes []int
	m.mu.Lock()
	for i, n := range named {
		known, ok := m.known[n.ID(c.ID)]
		if list[i] = known; !ok {
			unknown, indexes = append(unknown, n), append(indexes, i)
		}
	}
	m.mu.Unlock()
	if len(unknown) == 0 {
		return list, nil
	}
	answers, err := store(ctx, c, unknown)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, answer := range answers {
		list[indexes[i]] = answer
		if m.known == nil || m.bytes > mostRemembered {
			m.known, m.bytes = map[string]T{}, 0
		}
		id := unknown[i].ID(c.ID)
		m.known[id] = answer
		m.bytes += bytesOfEntry + len(id) + size(answer)
	}
	return list, nil
}
