//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/golang-migrate/migrate/v4/database"

	"fiscube/migrations"
	"fiscube/store/catalogue"
)

// migrateUp brings the schema up to date. A file that can only be read has to be up to date.
func migrateUp(ctx context.Context, db *sql.DB, readOnly error) error {
	if readOnly != nil {
		return migrations.NewMigrator(ctx, db, owned{}).CheckCurrent(readOnly)
	}
	m, err := newMigrator(ctx, db)
	if err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	return m.Up()
}

// newMigrator makes the schemas, which a file of an earlier release may not have, and golang-migrate's table.
func newMigrator(ctx context.Context, db *sql.DB) (*migrations.Migrator, error) {
	_, err := db.ExecContext(ctx, catalogue.CreateSchemas+
		"; CREATE TABLE IF NOT EXISTS fiscube.schema_migrations (version bigint NOT NULL, dirty boolean NOT NULL)")
	return migrations.NewMigrator(ctx, db, owned{}), err
}

// owned locks a file, which has one owner: there is nothing to do. golang-migrate asks no more of a lock.
type owned struct{ database.Driver }

// Lock implements database.Driver.
func (owned) Lock() error { return nil }

// Unlock implements database.Driver.
func (owned) Unlock() error { return nil }

// Close implements database.Driver; the file stays open.
func (owned) Close() error { return nil }
