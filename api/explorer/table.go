package explorer

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/site"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// table is the cells of an answer as rows. The members of each drilled level have a column, with those above them that are not fixed.
type table struct {
	Caption string
	Gaps    string // which years are missing, if its rows are years
	Levels  []column
	Values  []column
	Rows    []row
	Total   []value // of all cells, on other pages too
}

// column is the head of a column. Its link sorts by it.
type column struct {
	Title, Link string
	Sorted      string   // ascending, descending or other, as a table says it (aria-sort), or ""
	Hint        string   // what the link does
	Widest      string   // of the numbers in the column: it has their width before all rows are there
	Above       []column // the levels above, whose members stand under the names of this one
}

// row is a cell.
type row struct {
	Members []member
	Values  []value
	Others  bool
}

// member is the member of a level, with a link to what is below it.
type member struct {
	Label, Code, Down, Hint string
	Missing                 bool // the rows without a key
	Above                   []member
}

// value is a number of a row.
type value struct {
	Head     string // of its column, where a small screen shows it beside the number
	Text     string
	Link     string // opens the number
	Bar      string // how wide its bar is, in percent of the widest; "" for none
	Negative bool
}

// table makes the rows of the answer.
func (w *view) table() (*table, error) {
	p := w.answer.Plan
	if len(p.Steps()) == 0 {
		return nil, nil
	}
	cells, err := w.goneApart()
	if err != nil {
		return nil, err
	}
	t := &table{Caption: w.Say("view.cells", "Count", w.rowCount())}
	levels, columns := w.levelColumns(), w.columns()
	if len(levels) == 1 && levels[0].level.Ref == yearOf(w.cb.Model).Name {
		t.Gaps = w.gaps()
	}
	t.Levels = headsOf(levels, w.headOfLevel)
	for _, i := range columns {
		t.Values = append(t.Values, w.headOf(i))
	}
	widest := w.widest()
	for _, cell := range cells {
		t.Rows = append(t.Rows, w.row(cell, levels, columns, widest))
	}
	for _, i := range columns {
		v := value{Text: w.number(i, w.answer.Summary.Values[i])}
		if w.isUnknown(i, p.Years()) {
			v.Text = ""
		}
		if i > 0 {
			v.Head = w.titleOfColumn(i)
		}
		t.Total = append(t.Total, v)
	}
	t.dropEmpty(func(i int) bool {
		return columns[i] == w.shareIndex() || caveat.IsRate(p.Aggregates()[columns[i]]) || w.isUnknown(columns[i], p.Years())
	})
	for i := range t.Values {
		t.Values[i].Widest = t.Total[i].Text
		for _, r := range t.Rows {
			if text := r.Values[i].Text; utf8.RuneCountInString(text) > utf8.RuneCountInString(t.Values[i].Widest) {
				t.Values[i].Widest = text
			}
		}
	}
	return t, nil
}

// dropEmpty leaves out columns in which no row and no total has anything.
func (t *table) dropEmpty(may func(column int) bool) {
	for i := len(t.Values) - 1; i > 0; i-- {
		if !may(i) || t.Total[i].Text != "" || slices.ContainsFunc(t.Rows, func(r row) bool { return r.Values[i].Text != "" }) {
			continue
		}
		t.Values, t.Total = slices.Delete(t.Values, i, i+1), slices.Delete(t.Total, i, i+1)
		for j := range t.Rows {
			t.Rows[j].Values = slices.Delete(t.Rows[j].Values, i, i+1)
		}
	}
}

// rowCount is how many rows there are, on all pages; those that one row stands for count each.
func (w *view) rowCount() int64 {
	count := w.answer.Summary.Count
	for _, cell := range w.answer.Cells {
		if cell.Others > 0 {
			count += cell.Others - 1
		}
	}
	return count
}

