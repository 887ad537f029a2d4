package difference

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Store answers statements (answer.Store).
type Store interface {
	Cells(ctx context.Context, s *plan.Statement) (plan.Result, error)
}

// Side is a version, and the store that has it.
type Side struct {
	*cube.Cube
	Store Store
}

// MostListed is how many rows can be listed: those on all pages up to the last one. mostMembers is how many members of a level are.
const (
	MostListed  = query.MaxPageSize
	mostMembers = 100
)

// Between compares two versions. It asks each side for the same statements, and reads both answers side by side, so that it holds only what it lists: of the
// rows that differ a page.
func Between(ctx context.Context, before, after Side, page query.Page) (*Difference, error) {
	last := page.Number * page.Size
	if page.Number > MostListed || last > MostListed {
		return nil, cube.Errorf(cube.CodeBadPage, "only the first %d rows can be listed", MostListed).At(cube.Position{Parameter: "page"})
	}
	c := comparison{Difference: ofModels(before.Cube, after.Cube), ctx: ctx}
	if err := c.ask(before, after, false); err != nil {
		return nil, err
	}
	if err := c.members(); err != nil {
		return nil, err
	}
	if err := c.rows(last); err != nil {
		return nil, err
	}
	c.Rows.List = c.Rows.List[min(len(c.Rows.List), last-page.Size):]
	if c.AreSame() || !c.IsNothing() && before.Model.History() == nil && after.Model.History() == nil {
		return c.Difference, nil
	}
	if err := c.ask(before, after, true); err != nil {
		return nil, err
	}
	lines, err := c.list(c.columns(), 0, func(*Group) {})
	c.Lines = &lines
	return c.Difference, err
}

// comparison is a difference that is being made.
type comparison struct {
	*Difference
	ctx   context.Context
	sides [2]side
}

// side is a version that is asked.
type side struct {
	Side
	plan  *plan.Plan
	count int              // the part that counts lines
	sums  []plan.Aggregate // one for each of Amounts; without a name where the version does not have it
}

// ask makes the questions for the number of lines and the sums of the versions, over every statement of the same money or the last ones.
func (c *comparison) ask(before, after Side, every bool) (err error) {
	for number, s := range []Side{before, after} {
		q := query.Query{Aggregates: []query.AggregateRef{{Func: string(cube.Rows)}}, Page: query.Every, EverySnapshot: every}
		for _, a := range c.Amounts {
			if a.in[number] {
				q.Aggregates = append(q.Aggregates, query.AggregateRef{Measure: a.Ref, Func: string(cube.Sum)})
			}
		}
		made := side{Side: s, sums: make([]plan.Aggregate, len(c.Amounts))}
		if made.plan, err = plan.Bind(s.Cube, q); err != nil {
			return err
		}
		rest := made.plan.Aggregates()
		made.count, rest = rest[0].Parts[0], rest[1:]
		for i, a := range c.Amounts {
			if a.in[number] {
				made.sums[i], rest = rest[0], rest[1:]
			}
		}
		c.sides[number] = made
	}
	return nil
}

// columns are the columns that both versions have alike, without amounts and without what names statements in an order of its own, which keys do not have.
func (c *comparison) columns() (fields []Field) {
	a, b := c.Before.Model, c.After.Model
	for _, column := range b.Columns() {
		old, ok := a.Column(column.Name)
		if ok && column.Type != cube.TypeDecimal && old.Type == column.Type && a.SnapshotOrder(old.Name) == nil && b.SnapshotOrder(old.Name) == nil {
			fields = append(fields, Field{Column: column})
		}
	}
	return fields
}

