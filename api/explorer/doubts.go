package explorer

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/site"
	"fiscube/api/limits"
	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/findings"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// What pages say of numbers that should not be cited as they stand.

// ofSums are the warnings that matter to whoever reads the sum of a budget.
var ofSums = []string{cube.WarnSnapshotsUndeclared, cube.WarnLooksLikeTotal, cube.WarnYearsOverlap, cube.WarnFinancing, cube.WarnQualifierUndeclared, cube.WarnNote}

// told are the sentences of the warnings with one of some codes.
func (w *view) told(codes ...string) (list []string) {
	for _, warning := range w.answer.Warnings {
		if slices.Contains(codes, warning.Code) {
			list = append(list, warning.Told)
		}
	}
	return list
}

// excerpt says that a budget has so few rows that it may be an excerpt. One that is made up says what it is.
func (w *view) excerpt() []string {
	words := prose.Doubts(w.Language)
	rows, several := w.cb.RowsOfYear()
	whole, hasLarger := w.Larger(w.cb)
	switch {
	case hasLarger:
		of, _ := whole.RowsOfYear()
		return []string{w.Fill(words.ExcerptOf, max(1, rows), whole.Name, w.Whole(of))}
	case !w.cb.MayBeExcerpt():
		return nil
	case several:
		return []string{w.Fill(words.ExcerptOfYears, max(1, rows))}
	}
	return []string{w.Fill(words.Excerpt, w.cb.Rows)}
}

// ofOne says which members all rows of a budget that may be an excerpt are of.
func (w *view) ofOne() ([]string, error) {
	names, err := w.onlyMembers()
	if err != nil || len(names) == 0 {
		return nil, err
	}
	return []string{w.Fill(prose.Doubts(w.Language).OfOne, strings.Join(names, "; "))}, nil
}

// onlyMembers names, of a budget that may be an excerpt, the members that all rows are of, so that its sums are theirs: in each dimension the
// deepest one with a name. In a dimension of which the cuts admit one member, it is the deepest below that, of the rows that they admit.
func (w *view) onlyMembers() (names []string, err error) {
	if !w.cb.MayBeExcerpt() {
		return nil, nil
	}
	var whole, below [][]cube.Level
	for _, first := range w.cb.Model.FirstLevels(mostOffered) {
		dimension, _ := w.cb.Model.Dimension(first.Dimension)
		chain := slices.DeleteFunc(slices.Clone(dimension.Chains()[0]), func(l cube.Level) bool { return !l.Listed })
		cut := -1
		for i, level := range chain {
			if w.fixed[level.Ref] {
				cut = i
			}
		}
		if cut < 0 {
			whole = append(whole, chain)
		} else if cut+1 < len(chain) {
			below = append(below, chain[cut+1:])
		}
	}
	if names, err = w.onlyMembersOf(whole, nil); err != nil {
		return nil, err
	}
	under, err := w.onlyMembersOf(below, w.a.Query.Cuts)
	return append(slices.DeleteFunc(under, w.isNamed), names...), err
}

// isNamed tells whether a filter of the view has the name of a member, as of a body whose only office is called like it.
func (w *view) isNamed(name string) bool {
	return slices.ContainsFunc(w.chips, func(c chip) bool { return strings.HasSuffix(strings.ToLower(name), " "+strings.ToLower(c.Members)) })
}

