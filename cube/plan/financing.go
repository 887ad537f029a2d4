package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
)

// Financing lists the members that are financing and that sums or averages of the plan may include though nobody has chosen them: no cut
// leaves them out, and none names members of their level or of those below.
func (p *Plan) Financing() (list []cube.Financing) {
	if !p.adds() {
		return nil
	}
	m := p.cube.Model
	for _, f := range p.cube.Financing {
		column, _ := m.Column(f.Level)
		isChosen := slices.ContainsFunc(p.FiltersAsked(), func(filter Filter) bool {
			level, _ := filter.Level(m)
			return !filter.Not && slices.Contains(level.Path, f.Level)
		})
		admitted := slices.DeleteFunc(slices.Clone(f.Keys), func(key string) bool {
			value, err := column.Value(key)
			return err != nil || !p.Admits(column, value)
		})
		if !isChosen && len(admitted) > 0 {
			list = append(list, cube.Financing{Level: f.Level, Keys: admitted})
		}
	}
	return list
}

// adds tells whether the plan adds up amounts. An average is made of a sum.
func (p *Plan) adds() bool {
	return slices.ContainsFunc(p.main.parts, func(part Part) bool { return part.Func == cube.Sum })
}

// OnlyFinancing are the statements that count the rows of the plan, and of what it is compared with, that are of members which are
// financing. A guard leaves none out, since some sum counts what it does not admit.
func (p *Plan) OnlyFinancing(f cube.Financing) []*Statement {
	only := filterOf(p.cube, f)
	only.Not = false
	list := []*Statement{Counting(p.cube, nil, append(slices.Clip(p.filters), only))}
	if p.comparison != nil && p.comparison.Earlier != nil {
		list = append(list, Counting(p.cube, nil, append(slices.Clip(p.comparison.Earlier.filters), only)))
	}
	return list
}

// WithoutFinancing is the cut that leaves financing out.
func WithoutFinancing(f cube.Financing) query.Cut {
	cut := query.Cut{Not: true, Ref: query.Ref{Name: f.Level}}
	for _, key := range f.Keys {
		cut.Items = append(cut.Items, query.Item{Op: query.OpEqual, Path: []query.Key{{Text: key}}})
	}
	return cut
}

func filterOf(c *cube.Cube, f cube.Financing) Filter {
	column, _ := c.Model.Column(f.Level)
	var keys []cube.Value
	for _, key := range f.Keys {
		if value, err := column.Value(key); err == nil {
			keys = append(keys, value)
		}
	}
	filter := Filter{Ref: f.Level, Not: true}
	filter.addExact(column, keys)
	return filter
}
