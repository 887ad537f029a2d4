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
	w := &warner{Plan: p, locale: words.Locale{Language: l}, name: func(field string) string { return field }}
	for _, c := range list {
		warnings = append(warnings, cube.Warning{Code: c.Code, Weight: c.Weight, Message: w.text(c)})
	}
	return warnings
}

// Tell writes a caveat to people who see pages: with the titles of fields, and without the parameters of questions.
func Tell(p *plan.Plan, c caveat.Caveat, l words.Locale) string {
	return asSentence(peopleOf(p, l).text(c))
}

// warner writes the caveats of an answer, in one of two ways to word them.
type warner struct {
	*plan.Plan // for the names of what it has
	locale     words.Locale
	name       func(field string) string // what a field is called
	tells      bool                      // people, not programs
}

// peopleOf words caveats to people.
func peopleOf(p *plan.Plan, l words.Locale) *warner {
	return &warner{Plan: p, locale: l, name: func(field string) string { return fieldTitle(p.Cube().Model, field, l.Language) }, tells: true}
}

// say says a warning to programs, or a caveat to people. Where one of the two has no words of its own, it is said in those of the other. Of
// the parameters it takes those that the message has.
func (w *warner) say(name string, params ...any) string {
	own, other := "warning", "caveat"
	if w.tells {
		own, other = other, own
	}
	id := own + "." + name
	if !words.Has(id) {
		id = other + "." + name
	}
	return Fill(w.locale, id, params...)
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
		return w.say("undeclared", "Field", w.name(string(p)))
	case caveat.Lines:
		lines := w.firstOf(each.Text(slices.Sorted(maps.Keys(p)), func(resource string) string { return resource + ": " + w.firstOf(p[resource]) }))
		if c.Code == cube.WarnTotalsLeftOut {
			return w.say("totals-left-out", "Lines", lines)
		}
		return w.say("totals", "Lines", lines)
	case cube.YearOverlap:
		return w.say("overlap", "Year", cmp.Or(p.Year, w.say("missing")), "Resources", w.firstOf(p.Resources))
	case caveat.Resources:
		return w.say("left-out", "Resources", w.firstOf(p))
	case caveat.Early:
		return w.say("early", "By", w.name(p.By), "Some", w.some("some", p.Per), "Value", w.value(p.Latest), "Last", w.lastSnapshots(p.Periods))
	case cube.YearGap:
		return w.say(c.Code, "Field", w.name(p.Column), "Years", w.years(p.Years))
	case caveat.WithoutFactor:
		return w.withoutFactor(p)
	case caveat.Together:
		return w.say("together", "Field", w.name(p.Field), "Years", w.years(p.Years), "Year", w.name(p.Year))
	case caveat.YearsDiffer:
		return w.yearsDiffer(p)
	case caveat.NotCompared:
		return w.notCompared(p)
	case caveat.Partial:
		text := w.say("partial", "Axis", w.name(p.Axis), "Measures", w.names(p.Measures))
		if p.Sums {
			text += w.say("partial-sums")
		}
		return text
	case caveat.SameMembers:
		return w.sameMembers(p)
	case caveat.Breaks:
		return w.breaks(p)
	case cube.Renumbered:
		return w.say("renumbered", "Level", w.name(p.Level), "Year", words.Digits(p.Year), "Members", words.Digits(p.Members), "Count", words.Digits(p.Of))
	case caveat.Having:
		return w.say(string(p))
	case int64:
		return w.say("inexact", "Cells", words.Digits(p))
	case cube.Financing:
		return w.say("financing", "Level", w.name(p.Level), "Keys", strings.Join(p.Keys, ", "), "Cut", plan.WithoutFinancing(p))
	case cube.Undeclared:
		return w.say("qualifier", "Field", w.name(p.Level), "Qualifier", w.say("qualifier-"+p.Qualifier), "Members", strings.Join(p.Members, ", "))
	case cube.Titles:
		return p.In(w.locale.Language)
	}
	text := w.doubt(c)
	if !w.tells {
		text = strings.TrimSuffix(text, ".")
	}
	return text
}

