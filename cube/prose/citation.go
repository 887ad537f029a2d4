package prose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/query"
	"fiscube/cube/words"
	"fiscube/internal/each"
)

// Citation writes a sentence that says what the numbers of an answer are, and which rows they include.
type Citation struct {
	asked   *plan.Plan
	summary *plan.Grouping // of the summary
	model   *cube.Model
	caveats []caveat.Caveat
	years   []int64 // of the rows that the numbers include, of those that the cuts admit
	common  []int64 // that are named for all numbers
	covered string  // says which years these are; "" if the cuts say so
	noYear  bool    // the numbers include rows without a year
	locale  words.Locale
	named   Named
	isYear  bool // the filter that is being written is on the fiscal year
}

// Named is what a page that knows more than the answer, such as the other cubes, says of the number and the cube that are cited. The zero value says nothing.
type Named struct {
	Title  string   // tells it apart from others
	Said   string   // says what the number is, behind its amount, in a sentence
	Doubts []string // what else makes the number doubtful
}

// Cite makes a citation of the summary of an answer, whose rows are of some fiscal years, or without one.
func Cite(p *plan.Plan, caveats []caveat.Caveat, years []cube.Value, l words.Locale, named Named) Citation {
	c := titling(p, l)
	c.caveats, c.named = caveats, named
	if p.Summary() != nil {
		c.summary = p.Summary()
	}
	c.years = c.summary.YearsWithSnapshots()
	column, ok := c.model.FiscalYear()
	if ok && len(years) == 0 { // as far as the cuts say so
		c.noYear = column.Missing > 0 && c.summary.Admits(column, cube.Missing)
	} else if ok {
		c.noYear = slices.Contains(years, cube.Missing)
		c.years = slices.DeleteFunc(c.years, func(year int64) bool { return !slices.Contains(years, cube.Integer(year)) })
	}
	c.common = c.years
	if !c.cutsNameYears(column) {
		if some := c.yearsOf(p.Aggregates()...); len(some) > 0 {
			c.common = some
		}
		c.covered = c.field(column.Name) + ": " + c.yearsText(c.common)
	}
	return c
}

// titling is a citation that only names aggregates.
func titling(p *plan.Plan, l words.Locale) Citation {
	return Citation{asked: p, summary: &p.Grouping, model: p.Cube().Model, locale: l}
}

// Sentence says what the values are, one for each of the aggregates. For a filter with a level (LevelOf), members gives the
// groups with the labels, or none if there are too many. Columns are those of the files that the amounts stand in, where these are some of several.
func (c Citation) Sentence(values []decimal.NullDecimal, members func(plan.Filter) []plan.Group, columns []CitedColumn) string {
	var amounts []string
	for i, a := range c.asked.Aggregates() {
		if i < len(values) {
			amounts = append(amounts, c.amount(a, values[i]))
		}
	}
	return c.withSource(strings.Join(amounts, "; ") + " – " + strings.Join(append(c.rows(members), c.conditions()...), "; ") + c.inColumns(columns))
}

// Said is a sentence for newspapers: an amount, what it is as its page says it, and on what else it depends; "" where the page does not say it so.
func (c Citation) Said(amount decimal.NullDecimal) string {
	if c.named.Said == "" || !amount.Valid {
		return ""
	}
	a := c.asked.Aggregates()[0]
	text := c.locale.Number(amount.Decimal.StringFixed(a.Scale)) + c.unit(a)
	if a.ByYear != nil && a.ByYear.PerHead {
		text = c.locale.Say("said.per-person", "Amount", text)
	}
	list := append([]string{c.locale.Say("citation.said", "Amount", text, "Said", c.named.Said)}, c.conditions()...)
	if slices.ContainsFunc(c.summary.AllFilters(), func(f plan.Filter) bool { return f.Default }) {
		list = append(list, c.reports(nil))
	}
	return c.withSource(strings.Join(list, "; "))
}

// withSource ends a sentence with where its numbers come from.
func (c Citation) withSource(text string) string {
	text = strings.TrimSuffix(text, ".") + ". " + c.source() // a year in Croatian ends in a point
	if c.summary.Cube().Synthetic {
		text = c.locale.Say("citation.made-up") + " " + text
	}
	return text
}

