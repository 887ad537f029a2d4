package cube

import (
	"fmt"
	"slices"
	"strings"
)

// Cuts on the levels whose cells say which statement of the same money a row is of. Which of them is the last one
// admitted is settled by Bind, so the values that such a cut admits have to be known here.

// statementsBy gives the statements if the cells of a level say which of them a row is of, or of which period. What the
// members of such a level are called only the store knows.
func (b *binder) statementsBy(level Level) *statements {
	s := b.model.statements
	if s == nil || !slices.ContainsFunc(s.columns, func(c Column) bool { return c.Name == level.Ref }) {
		return nil
	}
	return s
}

// inOrder binds a range of statements, which goes by their declared order: it comes to the statements it spans. The
// bounds stay beside them, to be told back.
func (t target) inOrder(item Item) ([]Test, error) {
	first, from, err := t.bound(item.From, 0, item.At)
	if err != nil {
		return nil, err
	}
	last, to, err := t.bound(item.To, len(t.order)-1, item.At)
	if err != nil {
		return nil, err
	}
	if first > last {
		return nil, Errorf(CodeBadValue, "%s comes after %s, so nothing is between", shownValue(from), shownValue(to)).
			at(item.At).or(t.orderText())
	}
	in := slices.SortedFunc(slices.Values(t.order[first:last+1]), Value.Compare)
	return []Test{{Column: t.columns[0], In: slices.Compact(in), From: from, To: to}}, nil
}

// bound finds the place of a bound in the declared order; an open one is at the end given.
func (t target) bound(text string, open int, at Position) (place int, bound Value, err error) {
	if bound, err = typed(t.columns[0], text, at); err != nil || bound.IsMissing() {
		return open, bound, err
	}
	if place = slices.Index(t.order, bound); place < 0 {
		err = Errorf(CodeBadValue, "%q has no place in the order of %s", bound, t.level.Ref).at(at).or(t.orderText())
	}
	return place, bound, err
}

// orderText tells the declared order.
func (t target) orderText() string {
	shown := texts(t.order[:min(len(t.order), shownPeriods)], shownValue)
	if more := len(t.order) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return "the order is " + strings.Join(shown, ", ")
}

// spanned counts the statements that ranges of the filter come to.
func (f Filter) spanned() int {
	n := 0
	for _, tests := range f.Any {
		if tests[0].isRange() {
			n += len(tests[0].In)
		}
	}
	return n
}

// isRange tells a range from exact values: also one of statements, whose values are listed.
func (t Test) isRange() bool { return len(t.In) == 0 || !t.From.IsMissing() || !t.To.IsMissing() }

// shownValues bounds how many values a hint names.
const shownValues = 3

// wholeValues says what to write instead of a text to look for: some of the values that have it in them, else some
// others.
func (s *statements) wholeValues(ref, part string) string {
	values := s.latestWith(ref, part)
	if len(values) == 0 {
		values = s.latestWith(ref, "")
	}
	hint := "name the values whole"
	if len(values) > 0 {
		hint += ", as " + quoteName(ref) + ":" + strings.Join(texts(values, func(v Value) string { return quoteName(v.String()) }), ";")
	}
	return hint
}

// latestWith lists the latest values of a column that are stated and have the text in them, whatever its case.
func (s *statements) latestWith(ref, part string) []Value {
	var list []Value
	for _, v := range slices.Backward(s.valuesOf(ref)) {
		with := strings.Contains(strings.ToLower(v.String()), strings.ToLower(part))
		if with && !v.IsMissing() && !slices.Contains(list, v) && len(list) < shownValues {
			list = append(list, v)
		}
	}
	slices.Reverse(list)
	return list
}

// valuesOf lists what a column holds in the rows of each statement: that of periods by their keys, that of snapshots
// from the earliest to the last.
func (s *statements) valuesOf(ref string) (list []Value) {
	var all []snapshot
	at := slices.IndexFunc(s.columns, func(c Column) bool { return c.Name == ref })
	for _, p := range s.periods {
		if at < len(p.key) {
			list = append(list, p.key[at])
			continue
		}
		all = append(all, p.snapshots...)
	}
	slices.SortStableFunc(all, compareRanks)
	for _, one := range all {
		list = append(list, one.value)
	}
	return list
}