// some says of which fields something holds, such as of which periods: " of each ejercicio". It is "" of none.
func (w *warner) some(which string, fields []string) string {
	if len(fields) == 0 {
		return ""
	}
	return w.say(which, "Periods", w.locale.And(each.Text(fields, w.name)), "Measures", w.names(fields))
}

// names is what fields are called.
func (w *warner) names(fields []string) string { return strings.Join(each.Text(fields, w.name), ", ") }

// snapshots says which snapshots are counted.
func (w *warner) snapshots(s caveat.Snapshots) string {
	compared := ""
	if len(s.Compared) > 0 {
		compared = w.say("compared", "Last", w.lastSnapshots(s.Compared), "Flows", w.some("up-to", s.ComparedFlows))
	}
	message, by := "snapshots-last", w.name(s.By)
	switch s.Form {
	case caveat.ComparesOnly:
		return by + ": " + compared
	case caveat.CountsAll:
		text := w.say("snapshots-all", "By", by, "Each", w.some("each", s.Per), "Most", words.Digits(s.Most))
		if s.Counts {
			text += w.say("counts")
		}
		return text
	case caveat.CountsOwn:
		message = "snapshots-own"
	}
	flows := w.some("flows", s.Flows) + w.some("fact-flows", s.FactFlows)
	if compared != "" {
		flows += "; " + compared
	}
	return w.say(message, "By", by, "Each", w.some("each", s.Per), "Last", w.lastSnapshots(s.Periods), "Flows", flows)
}

// mostRows bounds how many rows or resources a warning names.
const mostRows = 5

// firstOf lists the first of some texts.
func (w *warner) firstOf(list []string) string {
	return first(w, list, mostRows, ", ", func(text string) string { return text })
}

// first joins the texts of the first in a list, and says how many there are more.
func first[T any](w *warner, list []T, most int, between string, text func(T) string) string {
	texts := each.Text(list[:min(most, len(list))], text)
	if more := len(list) - most; more > 0 {
		texts = append(texts, w.say("more", "More", words.Digits(more)))
	}
	return strings.Join(texts, between)
}

// firstAnd likewise, the number behind a word instead of a comma.
func (w *warner) firstAnd(list []string, most int) string {
	if more := len(list) - most; more > 0 {
		return strings.Join(list[:most], ", ") + w.say("and-more", "More", words.Digits(more))
	}
	return strings.Join(list, ", ")
}

// withoutFactor names the series and the years of which they have no value.
func (w *warner) withoutFactor(p caveat.WithoutFactor) string {
	var listed []string
	if len(p.Years) > 0 {
		listed = append(listed, w.years(p.Years))
	}
	if p.Missing {
		listed = append(listed, w.say("missing"))
	}
	quote := words.Locale{Language: cube.English}.Quote // as programs know it
	if w.tells {
		quote = w.locale.Quote
	}
	return w.say("series-absent", "Series", w.locale.And(each.Text(p.Series, quote)), "Years", strings.Join(listed, ", "))
}

// yearsDiffer names formulas that are null, the amounts that they lack, and what to ask instead.
func (w *warner) yearsDiffer(p caveat.YearsDiffer) string {
	formulas := each.Text(p.Formulas, func(a plan.Aggregate) string {
		if w.tells {
			return AggregateTitle(w.Plan, a, w.locale.Language)
		}
		return a.Name
	})
	missing := each.Text(p.Missing, func(gap cube.YearGap) string {
		return w.say("none-in", "Field", w.name(gap.Column), "Years", w.years(gap.Years))
	})
	return w.say("years-differ", "Formulas", strings.Join(formulas, ", "), "Missing", strings.Join(missing, ", "), "Advice", w.adviceForMixed(p))
}