// CitedColumn is a column of a file that amounts stood in; the file is named where there are several.
type CitedColumn struct{ Name, File string }

// mostCitedColumns is how many columns of files a citation names.
const mostCitedColumns = 4

func (c Citation) inColumns(columns []CitedColumn) string {
	if len(columns) == 0 {
		return ""
	}
	named := columns[:min(len(columns), mostCitedColumns)]
	text := strings.Join(each.Text(named, func(column CitedColumn) string {
		return strings.TrimSuffix(c.locale.Quote(column.Name)+" ("+column.File+")", " ()")
	}), ", ")
	if more := len(columns) - len(named); more > 0 {
		text += c.locale.Say("citation.more-columns", "More", words.Digits(more))
	}
	message := "citation.columns"
	if columns[0].File != columns[len(columns)-1].File {
		message = "citation.columns-of-files"
	}
	return "; " + c.locale.Say(message, "Columns", text)
}

// Filters lists the filters that the sentence repeats: all but those on the years, if the sentence names the years.
func (c Citation) Filters() []plan.Filter {
	year, _ := c.model.FiscalYear()
	return slices.DeleteFunc(c.summary.AllFilters(), func(f plan.Filter) bool { return c.covered != "" && f.Names(year.Name) })
}

// rows says which rows the numbers include: what the cuts admit, and the years.
func (c Citation) rows(members func(plan.Filter) []plan.Group) []string {
	type placed struct {
		place []int
		text  string
	}
	var list []placed
	if len(c.summary.AllFilters()) == 0 {
		list = append(list, placed{nil, c.locale.Say("citation.everything")})
	}
	for _, f := range c.Filters() {
		list = append(list, placed{c.place(f), c.filter(f, members(f))})
	}
	if c.covered != "" {
		list = append(list, placed{[]int{yearPlace}, c.covered})
	}
	slices.SortStableFunc(list, func(a, b placed) int { return slices.Compare(a.place, b.place) })
	return each.Text(list, func(p placed) string { return p.text })
}

// Where a filter stands in the sentence: members before the fiscal year, and before what is said of other times.
const (
	memberPlace = iota
	yearPlace
	timePlace
)

// place is where a filter stands: what is above comes before what is below it, in the order of the model.
func (c Citation) place(f plan.Filter) []int {
	level, _ := f.Level(c.model)
	dimension, _ := c.model.Dimension(level.Dimension)
	switch {
	case c.isOnYear(f):
		return []int{yearPlace}
	case dimension.Type == cube.DimensionTime:
		return []int{timePlace, level.Index}
	}
	return []int{memberPlace, level.Index}
}

// isOnYear tells whether a filter is on the fiscal year alone.
func (c Citation) isOnYear(f plan.Filter) bool {
	year, ok := c.model.FiscalYear()
	return ok && f.OnlyOf([]cube.Column{year})
}

// hasCounterpart tells whether the answer is compared with a single point, and that has rows.
func (c Citation) hasCounterpart() bool {
	_, only := c.asked.OnlyValue(c.asked.Comparison().Axis)
	return only && !slices.ContainsFunc(c.caveats, func(found caveat.Caveat) bool {
		_, isOfPoints := found.Params.(caveat.NotCompared)
		return isOfPoints
	})
}

func (c Citation) source() string {
	version := c.summary.Cube()
	publisher := version.Publisher
	if publisher != "" {
		publisher += ", "
	}
	title := cmp.Or(c.named.Title, version.TitleIn(c.locale.Language), version.Name)
	texts := []string{c.locale.Say("citation.source", "Publisher", publisher, "Title", title, "Version", words.Digits(version.Version), "Date", version.LoadedAt.Format("2006-01-02"))}
	if version.IsPart() {
		message := "citation.excerpt"
		rows, several := version.RowsOfYear()
		if several {
			message = "citation.excerpt-of-years"
		}
		texts = append(texts, c.locale.Say(message, "Count", max(1, rows)))
	}
	texts = append(append(texts, c.doubts()...), c.named.Doubts...)
	return strings.Join(append(texts, SeriesUsed(c.asked, c.locale)...), "; ")
}

