package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/internal/bench"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/sqlgen"
)

// The plain SQL of each question gives the sums of its answer, and the mix has every kind.
func TestBench_SameSums(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	for name, address := range map[string]func() string{
		"duckdb": func() string { return "duckdb::memory:" }, "postgres": func() string { return postgrestest.DSN(t) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := store.Open(t.Context(), address(), quiet)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			server := httptest.NewServer(api.New(s, api.Options{Log: quiet}))
			defer server.Close()
			kinds := map[string]int{}
			for _, seed := range seeds.All() {
				if name == "postgres" && seed.Name != "example-croatia" {
					continue // the SQL is the same
				}
				loaded, err := loadSeed(t.Context(), s, seed, load.Options{Shipped: seeds.OverlayFor})
				if err != nil {
					t.Fatal(err)
				}
				b := &bench.Bench{Store: s.(bench.Store), Cube: loaded.Cube, URL: server.URL}
				mix, err := b.Mix(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				for _, q := range mix {
					kinds[q.Kind]++
					compareWithSQL(t, b, q)
				}
			}
			for _, kind := range []string{bench.Totals, bench.ByYear, bench.ByLevel, bench.TwoWays, bench.Drilled, bench.AdHoc, bench.Top, bench.Search} {
				if kinds[kind] == 0 {
					t.Errorf("nothing of the kind %s is asked", kind)
				}
			}
		})
	}
}

func compareWithSQL(t *testing.T, b *bench.Bench, q bench.Question) {
	t.Helper()
	body, err := b.Get(t.Context(), q.Path())
	if err != nil {
		t.Fatal(err)
	}
	if q.Level != "" {
		return // members are found by any of their names, where the SQL looks at those in the rows
	}
	p, err := q.Plan(b.Cube)
	if err != nil {
		t.Fatal(err)
	}
	keys := cube.Texts(p.Main().Keys(), func(c cube.Column) string { return c.Name })
	var answer struct{ Cells []map[string]any }
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, cell := range answer.Cells {
		var key []string
		for _, name := range keys {
			key = append(key, textOf(cell[name]))
		}
		sums[strings.Join(key, "|")] = textOf(cell[p.Aggregates()[0].Name])
	}
	columns := ""
	for i := range keys {
		columns += fmt.Sprintf("CAST(k%d AS text), ", i)
	}
	plain := sqlgen.Plain(p.Main())
	plain.Text = "SELECT " + columns + "CAST(a0 AS text) FROM (" + plain.Text + ") AS plain"
	rows := 0
	for row, err := range b.Store.Ask(t.Context(), plain) {
		if err != nil {
			t.Fatalf("%s: %v", plain.Text, err)
		}
		rows++
		var key []string
		for _, value := range row[:len(keys)] {
			key = append(key, textOf(value))
		}
		sum, there := sums[strings.Join(key, "|")]
		if got := textOf(row[len(keys)]); !there || !equalAmounts(sum, got) {
			t.Errorf("%s: %q is %q in the answer and %q by\n%s", q.Path(), key, sum, got, plain.Text)
		}
	}
	if rows != len(sums) {
		t.Errorf("%s has %d cells, and the SQL %d rows", q.Path(), len(sums), rows)
	}
}

func textOf(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func equalAmounts(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	return decimal.RequireFromString(a).Equal(decimal.RequireFromString(b))
}

// The command prints a table or JSON, and leaves nothing behind.
func TestBench_Command(t *testing.T) {
	for _, db := range []string{"duckdb:" + t.TempDir() + "/own.duckdb", postgrestest.DSN(t)} {
		var table, text bytes.Buffer
		for _, args := range [][]string{{}, {"--json"}} {
			out := &table
			if len(args) > 0 {
				out = &text
			}
			line := append([]string{"--db", db, "bench", "../../seeds/example-croatia", "--rounds", "2"}, args...)
			if code := Run(context.Background(), line, out, io.Discard); code != exitDone {
				t.Fatalf("%v: exit code %d", line, code)
			}
		}
		var result struct {
			Questions []bench.Result
			Ratio     float64 `json:"geometric_mean_ratio"`
		}
		if err := json.Unmarshal(text.Bytes(), &result); err != nil {
			t.Fatal(err)
		}
		if len(result.Questions) < 10 || result.Ratio <= 0 || strings.Count(table.String(), "\n") != len(result.Questions)+2 {
			t.Errorf("%d questions, ratio %v:\n%s", len(result.Questions), result.Ratio, table.String())
		}
		for _, q := range result.Questions {
			if q.Median <= 0 || q.P99 < q.P95 || q.P95 < q.Median || q.SQL <= 0 || q.Cuboid == "" {
				t.Errorf("%+v", q)
			}
		}
	}
}
