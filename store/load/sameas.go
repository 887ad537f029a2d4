package load

import (
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/findings"
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

// CodeSameAsUnknown is the finding of members in a crosswalk that no row has, though there are rows of their edition.
const CodeSameAsUnknown = "same-as-unknown"

// sameAsUnknown reports the members that the overlay says are the same as others, and that do not exist.
func sameAsUnknown(model *cube.Model, level cube.Level, list []cube.Member) (findings.Finding, bool) {
	f := findings.Finding{
		Code: CodeSameAsUnknown, Severity: findings.SeverityWarning, Field: level.Ref,
		Message: "the overlay says that members are the same as others, and no row has them: correct their paths in same_as, or leave them out",
	}
	known := map[string]bool{}
	for _, m := range list {
		known[pathKey(pathText(m))] = true
	}
	for _, same := range level.SameAs {
		for _, path := range [][]string{same.Path, same.SameAs} {
			if !known[pathKey(path)] && hasRowsOfEditions(model, level, path) {
				known[pathKey(path)] = true // once
				note(&f, clip(shownPath(model, level, path)))
			}
		}
	}
	return f, f.Count > 0
}

// hasRowsOfEditions tells whether the package has rows of the editions of a path.
func hasRowsOfEditions(model *cube.Model, level cube.Level, path []string) bool {
	for i, column := range model.PathOf(level) {
		if i == len(path)-1 || !column.IsEdition() {
			continue
		}
		year, _ := strconv.ParseInt(path[i], 10, 64)
		if !slices.Contains(column.From.Years, year) {
			return false
		}
	}
	return true
}