// SeriesUsed names whose series of prices and inhabitants an answer uses.
func SeriesUsed(p *plan.Plan, l words.Locale) (texts []string) {
	for _, s := range p.Series() {
		message := "citation.heads"
		if s.IsOfPrices() {
			message = "citation.prices"
		}
		texts = append(texts, l.Say(message, "Source", s.Source, "Date", s.Updated))
	}
	return texts
}

// amount writes an aggregate and its value: Approved: 118,405,000.10 HRK.
func (c Citation) amount(a plan.Aggregate, value decimal.NullDecimal) string {
	if !value.Valid {
		return c.inRole(a, "") + ": " + c.null(a)
	}
	text := c.inRole(a, c.ownYears(a)) + ": " + c.locale.Number(value.Decimal.StringFixed(a.Scale)) + c.unit(a)
	if a.IsFraction() {
		text += " (" + c.locale.Share(value.Decimal) + ")"
	}
	return text
}

// null says that there is no value. The count of rows at a point that has rows, but none that pass, is none.
func (c Citation) null(a plan.Aggregate) string {
	switch {
	case a.MixesYears:
		return c.locale.Say("citation.null") + c.locale.Say("citation.mixes-years")
	case !a.CountsRows():
		return c.locale.Say("citation.null")
	case a.Role == query.RoleEarlier && len(a.Args) == 0 && c.hasCounterpart():
		return c.locale.Say("citation.none")
	}
	return c.locale.Say("citation.null-count")
}

// inRole names an aggregate with its years and, in a comparison, with the point that it is compared with.
func (c Citation) inRole(a plan.Aggregate, years string) string {
	role, message := a.Role, "citation.role-"+string(a.Role)
	if !words.Has(message) {
		return c.name(a) + years
	}
	a.Name, a.Role = strings.TrimSuffix(a.Name, "."+string(role)), ""
	with := c.comparedWith(role)
	return Fill(c.locale, message, "Measure", c.operand(a)+years, "Of", with, "From", with)
}

// comparedWith names the other side of a comparison: of 2016, or one year earlier.
func (c Citation) comparedWith(role query.Role) string {
	compare := c.asked.Comparison()
	axis := compare.Axis
	here, _ := c.asked.OnlyValue(axis)
	there, ok := here.Shifted(compare.Offset)
	if !ok {
		return c.away(axis, compare.Offset)
	}
	text := c.year(there)
	if !axis.FiscalYear {
		text = c.field(axis.Name) + " " + there.String()
	}
	if len(compare.SameSnapshots) == 1 {
		text += " (" + c.field(c.model.Snapshots().By) + " " + c.key(compare.SameSnapshots[0].Last().Value) + ")"
	}
	if role == query.RoleEarlier {
		return c.locale.Say("citation.of", "Year", text)
	}
	return text
}

// away says how far along the axis the other side is.
func (c Citation) away(axis cube.Column, offset int64) string {
	n, way, place := max(offset, -offset), "later", "higher"
	if offset < 0 {
		way, place = "earlier", "lower"
	}
	switch {
	case !axis.FiscalYear:
		return c.locale.Say("citation."+place+"-by", "Level", c.field(axis.Name), "Number", n)
	case n == 1:
		return c.locale.Say("citation.year-" + way)
	}
	return c.locale.Say("citation.years-"+way, "Count", n)
}

// name describes an aggregate by the titles of its measures.
func (c Citation) name(a plan.Aggregate) string {
	if derived, ok := c.derived(a); ok {
		return cmp.Or(derived.Titles.In(c.locale.Language), derived.Title, derived.Ref)
	}
	if a.Func == cube.Rows {
		return c.locale.Say("citation.rows")
	}
	names := each.Text(a.Args, c.operand)
	if measure, ok := c.model.Measure(a.Measure); ok {
		names = append(names, measureName(measure, c.locale.Language))
	}
	if message := "citation.function-" + strings.ReplaceAll(string(a.Func), "_", "-"); words.Has(message) {
		return Fill(c.locale, message, "Measure", names[0], "One", names[0], "Other", names[len(names)-1])
	}
	name := strings.Join(names, "")
	if a.ByYear != nil && a.ByYear.PriceYear != 0 {
		name = c.locale.Say("citation.in-prices", "Measure", name, "Year", words.Digits(a.ByYear.PriceYear))
	}
	if a.ByYear != nil && a.ByYear.PerHead {
		name = c.locale.Say("citation.per-head", "Measure", name)
	}
	return name
}

