package explorer

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/layers"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// nearlyAll is the share from which on a part leaves so little to the others that a split says nothing: what is below it is split instead.
var nearlyAll = decimal.New(95, -2)

// splitsOf divides the sum of a view by the levels worth a look, each of another dimension, at most so many. Each is compared with the year
// before where the view is of one year.
func (w *view) splitsOf(in site.Address, most ...int) (list []*view, err error) {
	years := w.answer.Plan.Years()
	looked := 0
	for _, level := range w.inOrder(w.cb.Model.FirstLevels(mostOffered)) {
		if len(list) == len(most) || looked == mostLookedAt+len(list) {
			break
		}
		dimension, _ := w.cb.Model.Dimension(level.Dimension)
		isOfDimension := func(l cube.Level) bool { return l.Dimension == level.Dimension }
		if dimension.Type == cube.DimensionTime || slices.ContainsFunc(w.drilled(), isOfDimension) || slices.ContainsFunc(list, func(s *view) bool { return isOfDimension(s.drilled()[0]) }) {
			continue
		}
		looked++
		split, err := w.splitBelow(in, dimension, years, most[len(list)])
		if err != nil {
			return nil, err
		}
		if split != nil {
			list = append(list, split)
		}
	}
	return list, nil
}

// inOrder puts what money is for before who has it, that before how it is spent, and other levels last.
func (w *view) inOrder(levels []cube.Level) []cube.Level {
	place := func(l cube.Level) int {
		d, _ := w.cb.Model.Dimension(l.Dimension)
		at := slices.Index([]string{"functional", "administrative", "economic"}, d.Classification)
		if at < 0 {
			return len(levels)
		}
		return at
	}
	levels = slices.Clone(levels)
	slices.SortStableFunc(levels, func(a, b cube.Level) int { return cmp.Compare(place(a), place(b)) })
	return levels
}

// splitBelow divides by the first level of a dimension of which no part has nearly all; nil if none has several parts.
func (w *view) splitBelow(in site.Address, d cube.Dimension, years []int64, most int) (*view, error) {
	for _, level := range d.Chains()[0] {
		isCut := slices.ContainsFunc(in.Query.Cuts, func(c query.Cut) bool { return c.Ref.Name == level.Ref && !c.Not })
		if isCut || !level.Listed || w.cb.Model.IsEdition(level.Ref) || w.cb.Coverage != nil && len(w.cb.Coverage.Gap(level.Ref, years)) > 0 {
			continue
		}
		split, err := w.splitBy(in, level, most)
		if split == nil || err != nil {
			return nil, err
		}
		cells := split.answer.Cells
		if at := split.shareIndex(); len(cells) > 1 && (at < 0 || cells[0].Values[at].Decimal.LessThan(nearlyAll)) {
			return split, nil
		}
	}
	return nil, nil
}

// splitBy divides by a level: the largest members, and the others together.
func (w *view) splitBy(in site.Address, level cube.Level, most int) (*view, error) {
	a := in.Drilling(level.Ref)
	main := mainAggregates(w.cb.Model, in.Query.Aggregates)[:1]
	q := a.Query
	q.Aggregates = []query.AggregateRef{main[0], {Func: string(cube.Share), Args: main}}
	q.Order, q.Top, q.Remainder, q.Page = []query.Order{byAggregate(main[0])}, most, true, query.FirstPage
	plain := q
	if year, ok := yearCutOf(w.cb.Model, in.Query.Cuts); ok {
		before := year + usualOffset(w.cb, in.Query)
		if w.cb.Coverage != nil && slices.Contains(w.cb.Coverage.Years, before) {
			q.Compare = &query.Compare{Ref: query.Ref{Name: yearOf(w.cb.Model).Name}, Offset: before - year}
		}
	}
	found, err := w.Ask(w.cb, q)
	if q.Compare != nil && (isOfReader(err) || err == nil && comparesNothing(found)) {
		found, err = w.Ask(w.cb, plain)
	}
	if cube.CodeOf(err) == cube.CodeTooLarge { // the store ranks so many members, and their shares and the others are left out
		plain.Aggregates, plain.Top, plain.Remainder, plain.Page = main, 0, false, query.Page{Number: 1, Size: most}
		found, err = w.Ask(w.cb, plain)
	}
	switch {
	case isOfReader(err): // such as a share of what has no total
		return nil, nil
	case err != nil:
		return nil, err
	}
	split := *w
	split.a, split.answer, split.fixed = a, found, fixedBy(found.Plan)
	return &split, nil
}

