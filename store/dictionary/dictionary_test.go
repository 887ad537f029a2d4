package dictionary

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"
	"testing"

	"fiscube/cube"
)

// counted are tables of a thousand members, which count how often they are read.
type counted struct {
	reads atomic.Int64
	fails atomic.Bool
	hold  chan struct{} // closed: reading goes on
}

var errRead = errors.New("the store does not answer")

func (c *counted) Entries(ctx context.Context, _ *cube.Cube, l cube.Level) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		c.reads.Add(1)
		select {
		case <-c.hold:
		case <-ctx.Done():
			yield(Entry{}, ctx.Err())
			return
		}
		if c.fails.Load() {
			yield(Entry{}, errRead)
			return
		}
		for n := range int64(1000) {
			path := make([]cube.Value, len(l.Path))
			for i := range path {
				path[i] = cube.Integer(n)
			}
			if !yield(Entry{Path: path}, nil) {
				return
			}
		}
	}
}

func (c *counted) Labels(context.Context, *cube.Cube, cube.Level) iter.Seq2[LabelEntry, error] {
	return func(func(LabelEntry, error) bool) {}
}

func newCounted(t *testing.T) (*counted, func(id int64) *cube.Cube) {
	m, _ := levels(t)
	c := &counted{hold: make(chan struct{})}
	close(c.hold)
	return c, func(id int64) *cube.Cube { return &cube.Cube{ID: id, Package: &cube.Package{Model: m}} }
}

func TestDictionary_ReadsOnceForMany(t *testing.T) {
	tables, version := newCounted(t)
	tables.hold = make(chan struct{})
	d := New(tables, DefaultBytes)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if m, err := d.Members(t.Context(), version(1), version(1).Model.Levels()[0]); err != nil || m.Size != 1000 {
				t.Errorf("%v: %v", m, err)
			}
		})
	}
	close(tables.hold)
	all.Wait()
	if n := tables.reads.Load(); n != 1 {
		t.Errorf("read %d times", n)
	}
}

func TestDictionary_ReadsAgainAfterAnError(t *testing.T) {
	tables, version := newCounted(t)
	d, c := New(tables, DefaultBytes), version(1)
	level := c.Model.Levels()[0]
	tables.fails.Store(true)
	if _, err := d.Members(t.Context(), c, level); !errors.Is(err, errRead) {
		t.Errorf("got %v", err)
	}
	tables.fails.Store(false)
	if _, err := d.Members(t.Context(), c, level); err != nil {
		t.Error(err)
	}
}

// Who reads for others may go away; one of the others reads then.
func TestDictionary_ReadsForThoseWhoStay(t *testing.T) {
	tables, version := newCounted(t)
	tables.hold = make(chan struct{})
	d, c := New(tables, DefaultBytes), version(1)
	level := c.Model.Levels()[0]
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := d.Members(ctx, c, level); !errors.Is(err, context.Canceled) {
			t.Errorf("who went away: %v", err)
		}
	})
	for tables.reads.Load() == 0 {
	}
	all.Go(func() {
		if _, err := d.Members(t.Context(), c, level); err != nil {
			t.Errorf("who stayed: %v", err)
		}
	})
	cancel()
	for tables.reads.Load() == 1 {
	}
	close(tables.hold)
	all.Wait()
}

func TestDictionary_DropsWhatWasNotNeededLongest(t *testing.T) {
	tables, version := newCounted(t)
	level := version(1).Model.Levels()[0]
	ask := func(d *Dictionary, id int64) (read bool) {
		t.Helper()
		before := tables.reads.Load()
		if _, err := d.Members(t.Context(), version(id), level); err != nil {
			t.Fatal(err)
		}
		return tables.reads.Load() > before
	}
	d := New(tables, DefaultBytes)
	ask(d, 1)
	one := d.Bytes()
	d = New(tables, 2*one)
	ask(d, 1)
	ask(d, 2)
	ask(d, 1)
	ask(d, 3)
	if d.Bytes() > 2*one {
		t.Errorf("%d bytes of %d", d.Bytes(), 2*one)
	}
	if ask(d, 1) || !ask(d, 2) {
		t.Error("the version that was needed last was dropped, or the other was not")
	}
	d.Keep(map[Version]bool{{ID: 2}: true})
	if d.Bytes() != one || ask(d, 2) || !ask(d, 1) {
		t.Error("a version that was removed is kept, or another one is not")
	}
	putBack := *version(1)
	putBack.Fingerprint = "of another content"
	before := tables.reads.Load()
	if _, err := d.Members(t.Context(), &putBack, level); err != nil || tables.reads.Load() == before {
		t.Errorf("a version that has the id of another is not read (%v)", err)
	}
	d.Limit(0)
	if d.Bytes() != 0 || !ask(d, 2) || !ask(d, 2) {
		t.Error("something is kept though nothing may be")
	}
}
