package dictionary

import (
	"iter"
	"math"
	"slices"
	"sync"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
)

// Entry is a member as the tables of a level have it.
type Entry struct {
	Path        []cube.Value
	Label       string // "" if it has none
	Rank        int64  // of the label or, without one, of the key
	Rows        int64
	First, Last cube.Value // fiscal years
}

// Members are the members of a level by number.
type Members struct {
	Level   cube.Level
	Size    int32
	path    []cube.Column
	compare func(a, b []cube.Value) int // of paths, and of equally long beginnings of them
	keys    []cube.Value                // the paths, one after another
	labels  []cube.Value
	ranks   []int64
	rows    []int64
	years   [][2]int32 // the first and the last; noYear for none

	folding sync.Once
	folds   []string // the keys of their own, to search in

	declared [][]cube.Value // by key of the path: cube.Model.SnapshotOrder

	mu     sync.Mutex
	above  map[int][]int32 // by the index of a level: the number there of the member above each
	places map[keyOrderID][]int32
}

// readMembers makes the members of a level of what a store gives in the order of their numbers.
func readMembers(m *cube.Model, l cube.Level, entries iter.Seq2[Entry, error]) (*Members, error) {
	members := &Members{Level: l, path: m.PathOf(l), compare: m.ComparePaths(l)}
	members.declared = append(members.declared, each.Of(l.Path, m.SnapshotOrder)...)
	for e, err := range entries {
		if err != nil {
			return nil, err
		}
		members.keys = append(members.keys, e.Path...)
		label := cube.Text(e.Label)
		if label.IsMissing() {
			label = cube.Text(e.Path[len(e.Path)-1].String())
		}
		members.labels = append(members.labels, label)
		members.ranks, members.rows = append(members.ranks, e.Rank), append(members.rows, e.Rows)
		members.years = append(members.years, [2]int32{yearOf(e.First), yearOf(e.Last)})
		members.Size++
	}
	return members, nil
}

// bytes is about how much memory the members take.
func (m *Members) bytes() int64 {
	n := int64(len(m.keys))*32 + int64(len(m.labels))*(32+8+8+8+16)
	for _, key := range m.keys {
		n += textBytes(key)
	}
	for _, label := range m.labels {
		n += textBytes(label)
	}
	return n
}

func textBytes(v cube.Value) int64 {
	if _, whole := v.Int(); whole {
		return 0
	}
	return int64(len(v.String()))
}

// Path gives the keys of a member from the top.
func (m *Members) Path(number int32) []cube.Value {
	n := len(m.path)
	return m.keys[int(number)*n : int(number+1)*n : int(number+1)*n]
}

// Label gives the label of a member over all years or, if it has none, its key.
func (m *Members) Label(number int32) cube.Value { return m.labels[number] }

// Rank gives the rank of the label of a member. That of a missing member is missing.
func (m *Members) Rank(number int32) cube.Value { return rankOf(m.ranks[number]) }

// rankOf reads a rank. Ranks begin at 1; a store gives 0 for a missing member, which comes last in every order.
func rankOf(n int64) cube.Value {
	if n == 0 {
		return cube.Missing
	}
	return cube.Integer(n)
}

// Rows counts the rows of a member.
func (m *Members) Rows(number int32) int64 { return m.rows[number] }

// Years gives the first and the last fiscal year of a member; both are missing where its rows have none.
func (m *Members) Years(number int32) (first, last cube.Value) {
	if years := m.years[number]; years[0] != noYear {
		first, last = cube.Integer(int64(years[0])), cube.Integer(int64(years[1]))
	}
	return first, last
}

// noYear stands for a missing year.
const noYear = math.MinInt32

func yearOf(v cube.Value) int32 {
	year, ok := v.Int()
	if !ok {
		return noYear
	}
	return int32(year)
}

