package resident

import (
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
	"fiscube/store/dictionary"
)

// reading gives the keys, labels and ranks of groups by their numbers.
type reading struct {
	groups []*dictionary.Members
	path   bool    // the keys are the path of the only level of groups
	keys   []keyOf // of each key
	labels []labelOf
	ranks  []cube.Value // of a group where the order is by no label
	texts  int          // that a group has of its own
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

// newReading finds what the groups of a statement need.
func newReading(ctx context.Context, d *dictionary.Dictionary, s *plan.Statement, groups []*dictionary.Members) (*reading, error) {
	r := &reading{groups: groups, keys: make([]keyOf, len(s.Keys())), labels: make([]labelOf, len(s.Levels()))}
	for i, key := range s.Keys() {
		group := slices.IndexFunc(groups, func(m *dictionary.Members) bool { return slices.Contains(m.Level.Path, key.Name) })
		r.keys[i] = keyOf{group, slices.Index(groups[group].Level.Path, key.Name)}
	}
	r.path = len(groups) == 1 && slices.Equal(groups[0].Level.Path, each.Text(s.Keys(), func(c cube.Column) string { return c.Name }))
	if r.texts = len(r.labels); !r.path {
		r.texts += len(r.keys)
	}
	if slices.ContainsFunc(s.Order(), func(o plan.Sort) bool { return o.By == plan.ByLabel }) {
		r.texts += len(r.labels)
	} else {
		r.ranks = make([]cube.Value, len(r.labels))
	}
	years := plan.LabelYears(s.Cube(), s.Filters())
	for i, level := range s.Levels() {
		l := &r.labels[i]
		l.labelled = level.LabelRef != ""
		l.ranked = slices.ContainsFunc(s.Order(), func(o plan.Sort) bool { return o.By == plan.ByLabel && o.Index == i })
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

// group makes a group without parts of its numbers, in the memory of its texts.
func (r *reading) group(numbers []int32, texts []cube.Value) plan.Group {
	n := len(r.labels)
	g := plan.Group{Labels: texts[:n:n], Ranks: r.ranks}
	if texts = texts[n:]; g.Ranks == nil {
		g.Ranks, texts = texts[:n:n], texts[n:]
	}
	if r.path {
		g.Keys = r.groups[0].Path(numbers[0])
	} else {
		g.Keys = texts[:len(r.keys):len(r.keys)]
		for i, k := range r.keys {
			g.Keys[i] = r.groups[k.group].Path(numbers[k.group])[k.at]
		}
	}
	for i := range r.labels {
		l := &r.labels[i]
		if !l.labelled && !l.ranked {
			continue
		}
		label, rank := l.of(numbers[l.group])
		if l.labelled {
			g.Labels[i] = label
		}
		if l.ranked {
			g.Ranks[i] = rank
		}
	}
	return g
}

// of gives the label of the member of a group by the number of that, with its rank.
func (l *labelOf) of(number int32) (label, rank cube.Value) {
	if l.above != nil {
		number = l.above[number]
	}
	if l.byYear != nil {
		return l.byYear.Label(number, l.years)
	}
	return l.members.Label(number), l.members.Rank(number)
}
