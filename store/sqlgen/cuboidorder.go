package sqlgen

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/internal/each"
	"fiscube/store/dictionary"
)

// The order of groups by numbers. Members are numbered in the order of their paths, so these rules hold:
//
//  1. If the next keys of the order are the path of a level, without keys that came before, all ascending, the order is that of its
//     numbers.
//  2. Descending it is so for one key, but members of which this key is missing still come last, and a declared order of snapshots
//     has others last too.
//  3. Any other order of keys, and an order by labels, needs the member table.
//  4. A key that came before decides nothing more.

// cuboidSort is one step of the order: the numbers of a level, a key or the rank of a label from its tables, or an amount.
type cuboidSort struct {
	plan.Sort
	level   int  // the index of the level whose numbers, key or rank it goes by
	byTable bool // by a key in its member table: that of Key in its path
	key     int
	missing int32 // descending: the number of the member without a key, which comes last; -1: there is none
}

// bindOrder finds the steps of the order, and adds the numbers that they need.
func (q *cuboidCells) bindOrder(ctx context.Context, d *dictionary.Dictionary) error {
	var sorted []string // the keys that came before
	order := q.Order()
	for len(order) > 0 {
		o, n := order[0], 1
		step := cuboidSort{Sort: o, level: -1, missing: -1}
		switch o.By {
		case plan.ByLabel:
			step.level = q.Levels()[o.Index].Index
		case plan.ByKey:
			key := q.Keys()[o.Index].Name
			if slices.Contains(sorted, key) {
				order = order[1:]
				continue
			}
			var err error
			if step, n, err = q.keySort(ctx, d, order, sorted); err != nil {
				return err
			}
			sorted = append(sorted, each.Text(order[:n], func(o plan.Sort) string { return q.Keys()[o.Index].Name })...)
		}
		if step.level >= 0 && !slices.Contains(q.numbers, step.level) {
			q.numbers = append(q.numbers, step.level)
		}
		q.order, order = append(q.order, step), order[n:]
	}
	return nil
}

// keySort gives the next step of an order that begins with a key, and how many keys it sorts by.
func (q *cuboidCells) keySort(ctx context.Context, d *dictionary.Dictionary, order []plan.Sort, sorted []string) (cuboidSort, int, error) {
	step := cuboidSort{Sort: order[0], missing: -1}
	for _, level := range q.candidates() {
		rest := slices.DeleteFunc(slices.Clone(level.Path), func(field string) bool { return slices.Contains(sorted, field) })
		if !q.beginsWith(order, rest) {
			continue
		}
		step.level = level.Index
		if !order[0].Desc {
			return step, len(rest), nil
		}
		key := q.Keys()[order[0].Index]
		if len(rest) > 1 || len(q.Cube().Model.SnapshotOrder(key.Name)) > 0 || len(level.Path) > 1 && key.Missing > 0 {
			continue
		}
		members, err := d.Members(ctx, q.Cube(), level)
		if err != nil {
			return step, 0, err
		}
		if last := members.Size - 1; len(level.Path) == 1 && last >= 0 && members.Path(last)[0].IsMissing() {
			step.missing = last
		}
		return step, 1, nil
	}
	key := q.Keys()[order[0].Index].Name
	group := slices.IndexFunc(q.groups, func(m *dictionary.Members) bool { return slices.Contains(m.Level.Path, key) })
	step.level, step.byTable, step.key = q.groups[group].Level.Index, true, slices.Index(q.groups[group].Level.Path, key)
	return step, 1, nil
}

// candidates gives the levels of the cuboid whose numbers may sort the groups: first those of the groups, then those above them.
func (q *cuboidCells) candidates() []cube.Level {
	levels := make([]cube.Level, 0, len(q.cuboid.Levels))
	for _, m := range q.groups {
		levels = append(levels, m.Level)
	}
	for _, index := range slices.Backward(q.cuboid.Levels) {
		l := q.Cube().Model.Levels()[index]
		isGroup := func(m *dictionary.Members) bool { return m.Level.Index == index }
		if !slices.ContainsFunc(q.groups, isGroup) && slices.ContainsFunc(q.groups, func(m *dictionary.Members) bool { return m.Level.PathHas(l.Path) }) {
			levels = append(levels, l)
		}
	}
	return levels
}

