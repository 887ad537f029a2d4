package postgres

import (
	"context"
	"database/sql"
	"fmt"

	driver "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"fiscube/migrations"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// migrateUp brings the schema up to date. golang-migrate takes an advisory lock, so that of several processes
// that start at once one migrates and the others wait and find it done.
func migrateUp(ctx context.Context, pool *pgxpool.Pool, config *pgx.ConnConfig) error {
	if err := createSchema(ctx, pool); err != nil {
		return err
	}
	db := stdlib.OpenDB(*config)
	defer func() { _ = db.Close() }()
	m, err := newMigrator(ctx, db)
	if err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	return m.Up()
}

// createSchema makes the schema that holds golang-migrate's own table, and that of the views, which a database that
// an earlier release made lacks. IF NOT EXISTS alone fails when two processes run it at the same moment, so it runs
// under a lock.
func createSchema(ctx context.Context, pool *pgxpool.Pool) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('fiscube.schema'))"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+catalogue.Schema+"; CREATE SCHEMA IF NOT EXISTS "+sqlgen.ViewSchema)
		return err
	})
	if err != nil {
		return fmt.Errorf("make the catalogue's schema: %w", err)
	}
	return nil
}

// newMigrator makes golang-migrate's table where there is none. The lock is golang-migrate's, on a connection of
// its own.
func newMigrator(ctx context.Context, db *sql.DB) (*migrations.Migrator, error) {
	locks, err := driver.WithInstance(db, &driver.Config{SchemaName: catalogue.Schema})
	if err != nil {
		return nil, err
	}
	return migrations.NewMigrator(ctx, db, locks), nil
}
