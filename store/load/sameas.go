package load

import (
	"slices"

	"fiscube/cube"
)

// firstEditions has, for each field of editions whose first one begins with the rows, the year that names it in an overlay, and
// that in which it begins.
type firstEditions map[string][2]string

// settleCrosswalks names the first editions by the years in which they begin, in the paths of members that are the same as
// others. Editions that no row belongs to keep the year that the overlay names them by.
func (s *surveyor) settleCrosswalks(begins firstEditions) {
	model, err := s.draft.Model()
	if err != nil { // Take reports it
		return
	}
	for _, resolved := range model.Levels() {
		level := s.draft.Level(resolved.Ref)
		level.SameAs = slices.Clone(level.SameAs)
		for i, same := range level.SameAs {
			level.SameAs[i] = cube.SameMember{Path: begins.settled(resolved, same.Path), SameAs: begins.settled(resolved, same.SameAs)}
		}
	}
}

func (f firstEditions) settled(level cube.Level, path []string) []string {
	path = slices.Clone(path)
	for i, field := range level.Path[:len(path)-1] {
		if begins, ok := f[field]; ok && path[i] == begins[0] {
			path[i] = begins[1]
		}
	}
	return path
}
