package plan

import (
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// CutOf gives the cut, in the grammar of questions, that selects the facts of a row with these keys, which are the
// first of Keys: what was asked and the row's own members. A term that a key settles is left out.
func (p *Plan) CutOf(values []cube.Value) string {
	keys := p.keys[:len(values)]
	var terms []string
	for _, f := range p.FiltersAsked() {
		if !f.OnlyOf(keys) {
			terms = append(terms, f.text)
		}
	}
	for i, key := range keys {
		terms = append(terms, query.QuoteName(key.Name)+":"+query.ValueText(values[i], `""`))
	}
	return strings.Join(terms, "|")
}

// Below names the level to drill next inside a row of so many keys: the one under the last level it names, which for a
// level of several chains is the first declared. It is empty at a leaf.
func (p *Plan) Below(keys int) string {
	level, ok := p.LastLevel(keys)
	levels := p.cube.Model.Levels()
	below := slices.IndexFunc(levels, func(l cube.Level) bool { return l.Parent == level.Ref })
	if !ok || below < 0 {
		return ""
	}
	return levels[below].Ref
}

// LastLevel gives the level of the step that the last of so many keys is of.
func (p *Plan) LastLevel(keys int) (cube.Level, bool) {
	i := slices.IndexFunc(p.steps, func(s Step) bool { return s.Keys == keys })
	if i < 0 {
		return cube.Level{}, false
	}
	return p.cube.Model.LevelOfKey(p.steps[i].Ref)
}

// Member gives the key of the member that the last step of a row with these keys names, and the place of its label
// among Levels, or -1 where it has none.
func (p *Plan) Member(keys []cube.Value) (key cube.Value, label int) {
	level, ok := p.LastLevel(len(keys))
	if !ok {
		return cube.Missing, -1
	}
	return keys[p.keyNamed(level.Ref)], slices.IndexFunc(p.levels, func(l cube.Level) bool { return l.Ref == level.Ref })
}

// PathOf gives the path of the member that the last step of a row with these keys names, so that query.ParsePath reads
// it again.
func (p *Plan) PathOf(keys []cube.Value) string {
	level, ok := p.LastLevel(len(keys))
	if !ok {
		return ""
	}
	values := make([]cube.Value, len(level.Path))
	for i, field := range level.Path {
		values[i] = keys[p.keyNamed(field)]
	}
	return query.PathText(values)
}
