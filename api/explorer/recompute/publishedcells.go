package recompute

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fiscube/cube"
	"fiscube/cube/fdp"
)

// publishedCells writes the cells of a file, or of one of the data points that its rows are.
type publishedCells struct {
	resource  string // the name of the file
	header    []string
	published *cube.Resource
	point     *cube.Point // nil where rows are data points
}

// text writes a cell, null where it is missing; "" where it cannot be written: the file has no such field, or several whose names DuckDB
// holds for one.
func (p publishedCells) text(field string) string {
	at := p.published.Field(field)
	if at < 0 {
		return p.column(field)
	}
	f := p.published.Schema.Fields[at]
	if p.point == nil {
		return p.typedColumn(f, false)
	}
	switch c := p.point.Cells[at]; c.From {
	case cube.OriginColumn:
		column := p.published.Points.File[c.Column]
		if column.DecimalChar != "" && f.DecimalChar != "" && !column.NumbersAs(f) {
			return ""
		}
		if f.Type == "year" {
			return p.yearOf(column, f)
		}
		return p.typedColumn(column, false)
	case cube.OriginConstant:
		if year, ok := cube.FiscalYearInColumn(c.Text, f.YearByStart); ok && f.Type == "year" && f.Format == "" {
			return text(strconv.FormatInt(year, 10))
		}
		isYear := f.Type == "year" && f.Format != ""
		if isYear { // that of a date in this format
			f.Type = "date"
		}
		if isPlain(c.Text) && c.Text != "" {
			return typed(text(c.Text), f, isYear)
		}
	case cube.OriginList:
		return p.listed(c.List, c.Column)
	}
	return ""
}

// yearOf writes the fiscal year of a cell of a column: that of a date, or that which a text names.
func (p publishedCells) yearOf(column, year cube.Field) string {
	switch column.Type {
	case "date", "datetime", "time", "yearmonth":
		if year.YearStart > 1 {
			return ""
		}
		return p.typedColumn(column, true)
	}
	cell := p.column(column.ColumnName(), column.Missing...)
	if cell == "" {
		return ""
	}
	return named(cell, year.YearByStart)
}

// named writes the number of the fiscal year that a text names in four digits, in two, or as a span of two years that follow each other, as
// cube.FiscalYear reads it. At any other text, such as a year of another calendar, the command ends with an error.
func named(cell string, byStart bool) string {
	const form = `'^[^0-9]*([0-9]{4}|[0-9]{2})(?: ?[-/–—−_] ?(?:FY)?([0-9]{4}|[0-9]{2}))?(?:[.]0)?$'`
	digits := "regexp_extract(" + cell + ", " + form + ", 1)"
	year := fmt.Sprintf("(CAST(%[1]s AS BIGINT) + CASE WHEN strlen(%[1]s) = 4 THEN 0 WHEN %[1]s >= '70' THEN 1900 ELSE 2000 END", digits)
	if !byStart {
		year += " + CASE WHEN regexp_extract(" + cell + ", " + form + ", 2) = '' THEN 0 ELSE 1 END"
	}
	return fmt.Sprintf("CASE WHEN %[1]s IS NULL THEN NULL WHEN NOT regexp_matches(%[1]s, %[2]s) OR strlen(%[3]s) = 4 AND %[3]s >= '2400' OR "+
		"regexp_matches(lower(replace(%[1]s, '.', '')), '(^|[^a-z])(be|bs)([^a-z]|$)') THEN error('a year of another form: ' || %[1]s) ELSE CAST(%[4]s) AS VARCHAR) END", cell, form, digits, year)
}

// typedColumn writes a cell of the column of a field, or the year of such a date.
func (p publishedCells) typedColumn(f cube.Field, ofYear bool) string {
	cell := p.column(f.ColumnName(), f.Missing...)
	if cell == "" {
		return ""
	}
	return typed(cell, f, ofYear)
}

