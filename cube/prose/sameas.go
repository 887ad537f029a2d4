package prose

import (
	"fmt"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
)

// SameMember is a member that is compared with a member of another edition, with the labels of both.
type SameMember struct {
	plan.SamePair
	Label, OtherLabel cube.Value // missing if they are not known
}

// AddSame notes a member, once.
func (s *Seen) AddSame(pair plan.SamePair, label, other cube.Value) {
	if !slices.ContainsFunc(s.Same, func(m SameMember) bool { return m.Level == pair.Level && m.Path == pair.Path && m.Other == pair.Other }) {
		s.Same = append(s.Same, SameMember{pair, label, other})
	}
}

// mostSame is how many members of a level a warning names.
const mostSame = 10

var sameTexts = map[cube.Language]struct{ pair, level, more string }{
	cube.English:  {"%s is compared with %s", "%s: by the crosswalk of the overlay, %s", " and %d more"},
	cube.Spanish:  {"%s se compara con %s", "%s: según las equivalencias del overlay, %s", " y %d más"},
	cube.Croatian: {"%s se uspoređuje s članom %s", "%s: prema istovjetnostima iz overlaya, %s", " i još %d"},
}

// sameMembers says which members of a level are compared with members of other editions.
func (w *warner) sameMembers() {
	texts := in(sameTexts, w.language)
	if w.tells {
		texts.level = in(tellingTexts, w.language).same
	}
	byLevel := map[string][]string{}
	var levels []string
	for _, m := range w.seen.Same {
		if byLevel[m.Level] == nil {
			levels = append(levels, m.Level)
		}
		byLevel[m.Level] = append(byLevel[m.Level], fmt.Sprintf(texts.pair, w.same(m.Level, m.Path, m.Label), w.same(m.Level, m.Other, m.OtherLabel)))
	}
	for _, level := range levels {
		all := byLevel[level]
		text := strings.Join(all[:min(len(all), mostSame)], ", ")
		if more := len(all) - mostSame; more > 0 {
			text += fmt.Sprintf(texts.more, more)
		}
		w.warn(cube.WarnSameAs, texts.level, w.name(level), text)
	}
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
