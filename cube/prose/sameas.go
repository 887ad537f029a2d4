package prose

import (
	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/internal/each"
)

// mostSame is how many members of a level a warning names.
const mostSame = 10

// sameMembers says which members of a level are compared with members of other editions.
func (w *warner) sameMembers(p caveat.SameMembers) string {
	pairs := each.Text(p.Members, func(m caveat.SameMember) string {
		return w.say("same-as", "Member", w.same(m.Level, m.Path, m.Label), "Other", w.same(m.Level, m.Other, m.OtherLabel))
	})
	return w.say("same-members", "Level", w.name(p.Level), "Members", w.firstAnd(pairs, mostSame))
}

// same names a member of an edition by its path and its label.
func (w *warner) same(level, path string, label cube.Value) string {
	if w.tells {
		model := w.Cube().Model
		of, _ := model.LevelOfKey(level)
		path = pathForPeople(w.locale, model.PathOf(of), path)
		if !label.IsMissing() {
			return label.String() + " (" + path + ")"
		}
	}
	if label.IsMissing() {
		return path
	}
	return path + " \"" + label.String() + "\""
}
