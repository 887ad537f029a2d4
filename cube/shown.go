package cube

import "slices"

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

// shows tells whether a row is a node by itself.
func (a *assembly) shows(e *entry) bool { return len(a.plan.shown) == 0 || e.meets(a.plan.shown) }

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
	sumsOfKept = map[Language]string{
		English: "subtotals and remainders are of the cells that having keeps; ask without having for those of all cells",
		Spanish: "los subtotales y los restos son de las celdas que having conserva; los de todas se obtienen sin having",
	}
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

// withRemainders gives the plan of an answer, which knows if top left nothing out of it.
func (p *Plan) withRemainders(rows []*entry) *Plan {
	if !p.Remainder() || slices.ContainsFunc(rows, func(e *entry) bool { return e.Others > 0 }) {
		return p
	}
	whole := *p
	whole.noRemainder = true
	return &whole
}

// warnHaving speaks where sums beside the cells leave out what having leaves out.
func (p *Plan) warnHaving() []Warning {
	remainders, subtotals := p.Remainder() && !p.noRemainder, p.Rollup() && len(p.steps) > 1
	var text map[Language]string
	switch shares := p.asks(Share, ShareOfParent); {
	case len(p.shown) > 0 && remainders:
		text = remaindersOfNodes
	case p.weighsShares() && (subtotals || remainders):
		text = sumsOfKept
	case p.weighsShares():
		return nil
	case len(p.conditions()) > 0 && (subtotals || remainders || shares):
		text = sumsOfCells
	default:
		return nil
	}
	return warning(WarnHavingSums, "%s", in(text, p.language))
}