// column writes a cell of a column as it is; more means missing there alone.
func (p publishedCells) column(name string, more ...string) string {
	if !isOne(p.header, name) || !isPlain(name) {
		return ""
	}
	cell := `nullif(` + quoted(name) + `, '')`
	for _, marker := range slices.Concat(p.published.Schema.MissingValues, more) {
		if !isPlain(marker) {
			return ""
		}
		if marker != "" {
			cell = "nullif(" + cell + ", " + text(marker) + ")"
		}
	}
	return cell
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// isOne tells whether one column has a name, as DuckDB compares names.
func isOne(header []string, name string) bool {
	same := 0
	for _, other := range header {
		if strings.EqualFold(other, name) {
			same++
		}
	}
	return same == 1 && slices.Contains(header, name)
}

// typed writes what a load makes of the cells of a type, or the year of these dates; "" where DuckDB cannot.
func typed(cell string, f cube.Field, ofYear bool) string {
	switch f.Type {
	case "number", "integer":
		if f.Decorated { // what package points does: the number alone, with a sign that stands before it
			const number = `'(?:(?:^|[^\pL0-9])([.,]?[0-9](?:.*[0-9])?)|([0-9](?:.*[0-9])?))'`
			return fmt.Sprintf("(CASE WHEN regexp_matches(%[1]s, '^[^0-9]*[-−]|[0-9]\\s*[-−][^0-9]*$|^[^0-9]*[(][^0-9]*[0-9].*[)][^0-9]*$|[0-9]\\s*[Cc][Rr][.]?\\s*$') THEN '-' ELSE '' END || regexp_extract(%[1]s, %[2]s, 1) || regexp_extract(%[1]s, %[2]s, 2))", cell, number)
		}
	case "boolean":
		if f.True != nil || f.False != nil {
			return ""
		}
		return fmt.Sprintf("CASE WHEN %[1]s IN ('true', 'True', 'TRUE', '1') THEN 'true' WHEN %[1]s IN ('false', 'False', 'FALSE', '0') THEN 'false' ELSE %[1]s END", cell)
	case "date":
		iso := "%Y-%m-%d"
		if ofYear {
			iso = "%Y"
		}
		switch {
		case f.Format == "" || f.Format == "default":
			return fmt.Sprintf("left(%s, %d)", cell, len(strings.NewReplacer("%Y", "2016", "%m", "12", "%d", "31").Replace(iso)))
		case !isPlain(f.Format) || !strings.Contains(f.Format, "%"):
			return ""
		}
		return fmt.Sprintf("strftime(strptime(%s, %s), '%s')", cell, text(strings.TrimPrefix(f.Format, "fmt:")), iso)
	case "datetime", "time", "yearmonth":
		return ""
	}
	return cell
}

// listed writes a cell of the row of a code list that a row refers to.
func (p publishedCells) listed(list, column int) string {
	l := p.published.Points.Lists[list]
	encoding, ok := fdp.Encoding(l.Encoding)
	if len(l.On) != 1 || l.Packed != "" || l.Data != nil || l.IsWorkbook() || !ok || encoding != fdp.UTF8 || fdp.IsURL(l.Path) || !isPlain(l.Path) || strings.ContainsAny(l.Path, "*?[]{}") ||
		l.Dialect.Delimiter != "" && l.Dialect.Delimiter != "," || len(l.Missing) > 1 {
		return ""
	}
	on := ""
	if l.List != nil {
		on = p.listed(*l.List, l.On[0])
	} else if name := p.published.Points.File[l.On[0]].ColumnName(); isOne(p.header, name) && isPlain(name) {
		on = "cells." + quoted(name)
	}
	key, value := l.Fields[l.Keys[0]].ColumnName(), l.Fields[column].ColumnName()
	if on == "" || !isPlain(key) || !isPlain(value) {
		return ""
	}
	return fmt.Sprintf("(SELECT nullif(trim(l%[1]d.%[2]s), '') FROM read_csv(%[3]s, all_varchar=true, header=true) AS l%[1]d WHERE trim(l%[1]d.%[4]s) = trim(%[5]s))",
		list, quoted(value), text(l.Path), quoted(key), on)
}
