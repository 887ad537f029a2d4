package reading

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"fiscube/api/explorer/selection"
	"fiscube/cube"
	"fiscube/cube/answer"
	"fiscube/cube/caveat"
	"fiscube/cube/plan"
	"fiscube/cube/prose"
	"fiscube/cube/query"
	"fiscube/internal/each"
)

// Table is the cells of an answer as rows. The members of each drilled level have a column, with those above them that are not fixed.
type Table struct {
	Caption string
	Gaps    string // which years are missing, if its rows are years
	Levels  []Column
	Values  []Column
	Rows    []Row
	Total   []Value // of all cells, on other pages too
	// TotalText heads the total.
	TotalText string
}

// TableOf makes the rows of an answer, of which what is gone may stand apart; nil of one that is broken down by nothing.
func TableOf(r *Reading, cells []answer.Cell) *Table {
	if len(r.Plan.Steps()) == 0 {
		return nil
	}
	t := &Table{Caption: r.Say("view.cells", "Count", r.RowCount()), TotalText: r.Say("view.total")}
	levels, columns := LevelColumns(r), Columns(r)
	if len(levels) == 1 && levels[0].Level.Ref == selection.YearColumn(r.Cube.Model).Name {
		t.Gaps = Gaps(r)
	}
	t.Levels = HeadsOf(levels, func(l cube.Level) Column { return headOfLevel(r, l) })
	t.Values = append(t.Values, each.Of(columns, func(i int) Column { return headOf(r, i) })...)
	widest := r.Widest()
	for _, cell := range cells {
		t.Rows = append(t.Rows, rowOf(r, cell, levels, columns, widest))
	}
	for _, i := range columns {
		t.Total = append(t.Total, valueOf(r, i, r.Answer.Summary.Values[i], r.Plan.Years()))
	}
	t.dropEmpty(func(i int) bool {
		return columns[i] == r.ShareIndex() || caveat.IsRate(r.Plan.Aggregates()[columns[i]]) || r.IsUnknown(columns[i], r.Plan.Years())
	})
	for i := range t.Values {
		t.Values[i].Widest = t.Total[i].Text
		for _, row := range t.Rows {
			if text := row.Values[i].Text; utf8.RuneCountInString(text) > utf8.RuneCountInString(t.Values[i].Widest) {
				t.Values[i].Widest = text
			}
		}
	}
	return t
}

// valueOf writes the value of an aggregate as a cell of a table, or nothing where it would take zeros for amounts that are not known.
func valueOf(r *Reading, index int, amount decimal.NullDecimal, years []int64) (v Value) {
	if index > 0 {
		v.Head = TitleOfColumn(r, index)
	}
	if !r.IsUnknown(index, years) {
		v.Text, v.Negative = r.Number(index, amount), amount.Valid && amount.Decimal.IsNegative()
	}
	return v
}

// Column is the head of a column. Its link sorts by it.
type Column struct {
	Title, Link string
	Sorted      string   // ascending, descending or other, as a table says it (aria-sort), or ""
	Hint        string   // what the link does
	Widest      string   // of the numbers in the column: it has their width before all rows are there
	Above       []Column // the levels above, whose members stand under the names of this one
}

// Row is a cell.
type Row struct {
	Members []Member
	Values  []Value
	Others  bool
}

// rowOf is one cell as a row.
func rowOf(r *Reading, cell answer.Cell, levels []LevelColumn, columns []int, widest decimal.Decimal) Row {
	made := Row{Others: cell.Others > 0, Members: r.Members(cell, levels)}
	last := &made.Members[len(made.Members)-1]
	if last.Label != "" {
		last.Down, last.Hint = r.Below(cell)
	}
	if made.Others {
		message := "view.others"
		if cell.Change == answer.ChangeGone {
			message = "figure.gone-ones"
		}
		*last = Member{Label: r.Say(message, "Count", cell.Others), Down: r.AllRows().String()}
	}
	for _, i := range columns {
		v := valueOf(r, i, cell.Values[i], r.YearsOfCell(cell))
		if i == 0 && cell.Values[0].Valid && !made.Others {
			v.Bar, v.Link = BarOf(cell.Values[0].Decimal, widest), r.Opening(cell)
		}
		if r.Plan.Aggregates()[i].Role == query.RolePercentage && !r.IsUnknown(i, r.YearsOfCell(cell)) {
			v.Text = cmp.Or(r.Changed(cell), v.Text)
		}
		made.Values = append(made.Values, v)
	}
	return made
}

// Value is a number of a row.
type Value struct {
	Head     string // of its column, where a small screen shows it beside the number
	Text     string
	Link     string // opens the number
	Bar      string // how wide its bar is, in percent of the widest; "" for none
	Negative bool
}

