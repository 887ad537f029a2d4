package plan

import (
	"cmp"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/each"
	"fiscube/internal/suggest"
)

// Bind resolves a query against the model of a cube. Every mistake is a *cube.Error with its position and, if
// there is a similar name, what was probably meant.
//
// The clauses are bound in an order in which each finds what it needs:
//
//  1. Cuts come first, since a dimension in the drilldown means the level below its deepest cut.
//  2. Drilldown, aggregates and having determine the keys and parts that a store computes.
//  3. A comparison adds three aggregates for every aggregate.
//  4. Snapshots add a filter, unless the drilldown has a key for each snapshot.
//  5. The filters determine which years a row adds up, and so which formulas are null.
//  6. The order ends in the keys. The passes in memory are planned last.
func Bind(c *cube.Cube, q query.Query) (*Plan, error) {
	b := binder{Plan: &Plan{Grouping: Grouping{selection: selection{cube: c}}, page: q.Page}, model: names{c.Model}, moved: q.Compare != nil}
	for _, step := range []func(query.Query) error{
		b.bindCuts, b.bindDrilldown, b.bindAggregates, b.bindHaving, b.bindRoles, b.bindSnapshots, b.markMixedYears, b.bindOrder,
		b.bindPasses,
	} {
		if err := step(q); err != nil {
			return nil, err
		}
	}
	return b.finish(), nil
}

// binder fills a Plan clause by clause.
type binder struct {
	*Plan
	model   names
	drilled []cube.Level // of the drilldown, each once
	axis    cube.Column  // of the comparison
	moved   bool         // years other than those asked are compared
}

// finish adds the statement and the canonical text. Passes in memory need all cells, and sort them by aggregates
// themselves.
func (b *binder) finish() *Plan {
	p := b.Plan
	order, page := p.order, p.page
	if p.NeedsAllCells() {
		order, page = b.keyOrder(), allCells
	}
	order = slices.DeleteFunc(slices.Clone(order), func(s Sort) bool {
		return s.By == ByAggregate && p.isNullInAll(p.aggregates[s.Index])
	})
	p.main = b.statement(p.selection, order, page)
	p.main.having = p.having
	if page.Size != 0 && slices.ContainsFunc(order, func(s Sort) bool { return s.By == ByAggregate && !p.aggregates[s.Index].sortsExactly() }) {
		p.unsorted = b.statement(p.selection, b.keyOrder(), query.Page{Number: 1, Size: MostSorted})
		p.unsorted.having = p.having
	}
	p.passes = p.passesNeeded()
	p.question = b.clauses()
	p.text = query.JoinClauses(p.question)
	return p
}

// allCells is the page for the passes in memory: it has one cell more than they accept, which shows that there are too
// many.
var allCells = query.Page{Number: 1, Size: query.MaxPageSize + 1}

// MostSorted is how many cells a pass sorts that a store does not sort exactly. They are rows without passes, so that there
// may be more of them than cells that passes work on.
const MostSorted = 100_000

// statement makes a statement with the keys of the plan.
func (b *binder) statement(s selection, order []Sort, page query.Page) *Statement {
	return &Statement{cube: s.cube, keys: b.keys, levels: b.levels, flat: b.flat, filters: s.filters, guard: s.guard, parts: s.parts,
		aggregates: b.aggregates, order: order, page: page}
}

// keyOrder gives the order without aggregates. It keeps the sorts by label, since a store gives ranks only for those.
func (b *binder) keyOrder() []Sort {
	return slices.DeleteFunc(slices.Clone(b.order), func(s Sort) bool { return s.By == ByAggregate })
}

func (b *binder) bindDrilldown(q query.Query) error {
	if q.Flat {
		return b.bindFields(q)
	}
	for _, ref := range q.Drilldown {
		level, err := b.drilledLevel(ref)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(b.drilled, func(l cube.Level) bool { return l.Index == level.Index }) {
			b.drilled = append(b.drilled, level)
		}
	}
	b.group()
	return nil
}

// group makes the keys and the steps of the drilled levels.
func (b *binder) group() {
	p := b.Plan
	p.keys = b.model.columns(pathsOf(b.drilled))
	p.levels = b.model.levelsOf(p.keys)
	keys := 0
	for i, level := range b.drilled {
		if n := len(pathsOf(b.drilled[:i+1])); n > keys {
			p.steps, keys = append(p.steps, Step{level.Ref, n}), n
		}
	}
}

// levelsOf lists the listed levels whose members some keys name.
func (m names) levelsOf(keys []cube.Column) (levels []cube.Level) {
	fields := each.Text(keys, func(c cube.Column) string { return c.Name })
	for _, field := range fields {
		level, ok := m.LevelOfKey(field)
		if ok && level.Listed && !slices.ContainsFunc(level.Path, func(f string) bool { return !slices.Contains(fields, f) }) {
			levels = append(levels, level)
		}
	}
	return levels
}

// pathsOf lists the fields of the levels' paths, each once. A code has a meaning only under its ancestors, so drilling a
// level groups by its whole path.
func pathsOf(levels []cube.Level) (fields []string) {
	for _, level := range levels {
		fields = each.Once(fields, level.Path...)
	}
	return fields
}

// drilledLevel gives the level that a ref of the drilldown means: for a dimension the level below its deepest cut.
func (b *binder) drilledLevel(ref query.Ref) (cube.Level, error) {
	if level, isField, err := b.model.level(ref); isField || err != nil {
		return level, err
	}
	chain, err := b.model.onlyChain(ref)
	if err != nil {
		return cube.Level{}, err
	}
	deepest := len(chain) - 1
	for deepest >= 0 && !slices.ContainsFunc(b.filters, func(f Filter) bool { return !f.Not && f.Names(chain[deepest].Ref) }) {
		deepest--
	}
	return chain[min(deepest+1, len(chain)-1)], nil
}

