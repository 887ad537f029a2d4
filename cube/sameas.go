package cube

import (
	"slices"
	"strings"
)

// SameMember says that a member is the same thing as a member of an earlier edition, under another code. Both paths have one
// key for each field of Level.Path, with the editions.
type SameMember struct {
	Path   []string `json:"path"`
	SameAs []string `json:"same_as"`
}

// Crosswalk finds the members of other editions that are the same as a member of a level (Level.SameAs).
type Crosswalk struct{ older, newer map[string][]string }

// NewCrosswalk indexes what is said of the members of a level.
func NewCrosswalk(list []SameMember) *Crosswalk {
	w := &Crosswalk{map[string][]string{}, map[string][]string{}}
	for _, s := range list {
		w.older[pathID(s.Path)], w.newer[pathID(s.SameAs)] = s.SameAs, s.Path
	}
	return w
}

func pathID(path []string) string { return strings.Join(path, "\x00") } // no cell holds a NUL

// Find gives the member that is wanted among those that are the same as the member of a path, in any number of steps. It ends,
// since each step leads to an earlier edition, or each to a later one.
func (w *Crosswalk) Find(path []string, wanted func(path []string) bool) ([]string, bool) {
	for _, steps := range []map[string][]string{w.older, w.newer} {
		for other, ok := steps[pathID(path)]; ok; other, ok = steps[pathID(other)] {
			if wanted(other) {
				return other, true
			}
		}
	}
	return nil, false
}

// HasCrosswalk tells whether some members of a level, or of one whose codes have the same editions, are known to be the same as
// others.
func (m *Model) HasCrosswalk(edition string) bool {
	return slices.ContainsFunc(m.levels, func(l Level) bool { return len(l.SameAs) > 0 && slices.Contains(l.Path, edition) })
}
