package sqlgen

import (
	"math"
	"slices"
	"strings"

	"fiscube/cube"
)

// The columns of a cuboid are named by indexes: of the level in Model.Levels, of the measure in Model.Measures. Amounts are
// whole numbers, multiplied by 10^Column.Scale, where Column.IsScaled, else decimals.
//
//	n3    the number of the member of level 3
//	m1    in the base cuboid: the amount of measure 1, NULL where it is missing
//	s1    in the others: the sum of the amounts of measure 1, NULL where there is none
//	c1    how many amounts there are
//	l1    the least amount, NULL where there is none
//	h1    the highest amount, NULL where there is none
//	rows  how many facts there are

// CreateBase makes the table of the base cuboid; members has how many members each level has, by index. Wide columns come
// first, so that rows have no gaps.
func CreateBase(id int64, m *cube.Model, base cube.Cuboid, members []int64, types Types) string {
	var columns []string
	for i, c := range measureColumns(m) {
		columns = append(columns, numbered("m", i)+" "+amountType(c, types))
	}
	for _, level := range base.Levels {
		columns = append(columns, numbered("n", level)+" "+numberType(members[level])+" NOT NULL")
	}
	return "CREATE TABLE " + CuboidTable(id, base.Number) + " (" + strings.Join(columns, ", ") + ")" + types.Large()
}

func amountType(c cube.Column, types Types) string {
	if c.IsScaled() {
		return "bigint"
	}
	return typeOf(c, types)
}

// numberType is the narrowest type that numbers so many members.
func numberType(members int64) string {
	if members <= math.MaxInt16 {
		return "smallint"
	}
	return "integer"
}

// FactTotals asks how many rows the fact table has, and of each measure how many amounts and their sum, in text.
func FactTotals(id int64, m *cube.Model) string {
	return totalsOf(m, FactTable(id), func(_ int, c cube.Column) string { return "f." + column(c.Name) })
}

// BaseTotals asks the same of the base cuboid, whose sums are whole numbers where cube.Column.IsScaled.
func BaseTotals(id int64, m *cube.Model, base cube.Cuboid) string {
	return totalsOf(m, CuboidTable(id, base.Number), func(i int, _ cube.Column) string { return "f." + numbered("m", i) })
}

func totalsOf(m *cube.Model, table string, amount func(int, cube.Column) string) string {
	columns := []string{"CAST(count(*) AS text)"}
	for i, c := range measureColumns(m) {
		columns = append(columns, "CAST(count("+amount(i, c)+") AS text)", "CAST(sum("+amount(i, c)+") AS text)")
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + table + " AS f"
}

func measureColumns(m *cube.Model) []cube.Column {
	columns := make([]cube.Column, len(m.Measures()))
	for i, measure := range m.Measures() {
		columns[i], _ = m.Column(measure.Ref)
	}
	return columns
}

// CreateCuboid makes the table of a cuboid, filled from another one that has all its levels. empty tells which measures
// have no amount, so that none has to be added, and narrow is cube.Package.NarrowSums. It is grouped by the finest levels alone,
// whose members tell those of the others: of more, PostgreSQL expects far more groups than there are, and sorts the rows.
func CreateCuboid(id int64, m *cube.Model, empty, narrow []bool, c, from cube.Cuboid) string {
	var columns []string
	column := func(name, value string) { columns = append(columns, value+" AS "+name) }
	for i := range m.Measures() {
		amount := numbered("m", i)
		sum, count, least, highest := "sum("+amount+")", "count("+amount+")", "min("+amount+")", "max("+amount+")"
		if !from.IsBase() {
			sum, count = "sum("+numbered("s", i)+")", bigint("sum("+numbered("c", i)+")")
			least, highest = "min("+numbered("l", i)+")", "max("+numbered("h", i)+")"
		}
		switch {
		case empty[i]:
			sum, count, least, highest = bigint("NULL"), bigint("0"), bigint("NULL"), bigint("NULL")
		case narrow[i]:
			sum = bigint(sum)
		}
		column(numbered("s", i), sum)
		column(numbered("c", i), count)
		column(numbered("l", i), least)
		column(numbered("h", i), highest)
	}
	if from.IsBase() {
		column("rows", "count(*)")
	} else {
		column("rows", bigint("sum(rows)"))
	}
	levels := make([]cube.Level, len(c.Levels))
	for i, index := range c.Levels {
		levels[i] = m.Levels()[index]
	}
	finest := cube.Finest(levels)
	var by []string
	for _, level := range levels {
		name := numbered("n", level.Index)
		if slices.ContainsFunc(finest, func(f cube.Level) bool { return f.Index == level.Index }) {
			by, columns = append(by, name), append(columns, name)
		} else {
			column(name, "min("+name+")")
		}
	}
	text := "CREATE TABLE " + CuboidTable(id, c.Number) + " AS SELECT " + strings.Join(columns, ", ") + " FROM " + CuboidTable(id, from.Number)
	if len(by) > 0 {
		text += " GROUP BY " + strings.Join(by, ", ") + " ORDER BY " + strings.Join(by, ", ")
	}
	return text
}

// bigint makes a sum, which is of a wider type, a whole number of 64 bits.
func bigint(sum string) string { return "CAST(" + sum + " AS bigint)" }
