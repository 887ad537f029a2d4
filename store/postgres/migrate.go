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
)

// migrateUp brings the schema up to date. golang-migrate takes an advisory lock, so that of several processes
// that start at once one migrates and the others wait and find it done. A database that can only be read, or
// only by this role, has to be up to date.
func migrateUp(ctx context.Context, pool *pgxpool.Pool, config *pgx.ConnConfig) error {
	db := stdlib.OpenDB(*config)
	defer func() { _ = db.Close() }()
	if err := createSchemas(ctx, pool); hasCode(err, readOnly, notAllowed) {
		return migrations.NewMigrator(ctx, db, nil).CheckCurrent(err)
	} else if err != nil {
		return err
	}
	m, err := newMigrator(ctx, db)
	if err == nil {
		err = m.Up()
	}
	if hasCode(err, statementExists, noSuchStatement) {
		return queryError(err)
	}
	return err
}

// createSchemas runs under a lock: IF NOT EXISTS alone fails when two processes run it at the same moment.
func createSchemas(ctx context.Context, pool *pgxpool.Pool) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('fiscube.schema'))"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, catalogue.CreateSchemas)
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
		return nil, fmt.Errorf("prepare the migrations: %w", migrations.Cause(err))
	}
	return migrations.NewMigrator(ctx, db, locks), nil
}
