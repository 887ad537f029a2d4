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

// Store is what an index is read from.
type Store interface {
	answer.Store

	// Catalog gives the immutable picture of what is loaded.
	Catalog(ctx context.Context) (*cube.Catalog, error)
}

// Index holds a part for each served version that is read. Searches go on while it is refreshed.
type Index struct {
	store Store
	log   *slog.Logger
	limit int // of members

	parts      atomic.Pointer[map[int64]*part] // by Cube.ID; the map is never changed
	refreshing sync.Mutex
}

// mostMembers bounds the members of an index, which take about 200 bytes each. Where there are more, those of each
// cube with the most rows are kept, from the top levels down.
const mostMembers = 1_000_000

// New makes an empty index.
func New(store Store, log *slog.Logger) *Index {
	x := &Index{store: store, log: log, limit: mostMembers}
	x.parts.Store(&map[int64]*part{})
	return x
}

// The catalogue is in memory, so looking whether it has changed costs nothing.
const (
	lookInterval  = 250 * time.Millisecond
	retryInterval = 5 * time.Second
)

// Follow keeps the index at what is served, until ctx ends.
func (x *Index) Follow(ctx context.Context) {
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

// Refresh reads what is served and not read yet, and lets go of what is served no more. A cube that cannot be read
// does not keep it from the others.
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
	for _, one := range served {
		if room, ok := x.roomFor(one); ok {
			failed = append(failed, x.add(ctx, one, room))
		}
	}
	return errors.Join(failed...)
}

// keep lets go of the parts of other cubes.
func (x *Index) keep(served []*cube.Cube) {
	parts := maps.Clone(*x.parts.Load())
	maps.DeleteFunc(parts, func(id int64, _ *part) bool {
		return !slices.ContainsFunc(served, func(one *cube.Cube) bool { return one.ID == id })
	})
	x.parts.Store(&parts)
}

// roomFor tells how many members of a cube there is room for, and whether it is to be read: for the first time, or
// again because there is more room than there was.
func (x *Index) roomFor(one *cube.Cube) (room int, read bool) {
	room = x.limit
	for id, p := range *x.parts.Load() {
		if id != one.ID {
			room -= p.taken
		}
	}
	p, ok := (*x.parts.Load())[one.ID]
	return room, !ok || p.left > 0 && room > p.room
}

func (x *Index) add(ctx context.Context, one *cube.Cube, room int) error {
	start := time.Now()
	p, err := x.read(ctx, one, room)
	if err != nil {
		return fmt.Errorf("%s, version %d: %w", one.Name, one.Version, err)
	}
	parts := maps.Clone(*x.parts.Load())
	parts[one.ID] = p
	x.parts.Store(&parts)
	x.log.Debug("a cube can be searched", "cube", one.Name, "version", one.Version, "entries", p.size(), "left", p.left,
		"bytes", p.bytes(), "took", time.Since(start))
	return nil
}
