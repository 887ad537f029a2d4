package postgres_test

import (
	"context"
	"testing"

	"fiscube/api/apitest"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/storebench"
	"fiscube/store/storetest"
)

// BenchmarkRefresh looks again at a catalogue of a thousand versions, as each process does every few seconds.
func BenchmarkRefresh(b *testing.B) {
	dsn := postgrestest.DSN(b)
	store := open(b, dsn)
	mustLoadSeed(b, store, "example-croatia")
	script(b, dsn, `INSERT INTO fiscube.version SELECT id + n, package, number + n, fingerprint || n, loaded_at, rows, content, descriptor,
		report, gone FROM fiscube.version, generate_series(1, 999) AS n`)
	refresh := func() {
		if err := store.Refresh(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	refresh() // reads them all
	for b.Loop() {
		refresh()
	}
}

// BenchmarkRequest compares questions over HTTP with their SQL sent by hand.
func BenchmarkRequest(b *testing.B) {
	storebench.Requests(b, newDatabase(b),
		func(t testing.TB, store storetest.Store) storebench.Get { return apitest.Serve(t, store) },
		func(ctx context.Context, store storetest.Store, text string, args []any) error {
			return store.(*postgres.Store).Drain(ctx, text, args)
		})
}