// operand names an aggregate inside a longer text: in brackets, unless the name is a title alone.
func (c Citation) operand(a plan.Aggregate) string {
	_, named := c.derived(a)
	if named || a.Func == cube.Sum && a.ByYear == nil || a.Func == cube.Rows {
		return c.name(a)
	}
	return "(" + c.name(a) + ")"
}

// derived gives the derived measure with the name of an aggregate.
func (c Citation) derived(a plan.Aggregate) (cube.Derived, bool) {
	for _, d := range c.model.Derived() {
		if a.Name == (query.AggregateRef{Func: d.Ref}).String() {
			return d, true
		}
	}
	return cube.Derived{}, false
}

// AggregateTitle names an aggregate for the head of a column, with its unit: Approved (HRK).
func AggregateTitle(p *plan.Plan, a plan.Aggregate, l cube.Language) string {
	c := titling(p, words.Locale{Language: l})
	return withUnit(c.inRole(a, ""), c.unit(a))
}

// AggregateUnit gives the unit of an aggregate; "" where it has none.
func AggregateUnit(p *plan.Plan, a plan.Aggregate, l cube.Language) string {
	return strings.TrimSpace(titling(p, words.Locale{Language: l}).unit(a))
}

// MeasureTitle names the amounts of a measure, as AggregateTitle names their sum.
func MeasureTitle(m cube.Measure, l cube.Language) string {
	return withUnit(measureName(m, l), unitOf(m))
}

// measureName names a measure by its title, if it has one.
func measureName(m cube.Measure, l cube.Language) string {
	return cmp.Or(m.Titles.In(l), m.Title, m.Ref)
}

func withUnit(title, unit string) string {
	if unit == "" {
		return title
	}
	return title + " (" + strings.TrimSpace(unit) + ")"
}

// FieldTitle names a field of facts for the head of a column: a measure with its unit, a level by its title; "" if it has none.
func FieldTitle(m *cube.Model, name string, l cube.Language) string {
	say := words.Locale{Language: l}.Say
	if own := "own-column." + name; words.Has(own) { // no field of the package
		return say(own)
	}
	if measure, ok := m.Measure(name); ok {
		return MeasureTitle(measure, l)
	}
	if c, ok := m.Column(name); ok && c.IsEdition() {
		key := strings.TrimSuffix(name, cube.EditionSuffix)
		return say("file.edition", "Level", cmp.Or(FieldTitle(m, key, l), key))
	}
	level, _ := m.Level(name)
	title := level.Titles.In(l)
	if title != "" && name != level.Ref {
		return say("file.label", "Level", title)
	}
	return title
}

// unit gives the unit of an amount. Quotients and counts have none, and a difference has that of its operands.
func (c Citation) unit(a plan.Aggregate) string {
	switch {
	case a.Role == query.RolePercentage || a.Func == cube.Count:
		return ""
	case a.Func == cube.Diff:
		return cmp.Or(c.unit(a.Args[0]), c.unit(a.Args[1]))
	}
	measure, _ := c.model.Measure(a.Measure) // quotients and rows have none
	return unitOf(measure)
}

func unitOf(m cube.Measure) string {
	switch {
	case m.Currency == "":
		return ""
	case m.Unit > 1:
		return fmt.Sprintf(" × %d %s", m.Unit, m.Currency)
	}
	return " " + m.Currency
}

// conditions says what the numbers depend on in addition to the cuts: having, snapshots that are all added up, and years of which there is
// a part alone.
func (c Citation) conditions() []string {
	var list []string
	if conditions := c.summary.Having(); len(conditions) > 0 {
		cells := each.Text(c.summary.Steps(), func(s plan.Step) string { return c.field(s.Ref) })
		having := c.locale.And(each.Text(conditions, c.condition))
		list = append(list, c.locale.Say("citation.having", "Rows", cmp.Or(strings.Join(cells, ", "), c.locale.Say("citation.rows")), "Condition", having))
	}
	if c.summary.CountsAll() {
		list = append(list, c.locale.Say("citation.statements"))
	}
	if c.hasOnlyReports() {
		list = append(list, c.reports(nil))
	}
	return append(list, c.onlyParts()...)
}