// beginsWith tells whether an order begins with some keys, all in the direction of the first, which is ascending if there are several.
func (q *cuboidCells) beginsWith(order []plan.Sort, keys []string) bool {
	if len(keys) == 0 || len(keys) > len(order) || len(keys) > 1 && order[0].Desc {
		return false
	}
	for i, key := range keys {
		if o := order[i]; o.By != plan.ByKey || o.Desc != order[0].Desc || q.Keys()[o.Index].Name != key {
			return false
		}
	}
	return true
}

// isPlain tells whether the numbers and parts of the groups are enough to sort them.
func (q *cuboidCells) isPlain() bool {
	return len(q.Having()) == 0 && len(q.numbers) == len(q.groups) && !slices.ContainsFunc(q.order, func(o cuboidSort) bool {
		return o.byTable || o.By == plan.ByLabel || o.By == plan.ByAggregate && !q.Aggregate(o.Sort).IsPart()
	})
}

// compare gives the order of two groups by their numbers and parts.
func (q *cuboidCells) compare(a, b []any) int {
	for _, o := range q.order {
		order := 0
		if o.By == plan.ByAggregate {
			aggregate := q.Aggregate(o.Sort)
			column := len(q.groups) + aggregate.Parts[0]
			order = compareAmounts(a[column], b[column], o.Desc != aggregate.Reversed())
		} else {
			column := slices.Index(q.numbers, o.level)
			order = compareNumbers(int32Of(a[column]), int32Of(b[column]), o)
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// compareAmounts puts amounts that are missing last.
func compareAmounts(x, y any, desc bool) int {
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil:
		return 1
	case y == nil:
		return -1
	case desc:
		return compareParts(y, x)
	}
	return compareParts(x, y)
}

// compareNumbers puts the member without a key last.
func compareNumbers(x, y int32, o cuboidSort) int {
	switch {
	case !o.Desc:
		return cmp.Compare(x, y)
	case x == o.missing && y != o.missing:
		return 1
	case y == o.missing && x != o.missing:
		return -1
	}
	return cmp.Compare(y, x)
}

// joins joins the tables that the order needs.
func (q *cuboidCells) joins(r *renderer, from string) {
	for i, o := range q.order {
		switch {
		case o.By == plan.ByLabel:
			r.write("\nLEFT JOIN ")
			r.ranks(q.Cube(), q.Filters(), q.Levels()[o.Index])
		case o.byTable:
			r.write("\nLEFT JOIN ", MemberTable(q.Cube().ID, q.Cube().Model.Levels()[o.level]))
		default:
			continue
		}
		r.write(" AS ", numbered("m", i), " ON ", numbered("m", i), "._number = ", from, numbered("n", o.level))
	}
}

// orderBy writes the order over the columns of from.
func (q *cuboidCells) orderBy(r *renderer, from string) {
	keys := make([]string, len(q.order))
	for i, o := range q.order {
		keys[i] = q.sortKey(r, i, o, from)
	}
	if len(keys) > 0 {
		r.write(" ORDER BY ", strings.Join(keys, ", "))
	}
}

func (q *cuboidCells) sortKey(r *renderer, i int, o cuboidSort, from string) string {
	direction, table := "", numbered("m", i)
	if o.Desc {
		direction = " DESC"
	}
	number := from + numbered("n", o.level)
	switch {
	case o.By == plan.ByAggregate:
		a := q.Aggregate(o.Sort)
		return r.amount(q.Statement, a, from) + amountDirection(o.Sort, a)
	case o.By == plan.ByLabel:
		return table + "._rank" + direction + " NULLS LAST"
	case o.byTable:
		column := q.Keys()[o.Index]
		return r.keyOrder(sortOrder(q.Cube(), column.Name), column.Type, table+numbered(".p", o.key), direction)
	case o.missing >= 0:
		return number + " = " + strconv.Itoa(int(o.missing)) + ", " + number + direction
	}
	return number + direction
}

// ranks writes the table that has the ranks of a level's labels by number, for the years that the filters admit.
func (r *renderer) ranks(c *cube.Cube, filters []plan.Filter, l cube.Level) {
	years := inLabelTable(plan.LabelYears(c, filters))
	if len(years) == 0 || !l.HasLabels() {
		r.write(MemberTable(c.ID, l))
		return
	}
	r.write("(SELECT DISTINCT ON (f._number) f._number, f._rank FROM ", LabelTable(c.ID, l), " AS f")
	r.where(years)
	r.write(" AND f._shown ORDER BY f._number, f.label = '', f._year DESC NULLS LAST)")
}
