package storetest

import (
	"cmp"
	"maps"
	"slices"

	"fiscube/cube"
)

// members answers a plan for members with all that there are, in order.
func (o *oracle) members(plan *cube.MemberPlan) []cube.MemberRow {
	found := map[string]*cube.MemberRow{}
	question := plan.Question()
	last, apart := o.lastStatements(question, false), o.statementsApart(question.Keys())
	for _, row := range o.rows {
		if !o.passes(row, question) || !apart && !last.counts(row) {
			continue
		}
		path := o.keysOf(row, plan.Path())
		one := found[pathText(path)]
		if one == nil {
			one = &cube.MemberRow{Path: path}
			found[pathText(path)] = one
		}
		one.Rows++
		if !plan.Level().Listed {
			o.addBudgetLine(one, row, plan.Level())
		}
	}
	var rows []cube.MemberRow
	for _, one := range found {
		if o.isWanted(one, plan) {
			rows = append(rows, o.described(*one, plan))
		}
	}
	ranks := newAlphabet()
	slices.SortFunc(rows, func(a, b cube.MemberRow) int { return o.compareMembers(a, b, plan, ranks) })
	return rows
}

// addBudgetLine keeps what is known of a member that is in no list: its greatest label and its years.
func (o *oracle) addBudgetLine(one *cube.MemberRow, row []string, level cube.Level) {
	if level.LabelRef != "" {
		one.Label = cube.Text(max(one.Label.String(), row[o.places[level.LabelRef]]))
	}
	o.addYear(one, row)
}

func (o *oracle) addYear(one *cube.MemberRow, row []string) {
	year := o.year(row)
	if year == earliest {
		return
	}
	if first, ok := one.First.Int(); !ok || year < first {
		one.First = cube.Integer(year)
	}
	if last, ok := one.Last.Int(); !ok || year > last {
		one.Last = cube.Integer(year)
	}
}

// isWanted tells whether a member lies below the parent and has the text in its key or a label.
func (o *oracle) isWanted(one *cube.MemberRow, plan *cube.MemberPlan) bool {
	for i, test := range plan.Parent() {
		if one.Path[i] != test.In[0] {
			return false
		}
	}
	return plan.Search() == "" || o.callingsOf(plan.Level())[pathText(one.Path)].holds(plan.Search())
}

// described gives a member its labels, and one of a list the years of all its rows.
func (o *oracle) described(one cube.MemberRow, plan *cube.MemberPlan) cube.MemberRow {
	key := cube.Text(one.Path[len(one.Path)-1].String())
	if !plan.Level().Listed {
		if one.Label.IsMissing() {
			one.Label = key
		}
		return one
	}
	for _, row := range o.callingsOf(plan.Level())[pathText(one.Path)].of {
		o.addYear(&one, row)
	}
	if one.Label = key; plan.Level().LabelRef != "" {
		names := o.namesOf(plan.Level())
		one.Label = labels{names, o.admits(plan.Question())}.of(one.Path)
		one.Labels = names.history(pathText(one.Path))
	}
	return one
}

// history lists the names of a member, that of the latest year first, of a year that of most rows.
func (n names) history(path string) []cube.LabelUse {
	var uses []cube.LabelUse
	for _, year := range slices.Backward(slices.Sorted(maps.Keys(n[path]))) {
		rows := n[path][year]
		for _, name := range slices.SortedFunc(maps.Keys(rows), func(a, b string) int {
			return cmp.Or(cmp.Compare(rows[b], rows[a]), cmp.Compare(a, b))
		}) {
			i := slices.IndexFunc(uses, func(u cube.LabelUse) bool { return u.Text == name })
			if i < 0 {
				i = len(uses)
				uses = append(uses, cube.LabelUse{Text: name})
			}
			if year != earliest {
				uses[i].Years = slices.Insert(uses[i].Years, 0, year)
			}
		}
	}
	return uses
}

// compareMembers compares as a plan wants. Missing comes last in both directions.
func (o *oracle) compareMembers(a, b cube.MemberRow, plan *cube.MemberPlan, ranks *alphabet) int {
	sign := 1
	if plan.Order().Desc {
		sign = -1
	}
	by, last := 0, len(a.Path)-1
	byKey := func(i, sign int) int {
		return missingLast(a.Path[i], b.Path[i], sign, func() int { return o.compareBounds(plan.Path()[i], a.Path[i], b.Path[i]) })
	}
	switch plan.Order().By {
	case cube.ByMemberLabel:
		by = missingLast(a.Label, b.Label, sign, func() int { return ranks.compare(a.Label.String(), b.Label.String()) })
	case cube.ByMemberRows:
		by = sign * cmp.Compare(a.Rows, b.Rows)
	case cube.ByMemberKey:
		by = byKey(last, sign)
	}
	for i := range a.Path {
		by = cmp.Or(by, byKey(i, 1))
	}
	return by
}

func missingLast(a, b cube.Value, sign int, compare func() int) int {
	switch {
	case a.IsMissing() && b.IsMissing():
		return 0
	case a.IsMissing():
		return 1
	case b.IsMissing():
		return -1
	}
	return sign * compare()
}