// condition writes a condition of having: Approved ≥ 1,000 HRK.
func (c Citation) condition(h plan.Having) string {
	sign := cmp.Or(signs[h.Op], string(h.Op))
	return c.name(h.Aggregate) + " " + sign + " " + c.locale.Number(h.Number.String()) + c.unit(h.Aggregate)
}

// signs has the operators that a sentence prints with another sign.
var signs = map[query.Operator]string{query.LessOrEqual: "≤", query.GreaterOrEqual: "≥", query.Unequal: "≠"}

// filter says what a filter admits. It names members by their labels, if groups with labels are given.
func (c Citation) filter(f plan.Filter, members []plan.Group) string {
	c.isYear = c.isOnYear(f)
	switch {
	case f.Default:
		return c.reports(c.labels(f, 0, 0, members))
	case f.Echo[0].Path && len(f.Echo) == 1 && !f.Not:
		return c.path(f, members)
	}
	var items []string
	for i := range f.Echo {
		items = append(items, c.item(f, i, members)...)
	}
	text := c.locale.Or(items)
	if f.Not {
		text = c.locale.Say("citation.not", "Names", c.locale.And(items))
	}
	if level, ok := f.Level(c.model); ok && f.Ref == level.Dimension { // a path names members of its last level
		f.Ref = level.Ref
	}
	return c.field(f.Ref) + ": " + text
}

// hasOnlyReports tells whether there is one snapshot of each period: no filter names it, as there is no choice.
func (c Citation) hasOnlyReports() bool {
	names := func(f plan.Filter) bool { return f.Names(c.model.Snapshots().By) }
	return len(c.summary.Periods()) > 0 && !c.summary.CountsAll() && !slices.ContainsFunc(c.summary.AllFilters(), names)
}

// reports names the last snapshot, of each period if it is not the same of all, else with its label; and the measures of the answer that add up over
// snapshots.
func (c Citation) reports(labels []string) string {
	snapshots, periods := c.model.Snapshots(), c.summary.Periods()
	flows := each.Text(slices.DeleteFunc(c.asked.Measures(), func(m cube.Measure) bool { return !m.Flow }), func(m cube.Measure) string {
		return measureName(m, c.locale.Language)
	})
	last := periods[0].Last().Value
	differ := slices.ContainsFunc(periods, func(p cube.Period) bool { return p.Last().Value != last })
	added := ""
	if len(flows) > 0 && (differ || !c.hasOnlyReports()) {
		added = c.locale.Say("citation.flows", "Measures", strings.Join(flows, ", "))
	}
	text := c.locale.Say("citation.last", "Report", c.member(c.key(last), labels))
	if differ {
		listed := each.Text(periods, func(p cube.Period) string {
			return strings.Join(each.Text(p.Key, cube.Value.String), "/") + ": " + c.key(p.Last().Value)
		})
		if more := len(listed) - mostPeriods; more > 0 {
			listed = append(listed[:mostPeriods], c.locale.Say("citation.more", "More", words.Digits(more)))
		}
		text = c.locale.Say("citation.last-of-each", "Period", c.locale.And(each.Text(snapshots.Per, c.field)), "Reports", strings.Join(listed, ", "))
	} else if isWord(last) {
		return c.locale.Say("citation.in-report", "Report", last) + added
	}
	return c.field(snapshots.By) + ": " + text + added
}

// onlyParts names the periods of years of which the rows have not all, unless a cut does.
func (c Citation) onlyParts() (list []string) {
	for _, year := range c.years {
		level, numbers, ok := c.summary.Cube().PartOfYear(year)
		if ok && !slices.ContainsFunc(c.summary.AllFilters(), func(f plan.Filter) bool { return f.Names(level.Ref) }) {
			list = append(list, c.field(level.Ref)+": "+c.locale.Say("citation.only-part", "Months", words.Periods(numbers), "Year", c.locale.Year(year)))
		}
	}
	return list
}

