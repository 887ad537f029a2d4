package cube

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A formula sets values side by side: executed by approved, approved less executed. Where one of them has no amounts in
// some of the years asked that another has, a sum over those years is of different years on each side, and what the
// formula makes of it is no number of anything. Such a value is null; of one year it is what it is.

// markMixed marks the formulas that are of different fiscal years in the rows that add several up, and finds out which
// rows those are.
func (b *binder) markMixed(Query) error {
	p := b.plan
	column, ok := b.model.FiscalYear()
	if !ok || b.cube.Coverage == nil {
		return nil
	}
	p.manyYears, p.yearKey = len(p.addingYears().years()) > 1, p.keyNamed(column.Name)
	for i := range p.aggregates {
		p.aggregates[i].mixed = p.mixes(p.aggregates[i])
	}
	for _, conditions := range [][]Having{p.having, p.weighed, p.shown} {
		for i := range conditions {
			a := &conditions[i].aggregate
			a.mixed = p.mixes(*a)
			conditions[i].AlwaysNull = p.NullInAll(*a)
		}
	}
	return nil
}

// addingYears gives the plan whose filters say which years are in a row that adds years up: where each year states the
// same money again, that which counts the last of them.
func (p *Plan) addingYears() *Plan {
	if p.summary != nil && p.cube.Model.statements.by().FiscalYear {
		return p.summary
	}
	return p
}

// spans tells whether a row of so many keys adds several years up.
func (p *Plan) spans(keys int) bool { return p.manyYears && (p.yearKey < 0 || keys <= p.yearKey) }

// yearsOf gives the fiscal years that an aggregate is of in a row that adds years up: those that the guard admits, unless
// something in it adds up over statements.
func (p *Plan) yearsOf(a Aggregate) []int64 {
	adding := p.addingYears()
	years := adding.years()
	flows := func(name string) bool { return p.flows(Part{Measure: name}) }
	if adding.guard == nil || slices.ContainsFunc(a.Measures(), flows) {
		return years
	}
	column, _ := p.cube.Model.FiscalYear()
	return slices.DeleteFunc(years, func(year int64) bool { return !adding.guard.mayAdmit(column, Integer(year)) })
}

// mixes tells whether a formula is of amounts of different ones of the years asked.
func (p *Plan) mixes(a Aggregate) bool { return p.mixesIn(a, p.yearsOf(a)) }

// mixesIn tells whether a formula is of amounts of different ones of some years. Rows are there in all of them. What is
// made of counts alone is right: there are none in a year without amounts.
func (p *Plan) mixesIn(a Aggregate, years []int64) bool {
	leaves := a.leaves()
	if len(leaves) < 2 || !slices.ContainsFunc(leaves, func(l Aggregate) bool { return l.Func != Count && l.Func != Rows }) {
		return false
	}
	gap := p.cube.Coverage.gap(leaves[0].Measure, years)
	return len(years) > 1 && slices.ContainsFunc(leaves, func(l Aggregate) bool {
		return !slices.Equal(p.cube.Coverage.gap(l.Measure, years), gap)
	})
}

// addsYears tells whether several years are added up in the value of a row, or in what it is a share of.
func (a Aggregate) addsYears(b basis) bool {
	return b.spans || a.uses(Share) && b.total.spans || a.uses(ShareOfParent) && b.parent != nil && b.parent.spans
}

// mixedIn tells whether amounts of different years are in what a value is made of.
func (a Aggregate) mixedIn(b basis) bool { return a.mixed && a.addsYears(b) }

// NullInAll tells whether an aggregate is null in every cell, so that it sorts none of them.
func (p *Plan) NullInAll(a Aggregate) bool {
	return a.mixedIn(basis{spans: p.spans(len(p.keys)), total: p.basisOfAll(nil)})
}

// mixedWords say in a language that formulas are null and why, which measure lacks which years, and what to ask.
type mixedWords struct{ null, lacks, cut, drill, never, cited string }