// card shows a split as bars.
func (w *view) card(id string) layers.Card {
	return layers.Card{ID: id, Title: w.titleOfSplit(), TitleLink: w.a.String(), Unit: w.unit(), Rows: w.bars(), Source: w.source()}
}

// mostChanged is how many members a picture of changes lists.
const mostChanged = 6

// changeCard shows what changed most since the year before, of the members of a split; nil where nothing is compared.
func (w *view) changeCard() *layers.Card {
	before := w.indexOf(query.RoleEarlier)
	year, ok := w.yearCut()
	if before < 0 || !ok || w.isStopped() || len(w.zeros(0, []int64{year, year + w.offset()})) > 0 {
		return nil
	}
	cells := slices.DeleteFunc(slices.Clone(w.answer.Cells), func(c answer.Cell) bool {
		return c.Others > 0 || w.isIncomparable(c) || w.differenceOf(c.Values).IsZero()
	})
	size := func(c answer.Cell) decimal.Decimal { return w.differenceOf(c.Values).Abs() }
	slices.SortStableFunc(cells, func(a, b answer.Cell) int { return size(b).Cmp(size(a)) })
	if len(cells) < 2 {
		return nil
	}
	list := &layers.Rows{}
	for _, cell := range cells[:min(len(cells), mostChanged)] {
		difference := w.differenceOf(cell.Values)
		row := layers.Row{Name: cmp.Or(w.purposeName(cell), w.nameOf(cell)), Amount: signed(difference, w.Short(difference)), Exact: signed(difference, w.exact(difference)), Change: w.changeText(cell),
			NowWide: share(difference, size(cells[0])), Purpose: "up"}
		if difference.IsNegative() {
			row.Purpose = "down"
		}
		row.Down, row.DownHint = w.below(cell)
		list.Rows = append(list.Rows, row)
	}
	a := w.a
	a.View = asChange
	return &layers.Card{
		ID: "changed", Title: w.Say("picture.changed-most", "Year", w.Years([]int64{year + w.offset()})), TitleLink: a.String(), Unit: w.unit(), Rows: list,
	}
}

// areaCard shows a split as areas or, on phones, as bars; as bars alone where areas are refused.
func (w *view) areaCard(id string) (layers.Card, error) {
	card := w.card(id)
	of := *w
	of.a.View = asTreemap
	drawn, err := of.figureOf(asTreemap)
	if err != nil {
		return card, err
	}
	if drawn.Refused == "" {
		card.Wide = drawn.Large
	}
	return card, nil
}

// titleOfSplit says by what a split divides, and which part explains most of it.
func (w *view) titleOfSplit() string {
	if finding := w.finding(); finding != "" {
		return finding
	}
	return w.subtitle()
}

// purposeOf is the division of COFOG of a cell, from 01 to 10, or "".
func (w *view) purposeOf(cell answer.Cell) string {
	f := w.cb.Functions
	if f == nil || cell.Others > 0 {
		return ""
	}
	level, ok := w.cb.Model.Level(f.Level)
	if !ok || !slices.ContainsFunc(w.drilled(), func(l cube.Level) bool { return l.Ref == f.Level }) {
		return ""
	}
	var path []string
	for _, field := range level.Path {
		for i, key := range w.answer.Plan.Keys() {
			if key.Name == field && i < len(cell.Keys) {
				path = append(path, cell.Keys[i].String())
			}
		}
	}
	if len(path) != len(level.Path) || cell.Keys[len(cell.Keys)-1].IsMissing() {
		return ""
	}
	return f.Of(path)
}

// purposeName names a cell by its division in the language of the reader, if no other cell is of the same; "" where it has a name of its own.
func (w *view) purposeName(cell answer.Cell) string {
	division := w.purposeOf(cell)
	if division == "" || !words.Has("functions.division-"+division) {
		return ""
	}
	for _, other := range w.answer.Cells {
		if w.purposeOf(other) == division && !slices.Equal(other.Keys, cell.Keys) {
			return ""
		}
	}
	return w.Say("functions.division-" + division)
}
