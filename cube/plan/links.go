package plan

import (
	"reflect"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
)

// CutOf gives the cut, in the grammar of questions, that selects the facts of a row by its keys, which are the first of
// Keys: the cuts of the question and the row's own members. It leaves out cuts that the keys make redundant.
func (p *Plan) CutOf(values []cube.Value) string {
	keys := p.keys[:len(values)]
	var terms []string
	for _, f := range p.FiltersAsked() {
		if !f.OnlyOf(keys) {
			terms = append(terms, f.text)
		}
	}
	editions := p.editionsOf(keys, values)
	for i, key := range keys {
		if !editions[key.Name].written {
			terms = append(terms, query.QuoteName(key.Name)+":"+query.ValueText(values[i], `""`)+editions[key.Name].of)
		}
	}
	return strings.Join(terms, "|")
}

// Qualifiers gives the cuts that leave the rows of the measures of the plan (CutsOf), where these are the same for all of them.
func (p *Plan) Qualifiers() (cuts []query.Cut) {
	for i, measure := range p.Measures() {
		of := CutsOf(p.cube.Model, measure.Ref)
		if i > 0 && !reflect.DeepEqual(of, cuts) {
			return nil
		}
		cuts = of
	}
	return cuts
}

// FactsCutOf is CutOf with the Qualifiers of the plan: it selects the facts whose amounts are in the row.
func (p *Plan) FactsCutOf(values []cube.Value, qualifiers []query.Cut) string {
	terms := []string{p.CutOf(values)}
	for _, cut := range qualifiers {
		isKey := func(key cube.Column) bool { return key.Name == cut.Ref.Name }
		if !slices.ContainsFunc(p.keys[:len(values)], isKey) {
			terms = append(terms, cut.Short())
		}
	}
	return strings.Join(slices.DeleteFunc(terms, func(term string) bool { return term == "" }), "|")
}

// editionText is how a cut writes the edition of a key: with an @ after it, and not as a term of its own.
type editionText struct {
	of      string // the edition of a key
	written bool   // the key is an edition, which is written after another key
}

func (p *Plan) editionsOf(keys []cube.Column, values []cube.Value) map[string]editionText {
	texts := map[string]editionText{}
	for i, key := range keys {
		for _, other := range keys {
			if level, ok := p.cube.Model.LevelOfKey(other.Name); ok && level.Edition == key.Name {
				texts[other.Name], texts[key.Name] = editionText{of: "@" + values[i].String()}, editionText{written: true}
			}
		}
	}
	return texts
}

// FactSnapshots is the choice of snapshots with which CutOf selects all facts that the amounts of a row count: every snapshot
// if a measure adds up over them (cube.Measure.Flow).
func (p *Plan) FactSnapshots() query.SnapshotChoice {
	counts := slices.ContainsFunc(p.Measures(), func(m cube.Measure) bool { return m.Flow })
	if p.countsAll || counts && p.HasSeveralSnapshots() {
		return query.AllSnapshots
	}
	return query.LastSnapshots
}

// Below names the level to drill next inside a row with that many keys: the first declared child of its last level. It is
// empty if that level has no child.
func (p *Plan) Below(keys int) string {
	level, ok := p.lastLevel(keys)
	levels := p.cube.Model.Levels()
	below := slices.IndexFunc(levels, func(l cube.Level) bool { return l.Parent == level.Ref })
	if !ok || below < 0 {
		return ""
	}
	return levels[below].Ref
}

// lastLevel gives the level of the step that has that many keys.
func (p *Plan) lastLevel(keys int) (cube.Level, bool) {
	i := slices.IndexFunc(p.steps, func(s Step) bool { return s.Keys == keys })
	if i < 0 {
		return cube.Level{}, false
	}
	return p.cube.Model.LevelOfKey(p.steps[i].Ref)
}

// Member gives the key of the member that a row with these keys is of, and the index in Levels of its level, or -1 if
// there is none.
func (p *Plan) Member(keys []cube.Value) (key cube.Value, label int) {
	level, ok := p.lastLevel(len(keys))
	if !ok {
		return cube.Missing, -1
	}
	return keys[p.keyNamed(level.Ref)], slices.IndexFunc(p.levels, func(l cube.Level) bool { return l.Ref == level.Ref })
}

// PathOf gives the path of the member that a row with these keys is of, as query.ParsePath reads it.
func (p *Plan) PathOf(keys []cube.Value) string {
	level, ok := p.lastLevel(len(keys))
	if !ok {
		return ""
	}
	values, path := make([]cube.Value, len(level.Path)), make([]cube.Column, len(level.Path))
	for i, field := range level.Path {
		key := p.keyNamed(field)
		values[i], path[i] = keys[key], p.keys[key]
	}
	return query.PathText(path, values)
}
