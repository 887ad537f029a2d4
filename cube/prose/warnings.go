package prose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// Warnings writes the caveats of an answer to programs.
func Warnings(p *plan.Plan, list []caveat.Caveat, l cube.Language) (warnings []cube.Warning) {
	w := &warner{Plan: p, language: l, locale: Locale{Language: l}, words: in(warningTexts, l), name: func(field string) string { return field }}
	for _, c := range list {
		warnings = append(warnings, cube.Warning{Code: c.Code, Weight: c.Weight, Message: w.text(c)})
	}
	return warnings
}

// Tell writes a caveat to people who see pages: with the titles of fields, and without the parameters of questions.
func Tell(p *plan.Plan, c caveat.Caveat, l Locale) string { return asSentence(peopleOf(p, l).text(c)) }

// warner writes the caveats of an answer, in one of two ways to word them.
type warner struct {
	*plan.Plan // for the names of what it has
	language   cube.Language
	locale     Locale
	words      warningWords
	name       func(field string) string // what a field is called
	tells      bool                      // people, not programs
}

// peopleOf words caveats to people.
func peopleOf(p *plan.Plan, l Locale) *warner {
	name := func(field string) string { return fieldTitle(p.Cube().Model, field, l.Language) }
	return &warner{Plan: p, language: l.Language, locale: l, words: wordsToTell(l.Language), name: name, tells: true}
}

// text writes a caveat.
func (w *warner) text(c caveat.Caveat) string {
	switch p := c.Params.(type) {
	case caveat.Missing:
		return w.missing(p)
	case caveat.Nothing:
		return w.nothing(p)
	case caveat.Snapshots:
		return w.snapshots(p)
	case caveat.Field:
		return words.Fill(w.words.undeclared, w.name(string(p)))
	case caveat.Lines:
		format := w.words.totals
		if c.Code == cube.WarnTotalsLeftOut {
			format = w.words.totalsLeftOut
		}
		return words.Fill(format, w.firstOf(each.Text(slices.Sorted(maps.Keys(p)), func(resource string) string { return resource + ": " + w.firstOf(p[resource]) })))
	case cube.YearOverlap:
		return words.Fill(w.words.overlap, cmp.Or(p.Year, w.words.missing), w.firstOf(p.Resources))
	case caveat.Resources:
		return words.Fill(w.words.leftOut, w.firstOf(p))
	case caveat.Early:
		return words.Fill(w.words.early, w.name(p.By), w.periods(w.words.some, p.Per), w.words.value(p.Latest), w.words.lastSnapshots(p.Periods))
	case cube.YearGap:
		format := map[string]string{cube.WarnLevelAbsent: w.words.levelAbsent, cube.WarnMeasureAbsent: w.words.measureAbsent, cube.WarnMeasureZero: w.words.measureZero}
		return words.Fill(format[c.Code], w.name(p.Column), w.words.years(p.Years))
	case caveat.WithoutFactor:
		return w.withoutFactor(p)
	case caveat.Together:
		return words.Fill(w.words.together, w.name(p.Field), w.words.years(p.Years), w.name(p.Year))
	case caveat.YearsDiffer:
		return w.yearsDiffer(p)
	case caveat.NotCompared:
		return w.notCompared(p)
	case caveat.Partial:
		texts := in(comparedTexts, w.language)
		text := texts.partial
		if p.Sums {
			text += texts.sums
		}
		return words.Fill(text, w.name(p.Axis), w.names(p.Measures))
	case caveat.SameMembers:
		return w.sameMembers(p)
	case caveat.Breaks:
		return w.breaks(p)
	case cube.Renumbered:
		return words.Fill(in(breakTexts, w.language).renumbered, w.name(p.Level), p.Year, p.Members, p.Of)
	case caveat.Having:
		return in([]map[cube.Language]string{caveat.RemaindersOfNodes: remaindersOfNodes, caveat.SumsOfKept: sumsOfKept, caveat.SumsOfCells: sumsOfCells}[p], w.language)
	case int64:
		return words.Fill(w.words.inexact, p)
	case cube.Financing:
		return words.Fill(w.words.financing, w.name(p.Level), strings.Join(p.Keys, ", "), plan.WithoutFinancing(p))
	case cube.Undeclared:
		return words.Fill(w.words.qualifier, w.name(p.Level), w.words.qualifiers[p.Qualifier], strings.Join(p.Members, ", "))
	case cube.Titles:
		return p.In(w.language)
	}
	text := w.doubt(c)
	if !w.tells {
		text = strings.TrimSuffix(text, ".")
	}
	return text
}

