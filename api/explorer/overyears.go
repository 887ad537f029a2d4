package explorer

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/chart"
	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// change explains the change since the year before, or since that which the question compares with: by how much each member grew or
// shrank. A member leads to its own change on the level below.
func (w *view) change() (drawing, error) {
	level, hasYears := w.cb.Model.YearLevel()
	year, ok := w.yearCut()
	switch {
	case !hasYears:
		return w.refusedUntil(noYears, nil), nil
	case w.oneYear(w.cb) != "":
		return refusing(refusal{text: w.oneYear(w.cb)}), nil
	case !ok:
		years, _, _ := w.years()
		return w.refusedUntil(noYear, slices.DeleteFunc(years, func(c site.Choice) bool { return c.Text == w.Say("view.all-years") })), nil
	case len(w.drilled()) == 0:
		return w.refusedUntil(noLevel, w.levels()), nil
	case len(w.zeros(0, []int64{year + w.offset(), year})) > 0:
		return refusing(refusal{text: w.unknownChange(year)}), nil
	}
	q := w.question()
	q.Compare = &query.Compare{Ref: query.Ref{Name: level.Ref}, Offset: w.offset()}
	found, err := w.Ask(w.cb, q)
	if err != nil {
		return drawing{}, err
	}
	of := w.withAnswer(found)
	if r := of.tooMany(); r != nil {
		return refusing(*r), nil
	}
	before, now := of.valueIn(query.RoleEarlier, found.Summary.Values), found.Summary.Values[0]
	if notOneWhole(found.Plan) == "" && !(now.Valid && before.Valid) {
		return w.refusedUntil(noComparison, w.yearsAfter(year)), nil
	}
	from, to := of.inYear(year+w.offset(), before), of.inYear(year, now)
	parts, others := of.differences()
	if len(others) > 0 {
		if len(parts) == 0 {
			return w.refusedUntil(noComparison, nil), nil
		}
		parts = append(parts, of.incomparable(others, to.Value.Sub(sumOfParts(from.Value, parts))))
	}
	told := of.tellChange(from, to, parts)
	if sum := sumOfParts(from.Value, parts); of.addUp(sum, to.Value, len(parts)) {
		to.Value = sum
	}
	return drawing{told: told, draw: func(width int) (chart.Figure, *refusal) {
		f := of.frameOf(width, 0)
		if others := f.Others; others != nil {
			f.Others = func(kind chart.Kind, members int, value decimal.Decimal) chart.Part {
				made := others(kind, members, value)
				made.Amount = signed(value, made.Amount)
				made.Title = titled(made.Label, made)
				return made
			}
		}
		made, r := chart.Change(f, from, to, parts)
		return made, of.refused(r)
	}}, nil
}

// yearsAfter are the choices of the years after one.
func (w *view) yearsAfter(year int64) []site.Choice {
	years, _, _ := w.years()
	return slices.DeleteFunc(years, func(c site.Choice) bool {
		other, err := strconv.ParseInt(c.Text, 10, 64)
		return err != nil || other <= year
	})
}

// tellChange says by how much the whole changed, and which of its parts grew and which shrank most.
func (w *view) tellChange(from, to chart.Part, parts []chart.Part) []string {
	inWords := func(d decimal.Decimal) string {
		return signed(d, w.InWords(d, currencyOf(w.cb.Model, w.answer.Plan.Aggregates()[0])))
	}
	whole := w.differenceOf(w.answer.Summary.Values)
	text := inWords(whole)
	if rate := w.valueIn(query.RolePercentage, w.answer.Summary.Values); rate.Valid && from.Value.IsPositive() {
		text += " (" + w.Change(rate) + ")"
	}
	told := []string{w.Say("figure.change-whole", "First", from.Label, "Last", to.Label, "Amount", text, "Exact", signed(whole, w.exact(whole)))}
	named := slices.DeleteFunc(slices.Clone(parts), func(p chart.Part) bool {
		return p.Members > 1 || p.Kind == chart.Others || p.Kind == chart.Incomparable
	})
	if len(named) < 2 {
		return told
	}
	byValue := func(a, b chart.Part) int { return a.Value.Cmp(b.Value) }
	for _, most := range []struct {
		part    chart.Part
		sign    int
		message string
	}{{slices.MaxFunc(named, byValue), 1, "figure.change-most"}, {slices.MinFunc(named, byValue), -1, "figure.change-least"}} {
		if most.part.Value.Sign() != most.sign {
			continue // all grew, or all shrank
		}
		text := inWords(most.part.Value)
		if most.part.Share != "" {
			text += " (" + most.part.Share + ")"
		}
		told = append(told, w.Say(most.message, "Name", most.part.Label, "Amount", text))
	}
	return told
}

