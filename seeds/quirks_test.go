//go:build cgo

package seeds_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"fiscube/internal/golden"
	"fiscube/seeds"
)

// several asks how many members, identified by the key fields, have several values in a field.
var several = regexp.MustCompile(`^several (.+?) per (.+?)( where .*)?$`)

// Irregularities of the published datasets that the example packages must have too, and numbers that the tests of other packages may
// rely on, are in testdata/quirks. The table budget has the cells of all files as texts, and the name of their file; what is missing is
// an empty text.
func TestPackages_HaveTheQuirksOfThePublishedOnes(t *testing.T) {
	for _, s := range seeds.All() {
		t.Run(s.Name, func(t *testing.T) {
			db, err := sql.Open("duckdb", "")
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.Exec(`CREATE TABLE budget AS SELECT coalesce(COLUMNS(* EXCLUDE filename), ''), parse_filename(filename) AS file
				FROM read_csv(?, delim = ',', quote = '"', escape = '"', header = true, all_varchar = true, union_by_name = true, filename = true)`,
				s.Name+"/data/*.csv"); err != nil {
				t.Fatal(err)
			}
			golden.Answers(t, "testdata/quirks/"+s.Name+".txt", func(question string) string {
				rows, err := db.Query(several.ReplaceAllString(question,
					"SELECT count(*) FROM (SELECT 1 FROM budget $3 GROUP BY $2 HAVING count(DISTINCT $1) > 1)"))
				if err != nil {
					return err.Error()
				}
				return texts(t, rows)
			})
		})
	}
}

// texts writes a row a line.
func texts(t *testing.T, rows *sql.Rows) string {
	t.Helper()
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for rows.Next() {
		values, cells := make([]any, len(columns)), make([]string, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		for i, value := range values {
			cells[i] = fmt.Sprint(*value.(*any))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return strings.Join(lines, "\n")
}
