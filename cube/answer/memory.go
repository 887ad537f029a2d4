package answer

import (
	"context"
	"sync"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// Remember gives the store with a memory of the members that cuts name: a version never changes, so what was looked for
// once is known. The memory is bounded; when it is full it begins anew.
func Remember(s Store) Store { return &remembering{Store: s} }

type remembering struct {
	Store
	found memory[bool]
}

// Find implements Store.
func (r *remembering) Find(ctx context.Context, c *cube.Cube, named []plan.NamedMember) ([]bool, error) {
	return r.found.ask(ctx, c, named, r.Store.Find)
}

// memory keeps what a store said of named members.
type memory[T any] struct {
	mu    sync.Mutex
	known map[string]T
	bytes int
}

// mostRemembered bounds the bytes of a memory, about; bytesOfEntry is what an entry takes beside its key.
const (
	mostRemembered = 4 << 20
	bytesOfEntry   = 128
)

// ask gives what is known of each member, asking the store once for those of which nothing is.
func (m *memory[T]) ask(
	ctx context.Context, c *cube.Cube, named []plan.NamedMember, store func(context.Context, *cube.Cube, []plan.NamedMember) ([]T, error),
) ([]T, error) {
	list := make([]T, len(named))
	var unknown []plan.NamedMember
	var places []int
	m.mu.Lock()
	for i, n := range named {
		known, ok := m.known[n.ID(c.ID)]
		if list[i] = known; !ok {
			unknown, places = append(unknown, n), append(places, i)
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
		list[places[i]] = answer
		if m.known == nil || m.bytes > mostRemembered {
			m.known, m.bytes = map[string]T{}, 0
		}
		id := unknown[i].ID(c.ID)
		m.known[id] = answer
		m.bytes += bytesOfEntry + len(id)
	}
	return list, nil
}