// inYear is the whole of a year.
func (w *view) inYear(year int64, amount decimal.NullDecimal) chart.Part {
	text := strconv.FormatInt(year, 10)
	a := w.a.With(query.CutTo(yearOf(w.cb.Model).Name, text))
	a.View = ""
	return chart.Part{Value: amount.Decimal, Label: text, Amount: w.number(0, amount), Title: text + ": " + w.number(0, amount), Href: a.String()}
}

// differences are the members that have another amount than in the year before, and the cells that have nothing to be compared with.
func (w *view) differences() (parts []chart.Part, others []answer.Cell) {
	for _, cell := range w.answer.Cells {
		if w.isIncomparable(cell) {
			others = append(others, cell)
			continue
		}
		difference := w.differenceOf(cell.Values)
		if difference.IsZero() {
			continue
		}
		down, _ := w.below(cell)
		made := chart.Part{
			Kind: kindOf(cell), Members: int(cell.Others), Value: difference, Label: w.nameOf(cell), Amount: signed(difference, w.exact(difference)), Href: down,
		}
		name := w.pathOf(cell)
		switch {
		case cell.Others > 0:
			made.Label = w.Say("view.others", "Count", cell.Others)
			name = made.Label
		case w.changeOf(cell) == answer.ChangeNew:
			made.Kind, made.Share = chart.New, w.Say("view.new")
		case w.changeOf(cell) == answer.ChangeGone:
			made.Kind, made.Share = chart.Gone, w.Say("view.gone")
		default:
			if percentage := w.valueIn(query.RolePercentage, cell.Values); percentage.Valid {
				made.Share = w.Change(percentage)
			}
		}
		made.Title = titled(name, made)
		parts = append(parts, made)
	}
	return parts, others
}

// differenceOf is the difference of the first amount since the year before, as it is rounded once: in real terms and per head it is not that
// of two rounded amounts. Where it is null, what is null of the two is nothing.
func (w *view) differenceOf(values []decimal.NullDecimal) decimal.Decimal {
	if difference := w.valueIn(query.RoleDifference, values); difference.Valid {
		return difference.Decimal
	}
	return values[0].Decimal.Sub(w.valueIn(query.RoleEarlier, values).Decimal)
}

// incomparable is the change of cells that cannot be compared: what the change of the whole leaves for them and for those that had
// their codes before.
func (w *view) incomparable(cells []answer.Cell, left decimal.Decimal) chart.Part {
	members, table := 0, w.a
	table.View = ""
	for _, cell := range cells {
		members += int(max(cell.Others, 1))
	}
	made := chart.Part{
		Kind: chart.Incomparable, Members: members, Value: left, Label: w.Say("figure.incomparable-ones", "Count", members), Amount: signed(left, w.exact(left)),
		Href: table.String(),
	}
	made.Title = titled(made.Label+": "+strings.Join(each.Text(cells, w.nameOf), "; "), made)
	return made
}

// mostLinesDrawn is how many lines stand beside that of the whole.
const mostLinesDrawn = 5

// line shows the view over all years, and the largest members of the drilled level beside it.
func (w *view) line() (drawing, error) {
	level, ok := w.cb.Model.YearLevel()
	if !ok {
		return w.refusedUntil(noYears, nil), nil
	}
	isYear := func(field string) bool { return field == level.Ref }
	whole := w.a.Without(isYear)
	total, err := w.inYears(whole, level)
	if err != nil {
		return drawing{}, err
	}
	of := w.withAnswer(total)
	years := of.yearsOf()
	if len(years) > mostYears {
		return refusing(*w.refused(&chart.Refusal{Reason: chart.TooMany, Count: len(years), Limit: mostYears})), nil
	}
	lines, reused := []chart.Series{of.series(w.Say("view.total"), years, whole, level)}, of.reusedOverYears()
	for _, cell := range w.largest() {
		member := w.a.CuttingText(w.answer.Plan.CutOf(cell.Keys)).Without(isYear)
		found, err := w.inYears(member, level)
		if err != nil {
			return drawing{}, err
		}
		of := w.withAnswer(found)
		lines, reused = append(lines, of.series(w.nameOf(cell), years, member, level)), append(reused, of.reusedOverYears()...)
	}
	made := drawing{}
	if gaps := of.gaps(); gaps != "" {
		made.told = []string{gaps}
	}
	if why := w.notCompared(reused); why != "" {
		made.told = append(made.told, why)
	}
	made.draw = func(width int) (chart.Figure, *refusal) {
		f := of.frameOf(width, 0)
		f.Title = w.headingOf(asLine)
		f.Desc = strings.Join(append([]string{f.Desc}, made.told...), ". ")
		drawn, r := chart.Lines(f, years, lines, func(d decimal.Decimal) string { return w.InWords(d, "") })
		return drawn, w.refused(r)
	}
	return made, nil
}

