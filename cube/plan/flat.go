package plan

import (
	"slices"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// bindFields groups by the fields that a flat drilldown names (query.Query.Flat). A level has a label of its own unless its
// label field is a key.
func (b *binder) bindFields(q query.Query) error {
	p := b.Plan
	p.flat = true
	var labelled []cube.Level
	for _, ref := range q.Drilldown {
		level, err := b.drilledLevel(ref)
		if err != nil {
			return err
		}
		field := ref.Name
		if ref.Dimension == "" {
			field, labelled = level.Ref, append(labelled, level)
		}
		if p.keyNamed(field) < 0 {
			p.keys = append(p.keys, b.model.columns([]string{field})...)
			p.addField(level)
		}
		if !contains(b.drilled, level) {
			b.drilled = append(b.drilled, level)
		}
	}
	for _, level := range labelled {
		if level.LabelRef != "" && p.keyNamed(level.LabelRef) < 0 && !contains(p.levels, level) {
			p.levels = append(p.levels, level)
		}
	}
	return nil
}

// addField adds the last key to the step of its level, or makes a step for it.
func (p *Plan) addField(level cube.Level) {
	if n := len(p.steps); n == 0 || p.steps[n-1].Ref != level.Ref {
		p.steps = append(p.steps, Step{Ref: level.Ref})
	}
	p.steps[len(p.steps)-1].Keys = len(p.keys)
}

func contains(levels []cube.Level, level cube.Level) bool {
	return slices.ContainsFunc(levels, func(l cube.Level) bool { return l.Index == level.Index })
}

// bindFlatSummary plans the summary of cells that are snapshots of the same money: the same question without the level of
// the snapshots.
func (b *binder) bindFlatSummary(q query.Query, by string) error {
	level, _ := b.model.LevelOfKey(by)
	q.Drilldown = slices.DeleteFunc(slices.Clone(q.Drilldown), func(ref query.Ref) bool {
		drilled, _ := b.drilledLevel(ref) // bindFields has found it
		return drilled.Index == level.Index
	})
	q.Order, q.Page = nil, query.Page{Number: 1, Size: 0}
	b.without = []string{level.Ref}
	return b.summarize(q)
}

// fieldsText prints the drilldown of a flat plan as it was named: dimension.field, or a level with its label.
func (p *Plan) fieldsText() []string {
	if !p.flat {
		return nil
	}
	return each.Text(p.keys, func(key cube.Column) string {
		if p.LabelOf(key) >= 0 {
			return query.QuoteName(key.Name)
		}
		level, _ := p.cube.Model.Level(key.Name)
		return query.Ref{Dimension: level.Dimension, Name: key.Name}.String()
	})
}
