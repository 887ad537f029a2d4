package postgres

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/store/catalogue"
	"fiscube/store/sqlgen"
)

// Serve implements catalogue.Versions.
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
		return s.updateViews(ctx, tx, name)
	})
	if err != nil || found {
		return err
	}
	if _, err := s.catalog.Load().Version(name, number); err != nil {
		return err
	}
	return cube.Errorf(cube.CodeGone, "version %d of %s was given up at this moment", number, name)
}

// Show implements catalogue.Versions.
func (s *Store) Show(ctx context.Context, name string, to cube.Visibility) error {
	return s.change(ctx, name, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, catalogue.Show+" AND served IS NOT NULL", name, string(to))
		if err == nil && tag.RowsAffected() == 0 {
			return s.unknownCube(name)
		}
		return queryError(err)
	})
}

// Prune implements catalogue.Versions. The tables are dropped as by Remove.
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
	s.sweepAll(ctx)
	return dropped, nil
}

// Series implements catalogue.SeriesKeeper.
func (s *Store) Series(ctx context.Context) (*cube.Added, error) { return s.versions.Series(ctx) }

// AddSeries implements catalogue.SeriesKeeper.
func (s *Store) AddSeries(ctx context.Context, list []cube.Series) error {
	return s.change(ctx, list[0].Name, func(tx pgx.Tx) error { return catalogue.AddSeries(ctx, askIn(tx), list) })
}

// RemoveSeries implements catalogue.SeriesKeeper.
func (s *Store) RemoveSeries(ctx context.Context, name string) error {
	return s.change(ctx, name, func(tx pgx.Tx) error { return catalogue.RemoveSeries(ctx, askIn(tx), name) })
}

// change changes the versions of a package while no load or removal of it runs, and notifies every process.
func (s *Store) change(ctx context.Context, name string, do func(pgx.Tx) error) error {
	err := s.inTxNaming(ctx, "the change of "+name, loggedOnly, func(tx pgx.Tx) error {
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
	return s.refreshAfterChange(ctx)
}

// Remove implements catalogue.Versions. The versions are gone at once, and their views with them; their tables
// are dropped when no reader holds them.
func (s *Store) Remove(ctx context.Context, name string) error {
	err := s.change(ctx, name, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, catalogue.MarkGone, name)
		if err == nil && tag.RowsAffected() == 0 {
			return s.unknownCube(name)
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
		s.sweepAll(ctx)
	}
	return err
}

// How long who removes versions waits until others have dropped their tables, and how often it looks.
const (
	sweepPatience = 10 * time.Second
	sweepPause    = 20 * time.Millisecond
)

// sweepAll drops the tables of versions that are gone. If the store's own look at changes, or another process, is dropping some of
// them, it waits for that: a command that ends takes its connections along, and nobody would be left who drops the rest.
func (s *Store) sweepAll(ctx context.Context) {
	for end := time.Now().Add(sweepPatience); s.sweep(ctx) && ctx.Err() == nil && time.Now().Before(end); {
		sleep(ctx, sweepPause)
	}
}

// unknownCube is the error of a name that the catalogue does not have.
func (s *Store) unknownCube(name string) error {
	_, err := s.catalog.Load().Cube(name)
	if err == nil {
		err = cube.Errorf(cube.CodeUnknownCube, "no cube %q", name)
	}
	return err
}

// sweep drops the tables of versions that are gone. A table that a reader holds is left for the next sweep:
// waiting for it would make every later reader wait behind. So is what is left when ctx ends, which is no fault
// and not logged, and what another process is dropping. It tells whether
// others are dropping some.
func (s *Store) sweep(ctx context.Context) (dropping bool) {
	gone, err := s.versions.Gone(ctx)
	if err != nil {
		return false // the next sweep tries again
	}
	for _, version := range gone {
		err := s.drop(ctx, version)
		switch {
		case ctx.Err() != nil:
			return false
		case errors.Is(err, errDropping):
			dropping = true
		case err != nil && !hasCode(err, lockUnavailable, deadlock, readOnly, notAllowed):
			s.log.Warn("tables of a removed version remain", "version", version.ID, "error", err)
		}
	}
	if err := s.sweepFiles(ctx); err != nil && ctx.Err() == nil && !hasCode(err, readOnly, notAllowed) {
		s.log.Warn("files of removed versions remain", "error", err)
	}
	return dropping
}

func (s *Store) drop(ctx context.Context, version *cube.Cube) error {
	for _, statement := range sqlgen.DropTables(version) {
		if err := s.dropTable(ctx, version.Name, statement); err != nil {
			return err
		}
	}
	_, err := s.chores.Exec(ctx, catalogue.DeleteVersion, version.ID)
	return err
}

// errDropping says that another process drops tables of the package.
var errDropping = errors.New("another process drops tables of this package")

// dropTable drops a table of a package. Of several processes one does so at a time: on a Citus cluster two that drop the same table may
// each hold it on a node where the other waits for it.
func (s *Store) dropTable(ctx context.Context, name, statement string) error {
	return pgx.BeginFunc(ctx, s.chores, func(tx pgx.Tx) error {
		var alone bool
		const lock = "SELECT pg_try_advisory_xact_lock(hashtext('fiscube.drop'), hashtext($1))"
		if err := tx.QueryRow(ctx, lock, name).Scan(&alone); err != nil || !alone {
			return cmp.Or(err, errDropping)
		}
		if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '100ms'"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, statement)
		return err
	})
}
