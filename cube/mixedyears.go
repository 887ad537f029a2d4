package cube

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A formula sets values side by side: executed by approved, approved less executed. Where one of them has no amounts in
// some of the years asked that another has, a sum over those years is of different years on each side, and what the
// formula makes of it is no number of anything. Such a value is null; of one year it is what it is.

// yearsAsked finds the fiscal years that the cuts admit, and which rows add several of them up.
func (b *binder) yearsAsked(Query) error {
	column, ok := b.model.FiscalYear()
	if !ok || b.cube.Coverage == nil {
		return nil
	}
	b.plan.yearsAsked = slices.DeleteFunc(slices.Clone(b.cube.Coverage.Years), func(year int64) bool {
		return !b.plan.admits(column, Integer(year))
	})
	b.plan.yearKey = b.plan.keyNamed(column.Name)
	return nil
}

// spans tells whether a row of so many keys adds several years up.
func (p *Plan) spans(keys int) bool {
	return len(p.yearsAsked) > 1 && (p.yearKey < 0 || keys <= p.yearKey)
}

// mixes tells whether a formula is of amounts of different ones of the years asked. Rows are there in all of them. What
// is made of counts alone is right: there are none in a year without amounts.
func (b *binder) mixes(a Aggregate) bool {
	leaves, years := a.leaves(), b.plan.yearsAsked
	if len(years) < 2 || !slices.ContainsFunc(leaves, func(l Aggregate) bool { return l.Func != Count && l.Func != Rows }) {
		return false
	}
	gap := b.cube.Coverage.gap(leaves[0].Measure, years)
	return slices.ContainsFunc(leaves, func(l Aggregate) bool {
		return !slices.Equal(b.cube.Coverage.gap(l.Measure, years), gap)
	})
}

// mixedIn tells whether amounts of different years are in the value of a row, or in what it is a share of.
func (a Aggregate) mixedIn(b basis) bool {
	return a.mixed && (b.spans || a.uses(Share) || b.wide && a.uses(ShareOfParent))
}

// NullInAll tells whether an aggregate is null in every cell, so that it sorts none of them.
func (p *Plan) NullInAll(a Aggregate) bool { return a.mixedIn(basis{spans: p.spans(len(p.keys))}) }

// mixedText says in a language that formulas are null and why, which measure lacks which years, and what to ask.
type mixedText struct{ null, lacks, cut, never, cited string }

var mixedTexts = map[Language]mixedText{
	English: {
		null:  "%s: null where several years are added up, as they do not all have the amounts it is of (%s); %s",
		lacks: "%s has none in %s", cut: "ask with cut=%s, or drill %s", never: "no year asked has them all",
		cited: ", as these years do not all have the amounts it is of",
	},
	Spanish: {
		null:  "%s: nulo donde se suman varios años, pues no todos tienen los montos que usa (%s); %s",
		lacks: "%s no tiene en %s", cut: "pregunte con cut=%s, o desglose %s", never: "ningún año pedido los tiene todos",
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
		list = append(list, warning(WarnYearsDiffer, mixedWords(p.language).null, names, reason.lacks, reason.advice)...)
	}
	return list
}

// mixed lists the formulas, asked or compared with a number, that amounts of different years would be in.
func (p *Plan) mixed() []Aggregate {
	list := slices.DeleteFunc(slices.Clone(p.aggregates), func(a Aggregate) bool { return !a.mixed || a.Role != "" })
	for _, h := range slices.Concat(p.having, p.shown) {
		if h.Never && !slices.ContainsFunc(list, func(a Aggregate) bool { return a.Name == h.aggregate.Name }) {
			list = append(list, h.aggregate)
		}
	}
	return list
}

// mixedReason says which measures lack which years, and what to ask instead.
type mixedReason struct{ lacks, advice string }

func (p *Plan) whyMixed(a Aggregate) mixedReason {
	words, common := mixedWords(p.language), slices.Clone(p.yearsAsked)
	var lacks []string
	for _, name := range a.Measures() {
		gap := p.cube.Coverage.gap(name, p.yearsAsked)
		if len(gap) > 0 {
			lacks = append(lacks, fmt.Sprintf(words.lacks, name, yearsText(gap)))
		}
		common = slices.DeleteFunc(common, func(y int64) bool { return slices.Contains(gap, y) })
	}
	advice := words.never
	if len(common) > 0 {
		column, _ := p.cube.Model.FiscalYear()
		field := quoteName(column.Name)
		advice = fmt.Sprintf(words.cut, field+":"+p.cube.Coverage.set(common), field)
	}
	return mixedReason{strings.Join(lacks, ", "), advice}
}

func mixedWords(l Language) mixedText { return cmp.Or(mixedTexts[l], mixedTexts[English]) }

// set writes years as a cut admits them: those that follow each other as a range.
func (c *YearCoverage) set(years []int64) string {
	var items []string
	for start := 0; start < len(years); {
		end, at := start, slices.Index(c.Years, years[start])
		for end+1 < len(years) && c.Years[at+end+1-start] == years[end+1] {
			end++
		}
		item := fmt.Sprint(years[start])
		if end > start {
			item = fmt.Sprintf("%d..%d", years[start], years[end])
		}
		items, start = append(items, item), end+1
	}
	return strings.Join(items, ";")
}
