package dictionary

import (
	"cmp"
	"math"
	"slices"

	"fiscube/cube"
)

// keyOrderID names the order by a key of the paths of a level.
type keyOrderID struct {
	key  int // in the path
	desc bool
}

// LastInOrder is the place of members whose key is missing, in both directions.
const LastInOrder = math.MaxInt32

// KeyOrder gives the place of each member in the order by one key of its path: keys with a declared order of snapshots come before
// others in both directions.
func (m *Members) KeyOrder(key int, desc bool) []int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	id := keyOrderID{key, desc}
	if places, ok := m.places[id]; ok {
		return places
	}
	values := make([]cube.Value, 0, m.Size)
	for n := range m.Size {
		if v := m.Path(n)[key]; len(values) == 0 || values[len(values)-1] != v {
			values = append(values, v)
		}
	}
	slices.SortFunc(values, m.compareKeys(key, desc))
	values = slices.Compact(values)
	byValue := make(map[cube.Value]int32, len(values))
	for i, v := range values {
		byValue[v] = int32(i)
	}
	byValue[cube.Missing] = LastInOrder
	places := make([]int32, m.Size)
	for n := range places {
		places[n] = byValue[m.Path(int32(n))[key]]
	}
	if m.places == nil {
		m.places = map[keyOrderID][]int32{}
	}
	m.places[id] = places
	return places
}

// compareKeys orders the values of a key.
func (m *Members) compareKeys(key int, desc bool) func(a, b cube.Value) int {
	declared := map[cube.Value]int{}
	for i, v := range m.declared[key] {
		if _, twice := declared[v]; !twice {
			declared[v] = i
		}
	}
	return func(a, b cube.Value) int {
		i, isDeclared := declared[a]
		j, isToo := declared[b]
		switch {
		case a.IsMissing() || b.IsMissing():
			return a.Compare(b)
		case isDeclared != isToo && isDeclared:
			return -1
		case isDeclared != isToo:
			return 1
		case desc:
			return cmp.Or(cmp.Compare(j, i), b.Compare(a))
		}
		return cmp.Or(cmp.Compare(i, j), a.Compare(b))
	}
}
