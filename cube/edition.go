package cube

import "slices"

// A government may number a classification anew, so that a code means another thing from some year on. Each numbering of a
// level is an edition, named by its first fiscal year. A level with editions (Level.Edition) has a field with the edition of
// each row, which is in the paths of its members and of those below them, in front of the code that it belongs to. So a code
// of two editions makes two members.

// EditionSuffix follows the key field of a level in the name of the field with its editions.
const EditionSuffix = "_edition"

// IsEdition tells whether the cells of the column are editions.
func (c Column) IsEdition() bool { return c.From != nil && c.From.Rule == RuleEdition }

// Edition gives the edition of a fiscal year. It is false for years before the first one.
func (d *Derivation) Edition(year int64) (first int64, ok bool) {
	for _, start := range slices.Backward(d.Years) {
		if start <= year {
			return start, true
		}
	}
	return 0, false
}

// editionOf names the field with the edition of a code, or gives "".
func (m *Model) editionOf(field string) string {
	if i, ok := m.levelByKey[field]; ok {
		return m.levels[i].Edition
	}
	return ""
}

// IsEdition tells whether a field holds editions.
func (m *Model) IsEdition(field string) bool {
	c, _ := m.Column(field)
	return c.IsEdition()
}
