package explorer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/site"
	"fiscube/api/reply"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/cube/words"
)

// pinning is what a page says of a version other than the served one.
type pinning struct {
	Text   string // which version it is
	Served string // how the served version answers
	Link   string // leads to the served version
}

// pinned says how the served version answers what a page of another one asks; nil on a page of the served one.
func (w *view) pinned() (*pinning, error) {
	if w.cb.Served {
		return nil, nil
	}
	served := w.a
	served.Version = ""
	made := &pinning{Text: w.Say("view.pinned", "Version", strconv.Itoa(w.cb.Version)), Link: served.String()}
	catalog, err := w.Limiter.Catalog(w.Request().Context())
	if err != nil {
		return nil, err
	}
	cb, err := catalog.Cube(w.cb.Name)
	if err != nil {
		return nil, err
	}
	version := strconv.Itoa(cb.Version)
	_, found, err := w.askMore(cb, w.a.Query)
	switch status := reply.Statuses[cube.CodeOf(err)]; {
	case err == nil:
		made.Served = w.Say("view.pinned-served", "Version", version) + " " + w.changedIn(found) + "."
	case status >= 400 && status < 500:
		made.Served = w.Say("view.pinned-served", "Version", version) + " " + w.Say("view.pinned-cannot") + "."
	default:
		return nil, err
	}
	return made, nil
}

// changedIn says by how much the answer of another version differs.
func (w *view) changedIn(found *answer.Answer) string {
	was, is := w.answer.Summary.Values[0], found.Summary.Values[0]
	main := found.Plan.Aggregates()[0]
	rows := rowsChanged(w.answer, found)
	text := ""
	switch {
	case was.Valid && is.Valid && was.Decimal.Equal(is.Decimal) || !was.Valid && !is.Valid:
		if text = w.Say("view.pinned-same"); rows > 0 {
			text = w.Say("view.pinned-total")
		}
	case !is.Valid:
		text = w.Say("view.pinned-none")
	case !was.Valid:
		text = w.Say("view.pinned-has", "Amount", w.InWords(is.Decimal, currencyOf(found.Plan.Cube().Model, main)), "Exact", w.Decimal(is.Decimal, main.Scale))
	default:
		d, message := is.Decimal.Sub(was.Decimal), "view.pinned-more"
		if d.IsNegative() {
			message = "view.pinned-less"
		}
		text = w.Say(message, "Amount", w.InWords(d.Abs(), currencyOf(found.Plan.Cube().Model, main)), "Exact", w.Decimal(d.Abs(), main.Scale))
		if was.Decimal.IsPositive() {
			text += " (" + w.Change(percentOf(d, was.Decimal)) + ")"
		}
	}
	if rows > 0 {
		text += "; " + w.Say("view.pinned-rows", "Count", rows)
	}
	return text
}

// rowsChanged counts the members with another amount in the second answer, and those that only one of the two has. It is 0 where one
// of them does not name all its members.
func rowsChanged(was, is *answer.Answer) int {
	amounts, changed := map[string]answer.Cell{}, 0
	for _, a := range []*answer.Answer{was, is} {
		if len(a.Plan.Steps()) == 0 || int64(len(a.Cells)) != a.Summary.Count || a.Plan.Rollup() || a.Plan.Remainder() && len(a.Cells) > 0 && a.Cells[len(a.Cells)-1].Others > 0 {
			return 0
		}
	}
	for _, cell := range was.Cells {
		amounts[plan.KeysID(cell.Keys)] = cell
	}
	for _, cell := range is.Cells {
		before, ok := amounts[plan.KeysID(cell.Keys)]
		delete(amounts, plan.KeysID(cell.Keys))
		x, y := before.Values, cell.Values[0]
		if !ok || x[0].Valid != y.Valid || !x[0].Decimal.Equal(y.Decimal) {
			changed++
		}
	}
	return changed + len(amounts)
}

// What pages tell in sentences beside the numbers that were asked for.

// sentences are what the page of a view and that of a number say beside the sum.
type sentences struct {
	Warnings  []string
	Financing *financing
	Execution *execution
}

func (w *view) sentences(years []bar) (s sentences, err error) {
	if s.Warnings, err = w.notes(years); err != nil {
		return s, err
	}
	if s.Financing, err = w.financing(); err != nil {
		return s, err
	}
	if s.Financing != nil {
		s.Warnings = w.withoutTold(s.Warnings)
	}
	if s.Execution, err = w.executed(s.Financing); s.Execution != nil {
		isSaid := func(note string) bool { return slices.Contains(s.Warnings, note) }
		s.Execution.Notes = slices.DeleteFunc(s.Execution.Notes, isSaid)
	}
	return s, err
}

