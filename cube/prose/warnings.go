package prose

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/history"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// Seen is what the passes saw in the rows, for the texts of an answer.
type Seen struct {
	WithoutCounterpart []plan.WithoutCounterpart // the points without a counterpart
	Breaks             []history.Crossed         // the changes of names that rows cross
	Same               []SameMember              // the members that are compared with members of other editions
	OverYears          []cube.Column             // the fields of time of which cells put several years together
	Financing          []cube.Financing          // the members that are financing, of which rows are counted
	NoRemainder        bool                      // top left nothing out
	SortedByDouble     bool                      // the cells are in the order of quotients in double precision
}

// Warnings gives the warnings that the plan and the rows of an answer call for, in a fixed order. The notes of the package,
// which every answer has, come last.
func Warnings(p *plan.Plan, seen Seen, l cube.Language) []cube.Warning {
	list := (&warner{Plan: p, seen: seen, language: l, words: in(warningTexts, l), name: func(field string) string { return field }}).all()
	title := func(field string) string { return fieldTitle(p.Cube().Model, field, l) }
	for i, told := range (&warner{Plan: p, seen: seen, language: l, words: wordsToTell(l), name: title, tells: true}).all() {
		list[i].Told = asSentence(told.Message)
	}
	return list
}

// all are the warnings in a fixed order, which does not depend on how they are worded.
func (w *warner) all() []cube.Warning {
	w.snapshots()
	w.undeclaredSnapshots()
	w.doubledRows()
	w.incompletePeriods()
	measures := each.Text(w.Measures(), func(m cube.Measure) string { return m.Ref })
	w.gaps(w.FieldsAsked(), (*cube.YearCoverage).Gap, cube.WarnLevelAbsent, w.words.levelAbsent)
	w.gaps(measures, (*cube.YearCoverage).Gap, cube.WarnMeasureAbsent, w.words.measureAbsent)
	w.gaps(measures, (*cube.YearCoverage).Zero, cube.WarnMeasureZero, w.words.measureZero)
	w.yearsWithoutFactor()
	w.yearsTogether()
	w.mixedYears()
	w.comparison()
	w.sameMembers()
	w.labelBreaks()
	w.having()
	if w.seen.SortedByDouble {
		w.warn(cube.WarnOrderInexact, w.words.inexact, plan.MostSorted)
	}
	w.financing()
	for _, u := range w.AddsOver() {
		w.warn(cube.WarnQualifierUndeclared, w.words.qualifier, w.name(u.Level), w.words.qualifiers[u.Qualifier], strings.Join(u.Members, ", "))
	}
	for _, note := range w.Cube().Notes {
		w.warn(cube.WarnNote, "%s", note.In(w.language))
	}
	return w.list
}

// warner collects the warnings of an answer, in one of two ways to word them.
type warner struct {
	*plan.Plan
	seen     Seen
	language cube.Language
	words    warningWords
	name     func(field string) string // what a field is called
	tells    bool                      // people, not programs
	list     []cube.Warning
}

// periods names the fields of periods: " of each ejercicio". It is "" if the package is one period.
func (w *warner) periods(format string, s *cube.Snapshots) string {
	if len(s.Per) == 0 {
		return ""
	}
	return fmt.Sprintf(format, strings.Join(each.Text(s.Per, w.name), w.words.and))
}

// names is what fields are called.
func (w *warner) names(fields []string) string { return strings.Join(each.Text(fields, w.name), ", ") }

func (w *warner) warn(code, format string, args ...any) {
	w.list = append(w.list, cube.Warning{Code: code, Message: words.Fill(format, args...)})
}

// snapshots says which snapshots are counted, where there is a choice.
func (w *warner) snapshots() {
	declared, compared := w.Cube().Model.Snapshots(), w.comparedSnapshots()
	if !w.HasSeveralSnapshots() {
		if compared != "" {
			w.warn(cube.WarnSnapshotDefault, "%s: %s", w.name(declared.By), compared)
		}
		return
	}
	each := w.periods(w.words.each, declared)
	if w.CountsAll() {
		most := 0
		for _, period := range w.Periods() {
			most = max(most, len(period.Snapshots))
		}
		format := w.words.all
		if w.HasCounts() {
			format += w.words.counts
		}
		w.warn(cube.WarnSnapshotsAll, format, w.name(declared.By), each, most)
		return
	}
	format := w.words.last
	if w.Summary() != nil {
		format = w.words.own
	}
	flows := w.flowing(w.words.flows, w.Measures()) + w.flowing(w.words.factFlows, slices.Clone(w.FactFlows()))
	if compared != "" {
		flows += "; " + compared
	}
	w.warn(cube.WarnSnapshotDefault, format, w.name(declared.By), each, w.words.lastSnapshots(w.Periods()), flows)
}

