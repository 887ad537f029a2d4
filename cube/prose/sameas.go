package prose

import (
	"fmt"
	"strings"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// mostSame is how many members of a level a warning names.
const mostSame = 10

var sameTexts = map[cube.Language]struct{ pair, level, more string }{
	cube.English:  {"%s is compared with %s", "%s: by the crosswalk of the overlay, %s", " and %d more"},
	cube.Spanish:  {"%s se compara con %s", "%s: según las equivalencias del overlay, %s", " y %d más"},
	cube.Croatian: {"%s se uspoređuje s članom %s", "%s: prema istovjetnostima iz overlaya, %s", " i još %d"},
}

// sameMembers says which members of a level are compared with members of other editions.
func (w *warner) sameMembers(p caveat.SameMembers) string {
	texts := in(sameTexts, w.language)
	if w.tells {
		texts.level = in(tellingTexts, w.language).same
	}
	text := strings.Join(each.Text(p.Members[:min(len(p.Members), mostSame)], func(m caveat.SameMember) string {
		return fmt.Sprintf(texts.pair, w.same(m.Level, m.Path, m.Label), w.same(m.Level, m.Other, m.OtherLabel))
	}), ", ")
	if more := len(p.Members) - mostSame; more > 0 {
		text += fmt.Sprintf(texts.more, more)
	}
	return words.Fill(texts.level, w.name(p.Level), text)
}

// same names a member of an edition by its path and its label.
func (w *warner) same(level, path string, label cube.Value) string {
	if w.tells {
		model := w.Cube().Model
		of, _ := model.LevelOfKey(level)
		path = pathForPeople(Locale{Language: w.language}, model.PathOf(of), path)
		if !label.IsMissing() {
			return label.String() + " (" + path + ")"
		}
	}
	if label.IsMissing() {
		return path
	}
	return path + " \"" + label.String() + "\""
}
