// Package migrations holds the schema of the catalogue: which versions of which packages a store has. It is
// one text for both stores; Migrator runs each migration in a transaction.
package migrations

import "embed"

// FS holds the migrations by the naming rule of golang-migrate.
//
//go:embed *.sql
var FS embed.FS
