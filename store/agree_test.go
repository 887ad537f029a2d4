//go:build cgo

package store_test

import (
	"log/slog"
	"testing"

	"fiscube/store"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/storetest"
)

// TestStores_Agree asks both stores the same random questions, and one whose cubes are in memory.
func TestStores_Agree(t *testing.T) {
	storetest.Agree(t, opened(t, "duckdb::memory:"), opened(t, postgrestest.DSN(t)), storetest.InMemory(opened(t, "duckdb::memory:")))
}

func opened(t *testing.T, address string) store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), address, postgres.Options{}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