// comparedSnapshots says which snapshots the other side of a comparison counts, where there is a choice.
func (w *warner) comparedSnapshots() string {
	c := w.Comparison()
	if c == nil || len(c.SameSnapshots) == 0 {
		return ""
	}
	return fmt.Sprintf(w.words.compared, w.words.lastSnapshots(c.SameSnapshots), w.flowing(w.words.upTo, w.Measures()))
}

// flowing names the measures that add up over snapshots, if there are any.
func (w *warner) flowing(format string, measures []cube.Measure) string {
	list := slices.DeleteFunc(measures, func(m cube.Measure) bool { return !m.Flow })
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf(format, w.names(each.Text(list, func(m cube.Measure) string { return m.Ref })))
}

// undeclaredSnapshots warns that the answer may add up undeclared snapshots of the same money.
func (w *warner) undeclaredSnapshots() {
	if field := w.Cube().SnapshotsSuspected; field != "" && !slices.Contains(w.FieldsAsked(), field) {
		w.warn(cube.WarnSnapshotsUndeclared, w.words.undeclared, w.name(field))
	}
}

// financing says which members are financing and are added up all the same.
func (w *warner) financing() {
	for _, f := range w.seen.Financing {
		w.warn(cube.WarnFinancing, w.words.financing, w.name(f.Level), strings.Join(f.Keys, ", "), plan.WithoutFinancing(f))
	}
}

// mostRows bounds how many rows or resources a warning names.
const mostRows = 5

// doubledRows warns of rows that may count money again, and of resources that are left out for that reason.
func (w *warner) doubledRows() {
	w.totals(w.Cube().NamedTotals, cube.WarnLooksLikeTotal, w.words.totals)
	w.totals(w.Cube().TotalsLeftOut, cube.WarnTotalsLeftOut, w.words.totalsLeftOut)
	year, _ := w.Cube().Model.FiscalYear()
	for _, overlap := range w.Cube().Overlaps {
		if w.MayCount(map[string]string{year.Name: overlap.Year}) {
			w.warn(cube.WarnYearsOverlap, w.words.overlap, cmp.Or(overlap.Year, w.words.missing), w.firstOf(overlap.Resources))
		}
	}
	var left []string
	for _, resource := range w.Cube().Resources {
		if resource.Repeats && w.mayAskFor(resource.Found) {
			left = append(left, resource.Name)
		}
	}
	if len(left) > 0 {
		w.warn(cube.WarnResourceLeftOut, w.words.leftOut, w.firstOf(left))
	}
}

// totals warns of the rows that the cuts admit.
func (w *warner) totals(rows []cube.NamedTotal, code, format string) {
	lines := map[string][]string{}
	for _, total := range rows {
		if w.MayCount(total.Cells) {
			lines[total.Resource] = append(lines[total.Resource], strconv.FormatInt(total.Line, 10))
		}
	}
	if len(lines) == 0 {
		return
	}
	var places []string
	for _, resource := range slices.Sorted(maps.Keys(lines)) {
		places = append(places, resource+": "+w.firstOf(lines[resource]))
	}
	w.warn(code, format, w.firstOf(places))
}

// mayAskFor tells whether the question may ask for a year of a file.
func (w *warner) mayAskFor(file cube.Found) bool {
	return len(w.Years()) == 0 || slices.ContainsFunc(w.Years(), func(year int64) bool {
		return file.FirstYear <= year && year <= file.LastYear
	})
}

// firstOf lists the first of some texts.
func (w *warner) firstOf(list []string) string {
	listed := slices.Clone(list[:min(len(list), mostRows)])
	if more := len(list) - len(listed); more > 0 {
		listed = append(listed, fmt.Sprintf(w.words.more, more))
	}
	return strings.Join(listed, ", ")
}

// incompletePeriods names the periods whose last snapshot is earlier than that of another period.
func (w *warner) incompletePeriods() {
	if w.CountsAll() || len(w.Periods()) == 0 {
		return
	}
	latest := slices.MaxFunc(w.Periods(), func(a, b cube.Period) int { return cmp.Compare(a.Last().Stage, b.Last().Stage) }).Last()
	early := slices.DeleteFunc(slices.Clone(w.Periods()), func(p cube.Period) bool { return p.Last().Stage == latest.Stage })
	if len(early) == 0 {
		return
	}
	declared := w.Cube().Model.Snapshots()
	w.warn(cube.WarnPeriodIncomplete, w.words.early, w.name(declared.By), w.periods(w.words.some, declared), w.words.value(latest.Value),
		w.words.lastSnapshots(early))
}

