package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// IsNamed tells whether a report is named by a word, as that of a month or of a revision: such a name does not say up to when its amounts go.
func IsNamed(report cube.Snapshot) bool { return isWord(report.Value) }

func isWord(v cube.Value) bool {
	first, _ := utf8.DecodeRuneInString(v.String())
	return unicode.IsLetter(first)
}

// doubt writes what makes a number doubtful. Its numbers are marked as the reader's region has them.
func (w *warner) doubt(c caveat.Caveat) string {
	l := w.locale
	switch p := c.Params.(type) {
	case caveat.Excerpt:
		switch {
		case p.Of != nil:
			return l.Say("caveat.excerpt-of", "Count", p.Rows, "Budget", p.Of.Name, "Rows", p.Of.Rows)
		case p.Several:
			return l.Say("caveat.excerpt-of-years", "Count", p.Rows)
		}
		return l.Say("caveat.excerpt", "Count", p.Rows)
	case caveat.OnlyMembers:
		return l.Say("caveat.of-one", "Members", w.members(p, "; "))
	case cube.YearJumps:
		return strings.Join(jumps(p, l, "caveat.jump-up", "caveat.jump-down"), " ")
	case caveat.Until:
		if !IsNamed(p.Last) {
			return l.Say("caveat.until", "Until", l.Say("view.up-to-then", "Report", w.name(p.By)+" "+p.Last.Value.String()))
		}
		return l.Say("caveat.of-report", "Report", p.Last.Value)
	case cube.PartOfYears:
		message := "caveat.only-part"
		if len(p.Numbers) > 1 {
			message = "caveat.only-parts"
		}
		return l.Say(message, "Months", w.part(p), "Year", l.Years(p.Years))
	case caveat.Rate:
		return w.rate(c.Code, p)
	case caveat.Years:
		return l.Say("caveat.unknown-change", "Years", l.Years(p))
	case caveat.LinesLeft:
		return w.linesLeft(p)
	}
	panic("no text for the caveat " + c.Code)
}

// jumps names the years in which amounts jump, in one message for those that are larger and another for those that are smaller.
func jumps(p cube.YearJumps, l words.Locale, up, down string) (told []string) {
	if len(p.Up) > 0 {
		told = append(told, l.Say(up, "Years", l.Years(p.Up)))
	}
	if len(p.Down) > 0 {
		told = append(told, l.Say(down, "Years", l.Years(p.Down)))
	}
	return told
}

// members names members with their levels.
func (w *warner) members(list caveat.OnlyMembers, between string) string {
	return strings.Join(each.Text(list, func(m cube.OnlyMember) string { return w.name(m.Level) + " " + m.Label }), between)
}

// part names the periods of a part of a year.
func (w *warner) part(p cube.PartOfYears) string {
	return w.name(p.Level.Ref) + " " + words.Periods(p.Numbers)
}

// rate says what an odd rate means.
func (w *warner) rate(code string, p caveat.Rate) string {
	l := w.locale
	measure := func(ref string) string {
		m, _ := w.Cube().Model.Measure(ref)
		return MeasureTitle(m, l.Language)
	}
	what := "spent"
	if p.IsOfRevenue {
		what = "received"
	}
	switch code {
	case cube.WarnRateOfPart:
		return l.Say("caveat.rate-of-part", "Executed", measure(p.Executed), "Months", w.part(*p.Part), "Year", l.Years(p.Part.Years), "Approved", measure(p.Approved))
	case cube.WarnRateBelow:
		return l.Say("caveat.low-" + what)
	}
	text := l.Say("caveat.over-" + what)
	if p.Changed != "" {
		text += " " + l.Say("caveat.changed", "Measure", measure(p.Changed))
	}
	return text
}

// mostLinesNamed is how many lines that are left behind a sentence names.
const mostLinesNamed = 3

// linesLeft says how many lines are left behind and what they state in all, and names those with the greatest amounts, if they are listed.
func (w *warner) linesLeft(p caveat.LinesLeft) string {
	l, main := w.locale, w.Aggregates()[0]
	if !p.Sum.Valid {
		return l.Say("caveat.perhaps-left-cited")
	}
	currency := ""
	if measure, _ := w.Cube().Model.Measure(main.Measure); measure.Unit <= 1 {
		currency = measure.Currency
	}
	inWords, exact := l.Brief(p.Sum.Decimal, currency), l.Decimal(p.Sum.Decimal, p.Scale)
	if p.Lines == nil {
		return l.Say("caveat.incomplete", "Count", p.Count, "Amount", inWords, "Exact", exact)
	}
	texts := each.Text(p.Lines[:min(len(p.Lines), mostLinesNamed)], func(line caveat.LeftBehind) string {
		text := w.lineLeft(line)
		if len(p.Lines) > 1 {
			text += ": " + l.Decimal(line.Amount, p.Scale)
		}
		return text
	})
	if more := len(p.Lines) - len(texts); more > 0 {
		texts = append(texts, l.Say("report.more-found", "Count", more))
	}
	return l.Say("caveat.left-behind", "Count", p.Count, "Amount", inWords, "Exact", exact, "Lines", strings.Join(texts, "; "))
}

// lineLeft names a line by its member, its period and the reports that have it.
func (w *warner) lineLeft(line caveat.LeftBehind) string {
	name := line.Member.String()
	if !line.Label.IsMissing() && line.Label != line.Member {
		name = line.Label.String() + " (" + name + ")"
	}
	history := w.Cube().Model.History()
	var period []string
	for i, key := range line.Period {
		if year, ok := key.Int(); ok && history.Columns[i].FiscalYear {
			period = append(period, w.locale.Years([]int64{year}))
			continue
		}
		period = append(period, w.name(history.Columns[i].Name)+" "+key.String())
	}
	reports := w.name(history.By().Name) + " " + line.First.String()
	if line.Last != line.First {
		reports += "–" + line.Last.String()
	}
	return w.locale.Say("caveat.line-left", "Line", name, "Period", strings.Join(period, ", "), "Reports", reports)
}

// doubts are what a citation has room to say of the caveats: years that are not known, that all is of some members, years that jump, lines
// that are not counted and, of a sum that no member is chosen of, the notes of the package.
func (c Citation) doubts() (list []string) {
	l, w := c.locale, peopleOf(c.asked, c.locale)
	var zeros []int64
	var of, jump, left, notes []string
	for _, found := range c.caveats {
		switch p := found.Params.(type) {
		case cube.YearGap:
			if found.Code == cube.WarnMeasureZero && slices.Contains(c.asked.Aggregates()[0].Measures(), p.Column) {
				zeros = append(zeros, p.Years...)
			}
		case caveat.OnlyMembers:
			of = append(of, l.Say("caveat.of-one-cited", "Members", w.members(p, ", ")))
		case cube.YearJumps:
			jump = jumps(p, l, "caveat.jump-up-cited", "caveat.jump-down-cited")
		case caveat.LinesLeft:
			left = append(left, l.Say("caveat.perhaps-left-cited"))
			if p.Lines != nil {
				left = []string{l.Say("caveat.left-cited", "Count", len(p.Lines), "Exact", l.Decimal(p.Sum.Decimal, p.Scale))}
			}
		case cube.Titles:
			if !caveat.ChoosesMembers(c.asked) {
				notes = append(notes, strings.TrimSuffix(p.In(l.Language), "."))
			}
		}
	}
	if slices.Sort(zeros); len(zeros) > 0 {
		list = append(list, l.Say("caveat.zero-cited", "Years", l.Years(slices.Compact(zeros))))
	}
	return slices.Concat(list, of, jump, left, notes)
}
