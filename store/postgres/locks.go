package postgres

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fiscube/internal/each"
)

// lockSilence is how long something waits for locks of others until they are named.
const lockSilence = 3 * time.Second

// watchLocks names the sessions whose locks others wait for, in the log and to waiting, until stop is called. Waiting gives
// what ends its message.
func (s *Store) watchLocks(ctx context.Context, doing string, waiters func() []uint32, waiting func(whom string) (done func())) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		said, logged, done := "", "", func() {}
		for sleep(ctx, lockSilence); ctx.Err() == nil; sleep(ctx, lockSilence) {
			whom, err := s.lockHolders(ctx, waiters())
			if err != nil || whom == said { // the work itself says what is wrong with the database
				continue
			}
			done()
			said, done = whom, func() {}
			if whom == "" {
				continue
			}
			done = waiting(whom)
			if whom != logged {
				logged = whom
				s.log.Warn(doing+" waits for a lock", "held_by", whom)
			}
		}
		done()
	}()
	return func() { cancel(); <-ended }
}

// lockHolders describes the sessions for whose locks others wait: "psql (process 4711, role budget), which has a lock on
// fiscube.version". It is empty where these wait for none.
func (s *Store) lockHolders(ctx context.Context, waiters []uint32) (string, error) {
	pids := each.Of(waiters, func(pid uint32) int64 { return int64(pid) })
	rows, err := s.chores.Query(ctx, selectLockHolders, pids)
	if err != nil {
		return "", err
	}
	holders, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(holders, "; "), err
}

// selectLockHolders describes who blocks the sessions $1. A prepared transaction has no process. Advisory locks are fiscube's
// own: a load says that it waits for another.
const selectLockHolders = `SELECT DISTINCT CASE b.pid WHEN 0 THEN 'a prepared transaction' ELSE
		coalesce(nullif(a.application_name, ''), 'a program without a name') || ' (process ' || b.pid || ', role ' || coalesce(a.usename, '?') || ')' END ||
	coalesce((SELECT ', which has a lock on ' || min(l.relation::regclass::text) FROM pg_locks l WHERE l.pid = w.pid AND NOT l.granted), '')
	FROM unnest($1::int[]) w(pid), unnest(pg_blocking_pids(w.pid)) b(pid) LEFT JOIN pg_stat_activity a ON a.pid = b.pid
	WHERE NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = w.pid AND NOT l.granted AND l.locktype = 'advisory')
	ORDER BY 1`

// inTxNaming is inTx for changes, which names whose locks it waits for.
func (s *Store) inTxNaming(ctx context.Context, doing string, waiting func(whom string) (done func()), work func(pgx.Tx) error) error {
	return s.inTx(ctx, func(tx pgx.Tx) error {
		var pid uint32
		if err := tx.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			return queryError(err)
		}
		defer s.watchLocks(ctx, doing, func() []uint32 { return []uint32{pid} }, waiting)()
		return work(tx)
	})
}

// loggedOnly is for waits that only the log names.
func loggedOnly(string) (done func()) { return func() {} }

// sessions collects the connections that are made until the end.
type sessions struct {
	mu    sync.Mutex
	pids  []uint32
	ended bool
}

func (c *sessions) add(_ context.Context, conn *pgconn.PgConn) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.pids = append(c.pids, conn.PID())
	}
	return nil
}

func (c *sessions) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pids, c.ended = nil, true
}

func (c *sessions) list() []uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.pids)
}