// path names each member of a path, from the top.
func (c Citation) path(f plan.Filter, members []plan.Group) string {
	codes, years := c.codes(f, 0)
	var texts []string
	for i, column := range query.KeyColumns(columnsOf(f.Any[0])) {
		texts = append(texts, c.field(column.Name)+": "+c.member(codes[i]+years[i], c.labels(f, 0, i, members)))
	}
	return strings.Join(texts, "; ")
}

// codes writes the values of an item of a filter as they are published. The years in which they hold matter if the numbers are of
// others too.
func (c Citation) codes(f plan.Filter, item int) (codes, years []string) {
	return codesOf(c.locale, f, item, c.key, func(e edition) bool { return c.asked.Comparison() != nil || !e.holds(c.years) })
}

// field names a level or a dimension by its title.
func (c Citation) field(ref string) string {
	if level, ok := c.model.Level(ref); ok {
		return cmp.Or(level.Titles.In(c.locale.Language), level.Ref)
	}
	dimension, _ := c.model.Dimension(ref)
	return cmp.Or(dimension.Titles.In(c.locale.Language), ref)
}

// LevelOf gives the level whose labels name the members that a filter admits: for paths the last level. It gives false if
// the sentence repeats the filter without labels.
func (c Citation) LevelOf(f plan.Filter) (cube.Level, bool) {
	if f.Default && len(f.Any[0]) > 1 { // periods with their snapshots are no path
		return cube.Level{}, false
	}
	level, ok := f.Level(c.model)
	values := 0
	for _, tests := range f.Any {
		last := tests[len(tests)-1]
		ok = ok && last.Column.Name == level.Ref && len(last.In) > 0
		values += len(last.In)
	}
	return level, ok && level.HasLabels() && values <= mostCitedValues
}

// item writes the values of an item of a filter, with their labels.
func (c Citation) item(f plan.Filter, item int, members []plan.Group) []string {
	echo := f.Echo[item]
	switch {
	case echo.Op == query.OpRange && echo.Values[1].IsMissing():
		return []string{c.locale.Say("citation.from", "First", c.key(echo.Values[0]))}
	case echo.Op == query.OpRange && echo.Values[0].IsMissing():
		return []string{c.locale.Say("citation.up-to", "Last", c.key(echo.Values[1]))}
	case echo.Op == query.OpRange:
		return []string{c.locale.Say("citation.to", "First", c.key(echo.Values[0]), "Last", c.key(echo.Values[1]))}
	case echo.Op == query.OpMatch:
		return []string{c.locale.Say("citation.contains", "Text", echo.Values[0])}
	}
	codes, years := c.codes(f, item)
	if echo.Path {
		return []string{c.member(joinCodes(codes, years), c.labels(f, item, len(codes)-1, members))}
	}
	for i, code := range codes {
		codes[i] = c.member(code+years[i], c.labels(f, item, i, members))
	}
	return codes
}

// mostLabels is how many labels a sentence gives for a value that names several members. If there are more, it gives one
// fewer and the number of the others.
const mostLabels = 3

// member writes the code of a value, or the codes of a path, with the label: Hrvatski sabor (010). If it has different labels
// under different parents, the code comes first: 100 (Cámara Baja, Secretaría and 5 more).
func (c Citation) member(code string, labels []string) string {
	switch len(labels) {
	case 0:
		return code
	case 1:
		return labels[0] + " (" + code + ")"
	}
	if more := len(labels) - mostLabels + 1; more > 1 {
		labels = append(labels[:mostLabels-1], c.locale.Say("citation.more", "More", words.Digits(more)))
	}
	return code + " (" + c.locale.And(labels) + ")"
}

// year writes a value of the fiscal year.
func (c Citation) year(v cube.Value) string {
	if year, ok := v.Int(); ok {
		return c.locale.Year(year)
	}
	return cmp.Or(v.String(), c.locale.Say("citation.missing"))
}

// key writes a value of the filter that is being written.
func (c Citation) key(v cube.Value) string {
	if c.isYear {
		return c.year(v)
	}
	return cmp.Or(v.String(), c.locale.Say("citation.missing"))
}