// adviceForMixed says what to ask instead: to cut the years that have all amounts, or to drill the year.
func (w *warner) adviceForMixed(p caveat.YearsDiffer) string {
	switch {
	case len(p.Common) == 0:
		return w.say("never")
	case w.tells:
		return w.say("choose", "Years", w.years(p.Common))
	}
	field := query.QuoteName(p.Field)
	advice := w.say("cut", "Cut", field+":"+cutOfYears(w.Cube().Coverage.Years, p.Common))
	if p.Drills {
		advice += w.say("drill", "Field", field)
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

// reasons are the messages about points without a counterpart.
var reasons = [...]string{
	plan.NoRowsOfYear: "no-rows-of-year", plan.LevelEmptyInYear: "level-empty-in-year", plan.NumberedAnew: "numbered-anew", plan.NoSnapshot: "no-snapshot",
	plan.NoSnapshotOfPeriod: "no-snapshot-of-period", plan.NoCellsThere: "no-cells-there", plan.NoCellsHere: "no-cells-here", plan.NoPoint: "no-point",
	plan.NoNumber: "no-number", plan.NoSameMember: "no-same-member", plan.OtherSpelling: "other-spelling",
}

// notCompared names the points without a counterpart. The parameters of their messages are in the order of the arguments.
func (w *warner) notCompared(p caveat.NotCompared) string {
	points := each.Text(p.Points, func(u plan.WithoutCounterpart) string {
		var params []any
		for i, name := range words.Parameters("warning." + reasons[u.Kind]) {
			params = append(params, name, w.printed(u.Args[i]))
		}
		return w.say(reasons[u.Kind], params...)
	})
	return w.say("not-compared", "Axis", w.name(p.Axis), "Points", w.firstAnd(points, mostPeriods))
}

// printed writes an argument of such a message.
func (w *warner) printed(arg any) any {
	switch arg := arg.(type) {
	case plan.Fields:
		return w.names(arg)
	case int64:
		return words.Digits(arg)
	case cube.Value:
		return w.value(arg)
	case []cube.Value:
		return strings.Join(each.Text(arg, w.value), "/")
	}
	return arg
}

// missing names the members that a cut names and that do not exist.
func (w *warner) missing(p caveat.Missing) string {
	var names []string
	for i, member := range p.Named {
		name := member.String()
		if w.tells && len(member.Path) > 0 {
			name = cmp.Or(CodesOfPath(member.Columns, member.Path, w.locale.Language), w.locale.Say("view.missing"))
		}
		name = query.Clip(name)
		switch {
		case i >= len(p.Meant):
		case len(p.Meant[i].Years) > 0:
			name = w.say("other-years", "Member", name, "Years", w.years(p.Meant[i].Years))
		case p.Meant[i].Name != "":
			name = w.say("meant", "Member", name, "Meant", query.Clip(query.QuoteText(p.Meant[i].Name)))
		}
		names = append(names, name)
	}
	if p.More > 0 {
		names = append(names, w.say("more", "More", words.Digits(p.More)))
	}
	return w.say("no-member", "Field", w.name(p.Filter.Ref), "Members", strings.Join(names, ", "))
}

// nothing says why no row passes the cuts.
func (w *warner) nothing(p caveat.Nothing) string {
	switch {
	case p.Uncounted > 0:
		return w.say("uncounted", "Rows", words.Digits(p.Uncounted), "Last", w.lastSnapshots(p.Periods), "By", w.name(p.By))
	case p.Filter == nil:
		return w.say("none-of-all")
	case !w.tells:
		return w.say("none-of-one", "Cut", p.Filter)
	}
	var values []string
	for i := range p.Filter.Echo {
		values = append(values, strings.Join(Codes(*p.Filter, i, w.locale.Language), "–"))
	}
	return w.say("none-of-one", "Cut", w.name(p.Filter.Ref)+" "+strings.Join(values, ", "))
}

// lastSnapshots lists the last snapshot of each period: 2017: 12, 2018: 06.
func (w *warner) lastSnapshots(periods []cube.Period) string {
	return first(w, periods, mostPeriods, ", ", func(p cube.Period) string {
		key := strings.Join(each.Text(p.Key, w.value), "/")
		if key == "" {
			return w.value(p.Last().Value)
		}
		return key + ": " + w.value(p.Last().Value)
	})
}

// years lists years, to people as in a sentence.
func (w *warner) years(years []int64) string {
	if w.tells {
		return w.locale.Years(years)
	}
	return strings.Join(w.locale.Spans(years), ", ")
}

func (w *warner) value(v cube.Value) string {
	if v.IsMissing() {
		return w.say("missing")
	}
	return v.String()
}