// columns lists the aggregates that have a column: what is asked, and of a comparison the value before and the change of the
// first one, with the difference if a comparison was asked for. The share is next to its amount, which small screens have room for;
// a change is of the amounts alone.
func (w *view) columns() []int {
	var list []int
	ofChange := w.kind() == asChange
	for i, a := range w.answer.Plan.Aggregates() {
		ofMain := w.isOfMain(a)
		if ofChange && i > 0 && a.Measure == "" {
			continue
		}
		if a.Role == "" || ofMain && (a.Role != query.RoleDifference || w.a.Query.Compare != nil || ofChange) {
			list = append(list, i)
		}
	}
	if share := slices.Index(list, w.shareIndex()); share > 1 {
		list = slices.Insert(slices.Delete(list, share, share+1), 1, w.shareIndex())
	}
	return list
}

// isOfMain tells whether an aggregate is the first one or, of a comparison, has a role beside it.
func (w *view) isOfMain(a plan.Aggregate) bool {
	return strings.TrimSuffix(a.Name, "."+string(a.Role)) == w.answer.Plan.Aggregates()[0].Name
}

// shareIndex is the index of the aggregate with the shares of the amounts, or -1.
func (w *view) shareIndex() int {
	return slices.IndexFunc(w.answer.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Func == cube.Share && a.Role == "" })
}

// shown lists the levels whose members are named: the drilled ones, and those above them of which the rows have several members.
func (w *view) shown() (list []cube.Level) {
	for _, key := range w.answer.Plan.Keys() {
		level, ok := w.cb.Model.LevelOfKey(key.Name)
		drilled := slices.ContainsFunc(w.answer.Plan.Steps(), func(s plan.Step) bool { return s.Ref == level.Ref })
		if ok && (drilled || !w.fixed[level.Ref] && !w.cb.Model.IsEdition(level.Ref)) {
			list = append(list, level)
		}
	}
	return list
}

// levelColumn is a level with a column, and the levels above it that are shown in the same column.
type levelColumn struct {
	level cube.Level
	above []cube.Level
}

// levelColumns are the levels with a column. Subtotals, which are of a level above, have a column for each.
func (w *view) levelColumns() (list []levelColumn) {
	var above []cube.Level
	shown := w.shown()
	for i, level := range shown {
		if i+1 < len(shown) && slices.Contains(shown[i+1].Path, level.Ref) && !w.answer.Plan.Rollup() {
			above = append(above, level)
			continue
		}
		list, above = append(list, levelColumn{level: level, above: above}), nil
	}
	return list
}

// headsOf are the heads of the columns of levels.
func headsOf(levels []levelColumn, headOf func(cube.Level) column) (list []column) {
	for _, l := range levels {
		head := headOf(l.level)
		for _, above := range l.above {
			head.Above = append(head.Above, headOf(above))
		}
		list = append(list, head)
	}
	return list
}

// SortedBy says how the rows are sorted, if they are by the column or by a level above that shares it.
func (c column) SortedBy() string {
	for _, head := range append([]column{c}, c.Above...) {
		if head.Sorted != "" {
			return head.Sorted
		}
	}
	return ""
}

// headOfLevel is the head of the column of a level.
func (w *view) headOfLevel(level cube.Level) column {
	name, by := level.LabelRef, plan.ByLabel
	if name == "" {
		name, by = level.Ref, plan.ByKey
	}
	return w.head(w.LevelTitle(level), query.Order{Ref: query.Ref{Name: name}}, by, query.QuoteName(name))
}

// headOf is the head of the column of an aggregate.
func (w *view) headOf(index int) column {
	a, title := w.answer.Plan.Aggregates()[index], w.titleOfColumn(index)
	orders, err := query.ParseOrder(a.Name)
	if err != nil {
		return column{Title: title}
	}
	return w.head(title, orders[0], plan.ByAggregate, a.Name)
}

// titleOfColumn names an aggregate.
func (w *view) titleOfColumn(index int) string {
	switch a := w.answer.Plan.Aggregates()[index]; {
	case a.Func == cube.Share:
		return w.Say("view.share")
	case a.Role == query.RoleEarlier:
		return w.earlier()
	case a.Role == query.RolePercentage:
		return w.Say("view.change")
	case a.Role == query.RoleDifference:
		return w.Say("compare.difference")
	default:
		return prose.AggregateTitle(w.answer.Plan, a, w.Language)
	}
}

