package cube

import (
	"cmp"
	"slices"
	"strings"
)

func (b *binder) order(q Query) error {
	for _, o := range q.Order {
		sort, err := b.sort(o)
		if err != nil {
			return err
		}
		b.addSort(sort)
	}
	b.rankDefault(q)
	b.plan.asked = len(b.plan.order)
	for i := range b.plan.keys {
		b.addSort(Sort{By: ByKey, Index: i})
	}
	return nil
}

// addSort leaves out a sort by what already decides.
func (b *binder) addSort(s Sort) {
	if !slices.ContainsFunc(b.plan.order, func(o Sort) bool { return o.By == s.By && o.Index == s.Index }) {
		b.plan.order = append(b.plan.order, s)
	}
}

func (b *binder) sort(o Order) (Sort, error) {
	name := o.String()
	if i := b.aggregateIndex(name); i >= 0 {
		return Sort{By: ByAggregate, Index: i, Desc: o.Desc}, nil
	}
	if _, ok := b.model.Measure(o.Ref.Dimension); ok || o.Formula != nil || o.Role != "" {
		hint := cmp.Or(directionHint(name), "add it to aggregates")
		if o.Role != "" {
			hint = "only what is asked and compared has " + string(o.Role)
		}
		return Sort{}, Errorf(CodeUnknownRef, "%s is not among the aggregates", name).at(o.Ref.At).or(hint)
	}
	if l, ok := b.model.Level(o.Ref.Name); ok && o.Ref.Dimension != "" && o.Ref.Dimension != l.Dimension {
		_, _, err := b.model.levelOf(o.Ref)
		return Sort{}, err
	}
	if i := slices.IndexFunc(b.plan.levels, func(l Level) bool { return l.LabelRef == o.Ref.Name }); i >= 0 {
		return Sort{By: ByLabel, Index: i, Desc: o.Desc}, nil
	}
	if i := slices.IndexFunc(b.plan.keys, func(k Column) bool { return k.Name == o.Ref.Name }); i >= 0 {
		return Sort{By: ByKey, Index: i, Desc: o.Desc}, nil
	}
	if i := b.deepestKey(o.Ref); i >= 0 {
		return Sort{By: ByKey, Index: i, Desc: o.Desc}, nil
	}
	return Sort{}, Errorf(CodeUnknownRef, "the answer has no column %q to order by", name).at(o.Ref.At).
		or(cmp.Or(directionHint(name), didYouMean(name, b.plan.Columns()), didYouMean(o.Ref.Name, b.plan.Columns()), oneOf("columns", b.plan.Columns())))
}

// directionHint is for those who write approved.sum desc, as SQL has it.
func directionHint(name string) string {
	for _, direction := range []string{"asc", "desc"} {
		if end := len(name) - len(direction) - 1; end > 0 && strings.EqualFold(name[end:], " "+direction) {
			return "write " + name[:end] + ":" + direction
		}
	}
	return ""
}

// deepestKey gives the place among the keys of the deepest level of the dimension that ref names, or -1.
func (b *binder) deepestKey(ref Ref) int {
	for i := len(b.plan.keys) - 1; i >= 0; i-- {
		if l, ok := b.model.LevelOfKey(b.plan.keys[i].Name); ok && ref.Dimension == "" && l.Dimension == ref.Name {
			return i
		}
	}
	return -1
}
