package search

import (
	"cmp"
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// read makes the part of a cube, with at most so many members.
func (x *Index) read(ctx context.Context, one *cube.Cube, room int) (*part, error) {
	r := &reader{store: x.store, cube: one, builder: newBuilder(), room: room}
	leading, _ := one.Model.Leading()
	r.builder.part.leading = leading.Ref
	_, r.builder.yearly = one.Model.YearLevel()
	r.describe()
	if err := r.cubeAmounts(ctx); err != nil {
		return nil, err
	}
	for _, level := range topDown(one.Model) {
		from := len(r.builder.part.entries)
		if err := r.members(ctx, level); err != nil {
			return nil, err
		}
		if err := r.memberAmounts(ctx, level, from); err != nil {
			return nil, err
		}
	}
	p := r.builder.finish()
	p.taken, p.left, p.room = room-r.room, r.left, room
	return p, nil
}

// topDown lists the levels that have members to find, those of the shortest paths first.
func topDown(m *cube.Model) []cube.Level {
	levels := slices.DeleteFunc(slices.Clone(m.Levels()), func(l cube.Level) bool { return !l.Listed })
	slices.SortStableFunc(levels, func(a, b cube.Level) int { return cmp.Compare(len(a.Path), len(b.Path)) })
	return levels
}

// reader reads one cube.
type reader struct {
	store   Store
	cube    *cube.Cube
	builder *builder
	room    int   // for members
	left    int64 // how many found no room
}

// describe adds what the package says of itself.
func (r *reader) describe() {
	one := r.cube
	r.thing(group{kind: KindCube}, cmp.Or(one.Title, one.Name), named(one.Name, one.Titles)...)
	r.builder.part.naming = len(r.builder.part.texts)
	r.builder.addText(one.Description, 0, true)
	for _, d := range one.Model.Dimensions() {
		if d.Type == cube.DimensionFact || len(d.Levels) == 0 {
			continue
		}
		r.thing(group{kind: KindDimension, dimension: d.Name}, titleOf(d.Titles, d.Name), named(d.Name, d.Titles)...)
		for _, l := range d.Levels {
			texts := append(named(l.Ref, l.Titles), l.LabelRef)
			r.thing(group{kind: KindLevel, dimension: d.Name, level: l}, titleOf(l.Titles, l.Ref), texts...)
		}
	}
	for _, m := range one.Model.Measures() {
		r.thing(group{kind: KindMeasure, measure: m.Ref}, cmp.Or(m.Title, m.Ref), named(m.Ref, m.Titles)...)
	}
}

// thing adds something that is no member: its years and rows are those of the cube.
func (r *reader) thing(g group, label string, texts ...string) {
	f := found{texts: append([]string{label}, texts...), label: label, rows: r.cube.Rows}
	if first, last, ok := r.cube.Years(); ok {
		f.first, f.last = cube.Integer(first), cube.Integer(last)
	}
	r.builder.group(g)
	r.builder.add(f)
}

func titleOf(titles cube.Titles, name string) string { return cmp.Or(titles.In(cube.English), name) }

// named lists the names of something in all languages, in a fixed order.
func named(name string, titles cube.Titles) []string {
	list := []string{name}
	for _, title := range titles {
		list = append(list, title)
	}
	slices.Sort(list[1:])
	return list
}

// members adds those members of a level that have the most rows and find room.
func (r *reader) members(ctx context.Context, level cube.Level) error {
	p, err := plan.BindMembers(r.cube, query.MemberQuery{
		Level: level.Ref, Order: query.MemberOrder{By: query.ByMemberRows, Desc: true}, Page: query.Page{Number: 1, Size: max(0, r.room)},
	})
	if err != nil {
		return err
	}
	rows, err := r.store.Members(ctx, p.Main())
	if err != nil {
		return err
	}
	defer rows.Close()
	r.left += rows.Count
	r.builder.group(group{kind: KindMember, dimension: level.Dimension, level: level, codes: level.LabelRef != ""})
	for row, err := range rows.Members {
		if err != nil {
			return err
		}
		if r.room > 0 {
			r.room -= 1 + r.builder.add(member(row))/mostBytesOfOne
			r.left--
		}
	}
	return nil
}

// mostBytesOfOne is how long the texts of a member may be that counts as one, so that long labels do not make an index
// of any size.
const mostBytesOfOne = 500

// member gives the entry of a member: its key is its first text.
func member(row plan.MemberRow) found {
	f := found{
		texts: []string{row.Path[len(row.Path)-1].String(), row.Label.String()}, label: row.Label.String(),
		path: row.Path, first: row.First, last: row.Last, rows: row.Rows,
	}
	for _, use := range row.Labels {
		if use.Text != row.Label.String() {
			f.texts = append(f.texts, use.Text)
		}
	}
	return f
}
