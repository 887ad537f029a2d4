package cube

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxCutValues bounds the values of one question, so that no question becomes a statement of megabytes.
const maxCutValues = 10_000

func (b *binder) cuts(q Query) error {
	values, parts := 0, 0
	for _, cut := range q.Cuts {
		for _, item := range cut.Items {
			values += max(1, len(item.Path))
			if item.Op == OpMatch {
				parts++
			}
		}
		switch {
		case values > maxCutValues:
			return tooManyValues(cut)
		case parts > maxCutParts:
			return Errorf(CodeTooLarge, "the cuts look for more than %d texts", maxCutParts).at(cut.Ref.At)
		}
		filter, err := b.filter(cut)
		if err != nil {
			return err
		}
		if values += filter.spanned(); values > maxCutValues {
			return tooManyValues(cut)
		}
		b.plan.filters = append(b.plan.filters, filter)
	}
	slices.SortFunc(b.plan.filters, func(f, g Filter) int { return strings.Compare(f.text, g.text) })
	b.plan.filters = slices.CompactFunc(b.plan.filters, func(f, g Filter) bool { return f.text == g.text })
	return nil
}

func tooManyValues(cut Cut) error {
	return Errorf(CodeTooLarge, "the cuts name more than %d values", maxCutValues).at(cut.Ref.At)
}

// filter binds one cut. Exact values of a level become one test, and so do labels and texts to look for; each range
// and each path is an alternative of its own.
func (b *binder) filter(cut Cut) (Filter, error) {
	target, err := b.target(cut.Ref)
	if err != nil {
		return Filter{}, err
	}
	f := Filter{Ref: target.ref, Not: cut.Not}
	var items cutItems
	for _, item := range joined(cut, len(target.columns)) {
		if err := items.add(target, item); err != nil {
			return Filter{}, err
		}
	}
	f.Any, f.Echo = items.any, items.echo
	f.addParts(target, items.parts)
	if target.listsLabels() {
		f.addLabels(target, items.exact)
	} else {
		f.addExact(target.columns[0], items.exact)
	}
	f.text = f.canonical()
	return f, nil
}

// cutItems gathers the items of a cut by what becomes of them.
type cutItems struct {
	exact []Value  // become one test
	parts []string // become one test
	any   [][]Test // alternatives of their own
	echo  []EchoItem
}

func (c *cutItems) add(t target, item Item) error {
	if item.Op == OpMatch {
		part, err := t.part(item)
		c.parts = append(c.parts, part)
		return err
	}
	tests, err := t.tests(item)
	switch {
	case err != nil:
		return err
	case item.Op == OpEqual && len(tests) == 1:
		c.exact = append(c.exact, tests[0].In[0])
	default:
		c.any = append(c.any, tests)
		c.echo = append(c.echo, echo(item.Op, tests))
	}
	return nil
}

// addExact adds the exact values, sorted and each once, as the first alternative.
func (f *Filter) addExact(column Column, exact []Value) {
	if len(exact) == 0 {
		return
	}
	slices.SortFunc(exact, Value.Compare)
	exact = slices.Compact(exact)
	f.Any = slices.Insert(f.Any, 0, []Test{{Column: column, In: exact}})
	f.Echo = slices.Insert(f.Echo, 0, EchoItem{Op: OpEqual, Values: exact})
}

// target is what a cut is on: the columns that its values belong to, top to bottom. They are one for a field, and
// those of the chain for a dimension.
type target struct {
	ref     string
	cubeID  int64
	level   Level    // of a dimension its deepest one
	path    []Column // of the level
	columns []Column
	label   bool        // the column holds labels
	stated  *statements // where the level tells statements of the same money apart, or their periods
	order   []Value     // of the statements that the level tells apart, where one is declared
}

// listsLabels tells whether the labels of the target are those of a member table.
func (t target) listsLabels() bool { return t.label && t.level.Listed }