func (b *binder) bindOrder(q query.Query) error {
	for _, o := range q.Order {
		sort, err := b.sort(o)
		if err != nil {
			return err
		}
		b.addSort(sort)
	}
	byAggregate := func(s Sort) bool { return s.By == ByAggregate }
	if q.Top > 0 && !slices.ContainsFunc(b.order, byAggregate) { // by default the greatest come first
		b.order = append(b.order, Sort{By: ByAggregate, Index: b.firstAmount(), Desc: true})
	}
	b.asked = len(b.order)
	for i := range b.keys {
		b.addSort(Sort{By: ByKey, Index: i})
	}
	return nil
}

// addSort adds a sort, unless the order has one by the same column.
func (b *binder) addSort(s Sort) {
	if !slices.ContainsFunc(b.order, func(o Sort) bool { return o.By == s.By && o.Index == s.Index && o.Size == s.Size }) {
		b.order = append(b.order, s)
	}
}

func (b *binder) sort(o query.Order) (Sort, error) {
	name, p := o.String(), b.Plan
	if i := b.aggregateIndex(name); i >= 0 {
		return Sort{By: ByAggregate, Index: i, Desc: o.Desc}, nil
	}
	if of, ok := strings.CutSuffix(name, "."+string(query.RoleSize)); ok {
		if i := b.aggregateIndex(of + "." + string(query.RoleDifference)); i >= 0 {
			return Sort{By: ByAggregate, Index: i, Desc: o.Desc, Size: true}, nil
		}
	}
	if _, ok := b.model.Measure(o.Ref.Dimension); ok || o.Formula != nil || o.Role != "" {
		hint := cmp.Or(directionHint(name), "add it to aggregates")
		if o.Role != "" {
			hint = "only what is asked and compared has " + string(o.Role)
		}
		return Sort{}, cube.Errorf(cube.CodeUnknownRef, "%s is not among the aggregates", name).At(o.Ref.At).WithHint(hint)
	}
	if l, ok := b.model.Level(o.Ref.Name); ok && o.Ref.Dimension != "" && o.Ref.Dimension != l.Dimension {
		_, _, err := b.model.level(o.Ref)
		return Sort{}, err
	}
	if i := slices.IndexFunc(p.levels, func(l cube.Level) bool { return l.LabelRef == o.Ref.Name }); i >= 0 {
		return Sort{By: ByLabel, Index: i, Desc: o.Desc}, nil
	}
	if i := cmp.Or(p.keyNamed(o.Ref.Name)+1, b.deepestKey(o.Ref)+1) - 1; i >= 0 {
		return Sort{By: ByKey, Index: i, Desc: o.Desc}, nil
	}
	err := cube.Errorf(cube.CodeUnknownRef, "the answer has no column %q to order by", name).At(o.Ref.At).Listing("columns", p.Columns())
	if hint := cmp.Or(directionHint(name), suggest.DidYouMean(name, p.Columns()), suggest.DidYouMean(o.Ref.Name, p.Columns())); hint != "" {
		err = err.WithHint(hint)
	}
	return Sort{}, err
}

// directionHint corrects approved.sum desc, as it is written in SQL.
func directionHint(name string) string {
	for _, direction := range []string{"asc", "desc"} {
		if end := len(name) - len(direction) - 1; end > 0 && strings.EqualFold(name[end:], " "+direction) {
			return "write " + name[:end] + ":" + direction
		}
	}
	return ""
}

// deepestKey gives the index of the last key that belongs to the dimension that ref names, or -1.
func (b *binder) deepestKey(ref query.Ref) int {
	for i, key := range slices.Backward(b.keys) {
		if l, ok := b.model.LevelOfKey(key.Name); ok && ref.Dimension == "" && l.Dimension == ref.Name {
			return i
		}
	}
	return -1
}

// BindTree binds the question for a tree: the query, which has no drilldown, with a rollup over the levels of the chain
// below the path. Its conditions choose the nodes of the tree, not the cells that they add up.
func BindTree(c *cube.Cube, q query.Query, t query.Tree) (*Plan, error) {
	chain, err := names{c.Model}.chainOf(t.Ref)
	if err != nil {
		return nil, err
	}
	fields := names{c.Model}.columns(chain[len(chain)-1].Path)
	start := levelsCovered(c.Model, chain, len(t.Path))
	if len(t.Path) > len(query.KeyColumns(fields)) || start == len(chain) {
		return nil, cube.Errorf(cube.CodeBadValue, "nothing is under a path of %d keys: %s is the last level", len(t.Path),
			chain[len(chain)-1].Ref).At(cube.Position{Parameter: "path"}).WithHint("ask for a shorter path")
	}
	for i, key := range t.Path {
		at := cube.Position{Parameter: "path"}
		q.Cuts = append(q.Cuts, query.Cut{Ref: query.Ref{Name: query.KeyColumns(fields)[i].Name, At: at},
			Items: []query.Item{{Path: []query.Key{key}, At: at}}})
	}
	for _, level := range chain[start:min(len(chain), start+t.Depth)] {
		q.Drilldown = append(q.Drilldown, query.Ref{Name: level.Ref})
	}
	q.Rollup, q.Page, q.Nodes = true, query.Every, true
	return Bind(c, q)
}

// levelsCovered counts the levels of a chain that a path of that many keys names.
func levelsCovered(m *cube.Model, chain []cube.Level, keys int) int {
	n := 0
	for n < len(chain) && len(query.KeyColumns(names{m}.columns(chain[n].Path))) <= keys {
		n++
	}
	return n
}
