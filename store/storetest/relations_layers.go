package storetest

import (
	"fmt"
	"math/big"
	"slices"

	"fiscube/cube"
)

// checkFill compares an answer whose axis is filled with the one that is not. The cells that are there stay as they are,
// but for those that are gone, which fill=zero gives the amounts of its own. Between the least and the greatest key of
// the axis there is a cell for every key that the cuts admit, with every combination of the other keys.
func (e *examination) checkFill(l *layers) error {
	if l.query.Fill == cube.FillNone {
		return nil
	}
	without, err := e.cut(with(e.leaves(l.query), func(q *cube.Query) { q.Fill = cube.FillNone }))
	if err != nil {
		return err
	}
	axis := e.fillAxis(l.plan)
	first, last, found := int64(0), int64(0), 0
	others := map[string]*part{}
	for _, p := range without.parts {
		same := l.byKey[pathText(p.keys)]
		if same == nil {
			return fmt.Errorf("fill leaves the cell %q out", texts(p.keys))
		}
		if want := p; !same.zero && !same.own.equal(want.own) || same.change != p.change || !same.earlier.equal(p.earlier) ||
			!slices.Equal(same.labels, p.labels) {
			return fmt.Errorf("fill changes the cell %q", texts(p.keys))
		}
		if at, ok := p.keys[axis].Int(); ok {
			if found == 0 {
				first, last = at, at
			}
			first, last = min(first, at), max(last, at)
			found++
		}
		others[pathText(slices.Delete(slices.Clone(p.keys), axis, axis+1))] = p
	}
	wanted := 0
	for _, like := range others {
		for at := first; found > 0 && at <= last; at++ {
			keys := slices.Clone(like.keys)
			keys[axis] = cube.Integer(at)
			p := l.byKey[pathText(keys)]
			switch admitted := e.adder.admits(l.plan, l.plan.Keys()[axis].Name, keys[axis]); {
			case p == nil && admitted:
				return fmt.Errorf("fill leaves the gap %q", texts(keys))
			case p != nil && p.filled && !admitted:
				return fmt.Errorf("fill adds %q, which the cuts do not admit", texts(keys))
			case p != nil && p.filled:
				wanted++
			}
		}
	}
	for _, p := range l.parts {
		if p.filled {
			wanted--
		}
		if err := e.checkFilled(l, p, axis); err != nil {
			return err
		}
	}
	if wanted != 0 {
		return fmt.Errorf("fill adds %d cells that are no gaps", -wanted)
	}
	*l = *without
	return nil
}

// checkFilled checks the amounts and labels of a cell that fill made.
func (e *examination) checkFilled(l *layers, p *part, axis int) error {
	if !p.filled && !p.zero {
		return nil
	}
	for name, amount := range p.own {
		if amount.Sign() != 0 {
			return fmt.Errorf("fill gives the cell %q the %s %s", texts(p.keys), name, amount.RatString())
		}
	}
	for _, m := range e.version.Model.Measures() {
		if l.query.Fill == cube.FillNull && p.own[cube.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)}.String()] != nil {
			return fmt.Errorf("the sum of the cell %q is 0, not null", texts(p.keys))
		}
	}
	if p.zero && len(p.own) < len(e.leaves(l.query).Aggregates) {
		return fmt.Errorf("some amounts of the cell %q are null, not 0", texts(p.keys))
	}
	if p.filled && p.earlier != nil && l.query.Fill == cube.FillNull && !p.apart {
		return fmt.Errorf("the gap %q has a difference", texts(p.keys))
	}
	for i, level := range l.plan.Levels() {
		path, ok := pathOf(l.plan.Keys(), p.keys, level)
		if !ok || level.LabelRef == "" || !p.filled {
			continue
		}
		want, known := l.labelOf(i, path)
		if !known {
			want = cube.Text(path[len(path)-1].String())
		}
		if p.labels[i] != want {
			return fmt.Errorf("the gap %q has the label %q, want %q", texts(p.keys), p.labels[i], want)
		}
	}
	return nil
}