// earlier names the year that is compared with.
func (w *view) earlier() string {
	if year, ok := w.comparedYear(); ok {
		return w.Say("view.earlier", "Year", strconv.FormatInt(year, 10))
	}
	return w.Say("view.earlier-year")
}

// head links the head of a column to the same rows in its order, or in the reverse one.
func (w *view) head(title string, order query.Order, by plan.SortBy, name string) column {
	p := w.answer.Plan
	made := column{Title: title}
	order.Desc = by == plan.ByAggregate
	if asked := p.OrderAsked(); len(asked) > 0 && asked[0].By == by {
		switch p.SortName(asked[0]) {
		case name:
			made.Sorted = "ascending"
			if asked[0].Desc {
				made.Sorted = "descending"
			}
			order.Desc = !asked[0].Desc
		case strings.TrimSuffix(name, string(query.RoleDifference)) + string(query.RoleSize):
			made.Sorted = "other" // by size, whatever the sign
		}
	}
	direction := w.Say("view.ascending")
	if order.Desc {
		direction = w.Say("view.descending")
	}
	made.Hint = w.Say("view.sort-by", "Column", title) + ", " + direction
	made.Link = w.a.Asking(func(q *query.Query) { q.Order = []query.Order{order} }).String()
	return made
}

// row is one cell as a row.
func (w *view) row(cell answer.Cell, levels []levelColumn, columns []int, widest decimal.Decimal) row {
	p := w.answer.Plan
	made := row{Others: cell.Others > 0, Members: w.membersOf(cell, levels)}
	if last := &made.Members[len(made.Members)-1]; last.Label != "" {
		last.Down, last.Hint = w.below(cell)
	}
	if made.Others {
		a := w.a.Asking(func(q *query.Query) { q.Page = query.Page{Number: 2, Size: mostRows} })
		message := "view.others"
		if cell.Change == answer.ChangeGone {
			message = "figure.gone-ones"
		}
		made.Members[len(made.Members)-1] = member{Label: w.Say(message, "Count", cell.Others), Down: a.String()}
	}
	for _, i := range columns {
		amount := cell.Values[i]
		v := value{Text: w.number(i, amount), Negative: amount.Valid && amount.Decimal.IsNegative()}
		if i > 0 {
			v.Head = w.titleOfColumn(i)
		}
		if i == 0 && amount.Valid && !made.Others {
			v.Bar = share(amount.Decimal, widest)
			v.Link = w.opening(cell)
		}
		if p.Aggregates()[i].Role == query.RolePercentage {
			v.Text = cmp.Or(w.changed(cell), v.Text)
		}
		if w.isUnknown(i, w.yearsOfCell(cell)) {
			v.Text, v.Negative = "", false
		}
		made.Values = append(made.Values, v)
	}
	return made
}

// changed says of a cell that its first amount is new or gone, or that it cannot be compared, or nothing.
func (w *view) changed(cell answer.Cell) string {
	switch change := w.changeOf(cell); {
	case change == answer.ChangeNew:
		return w.Say("view.new")
	case change == answer.ChangeGone:
		return w.Say("view.gone")
	case w.isIncomparable(cell):
		return w.Say("figure.incomparable")
	}
	return ""
}

// changeOf tells whether the first amount of a cell is new or gone. What was zero before is new; what has no amount in either year is
// neither.
func (w *view) changeOf(cell answer.Cell) answer.Change {
	before := w.valueIn(query.RoleEarlier, cell.Values)
	isSome := func(amount decimal.NullDecimal) bool { return amount.Valid && !amount.Decimal.IsZero() }
	switch {
	case cell.Change == answer.ChangeGone && isSome(before):
		return answer.ChangeGone
	case isSome(cell.Values[0]) && (cell.Change == answer.ChangeNew || before.Valid && before.Decimal.IsZero()):
		return answer.ChangeNew
	}
	return ""
}

