package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/golang-migrate/migrate/v4"
	driver "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"fiscube/migrations"
	"fiscube/store/catalogue"
)

// migrateUp brings the schema up to date. golang-migrate takes an advisory lock, so that of several processes
// that start at once one migrates and the others wait and find it done.
func migrateUp(ctx context.Context, pool *pgxpool.Pool, config *pgx.ConnConfig) error {
	if err := createSchema(ctx, pool); err != nil {
		return err
	}
	source, err := iofs.New(migrations.FS, ".")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	db := stdlib.OpenDB(*config)
	defer func() { _ = db.Close() }()
	target, err := driver.WithInstance(db, &driver.Config{SchemaName: catalogue.Schema})
	if err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	m, err := migrate.NewWithInstance("iofs", source, "pgx5", target)
	if err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	defer func() { _, _ = m.Close() }()
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate the catalogue: %w", err)
	}
	return nil
}

// createSchema makes the schema that holds golang-migrate's own table. IF NOT EXISTS alone fails when two
// processes run it at the same moment, so it runs under a lock.
func createSchema(ctx context.Context, pool *pgxpool.Pool) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext('fiscube.schema'))"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+catalogue.Schema)
		return err
	})
	if err != nil {
		return fmt.Errorf("make the catalogue's schema: %w", err)
	}
	return nil
}
