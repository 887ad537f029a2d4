package cube

import (
	"context"
	"sync"
)

// memory remembers what a store said of what is Wanted, which never changes. It is bounded: when it is full it begins
// anew.
type memory[T any] struct {
	mu    sync.Mutex
	known map[string]T
	bytes int
}

// mostRemembered bounds the bytes of a memory, about.
const mostRemembered = 4 << 20

// ask tells what is known of each, asking the store once for those of which nothing is.
func (m *memory[T]) ask(
	ctx context.Context, one *Cube, wanted []Wanted, store func(context.Context, *Cube, []Wanted) ([]T, error),
) ([]T, error) {
	list, unknown := m.get(one, wanted)
	if len(unknown) == 0 {
		return list, nil
	}
	asked := make([]Wanted, len(unknown))
	for i, place := range unknown {
		asked[i] = wanted[place]
	}
	answers, err := store(ctx, one, asked)
	if err != nil {
		return nil, err
	}
	for i, place := range unknown {
		list[place] = answers[i]
		m.put(asked[i].id(one.ID), answers[i])
	}
	return list, nil
}

// get gives what is known, and the places of what is not.
func (m *memory[T]) get(one *Cube, wanted []Wanted) (list []T, unknown []int) {
	list = make([]T, len(wanted))
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, w := range wanted {
		known, ok := m.known[w.id(one.ID)]
		if list[i] = known; !ok {
			unknown = append(unknown, i)
		}
	}
	return list, unknown
}

func (m *memory[T]) put(id string, known T) {
	const overhead = 128 // of an entry of the map, and of what was probably meant
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || m.bytes > mostRemembered {
		m.known, m.bytes = map[string]T{}, 0
	}
	m.known[id] = known
	m.bytes += overhead + len(id)
}