// labelOf gives what the cells that rows are of call a member.
func (l *layers) labelOf(level int, path []cube.Value) (label cube.Value, ok bool) {
	if l.labels == nil {
		l.labels = make([]map[string]cube.Value, len(l.plan.Levels()))
		for i, level := range l.plan.Levels() {
			l.labels[i] = map[string]cube.Value{}
			for _, p := range l.parts {
				if path, ok := pathOf(l.plan.Keys(), p.keys, level); ok && !p.filled {
					l.labels[i][pathText(path)] = p.labels[i]
				}
			}
		}
	}
	label, ok = l.labels[level][pathText(path)]
	return label, ok
}

func (e *examination) fillAxis(plan *cube.Plan) int {
	if axis := slices.IndexFunc(plan.Keys(), func(c cube.Column) bool { return e.adder.isYear(c.Name) }); axis >= 0 {
		return axis
	}
	return slices.IndexFunc(plan.Keys(), func(c cube.Column) bool { return c.Type == cube.TypeInteger })
}

func (a amounts) equal(b amounts) bool {
	if (a == nil) != (b == nil) || len(a) != len(b) {
		return false
	}
	for name, x := range a {
		if y := b[name]; y == nil || x.Cmp(y) != 0 {
			return false
		}
	}
	return true
}

// checkHaving compares the cells that having keeps with all cells: those whose values pass. What is null passes nothing.
func (e *examination) checkHaving(l *layers) error {
	if len(l.query.Having) == 0 {
		return nil
	}
	without, err := e.cut(with(e.leaves(l.query), func(q *cube.Query) { q.Having = nil }))
	if err != nil {
		return err
	}
	total := e.merged(without.parts)
	parent := e.parentsOf(without, total)
	kept := 0
	for _, p := range without.parts {
		pass := yes
		for _, c := range l.query.Having {
			above := parent(cube.Cell{Keys: p.keys}, []*part{p})
			a := cube.Aggregate{Name: c.Aggregate.String()}
			switch value := e.valueOf(a, p, total, above); {
			case value == nil || !meets(value.Cmp(c.Number.Rat()), c.Op):
				pass = no
			case e.mayBeNull(without, a, p):
				pass = min(pass, maybe)
			}
		}
		same := l.byKey[pathText(p.keys)]
		if pass == yes && same == nil || pass == no && same != nil {
			return fmt.Errorf("having keeps or leaves out %q, which it should not", texts(p.keys))
		}
		if same != nil {
			if kept++; !same.own.equal(p.own) || !slices.Equal(same.labels, p.labels) {
				return fmt.Errorf("having changes the cell %q", texts(p.keys))
			}
		}
	}
	if kept != len(l.parts) {
		return fmt.Errorf("having keeps %d cells, %d are among all", len(l.parts), kept)
	}
	*l = *without
	return nil
}

// checkSums compares the cells of a plain question with the adder's: their keys, labels and plain aggregates.
func (e *examination) checkSums(l *layers) error {
	all := l.query.Snapshots == cube.AllSnapshots
	result, err := e.answer(e.leaves(l.query))
	if err != nil {
		return err
	}
	plan := result.Plan
	groups := e.adder.groups(plan, all)
	if len(groups) != len(l.parts) {
		return fmt.Errorf("%s: %d cells, the rows make %d", plan, len(l.parts), len(groups))
	}
	admitted := e.adder.yearsAdmitted(plan)
	for _, p := range l.parts {
		g := groups[pathText(p.keys)]
		if g == nil {
			return fmt.Errorf("%s: no rows are of the cell %q", plan, texts(p.keys))
		}
		own := amounts{}
		for _, m := range plan.Measures() {
			e.adder.add(g, own, m)
		}
		own[rowCount] = big.NewRat(int64(len(g.rows)), 1)
		for _, a := range plan.Aggregates() {
			if got, want := p.own[a.Name], own[a.Name]; (got == nil) != (want == nil) || got != nil && got.Cmp(want) != 0 {
				return fmt.Errorf("%s: %s of %q is %s, the rows add up to %s", plan, a.Name, texts(p.keys), ratText(got), ratText(want))
			}
		}
		if labels := e.adder.labels(plan, p.keys, admitted); !slices.Equal(p.labels, labels) {
			return fmt.Errorf("%s: the labels of %q are %q, want %q", plan, texts(p.keys), texts(p.labels), texts(labels))
		}
	}
	return nil
}

func ratText(r *big.Rat) string {
	if r == nil {
		return "null"
	}
	return r.RatString()
}
