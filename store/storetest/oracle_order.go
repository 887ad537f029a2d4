package storetest

import (
	"bytes"
	"maps"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"fiscube/cube"
)

// ordered completes the cells and puts them into the order of the plan.
func (o *oracle) ordered(groups map[string]*group, plan *cube.Plan) []*group {
	all := slices.Collect(maps.Values(groups))
	labels := o.labels(plan)
	for _, g := range all {
		g.cell.Values = g.values(plan)
		g.cell.Labels = make([]cube.Value, len(plan.Levels()))
		for i, level := range plan.Levels() {
			if level.LabelRef != "" {
				g.cell.Labels[i] = labels[i].of(g.path(plan, level))
			}
		}
	}
	order := &order{plan: plan, alphabet: newAlphabet()}
	slices.SortFunc(all, order.compare)
	return all
}

// path gives the keys that name a group's member of a level.
func (g *group) path(plan *cube.Plan, level cube.Level) []cube.Value {
	path := make([]cube.Value, len(level.Path))
	for i, field := range level.Path {
		k := slices.IndexFunc(plan.Keys(), func(c cube.Column) bool { return c.Name == field })
		path[i] = g.cell.Keys[k]
	}
	return path
}

// order compares groups as a plan wants them.
type order struct {
	plan     *cube.Plan
	alphabet *alphabet
}

func (o *order) compare(g, h *group) int {
	for _, s := range o.plan.Order() {
		if by := o.compareBy(s, g, h); by != 0 {
			return by
		}
	}
	return 0
}

// compareBy compares by one key of the order. Missing comes last in both directions.
func (o *order) compareBy(s cube.Sort, g, h *group) int {
	here, there := hasSort(s, g), hasSort(s, h)
	switch {
	case !here && !there:
		return 0
	case !here:
		return 1
	case !there:
		return -1
	case s.Desc:
		g, h = h, g
	}
	switch s.By {
	case cube.ByKey:
		return compareValues(g.cell.Keys[s.Index], h.cell.Keys[s.Index])
	case cube.ByLabel:
		return o.alphabet.compare(g.cell.Labels[s.Index].String(), h.cell.Labels[s.Index].String())
	}
	a := o.plan.Aggregates()[s.Index]
	if a.Func != cube.Avg {
		return g.cell.Values[s.Index].Decimal.Cmp(h.cell.Values[s.Index].Decimal)
	}
	return compareFloats(g.quotient(a), h.quotient(a))
}

// hasSort tells whether a group has what is sorted by.
func hasSort(s cube.Sort, g *group) bool {
	switch s.By {
	case cube.ByKey:
		return !g.cell.Keys[s.Index].IsMissing()
	case cube.ByLabel:
		return !g.cell.Labels[s.Index].IsMissing()
	}
	return g.cell.Values[s.Index].Valid
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// alphabet orders labels by the root of the Unicode collation.
type alphabet struct {
	collator *collate.Collator
	buffer   *collate.Buffer
	keys     map[string][]byte
}

func newAlphabet() *alphabet {
	return &alphabet{collate.New(language.Und), &collate.Buffer{}, map[string][]byte{}}
}

func (a *alphabet) compare(one, other string) int { return bytes.Compare(a.key(one), a.key(other)) }

func (a *alphabet) key(text string) []byte {
	key, ok := a.keys[text]
	if !ok {
		key = a.collator.KeyFromString(a.buffer, text)
		a.keys[text] = key
	}
	return key
}
