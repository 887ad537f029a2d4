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

// Remove implements cube.Backend. A reader in flight keeps its own picture of the tables that are dropped.
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
		}
	}
}

func (s *Store) drop(ctx context.Context, version *cube.Cube) error {
	for _, statement := range sqlgen.DropTables(version.ID, version.Model) {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err := s.db.ExecContext(ctx, catalogue.DeleteVersion, version.ID)
	return err
}
