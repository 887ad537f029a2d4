package store_test

import (
	"runtime"
	"strconv"
	"testing"

	"fiscube/store"
)

// What the address of an embedded store in a file does not say, a load says: so much memory, and all processors but one.
func TestForLoads(t *testing.T) {
	threads := "threads=" + strconv.Itoa(max(1, runtime.GOMAXPROCS(0)-1))
	for address, want := range map[string]string{
		"duckdb:a.duckdb":                        "duckdb:a.duckdb?memory=128MB&" + threads,
		"duckdb:a.duckdb?threads=7":              "duckdb:a.duckdb?threads=7&memory=128MB",
		"duckdb:a.duckdb?memory=1GB":             "duckdb:a.duckdb?memory=1GB&" + threads,
		"duckdb:a.duckdb?memory=1GB&threads=7":   "duckdb:a.duckdb?memory=1GB&threads=7",
		"duckdb::memory:":                        "duckdb::memory:",
		"postgres://host/budgets?sslmode=prefer": "postgres://host/budgets?sslmode=prefer",
	} {
		if got := store.ForLoads(address); got != want {
			t.Errorf("%s loads at %s, and not at %s", address, got, want)
		}
	}
}