// notes are the sentences of the warnings, what adding up without them would have come to, and what makes the sum and those of its years
// doubtful.
func (w *view) notes(years []bar) ([]string, error) {
	left, err := w.leftBehind()
	if err != nil {
		return nil, err
	}
	naive, err := w.addedUp(len(left) > 0)
	if err != nil {
		return nil, err
	}
	before, err := w.leftBehindBefore()
	if err != nil {
		return nil, err
	}
	if !slices.Equal(before, left) { // both are of the whole budget
		left = append(left, before...)
	}
	ofOne, err := w.ofOne()
	if err != nil {
		return nil, err
	}
	jumps, err := w.jumps(years)
	return slices.Concat(w.warnings(), w.notComparedIn(years), naive, left, w.until(), w.onlyParts(), w.rates(), w.excerpt(), ofOne, jumps, w.changesUnknown()), err
}

// notComparedIn says why years of a table are not compared with those before them, unless a warning says the same.
func (w *view) notComparedIn(years []bar) []string {
	var breaks []cube.LabelBreak
	for _, year := range years {
		breaks = append(breaks, year.reused...)
	}
	why := w.notCompared(breaks)
	if why == "" || slices.Contains(w.warnings(), why) {
		return nil
	}
	return []string{why}
}

// addedUp says what all statements of the same money would come to, where the view counts one of each period: how many times as much, too,
// unless some have lines that the last does not repeat.
func (w *view) addedUp(leaveLines bool) ([]string, error) {
	main, counted := w.answer.Plan.Aggregates()[0], w.answer.Summary.Values[0]
	if !w.answer.Plan.HasSeveralSnapshots() || w.answer.Plan.CountsAll() || main.Func != cube.Sum || w.measureOf().Flow || !counted.Valid {
		return nil, nil
	}
	all, err := w.Ask(w.cb, query.Query{
		Cuts: w.a.Query.Cuts, Aggregates: mainAggregates(w.cb.Model, w.a.Query.Aggregates)[:1], Snapshots: query.AllSnapshots, Page: query.FirstPage,
	})
	if err != nil {
		return nil, err
	}
	sum := all.Summary.Values[0]
	if !sum.Valid || !counted.Decimal.IsPositive() || !sum.Decimal.GreaterThan(counted.Decimal) {
		return nil, nil
	}
	inWords, exact := w.InWords(sum.Decimal, currencyOf(w.cb.Model, main)), w.Decimal(sum.Decimal, main.Scale)
	if leaveLines {
		return []string{w.Fill(prose.Doubts(w.Language).AddedUp, inWords, exact)}, nil
	}
	return []string{w.Say("view.added-up", "Amount", inWords, "Exact", exact, "More", w.asMuchAs(sum, counted))}, nil
}

// asMuchAs says how much more a greater amount is: how many times as much or, below twice, by what percentage.
func (w *view) asMuchAs(greater, amount decimal.NullDecimal) string {
	times := answer.Quotient(greater, amount, 1).Decimal
	switch {
	case times.LessThan(decimal.New(2, 0)):
		return w.Say("view.more-by", "Percent", w.Share(answer.Quotient(decimal.NewNullDecimal(greater.Decimal.Sub(amount.Decimal)), amount, 8).Decimal))
	case times.IsInteger():
		times = times.Truncate(0)
	}
	return w.Say("view.times", "Times", w.Decimal(times, 0))
}

// financing is what a sum is without the financing that it includes.
type financing struct {
	Text, Link string // a sentence, and what leads to that number
	Same       string // leads to the same view without it
	exact      string // the financing
	without    *view  // the view without it
}

