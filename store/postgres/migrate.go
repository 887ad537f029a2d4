package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	driver "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source/iofs"
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
	source, err := iofs.New(migrations.FS, ".")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	db := stdlib.OpenDB(*config)
	defer func() { _ = db.Close() }()
	target, err := newMigrator(ctx, db)
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

// migrator is golang-migrate's driver for PostgreSQL but for how a version is kept.
//
// golang-migrate marks a database dirty, runs a migration and takes the mark away, in three commits: killed in
// between, it would never open that database again. So the mark is not written here; Run commits the
// migration together with its version. The lock stays golang-migrate's, on a connection of its own.
type migrator struct {
	database.Driver
	ctx context.Context // of the one call of migrateUp
	db  *sql.DB
	to  int // the version that the next Run brings
}

// newMigrator makes golang-migrate's table where there is none.
func newMigrator(ctx context.Context, db *sql.DB) (*migrator, error) {
	locking, err := driver.WithInstance(db, &driver.Config{SchemaName: catalogue.Schema})
	if err != nil {
		return nil, err
	}
	return &migrator{Driver: locking, ctx: ctx, db: db}, nil
}

// Run implements database.Driver: one migration and its version, all or nothing.
func (m *migrator) Run(migration io.Reader) error {
	text, err := io.ReadAll(migration)
	if err != nil {
		return err
	}
	return m.inTx(func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(m.ctx, string(text)); err != nil {
			return err
		}
		return m.write(tx, m.to)
	})
}

// SetVersion implements database.Driver. The version of a migration that is still to run waits for Run; that
// of one that has run is there already, unless the migration has no text.
func (m *migrator) SetVersion(version int, dirty bool) error {
	if dirty {
		m.to = version
		return nil
	}
	return m.inTx(func(tx *sql.Tx) error { return m.write(tx, version) })
}

// write makes version the one that the database has.
func (m *migrator) write(tx *sql.Tx, version int) error {
	if _, err := tx.ExecContext(m.ctx, "DELETE FROM fiscube.schema_migrations"); err != nil {
		return err
	}
	if version == database.NilVersion {
		return nil
	}
	_, err := tx.ExecContext(m.ctx, "INSERT INTO fiscube.schema_migrations VALUES ($1, false)", version)
	return err
}

// Version implements database.Driver. golang-migrate asks under its lock, so a mark that is found is not that of
// a process at work.
func (m *migrator) Version() (version int, dirty bool, err error) {
	version, dirty, err = m.Driver.Version()
	if err == nil && dirty {
		return m.settle(version)
	}
	return version, dirty, err
}

// settle finds out which version a database has that was marked dirty by a fiscube that still did so, and
// takes the mark away.
func (m *migrator) settle(version int) (settled int, dirty bool, err error) {
	var tables int
	if err := m.db.QueryRowContext(m.ctx, migrations.CountTables).Scan(&tables); err != nil {
		return version, true, err
	}
	settled, known := migrations.Settle(version, tables)
	if !known {
		return version, true, nil
	}
	return settled, false, m.SetVersion(settled, false)
}

func (m *migrator) inTx(work func(*sql.Tx) error) error {
	tx, err := m.db.BeginTx(m.ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
