//go:build cgo

package duckdb_test

import (
	"context"
	"path/filepath"
	"testing"

	"fiscube/api/apitest"
	"fiscube/store/duckdb"
	"fiscube/store/storebench"
	"fiscube/store/storetest"
)

// BenchmarkRequest compares questions over HTTP with their SQL sent by hand.
func BenchmarkRequest(b *testing.B) {
	storebench.Requests(b, file{path: filepath.Join(b.TempDir(), "bench.duckdb")},
		func(t testing.TB, store storetest.Store) storebench.Get { return apitest.Serve(t, store) },
		func(ctx context.Context, store storetest.Store, text string, args []any) error {
			return store.(*duckdb.Store).Drain(ctx, text, args)
		})
}
