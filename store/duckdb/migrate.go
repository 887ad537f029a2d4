//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	"github.com/golang-migrate/migrate/v4/source/iofs"

	"fiscube/migrations"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// migrateUp brings the schema up to date.
func migrateUp(ctx context.Context, db *sql.DB) error {
	source, err := iofs.New(migrations.FS, ".")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	target := &migrator{ctx: ctx, db: db}
	if err := target.prepare(); err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	m, err := migrate.NewWithInstance("iofs", source, "duckdb", target)
	if err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	if err := m.Up(); err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate the catalogue: %w", err)
	}
	return source.Close()
}

// migrator is golang-migrate's database.Driver for DuckDB. The file has one owner, so locking is nothing.
//
// golang-migrate marks a database dirty, runs a migration and takes the mark away, in three commits: killed in
// between, it would never open that database again. So the mark is not written here; Run commits the
// migration together with its version.
type migrator struct {
	ctx context.Context // of the one call of migrateUp
	db  *sql.DB
	to  int // the version that the next Run brings
}

func (m *migrator) prepare() error {
	_, err := m.db.ExecContext(m.ctx, "CREATE SCHEMA IF NOT EXISTS "+catalogue.Schema+"; CREATE SCHEMA IF NOT EXISTS "+sqlgen.ViewSchema+
		"; CREATE TABLE IF NOT EXISTS fiscube.schema_migrations (version bigint NOT NULL, dirty boolean NOT NULL)")
	return err
}

// Open implements database.Driver; the driver is made by migrateUp alone.
func (m *migrator) Open(string) (database.Driver, error) { return m, nil }

// Close implements database.Driver; the database stays open.
func (m *migrator) Close() error { return nil }

// Lock implements database.Driver.
func (m *migrator) Lock() error { return nil }

// Unlock implements database.Driver.
func (m *migrator) Unlock() error { return nil }

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

// Version implements database.Driver.
func (m *migrator) Version() (version int, dirty bool, err error) {
	err = m.db.QueryRowContext(m.ctx, "SELECT version, dirty FROM fiscube.schema_migrations").Scan(&version, &dirty)
	if errors.Is(err, sql.ErrNoRows) {
		return database.NilVersion, false, nil
	}
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

// Drop implements database.Driver; fiscube never drops everything.
func (m *migrator) Drop() error { return errors.New("dropping the catalogue is not supported") }

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
