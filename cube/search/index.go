package search

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fiscube/cube"
	"fiscube/cube/answer"
)

// Store is what an index reads from.
type Store interface {
	answer.Store

	// Catalog gives the immutable catalogue of the store.
	Catalog(ctx context.Context) (*cube.Catalog, error)
}

// Index has a part for each served version that it has read. Searches go on during a refresh.
type Index struct {
	store Store
	log   *slog.Logger
	limit int // of members

	parts      atomic.Pointer[map[int64]*part] // by Cube.ID; the map is never changed
	refreshing sync.Mutex

	sums    atomic.Pointer[map[int64]*sums] // by Cube.ID; the map is never changed
	adding  sync.Mutex
	wanting sync.Mutex
	wanted  map[int64]bool // by Cube.ID: whose sums were asked for
}

// mostMembers bounds the members of an index, which take about 250 bytes each. If there are more, the index takes those
// with the most rows of each level, from the top levels down.
const mostMembers = 1_000_000

// New makes an empty index of a store.
func New(store Store, log *slog.Logger) *Index {
	x := &Index{store: store, log: log, limit: mostMembers, wanted: map[int64]bool{}}
	x.sums.Store(&map[int64]*sums{})
	x.parts.Store(&map[int64]*part{})
	return x
}

// The catalogue is in memory, so it is cheap to look often whether it has changed.
const (
	lookInterval  = 250 * time.Millisecond
	retryInterval = 5 * time.Second
)

// Follow refreshes the index when other versions are served, and adds up the sums that are wanted, until ctx ends.
func (x *Index) Follow(ctx context.Context) {
	var adding sync.WaitGroup
	adding.Go(func() { x.followSums(ctx) })
	defer adding.Wait()
	for ctx.Err() == nil {
		wait := lookInterval
		if err := x.Refresh(ctx); err != nil && ctx.Err() == nil {
			x.log.Warn("a cube cannot be read for the search", "error", err)
			wait = retryInterval
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// Refresh reads the served versions that are not in the index, and drops those that are no longer served. If one cannot be
// read, it still reads the others.
func (x *Index) Refresh(ctx context.Context) error {
	x.refreshing.Lock()
	defer x.refreshing.Unlock()
	catalog, err := x.store.Catalog(ctx)
	if err != nil {
		return err
	}
	served := catalog.Served()
	x.keep(served)
	var failed []error
	for _, c := range served {
		if room, ok := x.roomFor(c); ok {
			failed = append(failed, x.add(ctx, c, room))
		}
	}
	return errors.Join(failed...)
}

// keep drops the parts of other cubes.
func (x *Index) keep(served []*cube.Cube) {
	parts := maps.Clone(*x.parts.Load())
	maps.DeleteFunc(parts, func(id int64, _ *part) bool {
		return !slices.ContainsFunc(served, func(c *cube.Cube) bool { return c.ID == id })
	})
	x.parts.Store(&parts)
}

// roomFor gives how many members of a cube there is room for, and whether to read it: for the first time, or again because
// there is more room now.
func (x *Index) roomFor(c *cube.Cube) (room int, read bool) {
	room = x.limit
	for id, p := range *x.parts.Load() {
		if id != c.ID {
			room -= p.taken
		}
	}
	p, ok := (*x.parts.Load())[c.ID]
	return room, !ok || p.left > 0 && room > p.room
}

func (x *Index) add(ctx context.Context, c *cube.Cube, room int) error {
	start := time.Now()
	p, err := x.read(ctx, c, room)
	if err != nil {
		return fmt.Errorf("%s, version %d: %w", c.Name, c.Version, err)
	}
	parts := maps.Clone(*x.parts.Load())
	parts[c.ID] = p
	x.parts.Store(&parts)
	x.log.Debug("a cube can be searched", "cube", c.Name, "version", c.Version, "entries", p.size(), "left", p.left,
		"bytes", p.bytes(), "took", time.Since(start))
	return nil
}
