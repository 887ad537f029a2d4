package postgres

import (
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// Serve implements cube.Versions.
func (s *Store) Serve(ctx context.Context, name string, number int) error {
	if number > math.MaxInt32 {
		_, err := s.catalog.Load().Version(name, number)
		return err
	}
	found := false
	err := s.change(ctx, name, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, catalogue.Serve, name, number)
		if found = tag.RowsAffected() > 0; err != nil || !found {
			return queryError(err)
		}
		return s.showServed(ctx, tx, name)
	})
	if err != nil || found {
		return err
	}
	if _, err := s.catalog.Load().Version(name, number); err != nil {
		return err
	}
	return cube.Errorf(cube.CodeGone, "version %d of %s was given up at this moment", number, name)
}

// Prune implements cube.Versions. The tables are dropped as by Remove.
func (s *Store) Prune(ctx context.Context, name string, keep int) (dropped []int, err error) {
	err = s.change(ctx, name, func(tx pgx.Tx) error {
		dropped, err = catalogue.Prune(ctx, askIn(tx), name, keep)
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, err := s.catalog.Load().Cube(name); err != nil {
		return nil, err
	}
	s.sweep(ctx)
	return dropped, nil
}

// change does something to the versions of a package, in turn with its loads and removals, and tells every
// process of it.
func (s *Store) change(ctx context.Context, name string, do func(pgx.Tx) error) error {
	err := s.inTx(ctx, func(tx pgx.Tx) error {
		if err := lockPackage(ctx, tx, name); err != nil {
			return err
		}
		if err := do(tx); err != nil {
			return err
		}
		return notify(ctx, tx, name)
	})
	if err != nil {
		return err
	}
	return s.look(ctx)
}
