package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fiscube/api"
	"fiscube/cube"
	"fiscube/internal/bench"
	"fiscube/internal/each"
	"fiscube/seeds"
	"fiscube/store"
	"fiscube/store/load"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/resident"
	"fiscube/store/sqlgen"
)

// inMemory is an embedded store of few rows, for which more threads cost more than they help.
const inMemory = "duckdb::memory:?threads=1"

// The plain SQL of each question gives the sums of its answer, and the mix has every kind. TestBench_Times compares those of
// the other examples, whose SQL is the same on both stores.
func TestBench_SameSums(t *testing.T) {
	folder, _ := seeds.Open("example-croatia")
	croatia := seeds.Seed{Name: "example-croatia", FS: folder}
	for name, address := range map[string]func() string{
		"duckdb": func() string { return inMemory }, "postgres": func() string { return postgrestest.DSN(t) },
	} {
		t.Run(name, func(t *testing.T) {
			kinds := map[string]int{}
			b, mix := loadedBench(t, address(), croatia, 1)
			onBase, err := b.AllOnBase(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range append(mix, onBase...) {
				kinds[q.Kind]++
				compareWithSQL(t, b, q)
			}
			for _, kind := range []string{bench.Totals, bench.ByYear, bench.ByLevel, bench.TwoWays, bench.Drilled, bench.AdHoc, bench.Top, bench.Search, bench.OnBase} {
				if kinds[kind] == 0 {
					t.Errorf("nothing of the kind %s is asked", kind)
				}
			}
		})
	}
}

// loadedBench loads an example so many times, and gives what asks it and is asked.
func loadedBench(t *testing.T, address string, seed seeds.Seed, times int64) (*bench.Bench, []bench.Question) {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	opened, err := store.Open(t.Context(), address, postgres.Options{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	s := resident.New(opened, resident.Options{Bytes: 1 << 28, Few: 50}, quiet)
	loaded, err := loadSeed(t.Context(), s, seed, load.Options{Shipped: seeds.OverlayFor, Times: times})
	if err != nil {
		t.Fatal(err)
	}
	s.Refresh(t.Context())
	server := httptest.NewServer(api.New(s, api.Options{Log: quiet}))
	t.Cleanup(server.Close)
	b := &bench.Bench{Store: s, Cube: loaded.Cube, URL: server.URL}
	mix, err := b.Mix(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return b, mix
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
	keys := each.Text(p.Main().Keys(), func(c cube.Column) string { return c.Name })
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
			Ratio     float64        `json:"geometric_mean_ratio"`
			OnBase    []bench.Result `json:"on_the_base"`
			BaseRatio float64        `json:"on_the_base_geometric_mean_ratio"`
		}
		if err := json.Unmarshal(text.Bytes(), &result); err != nil {
			t.Fatal(err)
		}
		all := slices.Concat(result.Questions, result.OnBase)
		if len(result.Questions) < 10 || len(result.OnBase) == 0 || result.Ratio <= 0 || result.BaseRatio <= 0 ||
			strings.Count(table.String(), "\n") != len(all)+4 {
			t.Errorf("%d and %d questions, ratios %v and %v:\n%s",
				len(result.Questions), len(result.OnBase), result.Ratio, result.BaseRatio, table.String())
		}
		for _, q := range all {
			if q.Median <= 0 || q.P99 < q.P95 || q.P95 < q.Median || q.SQL <= 0 || q.Cuboid == "" {
				t.Errorf("%+v", q)
			}
		}
	}
}
