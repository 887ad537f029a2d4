//go:build cgo

package duckdb

import (
	"context"
	"database/sql"
	"fmt"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// Serve implements cube.Versions.
func (s *Store) Serve(ctx context.Context, name string, number int) error {
	return s.change(ctx, func(ctx context.Context, conn *sql.Conn) error {
		if _, err := s.catalog.Load().Version(name, number); err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, catalogue.Serve, name, number); err != nil {
			return fmt.Errorf("serve version %d of %s: %w", number, name, err)
		}
		return showServed(ctx, conn, name)
	})
}

// Prune implements cube.Versions.
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

// change does something to the versions of a package when it is its turn to write, and drops the tables of
// those that are gone. Nobody else writes, so the picture of the catalogue is the catalogue.
func (s *Store) change(ctx context.Context, do func(context.Context, *sql.Conn) error) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = s.inTx(ctx, func(ctx context.Context, conn *sql.Conn) (cube.Outcome, error) {
		return "", do(ctx, conn)
	})
	if err != nil {
		return err
	}
	defer s.sweep(ctx)
	return s.refresh(context.WithoutCancel(ctx))
}