// inYears asks for the sum of a view in each year.
func (w *view) inYears(a site.Address, level cube.Level) (*answer.Answer, error) {
	return w.Ask(w.cb, query.Query{
		Cuts: a.Query.Cuts, Snapshots: a.Query.Snapshots, Aggregates: mainAggregates(w.cb.Model, a.Query.Aggregates)[:1],
		Drilldown: []query.Ref{{Name: level.Ref}}, Page: query.Page{Number: 1, Size: query.MaxPageSize},
	})
}

// largest are the cells with the largest amounts, unless they are times.
func (w *view) largest() []answer.Cell {
	if len(w.drilled()) == 0 || drillsTime(w.cb.Model, w.a.Query) {
		return nil
	}
	cells := slices.DeleteFunc(slices.Clone(w.answer.Cells), func(c answer.Cell) bool { return c.Others > 0 || !c.Values[0].Valid || c.Level != "" })
	slices.SortStableFunc(cells, func(a, b answer.Cell) int { return b.Values[0].Decimal.Cmp(a.Values[0].Decimal) })
	return cells[:min(len(cells), mostLinesDrawn)]
}

// yearsOf lists the years from the first to the last with an amount. A year whose last statement is earlier than that of others
// is incomplete.
func (w *view) yearsOf() []chart.Year {
	var found []int64
	for _, cell := range w.answer.Cells {
		if year, err := strconv.ParseInt(cell.Keys[0].String(), 10, 64); err == nil && cell.Values[0].Valid {
			found = append(found, year)
		}
	}
	if len(found) == 0 {
		return nil
	}
	early := w.early()
	first, last := slices.Min(found), slices.Max(found)
	if last-first >= mostYears {
		return make([]chart.Year, mostYears+1)
	}
	var years []chart.Year
	for year := first; year <= last; year++ {
		text := strconv.FormatInt(year, 10)
		made := chart.Year{Label: text, Incomplete: early[text]}
		if !slices.Contains(found, year) {
			made.Gap = w.Say("figure.no-data")
		}
		years = append(years, made)
	}
	return years
}

// reusedSince gives, by year, the breaks because of which an answer by years does not compare the year with the one with an amount before
// it.
func (w *view) reusedSince() map[string][]cube.LabelBreak {
	years, cells := w.withAmount()
	reused := map[string][]cube.LabelBreak{}
	for i, year := range years {
		if i > 0 {
			reused[strconv.FormatInt(year, 10)] = w.answer.ReusedBetween(years[i-1], year, cells[year].Keys)
		}
	}
	return reused
}

// reusedOverYears lists the breaks because of which an answer by years does not compare some of them.
func (w *view) reusedOverYears() (list []cube.LabelBreak) {
	since := w.reusedSince()
	for _, year := range slices.Sorted(maps.Keys(since)) {
		list = append(list, since[year]...)
	}
	return list
}

// notCompared says because of which breaks, of which some are the same, years are not compared; "" without any.
func (w *view) notCompared(breaks []cube.LabelBreak) string {
	var distinct []cube.LabelBreak
	for _, found := range breaks {
		if !slices.ContainsFunc(distinct, func(b cube.LabelBreak) bool {
			return b.Level == found.Level && b.First == found.First && slices.Equal(b.Path, found.Path)
		}) {
			distinct = append(distinct, found)
		}
	}
	return prose.NotCompared(w.answer.Plan, distinct, w.Language)
}

// series is the line of an answer by years.
func (w *view) series(label string, years []chart.Year, a site.Address, level cube.Level) chart.Series {
	amounts := map[string]decimal.NullDecimal{}
	for _, cell := range w.answer.Cells {
		amounts[cell.Keys[0].String()] = cell.Values[0]
	}
	s := chart.Series{Label: label}
	other := w.reusedSince()
	for _, year := range years {
		amount := amounts[year.Label]
		point := chart.Point{None: !amount.Valid, Other: len(other[year.Label]) > 0}
		if amount.Valid {
			point.Part = chart.Part{Value: amount.Decimal, Label: label, Amount: w.exact(amount.Decimal), Href: a.With(query.CutTo(level.Ref, year.Label)).String()}
			point.Title = label + ", " + year.Label + ": " + point.Amount
			if year.Incomplete != "" {
				point.Title += " (" + year.Incomplete + ")"
			}
		}
		s.Points = append(s.Points, point)
	}
	return s
}
