package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Remove implements cube.Backend. The versions are gone at once, and their views with them; their tables
// are dropped when no reader holds them.
func (s *Store) Remove(ctx context.Context, name string) error {
	err := s.change(ctx, name, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, catalogue.MarkGone, name)
		if err == nil && tag.RowsAffected() == 0 {
			return s.unknown(name)
		}
		if err == nil {
			_, err = tx.Exec(ctx, catalogue.Withdraw, name)
		}
		if err != nil {
			return queryError(err)
		}
		return s.dropViews(ctx, tx, name)
	})
	if err == nil {
		s.sweep(ctx)
	}
	return err
}

// unknown is the error of a name that the catalogue does not have.
func (s *Store) unknown(name string) error {
	_, err := s.catalog.Load().Cube(name)
	if err == nil {
		err = cube.Errorf(cube.CodeUnknownCube, "no cube %q", name)
	}
	return err
}

// sweep drops the tables of versions that are gone. A table that a reader holds is left for the next sweep:
// waiting for it would make every later reader wait behind. So is what is left when ctx ends, which is no fault
// and not logged.
func (s *Store) sweep(ctx context.Context) {
	gone, err := s.versions.Gone(ctx)
	if err != nil {
		return // the next sweep tries again
	}
	for _, version := range gone {
		err := s.drop(ctx, version)
		if ctx.Err() != nil {
			return
		}
		if err != nil && !hasCode(err, lockUnavailable) {
			s.log.Warn("tables of a removed version remain", "version", version.ID, "error", err)
		}
	}
}

func (s *Store) drop(ctx context.Context, version *cube.Cube) error {
	for _, statement := range sqlgen.DropTables(version.ID, version.Model) {
		if err := s.withLockTimeout(ctx, statement); err != nil {
			return err
		}
	}
	_, err := s.chores.Exec(ctx, catalogue.DeleteVersion, version.ID)
	return err
}

func (s *Store) withLockTimeout(ctx context.Context, statement string) error {
	return pgx.BeginFunc(ctx, s.chores, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '100ms'"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, statement)
		return err
	})
}