// gaps names the fields that are empty, or 0, in some of the years asked.
func (w *warner) gaps(fields []string, in func(*cube.YearCoverage, string, []int64) []int64, code, format string) {
	years := w.Years()
	if len(years) == 0 {
		return
	}
	for _, field := range fields {
		if gap := in(w.Cube().Coverage, field, years); len(gap) > 0 {
			w.warn(code, format, w.name(field), w.words.years(gap))
		}
	}
}

// yearsWithoutFactor names the years whose amounts are null in real terms or per head.
func (w *warner) yearsWithoutFactor() {
	years, missing := w.YearsWithoutFactor()
	var listed []string
	if len(years) > 0 {
		listed = append(listed, w.words.years(years))
	}
	if missing {
		listed = append(listed, w.words.missing)
	}
	if len(listed) > 0 {
		quote := Locale{Language: cube.English}.Quote // as programs know it
		if w.tells {
			quote = Locale{Language: w.language}.Quote
		}
		titles := each.Text(w.Series(), func(s cube.Series) string { return quote(s.Title) })
		w.warn(cube.WarnSeriesAbsent, w.words.seriesAbsent, strings.Join(titles, w.words.and), strings.Join(listed, ", "))
	}
}

// yearsTogether names the fields of time, such as months, of which cells put several years together.
func (w *warner) yearsTogether() {
	year, _ := w.Cube().Model.FiscalYear()
	for _, field := range w.seen.OverYears {
		w.warn(cube.WarnYearsTogether, w.words.together, w.name(field.Name), w.words.years(w.Years()), w.name(year.Name))
	}
}

// mixedYears names the formulas that are null because their measures have no amounts in some years. Formulas with the same
// reason share a warning.
func (w *warner) mixedYears() {
	type reason struct {
		key      string // the same for formulas with the same reason
		missing  []string
		advice   string
		formulas []string
	}
	var reasons []reason
	texts := in(mixedTexts, w.language)
	for _, a := range w.MixedYears() {
		var r reason
		years := w.YearsOf(a)
		common := slices.Clone(years)
		for _, name := range a.Measures() {
			gap := w.Cube().Coverage.Gap(name, years)
			if len(gap) > 0 {
				r.missing = append(r.missing, fmt.Sprintf(texts.missing, w.name(name), w.words.years(gap)))
				r.key += fmt.Sprintf("%q %d ", name, gap)
			}
			common = slices.DeleteFunc(common, func(y int64) bool { return slices.Contains(gap, y) })
		}
		drills := w.YearKey() < 0 && !a.Uses(cube.Share)
		r.key += strconv.FormatBool(drills)
		r.advice = w.adviceForMixed(common, drills)
		i := slices.IndexFunc(reasons, func(other reason) bool { return other.key == r.key })
		if i < 0 {
			i, reasons = len(reasons), append(reasons, r)
		}
		name := a.Name
		if w.tells {
			name = AggregateTitle(w.Plan, a, w.language)
		}
		reasons[i].formulas = append(reasons[i].formulas, name)
	}
	format := texts.null
	if w.tells {
		format = in(tellingTexts, w.language).mixed
	}
	for _, r := range reasons {
		w.warn(cube.WarnYearsDiffer, format, strings.Join(r.formulas, ", "), strings.Join(r.missing, ", "), r.advice)
	}
}