// isIncomparable tells whether a cell of a year is not compared, since its code means another thing in the other year, or that of one
// of several that it adds up.
func (w *view) isIncomparable(cell answer.Cell) bool {
	year, ok := w.yearCut()
	whole, before := w.valueIn(query.RoleEarlier, w.answer.Summary.Values), w.valueIn(query.RoleEarlier, cell.Values)
	if !ok || before.Valid || !cell.Values[0].Valid || cell.Change != "" {
		return false
	}
	return cell.Others > 0 && whole.Valid || len(w.answer.ReusedBetween(year, year+w.offset(), cell.Keys)) > 0
}

// valueIn is the first of the values in a role.
func (w *view) valueIn(role query.Role, values []decimal.NullDecimal) decimal.NullDecimal {
	if i := slices.IndexFunc(w.answer.Plan.Aggregates(), func(a plan.Aggregate) bool { return a.Role == role }); i >= 0 {
		return values[i]
	}
	return decimal.NullDecimal{}
}

// membersOf are the members of a cell in the columns of their levels.
func (w *view) membersOf(cell answer.Cell, levels []levelColumn) (list []member) {
	for _, l := range levels {
		made := w.memberOf(cell, l.level)
		for _, above := range l.above {
			if of := w.memberOf(cell, above); of.Label != "" {
				made.Above = append(made.Above, of)
			}
		}
		list = append(list, made)
	}
	return list
}

// memberOf is the member of a level that a cell is of. In a subtotal, which is of several, it is empty.
func (w *view) memberOf(cell answer.Cell, level cube.Level) member {
	p := w.answer.Plan
	index := slices.IndexFunc(p.Levels(), func(l cube.Level) bool { return l.Ref == level.Ref })
	key := slices.IndexFunc(p.Keys(), func(c cube.Column) bool { return c.Name == level.Ref })
	if key < 0 || key >= len(cell.Keys) {
		return member{}
	}
	m := member{Label: cell.Keys[key].String(), Missing: cell.Keys[key].IsMissing()}
	if index >= 0 { // else a level whose members are not listed, which have no labels
		if label := cell.Labels[index]; !label.IsMissing() && label.String() != m.Label {
			m.Label, m.Code = label.String(), m.Label
		}
	}
	m.Label = cmp.Or(m.Label, w.Say("view.missing"))
	return m
}

// opening leads to the page of the number of a cell.
func (w *view) opening(cell answer.Cell) string {
	return w.numberOf(w.a.CuttingText(w.answer.Plan.CutOf(cell.Keys)))
}

// numberOf leads to the page of the number of a selection.
func (w *view) numberOf(a site.Address) string {
	a.Query = query.Query{Cuts: a.Query.Cuts, Aggregates: w.a.Query.Aggregates, Snapshots: a.Query.Snapshots, Page: query.FirstPage}
	a.View = ""
	return a.Alone().At(w.a.Path + "/number").String()
}

var hundred = decimal.NewFromInt(100)

// share is how wide the bar of an amount is, in percent of the widest; "" for none.
func share(amount, widest decimal.Decimal) string {
	if !widest.IsPositive() {
		return ""
	}
	return amount.Abs().Mul(hundred).DivRound(widest, 2).String()
}

// percentOf gives a part in percent of a positive whole.
func percentOf(part, whole decimal.Decimal) decimal.NullDecimal {
	return answer.Quotient(decimal.NewNullDecimal(part.Mul(hundred)), decimal.NewNullDecimal(whole), 8)
}

// widest is the largest amount of a row, without its sign.
func (w *view) widest() decimal.Decimal {
	most := decimal.Zero
	for _, cell := range w.answer.Cells {
		if amount := cell.Values[0]; cell.Others == 0 && amount.Valid && amount.Decimal.Abs().GreaterThan(most) {
			most = amount.Decimal.Abs()
		}
	}
	return most
}

// below leads to what is below a cell: the level under its last member or, under the last level, another dimension.
func (w *view) below(cell answer.Cell) (link, hint string) {
	p := w.answer.Plan
	if cell.Others > 0 || len(cell.Keys) == 0 {
		return "", ""
	}
	next := p.Below(len(cell.Keys))
	if next == "" {
		keys := each.Text(p.Keys(), func(c cube.Column) string { return c.Name })
		for _, level := range w.open() {
			dimension, _ := w.cb.Model.Dimension(level.Dimension)
			if !slices.Contains(keys, level.Ref) && dimension.Type != cube.DimensionTime {
				next = level.Ref
				break
			}
		}
	}
	if next == "" {
		return "", ""
	}
	level, _ := w.cb.Model.LevelOfKey(next)
	return w.a.CuttingText(p.CutOf(cell.Keys)).Drilling(next).String(), w.Say("view.down", "Level", w.LevelTitle(level))
}

