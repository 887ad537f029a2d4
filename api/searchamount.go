package api

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"golang.org/x/sync/errgroup"

	"fiscube/cube"
	"fiscube/search"
)

// The amount of a hit is what a question about its cut answers for the latest of its fiscal years: for a measure its
// own sum, for all else that of the leading measure of the cube. Hits of one level are asked for together.

// sameQuestion tells apart the hits that are not asked for together.
type sameQuestion struct {
	cubeID  int64
	level   string // "" for what is no member
	measure string
}

// askedAtOnce bounds the questions of one search that are put to the store side by side.
const askedAtOnce = 4

// amountsOf gives for each hit its amount; nil where the cube has no measure, or is just being removed.
func (a *api) amountsOf(ctx context.Context, hits []search.Hit) ([]*amountJSON, error) {
	together := map[sameQuestion][]int{}
	for i, h := range hits {
		if measure := measureFor(h); measure != "" {
			key := sameQuestion{cubeID: h.Cube.ID, measure: measure}
			if h.Kind == search.KindMember {
				key.level = h.Level.Ref
			}
			together[key] = append(together[key], i)
		}
	}
	amounts := make([]*amountJSON, len(hits))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(askedAtOnce)
	for key, places := range together {
		group.Go(func() (err error) {
			defer recovering(&err)
			return a.askAmounts(ctx, key.measure, hits, places, amounts)
		})
	}
	return amounts, group.Wait()
}

// recovering turns a panic into an error, as recovered does where a request runs by itself; here it would end the
// service.
func recovering(err *error) {
	if cause := recover(); cause != nil {
		*err = panicError(cause)
	}
}

func measureFor(h search.Hit) string {
	first, _ := leading(h.Cube.Model)
	return cmp.Or(h.Measure, first.Ref)
}

// askAmounts asks for the amounts of the hits at the places, which are of one level.
func (a *api) askAmounts(ctx context.Context, measure string, hits []search.Hit, places []int, amounts []*amountJSON) error {
	same := make([]search.Hit, len(places))
	for i, place := range places {
		same[i] = hits[place]
	}
	plan, err := same[0].Cube.Bind(amountQuery(measure, same))
	if err != nil {
		return err
	}
	result, err := whole(ctx, a, &timing{}, func(ctx context.Context) (*cube.Result, error) { return a.engine.Aggregate(ctx, plan) })
	if cube.CodeOf(err) == cube.CodeGone {
		return nil
	}
	if err != nil {
		return err
	}
	a.metrics.rows.Add(float64(len(result.Cells)))
	cells := cellsByKeys(result)
	scale := plan.Aggregates()[0].Scale
	for i, place := range places {
		amount := &amountJSON{Measure: measure, Value: amountText(cells[keysOf(plan, same[i])], scale)}
		if _, ok := yearLevel(same[i].Cube.Model); ok {
			amount.Year = plain([]cube.Value{same[i].Last})[0]
		}
		amounts[place] = amount
	}
	return nil
}

// amountQuery asks for the members of the hits by year. It cuts each column of their paths by itself, which admits
// other members too, at most a few for each that is meant.
func amountQuery(measure string, hits []search.Hit) cube.Query {
	q := cube.Query{Aggregates: []cube.AggregateRef{sumOf(measure)}, Page: cube.Every}
	model := hits[0].Cube.Model
	for i, field := range hits[0].Level.Path {
		if hits[0].Kind == search.KindMember {
			q.Cuts = append(q.Cuts, cutTo(model, field, hits, func(h search.Hit) cube.Value { return h.Path[i] })...)
		}
	}
	if hits[0].Kind == search.KindMember {
		q.Drilldown = append(q.Drilldown, cube.Ref{Name: hits[0].Level.Ref})
	}
	if year, ok := yearLevel(model); ok {
		q.Drilldown = append(q.Drilldown, cube.Ref{Name: year.Ref})
		q.Cuts = append(q.Cuts, cutTo(model, year.Ref, hits, func(h search.Hit) cube.Value { return h.Last })...)
	}
	return q
}

// cutTo cuts a field to what the hits have of it; a field that is no level cannot be cut.
func cutTo(model *cube.Model, field string, hits []search.Hit, of func(search.Hit) cube.Value) []cube.Cut {
	if _, ok := model.LevelOfKey(field); !ok {
		return nil
	}
	cut := cube.Cut{Ref: cube.Ref{Name: field}}
	for _, h := range hits {
		cut.Items = append(cut.Items, cube.Item{Path: []string{of(h).String()}})
	}
	return []cube.Cut{cut}
}

// cellsByKeys gives the one amount of each cell by its keys.
func cellsByKeys(result *cube.Result) map[string]decimal.NullDecimal {
	cells := map[string]decimal.NullDecimal{}
	for _, cell := range result.Cells {
		cells[joinedKeys(cell.Keys)] = cell.Values[0]
	}
	return cells
}

// keysOf gives the keys that the cell of a hit has.
func keysOf(plan *cube.Plan, h search.Hit) string {
	keys := make([]cube.Value, len(plan.Keys()))
	for i, column := range plan.Keys() {
		if at := slices.Index(h.Level.Path, column.Name); at >= 0 && h.Kind == search.KindMember {
			keys[i] = h.Path[at]
		} else {
			keys[i] = h.Last
		}
	}
	return joinedKeys(keys)
}

// joinedKeys is unequal for unequal keys: no cell holds a NUL.
func joinedKeys(keys []cube.Value) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString(key.String() + "\x00")
	}
	return b.String()
}