func (b *binder) target(ref Ref) (target, error) {
	level, ok, err := b.model.levelOf(ref)
	if err != nil {
		return target{}, err
	}
	if !ok {
		chain, err := b.model.onlyChain(ref)
		if err != nil {
			return target{}, err
		}
		t := b.on(chain[len(chain)-1], ref.Name)
		t.columns = t.path
		return t, nil
	}
	t := b.on(level, ref.Name)
	t.columns, t.label = b.model.columnsOf([]string{ref.Name}), ref.Name == level.LabelRef
	return t, t.labelsBind(ref)
}

func (b *binder) on(level Level, ref string) target {
	return target{ref: ref, cubeID: b.cube.ID, level: level, path: b.model.columnsOf(level.Path),
		stated: b.statementsBy(level), order: b.model.StatedOrder(level.Ref)}
}

// joined gives the items of a cut; where the ref is a field, a slash belongs to the value.
func joined(cut Cut, columns int) []Item {
	if columns > 1 {
		return cut.Items
	}
	items := slices.Clone(cut.Items)
	for i := range items {
		if items[i].Op == OpEqual {
			items[i].Path = []string{strings.Join(items[i].Path, "/")}
		}
	}
	return items
}

// tests binds an item that names values.
func (t target) tests(item Item) ([]Test, error) {
	chain := t.columns
	if item.Op == OpRange {
		return t.between(item)
	}
	if len(item.Path) > len(chain) {
		return nil, Errorf(CodeBadValue, "the path has %d keys, its dimension %d levels", len(item.Path), len(chain)).
			at(item.At).or(`write a slash that belongs to a code inside quotes: "a/b"`)
	}
	tests := make([]Test, len(item.Path))
	for i, key := range item.Path {
		if t.listsLabels() {
			tests[i] = Test{Column: chain[i], In: []Value{Text(Tidy(key))}}
			continue
		}
		value, err := typed(chain[i], key, item.At)
		if err != nil {
			return nil, err
		}
		tests[i] = Test{Column: chain[i], In: []Value{value}}
	}
	return tests, nil
}

func (t target) between(item Item) ([]Test, error) {
	switch {
	case t.label:
		return nil, Errorf(CodeBadValue, "labels have no ranges").at(item.At).or("name the codes: " + quoteName(t.level.Ref))
	case len(t.columns) > 1:
		return nil, Errorf(CodeBadValue, "a range needs a level").at(item.At).or("name one of " + t.names())
	case len(t.order) > 0:
		return t.inOrder(item)
	}
	return rangeTest(t.columns[0], item)
}

func (t target) names() string {
	return strings.Join(texts(t.columns, func(c Column) string { return c.Name }), ", ")
}

// rangeTest binds a range. Text bounds say how long a key is: 01..06 never admits 1 or 001.
func rangeTest(column Column, item Item) ([]Test, error) {
	from, err := typed(column, item.From, item.At)
	if err != nil {
		return nil, err
	}
	to, err := typed(column, item.To, item.At)
	if err != nil {
		return nil, err
	}
	closed := item.From != "" && item.To != ""
	if column.Type == TypeText && closed && utf8.RuneCountInString(item.From) != utf8.RuneCountInString(item.To) {
		return nil, Errorf(CodeBadValue, "the bounds %q and %q differ in length", item.From, item.To).at(item.At).
			or("keys of text compare only at one length, as 01..12")
	}
	if closed && from.Compare(to) > 0 {
		return nil, Errorf(CodeBadValue, "%s comes after %s, so nothing is between", shownValue(from), shownValue(to)).
			at(item.At).or("write the lower bound first")
	}
	return []Test{{Column: column, From: from, To: to}}, nil
}

// typed reads a value by the type of its column, never by its look.
func typed(column Column, s string, at Position) (Value, error) {
	if s == "" {
		return Missing, nil
	}
	if column.Type != TypeInteger {
		return Text(s), nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return Missing, Errorf(CodeBadValue, "%s holds whole numbers, and %q is none", column.Name, s).at(at).
			or("write digits alone, as 2016")
	}
	return Integer(n), nil
}

func echo(op ItemOp, tests []Test) EchoItem {
	if op == OpRange {
		return EchoItem{Op: op, Values: []Value{tests[0].From, tests[0].To}}
	}
	item := EchoItem{Op: op, Path: len(tests) > 1}
	for _, t := range tests {
		item.Values = append(item.Values, t.In[0])
	}
	return item
}