// number writes the value of an aggregate.
func (w *view) number(index int, v decimal.NullDecimal) string {
	a := w.answer.Plan.Aggregates()[index]
	switch {
	case !v.Valid:
		return ""
	case a.IsFraction():
		return w.Share(v.Decimal)
	case a.Role == query.RolePercentage:
		return w.Change(v)
	case a.Role == query.RoleDifference:
		return signed(v.Decimal, w.Decimal(v.Decimal, a.Scale))
	}
	return w.Decimal(v.Decimal, a.Scale)
}

// exact writes an amount of the first aggregate with all its digits.
func (w *view) exact(d decimal.Decimal) string { return w.number(0, decimal.NewNullDecimal(d)) }

// bar is a row of a small chart.
type bar struct {
	key          string // of the year
	Text, Link   string
	Amount, Open string // the amount, and where it is opened
	Short        string // the amount in a figure
	Change       string // since the year before; where that is not whole, since the last one that is
	Bar          string
	Note         string // of a year that is not complete, or has no amount
	Taken        bool
	reused       []cube.LabelBreak // because of which there is no change
}

// yearBars is an answer by fiscal years as rows: also the years between that have no amount, and the rows without a year.
func (w *view) yearBars() []bar {
	var list []bar
	years, cells := w.withAmount()
	widest, early := w.widest(), w.early()
	all := append(gapYears(years), years...)
	slices.Sort(all)
	whole := int64(math.MinInt64) // the last year before that is whole
	for _, year := range all {
		made := bar{key: strconv.FormatInt(year, 10), Note: w.Say("figure.no-data")}
		if cell, ok := cells[year]; ok {
			made.Amount, made.Bar, made.Note = w.exact(cell.Values[0].Decimal), share(cell.Values[0].Decimal, widest), early[made.key]
			made.Short = w.short(0, cell.Values[0])
			if len(w.zeros(0, []int64{year})) > 0 {
				made.Note = w.Say("caveat.not-known")
			}
		}
		made.Text = made.key
		if made.Amount != "" && made.Note == "" {
			if before, ok := cells[whole]; ok {
				w.compareBar(&made, whole, before, year, cells[year])
			}
			whole = year
		}
		list = append(list, made)
	}
	for _, cell := range w.answer.Cells {
		if sum := cell.Values[0]; sum.Valid && len(cell.Keys) > 0 && cell.Keys[0].IsMissing() {
			list = append(list, bar{Text: w.Say("view.missing"), Amount: w.exact(sum.Decimal), Short: w.short(0, sum), Bar: share(sum.Decimal, widest)})
		}
	}
	return list
}

// compareBar sets the change of a year since an earlier one, unless a code of the cells means another thing in it.
func (w *view) compareBar(of *bar, earlier int64, before answer.Cell, year int64, cell answer.Cell) {
	if of.reused = w.answer.ReusedBetween(earlier, year, cell.Keys); len(of.reused) > 0 {
		of.Change = w.Say("figure.incomparable")
		return
	}
	of.Change = w.changeSince(before, cell)
	if earlier != year-1 && of.Change != "" {
		of.Change += " " + w.Say("number.from", "Year", strconv.FormatInt(earlier, 10))
	}
}

// changeSince is the change of the first amount between two cells in percent; "" where there was nothing, or less.
func (w *view) changeSince(before, cell answer.Cell) string {
	sum := before.Values[0].Decimal
	if !sum.IsPositive() {
		return ""
	}
	return w.Change(percentOf(cell.Values[0].Decimal.Sub(sum), sum))
}

// signed writes a difference with its sign.
func signed(d decimal.Decimal, text string) string {
	if d.IsPositive() {
		return "+" + text
	}
	return text
}
