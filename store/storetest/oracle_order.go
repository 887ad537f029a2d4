package storetest

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"fiscube/cube"
)

// labelled gives every cell the labels of its members, and all of them by level and path.
func (o *oracle) labelled(q inquiry, nodes []*node) []map[string]cube.Value {
	labels, known := o.labels(q.plan), make([]map[string]cube.Value, len(q.plan.Levels()))
	for i, level := range q.plan.Levels() {
		known[i] = map[string]cube.Value{}
		for _, n := range nodes {
			if path, ok := n.path(q.keys, level); ok && level.LabelRef != "" {
				known[i][pathText(path)] = labels[i].of(path)
			}
		}
	}
	return known
}

// relabelled labels the cells as the answer does. A member of none but cells that are gone is called as the question
// that it is compared with calls it, and one that a place on the axis alone makes by its key.
func (o *oracle) relabelled(q inquiry, known []map[string]cube.Value, nodes []*node) {
	for _, n := range nodes {
		n.Labels, n.unranked = make([]cube.Value, len(q.plan.Levels())), make([]bool, len(q.plan.Levels()))
		for i, level := range q.plan.Levels() {
			path, ok := n.path(q.keys, level)
			if !ok || level.LabelRef == "" {
				continue
			}
			if n.Labels[i], ok = known[i][pathText(path)]; !ok {
				n.Labels[i], n.unranked[i] = o.labelOfMade(q, n, level, path)
			}
		}
	}
}

func (o *oracle) labelOfMade(q inquiry, n *node, level cube.Level, path []cube.Value) (label cube.Value, unranked bool) {
	moved := o.movedAlong(q, n)
	if slices.ContainsFunc(level.Path, func(field string) bool { return slices.Contains(moved, field) }) {
		return cube.Text(path[len(path)-1].String()), true
	}
	return labels{o.namesOf(level), o.admitsMoved(q)}.of(path), false
}

// path gives the keys that name a row's member of a level; false where it has not all of them.
func (n *node) path(keys []cube.Column, level cube.Level) ([]cube.Value, bool) {
	path := make([]cube.Value, len(level.Path))
	for i, field := range level.Path {
		k := slices.IndexFunc(keys, func(c cube.Column) bool { return c.Name == field })
		if k < 0 {
			return nil, false
		}
		path[i] = n.Keys[k]
	}
	return path, true
}

// order compares rows as a plan wants them.
type order struct {
	plan     *cube.Plan
	alphabet *alphabet
	exactly  bool // quotients compare as what they are, not as the nearest floating-point numbers
	rows     *rows
}

func (o *order) compare(g, h *node) int {
	for _, s := range o.plan.Order() {
		if by := o.compareBy(s, g, h); by != 0 {
			return by
		}
	}
	return 0
}

// compareBy compares by one key of the order. Missing comes last in both directions; what rows have no key for does
// not decide.
func (o *order) compareBy(s cube.Sort, g, h *node) int {
	if !o.decides(s, g) {
		return 0
	}
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
		return o.rows.compareBounds(o.plan.Keys()[s.Index], g.Keys[s.Index], h.Keys[s.Index])
	case cube.ByLabel:
		return o.alphabet.compare(g.Labels[s.Index].String(), h.Labels[s.Index].String())
	}
	if o.exactly {
		return g.exact[s.Index].Cmp(h.exact[s.Index])
	}
	ref := aggregateRef(o.plan.Aggregates()[s.Index].Name)
	x, y := o.rows.rough(ref, g), o.rows.rough(ref, h)
	if x.exact != nil && y.exact != nil {
		return x.exact.Cmp(y.exact)
	}
	return cmp.Compare(x.float(), y.float())
}

// decides tells whether rows of a step have what is sorted by.
func (o *order) decides(s cube.Sort, n *node) bool {
	switch s.By {
	case cube.ByKey:
		return s.Index < len(n.Keys)
	case cube.ByLabel:
		return o.rows.names(o.plan.Levels()[s.Index], len(n.Keys))
	}
	return true
}

// hasSort tells whether a row has what is sorted by.
func hasSort(s cube.Sort, n *node) bool {
	switch s.By {
	case cube.ByKey:
		return !n.Keys[s.Index].IsMissing()
	case cube.ByLabel:
		return !n.Labels[s.Index].IsMissing() && !n.unranked[s.Index]
	}
	return n.exact[s.Index] != nil
}

// rough is a value as a store sorts by it: exact until something divides, then a floating-point number.
type rough struct {
	exact *big.Rat
	near  float64
}

func (r rough) float() float64 {
	if r.exact == nil {
		return r.near
	}
	near, _ := r.exact.Float64()
	return near
}

// rough works an aggregate out as a store does. It is asked for values that are not null alone.
func (r *rows) rough(ref cube.AggregateRef, n *node) rough {
	return r.roughly(ref, figures{own: n.own, total: r.total.own})
}

func (r *rows) roughly(ref cube.AggregateRef, f figures) rough {
	if ref.Measure == "" && len(ref.Args) == 0 && ref.Func != string(cube.Rows) {
		ref = r.formulaOf(ref.Func)
	}
	switch {
	case ref.Func == string(cube.Avg):
		sum, count := ref, ref
		sum.Func, count.Func = string(cube.Sum), string(cube.Count)
		return rough{near: r.roughly(sum, f).float() / r.roughly(count, f).float()}
	case ref.Func == string(cube.Share) && len(ref.Args) > 0:
		return rough{near: r.roughly(ref.Args[0], f).float() / r.roughly(ref.Args[0], figures{own: f.total}).float()}
	case len(ref.Args) == 0:
		return rough{exact: r.figure(ref, f)}
	}
	x, y := r.roughly(ref.Args[0], f), r.roughly(ref.Args[1], f)
	switch {
	case ref.Func == string(cube.Ratio):
		return rough{near: x.float() / y.float()}
	case x.exact != nil && y.exact != nil:
		return rough{exact: difference(x.exact, y.exact)}
	}
	return rough{near: x.float() - y.float()}
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
