package storetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// baseCuboid compares the base cuboid of a package with the rows of the CSV files: grouped by each of its levels, it has to have the number of
// rows, and the sum, number, least and highest of the amounts of each measure.
func (e *examination) baseCuboid() {
	if len(e.version.Cuboids) != 1 {
		e.Fatalf("the version has the cuboids %+v", e.version.Cuboids)
	}
	base := e.version.Cuboids[0]
	if rows := e.stored(base, "'' || ''", "count(*)")[0][1]; rows != fmt.Sprint(base.Rows) || !slices.IsSorted(base.Levels) {
		e.Errorf("cuboid %+v has %s rows", base, rows)
	}
	e.sameTotals(base, "'' || ''", e.totals(func(row) string { return "" }))
	for _, l := range e.version.Model.Levels() {
		if !l.Listed {
			continue
		}
		byPath := e.totals(func(r row) string { return pathText(e.adder.fields(r, l.Path...)) })
		byNumber := map[string]*total{}
		for path, number := range e.numbers(l) {
			byNumber[number] = byPath[path]
		}
		if len(byNumber) != len(byPath) {
			e.Errorf("%s: %d members are numbered, there are %d", l.Ref, len(byNumber), len(byPath))
			continue
		}
		e.sameTotals(base, fmt.Sprintf("n%d", l.Index), byNumber)
	}
}

// numbers gives the number of each member of a level by its path, and checks that they number the members in the order of
// their paths.
func (e *examination) numbers(l cube.Level) map[string]string {
	e.Helper()
	model := e.version.Model
	columns := model.PathOf(l)
	text := "SELECT CAST(_number AS text) AS number" // Citus would sort by a text of the name _number
	for i := range columns {
		text += fmt.Sprintf(", CAST(p%d AS text)", i)
	}
	numbers, before := map[string]string{}, []cube.Value(nil)
	for i, r := range e.query(text + " FROM " + sqlgen.MemberTable(e.version.ID, l) + " AS m ORDER BY m._number") {
		if r[0] != fmt.Sprint(i) {
			e.Fatalf("%s: member %d has the number %s", l.Ref, i, r[0])
		}
		path := make([]cube.Value, len(columns))
		for j, c := range columns {
			var err error
			if path[j], err = c.Value(r[j+1]); err != nil {
				e.Fatal(err)
			}
		}
		if before != nil && e.comparePaths(columns, before, path) >= 0 {
			e.Errorf("%s: %q has a lower number than %q", l.Ref, texts(before), texts(path))
		}
		before, numbers[pathText(path)] = path, r[0]
	}
	return numbers
}

func (e *examination) comparePaths(columns []cube.Column, x, y []cube.Value) int {
	for i, c := range columns {
		order := missingLast(x[i], y[i], false, func(x, y cube.Value) int { return e.adder.compareKeys(c, x, y) })
		if order != 0 {
			return order
		}
	}
	return 0
}

// total is what rows add up to.
type total struct {
	rows    int64
	amounts []amountTotal // by measure
}

type amountTotal struct {
	count               int64
	sum, least, highest decimal.Decimal
}

// totals adds the rows up by group.
func (e *examination) totals(group func(row) string) map[string]*total {
	totals := map[string]*total{}
	measures := e.version.Model.Measures()
	for _, r := range e.adder.rows {
		id := group(r)
		t, ok := totals[id]
		if !ok {
			t = &total{amounts: make([]amountTotal, len(measures))}
			totals[id] = t
		}
		t.rows++
		for i, m := range measures {
			if amount, ok := e.adder.amount(r, m.Ref); ok {
				t.amounts[i].add(amount)
			}
		}
	}
	return totals
}

func (t *amountTotal) add(amount decimal.Decimal) {
	if t.count == 0 {
		t.least, t.highest = amount, amount
	}
	t.count++
	t.sum, t.least, t.highest = t.sum.Add(amount), decimal.Min(t.least, amount), decimal.Max(t.highest, amount)
}

// sameTotals compares the totals of a cuboid, grouped by an expression, with others by its values.
func (e *examination) sameTotals(c cube.Cuboid, column string, want map[string]*total) {
	e.Helper()
	model := e.version.Model
	expressions := []string{"count(*)"}
	for i := range model.Measures() {
		expressions = append(expressions, strings.Split(fmt.Sprintf("sum(m%[1]d), count(m%[1]d), min(m%[1]d), max(m%[1]d)", i), ", ")...)
	}
	stored := e.stored(c, column, expressions...)
	if len(stored) != len(want) {
		e.Errorf("cuboid %+v has %d groups by %s, want %d", c, len(stored), column, len(want))
		return
	}
	for _, r := range stored {
		t := want[r[0]]
		got, expected := strings.Join(r[1:], " "), e.shownTotal(t, r[1:])
		if got != expected {
			e.Errorf("cuboid %+v by %s %s: %s, want %s", c, column, r[0], got, expected)
			return
		}
	}
}

// query asks the store in SQL.
func (e *examination) query(text string) [][]string {
	e.Helper()
	store := e.Store
	if r, ok := store.(*remembering); ok {
		store = r.Store
	}
	return e.place.Query(e.T, store, text)
}

// stored asks a cuboid for a column and for expressions, grouped by the column.
func (e *examination) stored(c cube.Cuboid, column string, expressions ...string) [][]string {
	e.Helper()
	expressions = slices.Insert(expressions, 0, column)
	for i, x := range expressions {
		expressions[i] = "CAST(" + x + " AS text)"
	}
	return e.query("SELECT " + strings.Join(expressions, ", ") + " FROM " + sqlgen.CuboidTable(e.version.ID, c.Number) + " GROUP BY " + column)
}

// shownTotal writes a total as a cuboid has it. Amounts that are no whole numbers are compared as numbers: those of got that
// are equal are written in the same way.
func (e *examination) shownTotal(t *total, got []string) string {
	if t == nil {
		return "no such member"
	}
	want := []string{fmt.Sprint(t.rows)}
	for i, a := range t.amounts {
		column, _ := e.version.Model.Column(e.version.Model.Measures()[i].Ref)
		for j, amount := range []decimal.Decimal{a.sum, decimal.NewFromInt(a.count), a.least, a.highest} {
			if a.count == 0 && j != 1 {
				want = append(want, "")
				continue
			}
			if column.IsScaled() && j != 1 {
				amount = amount.Shift(int32(column.Scale))
			}
			text := amount.String()
			if d, err := decimal.NewFromString(got[len(want)]); err == nil && d.Equal(amount) {
				text = got[len(want)]
			}
			want = append(want, text)
		}
	}
	return strings.Join(want, " ")
}
