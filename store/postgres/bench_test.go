package postgres_test

import (
	"testing"

	"fiscube/store/postgres/postgrestest"
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