// Above gives the numbers that the members have in a level whose path is the beginning, or another part, of theirs.
func (m *Members) Above(higher *Members) []int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if numbers, ok := m.above[higher.Level.Index]; ok {
		return numbers
	}
	at := each.Of(higher.path, func(c cube.Column) int { return slices.Index(m.Level.Path, c.Name) })
	numbers, path := make([]int32, m.Size), make([]cube.Value, len(at))
	for n := range m.Size {
		for i, index := range at {
			path[i] = m.Path(n)[index]
		}
		if n > 0 && higher.compare(path, higher.Path(numbers[n-1])) == 0 {
			numbers[n] = numbers[n-1]
			continue
		}
		numbers[n] = higher.lowerBound(0, higher.Size, path)
	}
	if m.above == nil {
		m.above = map[int][]int32{}
	}
	m.above[higher.Level.Index] = numbers
	return numbers
}

// lowerBound gives the first number from first to before end whose path does not come before the given beginning of a path.
func (m *Members) lowerBound(first, end int32, path []cube.Value) int32 {
	for first < end {
		middle := first + (end-first)/2
		if m.compare(m.Path(middle), path) < 0 {
			first = middle + 1
		} else {
			end = middle
		}
	}
	return first
}

// upperBound gives the first number whose path comes after all that begin so.
func (m *Members) upperBound(first, end int32, path []cube.Value) int32 {
	for first < end {
		middle := first + (end-first)/2
		if m.compare(m.Path(middle), path) <= 0 {
			first = middle + 1
		} else {
			end = middle
		}
	}
	return first
}

// admitted gives the members that pass tests on columns of their path.
func (m *Members) admitted(tests []plan.Test) Set {
	byKey := make([][]*plan.Test, len(m.path))
	deepest := -1
	for i := range tests {
		at := slices.Index(m.Level.Path, tests[i].Column.Name)
		byKey[at], deepest = append(byKey[at], &tests[i]), max(deepest, at)
	}
	s := search{m, byKey, deepest, nil, nil}
	s.within(0, m.Size)
	return newSet(s.found)
}

// Has tells whether there is a member with these keys in these columns of its path.
func (m *Members) Has(columns []cube.Column, keys []cube.Value) bool {
	tests := make([]plan.Test, len(columns))
	for i, c := range columns {
		tests[i] = plan.Test{Column: c, In: keys[i : i+1]}
	}
	return len(m.admitted(tests)) > 0
}

// search looks for members in the tree that their paths form.
type search struct {
	*Members
	tests   [][]*plan.Test // by key of the path
	deepest int            // the last key with a test
	path    []cube.Value
	found   []Range
}

// within searches the members with numbers from first to before end, whose paths begin with the same keys as s.path.
func (s *search) within(first, end int32) {
	depth := len(s.path)
	switch {
	case first == end:
		return
	case depth > s.deepest:
		s.found = append(s.found, Range{first, end - 1})
		return
	}
	if listed := s.listed(depth); listed != nil {
		for _, v := range listed.In {
			s.path = append(s.path, v)
			from := s.lowerBound(first, end, s.path)
			s.child(from, s.upperBound(from, end, s.path))
		}
		return
	}
	for first < end {
		s.path = append(s.path, s.Path(first)[depth])
		next := s.upperBound(first, end, s.path)
		s.child(first, next)
		first = next
	}
}

// listed gives a test of a key that lists values, if there is one.
func (s *search) listed(depth int) *plan.Test {
	for _, t := range s.tests[depth] {
		if len(t.In) > 0 {
			return t
		}
	}
	return nil
}

// child searches the members that have the last key of s.path too, and drops that key.
func (s *search) child(first, end int32) {
	depth := len(s.path) - 1
	admits := func(t *plan.Test) bool { return t.Admits(s.path[depth]) }
	if first < end && !slices.ContainsFunc(s.tests[depth], func(t *plan.Test) bool { return !admits(t) }) {
		s.within(first, end)
	}
	s.path = s.path[:depth]
}
