package sqlgen_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/store/sqlgen"
)

// The files of testdata/cuboids are as those of testdata, but the version has a base cuboid and one by year and administration, and
// its members are those of memberTables. An answer that is known without asking has no sql.
func TestCells_FromCuboids(t *testing.T) {
	const file = "testdata/cuboids/cuboids.txt"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := answered(t, string(b), askCuboid); *update && got != string(b) {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func askCuboid(t *testing.T, question string) sqlgen.SQL {
	p := bind(t, question, &cube.LabelHistory{Breaks: []cube.LabelBreak{{Level: "admin1_code", Reused: true}}})
	c := p.Cube()
	addCuboids(c)
	statement := p.Main()
	if statement.Page().Size > 10_000 {
		t.Fatal("the passes sort it")
	}
	text, args, err := sqlgen.NewReader(memberTables(t, c)).SQL(t.Context(), statement)
	if err != nil {
		t.Fatal(err)
	}
	return sqlgen.SQL{Text: text, Args: args}
}

// addCuboids gives a version a base cuboid, and one by year and administration.
func addCuboids(c *cube.Cube) {
	c.Rows = 5000
	base := cube.Cuboid{Rows: 5000}
	for _, l := range c.Model.Levels() {
		if l.Listed {
			base.Levels = append(base.Levels, l.Index)
		}
	}
	c.Cuboids = []cube.Cuboid{base, {Number: 1, Levels: []int{0, 2, 3}, Rows: 40}}
	for i := range c.Model.Measures() {
		c.NarrowSums = append(c.NarrowSums, i < 2)
	}
}

// memberTables answers what a dictionary asks: each key has three values, so that a level has nine members at two keys. The label of a
// member of admin1_code is "old" in 2015, then "new"; any other label is the key.
func memberTables(t *testing.T, c *cube.Cube) sqlgen.Ask {
	return func(_ context.Context, s sqlgen.SQL) iter.Seq2[[]any, error] {
		i := slices.IndexFunc(c.Model.Levels(), func(l cube.Level) bool {
			return l.Listed && (strings.Contains(s.Text, sqlgen.MemberTable(c.ID, l)) || strings.Contains(s.Text, sqlgen.LabelTable(c.ID, l)))
		})
		if i < 0 {
			t.Fatal("no member table: ", s.Text)
		}
		level := c.Model.Levels()[i]
		paths := [][]any{{}}
		for _, column := range c.Model.PathOf(level) {
			values := []any{"1", "2", "10"}
			if column.Type == cube.TypeInteger {
				values = []any{int64(2015), int64(2016), int64(2017)}
			}
			if column.Missing > 0 {
				values = []any{int64(1), int64(2), nil}
			}
			var longer [][]any
			for _, path := range paths {
				for _, v := range values {
					longer = append(longer, append(slices.Clone(path), v))
				}
			}
			paths = longer
		}
		var rows [][]any
		for n, path := range paths {
			key := fmt.Sprint(path[len(path)-1])
			if strings.Contains(s.Text, sqlgen.MemberTable(c.ID, level)) {
				rows = append(rows, append(path, key, int64(n)))
				continue
			}
			for year := int64(2015); year <= 2017; year++ {
				label, meaning := key, int64(0)
				if level.Ref == "admin1_code" {
					if label = "old"; year > 2015 {
						label, meaning = "new", 1
					}
				}
				rows = append(rows, []any{int64(n), year, label, int64(n), meaning, int32(1), label})
			}
		}
		return func(yield func([]any, error) bool) {
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
}
