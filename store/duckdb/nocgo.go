//go:build !cgo

// Package duckdb keeps cubes in an embedded DuckDB file. This program was built without cgo, so it only says
// so.
package duckdb

import (
	"context"
	"iter"
	"log/slog"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Store is never made without cgo.
type Store struct{ catalogue.Store }

// Open fails: the embedded store needs cgo.
func Open(_ context.Context, path string, _ Options, _ *slog.Logger) (*Store, error) {
	return nil, cube.Errorf(cube.CodeUnavailable,
		"%s cannot be opened: this fiscube was built without cgo and has no embedded store; "+
			"use --db postgres://… or a build with CGO_ENABLED=1", path)
}

// LibraryVersion is empty: there is no DuckDB.
func LibraryVersion() string { return "" }

// Ask gives nothing.
func (*Store) Ask(context.Context, sqlgen.SQL) iter.Seq2[[]any, error] {
	return func(func([]any, error) bool) {}
}

// Close does nothing.
func (*Store) Close() error { return nil }
