//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Serve implements catalogue.Versions.
func (s *Store) Serve(ctx context.Context, name string, number int) error {
	return s.change(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.catalog.Load().Version(name, number); err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, catalogue.Serve, name, number); err != nil {
			return fmt.Errorf("serve version %d of %s: %w", number, name, err)
		}
		return updateViews(ctx, conn, name)
	})
}

// Show implements catalogue.Versions.
func (s *Store) Show(ctx context.Context, name string, to cube.Visibility) error {
	return s.change(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.catalog.Load().Cube(name); err != nil {
			return err
		}
		_, err := conn.ExecContext(ctx, catalogue.Show, name, string(to))
		return queryError(ctx, err)
	})
}

// Prune implements catalogue.Versions.
func (s *Store) Prune(ctx context.Context, name string, keep int) (dropped []int, err error) {
	err = s.change(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.catalog.Load().Cube(name); err != nil {
			return err
		}
		dropped, err = catalogue.Prune(ctx, askIn(conn), name, keep)
		return err
	})
	return dropped, err
}

// Series implements catalogue.SeriesKeeper.
func (s *Store) Series(ctx context.Context) (*cube.Added, error) { return s.versions.Series(ctx) }

// AddSeries implements catalogue.SeriesKeeper.
func (s *Store) AddSeries(ctx context.Context, list []cube.Series) error {
	return s.change(ctx, func(ctx context.Context, conn *sql.Conn) error { return catalogue.AddSeries(ctx, askIn(conn), list) })
}

// RemoveSeries implements catalogue.SeriesKeeper.
func (s *Store) RemoveSeries(ctx context.Context, name string) error {
	return s.change(ctx, func(ctx context.Context, conn *sql.Conn) error { return catalogue.RemoveSeries(ctx, askIn(conn), name) })
}

// change changes the versions of a package when nobody else writes, and drops the tables of those that are gone.
// Nobody else writes, so the catalogue in memory is the one in the file.
func (s *Store) change(ctx context.Context, do func(context.Context, *sql.Conn) error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.inTx(ctx, do); err != nil {
		return err
	}
	defer s.sweep(ctx)
	return s.refresh(context.WithoutCancel(ctx))
}

// Remove implements catalogue.Versions. A reader in flight keeps its own picture of the tables that are dropped.
func (s *Store) Remove(ctx context.Context, name string) error {
	return s.change(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.catalog.Load().Cube(name); err != nil {
			return err
		}
		return withdraw(ctx, conn, name)
	})
}

func withdraw(ctx context.Context, conn *sql.Conn, name string) error {
	for _, statement := range []string{catalogue.MarkGone, catalogue.Withdraw} {
		if _, err := conn.ExecContext(ctx, statement, name); err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
	}
	return dropViews(ctx, conn, name)
}

// sweep drops the tables of versions that are gone. What cannot be dropped now is dropped at the next start.
func (s *Store) sweep(ctx context.Context) {
	gone, err := s.versions.Gone(ctx)
	if err != nil {
		s.log.Warn("versions that are gone cannot be listed", "error", err)
	}
	for _, version := range gone {
		if err := s.drop(ctx, version); err != nil {
			s.log.Warn("tables of a removed version remain", "version", version.ID, "error", err)
			s.reopenIfFatal(context.WithoutCancel(ctx), err)
		}
	}
	s.sweepFiles(ctx)
}

func (s *Store) drop(ctx context.Context, version *cube.Cube) error {
	for _, statement := range sqlgen.DropTables(version) {
		if _, err := s.db.Load().ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err := s.db.Load().ExecContext(ctx, catalogue.DeleteVersion, version.ID)
	return err
}
