package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// read makes the part of a cube, with members up to the room.
func (x *Index) read(ctx context.Context, c *cube.Cube, room int) (*part, error) {
	r := &reader{store: x.store, cube: c, builder: newBuilder(), room: room}
	leading, _ := c.Model.Leading()
	r.builder.part.leading = leading.Ref
	_, r.builder.yearly = c.Model.YearLevel()
	r.describe()
	if err := r.cubeAmounts(ctx); err != nil {
		return nil, err
	}
	for _, level := range topDown(c.Model) {
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

// topDown lists the levels with member tables, those with the shortest paths first, and of these first the fiscal year. Editions are left out:
// they are no members, and a member is not called by the year of its codes.
func topDown(m *cube.Model) []cube.Level {
	levels := slices.DeleteFunc(slices.Clone(m.Levels()), func(l cube.Level) bool { return !l.Listed || m.IsEdition(l.Ref) })
	year, _ := m.YearLevel()
	order := func(l cube.Level) int {
		if l.Ref == year.Ref {
			return 2*len(l.Path) - 1
		}
		return 2 * len(l.Path)
	}
	slices.SortStableFunc(levels, func(a, b cube.Level) int { return cmp.Compare(order(a), order(b)) })
	return levels
}

// reader reads one cube.
type reader struct {
	store   Store
	cube    *cube.Cube
	builder *builder
	room    int   // for members
	left    int64 // how many members are left out
}

// describe adds the cube, and its dimensions, levels and measures.
func (r *reader) describe() {
	c := r.cube
	r.describeOne(group{kind: KindCube}, cmp.Or(c.Title, c.Name), append(named(c.Name, c.Titles), inCases(c.CountryNames["hr"]))...)
	r.builder.part.naming = len(r.builder.part.texts)
	r.builder.addText(c.Description, 0, true)
	for _, d := range c.Model.Dimensions() {
		if d.Type == cube.DimensionFact || len(d.Levels) == 0 {
			continue
		}
		r.describeOne(group{kind: KindDimension, dimension: d.Name}, titleOf(d.Titles, d.Name), named(d.Name, d.Titles)...)
		for _, l := range d.Levels {
			texts := append(named(l.Ref, l.Titles), l.LabelRef)
			r.describeOne(group{kind: KindLevel, dimension: d.Name, level: l}, titleOf(l.Titles, l.Ref), texts...)
		}
	}
	for _, m := range c.Model.Measures() {
		r.describeOne(group{kind: KindMeasure, measure: m.Ref}, cmp.Or(m.Title, m.Ref), named(m.Ref, m.Titles)...)
	}
}

// describeOne adds an entry that is no member. Its years and rows are those of the cube.
func (r *reader) describeOne(g group, label string, texts ...string) {
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

// inCases writes the name of a country, if it is one word, in the cases of Croatian sentences: u Hrvatskoj, iz Meksika, o Kostariki.
func inCases(name string) string {
	if name == "" || strings.Contains(name, " ") {
		return ""
	}
	stem := strings.TrimRight(name, "aeo")
	forms := each.Text([]string{"a", "e", "i", "u", "oj", "om", "em"}, func(ending string) string { return stem + ending })
	if short, ok := strings.CutSuffix(stem, "k"); ok {
		forms = append(forms, short+"ci") // u Kostarici
	}
	return strings.Join(forms, " ")
}

// members adds the members of a level with the most rows, as far as there is room.
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
	dimension, _ := r.cube.Model.Dimension(level.Dimension)
	isBody := dimension.Classification == "administrative"
	r.builder.group(group{
		kind: KindMember, dimension: level.Dimension, level: level, codes: level.LabelRef != "", bodies: isBody, top: isBody && len(level.Path) == 1,
	})
	if year, ok := r.cube.Model.YearLevel(); ok && year.Ref == level.Ref {
		r.builder.part.fiscal = len(r.builder.part.groups) - 1
	}
	for row, err := range rows.Members {
		if err != nil {
			return err
		}
		if r.room > 0 {
			r.room -= 1 + r.builder.add(member(row))/bytesOfMember
			r.left--
		}
	}
	return nil
}

// bytesOfMember is how many bytes of text take the room of one member. Longer texts take more room, so that the size of the
// index is bounded.
const bytesOfMember = 500

// member makes the entry of a member. Its key is its first text.
func member(row plan.MemberRow) found {
	f := found{
		texts: []string{row.Path[len(row.Path)-1].String(), row.Label.String()}, label: row.Label.String(),
		path: row.Path, first: row.First, last: row.Last, rows: row.Rows,
	}
	for _, use := range row.Labels {
		if use.Text != row.Label.String() {
			f.texts, f.names = append(f.texts, use.Text), append(f.names, use)
		} else {
			f.names = slices.Insert(f.names, 0, use)
		}
	}
	return f
}

// Amount is the sum, under the default filters, of a measure in the latest fiscal year that has one. A hit that is a measure
// has its own amount, and every other hit that of the leading measure.
type Amount struct {
	Measure string     // "" if the cube has none
	Year    cube.Value // without an amount the last year; Missing if the fiscal year is no level
	Text    string     // with every digit; "" if no year has an amount
}

// yearSum is the amount of an entry. It is read once, with the part, since a version never changes.
type yearSum struct {
	year uint32 // index in part.values
	text string
}

// addSum adds the sum of an entry in a year. The sum of the latest year is kept, and for each of several names that of the
// latest year in which the member has it; a missing year comes before all others.
func (b *builder) addSum(entry int, year cube.Value, text string) {
	sum := &b.sums[entry]
	if kept := b.part.values[sum.year]; sum.text == "" || kept.IsMissing() || !year.IsMissing() && year.Compare(kept) > 0 {
		*sum = yearSum{b.value(year), text}
	}
	n, dated := year.Int()
	for i, name := range b.namesOf(entry) {
		if kept, _ := b.part.values[name.year].Int(); dated && slices.Contains(name.years, n) && (name.amount == "" || n > kept) {
			b.namesOf(entry)[i].year, b.namesOf(entry)[i].amount = b.value(year), text
		}
	}
}

// cubeAmounts adds the amounts of all entries that are no members. It needs one question.
func (r *reader) cubeAmounts(ctx context.Context) error {
	measures := r.cube.Model.Measures()
	if len(measures) == 0 {
		return nil
	}
	p, err := r.sums(measures, nil)
	if err != nil {
		return err
	}
	cells, err := answer.Open(ctx, r.store, p, cube.English)
	if err != nil {
		return err
	}
	defer cells.Close()
	year := r.yearKey(p)
	for cell, err := range cells.All {
		if err != nil {
			return err
		}
		for entry, g := range r.builder.part.groups { // each has one entry so far
			r.builder.addYear(entry, year(cell))
			text := amountText(p, cell, slices.IndexFunc(measures, func(m cube.Measure) bool { return m.Ref == r.measureOf(g) }))
			if text != "" {
				r.builder.addSum(entry, year(cell), text)
			}
			if entry == 0 && text != "" {
				r.builder.totals[year(cell)] = decimal.RequireFromString(text)
			}
		}
	}
	return nil
}

// memberAmounts adds the amounts of the members of a level, which are the entries since from. It needs one question.
func (r *reader) memberAmounts(ctx context.Context, level cube.Level, from int) error {
	leading, ok := r.cube.Model.Leading()
	if !ok || from == len(r.builder.part.entries) {
		return nil
	}
	p, err := r.sums([]cube.Measure{leading}, []cube.Level{level})
	if err != nil {
		return err
	}
	cells, err := answer.Open(ctx, r.store, p, cube.English)
	if err != nil {
		return err
	}
	defer cells.Close()
	year, entryOf := r.yearKey(p), r.builder.byKeys(from, keyIndexes(level, p))
	for cell, err := range cells.All {
		if err != nil {
			return err
		}
		entry, ok := entryOf(cell.Keys)
		if !ok {
			continue
		}
		r.builder.addYear(entry, year(cell))
		if text := amountText(p, cell, 0); text != "" {
			r.builder.addSum(entry, year(cell), text)
		}
	}
	return nil
}

// measureOf names the measure of the amounts of a group.
func (r *reader) measureOf(g group) string {
	if g.measure != "" {
		return g.measure
	}
	return r.builder.part.leading
}

// sums plans the question for the sums of measures by levels and fiscal year.
func (r *reader) sums(measures []cube.Measure, levels []cube.Level) (*plan.Plan, error) {
	q := query.Query{Page: query.Every}
	for _, m := range measures {
		q.Aggregates = append(q.Aggregates, query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)})
	}
	if year, ok := r.cube.Model.YearLevel(); ok {
		levels = append(levels, year)
	}
	q.Drilldown = append(q.Drilldown, each.Of(levels, func(l cube.Level) query.Ref { return query.Ref{Name: l.Ref} })...)
	return plan.Bind(r.cube, q)
}

