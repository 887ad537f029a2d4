package search

import (
	"context"
	"slices"

	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/query"
)

// Amount is the sum of a measure in the latest fiscal year in which there is one, as the default question adds it up:
// of a measure its own, of all else that of the leading measure.
type Amount struct {
	Measure string     // "" where the cube has none
	Year    cube.Value // where there is no amount the last year; Missing where years cannot be asked for
	Text    string     // with every digit; "" where there is no amount in any year
}

// Amounts are asked for as the part is read and never again: a version does not change. There is one question for what
// the package says of itself, and one for each level, one after the other.

// yearSum is an amount as it is gathered.
type yearSum struct {
	year uint32 // among part.values
	text string
}

// came says what an entry came to in a year. The latest stays; rows of no year come before all others.
func (b *builder) came(entry int, year cube.Value, text string) {
	sum := &b.sums[entry]
	if kept := b.part.values[sum.year]; sum.text == "" || kept.IsMissing() || !year.IsMissing() && year.Compare(kept) > 0 {
		*sum = yearSum{b.value(year), text}
	}
}

// cubeAmounts adds the amounts of all that is no member.
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
		for entry, g := range r.builder.part.groups { // each of one entry, as yet
			text := amountText(p, cell, slices.IndexFunc(measures, func(m cube.Measure) bool { return m.Ref == r.measureOf(g) }))
			if text != "" {
				r.builder.came(entry, year(cell), text)
			}
		}
	}
	return nil
}

// memberAmounts adds the amounts of the members of a level, which are the entries from one on.
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
	year, entryOf := r.yearKey(p), r.builder.byKeys(from, placesOf(level, p))
	for cell, err := range cells.All {
		if err != nil {
			return err
		}
		text := amountText(p, cell, 0)
		if entry, ok := entryOf(cell.Keys); ok && text != "" {
			r.builder.came(entry, year(cell), text)
		}
	}
	return nil
}

// measureOf names the measure whose amount the entries of a group have.
func (r *reader) measureOf(g group) string {
	if g.measure != "" {
		return g.measure
	}
	return r.builder.part.leading
}

// sums plans the sums of some measures by some levels and the fiscal year.
func (r *reader) sums(measures []cube.Measure, levels []cube.Level) (*plan.Plan, error) {
	q := query.Query{Page: query.Every}
	for _, m := range measures {
		q.Aggregates = append(q.Aggregates, query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)})
	}
	if year, ok := r.cube.Model.YearLevel(); ok {
		levels = append(levels, year)
	}
	for _, l := range levels {
		q.Drilldown = append(q.Drilldown, query.Ref{Name: l.Ref})
	}
	return plan.Bind(r.cube, q)
}

// yearKey gives the fiscal year of a cell.
func (r *reader) yearKey(p *plan.Plan) func(answer.Cell) cube.Value {
	level, ok := r.cube.Model.YearLevel()
	if !ok {
		return func(answer.Cell) cube.Value { return cube.Missing }
	}
	place := placesOf(cube.Level{Path: []string{level.Ref}}, p)[0]
	return func(cell answer.Cell) cube.Value { return cell.Keys[place] }
}

// placesOf tells where the path of a level stands among the keys of a plan.
func placesOf(level cube.Level, p *plan.Plan) []int {
	places := make([]int, len(level.Path))
	for i, field := range level.Path {
		places[i] = slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == field })
	}
	return places
}

// amountText writes a sum of a cell with every digit.
func amountText(p *plan.Plan, cell answer.Cell, i int) string {
	if !cell.Values[i].Valid {
		return ""
	}
	return cell.Values[i].Decimal.StringFixed(p.Aggregates()[i].Scale)
}

// byKeys finds the entries from one on by the keys of a cell, where their path stands at some places.
func (b *builder) byKeys(from int, places []int) func(keys []cube.Value) (entry int, ok bool) {
	entryOf, path := b.byPath(from, len(b.part.entries), len(places)), make([]uint32, len(places))
	return func(keys []cube.Value) (entry int, ok bool) {
		for i, place := range places {
			if path[i], ok = b.values[keys[place]]; !ok {
				return 0, false
			}
		}
		return entryOf(path)
	}
}