// dropEmpty leaves out columns in which no row and no total has anything.
func (t *Table) dropEmpty(may func(column int) bool) {
	for i := len(t.Values) - 1; i > 0; i-- {
		if !may(i) || t.Total[i].Text != "" || slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Values[i].Text != "" }) {
			continue
		}
		t.Values, t.Total = slices.Delete(t.Values, i, i+1), slices.Delete(t.Total, i, i+1)
		for j := range t.Rows {
			t.Rows[j].Values = slices.Delete(t.Rows[j].Values, i, i+1)
		}
	}
}

// Columns lists the aggregates that have a column: what is asked, and of a comparison the value before and the change of the
// first one, with the difference if a comparison was asked for. The share is next to its amount, which small screens have room for;
// a change is of the amounts alone.
func Columns(r *Reading) []int {
	var list []int
	ofChange := r.Kind() == selection.AsChange
	for i, a := range r.Plan.Aggregates() {
		ofMain := r.IsOfMain(a)
		if ofChange && i > 0 && a.Measure == "" {
			continue
		}
		if a.Role == "" || ofMain && (a.Role != query.RoleDifference || r.Address.Query.Compare != nil || ofChange) {
			list = append(list, i)
		}
	}
	if share := slices.Index(list, r.ShareIndex()); share > 1 {
		list = slices.Insert(slices.Delete(list, share, share+1), 1, r.ShareIndex())
	}
	return list
}

// LevelColumn is a level with a column, and the levels above it that are shown in the same column.
type LevelColumn struct {
	Level cube.Level
	Above []cube.Level
}

// LevelColumns are the levels with a column. Subtotals, which are of a level above, have a column for each.
func LevelColumns(r *Reading) (list []LevelColumn) {
	var above []cube.Level
	shown := r.Shown()
	for i, level := range shown {
		if i+1 < len(shown) && slices.Contains(shown[i+1].Path, level.Ref) && !r.Plan.Rollup() {
			above = append(above, level)
			continue
		}
		list, above = append(list, LevelColumn{level, above}), nil
	}
	return list
}

// HeadsOf are the heads of the columns of levels.
func HeadsOf(levels []LevelColumn, headOf func(cube.Level) Column) (list []Column) {
	for _, l := range levels {
		head := headOf(l.Level)
		head.Above = append(head.Above, each.Of(l.Above, headOf)...)
		list = append(list, head)
	}
	return list
}

// SortedBy says how the rows are sorted, if they are by the column or by a level above that shares it.
func (c Column) SortedBy() string {
	for _, head := range append([]Column{c}, c.Above...) {
		if head.Sorted != "" {
			return head.Sorted
		}
	}
	return ""
}

// headOfLevel is the head of the column of a level.
func headOfLevel(r *Reading, level cube.Level) Column {
	name, by := level.LabelRef, plan.ByLabel
	if name == "" {
		name, by = level.Ref, plan.ByKey
	}
	return head(r, r.LevelTitle(level), query.Order{Ref: query.Ref{Name: name}}, by, query.QuoteName(name))
}

// headOf is the head of the column of an aggregate.
func headOf(r *Reading, index int) Column {
	a, title := r.Plan.Aggregates()[index], TitleOfColumn(r, index)
	orders, err := query.ParseOrder(a.Name)
	if err != nil {
		return Column{Title: title}
	}
	return head(r, title, orders[0], plan.ByAggregate, a.Name)
}

// TitleOfColumn names an aggregate.
func TitleOfColumn(r *Reading, index int) string {
	switch a := r.Plan.Aggregates()[index]; {
	case a.Func == cube.Share:
		return r.Say("view.share")
	case a.Role == query.RoleEarlier:
		return earlier(r)
	case a.Role == query.RolePercentage:
		return r.Say("view.change")
	case a.Role == query.RoleDifference:
		return r.Say("compare.difference")
	default:
		return prose.AggregateTitle(r.Plan, a, r.Language)
	}
}

// earlier names the year that is compared with.
func earlier(r *Reading) string {
	if year, ok := r.ComparedYear(); ok {
		return r.Say("view.earlier", "Year", strconv.FormatInt(year, 10))
	}
	return r.Say("view.earlier-year")
}

// head links the head of a column to the same rows in its order, or in the reverse one.
func head(r *Reading, title string, order query.Order, by plan.SortBy, name string) Column {
	p := r.Plan
	made := Column{Title: title}
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
	direction := r.Say("view.ascending")
	if order.Desc {
		direction = r.Say("view.descending")
	}
	made.Hint = r.Say("view.sort-by", "Column", title) + ", " + direction
	made.Link = r.Address.Asking(func(q *query.Query) { q.Order = []query.Order{order} }).String()
	return made
}
