package cube

import "slices"

// SameMember says that a member is the same thing as a member of an earlier edition, under another code. Both paths have one
// key for each field of Level.Path, with the editions.
type SameMember struct {
	Path   []string `json:"path"`
	SameAs []string `json:"same_as"`
}

// HasCrosswalk tells whether some members of a level, or of one whose codes have the same editions, are known to be the same as
// others.
func (m *Model) HasCrosswalk(edition string) bool {
	return slices.ContainsFunc(m.levels, func(l Level) bool { return len(l.SameAs) > 0 && slices.Contains(l.Path, edition) })
}
