package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
	"fiscube/store/catalogue"
)

// channel is where a publishing transaction says that the catalogue has changed.
const channel = "fiscube"

// pollInterval is how late a change is seen when no notice of it arrives.
const pollInterval = 5 * time.Second

// refresh swaps the picture of the catalogue for a new one. A version whose content this program cannot read
// is left out and logged: one package loaded by a later program must not stop the others. Refreshes take turns,
// so that an older picture never follows a newer one.
func (s *Store) refresh(ctx context.Context) error {
	select {
	case s.refreshing <- struct{}{}:
		defer func() { <-s.refreshing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	cubes, err := s.versions(ctx, s.memory.Cube, catalogue.SelectVersions, s.memory.Keys())
	if err != nil {
		return err
	}
	s.memory.Keep(cubes)
	s.catalog.Store(cube.NewCatalog(cubes))
	return nil
}

// look refreshes after a change that is committed: whoever stops now must not be told that it is not made. A server
// that has fallen silent is not waited for; once it answers, follow sees the change.
func (s *Store) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pollInterval)
	defer cancel()
	if err := s.refresh(ctx); err != nil {
		return cube.Wrap(cube.CodeUnavailable, "the change is made and will be seen when the database answers again", err)
	}
	return nil
}

// versions asks for rows of catalogue.Row and makes versions of them.
func (s *Store) versions(ctx context.Context, made func(*catalogue.Row) (*cube.Cube, error), query string, args ...any) ([]*cube.Cube, error) {
	rows, err := s.chores.Query(ctx, query, args...)
	if err != nil {
		return nil, queryError(err)
	}
	defer rows.Close()
	var cubes []*cube.Cube
	for rows.Next() {
		row := &catalogue.Row{}
		if err := rows.Scan(row.Targets()...); err != nil {
			return nil, fmt.Errorf("read the catalogue: %w", err)
		}
		if one, err := made(row); err != nil {
			s.log.Error("a version is left out", "error", err)
		} else {
			cubes = append(cubes, one)
		}
	}
	return cubes, queryError(rows.Err())
}

// follow keeps the catalogue up to date until ctx ends: at once on a notice, and every pollInterval in case
// a notice or the connection was lost.
func (s *Store) follow(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.listen(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("PostgreSQL is not answering; the catalogue may be late", "error", err)
			sleep(ctx, pollInterval)
		}
	}
}

func (s *Store) listen(ctx context.Context) error {
	conn, err := s.chores.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	defer closeConn(conn.Conn()) // it listens: nobody else is to have it
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	for {
		if err := s.refresh(ctx); err != nil {
			return err
		}
		s.sweep(ctx)
		if err := waitForNotice(ctx, conn.Conn()); err != nil {
			return err
		}
	}
}

// waitForNotice returns at a notice or when it is time to poll.
func waitForNotice(ctx context.Context, conn *pgx.Conn) error {
	wait, cancel := context.WithTimeout(ctx, pollInterval)
	defer cancel()
	if _, err := conn.WaitForNotification(wait); err != nil && wait.Err() == nil {
		return err
	}
	return ctx.Err()
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