// periods names the fields of periods: " of each ejercicio". It is "" if the package is one period.
func (w *warner) periods(format string, per []string) string {
	if len(per) == 0 {
		return ""
	}
	return fmt.Sprintf(format, strings.Join(each.Text(per, w.name), w.words.and))
}

// names is what fields are called.
func (w *warner) names(fields []string) string { return strings.Join(each.Text(fields, w.name), ", ") }

// snapshots says which snapshots are counted.
func (w *warner) snapshots(s caveat.Snapshots) string {
	compared := ""
	if len(s.Compared) > 0 {
		compared = fmt.Sprintf(w.words.compared, w.words.lastSnapshots(s.Compared), w.flowing(w.words.upTo, s.ComparedFlows))
	}
	format := w.words.last
	switch s.Form {
	case caveat.ComparesOnly:
		return fmt.Sprintf("%s: %s", w.name(s.By), compared)
	case caveat.CountsAll:
		format = w.words.all
		if s.Counts {
			format += w.words.counts
		}
		return words.Fill(format, w.name(s.By), w.periods(w.words.each, s.Per), s.Most)
	case caveat.CountsOwn:
		format = w.words.own
	}
	flows := w.flowing(w.words.flows, s.Flows) + w.flowing(w.words.factFlows, s.FactFlows)
	if compared != "" {
		flows += "; " + compared
	}
	return words.Fill(format, w.name(s.By), w.periods(w.words.each, s.Per), w.words.lastSnapshots(s.Periods), flows)
}

// flowing names the measures that add up over snapshots, if there are any.
func (w *warner) flowing(format string, measures []string) string {
	if len(measures) == 0 {
		return ""
	}
	return fmt.Sprintf(format, w.names(measures))
}

// mostRows bounds how many rows or resources a warning names.
const mostRows = 5

// firstOf lists the first of some texts.
func (w *warner) firstOf(list []string) string {
	listed := slices.Clone(list[:min(len(list), mostRows)])
	if more := len(list) - len(listed); more > 0 {
		listed = append(listed, fmt.Sprintf(w.words.more, more))
	}
	return strings.Join(listed, ", ")
}

// withoutFactor names the series and the years of which they have no value.
func (w *warner) withoutFactor(p caveat.WithoutFactor) string {
	var listed []string
	if len(p.Years) > 0 {
		listed = append(listed, w.words.years(p.Years))
	}
	if p.Missing {
		listed = append(listed, w.words.missing)
	}
	quote := Locale{Language: cube.English}.Quote // as programs know it
	if w.tells {
		quote = w.locale.Quote
	}
	return words.Fill(w.words.seriesAbsent, strings.Join(each.Text(p.Series, quote), w.words.and), strings.Join(listed, ", "))
}

// yearsDiffer names formulas that are null, the amounts that they lack, and what to ask instead.
func (w *warner) yearsDiffer(p caveat.YearsDiffer) string {
	texts := in(mixedTexts, w.language)
	format := texts.null
	name := func(a plan.Aggregate) string { return a.Name }
	if w.tells {
		format = in(tellingTexts, w.language).mixed
		name = func(a plan.Aggregate) string { return AggregateTitle(w.Plan, a, w.language) }
	}
	missing := each.Text(p.Missing, func(gap cube.YearGap) string {
		return fmt.Sprintf(texts.missing, w.name(gap.Column), w.words.years(gap.Years))
	})
	return words.Fill(format, strings.Join(each.Text(p.Formulas, name), ", "), strings.Join(missing, ", "), w.adviceForMixed(p))
}

