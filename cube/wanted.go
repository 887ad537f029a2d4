package cube

import (
	"slices"
	"strconv"
)

// Wanted is what an item of a cut names among the members of a level.
type Wanted struct {
	Level Level
	By    WantedBy
	Path  []Value // ByOwnKey: one key, wherever it lies; ByPath: keys from the top
	Text  string  // ByLabelText: tidied; ByPart: what a key or label has in it
}

// WantedBy says how a Wanted names members.
type WantedBy uint8

// The ways to name members.
const (
	ByPath WantedBy = iota
	ByOwnKey
	ByLabelText
	ByPart
)

// Asked is what was written for it, to compare with what is near.
func (w Wanted) Asked() string {
	if len(w.Path) > 0 {
		return w.Path[len(w.Path)-1].String()
	}
	return w.Text
}

// id tells apart what is wanted of one cube.
func (w Wanted) id(cube int64) string {
	return strconv.FormatInt(cube, 10) + "/" + strconv.Itoa(w.Level.Index) + "/" + strconv.Itoa(int(w.By)) + "/" + w.text()
}

// text prints the item.
func (w Wanted) text() string {
	switch w.By {
	case ByPart:
		return "~" + quoteText(w.Text)
	case ByLabelText:
		return quoteText(w.Text)
	}
	return pathText(w.Path)
}

// wanted lists what a filter names among members of listed levels, ranges apart. The complement of a missing value
// names nothing: it is there to leave out what there may be.
func (p *Plan) wanted(f Filter) []Wanted {
	var list []Wanted
	for _, tests := range f.Any {
		for _, w := range p.wantedOf(tests) {
			if !f.Not || w.Asked() != "" {
				list = append(list, w)
			}
		}
	}
	return list
}

func (p *Plan) wantedOf(tests []Test) []Wanted {
	first := tests[0]
	switch {
	case first.Members != nil:
		return first.Members.wanted()
	case first.isRange():
		return nil
	case len(tests) > 1:
		return p.wantedPath(tests)
	}
	level, ok := p.cube.Model.LevelOfKey(first.Column.Name)
	if !ok || !level.Listed {
		return nil
	}
	var list []Wanted
	for _, v := range first.In {
		list = append(list, Wanted{Level: level, By: ByOwnKey, Path: []Value{v}})
	}
	return list
}

// wantedPath names a path, which is that of a member or the beginning of one.
func (p *Plan) wantedPath(tests []Test) []Wanted {
	path := make([]Value, len(tests))
	for i, t := range tests {
		path[i] = t.In[0]
	}
	fields := texts(tests, func(t Test) string { return t.Column.Name })
	i := slices.IndexFunc(p.cube.Model.Levels(), func(l Level) bool {
		return l.Listed && len(l.Path) >= len(fields) && slices.Equal(l.Path[:len(fields)], fields)
	})
	if i < 0 {
		return nil
	}
	return []Wanted{{Level: p.cube.Model.Levels()[i], By: ByPath, Path: path}}
}

func (m *MemberTest) wanted() []Wanted {
	var list []Wanted
	for _, label := range m.Labels {
		list = append(list, Wanted{Level: m.Level, By: ByLabelText, Text: label})
	}
	for _, part := range m.Parts {
		list = append(list, Wanted{Level: m.Level, By: ByPart, Text: part})
	}
	return list
}
