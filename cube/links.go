package cube

import (
	"slices"
	"strings"
)

// CutOf gives the cut, in the grammar of questions, that selects the facts of a cell: what was asked and the cell's
// own members. A term that a key of the cell settles is left out. Members added up in Cell.Others have no cut.
func (p *Plan) CutOf(cell Cell) string {
	keys := p.keys[:len(cell.Keys)]
	var terms []string
	for _, f := range p.filtersBy(false) {
		if !f.settledBy(keys) {
			terms = append(terms, f.text)
		}
	}
	for i, key := range keys {
		terms = append(terms, quoteName(key.Name)+":"+valueText(cell.Keys[i], `""`))
	}
	return strings.Join(terms, "|")
}

// settledBy tells whether the filter asks for nothing but the columns, whose values are known to pass it.
func (f Filter) settledBy(columns []Column) bool {
	return len(f.Any) > 0 && !slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool {
			return !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == t.Column.Name })
		})
	})
}

// Below names the level to drill next inside a cell: the one under the last level it names, which for a level of
// several chains is the first declared. It is empty at a leaf, and for Cell.Others.
func (p *Plan) Below(cell Cell) string {
	level, ok := p.levelOf(cell)
	if !ok {
		return ""
	}
	levels := p.cube.Model.levels
	below := slices.IndexFunc(levels, func(l Level) bool { return l.Parent == level.Ref })
	if below < 0 {
		return ""
	}
	return levels[below].Ref
}

// levelOf gives the level of the step that the last key of a cell is of; none for Cell.Others.
func (p *Plan) levelOf(cell Cell) (Level, bool) {
	i := slices.IndexFunc(p.steps, func(s Step) bool { return s.Keys == len(cell.Keys) })
	if i < 0 || cell.Others > 0 {
		return Level{}, false
	}
	return p.cube.Model.LevelOfKey(p.steps[i].Ref)
}

// MemberOf gives the key and the label of the member that the last step of a cell names; both are missing for
// Cell.Others.
func (p *Plan) MemberOf(cell Cell) (key, label Value) {
	level, ok := p.levelOf(cell)
	if !ok {
		return Missing, Missing
	}
	key = cell.Keys[p.keyNamed(level.Ref)]
	if i := slices.IndexFunc(p.levels, func(l Level) bool { return l.Ref == level.Ref }); i >= 0 {
		label = cell.Labels[i]
	}
	return key, label
}

func (p *Plan) keyNamed(field string) int {
	return slices.IndexFunc(p.keys, func(c Column) bool { return c.Name == field })
}

// PathText prints the keys of a path so that ParsePath reads them again: bare where the grammar allows it.
func PathText(keys []Value) string {
	return strings.Join(texts(keys, func(v Value) string {
		if s := v.String(); !strings.ContainsAny(s, `|;/"`) && !strings.Contains(s, "..") {
			return s
		}
		return quoteText(v.String())
	}), "/")
}
