package cube

import "slices"

// Bind resolves a query against the cube's model. Every mistake is an *Error that says where it stands and,
// where a name is near, what was probably meant.
func (c *Cube) Bind(q Query) (*Plan, error) {
	b := binder{cube: c, model: c.Model, plan: &Plan{cube: c, page: q.Page, language: English}}
	steps := []func(Query) error{
		b.cuts, b.drilldown, b.aggregates, b.having, b.roles, b.snapshots, b.markMixed, b.order, b.finishing,
	}
	for _, step := range steps {
		if err := step(q); err != nil {
			return nil, err
		}
	}
	b.plan.text = b.text()
	return b.plan, nil
}

// binder fills a Plan clause by clause. Cuts come first: drilling a dimension goes below its deepest cut. The
// snapshots, which add a filter, come after the drilldown, which it is no cut for. Which years are added up is known
// after them.
type binder struct {
	cube    *Cube
	model   *Model
	plan    *Plan
	drilled []Level // as asked, each once
	along   Column  // what is compared along
}

func (b *binder) drilldown(q Query) error {
	for _, ref := range q.Drilldown {
		level, err := b.drilledLevel(ref)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(b.drilled, func(l Level) bool { return l.Index == level.Index }) {
			b.drilled = append(b.drilled, level)
		}
	}
	b.group()
	return nil
}

// group makes the keys of the levels that are drilled.
func (b *binder) group() {
	b.plan.keys = b.model.columnsOf(pathsOf(b.drilled))
	b.plan.levels = b.labelled()
	b.plan.steps = stepsOf(b.drilled)
}

// pathsOf lists the fields of the levels' paths, each once: a code means something only under its ancestors.
func pathsOf(levels []Level) []string {
	var fields []string
	for _, level := range levels {
		for _, field := range level.Path {
			if !slices.Contains(fields, field) {
				fields = append(fields, field)
			}
		}
	}
	return fields
}

// labelled lists the levels of the keys whose whole path is among the keys.
func (b *binder) labelled() []Level {
	var levels []Level
	for _, key := range b.plan.keys {
		level, ok := b.model.LevelOfKey(key.Name)
		if ok && level.Listed && !slices.ContainsFunc(level.Path, func(f string) bool { return !b.isKey(f) }) {
			levels = append(levels, level)
		}
	}
	return levels
}

func (b *binder) isKey(field string) bool {
	return slices.ContainsFunc(b.plan.keys, func(k Column) bool { return k.Name == field })
}

// drilledLevel gives the level that a ref of the drilldown means.
func (b *binder) drilledLevel(ref Ref) (Level, error) {
	if level, ok, err := b.model.levelOf(ref); ok || err != nil {
		return level, err
	}
	chain, err := b.model.onlyChain(ref)
	if err != nil {
		return Level{}, err
	}
	return chain[min(b.deepestCut(chain)+1, len(chain)-1)], nil
}

// deepestCut gives the place in the chain of the deepest level that a cut names, or -1.
func (b *binder) deepestCut(chain []Level) int {
	for i := len(chain) - 1; i >= 0; i-- {
		for _, f := range b.plan.filters {
			if !f.Not && f.names(chain[i].Ref) {
				return i
			}
		}
	}
	return -1
}

func (f Filter) names(field string) bool {
	return slices.ContainsFunc(f.Any, func(tests []Test) bool {
		return slices.ContainsFunc(tests, func(t Test) bool { return t.Column.Name == field })
	})
}