// adviceForMixed says what to ask instead: to cut the years that have all amounts, or to drill the year.
func (w *warner) adviceForMixed(p caveat.YearsDiffer) string {
	texts := in(mixedTexts, w.language)
	switch {
	case len(p.Common) == 0:
		return texts.never
	case w.tells:
		return fmt.Sprintf(in(tellingTexts, w.language).choose, w.words.years(p.Common))
	}
	field := query.QuoteName(p.Field)
	advice := fmt.Sprintf(texts.cut, field+":"+cutOfYears(w.Cube().Coverage.Years, p.Common))
	if p.Drills {
		advice += fmt.Sprintf(texts.drill, field)
	}
	return advice
}

// cutOfYears writes the values of a cut on years. Years without another year of the package between them become a range.
func cutOfYears(all, years []int64) string {
	follows := func(before, year int64) bool {
		return !slices.ContainsFunc(all, func(y int64) bool { return before < y && y < year })
	}
	return strings.Join(each.Text(yearRuns(years, follows), func(run []int64) string {
		if len(run) == 1 {
			return strconv.FormatInt(run[0], 10)
		}
		return fmt.Sprintf("%d..%d", run[0], run[len(run)-1])
	}), ";")
}

// notCompared names the points without a counterpart.
func (w *warner) notCompared(p caveat.NotCompared) string {
	texts := in(comparedTexts, w.language)
	listed := p.Points[:min(len(p.Points), mostPeriods)]
	text := strings.Join(each.Text(listed, func(u plan.WithoutCounterpart) string {
		return fmt.Sprintf(texts.withoutCounterpart[u.Kind], w.printed(u.Args)...)
	}), ", ")
	if more := len(p.Points) - len(listed); more > 0 {
		text += fmt.Sprintf(texts.more, more)
	}
	return words.Fill(texts.nothing, w.name(p.Axis), text)
}

// printed writes the fields among the arguments of a text by their names, and values and keys as English messages do.
func (w *warner) printed(args []any) []any {
	list := slices.Clone(args)
	for i, arg := range list {
		switch arg := arg.(type) {
		case plan.Fields:
			list[i] = w.names(arg)
		case cube.Value:
			list[i] = warningTexts[cube.English].value(arg)
		case []cube.Value:
			list[i] = strings.Join(each.Text(arg, warningTexts[cube.English].value), "/")
		}
	}
	return list
}

// missing names the members that a cut names and that do not exist.
func (w *warner) missing(p caveat.Missing) string {
	var names []string
	for i, member := range p.Named {
		name := member.String()
		if w.tells && len(member.Path) > 0 {
			name = cmp.Or(CodesOfPath(member.Columns, member.Path, w.language), words.Locale{Language: w.language}.Say("view.missing"))
		}
		name = query.Clip(name)
		switch {
		case i >= len(p.Meant):
		case len(p.Meant[i].Years) > 0:
			name = fmt.Sprintf(w.words.otherYears, name, w.words.years(p.Meant[i].Years))
		case p.Meant[i].Name != "":
			name = fmt.Sprintf(w.words.meant, name, query.Clip(query.QuoteText(p.Meant[i].Name)))
		}
		names = append(names, name)
	}
	if p.More > 0 {
		names = append(names, fmt.Sprintf(w.words.more, p.More))
	}
	return fmt.Sprintf(w.words.noMember, w.name(p.Filter.Ref), strings.Join(names, ", "))
}

// nothing says why no row passes the cuts.
func (w *warner) nothing(p caveat.Nothing) string {
	switch {
	case p.Uncounted > 0:
		return fmt.Sprintf(w.words.uncounted, p.Uncounted, w.words.lastSnapshots(p.Periods), w.name(p.By))
	case p.Filter == nil:
		return w.words.noneOfAll
	case !w.tells:
		return fmt.Sprintf(w.words.noneOfOne, p.Filter)
	}
	var values []string
	for i := range p.Filter.Echo {
		values = append(values, strings.Join(Codes(*p.Filter, i, w.language), "–"))
	}
	return fmt.Sprintf(w.words.noneOfOne, w.name(p.Filter.Ref)+" "+strings.Join(values, ", "))
}
