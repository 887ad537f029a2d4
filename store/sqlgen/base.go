package sqlgen

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/plan"
	"fiscube/store/dictionary"
)

// The columns of the base cuboid are named by indexes: of the level in Model.Levels, of the measure in Model.Measures. Amounts are
// whole numbers, multiplied by 10^Column.Scale, where Column.IsScaled, else decimals.
//
//	n3    the number of the member of level 3
//	m1    the amount of measure 1, NULL where it is missing

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

// BaseGroups asks the base cuboid for groups, at most so many, of the rows that pass a condition: for each the numbers of its members of the
// levels, of which the finest tell those of the others, and the parts, each of the rows that pass its own condition. Sums that fit in 64 bits
// are such numbers.
func BaseGroups(c *cube.Cube, levels []cube.Level, parts []plan.Part, where dictionary.Condition, only []dictionary.Condition, most int) SQL {
	r, finest := &renderer{}, cube.Finest(levels)
	var by []string
	columns := make([]string, 0, len(levels)+len(parts))
	for _, level := range levels {
		name := numbered("f.n", level.Index)
		if slices.ContainsFunc(finest, func(f cube.Level) bool { return f.Index == level.Index }) {
			by, columns = append(by, name), append(columns, name)
		} else {
			columns = append(columns, "min("+name+")")
		}
	}
	for i, p := range parts {
		text := "count(*)"
		measure := slices.IndexFunc(c.Model.Measures(), func(m cube.Measure) bool { return m.Ref == p.Measure })
		if p.Func != cube.Rows {
			text = string(p.Func) + "(" + numbered("f.m", measure) + ")"
		}
		if only != nil && only[i].Op != dictionary.Every {
			text += " FILTER (WHERE " + r.numbers(only[i]) + ")"
		}
		if p.Func == cube.Sum && c.HasNarrowSums(measure) {
			text = "CAST(" + text + " AS bigint)"
		}
		columns = append(columns, text)
	}
	r.write("SELECT ", strings.Join(columns, ", "), " FROM ", CuboidTable(c.ID, 0), " AS f")
	if where.Op != dictionary.Every {
		r.write(" WHERE ", r.numbers(where))
	}
	if len(by) > 0 {
		r.write(" GROUP BY ", strings.Join(by, ", "))
	}
	r.write(" LIMIT ", strconv.Itoa(most))
	return r.sql()
}

// SelectBase asks for all rows of the base cuboid: the numbers of the members of its levels, then the amounts of the measures.
func SelectBase(c *cube.Cube) SQL {
	base := c.Cuboids[0]
	n := len(base.Levels)
	return SQL{Text: "SELECT " + list(n+len(c.Model.Measures()), ", ", func(i int) string {
		if i < n {
			return numbered("n", base.Levels[i])
		}
		return numbered("m", i-n)
	}) + " FROM " + CuboidTable(c.ID, base.Number)}
}
