package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"fiscube/cube"
)

// channel is where a publishing transaction says that the catalogue has changed.
const channel = "fiscube"

// pollInterval is how late a change is seen when no notice of it arrives.
const pollInterval = 5 * time.Second

// refresh swaps the picture of the catalogue for a new one. One refresh runs at a time, so that an older picture never
// follows a newer one.
func (s *Store) refresh(ctx context.Context) error {
	select {
	case s.refreshing <- struct{}{}:
		defer func() { <-s.refreshing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	catalog, err := s.versions.Catalog(ctx)
	if err == nil {
		catalog, err = s.forRole(ctx, catalog)
	}
	if err == nil {
		s.catalog.Store(catalog)
	}
	return err
}

// refreshAfterChange refreshes after a change that is committed: even one whose context ends now must not be reported
// as not made. A server that has fallen silent is not waited for; once it answers, follow sees the change.
func (s *Store) refreshAfterChange(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pollInterval)
	defer cancel()
	if err := s.refresh(ctx); err != nil {
		return cube.Wrap(cube.CodeUnavailable, "the change is made and will be seen when the database answers again", err)
	}
	return nil
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

// pooledInterval is how late a change is seen through a pooler: a notice reaches nobody there.
const pooledInterval = time.Second

func (s *Store) listen(ctx context.Context) error {
	if s.pooled {
		return s.poll(ctx)
	}
	conn, err := s.chores.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	defer closeConn(conn.Conn()) // it listens: nobody else is to have it
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil && !hasCode(err, readOnly) {
		return err // a replica gets no notices: there waiting for one is nothing but the pause between two looks
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

// poll looks for changes again and again, with connections that it gives back.
func (s *Store) poll(ctx context.Context) error {
	for {
		if err := s.refresh(ctx); err != nil {
			return err
		}
		s.sweep(ctx)
		if sleep(ctx, pooledInterval); ctx.Err() != nil {
			return ctx.Err()
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