// adviceForMixed says what to ask instead: to cut the years that have all amounts, or to drill the year. Drilling does not
// help if the year is drilled already, or for a share, which divides by the sum of all years.
func (w *warner) adviceForMixed(common []int64, drills bool) string {
	texts := in(mixedTexts, w.language)
	switch {
	case len(common) == 0:
		return texts.never
	case w.tells:
		return fmt.Sprintf(in(tellingTexts, w.language).choose, w.words.years(common))
	}
	column, _ := w.Cube().Model.FiscalYear()
	field := query.QuoteName(column.Name)
	advice := fmt.Sprintf(texts.cut, field+":"+cutOfYears(w.Cube().Coverage.Years, common))
	if drills {
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

// comparison says what is not compared, and why.
func (w *warner) comparison() {
	c, texts := w.Comparison(), in(comparedTexts, w.language)
	if c == nil {
		return
	}
	if all := w.seen.WithoutCounterpart; len(all) > 0 {
		listed := all[:min(len(all), mostPeriods)]
		text := strings.Join(each.Text(listed, func(u plan.WithoutCounterpart) string {
			return fmt.Sprintf(texts.withoutCounterpart[u.Kind], w.printed(u.Args)...)
		}), ", ")
		if more := len(all) - len(listed); more > 0 {
			text += fmt.Sprintf(texts.more, more)
		}
		w.warn(cube.WarnNotCompared, texts.nothing, w.name(c.Axis.Name), text)
	}
	if len(c.PartialYears) > 0 {
		text := texts.partial
		if c.SumsManyYears {
			text += texts.sums
		}
		w.warn(cube.WarnNotCompared, text, w.name(c.Axis.Name), w.names(c.PartialYears))
	}
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

// having warns that sums in the answer include only what having keeps.
func (w *warner) having() {
	remainders, subtotals := w.Remainder() && !w.seen.NoRemainder, w.Rollup() && len(w.Steps()) > 1
	var text map[cube.Language]string
	switch shares := w.Uses(cube.Share, cube.ShareOfParent); {
	case len(w.NodeHaving()) > 0 && remainders:
		text = remaindersOfNodes
	case w.FiltersShares() && (subtotals || remainders):
		text = sumsOfKept
	case w.FiltersShares():
		return
	case len(w.Having()) > 0 && (subtotals || remainders || shares):
		text = sumsOfCells
	default:
		return
	}
	w.warn(cube.WarnHavingSums, "%s", in(text, w.language))
}

// Meant is what was probably meant by a member that does not exist: a name, or the same name in other years, or nothing.
type Meant struct {
	Name  string
	Years []int64
}

// NoSuchMember warns that members which a cut names do not exist. meant has what was probably meant for each of the first of
// them; more is the number of members that are not listed.
func NoSuchMember(m *cube.Model, f plan.Filter, named []plan.NamedMember, meant []Meant, more int, l cube.Language) cube.Warning {
	w := in(warningTexts, l)
	listed := func(w warningWords, write func(plan.NamedMember) string) string {
		var names []string
		for i, member := range named {
			name := query.Clip(write(member))
			switch {
			case i >= len(meant):
			case len(meant[i].Years) > 0:
				name = fmt.Sprintf(w.otherYears, name, w.years(meant[i].Years))
			case meant[i].Name != "":
				name = fmt.Sprintf(w.meant, name, query.Clip(query.QuoteText(meant[i].Name)))
			}
			names = append(names, name)
		}
		if more > 0 {
			names = append(names, fmt.Sprintf(w.more, more))
		}
		return strings.Join(names, ", ")
	}
	tells := wordsToTell(l)
	told := listed(tells, func(member plan.NamedMember) string {
		if len(member.Path) == 0 {
			return member.String()
		}
		return cmp.Or(CodesOfPath(member.Columns, member.Path, l), words.Locale{Language: l}.Say("view.missing"))
	})
	return cube.Warning{
		Code: cube.WarnNoSuchMember, Message: fmt.Sprintf(w.noMember, f.Ref, listed(w, plan.NamedMember.String)),
		Told: asSentence(fmt.Sprintf(tells.noMember, fieldTitle(m, f.Ref, l), told)),
	}
}

// NotInCountedSnapshots warns that the rows that pass the cuts are all in snapshots that are not counted, and says how to see
// them.
func NotInCountedSnapshots(p *plan.Plan, rows int64, l cube.Language) cube.Warning {
	m, w := p.Cube().Model, in(warningTexts, l)
	by, last := m.Snapshots().By, w.lastSnapshots(p.Periods())
	return cube.Warning{
		Code: cube.WarnNothingMatches, Message: fmt.Sprintf(w.uncounted, rows, last, by),
		Told: asSentence(fmt.Sprintf(wordsToTell(l).uncounted, rows, last, fieldTitle(m, by, l))),
	}
}

// NothingMatches warns of each filter that no row passes. Without filters it warns that no row passes all cuts.
func NothingMatches(m *cube.Model, filters []plan.Filter, l cube.Language) []cube.Warning {
	w := in(warningTexts, l)
	if len(filters) == 0 {
		return []cube.Warning{{Code: cube.WarnNothingMatches, Message: w.noneOfAll, Told: asSentence(wordsToTell(l).noneOfAll)}}
	}
	var list []cube.Warning
	for _, f := range filters {
		var values []string
		for i := range f.Echo {
			values = append(values, strings.Join(Codes(f, i, l), "–"))
		}
		told := fieldTitle(m, f.Ref, l) + " " + strings.Join(values, ", ")
		list = append(list, cube.Warning{
			Code: cube.WarnNothingMatches, Message: fmt.Sprintf(w.noneOfOne, f), Told: asSentence(fmt.Sprintf(wordsToTell(l).noneOfOne, told)),
		})
	}
	return list
}