var mixedTexts = map[Language]mixedWords{
	English: {
		null:  "%s: null where several years are added up, as they do not all have the amounts it is of (%s); %s",
		lacks: "%s has none in %s", cut: "ask with cut=%s", drill: ", or drill %s", never: "no year asked has them all",
		cited: ", as these years do not all have the amounts it is of",
	},
	Spanish: {
		null:  "%s: nulo donde se suman varios años, pues no todos tienen los montos que usa (%s); %s",
		lacks: "%s no tiene en %s", cut: "pregunte con cut=%s", drill: ", o desglose %s", never: "ningún año pedido los tiene todos",
		cited: ", pues no todos estos años tienen los montos que usa",
	},
}

// warnMixed names the formulas that are null in some row for the years that their measures lack: those that are so for
// one reason together.
func (p *Plan) warnMixed() []Warning {
	var reasons []mixedReason
	formulas := map[mixedReason][]string{}
	for _, a := range p.mixed() {
		reason := p.whyMixed(a)
		if formulas[reason] == nil {
			reasons = append(reasons, reason)
		}
		formulas[reason] = append(formulas[reason], a.Name)
	}
	var list []Warning
	for _, reason := range reasons {
		names := strings.Join(formulas[reason], ", ")
		list = append(list, warning(WarnYearsDiffer, in(mixedTexts, p.language).null, names, reason.lacks, reason.advice)...)
	}
	return list
}

// mixed lists the formulas, asked or compared with a number, that amounts of different years would be in.
func (p *Plan) mixed() []Aggregate {
	list := slices.DeleteFunc(slices.Clone(p.aggregates), func(a Aggregate) bool { return !a.mixed || a.Role != "" })
	for _, h := range slices.Concat(p.having, p.weighed, p.shown) {
		if h.AlwaysNull && !slices.ContainsFunc(list, func(a Aggregate) bool { return a.Name == h.aggregate.Name }) {
			list = append(list, h.aggregate)
		}
	}
	return list
}

// mixedReason says which measures lack which years, and what to ask instead.
type mixedReason struct{ lacks, advice string }

func (p *Plan) whyMixed(a Aggregate) mixedReason {
	words, years := in(mixedTexts, p.language), p.yearsOf(a)
	var lacks []string
	common := slices.Clone(years)
	for _, name := range a.Measures() {
		gap := p.cube.Coverage.gap(name, years)
		if len(gap) > 0 {
			lacks = append(lacks, fmt.Sprintf(words.lacks, name, p.words().years(gap)))
		}
		common = slices.DeleteFunc(common, func(y int64) bool { return slices.Contains(gap, y) })
	}
	return mixedReason{strings.Join(lacks, ", "), p.adviseMixed(a, common)}
}

// adviseMixed says what to ask instead, of the years that have all amounts. The year is not to be drilled where it is,
// nor where each is a share of all.
func (p *Plan) adviseMixed(a Aggregate, common []int64) string {
	words := in(mixedTexts, p.language)
	if len(common) == 0 {
		return words.never
	}
	column, _ := p.cube.Model.FiscalYear()
	field := quoteName(column.Name)
	advice := fmt.Sprintf(words.cut, field+":"+p.cube.Coverage.cutText(common))
	if p.yearKey < 0 && !a.uses(Share) {
		advice += fmt.Sprintf(words.drill, field)
	}
	return advice
}

// cutText writes years as a cut admits them: those with no others between them as a range.
func (c *YearCoverage) cutText(years []int64) string {
	follows := func(before, year int64) bool {
		return !slices.ContainsFunc(c.Years, func(y int64) bool { return before < y && y < year })
	}
	return strings.Join(texts(runs(years, follows), func(run []int64) string {
		if len(run) == 1 {
			return strconv.FormatInt(run[0], 10)
		}
		return fmt.Sprintf("%d..%d", run[0], run[len(run)-1])
	}), ";")
}
