package sqlgen

import (
	"context"
	"iter"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
	"fiscube/store/dictionary"
)

// memberReading gives the keys, labels and ranks of groups by their numbers.
type memberReading struct {
	groups []*dictionary.Members
	path   bool    // the keys are the path of the only level of groups
	keys   []keyOf // of each key
	labels []labelOf
}

// keyOf says where a key is: in the path of the member of a group.
type keyOf struct{ group, at int }

// labelOf says where the label of a level is.
type labelOf struct {
	group    int
	above    []int32 // the number of the member by that of the group; nil if the group is of the level itself
	members  *dictionary.Members
	byYear   *dictionary.Labels // nil: the labels of all years
	years    dictionary.Years
	labelled bool
	ranked   bool
}

// newMemberReading finds what the groups of a statement need.
func newMemberReading(ctx context.Context, d *dictionary.Dictionary, s *plan.Statement, groups []*dictionary.Members) (*memberReading, error) {
	r := &memberReading{groups: groups, keys: make([]keyOf, len(s.Keys())), labels: make([]labelOf, len(s.Levels()))}
	for i, key := range s.Keys() {
		group := slices.IndexFunc(groups, func(m *dictionary.Members) bool { return slices.Contains(m.Level.Path, key.Name) })
		r.keys[i] = keyOf{group, slices.Index(groups[group].Level.Path, key.Name)}
	}
	r.path = len(groups) == 1 && slices.Equal(groups[0].Level.Path, each.Text(s.Keys(), func(c cube.Column) string { return c.Name }))
	years := plan.LabelYears(s.Cube(), s.Filters())
	for i, level := range s.Levels() {
		l := &r.labels[i]
		l.labelled, l.ranked = level.LabelRef != "", slices.Contains(ranked(s), i)
		if !l.labelled && !l.ranked {
			continue
		}
		var err error
		if l.members, err = d.Members(ctx, s.Cube(), level); err != nil {
			return nil, err
		}
		l.group = slices.IndexFunc(groups, func(m *dictionary.Members) bool { return m.Level.PathHas(level.Path) })
		if groups[l.group].Level.Index != level.Index {
			l.above = groups[l.group].Above(l.members)
		}
		if len(years) == 0 || !level.HasLabels() {
			continue
		}
		if l.byYear, err = d.Labels(ctx, s.Cube(), level); err != nil {
			return nil, err
		}
		if l.years, err = d.LabelYears(ctx, s.Cube(), l.byYear, years); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// group makes a group without parts of its numbers.
func (r *memberReading) group(numbers []any) plan.Group {
	g, n := plan.Group{}, len(r.labels)
	texts := make([]cube.Value, 2*n, 2*n+len(r.keys))
	g.Labels, g.Ranks = texts[:n:n], texts[n:2*n:2*n]
	if r.path {
		g.Keys = r.groups[0].Path(int32Of(numbers[0]))
	} else {
		g.Keys = texts[2*n : 2*n+len(r.keys)]
		for i, k := range r.keys {
			g.Keys[i] = r.groups[k.group].Path(int32Of(numbers[k.group]))[k.at]
		}
	}
	for i := range r.labels {
		l := &r.labels[i]
		if !l.labelled && !l.ranked {
			continue
		}
		number := int32Of(numbers[l.group])
		if l.above != nil {
			number = l.above[number]
		}
		label, rank := l.of(number)
		if l.labelled {
			g.Labels[i] = label
		}
		if l.ranked {
			g.Ranks[i] = rank
		}
	}
	return g
}

// of gives the label of a member, with its rank.
func (l *labelOf) of(number int32) (label, rank cube.Value) {
	if l.byYear != nil {
		return l.byYear.Label(number, l.years)
	}
	return l.members.Label(number), l.members.Rank(number)
}

// int32Of reads a number of a member, whose type in a store is the narrowest.
func int32Of(v any) int32 {
	switch v := v.(type) {
	case int16:
		return int32(v)
	case int32:
		return v
	}
	return int32(v.(int64))
}

// tables reads the tables of members for a dictionary.
type tables struct{ ask Ask }

// Entries implements dictionary.Tables.
func (t tables) Entries(ctx context.Context, c *cube.Cube, l cube.Level) iter.Seq2[dictionary.Entry, error] {
	n := len(l.Path)
	text := "SELECT " + list(n, "", func(i int) string { return numbered("p", i) + ", " }) + "label, _rank FROM " + MemberTable(c.ID, l) +
		" ORDER BY _number"
	return func(yield func(dictionary.Entry, error) bool) {
		path := make([]cube.Value, n)
		for row, err := range t.ask(ctx, SQL{Text: text}) {
			if err != nil {
				yield(dictionary.Entry{}, err)
				return
			}
			for i := range path {
				path[i] = value(row[i])
			}
			rank, _ := value(row[n+1]).Int()
			if !yield(dictionary.Entry{Path: path, Label: row[n].(string), Rank: rank}, nil) {
				return
			}
		}
	}
}

// Labels implements dictionary.Tables.
func (t tables) Labels(ctx context.Context, c *cube.Cube, l cube.Level) iter.Seq2[dictionary.LabelEntry, error] {
	cell := "label"
	if c.LabelHistory.IsYearly(l.Ref) {
		cell = "_cell"
	}
	text := "SELECT CAST(_number AS bigint), _year, label, _rank, _meaning, CASE WHEN _shown THEN 1 ELSE 0 END, " + cell + " FROM " + LabelTable(c.ID, l)
	return func(yield func(dictionary.LabelEntry, error) bool) {
		for row, err := range t.ask(ctx, SQL{Text: text}) {
			if err != nil {
				yield(dictionary.LabelEntry{}, err)
				return
			}
			rank, _ := value(row[3]).Int()
			shown, _ := value(row[5]).Int()
			e := dictionary.LabelEntry{Number: int32(row[0].(int64)), Year: value(row[1]), Text: row[2].(string), Rank: rank,
				Meaning: row[4].(int64), Shown: shown == 1, Cell: row[6].(string)}
			if !yield(e, nil) {
				return
			}
		}
	}
}
