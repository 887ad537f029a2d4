package postgres_test

import (
	"context"
	"testing"

	"fiscube/api/apitest"
	"fiscube/store/postgres"
	"fiscube/store/postgres/postgrestest"
	"fiscube/store/storetest"
)

// BenchmarkRequest compares questions over HTTP with their SQL sent by hand.
func BenchmarkRequest(b *testing.B) {
	storetest.Requests(b, database(postgrestest.DSN(b)), apitest.Serve,
		func(ctx context.Context, store storetest.Store, text string, args []any) error {
			return store.(*postgres.Store).Drain(ctx, text, args)
		})
}
