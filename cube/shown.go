package cube

import (
	"cmp"
	"slices"

	"github.com/shopspring/decimal"
)

// What having leaves out of an aggregate is no part of its sums, and the answer says so where it has any. Of a tree it
// leaves out nodes: each goes by its own total, which is the same however deep the tree is told, and those above a
// node that is shown are shown too.

// shown gives the cells of a tree's last level that are nodes of it.
func (a *assembly) shown(entries []*entry) []*entry {
	if len(a.plan.shown) == 0 {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return !a.shows(e) })
}

// shows tells whether a row is a node by itself. What is gone has no total to go by.
func (a *assembly) shows(e *entry) bool {
	fails := func(h Having) bool { return h.aggregate.mixedIn(e.basis) || !h.meets(e.own) }
	return len(a.plan.shown) == 0 || !e.none && !slices.ContainsFunc(a.plan.shown, fails)
}

// meets tells whether the parts of a cell meet the condition, without dividing as stores do.
func (h Having) meets(parts []decimal.NullDecimal) bool {
	num, known := weighed(h.Num, parts)
	den, divides := weighed(h.Den, parts)
	switch {
	case !known || !divides:
		return false
	case len(h.Den) == 0:
		return h.Op.holds(num.Cmp(h.Number))
	}
	return !den.IsZero() && h.Op.holds(num.Cmp(h.Number.Mul(den))*den.Sign())
}

// weighed adds terms up; false where a part of them is not known.
func weighed(terms []Term, parts []decimal.NullDecimal) (sum decimal.Decimal, known bool) {
	for _, t := range terms {
		if !parts[t.Part].Valid {
			return sum, false
		}
		sum = sum.Add(parts[t.Part].Decimal.Mul(t.Factor))
	}
	return sum, true
}

// holds tells whether two numbers that compare so are in the order asked.
func (c Comparison) holds(order int) bool {
	switch c {
	case Less:
		return order < 0
	case LessOrEqual:
		return order <= 0
	case Equal:
		return order == 0
	case GreaterOrEqual:
		return order >= 0
	case Greater:
		return order > 0
	}
	return order != 0
}

var (
	sumsOfCells = map[Language]string{
		English: "subtotals, remainders and shares are of the cells that having keeps; ask without having for those of all cells",
		Spanish: "los subtotales, los restos y las participaciones son de las celdas que having conserva; los de todas se " +
			"obtienen sin having",
	}
	remaindersOfNodes = map[Language]string{
		English: "remainders are of the members that having keeps; ask without having for those of all members",
		Spanish: "los restos son de los miembros que having conserva; los de todos se obtienen sin having",
	}
)

// warnHaving speaks where sums beside the cells leave out what having leaves out.
func (p *Plan) warnHaving() []Warning {
	text := sumsOfCells
	switch subtotals := p.Rollup() && len(p.steps) > 1; {
	case len(p.shown) > 0 && p.Remainder():
		text = remaindersOfNodes
	case len(p.having) == 0 || !subtotals && !p.Remainder() && !p.measures(Share, ShareOfParent):
		return nil
	}
	return warning(WarnHavingSums, "%s", cmp.Or(text[p.language], text[English]))
}