// yearKey makes a function that gives the fiscal year of a cell.
func (r *reader) yearKey(p *plan.Plan) func(answer.Cell) cube.Value {
	level, ok := r.cube.Model.YearLevel()
	if !ok {
		return func(answer.Cell) cube.Value { return cube.Missing }
	}
	key := keyIndexes(cube.Level{Path: []string{level.Ref}}, p)[0]
	return func(cell answer.Cell) cube.Value { return cell.Keys[key] }
}

// keyIndexes gives the indexes of the path of a level in the keys of a plan.
func keyIndexes(level cube.Level, p *plan.Plan) []int {
	return each.Of(level.Path, func(field string) int {
		return slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == field })
	})
}

// amountText writes the i-th value of a cell with every digit.
func amountText(p *plan.Plan, cell answer.Cell, i int) string {
	if !cell.Values[i].Valid {
		return ""
	}
	return cell.Values[i].Decimal.StringFixed(p.Aggregates()[i].Scale)
}

// byKeys makes a function that finds the entries since from by the keys of a cell; indexes are those of their path.
func (b *builder) byKeys(from int, indexes []int) func(keys []cube.Value) (entry int, ok bool) {
	entryOf, path := b.byPath(from, len(b.part.entries), len(indexes)), make([]uint32, len(indexes))
	return func(keys []cube.Value) (entry int, ok bool) {
		for i, key := range indexes {
			if path[i], ok = b.values[keys[key]]; !ok {
				return 0, false
			}
		}
		return entryOf(path)
	}
}
