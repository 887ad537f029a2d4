package migrations

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	"github.com/golang-migrate/migrate/v4/source/iofs"

	"fiscube/cube"
)

// Migrator is golang-migrate's driver for both stores. Only the lock is the store's own.
//
// golang-migrate marks a database as dirty, runs a migration and removes the mark, in three commits. If it is killed in
// between, it never opens that database again. So Migrator does not write the mark: Run commits the migration together
// with its version.
type Migrator struct {
	database.Driver // locks
	ctx             context.Context
	db              *sql.DB
	to              int // the version after the next Run
}

// NewMigrator makes the migrator of a database that has golang-migrate's table. It works as long as ctx lasts.
func NewMigrator(ctx context.Context, db *sql.DB, locks database.Driver) *Migrator {
	return &Migrator{Driver: locks, ctx: ctx, db: db}
}

// Up brings the schema up to date, and closes the lock's driver.
func (m *Migrator) Up() error {
	source, err := iofs.New(FS, ".")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	steps, err := migrate.NewWithInstance("iofs", source, "fiscube", m)
	if err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	defer func() { _, _ = steps.Close() }()
	steps.LockTimeout = time.Minute // where several processes start at once, the last waits for the migrations of all others
	err = steps.Up()
	if newer, ok := errors.AsType[*cube.Error](err); ok {
		return newer
	}
	if err != nil && !errors.Is(err, migrate.ErrNoChange) {
		return fmt.Errorf("migrate the catalogue: %w", Cause(err))
	}
	return nil
}

// Cause is an error of golang-migrate with what its drivers hide: their errors print the error of the database, and do not unwrap
// to it.
func Cause(err error) error {
	if driver, ok := errors.AsType[*database.Error](err); ok {
		return fmt.Errorf("%w (%s%s)", driver.OrigErr, driver.Err, driver.Query)
	}
	return err
}

// CheckCurrent refuses a database that cannot be written, unless its schema is the one that Up would bring it to.
func (m *Migrator) CheckCurrent(readOnly error) error {
	newest, err := newest()
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	var version uint
	err = m.db.QueryRowContext(m.ctx, "SELECT version FROM fiscube.schema_migrations WHERE NOT dirty").Scan(&version)
	switch {
	case err == nil && version == newest:
		return nil
	case err == nil && version > newest:
		return newer(version, newest)
	}
	return cube.Wrap(cube.CodeUnavailable, "the store can only be read, and its schema is not the one of this fiscube", errors.Join(readOnly, err)).
		WithHint("run fiscube migrate where it can be written")
}

// newer is the error of a database that a newer fiscube has migrated: what that changed is not known here.
func newer(version, known uint) error {
	return cube.Errorf(cube.CodeUnavailable, "this store was made by a newer fiscube (schema %d, this one knows %d)", version, known).
		WithHint("start that one, or restore the backup from before the upgrade")
}

// newest is the version of the last migration.
func newest() (uint, error) {
	source, err := iofs.New(FS, ".")
	if err != nil {
		return 0, err
	}
	version, err := source.First()
	for err == nil {
		var next uint
		if next, err = source.Next(version); err == nil {
			version = next
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return version, errors.Join(err, source.Close())
}

// Run implements database.Driver: one migration and its version, all or nothing.
func (m *Migrator) Run(migration io.Reader) error {
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

// SetVersion implements database.Driver. Run writes the version of a migration, so a dirty version is only remembered.
// The version of a migration that has run is there already, unless the migration has no text.
func (m *Migrator) SetVersion(version int, dirty bool) error {
	if dirty {
		m.to = version
		return nil
	}
	return m.inTx(func(tx *sql.Tx) error { return m.write(tx, version) })
}

// write makes version the one that the database has.
func (m *Migrator) write(tx *sql.Tx, version int) error {
	if _, err := tx.ExecContext(m.ctx, "DELETE FROM fiscube.schema_migrations"); err != nil {
		return err
	}
	if version == database.NilVersion {
		return nil
	}
	_, err := tx.ExecContext(m.ctx, "INSERT INTO fiscube.schema_migrations VALUES ($1, false)", version)
	return err
}

// Version implements database.Driver. golang-migrate calls it under its lock, so no process that is still at work has
// set the mark that it finds.
func (m *Migrator) Version() (version int, dirty bool, err error) {
	err = m.db.QueryRowContext(m.ctx, "SELECT version, dirty FROM fiscube.schema_migrations").Scan(&version, &dirty)
	if errors.Is(err, sql.ErrNoRows) {
		return database.NilVersion, false, nil
	}
	if err != nil {
		return version, dirty, err
	}
	known, err := newest()
	switch {
	case err == nil && version > int(known):
		err = newer(uint(version), known)
	case err == nil && dirty:
		return m.settle(version)
	}
	return version, dirty, err
}

// settle finds out which version a database has that an earlier fiscube marked as dirty, and removes the mark.
func (m *Migrator) settle(version int) (settled int, dirty bool, err error) {
	var tables int
	if err := m.db.QueryRowContext(m.ctx, CountTables).Scan(&tables); err != nil {
		return version, true, err
	}
	settled, known := settle(version, tables)
	if !known {
		return version, true, nil
	}
	return settled, false, m.SetVersion(settled, false)
}

func (m *Migrator) inTx(work func(*sql.Tx) error) error {
	tx, err := m.db.BeginTx(m.ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
