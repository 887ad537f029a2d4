// Package migrations holds the schema of the catalogue, which lists the versions of the packages in a store. Both
// stores use the same text. Migrator runs each migration in a transaction.
package migrations

import "embed"

// FS holds the migrations by the naming rule of golang-migrate.
//
//go:embed *.sql
var FS embed.FS
