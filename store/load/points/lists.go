package points

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"fiscube/cube"
	"fiscube/internal/each"
)

// Rows are the rows of a code list below its header.
type Rows = iter.Seq2[[]string, error]

// mostListBytes bounds what a code list holds in memory.
const mostListBytes = 256 << 20

// list is a code list in memory.
type list struct {
	name   string
	field  string // the first that refers to it
	on     []int
	within *int
	rows   map[string][]string // by key
}

// newList reads a code list. Two rows of one key would be two meanings of a code, so that is an error.
func newList(of cube.CodeList, field string, rows Rows) (*list, error) {
	l := &list{name: of.Resource, field: field, on: of.On, within: of.List, rows: map[string][]string{}}
	size, nth, firsts := 0, 0, map[string]int{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		nth++
		kept := make([]string, len(row))
		for i, text := range row {
			if !slices.Contains(of.Missing, text) {
				kept[i] = strings.Clone(strings.TrimSpace(text))
			}
			size += len(text) + 16
		}
		key := keyOf(kept, of.Keys)
		if _, twice := l.rows[key]; twice {
			return nil, fmt.Errorf("the code list %s has the code %q twice in %s, in rows %d and %d below the header: a code has one meaning, so leave one row",
				of.Resource, shown(key), strings.Join(namesOf(of.Fields, of.Keys), ", "), firsts[key], nth)
		}
		if size += len(key); size > mostListBytes {
			return nil, fmt.Errorf("the code list %s takes more than %d MB: leave out columns that are not needed", of.Resource, mostListBytes>>20)
		}
		l.rows[key], firsts[key] = kept, nth
	}
	return l, nil
}

func namesOf(fields []cube.Field, at []int) []string {
	return each.Text(at, func(i int) string { return fields[i].ColumnName() })
}

// find gives the row that a row refers to, and the code by which it does: "" where it refers to none.
func (l *list) find(row []string) (found []string, code string) {
	code = keyOf(row, l.on)
	if strings.Trim(code, "\x00") == "" {
		return nil, ""
	}
	return l.rows[code], code
}

// keyOf joins the cells of some columns.
func keyOf(row []string, columns []int) string {
	if len(columns) == 1 {
		return strings.TrimSpace(row[columns[0]])
	}
	var key []string
	for _, c := range columns {
		key = append(key, strings.TrimSpace(row[c]))
	}
	return strings.Join(key, "\x00")
}

func shown(key string) string { return strings.ReplaceAll(key, "\x00", ", ") }
