package plan

import (
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/query"
)

// NamedMember is what an item of a cut names among the members of a level.
type NamedMember struct {
	Level cube.Level
	By    NamedBy
	Path  []cube.Value // ByOwnKey: one key, wherever it lies; ByPath: keys from the top
	Text  string       // ByLabelText: tidied; ByPart: what a key or label has in it
}

// NamedBy says how a NamedMember names members.
type NamedBy uint8

// The ways to name members.
const (
	ByPath NamedBy = iota
	ByOwnKey
	ByLabelText
	ByPart
)

// Asked is what was written for it, to compare with what is near.
func (w NamedMember) Asked() string {
	if len(w.Path) > 0 {
		return w.Path[len(w.Path)-1].String()
	}
	return w.Text
}

// ID tells apart what is wanted of one cube.
func (w NamedMember) ID(cube int64) string {
	return strconv.FormatInt(cube, 10) + "/" + strconv.Itoa(w.Level.Index) + "/" + strconv.Itoa(int(w.By)) + "/" + w.String()
}

// String prints the item.
func (w NamedMember) String() string {
	switch w.By {
	case ByPart:
		return "~" + query.QuoteText(w.Text)
	case ByLabelText:
		return query.QuoteText(w.Text)
	}
	return query.KeysText(w.Path)
}

// MembersNamed lists what a filter names among members of listed levels, ranges apart. The complement of a missing value
// names nothing: it is there to leave out what there may be.
func (p *Plan) MembersNamed(f Filter) []NamedMember {
	var list []NamedMember
	for _, tests := range f.Any {
		first := tests[0]
		switch {
		case first.Members != nil:
			list = append(list, first.Members.named()...)
		case first.isRange():
		case len(tests) > 1:
			list = append(list, p.namedPath(tests)...)
		default:
			if level, ok := p.cube.Model.LevelOfKey(first.Column.Name); ok && level.Listed {
				for _, v := range first.In {
					list = append(list, NamedMember{Level: level, By: ByOwnKey, Path: []cube.Value{v}})
				}
			}
		}
	}
	if f.Not {
		list = slices.DeleteFunc(list, func(m NamedMember) bool { return m.Asked() == "" })
	}
	return list
}

// namedPath names a path, which is that of a member or the beginning of one.
func (p *Plan) namedPath(tests []Test) []NamedMember {
	fields := cube.Texts(tests, func(t Test) string { return t.Column.Name })
	i := slices.IndexFunc(p.cube.Model.Levels(), func(l cube.Level) bool {
		return l.Listed && len(l.Path) >= len(fields) && slices.Equal(l.Path[:len(fields)], fields)
	})
	if i < 0 {
		return nil
	}
	return []NamedMember{{Level: p.cube.Model.Levels()[i], By: ByPath, Path: keysOf(tests)}}
}

func (m *MemberTest) named() []NamedMember {
	var list []NamedMember
	for _, label := range m.Labels {
		list = append(list, NamedMember{Level: m.Level, By: ByLabelText, Text: label})
	}
	for _, part := range m.Parts {
		list = append(list, NamedMember{Level: m.Level, By: ByPart, Text: part})
	}
	return list
}