// labels lists the labels of a value of an item of a filter, each once, among groups of the members that the filter names.
func (c Citation) labels(f plan.Filter, item, value int, members []plan.Group) []string {
	last, _ := f.Level(c.model)
	key, tests := f.Echo[item].Values[value], f.Any[item]
	columns := query.KeyColumns(columnsOf(tests))
	if !f.Echo[item].Path {
		value = 0
	}
	// Groups have a key for each field of the path of their level, and a label for each level with members.
	keyAt, labelAt := slices.Index(last.Path, columns[value].Name), 0
	for _, name := range last.Path[:max(keyAt, 0)] {
		if above, _ := c.model.LevelOfKey(name); above.Listed {
			labelAt++
		}
	}
	var labels []string
	for _, m := range members {
		if keyAt < 0 || labelAt >= len(m.Labels) || m.Keys[keyAt] != key || slices.ContainsFunc(tests, func(t plan.Test) bool {
			at := slices.Index(last.Path, t.Column.Name)
			return at >= 0 && !slices.Contains(t.In, m.Keys[at])
		}) {
			continue
		}
		label := m.Labels[labelAt].String()
		if known := slices.ContainsFunc(labels, func(l string) bool { return strings.EqualFold(l, label) }); !known && label != "" && label != key.String() {
			labels = append(labels, label)
		}
	}
	return labels
}

// cutsNameYears tells whether the cuts themselves say which years they admit, and rows are of all of these, or the rows have no
// years.
func (c Citation) cutsNameYears(column cube.Column) bool {
	naming := slices.DeleteFunc(c.summary.AllFilters(), func(f plan.Filter) bool { return !f.Names(column.Name) })
	isVague := func(f plan.Filter) bool { return !c.listsYears(f) }
	isMore := func(f plan.Filter) bool { return f.Default || !c.isOnYear(f) }
	return len(c.years) == 0 || len(naming) > 0 && !slices.ContainsFunc(naming, isVague) || slices.ContainsFunc(naming, isMore)
}

// ownYears names the years of an amount, if they are not the years named for all numbers: " (2018)". Counts include all
// years, also those in which the count is 0.
func (c Citation) ownYears(a plan.Aggregate) string {
	own := c.yearsOf(a)
	if len(own) == 0 || a.CountsRows() || slices.Equal(own, c.common) {
		return ""
	}
	return " (" + c.yearsText(own) + ")"
}

// yearsText lists years, and the missing year if rows without a year are admitted.
func (c Citation) yearsText(years []int64) string {
	spans := yearSpans(c.locale, years)
	if c.noYear {
		spans = append(spans, c.locale.Say("citation.missing"))
	}
	return c.locale.And(spans)
}

// listsYears tells whether a cut on the year lists what it admits, and the numbers include rows of all of that: it has no Not, and no range, which
// may be open or go beyond the years of the rows.
func (c Citation) listsYears(f plan.Filter) bool {
	return !f.Not && !slices.ContainsFunc(f.Echo, func(item plan.EchoItem) bool {
		return item.Op == query.OpRange || slices.ContainsFunc(item.Values, func(v cube.Value) bool {
			year, ok := v.Int()
			return ok && !slices.Contains(c.years, year)
		})
	})
}

// yearsOf gives the years in which any of some aggregates has amounts, or counts rows.
func (c Citation) yearsOf(aggregates ...plan.Aggregate) []int64 {
	return slices.DeleteFunc(slices.Clone(c.years), func(year int64) bool {
		has := func(leaf plan.Aggregate) bool {
			return leaf.Func == cube.Rows || len(c.summary.Cube().Coverage.Gap(leaf.Measure, []int64{year})) == 0
		}
		return !slices.ContainsFunc(aggregates, func(a plan.Aggregate) bool { return slices.ContainsFunc(a.Leaves(), has) })
	})
}

// yearSpans writes years, consecutive ones as a range.
func yearSpans(locale words.Locale, years []int64) []string {
	isNext := func(before, year int64) bool { return year == before+1 }
	return each.Text(yearRuns(years, isNext), func(run []int64) string {
		first, last := locale.Year(run[0]), locale.Year(run[len(run)-1])
		if first == last {
			return first
		}
		return locale.Say("citation.to", "First", first, "Last", last)
	})
}

// mostCitedValues is how many values of a cut a sentence names with labels. If there are more, it gives no labels.
const mostCitedValues = 10