// financing says how much of a sum is financing, and what it is without; nil if there is none in it.
func (w *view) financing() (*financing, error) {
	included, main, whole := w.answer.Plan.Financing(), w.answer.Plan.Aggregates()[0], w.answer.Summary.Values[0]
	if len(w.told(cube.WarnFinancing)) == 0 || main.Func != cube.Sum || !whole.Valid {
		return nil, nil
	}
	a := leavingOut(w.a, included)
	q := query.Query{Cuts: a.Query.Cuts, Aggregates: mainAggregates(w.cb.Model, a.Query.Aggregates)[:1], Snapshots: a.Query.Snapshots, Page: query.FirstPage}
	if _, ok := w.yearCut(); ok {
		q.Compare = &query.Compare{Ref: query.Ref{Name: yearOf(w.cb.Model).Name}, Offset: usualOffset(w.cb, q)}
	}
	found, err := w.Ask(w.cb, q)
	if err != nil {
		return nil, err
	}
	sum := found.Summary.Values[0]
	if of := whole.Decimal.Sub(sum.Decimal); sum.Valid && !of.IsZero() {
		without := &view{visit: w.visit, cb: w.cb, a: a, answer: found}
		names, err := without.namesOf(included)
		if err != nil {
			return nil, err
		}
		inWords, exact := without.sum()
		if change := without.valueIn(query.RolePercentage, found.Summary.Values); change.Valid {
			year, _ := w.yearCut()
			exact += " (" + w.Change(change) + " " + w.Say("number.from", "Year", strconv.FormatInt(year+q.Compare.Offset, 10)) + ")"
		}
		made := &financing{exact: w.Decimal(of, main.Scale), Link: without.numberOf(a), Same: a.String(), without: without}
		made.Text = w.Fill(prose.Doubts(w.Language).Financing, w.InWords(of, currencyOf(w.cb.Model, main)), made.exact, names, inWords, exact)
		return made, nil
	}
	return nil, nil
}

// leavingOut leads to the same without financing.
func leavingOut(a site.Address, list []cube.Financing) site.Address {
	for _, f := range list {
		a = a.With(plan.WithoutFinancing(f))
	}
	return a
}

// withoutTold leaves out of some sentences what the warning of financing says, where a page says more of it.
func (w *view) withoutTold(sentences []string) []string {
	return slices.DeleteFunc(sentences, func(text string) bool { return slices.Contains(w.told(cube.WarnFinancing), text) })
}

// namesOf names the members that are financing, which the filters of the view leave out.
func (w *view) namesOf(included []cube.Financing) (string, error) {
	var names []string
	for _, f := range w.answer.Plan.FiltersAsked() {
		level, known := f.Level(w.cb.Model)
		if !slices.ContainsFunc(included, func(of cube.Financing) bool { return of.Level == level.Ref && f.String() == plan.FilterOf(w.cb, of) }) {
			continue // the reader's own
		}
		text, err := w.members(f, level, known)
		if err != nil {
			return "", err
		}
		names = append(names, w.LevelTitle(level)+" "+text)
	}
	return strings.Join(names, ", "), nil
}

// execution is how much of what was approved for a year was spent or, of revenue, received.
type execution struct {
	Text, Link string   // a sentence, and what leads to the number
	Notes      []string // what it means that it is more than was approved, and that it is of a part of the year
	Made       string   // how the measure of what was spent is put together from others
	WhereFrom  string   // the text of the link
}

// execution says how much of what was approved for a year was spent or, of revenue, received, under the cuts of an address and without
// financing; nil if that is not known.
func (v *visit) execution(cb *cube.Cube, a site.Address, year int64, f *financing) (*execution, error) {
	if f != nil {
		a = f.without.a
	}
	executed, approved, ok := executedOf(cb, year)
	if !ok {
		return nil, nil
	}
	found, err := v.Ask(cb, query.Query{Cuts: a.Query.Cuts, Aggregates: []query.AggregateRef{sumOf(executed), sumOf(approved)}, Page: query.FirstPage})
	if err != nil {
		return nil, err
	}
	spent, of := found.Summary.Values[0], found.Summary.Values[1]
	if !spent.Decimal.IsPositive() || !of.Decimal.IsPositive() { // null is 0 here: nothing is known yet
		return nil, nil
	}
	message := "view.spent"
	if executed.Direction == "revenue" {
		message = "view.received"
	}
	main := found.Plan.Aggregates()[0]
	exact := v.Decimal(spent.Decimal, main.Scale)
	if periods := found.Plan.Periods(); len(periods) == 1 {
		exact += " (" + v.upTo(cb, periods[0].Last()) + ")"
	}
	if parts := partsOf(found.Plan, []int64{year}); len(parts) > 0 {
		exact += " (" + v.Fill(prose.Doubts(v.Language).PartShort, v.Periods(parts[0]), v.Years(parts[0].Years)) + ")"
	}
	number := v.Explore(cb)
	number.Query = query.Query{Cuts: a.Query.Cuts, Aggregates: []query.AggregateRef{sumOf(executed)}, Page: query.FirstPage}
	rate := answer.Quotient(spent, of, 8)
	told := &execution{
		Text: v.Say(message, "Year", words.Digits(year), "Percent", v.Share(rate.Decimal), "Amount", v.InWords(spent.Decimal, currencyOf(cb.Model, main)), "Exact", exact),
		Link: number.At(number.Path + "/number").String(), Made: v.madeOf(cb, executed), WhereFrom: v.whereFrom(executed),
	}
	if f != nil {
		first, size := utf8.DecodeRuneInString(told.Text)
		told.Text = v.Fill(prose.Doubts(v.Language).WithoutFinancing, string(unicode.ToLower(first))+told.Text[size:])
	}
	if spent.Decimal.GreaterThan(of.Decimal) {
		told.Notes = append(told.Notes, v.above(cb, approved, []int64{year}, true))
	}
	told.Notes = append(told.Notes, v.tooLow(found.Plan, approved, rate.Decimal)...)
	if parts := partsOf(found.Plan, []int64{year}); len(parts) > 0 && isOfThem(parts[0]) {
		told.Notes = append(told.Notes, v.rateOfPart(executed, approved, parts[0]))
	}
	return told, nil
}

