package plan

import (
	"slices"
	"strconv"

	"fiscube/cube"
	"fiscube/cube/query"
)

// NamedMember is a member, or several, of a level as an item of a cut names them.
type NamedMember struct {
	Level   cube.Level
	By      NamedBy
	Path    []cube.Value  // ByOwnKey: one key, under any parent; ByPath: keys from the top, perhaps without editions
	Columns []cube.Column // those of Path, of the path of Level
	Text    string        // ByLabelText: a label, tidied; ByPart: a part of a key or label
	Years   []Filter      // the labels of the fiscal years that they all admit count (MemberTest.Years)
}

// UnknownMember is one of the members that a cut names, which does not exist.
type UnknownMember struct {
	Index int // among those named
	Near  Near
}

// Near is what may have been meant by a NamedMember that does not exist.
type Near struct {
	Names []string // keys or labels of its level, those with most rows first
	Years []int64  // the fiscal years in which rows have its label, which the cuts do not admit, ascending
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

// Asked is the text to compare with keys or labels that may have been meant.
func (m NamedMember) Asked() string {
	if len(m.Path) > 0 {
		return m.Path[len(m.Path)-1].String()
	}
	return m.Text
}

// ID identifies a named member in all cubes.
func (m NamedMember) ID(cube int64) string {
	return strconv.FormatInt(cube, 10) + "/" + strconv.Itoa(m.Level.Index) + "/" + strconv.Itoa(int(m.By)) + "/" + m.String() +
		"/" + m.YearsID()
}

// YearsID identifies Years among those of all named members.
func (m NamedMember) YearsID() string { return yearsText(m.Years) }

// String prints the item.
func (m NamedMember) String() string {
	switch m.By {
	case ByPart:
		return "~" + query.QuoteText(m.Text)
	case ByLabelText:
		return query.QuoteText(m.Text)
	}
	return query.KeysText(m.Columns, m.Path)
}

// MembersNamed lists the members of listed levels that a filter names, other than by a range. A filter that leaves out a
// missing value names nothing by it: people write it whether or not there are such rows.
func (s *selection) MembersNamed(f Filter) []NamedMember {
	var list []NamedMember
	for _, tests := range f.Any {
		first := tests[0]
		switch {
		case first.Members != nil:
			list = append(list, first.Members.named()...)
		case first.isRange():
		case len(tests) > 1:
			list = append(list, s.namedPath(tests)...)
		default:
			if level, ok := s.cube.Model.LevelOfKey(first.Column.Name); ok && level.Listed {
				for _, v := range first.In {
					list = append(list, NamedMember{Level: level, By: ByOwnKey, Path: []cube.Value{v}, Columns: []cube.Column{first.Column}})
				}
			}
		}
	}
	if f.Not {
		list = slices.DeleteFunc(list, func(m NamedMember) bool { return m.Asked() == "" })
	}
	return list
}

// namedPath names the members with a path, or with the beginning of one, or those of a level with a key in one edition.
func (s *selection) namedPath(tests []Test) []NamedMember {
	columns := columnsOf(tests)
	fields := cube.Texts(query.KeyColumns(columns), func(c cube.Column) string { return c.Name })
	i := slices.IndexFunc(s.cube.Model.Levels(), func(l cube.Level) bool {
		path := slices.DeleteFunc(slices.Clone(l.Path), func(field string) bool { return !slices.Contains(fields, field) && s.cube.Model.IsEdition(field) })
		return l.Listed && (len(path) >= len(fields) && slices.Equal(path[:len(fields)], fields) || len(fields) == 1 && l.Ref == fields[0])
	})
	if i < 0 {
		return nil
	}
	return []NamedMember{{Level: s.cube.Model.Levels()[i], By: ByPath, Path: keysOf(tests), Columns: columns}}
}

func (m *MemberTest) named() []NamedMember {
	var list []NamedMember
	for _, label := range m.Labels {
		list = append(list, NamedMember{Level: m.Level, By: ByLabelText, Text: label, Years: m.Years})
	}
	for _, part := range m.Substrings {
		list = append(list, NamedMember{Level: m.Level, By: ByPart, Text: part, Years: m.Years})
	}
	return list
}
