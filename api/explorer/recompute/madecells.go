package recompute

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
	"fiscube/internal/fold"
	"fiscube/internal/tidy"
)

// made writes the cell of a column that a load makes of published cells, as store/load does; "" where it cannot be written.
func (p publishedCells) made(column cube.Column) string {
	from := column.From
	if from == nil {
		return p.textOrNull(column.Name)
	}
	cells := each.Text(from.Fields, p.textOrNull)
	if slices.Contains(cells, "") {
		return ""
	}
	switch from.Rule {
	case cube.RuleCell:
		return cells[0]
	case cube.RuleKey:
		return tidied(cells[0])
	case cube.RuleCode:
		return codeOf(cells[0])
	case cube.RulePrefix:
		return beginning(from, cells)
	case cube.RuleResource:
		if match := regexp.MustCompile(from.Pattern).FindStringSubmatch(p.resource); len(match) > 1 && isPlain(match[1]) {
			return text(match[1])
		}
	case cube.RuleEdition:
		var whens strings.Builder
		for _, first := range slices.Backward(from.Years) {
			fmt.Fprintf(&whens, " WHEN CAST(%s AS BIGINT) >= %[2]d THEN '%[2]d'", cells[0], first)
		}
		return "CASE" + whens.String() + " END"
	}
	return ""
}

// codeOf writes the code of a cell that may join it and a label.
func codeOf(cell string) string {
	return "coalesce(nullif(regexp_extract(" + cell + ", " + text(joinedCell) + ", 1), ''), " + tidied(cell) + ")"
}

// beginning writes the first digits or parts of the code in the last of some cells, where the one before it is missing; "" where it cannot be written.
func beginning(from *cube.Derivation, cells []string) string {
	if !isPlain(from.Suffix) || !isPlain(from.Between) {
		return ""
	}
	code := cells[len(cells)-1]
	made := fmt.Sprintf("CASE WHEN strlen(%s) = %d THEN left(%s, %d) || %s END", code, from.Length, code, from.Digits, text(from.Suffix))
	if from.Between != "" {
		made = fmt.Sprintf("array_to_string(string_split(%s, %s)[1:%d], %s)", codeOf(code), text(from.Between), from.Parts, text(from.Between))
	}
	if len(cells) > 1 {
		return "coalesce(" + cells[0] + ", " + made + ")"
	}
	return made
}

// space is what unicode.IsSpace tells, as a regular expression of DuckDB.
const space = `[\pZ\t-\r\x{85}]`

// joinedCell is how tidy.Split splits.
const joinedCell = `^` + space + `*(\d[\d.]*)(` + space + `*-` + space + `*|` + space + `+)[^\pZ\t-\r\x{85}]*\pL`

// tidied writes a cell without what nobody sees of it (tidy.Key).
func tidied(cell string) string {
	return "nullif(nfc_normalize(regexp_replace(replace(" + cell + ", chr(160), ' '), " + text("^"+space+"+|"+space+"+$") + ", '', 'g')), '')"
}

// has tells whether the file has a field.
func (p publishedCells) has(field string) bool {
	return p.published.Field(field) >= 0
}

// textOrNull writes a cell, null of a field that other files have alone.
func (p publishedCells) textOrNull(field string) string {
	if !p.has(field) && !slices.Contains(p.header, field) {
		return "NULL"
	}
	return p.text(field)
}

// firstOf writes the first amount of several fields that is not missing, as far as the file has them.
func (p publishedCells) firstOf(column cube.Column) string {
	var list []string
	for _, field := range column.From.Fields {
		if !p.has(field) {
			continue
		}
		amount := p.amount(field, column.Scale)
		if amount == "" {
			return ""
		}
		list = append(list, amount)
	}
	if len(list) == 0 {
		return fmt.Sprintf("CAST(NULL AS DECIMAL(38,%d))", column.Scale)
	}
	return "coalesce(" + strings.Join(list, ", ") + ")"
}

// where writes the amount of the rows whose qualifiers are those of the column.
func (p publishedCells) where(column cube.Column) string {
	amount := p.amount(column.From.Fields[0], column.Scale)
	if amount == "" {
		return ""
	}
	var conditions []string
	for i, field := range column.From.Fields[1:] {
		cell := p.textOrNull(field)
		var words []string
		for _, value := range column.From.CellsOf(i) {
			switch {
			case cell == "" || !isPlain(value):
				return ""
			case value == "":
				words = append(words, tidied(cell)+" IS NULL")
			default:
				words = append(words, tidied(cell)+" = "+text(value))
			}
		}
		conditions = append(conditions, joined(words, " OR "))
	}
	return "CASE WHEN " + strings.Join(conditions, " AND ") + " THEN " + amount + " END"
}

// mayMark tells whether a text may be what a load writes for a marker, however that is spelled in the file.
func mayMark(column cube.Column, text string) bool {
	return slices.ContainsFunc(column.Markers, func(marker string) bool {
		return strings.HasPrefix(fold.Text(tidy.Label(text)), fold.Text(tidy.Label(marker)))
	})
}
