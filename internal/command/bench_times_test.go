package command

import (
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"fiscube/cube"
	"fiscube/cube/query"
	"fiscube/internal/bench"
	"fiscube/internal/each"
	"fiscube/seeds"
)

// With --times there are so many times the rows, and the counts and sums of each year are those of the year that it was shifted
// from, also where statements repeat money. Answers and plain SQL agree, once in every example, and later years in one whose
// statements repeat money and in one that has none.
func TestBench_Times(t *testing.T) {
	const times = 3
	for _, seed := range seeds.All() {
		t.Run(seed.Name, func(t *testing.T) {
			once, many := byYear(t, seed, 1), byYear(t, seed, times)
			if many.rows != times*once.rows {
				t.Errorf("%d rows are loaded %d times and are %d", once.rows, times, many.rows)
			}
			if len(once.cells) == 0 || len(many.cells) != times*len(once.cells) {
				t.Errorf("%d years are %d", len(once.cells), len(many.cells))
			}
			span := once.last - once.first + 1
			for year, want := range once.cells {
				for k := range int64(times) {
					if got := many.cells[year+k*span]; !reflect.DeepEqual(got, want) {
						t.Errorf("%d has %v, and %d %v", year+k*span, got, year, want)
					}
				}
			}
		})
	}
}

// amountsByYear are the answers of a package, year by year.
type amountsByYear struct {
	rows, first, last int64
	cells             map[int64]map[string]any // without the year
}

// byYear loads a seed so many times and asks for all its amounts by year.
func byYear(t *testing.T, seed seeds.Seed, times int64) amountsByYear {
	t.Helper()
	b, mix := loadedBench(t, inMemory, seed, times)
	if times == 1 || seed.Name == "example-croatia" || seed.Name == "example-costa-rica-ingresos" {
		for _, q := range mix {
			compareWithSQL(t, b, q)
		}
	}
	year, _ := b.Cube.Model.YearLevel()
	aggregates := each.Text(b.Cube.Model.Measures(), func(m cube.Measure) string { return query.QuoteName(m.Ref) + ".sum" })
	q := bench.Question{Given: map[string]string{
		"drilldown": query.QuoteName(year.Ref), "aggregates": strings.Join(append(aggregates, "_count"), "|"),
	}}
	body, err := b.Get(t.Context(), q.Path())
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Cells []map[string]any }
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	result := amountsByYear{rows: b.Cube.Rows, cells: map[int64]map[string]any{}}
	result.first, result.last, _ = b.Cube.Years()
	for _, cell := range answer.Cells {
		number, err := strconv.ParseInt(textOf(cell[year.Ref]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		delete(cell, year.Ref)
		result.cells[number] = cell
	}
	return result
}

func TestBench_RefusesTimes(t *testing.T) {
	for _, tt := range []struct {
		times string
		code  int
		want  string
	}{
		{"0", exitUsage, "--times is a number from 1 up"},
		{"9000", exitRefused, "cannot be read 9000 times"},
	} {
		var said strings.Builder
		line := []string{"--db", "duckdb:" + t.TempDir() + "/own.duckdb", "bench", "../../seeds/example-croatia", "--times", tt.times}
		if code := Run(t.Context(), line, io.Discard, &said); code != tt.code || !strings.Contains(said.String(), tt.want) {
			t.Errorf("--times %s: exit code %d\n%s", tt.times, code, said.String())
		}
	}
}
