package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"sync"
)

// What is read from drafts takes processors and memory.
const (
	mostRead   = 8 // drafts of which what was read is kept
	readAtOnce = 2 // drafts that are read at the same moment
)

// readings keep what was read from the last few drafts.
type readings struct {
	atOnce chan struct{}

	mu   sync.Mutex
	kept []*kept // used last first
}

// kept is what was read from a draft, under a key of its files and of what was said of them.
type kept struct {
	id   string
	turn chan struct{} // one reads a draft at a time
	key  string
	read *Read
}

func newReadings() readings { return readings{atOnce: make(chan struct{}, readAtOnce)} }

// of gives the place of a draft.
func (r *readings) of(id string) *kept {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.kept, func(k *kept) bool { return k.id == id })
	found := &kept{id: id, turn: make(chan struct{}, 1)}
	if i >= 0 {
		found = r.kept[i]
		r.kept = slices.Delete(r.kept, i, i+1)
	}
	r.kept = slices.Insert(r.kept, 0, found)
	r.kept = r.kept[:min(len(r.kept), mostRead)]
	return found
}

// describe reads the files of a draft, unless they were read so already.
func (d *Drafts) describe(ctx context.Context, of *draft) (*Read, error) {
	k := d.readings.of(of.ID)
	if err := enter(ctx, k.turn); err != nil {
		return nil, err
	}
	defer leave(k.turn)
	key, err := d.key(of)
	if err != nil {
		return nil, err
	}
	if k.read != nil && k.key == key {
		return k.read, nil
	}
	if err := enter(ctx, d.readings.atOnce); err != nil {
		return nil, err
	}
	defer leave(d.readings.atOnce)
	read, err := d.describer.Describe(ctx, d.files(of.ID), of.Files, of.Said)
	if err != nil {
		return nil, err
	}
	k.key, k.read = key, read
	return read, nil
}

func enter(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func leave(places chan struct{}) { <-places }

// key names what is read: the files, by their times, and what was said of them.
func (d *Drafts) key(of *draft) (string, error) {
	said, err := json.Marshal(of.Said)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write(said)
	for _, name := range of.Files {
		info, err := fs.Stat(d.files(of.ID), name)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(sum, "\n%q %d %d", name, info.Size(), info.ModTime().UnixNano())
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