// onlyMembersOf names the deepest member of each chain of levels that all rows are of that cuts admit. Of more members than a page has it
// names none.
func (w *view) onlyMembersOf(chains [][]cube.Level, cuts []query.Cut) (names []string, err error) {
	if len(chains) == 0 {
		return nil, nil
	}
	q := query.Query{Cuts: cuts, Aggregates: mainAggregates(w.cb.Model, nil)[:1], Page: query.Page{Number: 1, Size: query.MaxPageSize}}
	for _, level := range slices.Concat(chains...) {
		q.Drilldown = append(q.Drilldown, query.Ref{Name: level.Ref})
	}
	found, err := w.Ask(w.cb, q)
	if err != nil || len(found.Cells) == 0 || found.Summary.Count > int64(len(found.Cells)) {
		return nil, err
	}
	for _, chain := range chains {
		if name := w.withAnswer(found).onlyMember(chain); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// onlyMember names the deepest member of a chain of levels that all cells are of; "" if none has a name.
func (w *view) onlyMember(chain []cube.Level) (name string) {
	for _, level := range chain {
		only := w.memberOf(w.answer.Cells[0], level)
		isOther := func(cell answer.Cell) bool {
			m := w.memberOf(cell, level)
			return m.Label != only.Label || m.Code != only.Code
		}
		if only.Missing || slices.ContainsFunc(w.answer.Cells, isOther) {
			break
		}
		if only.Code != "" {
			name = w.LevelTitle(level) + " " + only.Label
		}
	}
	return name
}

// jumpOf tells whether an amount is more than ten times that of the year before (1) or less than a tenth of it (-1), or neither (0).
func jumpOf(before, amount decimal.Decimal) int {
	switch {
	case !before.IsPositive() || !amount.IsPositive():
		return 0
	case amount.GreaterThan(before.Shift(1)):
		return 1
	case amount.Shift(1).LessThan(before):
		return -1
	}
	return 0
}

// jumps names the years with an amount of another order than the year before: those of a table of years or, of a view that is compared with
// another year, those that make its change doubtful.
func (w *view) jumps(table []bar) ([]string, error) {
	list, first, last := table, int64(math.MinInt64), int64(math.MaxInt64-1)
	if year, ok := w.yearCut(); ok && len(table) == 0 && w.answer.Plan.Comparison() != nil {
		var err error
		if list, err = w.byYear(); err != nil {
			return nil, err
		}
		first, last = min(year, year+w.offset()), max(year, year+w.offset())
	}
	up, down := jumpsOf(list, func(year int64) bool { return first < year && year <= last+1 }, func(year int64) bool { return first <= year && year <= last })
	words := prose.Doubts(w.Language)
	var told []string
	if all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(up, down)))); w.isPartOfAWhole() && len(all) > 0 {
		return []string{w.Fill(words.JumpMoved, w.Years(all))}, nil
	}
	if len(up) > 0 {
		told = append(told, w.Fill(words.JumpUp, w.Years(up)))
	}
	if len(down) > 0 {
		told = append(told, w.Fill(words.JumpDown, w.Years(down)))
	}
	return told, nil
}

// isPartOfAWhole tells whether the view is of some members of a budget that does not look like an excerpt. Of these amounts jump without any
// row missing.
func (w *view) isPartOfAWhole() bool {
	_, hasLarger := w.Larger(w.cb)
	return !w.cb.MayBeExcerpt() && !hasLarger && slices.ContainsFunc(w.chips, func(c chip) bool { return !c.IsTime })
}

// jumpsOf lists the years of a table with more than ten times the amount of the year before, of which rows are missing then, and those with
// less than a tenth of it, as far as they matter.
func jumpsOf(table []bar, matterUp, matterDown func(year int64) bool) (up, down []int64) {
	for _, of := range table {
		year, err := strconv.ParseInt(of.key, 10, 64)
		switch {
		case err != nil: // the rows without a year
		case of.jump > 0 && matterUp(year):
			up = append(up, year)
		case of.jump < 0 && matterDown(year):
			down = append(down, year)
		}
	}
	return up, down
}

// jumpsCited says in few words which of the years of the view have an amount of another order than the year before, and whether that after
// them has, as far as rows are probably missing.
func (w *view) jumpsCited(table []bar) (list []string) {
	if w.isPartOfAWhole() {
		return nil
	}
	years := w.answer.Plan.Years()
	isOf := func(year int64) bool { return slices.Contains(years, year) }
	up, down := jumpsOf(table, func(year int64) bool { return isOf(year) || isOf(year-1) }, isOf)
	words := prose.Doubts(w.Language)
	if len(up) > 0 {
		list = append(list, w.Fill(words.JumpUpCited, w.Years(up)))
	}
	if len(down) > 0 {
		list = append(list, w.Fill(words.JumpDownCited, w.Years(down)))
	}
	return list
}