// whereFrom is the text of a link to a number of a measure, beside those of other measures.
func (v *visit) whereFrom(m cube.Measure) string {
	return v.Say("number.where-from-of", "Measure", cmp.Or(m.Titles.In(v.Language), m.Title, m.Ref))
}

// executed is the execution of a view that adds up what was approved for a year.
func (w *view) executed(f *financing) (*execution, error) {
	year, ok := w.yearCut()
	_, approved, known := executedOf(w.cb, year)
	main := mainAggregates(w.cb.Model, w.a.Query.Aggregates)[0]
	if !ok || !known || main.Measure != approved.Ref || main.Func != string(cube.Sum) || hasTerms(main) || w.a.Query.Snapshots != "" {
		return nil, nil
	}
	return w.execution(w.cb, w.a, year, f)
}

// upTo says up to when a statement goes, such as a month of its year, or which it is if its name does not say so.
func (v *visit) upTo(cb *cube.Cube, statement cube.Snapshot) string {
	if prose.IsNamed(statement) {
		return v.Say("view.as-in-report", "Report", statement.Value.String())
	}
	by, _ := cb.Model.Level(cb.Model.Snapshots().By) // a cube with statements has one
	return v.Say("view.up-to-then", "Report", v.LevelTitle(by)+" "+statement.Value.String())
}

func sumOf(m cube.Measure) query.AggregateRef {
	return query.AggregateRef{Measure: m.Ref, Func: string(cube.Sum)}
}

// executedOf gives the measure of what was executed and that of what was approved: those of a derived measure that divides them or, of
// a package without one, the only executed measure with amounts in the year beside the leading one.
func executedOf(cb *cube.Cube, year int64) (executed, approved cube.Measure, ok bool) {
	m := cb.Model
	comparable := func(x, y cube.Measure) bool {
		x.Phase = y.Phase
		return alike(x, y)
	}
	for _, d := range m.Derived() {
		refs, err := query.ParseAggregates(d.Formula)
		if err != nil || refs[0].Func != string(cube.Ratio) || len(refs[0].Args) != 2 {
			continue
		}
		x, hasX := m.Measure(refs[0].Args[0].Measure)
		y, hasY := m.Measure(refs[0].Args[1].Measure)
		if hasX && hasY && x.Phase == "executed" && y.Phase == "approved" && comparable(x, y) {
			return x, y, true
		}
	}
	leading, _ := m.Leading()
	list := slices.DeleteFunc(slices.Clone(m.Measures()), func(x cube.Measure) bool {
		return x.Phase != "executed" || !comparable(x, leading) || cb.Coverage != nil && len(cb.Coverage.Gap(x.Ref, []int64{year})) > 0
	})
	list = slices.DeleteFunc(list, func(x cube.Measure) bool { // a part of another one
		return slices.ContainsFunc(m.Measures(), func(y cube.Measure) bool { return slices.Contains(m.FirstOf(y.Ref), x.Ref) && y.Phase == "executed" })
	})
	if leading.Phase != "approved" || len(list) != 1 {
		return cube.Measure{}, cube.Measure{}, false
	}
	return list[0], leading, true
}
