package sqlgen

import (
	"strconv"

	"fiscube/cube"
)

// Types names the column types of a store.
type Types interface {
	// Text is compared and sorted by bytes.
	Text() string
	// Decimal holds the amounts of a column exactly.
	Decimal(c cube.Column) string
	// Large is what is written behind the columns of a table that has a row for each fact.
	Large() string
}

// FactTable names the table of a version's facts. Tables are named by the catalogue's number: PostgreSQL cuts
// names at 63 bytes, and DuckDB ignores their case.
func FactTable(id int64) string { return "fact." + ident("f"+strconv.FormatInt(id, 10)) }

// MemberTable names the table of a level's members.
func MemberTable(id int64, l cube.Level) string {
	return "member." + ident("m"+strconv.FormatInt(id, 10)+"_"+strconv.Itoa(l.Index))
}

// LabelTable names the table of the labels of a level's members by year. Only a level with labels has it.
func LabelTable(id int64, l cube.Level) string {
	return "member." + ident("l"+strconv.FormatInt(id, 10)+"_"+strconv.Itoa(l.Index))
}

// CuboidSchema is where the cuboids are.
const CuboidSchema = "cuboid"

// CuboidTable names the table of a cuboid.
func CuboidTable(id int64, number int) string {
	return CuboidSchema + "." + ident("c"+strconv.FormatInt(id, 10)+"_"+strconv.Itoa(number))
}

// CreateFacts makes the table of facts: every column as published, then _resource and _line.
func CreateFacts(id int64, m *cube.Model, types Types) string {
	columns := m.Columns()
	return "CREATE TABLE " + FactTable(id) + " (" +
		list(len(columns), "", func(i int) string {
			return column(columns[i].Name) + " " + typeOf(columns[i], types) + notNull(columns[i]) + ", "
		}) + `"_resource" integer NOT NULL, "_line" bigint NOT NULL)` + types.Large()
}

// CreateMembers makes the table of a level's members: the keys of the path as p0 …, the label, the
// text to search (cube.Member.Fold), the rank, the number of rows, their first and last fiscal year, and the member's number
// (cube.Member.Number). A version without cuboids has not the last column.
func CreateMembers(id int64, m *cube.Model, l cube.Level, types Types) string {
	return "CREATE TABLE " + MemberTable(id, l) + " (" + pathColumns(m, l, types) +
		"label " + types.Text() + " NOT NULL, _fold " + types.Text() + " NOT NULL, _rank bigint, rows bigint NOT NULL, " +
		"first_year bigint, last_year bigint, _number integer NOT NULL)"
}

// CreateLabels makes the table of the labels of a level's members: the keys of the path as p0 …, the fiscal year or NULL, a
// label that rows of the year have or the empty text, its rank, the number of these rows, whether it is the label to show
// for the year, what the code means in it (cube.Label.Meaning), the text to search (cube.Label.Fold), the member's number
// (cube.Member.Number), and the label as published (cube.Label.Cell). A version that was loaded before fiscube looked for a LabelHistory has not the last three columns,
// one that was loaded before
// there were cuboids not the number.
func CreateLabels(id int64, m *cube.Model, l cube.Level, types Types) string {
	return "CREATE TABLE " + LabelTable(id, l) + " (" + pathColumns(m, l, types) +
		"_year bigint, label " + types.Text() + " NOT NULL, _rank bigint, rows bigint NOT NULL, _shown boolean NOT NULL, " +
		"_meaning bigint NOT NULL, _fold " + types.Text() + " NOT NULL, _number integer NOT NULL, _cell " + types.Text() + " NOT NULL)"
}

func pathColumns(m *cube.Model, l cube.Level, types Types) string {
	return list(len(l.Path), "", func(i int) string {
		column, _ := m.Column(l.Path[i])
		return numbered("p", i) + " " + typeOf(column, types) + notNull(column) + ", "
	})
}

func typeOf(c cube.Column, types Types) string {
	switch c.Type {
	case cube.TypeInteger:
		return "bigint"
	case cube.TypeDecimal:
		return types.Decimal(c)
	}
	return types.Text()
}

// notNull writes NOT NULL for text: a missing text cell is the empty string, while a missing number is NULL.
func notNull(c cube.Column) string {
	if c.Type == cube.TypeText {
		return " NOT NULL"
	}
	return ""
}

// DropTables lists the SQL that removes the tables of a version, one text for each table.
func DropTables(version *cube.Cube) []string {
	id := version.ID
	tables := []string{FactTable(id)}
	for _, l := range version.Model.Levels() {
		if l.Listed {
			tables = append(tables, MemberTable(id, l))
		}
		if l.HasLabels() {
			tables = append(tables, LabelTable(id, l))
		}
	}
	for _, c := range version.Cuboids {
		tables = append(tables, CuboidTable(id, c.Number))
	}
	for i, table := range tables {
		tables[i] = "DROP TABLE IF EXISTS " + table
	}
	return tables
}