// zeros gives which of the years are published as 0 throughout in a measure of an aggregate.
func (w *view) zeros(index int, years []int64) (list []int64) {
	if w.cb.Coverage == nil {
		return nil
	}
	for _, measure := range w.answer.Plan.Aggregates()[index].Measures() {
		list = append(list, w.cb.Coverage.Zero(measure, years)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// yearsOfCell lists the fiscal years that a cell adds up.
func (w *view) yearsOfCell(cell answer.Cell) []int64 {
	if at := w.answer.Plan.YearKey(); at >= 0 && at < len(cell.Keys) {
		if year, ok := cell.Keys[at].Int(); ok {
			return []int64{year}
		}
	}
	return w.answer.Plan.Years()
}

// isUnknown tells whether a rate or a change in some years would take zeros for amounts that are probably not known.
func (w *view) isUnknown(index int, years []int64) bool {
	switch a := w.answer.Plan.Aggregates()[index]; {
	case a.Role == query.RolePercentage || a.Role == query.RoleDifference:
		both := slices.Clone(years)
		for _, year := range years {
			both = append(both, year+w.offset())
		}
		return len(w.zeros(index, both)) > 0
	case w.isRate(index):
		return len(w.zeros(index, years)) > 0
	}
	return false
}

// isRate tells whether an aggregate divides one measure by another.
func (w *view) isRate(index int) bool {
	a := w.answer.Plan.Aggregates()[index]
	return a.Role == "" && a.Func == cube.Ratio && len(a.Args) == 2
}

// unknownChange says because of which years the change of a year is not told.
func (w *view) unknownChange(year int64) string {
	return w.Fill(prose.Doubts(w.Language).UnknownChange, w.Years(w.zeros(0, []int64{year + w.offset(), year})))
}

// changesUnknown says why a view that is compared with another year has no change.
func (w *view) changesUnknown() []string {
	year, ok := w.yearCut()
	isChange := func(a plan.Aggregate) bool { return a.Role == query.RolePercentage }
	at := slices.IndexFunc(w.answer.Plan.Aggregates(), isChange)
	if !ok || at < 0 || w.kind() == asChange || !w.isUnknown(at, []int64{year}) || len(w.zeros(0, []int64{year})) > 0 {
		return nil // or a warning says so of the year itself
	}
	return []string{w.unknownChange(year)}
}

// rates says what it means where more was executed than was approved at first, or what was executed is of a part of the year alone, if
// such a rate is shown: as the number itself, or in a column of the table.
func (w *view) rates() (list []string) {
	shown := []int{0}
	hasTable := len(w.answer.Plan.Steps()) > 0 && w.instead() == nil && w.kind() == asTable
	if hasTable {
		shown = w.columns()
	}
	years := w.answer.Plan.Years()
	for _, i := range shown {
		if !w.isRate(i) {
			continue
		}
		a, rate := w.answer.Plan.Aggregates()[i], w.answer.Summary.Values[i]
		executed, _ := w.cb.Model.Measure(a.Args[0].Measure)
		approved, _ := w.cb.Model.Measure(a.Args[1].Measure)
		isAbove := func(rate decimal.NullDecimal, years []int64) bool {
			return rate.Valid && rate.Decimal.GreaterThan(decimal.New(1, 0)) && !w.isUnknown(i, years)
		}
		isAboveIn := func(c answer.Cell) bool { return isAbove(c.Values[i], w.yearsOfCell(c)) }
		ofApproved := executed.Phase == "executed" && approved.Phase == "approved"
		if ofTotal := isAbove(rate, years); ofApproved && (ofTotal || hasTable && slices.ContainsFunc(w.answer.Cells, isAboveIn)) {
			list = append(list, w.above(w.cb, approved, years, ofTotal))
		}
		if rate.Valid && ofApproved && !w.isUnknown(i, years) {
			list = append(list, w.tooLow(w.answer.Plan, approved, rate.Decimal)...)
		}
		if parts := partsOf(w.answer.Plan, years); len(parts) > 0 && isOfThem(parts[0]) && executed.Phase == "executed" && approved.Phase != "" && approved.Phase != executed.Phase {
			list = append(list, w.rateOfPart(executed, approved, parts[0]))
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// above says what it means that the rate of a total is above 100 %, or that those of rows are, and which measure has the amounts as they were
// changed during some years.
func (v *visit) above(cb *cube.Cube, approved cube.Measure, years []int64, ofTotal bool) string {
	words := prose.Doubts(v.Language)
	text := map[bool]string{true: words.OverSpent, false: words.RowsOverSpent}[ofTotal]
	if approved.Direction == "revenue" {
		text = map[bool]string{true: words.OverReceived, false: words.RowsOverReceived}[ofTotal]
	}
	for _, m := range cb.Model.Measures() {
		changed := m
		changed.Phase = approved.Phase
		if m.Phase == "adjusted" && alike(changed, approved) && (cb.Coverage == nil || len(cb.Coverage.Gap(m.Ref, years)) == 0) {
			return text + " " + v.Fill(words.Changed, prose.MeasureTitle(m, v.Language))
		}
	}
	return text
}

// lowRate is below what is usually executed of what was approved, where all of that is published.
var lowRate = decimal.New(1, -1)

// tooLow says what so low a rate of what was approved usually means, unless the page says that it is of a part of the year.
func (v *visit) tooLow(p *plan.Plan, approved cube.Measure, rate decimal.Decimal) []string {
	words := prose.Doubts(v.Language)
	text := words.LowSpent
	if approved.Direction == "revenue" {
		text = words.LowReceived
	}
	if !rate.IsPositive() || !rate.LessThan(lowRate) || len(p.Periods()) > 0 || len(partsOf(p, p.Years())) > 0 {
		return nil
	}
	return []string{text}
}

// until says up to when the amounts go where there is one report of each period, and so nothing to choose and to warn of.
func (w *view) until() []string {
	p, by := w.answer.Plan, w.cb.Model.Snapshots()
	if by == nil || len(p.Periods()) == 0 || p.HasSeveralSnapshots() || p.CountsAll() || slices.ContainsFunc(p.FiltersAsked(), func(f plan.Filter) bool { return f.Names(by.By) }) {
		return nil
	}
	last := p.Periods()[0].Last()
	if slices.ContainsFunc(p.Periods(), func(period cube.Period) bool { return period.Last().Value != last.Value }) {
		return nil // a warning names what is earlier
	}
	words := prose.Doubts(w.Language)
	if prose.IsNamed(last) {
		return []string{w.Fill(words.OfReport, last.Value.String())}
	}
	return []string{w.Fill(words.Until, w.upTo(w.cb, last))}
}

// isOfThem tells whether amounts are certainly of the periods of a part alone: those of a later one may be a report of all before it.
func isOfThem(p site.PartOfYear) bool { return len(p.Numbers) > 1 || p.Numbers[0] == 1 }

// partsOfYears are those of the years that a view adds up or compares.
func (w *view) partsOfYears() []site.PartOfYear {
	p := w.answer.Plan
	years := slices.Clone(p.Years())
	if p.Comparison() != nil {
		for _, year := range p.Years() {
			years = append(years, year+w.offset())
		}
	}
	slices.Sort(years)
	return partsOf(p, slices.Compact(years))
}

// partsOf lists the years of which a budget has a part alone, unless the cuts of a plan choose the periods.
func partsOf(p *plan.Plan, years []int64) []site.PartOfYear {
	return slices.DeleteFunc(site.PartsOf(p.Cube(), years), func(part site.PartOfYear) bool {
		return slices.ContainsFunc(p.FiltersAsked(), func(f plan.Filter) bool { return f.Names(part.Level.Ref) })
	})
}

// onlyParts says of which periods alone the amounts of years are.
func (w *view) onlyParts() []string {
	words := prose.Doubts(w.Language)
	return each.Text(w.partsOfYears(), func(part site.PartOfYear) string {
		text := words.OnlyPart
		if len(part.Numbers) > 1 {
			text = words.OnlyParts
		}
		return w.Fill(text, w.Periods(part), w.Years(part.Years))
	})
}

// rateOfPart says that a rate divides what was executed in a part of a year by what was planned, usually for all of it.
func (v *visit) rateOfPart(executed, planned cube.Measure, part site.PartOfYear) string {
	return v.Fill(prose.Doubts(v.Language).RateOfPart, prose.MeasureTitle(executed, v.Language), v.Periods(part), v.Years(part.Years),
		prose.MeasureTitle(planned, v.Language))
}

// mostLinesNamed is how many lines that are not in the last report are named, and mostLinesLeft of how many in all the store is asked.
const (
	mostLinesNamed = 3
	mostLinesLeft  = 200
)

// leftBehindBefore says which lines linesLeft lists of the year that the view is compared with.
func (w *view) leftBehindBefore() ([]string, error) {
	year, ok := w.comparedYear()
	if !ok || w.answer.Plan.Comparison() == nil {
		return nil, nil
	}
	a := w.a.With(query.CutTo(yearOf(w.cb.Model).Name, strconv.FormatInt(year, 10)))
	found, err := w.Ask(w.cb, query.Query{
		Cuts: a.Query.Cuts, Aggregates: mainAggregates(w.cb.Model, a.Query.Aggregates)[:1], Snapshots: a.Query.Snapshots, Page: query.FirstPage,
	})
	switch {
	case reply.Statuses[cube.CodeOf(err)] == http.StatusBadRequest: // such as a month that the year does not have
		return nil, nil
	case err != nil:
		return nil, err
	}
	before := w.withAnswer(found)
	left, ofAll, err := before.linesLeft()
	if err != nil || len(left.Lines) == 0 {
		return ofAll, err
	}
	return []string{before.tellLeft(prose.Doubts(w.Language).LeftBehindBefore, left)}, nil
}

// linesLeft lists the lines of the view that are in earlier reports of a period and not in the last, which alone is counted. The store is
// asked only where a load found some in the whole budget. If there are too many to list, ofAll says so of the whole budget.
func (w *view) linesLeft() (left answer.Left, ofAll []string, err error) {
	ofAll, err = w.notInLast()
	lines := w.answer.Plan.NotInLast()
	if err != nil || len(ofAll) == 0 || lines == nil {
		return left, ofAll, err
	}
	left, err = limits.Whole(w.Request().Context(), w.Limiter, limits.TimingOf(w.Context), w.cb.Rows, func(ctx context.Context) (answer.Left, error) {
		return answer.NotInLast(ctx, w.Limiter, lines, w.measureOf(), mostLinesLeft)
	})
	if left.TooMany {
		return left, ofAll, err
	}
	return left, nil, err
}

// leftBehind says which lines linesLeft lists.
func (w *view) leftBehind() ([]string, error) {
	left, ofAll, err := w.linesLeft()
	if err != nil || len(left.Lines) == 0 {
		return ofAll, err
	}
	return []string{w.tellLeft(prose.Doubts(w.Language).LeftBehind, left)}, nil
}

// tellLeft names the lines with the greatest amounts in a sentence that says how many there are, and what they state in all.
func (w *view) tellLeft(sentence string, left answer.Left) string {
	main, sum := w.answer.Plan.Aggregates()[0], sumOfLines(left)
	texts := each.Text(left.Lines[:min(len(left.Lines), mostLinesNamed)], func(line answer.LeftBehind) string {
		text := w.lineLeft(line)
		if len(left.Lines) > 1 {
			text += ": " + w.Decimal(line.Amount, main.Scale)
		}
		return text
	})
	if more := len(left.Lines) - len(texts); more > 0 {
		texts = append(texts, w.Say("report.more-found", "Count", more))
	}
	return w.Fill(sentence, len(left.Lines), w.InWords(sum, currencyOf(w.cb.Model, main)), w.Decimal(sum, main.Scale), strings.Join(texts, "; "))
}

func sumOfLines(left answer.Left) decimal.Decimal {
	sum := decimal.Zero
	for _, line := range left.Lines {
		sum = sum.Add(line.Amount)
	}
	return sum
}

// doubtsCited are what makes the number of the view doubtful, in the few words that a citation has room for: years that are
// not known, that all is of one member, years that have a jump in a table of years, lines that are not counted and, of a sum that no member is chosen of, the notes of
// the budget.
func (w *view) doubtsCited(byYear []bar) (list []string, err error) {
	words := prose.Doubts(w.Language)
	ofOne, err := w.onlyMembers()
	if err != nil {
		return nil, err
	}
	if zeros := w.zeros(0, w.answer.Plan.Years()); len(zeros) > 0 {
		list = append(list, w.Fill(words.ZeroCited, w.Years(zeros)))
	}
	if len(ofOne) > 0 {
		list = append(list, w.Fill(words.OfOneCited, strings.Join(ofOne, ", ")))
	}
	list = append(list, w.jumpsCited(byYear)...)
	left, ofAll, err := w.linesLeft()
	switch {
	case err != nil:
		return nil, err
	case len(left.Lines) > 0:
		list = append(list, w.Fill(words.LeftCited, len(left.Lines), w.Decimal(sumOfLines(left), w.answer.Plan.Aggregates()[0].Scale)))
	case len(ofAll) > 0:
		list = append(list, words.PerhapsLeftCited)
	}
	if !slices.ContainsFunc(w.chips, func(c chip) bool { return !c.IsTime }) {
		for _, note := range w.told(cube.WarnNote) {
			list = append(list, strings.TrimSuffix(note, "."))
		}
	}
	return list, nil
}

// lineLeft names a line by its member, its period and the reports that have it.
func (w *view) lineLeft(line answer.LeftBehind) string {
	name := line.Member.String()
	if !line.Label.IsMissing() && line.Label != line.Member {
		name = line.Label.String() + " (" + name + ")"
	}
	history := w.cb.Model.History()
	var period []string
	for i, key := range line.Period {
		if year, ok := key.Int(); ok && history.Columns[i].FiscalYear {
			period = append(period, w.Years([]int64{year}))
			continue
		}
		of, _ := w.cb.Model.LevelOfKey(history.Columns[i].Name)
		period = append(period, w.LevelTitle(of)+" "+key.String())
	}
	by, _ := w.cb.Model.Level(history.By().Name)
	reports := w.LevelTitle(by) + " " + line.First.String()
	if line.Last != line.First {
		reports += "–" + line.Last.String()
	}
	return w.Fill(prose.Doubts(w.Language).LineLeft, name, strings.Join(period, ", "), reports)
}

// tellFinding tells a finding of the load in a sentence.
func (w *view) tellFinding(f findings.Finding) string {
	return prose.TellFinding(w.Locale, f, func(field string) string { return cmp.Or(prose.FieldTitle(w.cb.Model, field, w.Language), field) })
}

// notInLast says that money is in an earlier report of a period and not in the last, which alone is counted, where a load found so of
// the measure of the view in the whole budget.
func (w *view) notInLast() ([]string, error) {
	main := w.answer.Plan.Aggregates()[0]
	if !w.answer.Plan.HasSeveralSnapshots() || w.answer.Plan.CountsAll() || main.Func != cube.Sum || w.measureOf().Flow {
		return nil, nil
	}
	loaded, err := findings.Of(w.cb)
	if err != nil {
		return nil, err
	}
	found := slices.IndexFunc(loaded.Findings, func(f findings.Finding) bool { return f.Code == "snapshot-incomplete" && f.Count > 0 })
	if found < 0 {
		return nil, nil
	}
	f := loaded.Findings[found]
	sums, _ := f.Params["sums"].([]findings.Params)
	if len(sums) == 0 { // it names no measure
		return []string{w.tellFinding(f)}, nil
	}
	of := slices.IndexFunc(sums, func(p findings.Params) bool { return p["measure"] == main.Measure })
	if of < 0 {
		return nil, nil
	}
	text, _ := sums[of]["sum"].(string)
	sum, err := decimal.NewFromString(text)
	if err != nil { // too large to be added up
		return []string{w.tellFinding(f)}, nil
	}
	factor, err := w.measureOf().Multiplier()
	if err != nil || sum.IsZero() {
		return nil, err
	}
	sum = sum.Mul(factor)
	return []string{w.Fill(prose.Doubts(w.Language).Incomplete, f.Count, w.InWords(sum, currencyOf(w.cb.Model, main)), w.Decimal(sum, main.Scale))}, nil
}
