package catalogue

import (
	"strconv"

	"fiscube/cube"
)

// Memory holds what was read of versions, so that the catalogue can be looked at every few seconds: of a version that
// is known only what can change is read again. A version never changes but for being served, and a number is never used
// twice; yet after a database was put back to an earlier state the same id may name another content, so that a
// version is known by its fingerprint too.
type Memory struct {
	known map[string]*cube.Cube
}

// Keys is the argument of SelectVersions.
func (m *Memory) Keys() []string {
	keys := make([]string, 0, len(m.known))
	for key := range m.known {
		keys = append(keys, key)
	}
	return keys
}

// Cube makes the version that a row of SelectVersions describes.
func (m *Memory) Cube(r *Row) (*cube.Cube, error) {
	known, ok := m.known[key(r.ID, r.Fingerprint)]
	if !ok {
		return r.Cube()
	}
	return r.with(known.Package, known.Report), nil
}

// Keep remembers these versions and no others.
func (m *Memory) Keep(cubes []*cube.Cube) {
	m.known = make(map[string]*cube.Cube, len(cubes))
	for _, one := range cubes {
		m.known[key(one.ID, one.Fingerprint)] = one
	}
}

func key(id int64, fingerprint string) string { return strconv.FormatInt(id, 10) + " " + fingerprint }