// groups gives the groups of an answer. Those whose keys do not ascend are a fault of the store: what is equal would be taken for two.
func (s side) groups(ctx context.Context, result plan.Result) iter.Seq2[*plan.Group, error] {
	return func(yield func(*plan.Group, error) bool) {
		var last []cube.Value
		for g, err := range result.Groups {
			if err == nil {
				err = ctx.Err() // which a store that has the rows does not look at
			}
			if err == nil && last != nil && slices.CompareFunc(last, g.Keys, cube.Value.Compare) >= 0 {
				err = fmt.Errorf("the store gives %v of %s, version %d, after %v", g.Keys, s.Name, s.Version, last)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if last = g.Keys; g.Parts[s.count].Decimal.IsPositive() && !yield(&g, nil) {
				return
			}
		}
	}
}

// together groups both sides by some fields, in the order of keys.
func (c *comparison) together(fields []Field) iter.Seq2[Group, error] {
	columns := make([]cube.Column, len(fields))
	return func(yield func(Group, error) bool) {
		var next [2]func() (*plan.Group, error, bool)
		var labelled [2][]int // the field of each label
		for i, s := range c.sides {
			for j, field := range fields {
				columns[j], _ = s.Model.Column(field.Name)
			}
			asked := s.plan.ByColumns(columns)
			for _, l := range asked.Levels() {
				labelled[i] = append(labelled[i], slices.IndexFunc(fields, func(f Field) bool { return f.Name == l.Ref }))
			}
			result, err := s.Store.Cells(c.ctx, asked)
			if err != nil {
				yield(Group{}, err)
				return
			}
			defer result.Close()
			pull, stop := iter.Pull2(s.groups(c.ctx, result))
			defer stop()
			next[i] = pull
		}
		var head [2]*plan.Group
		for {
			for i := range head {
				if head[i] == nil {
					var err error
					if head[i], err, _ = next[i](); err != nil {
						yield(Group{}, err)
						return
					}
				}
			}
			pair, order := head, 0
			if head[0] != nil && head[1] != nil {
				order = slices.CompareFunc(head[0].Keys, head[1].Keys, cube.Value.Compare)
			}
			if order < 0 {
				pair[1] = nil
			} else if order > 0 {
				pair[0] = nil
			}
			for i := range pair {
				if pair[i] != nil {
					head[i] = nil
				}
			}
			if pair[0] == nil && pair[1] == nil || !yield(c.group(pair, len(fields), labelled), nil) {
				return
			}
		}
	}
}

// group says what two groups with the same keys say, of which one may be missing.
func (c *comparison) group(pair [2]*plan.Group, fields int, labelled [2][]int) Group {
	g := Group{Kind: Same, Labels: make([][2]cube.Value, fields), Amounts: make([]Pair, len(c.Amounts))}
	for i, of := range pair {
		if of == nil {
			continue
		}
		s := c.sides[i]
		g.Keys, g.Lines[i] = of.Keys, of.Parts[s.count].Decimal.IntPart()
		for j, field := range labelled[i] {
			g.Labels[field][i] = of.Labels[j]
		}
		for j, a := range s.sums {
			if a.Name != "" {
				sum := of.Parts[a.Parts[0]]
				g.Amounts[j][i] = decimal.NullDecimal{Decimal: sum.Decimal.Mul(a.Factor), Valid: sum.Valid}
			}
		}
	}
	differs := func(p Pair) bool { return p[0].Valid != p[1].Valid || !p[0].Decimal.Equal(p[1].Decimal) }
	switch {
	case pair[0] == nil:
		g.Kind = Came
	case pair[1] == nil:
		g.Kind = Went
	case g.Lines[0] != g.Lines[1] || slices.ContainsFunc(g.Amounts[:c.Compared], differs):
		g.Kind = Changed
	}
	return g
}

// members compares the members of each level that both versions have with the same path.
func (c *comparison) members() error {
	for _, level := range c.After.Model.Levels() {
		old, _ := c.Before.Model.LevelOfKey(level.Ref)
		fields := each.Where(c.Rows.Fields, func(f Field) bool { return slices.Contains(level.Path, f.Name) })
		if !level.Listed || !old.Listed || len(fields) < len(level.Path) || !slices.Equal(level.Path, old.Path) {
			continue
		}
		members, err := c.list(fields, mostMembers, func(g *Group) {
			if label := g.Labels[len(fields)-1]; g.Kind == Changed || g.Kind == Same {
				g.Kind = map[bool]Kind{true: Same, false: Changed}[label[0] == label[1]]
			}
		})
		if err != nil {
			return err
		}
		if members.Differ() > 0 {
			c.Members = append(c.Members, members)
		}
	}
	return nil
}

// list counts groups, and lists those that are not the same. It shows each group to a function first.
func (c *comparison) list(fields []Field, most int, look func(*Group)) (Listing, error) {
	made := Listing{Fields: fields, Count: map[Kind]int64{}}
	keepLargest := func() {
		slices.SortStableFunc(made.List, func(a, b Group) int { return c.size(b).Cmp(c.size(a)) })
		made.List = slices.Delete(made.List, min(len(made.List), most), len(made.List))
	}
	for g, err := range c.together(fields) {
		if err != nil {
			return made, err
		}
		look(&g)
		made.Count[g.Kind]++
		for i := range g.Lines {
			made.Lines[i] += g.Lines[i]
		}
		if g.Kind == Same || most == 0 {
			continue
		}
		if made.List = append(made.List, g); len(made.List) >= 2*most+64 {
			keepLargest()
		}
	}
	keepLargest()
	return made, nil
}

// rows adds up the totals and compares the rows, and holds their differences against each other: they come from statements of their own.
func (c *comparison) rows(most int) (err error) {
	left := map[cube.Value][]decimal.Decimal{} // what totals differ by and rows do not: of each amount that is compared, by time
	add := func(g *Group, time int, sign int64) {
		if g.Kind == Same {
			return
		}
		key := cube.Missing
		if time >= 0 {
			key = g.Keys[time]
		}
		if left[key] == nil {
			left[key] = make([]decimal.Decimal, c.Compared)
		}
		for i, p := range g.Amounts[:c.Compared] {
			left[key][i] = left[key][i].Add(p.Difference().Decimal.Mul(decimal.NewFromInt(sign)))
		}
	}
	if _, err = c.list(c.TotalFields(), 0, func(g *Group) {
		c.Totals = append(c.Totals, *g)
		add(g, len(g.Keys)-1, 1)
	}); err != nil {
		return err
	}
	time := c.timeField()
	c.Rows, err = c.list(c.Rows.Fields, most, func(g *Group) { add(g, time, -1) })
	c.AddsUp = true
	for _, amounts := range left {
		c.AddsUp = c.AddsUp && !slices.ContainsFunc(amounts, func(d decimal.Decimal) bool { return !d.IsZero() })
	}
	return err
}
